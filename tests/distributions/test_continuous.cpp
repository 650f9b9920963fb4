// The continuous distributions against the formulas of their laws, word by word, in long double; known answers of their
// headers; order.
#include <gtest/gtest.h>
#include <rng/distributions/catalogue.hpp>

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace {

using Lane = rng::lane::Scalar;
using Real = long double;

template <class T> using Word = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
template <class T> using LaneWord = std::conditional_t<sizeof(T) == 8, rng::lane::u64<Lane>, rng::lane::u32<Lane>>;

/// A midpoint: its distances from 0 and from 1, and u - v, each with all its digits.
struct Midpoint {
    Real u, v, difference;
};
template <class W> Midpoint midpoint(W w) {
    using Signed = std::make_signed_t<W>;
    const auto from_half = static_cast<Signed>(w ^ static_cast<W>(W{1} << (sizeof(W) * 8 - 1)));
    const Real whole = std::ldexp(Real(1), static_cast<int>(sizeof(W)) * 8);
    return {(static_cast<Real>(w) + Real(0.5)) / whole, (static_cast<Real>(static_cast<W>(~w)) + Real(0.5)) / whole,
            (2 * static_cast<Real>(from_half) + 1) / whole};
}
/// -ln u with the digits of u near 1 too.
Real neg_ln(const Midpoint& m) { return m.u > Real(0.75) ? -std::log1p(-m.v) : -std::log(m.u); }

/// Words at both ends, at the middle and between.
template <class W> std::vector<W> test_words() {
    constexpr int bits = sizeof(W) * 8;
    std::vector<W> words{0, 1, static_cast<W>(~W{0}), static_cast<W>(~W{1}), W{1} << (bits - 1)};
    std::mt19937_64 entropy(3);
    for (int i = 0; i < 20000; ++i) {
        const auto any = static_cast<W>(entropy());
        const auto small = static_cast<W>(any >> (entropy() % bits));
        words.push_back(i % 3 == 0 ? any : i % 3 == 1 ? small : static_cast<W>(~small));
    }
    return words;
}

/// The greatest error of values of one word: |value - exact| by an ulp of `size`, the size of what was rounded.
template <class D, class Exact, class Size> void expect_errors(const D& dist, double ulps, Exact exact, Size size) {
    using T = rng::result_t<D>;
    const auto map = dist.map();
    Real worst = 0;
    Word<T> at = 0;
    for (const Word<T> w : test_words<Word<T>>()) {
        const Real want = exact(midpoint(w));
        if (std::abs(want) > static_cast<Real>(std::numeric_limits<T>::max()) / 4) continue;  // the clamp
        const Real ulp = static_cast<Real>(std::numeric_limits<T>::epsilon()) * std::abs(size(want)) / 2;
        const Real error = std::abs(static_cast<Real>(map(LaneWord<T>(w)).v) - want) / ulp;
        if (error > worst) at = w;
        worst = std::max(worst, error);
    }
    EXPECT_LE(static_cast<double>(worst), ulps) << D::name << ' ' << sizeof(T) * 8 << " at word " << at;
}
const auto itself = [](Real x) { return x; };

template <class T> class Continuous : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Continuous, Types);

// Half ulps of the greatest number of a binade are whole ulps of its least: bounds are twice those of the headers.
TYPED_TEST(Continuous, ValuesAreTheLawsQuantiles) {
    using T = TypeParam;
    if (std::numeric_limits<Real>::digits < 64) GTEST_SKIP() << "long double is no wider than double here";
    const Real loc = 0, pi = std::acos(Real(-1));
    const auto at_least_one = [](Real x) { return std::max(std::abs(x), Real(1)); };
    expect_errors(
        rng::laplace<T>{0, T(1.75)}, 4,
        [](const Midpoint& m) {
            const Real x = m.u < m.v ? std::log(2 * m.u) : -std::log(2 * m.v);
            const Real centre = m.u < m.v ? std::log1p(m.difference) : -std::log1p(-m.difference);
            return Real(1.75) * (std::abs(m.difference) < Real(0.25) ? centre : x);
        },
        itself);
    expect_errors(
        rng::logistic<T>{0, T(0.75)}, 8,
        [](const Midpoint& m) {
            return Real(0.75) *
                   (std::abs(m.difference) < Real(0.25) ? std::log1p(m.difference / m.v) : std::log(m.u / m.v));
        },
        itself);
    expect_errors(
        rng::gumbel<T>{0, 1}, 5, [](const Midpoint& m) { return -std::log(neg_ln(m)); }, at_least_one);
    const auto tangent = [pi](const Midpoint& m) {
        const Real from_half = m.difference / 2;
        return std::abs(from_half) < Real(0.25) ? std::tan(pi * from_half)
               : from_half < 0                  ? -1 / std::tan(pi * m.u)
                                                : 1 / std::tan(pi * m.v);
    };
    expect_errors(
        rng::cauchy<T>{0, 3}, 7, [&](const Midpoint& m) { return 3 * tangent(m); }, itself);
    expect_errors(
        rng::half_cauchy<T>{3}, 7, [&](const Midpoint& m) { return 3 * std::abs(tangent(m)); }, itself);
    expect_errors(
        rng::rayleigh<T>{T(1.5)}, 5, [](const Midpoint& m) { return Real(1.5) * std::sqrt(2 * neg_ln(m)); }, itself);
    expect_errors(
        rng::half_normal<T>{T(1.5)}, 5,
        [](const Midpoint& m) {
            const Real from_half = std::abs(m.difference), tail = 2 * std::min(m.u, m.v);
            return Real(1.5) * std::sqrt(Real(2)) *
                   (from_half < Real(0.5) ? boost::math::erf_inv(from_half) : boost::math::erfc_inv(tail));
        },
        itself);
    // Powers: an ulp of the exponent is an error of |ln x| ulps.
    const auto power = [](Real x) { return std::abs(x) * (1 + std::abs(std::log(std::abs(x)))); };
    expect_errors(
        rng::weibull<T>{T(1.25), 1}, 8, [](const Midpoint& m) { return std::pow(neg_ln(m), 1 / Real(1.25)); }, power);
    expect_errors(
        rng::frechet<T>{T(2.5), 1}, 8, [](const Midpoint& m) { return std::pow(neg_ln(m), -1 / Real(2.5)); }, power);
    expect_errors(
        rng::pareto<T>{T(1.25), 2}, 8, [](const Midpoint& m) { return 2 * std::exp(neg_ln(m) / Real(1.25)); }, power);
    expect_errors(
        rng::lomax<T>{T(1.25), 2}, 10, [](const Midpoint& m) { return 2 * std::expm1(neg_ln(m) / Real(1.25)); }, power);
    expect_errors(
        rng::power<T>{T(0.75)}, 8, [](const Midpoint& m) { return std::exp(-neg_ln(m) / Real(0.75)); }, power);
    expect_errors(
        rng::kumaraswamy<T>{T(0.5), T(1.5)}, 16,
        [](const Midpoint& m) {
            const Real y = neg_ln(m) / Real(1.5);
            return std::pow(y > 1 ? 1 - std::exp(-y) : -std::expm1(-y), 2);
        },
        power);
    expect_errors(
        rng::triangular<T>{-1, T(0.25), 2}, 6,
        [&](const Midpoint& m) {
            const Real c = Real(1.25) / 3;
            return loc + (m.u < c ? -1 + std::sqrt(m.u * 3 * Real(1.25)) : 2 - std::sqrt(m.v * 3 * Real(1.75)));
        },
        at_least_one);
}

TYPED_TEST(Continuous, ValuesOfTwoWordsAreTheirFormulas) {
    using T = TypeParam;
    if (std::numeric_limits<Real>::digits < 64) GTEST_SKIP() << "long double is no wider than double here";
    using W = Word<T>;
    const auto words = test_words<W>();
    const Real pi = std::acos(Real(-1));
    const auto standard = rng::normal_icdf<T>{}.map();
    Real student = 0, wald = 0, modified = 0, maxwell = 0, double_sided = 0, lognormal = 0;
    for (size_t i = 0; i + 1 < words.size(); i += 2) {
        const LaneWord<T> a(words[i]), b(words[i + 1]);
        const Midpoint u = midpoint(words[i]), angle = midpoint(words[i + 1]);
        // An ulp of the exponent is an error of |ln x| ulps.
        const auto size = [](Real x) { return std::abs(x) * (1 + std::abs(std::log(std::abs(x)))); };
        const auto see = [size](Real& worst, T got, Real want) {
            const Real ulp = static_cast<Real>(std::numeric_limits<T>::epsilon()) * size(want) / 2;
            worst = std::max(worst, std::abs(static_cast<Real>(got) - want) / ulp);
        };
        if (std::abs(angle.u - Real(0.25)) > Real(0.01) && std::abs(angle.u - Real(0.75)) > Real(0.01))
            see(student, rng::student_t<T>{5}.map()(a, b).v,
                std::sqrt(5 * std::expm1(neg_ln(u) * 2 / 5)) * std::cos(2 * pi * angle.u));
        // The normal value as the library makes it: test_quantile.cpp has its error.
        const auto z = static_cast<Real>(standard(b).v), z0 = static_cast<Real>(standard(a).v);
        const Real length = 2 * std::sqrt(2 * neg_ln(u) + z * z);
        see(maxwell, rng::maxwell<T>{2}.map()(a, b).v, length);
        see(double_sided, rng::double_sided_maxwell<T>{0, 2}.map()(a, b).v, z < 0 ? -length : length);
        // By the size of the two parts, which may cancel.
        const Real tail = Real(1.5) * neg_ln(u), parts = tail + std::abs(z);
        const auto sum = rng::exponentially_modified_normal<T>{0, 1, T(1.5)}.map()(a, b).v;
        modified = std::max(modified, std::abs(static_cast<Real>(sum) - (z + tail)) /
                                          (static_cast<Real>(std::numeric_limits<T>::epsilon()) * parts / 2));
        const auto pair = rng::lognormal<T>{}.map()(a, b);
        const Real radius = std::sqrt(2 * neg_ln(u));
        see(lognormal, pair.even.v, std::exp(radius * std::cos(2 * pi * angle.u)));
        see(lognormal, pair.odd.v, std::exp(radius * std::sin(2 * pi * angle.u)));
        const Real t = z0 * z0 / 4, q = 1 + t + std::sqrt(t * (t + 2));  // mean 3, lambda 6
        const Real choice = angle.u * (q + 1) - q;
        if (std::abs(choice) > Real(1e-5))
            see(wald, rng::inverse_gaussian<T>{3, 6}.map()(a, b).v, choice < 0 ? 3 / q : 3 * q);
    }
    EXPECT_LE(static_cast<double>(student), 9);
    EXPECT_LE(static_cast<double>(maxwell), 5);
    EXPECT_LE(static_cast<double>(wald), 12);
    EXPECT_LE(static_cast<double>(modified), 4);
    EXPECT_LE(static_cast<double>(double_sided), 5);
    EXPECT_LE(static_cast<double>(lognormal), 7);
}

// The answers in the heads of the headers, which come from the formulas.
TEST(KnownAnswers, OfTheHeaders) {
    const auto one = [](const auto& dist, uint32_t w) { return static_cast<double>(dist.map()(LaneWord<float>(w)).v); };
    const auto two = [](const auto& dist, uint32_t a, uint32_t b) {
        return static_cast<double>(dist.map()(LaneWord<float>(a), LaneWord<float>(b)).v);
    };
    EXPECT_NEAR(one(rng::laplace<float>{}, 0x40000000u), -0.69314718, 1e-7);
    EXPECT_NEAR(one(rng::logistic<float>{}, 0x40000000u), -1.0986123, 2e-7);
    EXPECT_NEAR(one(rng::gumbel<float>{}, 0x5e2d58d8u), 0, 0x1p-23);
    EXPECT_NEAR(one(rng::cauchy<float>{}, 0xc0000000u), 1, 2e-7);
    EXPECT_NEAR(one(rng::half_cauchy<float>{}, 0xc0000000u), 1, 2e-7);
    EXPECT_NEAR(one(rng::half_normal<float>{}, 0xf9999999u), 1.95996, 1e-5);
    EXPECT_NEAR(one(rng::half_normal<float>{}, 0x06666666u), 1.95996, 1e-5);
    EXPECT_NEAR(one(rng::rayleigh<float>{}, 0x80000000u), 1.1774100, 2e-7);
    EXPECT_NEAR(one(rng::weibull<float>{2, 1}, 0x80000000u), 0.83255461, 2e-7);
    EXPECT_NEAR(one(rng::frechet<float>{2, 1}, 0x80000000u), 1.2011224, 2e-7);
    EXPECT_NEAR(one(rng::pareto<float>{1, 1}, 0x80000000u), 2, 4e-7);
    EXPECT_NEAR(one(rng::lomax<float>{1, 1}, 0x80000000u), 1, 4e-7);
    EXPECT_NEAR(one(rng::power<float>{2}, 0x80000000u), 0.70710678, 2e-7);
    EXPECT_NEAR(one(rng::kumaraswamy<float>{1, 1}, 0x40000000u), 0.75, 2e-7);
    EXPECT_NEAR(one(rng::triangular<float>{0, 1, 1}, 0x40000000u), 0.5, 2e-7);
    EXPECT_NEAR(two(rng::exponentially_modified_normal<float>{}, 0x80000000u, 0xf9999999u), 2.65311, 1e-5);
    EXPECT_NEAR(two(rng::maxwell<float>{}, 0x80000000u, 0xf9999999u), 2.28643, 1e-5);
    EXPECT_NEAR(two(rng::double_sided_maxwell<float>{}, 0x80000000u, 0xf9999999u), 2.28643, 1e-5);
    EXPECT_NEAR(two(rng::double_sided_maxwell<float>{}, 0x80000000u, 0x06666666u), -2.28643, 1e-5);
    EXPECT_NEAR(two(rng::student_t<float>{2}, 0x80000000u, 0), std::sqrt(2), 4e-7);
    EXPECT_NEAR(two(rng::inverse_gaussian<float>{1, 1}, 0xf9999999u, 0), 0.176525, 1e-6);
    const auto pair = rng::lognormal<float>{}.map()(LaneWord<float>(0x80000000u), LaneWord<float>(0x20000000u));
    EXPECT_NEAR(static_cast<double>(pair.even.v), 2.2991841, 1e-6);
    EXPECT_NEAR(static_cast<double>(pair.odd.v), 2.2991841, 1e-6);
}

/// Greater words make greater values (or smaller ones), but for `ulps` rounding errors.
template <class D> void expect_order(const D& dist, bool rises, double ulps) {
    using T = rng::result_t<D>;
    auto words = test_words<Word<T>>();
    for (const Word<T> start : {Word<T>{0}, static_cast<Word<T>>(Word<T>{1} << (sizeof(T) * 8 - 1))})
        for (Word<T> k = 0; k < 2000; ++k) words.push_back(static_cast<Word<T>>(start + k - 1000));
    std::sort(words.begin(), words.end());
    const auto map = dist.map();
    T last = map(LaneWord<T>(words[0])).v;
    int wrong = 0;
    for (const Word<T> w : words) {
        const T x = map(LaneWord<T>(w)).v;
        const T slack = static_cast<T>(ulps) * std::numeric_limits<T>::epsilon() * std::max(std::abs(x), T(1));
        wrong += rises ? x < last - slack : x > last + slack;
        last = x;
    }
    EXPECT_EQ(wrong, 0) << D::name;
}
TYPED_TEST(Continuous, InversionsKeepTheOrderOfWords) {
    using T = TypeParam;
    expect_order(rng::laplace<T>{}, true, 0);
    expect_order(rng::logistic<T>{}, true, 3);
    expect_order(rng::gumbel<T>{}, true, 2);
    expect_order(rng::cauchy<T>{}, true, 3);
    expect_order(rng::rayleigh<T>{}, false, 1);
    expect_order(rng::weibull<T>{T(1.5), 1}, false, 2);
    expect_order(rng::frechet<T>{T(1.5), 1}, true, 8);
    expect_order(rng::pareto<T>{T(1.5), 1}, false, 8);
    expect_order(rng::lomax<T>{T(1.5), 1}, false, 8);
    expect_order(rng::power<T>{T(1.5)}, true, 1);
    expect_order(rng::kumaraswamy<T>{T(1.5), T(0.5)}, false, 2);
    expect_order(rng::triangular<T>{0, T(0.25), 1}, true, 1);
}

TYPED_TEST(Continuous, WordsAndTheirComplementsMirror) {
    using T = TypeParam;
    for (const Word<T> w : test_words<Word<T>>()) {
        const LaneWord<T> a(w), b(static_cast<Word<T>>(~w));
        ASSERT_EQ(rng::laplace<T>{}.map()(a).v, -rng::laplace<T>{}.map()(b).v) << w;
        ASSERT_EQ(rng::logistic<T>{}.map()(a).v, -rng::logistic<T>{}.map()(b).v) << w;
        ASSERT_EQ(rng::cauchy<T>{}.map()(a).v, -rng::cauchy<T>{}.map()(b).v) << w;
    }
}

}  // namespace
