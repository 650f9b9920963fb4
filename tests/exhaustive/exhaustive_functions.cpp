// The f32 functions of continuous distributions over every number or word that they take: the largest errors, against
// double. Minutes on two cores. exhaustive_f32.cpp has the functions that normal and exponential values need.
#include <gtest/gtest.h>
#include <rng/lane/functions.hpp>
#include <rng/lane/math_f32.hpp>
#include <rng/lane/scalar.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <numbers>
#include <thread>

#include "oracles.hpp"

namespace {

using exhaustive::ulps;
using F = rng::lane::f32<rng::lane::Scalar>;
using U = rng::lane::u32<rng::lane::Scalar>;

/// The greatest of error(k) for all 2^32 k, on two threads.
template <class Error> double greatest(const Error& error) {
    constexpr uint64_t chunk = uint64_t{1} << 24;
    std::atomic<uint64_t> next{0};
    double worst[2] = {};
    const auto work = [&](double& found) {
        for (uint64_t first; (first = next.fetch_add(chunk)) < uint64_t{1} << 32;)
            for (uint64_t k = first; k < first + chunk; ++k) {
                const double e = error(static_cast<uint32_t>(k));
                if (!(e <= found)) found = std::isnan(e) ? HUGE_VAL : e;
            }
    };
    std::thread second(work, std::ref(worst[1]));
    work(worst[0]);
    second.join();
    return std::max(worst[0], worst[1]);
}
/// The greatest error of a function of the numbers from `least` to `most`.
template <class Function, class Exact>
double of_numbers(float least, float most, const Function& function, const Exact& exact) {
    return greatest([&](uint32_t bits) {
        const float x = std::bit_cast<float>(bits);
        if (!(x >= least && x <= most) || (x != 0 && std::abs(x) < 0x1p-126f)) return 0.0;
        const double want = exact(static_cast<double>(x));
        const float got = function(F(x)).v;
        if (want == 0) return got == 0 ? 0.0 : HUGE_VAL;
        return ulps(got, want);
    });
}

/// A midpoint of a word, from the nearer end, and its distance from the middle; its sign is that of u - 1/2.
struct Midpoint {
    double near, from_half, sign;
    explicit Midpoint(uint32_t w) {
        const uint32_t m = w >> 31 ? ~w : w;
        near = (m + 0.5) * 0x1p-32;
        from_half = (0x7fffffffu - m + 0.5) * 0x1p-32;
        sign = w >> 31 ? 1 : -1;
    }
};

/// What docs/contract.md (A.18) states is what is found, rounded up.
void expect(double stated, double found, const char* name) {
    std::printf("%-16s largest error %.4f ulp\n", name, found);
    EXPECT_LE(found, stated) << name;
    EXPECT_GT(found, stated - 0.02) << name << ": docs/contract.md states more";
}

TEST(ExhaustiveFunctions, OfWords) {
    expect(1.24, greatest([](uint32_t w) {
               const Midpoint m(w);
               const double e = m.from_half < 0.125 ? -std::log1p(-2 * m.from_half) : -std::log(2 * m.near);
               return ulps(rng::lane::laplace_quantile(U(w)).v, m.sign * e);
           }),
           "laplace quantile");
    expect(3.29, greatest([](uint32_t w) {
               const Midpoint m(w);
               const double e = m.from_half < 0.125 ? -std::log1p(-2 * m.from_half / (1 - m.near))
                                                    : -std::log(m.near / (1 - m.near));
               return ulps(rng::lane::logit(U(w)).v, m.sign * e);
           }),
           "logit");
    expect(2.59, greatest([](uint32_t w) {
               const Midpoint m(w);
               const double pi = std::numbers::pi;
               const double e = m.from_half < 0.25 ? std::tan(pi * m.from_half) : 1 / std::tan(pi * m.near);
               return ulps(rng::lane::tan_of_half_turn(U(w)).v, m.sign * e);
           }),
           "tangent");
}

TEST(ExhaustiveFunctions, OfNumbers) {
    expect(1.53,
           of_numbers(
               0x1p-126f, 0x1.fffffep127f, [](F x) { return rng::lane::ln(x); }, [](double x) { return std::log(x); }),
           "ln");
    expect(1.77,
           of_numbers(
               -0.999f, 1, [](F x) { return rng::lane::log1p(x); }, [](double x) { return std::log1p(x); }),
           "log1p");
    expect(1.04,
           of_numbers(
               -87.33f, 88.72f, [](F x) { return rng::lane::exp(x); }, [](double x) { return std::exp(x); }),
           "exp");
    expect(1.55,
           of_numbers(
               -87.33f, 88, [](F x) { return rng::lane::expm1(x); }, [](double x) { return std::expm1(x); }),
           "expm1");
    expect(2.17,
           of_numbers(
               -87.33f, -0x1p-126f, [](F x) { return rng::lane::log1m_exp(x); },
               [](double x) { return x < -0.6931 ? std::log1p(-std::exp(x)) : std::log(-std::expm1(x)); }),
           "ln(1 - exp)");
}

}  // namespace
