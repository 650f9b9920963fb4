// The normal quantile: its error against Boost.Math, its symmetry, and that it never steps back; known values.
#include <gtest/gtest.h>
#include <rng/lane/quantile.hpp>
#include <rng/lane/scalar.hpp>
#include <rng/rng.hpp>

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

#include "../support/paths.hpp"

namespace {

using rng::lane::Scalar;

float quantile(uint32_t w) { return rng::lane::normal_quantile(rng::lane::u32<Scalar>(w)).v; }
double quantile(uint64_t w) { return rng::lane::normal_quantile(rng::lane::u64<Scalar>(w)).v; }

template <class W> constexpr int bits_of = 8 * sizeof(W);
/// Phi^-1 of a word of the lower half, to 64 bits; the midpoint and twice it are exact there.
template <class W> long double exact_quantile(W w) {
    const long double p = std::ldexp(static_cast<long double>(w) + 0.5L, -bits_of<W>);
    const long double root = std::numbers::sqrt2_v<long double>;
    return p < 0.125L ? -root * boost::math::erfc_inv(2 * p) : root * boost::math::erf_inv(2 * p - 1);
}
template <class W> double ulps(W w) {
    const long double exact = exact_quantile(w);
    const long double ulp = std::ldexp(1.0L, std::ilogb(exact) - (sizeof(W) == 4 ? 23 : 52));
    return static_cast<double>(std::abs(static_cast<long double>(quantile(w)) - exact) / ulp);
}

/// Words of the lower half where the map changes piece (1/8, 2^-9, 2^-8, 2^-22), exponent or sign, and random ones:
/// as many of every size as of any other.
template <class W> std::vector<W> places(std::size_t random) {
    std::vector<W> words{0, static_cast<W>(~W{0} / 2)};
    for (int k = 0; k < bits_of<W> - 1; ++k) {
        words.push_back(W{1} << k);
        words.push_back(static_cast<W>(0xb504f333f9de6484u >> (63 - k)));
    }
    std::mt19937_64 entropy(1);
    for (std::size_t i = 0; i < random; ++i)
        words.push_back(static_cast<W>((entropy() >> (65 - bits_of<W>)) >> (entropy() % (bits_of<W> - 2))));
    return words;
}

template <class W> double worst_of(const std::vector<W>& words) {
    double worst = 0;
    for (const W w : words) worst = std::max(worst, ulps(w));
    return worst;
}
TEST(Quantile, Errors) {
    const std::size_t n = support::sanitized ? 2'000 : 100'000;
    EXPECT_LT(worst_of(places<uint32_t>(n)), 1.98);
    EXPECT_LT(worst_of(places<uint64_t>(n)), 1.98);
    // Just below |z| = 1 the spacing of values is smallest beside that of the words: the largest errors of all.
    std::vector<uint32_t> near_one;
    for (uint32_t w = 0x28ae0000u; w < 0x2a000000u; w += 233) near_one.push_back(w);
    EXPECT_LT(worst_of(near_one), 1.98);
    EXPECT_GT(worst_of(near_one), 1.8) << "docs/contract.md states more than there is";
}

template <class W> void expect_symmetry() {
    for (const W w : places<W>(10'000)) {
        ASSERT_EQ(quantile(static_cast<W>(~w)), -quantile(w)) << w;
        ASSERT_LT(quantile(w), 0) << w;
    }
}
TEST(Quantile, Symmetry) {
    expect_symmetry<uint32_t>();
    expect_symmetry<uint64_t>();
}

/// Neighbours around each place, and words further apart: up to a hundred times as far as one step of v or f.
template <class W> void expect_monotone(std::size_t random) {
    for (const W place : places<W>(random))
        for (const W step : {W{1}, W{3}, W{64}, W{257}, W{2048}, W{5003}, W{100'001}}) {
            const W reach = std::min<W>(static_cast<W>(30 * step), place);
            auto last = quantile(static_cast<W>(place - reach));
            for (W w = static_cast<W>(place - reach + step); w < place + reach; w = static_cast<W>(w + step)) {
                const auto z = quantile(w);
                ASSERT_LE(last, z) << std::hex << w << " step " << step;
                last = z;
            }
        }
}
TEST(Quantile, NeverStepsBack) {
    const std::size_t n = support::sanitized ? 20 : 1000;
    expect_monotone<uint32_t>(n);
    expect_monotone<uint64_t>(n);
}

TEST(Quantile, KnownValues) {
    EXPECT_NEAR(static_cast<double>(quantile(0xf9999999u)), 1.9599639845400545, 1.3e-7);  // p = 0.975
    EXPECT_NEAR(quantile(uint64_t{0xf999999999999999u}), 1.9599639845400545, 4.5e-16);
    EXPECT_NEAR(static_cast<double>(quantile(0xd7625e89u)), 1.0, 2e-7);  // Phi(1) = 0.84134474606854...
    // The ends, Phi^-1(2^-33) and Phi^-1(2^-65), and the middle, sqrt(pi / 2) / 2^n.
    EXPECT_NEAR(static_cast<double>(quantile(0u)), -6.3379578590393070, 5e-7);
    EXPECT_NEAR(quantile(uint64_t{0}), -9.1552937726860726, 2e-15);
    EXPECT_EQ(quantile(0x80000000u), 0x1.40d932p-32f);
    EXPECT_EQ(quantile(uint64_t{1} << 63), 0x1.40d931ff62706p-64);
}

TEST(Quantile, DistributionIsTheScaledQuantile) {
    const rng::Stream<> s{42, 0, 1};
    for (uint64_t i = 0; i < 10'000; ++i) {
        const float mean = static_cast<float>(i % 17) - 8, stddev = 0.001f * static_cast<float>(1 + i % 5000);
        const float z = quantile(rng::at(s, rng::bits<uint32_t>{}, i));
        ASSERT_EQ(rng::at(s, rng::normal_icdf<float>{}, i), z);
        ASSERT_EQ(rng::at(s, rng::normal_icdf{mean, stddev}, i), std::fma(stddev, z, mean));
        const double z64 = quantile(rng::at(s, rng::bits<uint64_t>{}, i));
        ASSERT_EQ(rng::at(s, rng::normal_icdf{0.0, 2.0}, i), 2 * z64);
    }
}

}  // namespace
