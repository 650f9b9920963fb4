// The samplers of real numbers, trial by trial: what the formulas give in long double, the cheap trial, known answers
// of the headers, and messages that only they have.
#include <gtest/gtest.h>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "../support/paths.hpp"

namespace {

using Lane = rng::lane::Scalar;
using Real = long double;

template <class T> constexpr T inf = std::numeric_limits<T>::infinity();
template <class T> using Word = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
template <class T> using LaneWord = std::conditional_t<sizeof(T) == 8, rng::lane::u64<Lane>, rng::lane::u32<Lane>>;
template <class T> using LaneReal = rng::lane::real_t<Lane, T>;

template <class T> std::vector<Word<T>> test_words(std::size_t n, unsigned seed) {
    std::mt19937_64 entropy(seed);
    std::vector<Word<T>> words;
    for (std::size_t i = 0; i < n; ++i) {
        const auto any = static_cast<Word<T>>(entropy());
        const auto small = static_cast<Word<T>>(any >> (entropy() % (sizeof(T) * 8)));
        words.push_back(i % 8 != 0 ? any : i % 16 == 0 ? small : static_cast<Word<T>>(~small));
    }
    return words;
}

template <class T> class Samplers : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Samplers, Types);

// ---- the trial of a gamma variable

TYPED_TEST(Samplers, TrialsFollowTheirFormulas) {
    using T = TypeParam;
    using F = LaneReal<T>;
    if (std::numeric_limits<Real>::digits < 64) GTEST_SKIP() << "long double is no wider than double here";
    const auto normal = rng::normal_icdf<T>{}.map();
    const auto words = test_words<T>(40000, 1);
    for (const T shape : {T(0x1p-20), T(0.3), T(0.99), T(1), T(1.5), T(2.5), T(10), T(1000), T(0x1p30)}) {
        const auto trial = rng::detail::GammaTrial<T>::of(shape);
        Real worst_cube = 0, worst_bar = 0;
        for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
            const T z = normal(LaneWord<T>(words[i])).v;
            const T e = rng::lane::neglog(LaneWord<T>(words[i + 1])).v;
            const auto made = trial(F(z), F(e));
            // With the prepared numbers as they are: their rounding is part of the law.
            const Real y = Real(trial.c) * Real(z), t = 1 + y;
            if (t < Real(0.01)) continue;  // t has few digits left, and is hardly ever accepted
            const Real ulp = std::numeric_limits<T>::epsilon() / 2, cube = Real(trial.d) * t * t * t;
            worst_cube = std::max(worst_cube, std::abs(Real(made.cube.v) - cube) / (cube * ulp) * std::min(t, Real(1)));
            // y itself is rounded: near 0 an error of its ulp is four ulps of the remainder.
            const Real logarithm = std::abs(y) < Real(1e-3) ? -y * y * y * y * (Real(0.25) - y / 5 + y * y / 6)
                                                            : std::log1p(y) - y + y * y / 2 - y * y * y / 3;
            const Real bar = 3 * Real(trial.d) * logarithm, rest = Real(made.rest.v) - Real(e);
            const Real scale = std::abs(bar) + 3 * Real(trial.d) * (std::abs(y) > Real(0.25) ? Real(1) : Real(0));
            if (std::abs(bar) > std::abs(Real(e)) * ulp * 64)
                worst_bar = std::max(worst_bar,
                                     std::abs(rest - bar) / (scale + std::abs(Real(made.rest.v)) + std::abs(Real(e))));
        }
        EXPECT_LE(static_cast<double>(worst_cube), 8) << shape << ": the cube";
        EXPECT_LE(static_cast<double>(worst_bar), sizeof(T) == 4 ? 0x1p-19 : 0x1p-43) << shape << ": the bar";
    }
}

// What the cheap trial accepts, the trial accepts, and gives the same value.
template <class D> void expect_squeeze_is_a_part(const D& dist, const std::string& name) {
    using T = rng::result_t<D>;
    const auto map = dist.map();
    const auto words = test_words<T>(400000, 2);
    constexpr int operands = rng::detail::Unit<D>::operands;
    std::size_t accepted = 0, squeezed = 0, wrong = 0, trials = 0;
    for (std::size_t i = 0; i + operands <= words.size(); i += operands, ++trials) {
        const auto both = [&](auto... w) {
            const auto whole = map(LaneWord<T>(w)...), squeeze = map.squeeze(LaneWord<T>(w)...);
            accepted += !whole.undecided.v;
            squeezed += !squeeze.undecided.v;
            if (!squeeze.undecided.v)
                wrong += whole.undecided.v || Lane::bits(whole.value.v) != Lane::bits(squeeze.value.v);
        };
        if constexpr (operands == 2)
            both(words[i], words[i + 1]);
        else
            both(words[i], words[i + 1], words[i + 2], words[i + 3]);
    }
    EXPECT_EQ(wrong, 0u) << name;
    EXPECT_GE(static_cast<double>(accepted), 0.7 * static_cast<double>(trials)) << name;
    EXPECT_GE(static_cast<double>(squeezed), 0.6 * static_cast<double>(trials)) << name;
}
TYPED_TEST(Samplers, TheCheapTrialIsAPartOfTheTrial) {
    using T = TypeParam;
    for (const T shape : {T(1), T(1.2), T(1.53), T(1.5334), T(2), T(3.7), T(10), T(100), T(1e6), T(0x1p30)}) {
        expect_squeeze_is_a_part(rng::gamma<T>{shape, 1}, "gamma " + std::to_string(shape));
        expect_squeeze_is_a_part(rng::chi<T>{shape + shape}, "chi " + std::to_string(shape));
        if (shape <= T(0x1p24))
            expect_squeeze_is_a_part(rng::beta<T>{shape, shape + 1}, "beta " + std::to_string(shape));
    }
}

// With a shape below 1 the cheap trial decides nothing, whatever the words, and the map says so.
template <class D> void expect_squeeze_is_empty(const D& dist, const std::string& name) {
    using T = rng::result_t<D>;
    const auto map = dist.map();
    EXPECT_FALSE(map.has_squeeze()) << name;
    std::size_t decided = 0;
    const auto words = test_words<T>(40000, 2);
    for (std::size_t i = 0; i + 4 <= words.size(); i += 2) {
        if constexpr (rng::detail::Unit<D>::operands == 2)
            decided += !map.squeeze(LaneWord<T>(words[i]), LaneWord<T>(words[i + 1])).undecided.v;
        else
            decided += !map.squeeze(LaneWord<T>(words[i]), LaneWord<T>(words[i + 1]), LaneWord<T>(words[i + 2]),
                                    LaneWord<T>(words[i + 3]))
                            .undecided.v;
    }
    EXPECT_EQ(decided, 0u) << name;
}
TYPED_TEST(Samplers, TheCheapTrialIsEmptyBelowShape1) {
    using T = TypeParam;
    for (const T shape : {T(0x1p-20), T(0.01), T(0.5), std::nextafter(T(1), T(0))}) {
        expect_squeeze_is_empty(rng::gamma<T>{shape, 1}, "gamma " + std::to_string(shape));
        expect_squeeze_is_empty(rng::beta<T>{shape, 3}, "beta " + std::to_string(shape));
        expect_squeeze_is_empty(rng::beta<T>{3, shape}, "beta of 3 and " + std::to_string(shape));
    }
    EXPECT_TRUE((rng::gamma<T>{1, 1}.map().has_squeeze()));
    EXPECT_TRUE((rng::beta<T>{1, 1}.map().has_squeeze()));
}

TYPED_TEST(Samplers, OneLawHasOneSetOfBits) {
    using T = TypeParam;
    const rng::Stream<> s{7};
    for (uint64_t i = 0; i < 2000; ++i) {
        ASSERT_EQ(rng::at(s, rng::chi_squared<T>{5}, i), rng::at(s, rng::gamma<T>{T(2.5), 2}, i)) << i;
        ASSERT_EQ(rng::at(s, rng::chi_squared<T>{1}, i), rng::at(s, rng::gamma<T>{T(0.5), 2}, i)) << i;
        ASSERT_EQ(rng::at(s, rng::fisher_f<T>{4, 4}, i), rng::at(s, rng::beta_prime<T>{2, 2}, i)) << i;
    }
}

// Each form of the noncentral trial, and programs on retry streams, by vectors and one by one.
TYPED_TEST(Samplers, NoncentralValuesAreTheSameOnEveryWay) {
    using T = TypeParam;
    const auto expect_same = [](const auto& dist) {
        std::vector<T> x(3001);
        support::on_every_isa([&](const std::string& path) {
            rng::fill(x, dist, rng::Stream{9});
            for (std::size_t i = 0; i < x.size(); ++i)
                ASSERT_EQ(x[i], rng::at(rng::Stream{9}, dist, i)) << path << ' ' << dist.name << ' ' << i;
        });
    };
    for (const T nu : {T(0.25), T(2), T(300)})
        for (const T lambda : {T(0), T(1), T(30), T(511), T(512), T(1e5)}) {
            expect_same(rng::noncentral_chi_squared<T>{nu, lambda});
            expect_same(rng::noncentral_f<T>{nu, T(1.5), lambda});
        }
    expect_same(rng::noncentral_f<T>{5, 7, 2});
}

TYPED_TEST(Samplers, KnownScalesHaveTheirBounds) {
    using T = TypeParam;
    const auto expect_bounds = [](const rng::detail::ScaledExp<T>& known) {
        const auto found = rng::detail::ScaledExp<T>::of(known.scale);
        EXPECT_EQ(known.least, found.least);
        EXPECT_EQ(known.greatest, found.greatest);
    };
    expect_bounds(rng::chi<T>{3}.map().scaled);
    expect_bounds(rng::chi_squared<T>{3}.map().scaled);
    expect_bounds(rng::beta_prime<T>{3, 4}.map().scaled);
    expect_bounds(rng::noncentral_chi_squared<T>{3, 4}.map().scaled);
}

// Means and variances at parameters that no other test has: each within six standard errors.
template <class D> void expect_moments(const D& dist, double mean, double variance) {
    const std::size_t n = 200000;
    double sum = 0, squares = 0;
    for (const auto x : rng::sample(dist, n, rng::Stream{3})) {
        const double from_mean = static_cast<double>(x) - mean;
        sum += from_mean;
        squares += from_mean * from_mean;
    }
    const auto count = static_cast<double>(n);
    EXPECT_NEAR(sum / count, 0, 6 * std::sqrt(variance / count)) << D::name;
    EXPECT_NEAR(squares / count / variance, 1, 0.05) << D::name;
}
TYPED_TEST(Samplers, MomentsAtOtherParameters) {
    using T = TypeParam;
    expect_moments(rng::gamma<T>{T(1.0625), 2}, 2.125, 4.25);
    expect_moments(rng::gamma<T>{T(65536), 1}, 65536, 65536);
    expect_moments(rng::inverse_gamma<T>{6, 3}, 0.6, 0.09);
    expect_moments(rng::beta<T>{T(0.25), 3}, 1. / 13, 0.75 / (3.25 * 3.25 * 4.25));
    expect_moments(rng::beta<T>{40, T(0.5)}, 40 / 40.5, 20 / (40.5 * 40.5 * 41.5));
    expect_moments(rng::noncentral_chi_squared<T>{T(0.125), 16}, 16.125, 2 * 32.125);
    expect_moments(rng::noncentral_chi_squared<T>{3, 100000}, 100003, 2 * 200003.);
    expect_moments(rng::noncentral_chi_squared<T>{100000, 3}, 100003, 2 * 100006.);
    expect_moments(rng::noncentral_f<T>{4, 12, 3}, 12 / 10. * 7 / 4, 2 * 9. * (7 * 7 + 10 * 10) / (10. * 10 * 8));
    expect_moments(rng::generalized_normal<T>{1, 2, 1}, 1, 8);
    expect_moments(rng::generalized_normal<T>{-1, 2, 2}, -1, 2);
    expect_moments(rng::generalized_normal<T>{0, 3, T(0x1p20)}, 0, 3);  // uniform on [-3, 3]
    // phi(a) / (1 - Phi(a)) - a and so on for a = 5, by mpmath 1.3 with 20 digits.
    expect_moments(rng::truncated_normal<T>{0, 1, 5, inf<T>}, 5.18650396713, 0.0326964346171);
    expect_moments(rng::truncated_normal<T>{0, 1, -inf<T>, -5}, -5.18650396713, 0.0326964346171);
    expect_moments(rng::truncated_normal<T>{0, 1, -inf<T>, inf<T>}, 0, 1);
    expect_moments(rng::truncated_normal<T>{3, 2, -inf<T>, 3}, 3 - 2 * 0.797884560803, 4 * 0.363380227632);
    expect_moments(rng::truncated_normal<T>{0, 1, T(0.5), T(0.75)}, 0.621752884219, 0.00519117674435);
    expect_moments(rng::truncated_normal<T>{0, 1, T(0.5), T(1.5)}, 0.920644605222, 0.0769420979424);
}

// ---- known answers of the headers

/// An engine of six words.
struct Listed {
    using result_type = uint32_t;
    std::size_t next = 0;
    static constexpr uint32_t min() { return 0; }
    static constexpr uint32_t max() { return ~uint32_t{0}; }
    uint32_t operator()() {
        constexpr uint32_t words[] = {0x80000000u, 0x80000000u, 0x80000000u, 0x40000000u, 0x80000000u, 0};
        return words[next++];
    }
};

TEST(KnownAnswers, OfTheSamplers) {
    const auto two = [](const auto& dist, uint32_t a, uint32_t b) {
        const auto made = dist.map()(LaneWord<float>(a), LaneWord<float>(b));
        EXPECT_FALSE(made.undecided.v);
        return static_cast<double>(made.value.v);
    };
    const uint32_t half = 0x80000000u;
    const float third = 1.0f / 3;
    EXPECT_NEAR(two(rng::gamma<float>{4 * third, 1}, half, 0), 1, 0x1p-22);
    EXPECT_NEAR(two(rng::gamma<float>{third, 1}, half, half), 0.125, 0x1p-22);
    EXPECT_NEAR(two(rng::log_gamma<float>{third}, half, half), -2.0794415, 1e-6);
    EXPECT_NEAR(two(rng::inverse_gamma<float>{third, 1}, half, half), 8, 1e-5);
    EXPECT_NEAR(two(rng::chi_squared<float>{8 * third}, half, 0), 2, 0x1p-21);
    EXPECT_NEAR(two(rng::chi<float>{8 * third}, half, 0), 1.4142136, 0x1p-22);
    EXPECT_NEAR(two(rng::generalized_normal<float>{0, 1, 3}, half, 0xc0000000u), 0.5, 0x1p-22);
    EXPECT_NEAR(two(rng::generalized_normal<float>{0, 1, 3}, half, 0x3fffffffu), -0.5, 0x1p-22);
    EXPECT_NEAR(two(rng::truncated_normal<float>{0, 1, 1.5f, inf<float>}, half, 0), 1.8465736, 3e-7);
    EXPECT_NEAR(two(rng::truncated_normal<float>{0, 1, -inf<float>, -1.5f}, half, 0), -1.8465736, 3e-7);
    EXPECT_NEAR(two(rng::truncated_normal<float>{}, 0x06666666u, 0), -1.95996, 1e-5);
    EXPECT_NEAR(two(rng::von_mises<float>{0, 0}, 0xc0000000u, 0), 1.5707963, 2e-7);
    {
        const LaneWord<float> middle(half), right_angle(0x40000000u);
        const auto made = rng::noncentral_chi_squared<float>{2, 2}.map()(middle, middle, middle, right_angle);
        EXPECT_NEAR(static_cast<double>(made.value.v), 3.947039, 1e-6);
        EXPECT_FALSE(made.undecided.v);
        Listed words;
        EXPECT_NEAR(static_cast<double>(rng::noncentral_f<float>{2, 4, 2}(words)), 2.3682234, 1e-6);
        EXPECT_EQ(words.next, 6u);
    }
    const auto four = [](const auto& dist) {
        const LaneWord<float> e(0x12345678u);
        const auto made = dist.map()(LaneWord<float>(0x9abcdef0u), LaneWord<float>(0x20000000u), e, e);
        EXPECT_FALSE(made.undecided.v);
        return static_cast<double>(made.value.v);
    };
    for (const float shape : {0.25f, 2.5f}) {
        EXPECT_NEAR(four(rng::beta<float>{shape, shape}), 0.5, 1e-6);
        EXPECT_NEAR(four(rng::beta_prime<float>{shape, shape}), 1, 4e-6);
        EXPECT_NEAR(four(rng::fisher_f<float>{shape, shape}), 1, 4e-6);
    }
}

// ---- messages and bounds

template <class D> std::string refusal(const D& dist) {
    std::vector<rng::result_t<D>> x(3, rng::result_t<D>(-7));
    return support::error_of(rng::ErrorCode::invalid_argument, [&] { rng::fill(x, dist, rng::Stream{1}); });
}
TEST(Limits, MessagesNameTheCallTheParameterAndTheRange) {
    EXPECT_EQ(refusal(rng::gamma{0.0, 1.0}), "fill: gamma: shape must be in [2^-40, 2^60], got 0");
    EXPECT_EQ(refusal(rng::gamma{2.0f, -1.0f}), "fill: gamma: scale must be in [2^-50, 2^90], got -1");
    EXPECT_EQ(refusal(rng::beta{1.0, inf<double>}), "fill: beta: b must be in [2^-40, 2^60], got inf");
    EXPECT_EQ(refusal(rng::noncentral_chi_squared{5.0f, -1.0f}),
              "fill: noncentral_chi_squared: lambda must be in [0, 2^31], got -1");
    EXPECT_EQ(refusal(rng::noncentral_f{5.0, 0.0, 1.0}), "fill: noncentral_f: d2 must be in [2^-39, 2^61], got 0");
    EXPECT_EQ(refusal(rng::truncated_normal{0.0, 1.0, 2.0, 2.0}),
              "fill: truncated_normal: hi must be lo + 2^-900 at least, got 2");
    EXPECT_EQ(refusal(rng::truncated_normal{0.0, 1.0, inf<double>, 2.0}),
              "fill: truncated_normal: lo must be a number or -inf, got inf");
    EXPECT_EQ(refusal(rng::truncated_normal{0.0, 1.0, 0.0, -inf<double>}),
              "fill: truncated_normal: hi must be a number or inf, got -inf");
    EXPECT_EQ(refusal(rng::truncated_normal{0.0f, 1.0f, 5000.0f, inf<float>}),
              "fill: truncated_normal: lo must be at most 2^12 standard deviations from the mean, got 5000");
    EXPECT_EQ(refusal(rng::truncated_normal{0.0f, 1.0f, -inf<float>, -5000.0f}),
              "fill: truncated_normal: hi must be at most 2^12 standard deviations from the mean, got -5000");
    EXPECT_EQ(refusal(rng::truncated_normal{0.0f, 0x1p60f, 1.0f, 2.0f}),
              "fill: truncated_normal: hi must be lo + 2^-28 stddev at least, got 2");
    EXPECT_EQ(refusal(rng::truncated_normal<rng::float16>{0, 1, 0.1f, 2}),
              "fill: truncated_normal: lo must be a value of the type, got 0.100000001");
    EXPECT_EQ(refusal(rng::von_mises{3.15, 1.0}), "fill: von_mises: mu must be of magnitude pi at most, got 3.15");
    EXPECT_EQ(refusal(rng::von_mises{0.0, -1.0}), "fill: von_mises: kappa must be in [0, 2^60], got -1");
}

TYPED_TEST(Samplers, TruncationHolds) {
    using T = TypeParam;
    const T steps = std::numeric_limits<T>::epsilon();
    for (const auto& [lo, hi] : std::vector<std::pair<T, T>>{{-2, 2},
                                                             {0, inf<T>},
                                                             {-inf<T>, 0},
                                                             {T(-0.125), T(0.25)},
                                                             {3, T(3.125)},
                                                             {-9, -8},
                                                             {30, inf<T>},
                                                             {-inf<T>, 9},
                                                             {1, 1 + 4 * steps},
                                                             {T(0.5), T(1.5)},
                                                             {T(0.51), 40}}) {
        std::set<T> values;
        for (const T x : rng::sample(rng::truncated_normal<T>{0, 1, lo, hi}, 5000, rng::Stream{11})) {
            ASSERT_GE(x, lo);
            ASSERT_LE(x, hi);
            values.insert(x);
        }
        EXPECT_GE(values.size(), hi - lo < T(1e-3) ? 3u : 4000u) << lo << " to " << hi;
    }
}

// A value just below 1 is 1 - k 2^-24. The arcsine law gives odd and even k the same share: a sum that rounds to steps
// of 2^-23 would leave the odd ones out.
TEST(KnownAnswers, OfBetaTakeEveryFloatBelowOne) {
    const rng::Stream<> s{42};
    int near = 0, odd = 0;
    for (uint64_t i = 0; i < 1 << 18; ++i) {
        const double k = (1 - static_cast<double>(rng::at(s, rng::beta<float>{0.5f, 0.5f}, i))) * 0x1p24;
        if (k < 16 || k >= 256) continue;
        ++near;
        odd += static_cast<int>(k) % 2;
    }
    EXPECT_GT(near, 200);
    EXPECT_NEAR(odd, near / 2.0, 2.5 * std::sqrt(near));
}

}  // namespace
