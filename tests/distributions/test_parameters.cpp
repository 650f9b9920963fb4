// Parameters: the limits of each distribution from both sides, the messages, and results at what the limits allow.
#include <gtest/gtest.h>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>

#include <cmath>
#include <limits>
#include <span>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "../support/paths.hpp"
#include "../support/sampled.hpp"

namespace {

using rng::ErrorCode;
using rng::lane::Scalar;
using support::error_of;

template <class T> constexpr T inf = std::numeric_limits<T>::infinity();
template <class T> constexpr T nan = std::numeric_limits<T>::quiet_NaN();
template <class T> constexpr T max = std::numeric_limits<T>::max();
template <class T> constexpr T tiny = std::numeric_limits<T>::denorm_min();

template <class T> T above(T x) { return std::nextafter(x, inf<T>); }
template <class T> T below(T x) { return std::nextafter(x, -inf<T>); }

template <class D> void expect_accepted(const D& dist) {
    const rng::ParameterFault fault = dist.fault();
    EXPECT_FALSE(fault) << D::name << ": " << fault.field << " = " << fault.value << ": " << fault.limit;
}

template <class D> void expect_refused(const D& dist, const std::string& field) {
    const rng::ParameterFault fault = dist.fault();
    ASSERT_TRUE(fault) << D::name << ": " << field << " was accepted";
    EXPECT_EQ(fault.field, field) << D::name << ": " << fault.limit;
}

// ---- the limits, both sides (docs/contract.md, section 7)

template <class D, class T = rng::result_t<D>> void normal_limits(T least, T greatest_mean, T greatest_stddev) {
    for (const T mean : {T(0), -T(0), T(1), least, -least, below(least), -below(least), tiny<T>, -tiny<T>,
                         greatest_mean, -greatest_mean})
        expect_accepted(D{mean, 1});
    for (const T mean : {above(greatest_mean), -above(greatest_mean), max<T>, inf<T>, -inf<T>, nan<T>})
        expect_refused(D{mean, 1}, "mean");
    for (const T stddev : {T(0), -T(0), T(1), least, below(least), tiny<T>, greatest_stddev})
        expect_accepted(D{0, stddev});
    for (const T stddev : {above(greatest_stddev), T(-1), -least, -tiny<T>, inf<T>, -inf<T>, nan<T>})
        expect_refused(D{0, stddev}, "stddev");
}
TEST(Parameters, Normal) {
    normal_limits<rng::normal<float>>(0x1p-76f, 0x1p126f, 0x1p120f);
    normal_limits<rng::normal<double>>(0x1p-900, 0x1p1022, 0x1p1000);
    normal_limits<rng::normal_icdf<float>>(0x1p-76f, 0x1p126f, 0x1p120f);
    normal_limits<rng::normal_icdf<double>>(0x1p-900, 0x1p1022, 0x1p1000);
}

template <class T> void exponential_limits(T least, T greatest) {
    using D = rng::exponential<T>;
    for (const T rate : {T(1), least, greatest}) expect_accepted(D{rate});
    for (const T rate : {below(least), above(greatest), T(0), -T(0), T(-1), tiny<T>, max<T>, inf<T>, -inf<T>, nan<T>})
        expect_refused(D{rate}, "rate");
}
TEST(Parameters, Exponential) {
    exponential_limits<float>(0x1p-120f, 0x1p90f);
    exponential_limits<double>(0x1p-1000, 0x1p900);
}

template <template <class> class Uniform, class T> void uniform_limits(T least_span) {
    using D = Uniform<T>;
    constexpr T least_bound = std::numeric_limits<T>::min();
    constexpr bool takes_points = std::is_same_v<D, rng::uniform<T>>;
    for (const D& dist :
         {D{0, 1}, D{-1, 0}, D{-T(0), 1}, D{-1, -T(0)}, D{-1, 1}, D{0, max<T>}, D{-max<T>, 0},
          D{-max<T> / 2, max<T> / 2}, D{least_bound, 1}, D{-1, -least_bound}, D{0, least_span}, D{-least_span, 0},
          D{1, above(above(T(1)))}, D{tiny<T>, 1}, D{-1, tiny<T>}, D{below(least_bound), 1}})
        expect_accepted(dist);
    for (const D& dist : {D{1, 1}, D{0, 0}, D{-T(0), 0}, D{0, -T(0)}, D{tiny<T>, -tiny<T>}, D{max<T>, max<T>}})
        takes_points ? expect_accepted(dist) : expect_refused(dist, "hi");
    for (const T bad : {nan<T>, inf<T>, -inf<T>}) {
        expect_refused(D{bad, 1}, "lo");
        expect_refused(D{-1, bad}, "hi");
    }
    // Not a range, too wide, too narrow: that hi is too small or too near is said of hi.
    for (const D& dist : {D{1, 0}, D{1, below(T(1))}, D{-max<T>, max<T>}, D{-max<T>, max<T> / 2},
                          D{0, below(least_span)}, D{-below(least_span), 0}})
        expect_refused(dist, "hi");
}
TEST(Parameters, Uniform) {
    uniform_limits<rng::uniform, float>(0x1p-78f);
    uniform_limits<rng::uniform, double>(0x1p-900);
    uniform_limits<rng::uniform_open, float>(0x1p-78f);
    uniform_limits<rng::uniform_open, double>(0x1p-900);
    uniform_limits<rng::uniform_open_closed, float>(0x1p-78f);
    uniform_limits<rng::uniform_open_closed, double>(0x1p-900);
}

// hi - lo that is finite or just long enough only by its rounding is what it rounds to.
TEST(Parameters, UniformSpansAreRounded) {
    expect_accepted(rng::uniform{-0x1p102f, max<float>});
    expect_refused(rng::uniform{-0x1p103f, max<float>}, "hi");
    expect_accepted(rng::uniform{-0x1p969, max<double>});
    expect_refused(rng::uniform{-0x1p970, max<double>}, "hi");
}

// ---- messages: the call, the distribution, the parameter, its limits and what was got

TEST(Parameters, Messages) {
    rng::Generator generator(42);
    const auto message = [&](const auto& dist) {
        std::vector<rng::result_t<std::decay_t<decltype(dist)>>> values(3);
        std::string text = error_of(ErrorCode::invalid_argument, [&] { rng::fill(values, dist, generator); });
        EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { rng::fill(std::span(values), dist, rng::Stream<>{1}); }),
                  text)
            << "a stream's fill says the same";
        const auto matrix = rng::matrix_view<typename decltype(values)::value_type>::row_major(values.data(), 1, 3);
        EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { rng::fill(matrix, dist, generator); }), text);
        const std::string of_sample =
            error_of(ErrorCode::invalid_argument, [&] { (void)rng::sample(dist, 3, generator); });
        EXPECT_EQ(of_sample, "sample" + text.substr(text.find(':'))) << "sample names itself, and says the same";
        return text;
    };
    EXPECT_EQ(message(rng::normal{0.0f, -1.0f}), "fill: normal: stddev must be in [0, 2^120], got -1");
    EXPECT_EQ(message(rng::normal{0.0, -0.5}), "fill: normal: stddev must be in [0, 2^1000], got -0.5");
    EXPECT_EQ(message(rng::normal{inf<float>, 1.0f}), "fill: normal: mean must be of magnitude 2^126 at most, got inf");
    EXPECT_EQ(message(rng::normal{1e308, 1.0}), "fill: normal: mean must be of magnitude 2^1022 at most, got 1e+308");
    EXPECT_EQ(message(rng::exponential{0.0f}), "fill: exponential: rate must be in [2^-120, 2^90], got 0");
    EXPECT_EQ(message(rng::exponential{-2.0}), "fill: exponential: rate must be in [2^-1000, 2^900], got -2");
    EXPECT_EQ(message(rng::uniform{1.0f, 0.0f}), "fill: uniform: hi must be at least lo, got 0");
    EXPECT_EQ(message(rng::uniform_open{1.0f, 1.0f}), "fill: uniform_open: hi must be greater than lo, got 1");
    EXPECT_EQ(message(rng::uniform_open{-inf<double>, 1.0}), "fill: uniform_open: lo must be finite, got -inf");
    EXPECT_EQ(message(rng::uniform_open_closed{-max<float>, max<float>}),
              "fill: uniform_open_closed: hi must be so near to lo that hi - lo is finite, got 3.40282347e+38");
    EXPECT_EQ(message(rng::uniform{0.0f, 0x1p-79f}),
              "fill: uniform: hi must exceed lo by at least 2^-78, got 1.65436123e-24");
    EXPECT_EQ(message(rng::uniform{0.0, 0x1p-901}).find("fill: uniform: hi must "), 0u);
    const std::string of_nan = message(rng::normal{0.0f, nan<float>});
    EXPECT_EQ(of_nan.substr(of_nan.find(", got")), ", got nan");
    EXPECT_EQ(generator.position(), 0u);
}

// ---- results at the extremes that the limits allow

/// Words that are all zeros or ones, around powers of two, and some from everywhere.
template <class W> std::vector<W> adversarial_words(uint64_t others) {
    std::vector<W> words{0, 1, static_cast<W>(~W{0}), static_cast<W>(~W{0} - 1)};
    constexpr int bits = 8 * sizeof(W);
    for (int b = 1; b < bits; ++b)
        for (const int d : {-1, 0, 1}) words.push_back(static_cast<W>((W{1} << b) + static_cast<W>(d)));
    for (int b = 1; b < bits; ++b) words.push_back(static_cast<W>(~W{0} << b));
    for (uint64_t i = 0; i < others; ++i)
        words.push_back(static_cast<W>(rng::at(rng::Stream<>{42}, rng::bits<uint64_t>{}, i)));
    return words;
}

/// The real numbers that values of T consist of, in the type of their arithmetic.
template <class T> struct Numbers { using type = rng::detail::arithmetic_t<T>; };
template <class T> struct Numbers<rng::complex<T>> { using type = T; };
template <class T> struct Numbers<rng::vec2<T>> { using type = T; };
template <class T> struct Numbers<rng::vec3<T>> { using type = T; };
template <class T> struct Numbers<rng::vec4<T>> { using type = T; };

/// A result of a map over the scalar lane as a number.
template <class T, class V> auto number(V value) {
    if constexpr (rng::detail::is_half<T>)
        return static_cast<float>(T::from_bits(value.v));
    else
        return value.v;
}

/// A retry stream of two words in turn, and of ordinary ones after that: a program that rejects both would read for
/// ever.
template <class W> struct TwoWords {
    W first, second;
    uint64_t taken = 0;

    W next() {
        if (taken++ < 40) return std::exchange(first, std::exchange(second, first));
        return static_cast<W>(rng::at(rng::Stream<>{43}, rng::bits<uint64_t>{}, taken));
    }
    uint32_t word() { return static_cast<uint32_t>(next()); }
    uint64_t word64() { return next(); }
};

/// Calls f on every number that the map makes of adversarial words, over the scalar lane. Of pairs of words, which are
/// many, it takes a share (RNG_TEST_SHARE). Each word is in some, and 2^k - 1, 2^k and 2^k + 1 take turns as the
/// second.
template <class D, class F> void for_each_adversarial_number(const D& dist, const F& f) {
    using T = rng::result_t<D>;
    constexpr bool single = sizeof(typename Numbers<T>::type) == 4;
    using W = std::conditional_t<single, uint32_t, uint64_t>;
    using Lane = std::conditional_t<single, rng::lane::u32<Scalar>, rng::lane::u64<Scalar>>;
    const auto map = dist.map();
    const auto words = adversarial_words<W>(rng::detail::Unit<D>::operands == 1 ? 300 : 30);
    const std::size_t share = support::share();
    for (std::size_t i = 0; i < words.size(); ++i) {
        const W a = words[i];
        if constexpr (rng::detail::VectorOf<T>::parts > 0) {
            // A direction's words each have one thing to say: two of them in turn meet every pair.
            for (std::size_t j = i / share % share; j < words.size(); j += share) {
                const W b = words[j];
                const W some[]{a, b};
                const auto made = rng::detail::Unit<D>::apply(map, [&some](int k) { return Lane(some[k % 2]); });
                for (int k = 0; k < rng::detail::VectorOf<T>::parts; ++k) f(rng::lane::output(made, k).v);
            }
        } else if constexpr (rng::detail::Unit<D>::operands == 1 && D::map_shape == rng::Shape::value) {
            f(number<T>(map(Lane(a))));
        } else {
            for (std::size_t j = i / share % share; j < words.size(); j += share) {
                const W b = words[j];
                if constexpr (rng::detail::samples_itself<decltype(map)>) {
                    TwoWords<W> retry_stream{a, b};
                    f(map.sample(retry_stream));
                } else if constexpr (D::map_shape == rng::Shape::sampler && rng::detail::Unit<D>::operands == 2) {
                    const auto made = map(Lane(a), Lane(b));
                    if (!made.undecided.v) f(number<T>(made.value));
                } else if constexpr (D::map_shape == rng::Shape::sampler) {
                    const auto made = map(Lane(a), Lane(b), Lane(b), Lane(~a));
                    if (!made.undecided.v) f(number<T>(made.value));
                } else if constexpr (D::map_shape == rng::Shape::value) {
                    f(number<T>(map(Lane(a), Lane(b))));
                } else {
                    const auto pair = map(Lane(a), Lane(b));
                    f(number<T>(pair.even));
                    f(number<T>(pair.odd));
                }
            }
        }
    }
}

/// Whether x lies where D says that its results lie.
template <class T> using number_t = rng::detail::arithmetic_t<T>;
/// A parameter as maps take it: of a magnitude below 2^f32 (2^f64 in double) it counts as 0 (docs/contract.md, section
/// 7).
template <class T> T counted(T x, int f32, int f64) {
    return std::abs(x) < std::ldexp(T(1), sizeof(T) == 4 ? f32 : f64) ? T(0) : x;
}
template <class T> bool in_support(const rng::uniform<T>& d, number_t<T> x) {
    return d.lo == d.hi ? x == d.lo : d.lo <= x && x < d.hi;
}
template <class T> bool in_support(const rng::uniform_open<T>& d, number_t<T> x) { return d.lo < x && x < d.hi; }
template <class T> bool in_support(const rng::uniform_open_closed<T>& d, number_t<T> x) {
    return d.lo < x && x <= d.hi;
}
template <class T> bool in_support(const rng::uniform_dense<T>&, T x) { return 0 <= x && x < 1; }
template <class T> bool in_support(const rng::pareto<T>& d, T x) { return x >= d.scale; }
template <class T> bool in_support(const rng::triangular<T>& d, number_t<T> x) {
    return counted(d.left, -100, -900) <= x && x <= counted(d.right, -100, -900);
}
template <class T> bool in_support(const rng::truncated_normal<T>& d, number_t<T> x) {
    return counted(d.lo, -76, -900) <= x && x <= counted(d.hi, -76, -900);
}
template <class T> bool in_support(const rng::von_mises<T>&, number_t<T> x) {
    return std::abs(static_cast<double>(x)) <= 3.141592653589793;
}
template <class T> bool is_of_unit_ball(T x) { return x != 0 && std::abs(x) <= 1; }
template <class T> bool in_support(const rng::unit_vector2<T>&, T x) { return is_of_unit_ball(x); }
template <class T> bool in_support(const rng::unit_vector3<T>&, T x) { return is_of_unit_ball(x); }
template <class T> bool in_support(const rng::unit_vector4<T>&, T x) { return is_of_unit_ball(x); }
/// By the words of the others: "(-inf, inf)", "(0, inf)", "(0, 1)".
template <class D> bool in_support(const D&, number_t<rng::result_t<D>> x) {
    const std::string_view support = D::support;
    EXPECT_TRUE(support == "(-inf, inf)" || support == "(0, inf)" || support == "(0, 1)") << D::name << ' ' << support;
    return support == "(-inf, inf)" || (x > 0 && (support == "(0, inf)" || x < 1));
}
template <class T> bool in_support(const rng::normal<T>& d, number_t<T> x) {
    const auto rounding = rng::detail::is_half<T> ? std::abs(x) / 256 + 0x1p-24f : 0;
    return std::abs(x - counted(d.mean, -76, -900)) <= number_t<T>(9.5) * counted(d.stddev, -76, -900) + rounding;
}
template <class T> bool in_support(const rng::normal_icdf<T>& d, T x) {
    return in_support(rng::normal<T>{d.mean, d.stddev}, x);
}
template <class T> bool in_support(const rng::complex_normal<T>& d, T x) {
    return in_support(rng::normal<T>{0, d.stddev * T(0.71)}, x);
}

// No subnormal, infinity, NaN or negative zero for any accepted parameters: the sets contain each limit.
TEST(Parameters, ExtremeResultsAreNormalNumbers) {
    support::for_each_case(60, [](const auto& dist, const std::string& name) {
        using D = std::decay_t<decltype(dist)>;
        if constexpr (!std::is_integral_v<rng::result_t<D>>) {
            using T = typename Numbers<rng::result_t<D>>::type;
            std::size_t wrong = 0, outside = 0;
            T example = 0;
            for_each_adversarial_number(dist, [&](T x) {
                const bool good = std::isnormal(x) || (x == 0 && !std::signbit(x));
                wrong += !good;
                outside += !in_support(dist, x);
                if (!good || !in_support(dist, x)) example = x;
            });
            std::ostringstream parameters;
            D::fields().each([&](const auto& field) { parameters << ' ' << field.name << ' ' << dist.*field.member; });
            EXPECT_EQ(wrong, 0u) << name << parameters.str() << ", for example " << example;
            EXPECT_EQ(outside, 0u) << name << parameters.str() << ", for example " << example;
        }
    });
}

// Bounds that rounding reaches: 1 - 2^-24 scaled to a span of few floating-point numbers rounds up to hi.
template <template <class> class Uniform, class T> void uniform_between_neighbours() {
    for (const T lo : {T(1), T(3), T(-2), T(1e6), T(-1e30)})
        for (int steps = 1; steps <= 5; ++steps) {
            Uniform<T> dist{lo, lo};
            for (int k = 0; k < steps; ++k) dist.hi = above(dist.hi);
            if (steps == 1 && std::is_same_v<Uniform<T>, rng::uniform_open<T>>) continue;  // empty: see below
            std::size_t outside = 0;
            for_each_adversarial_number(dist, [&](T x) { outside += !in_support(dist, x); });
            EXPECT_EQ(outside, 0u) << Uniform<T>::name << " from " << lo << " over " << steps << " numbers";
        }
}
TEST(Parameters, UniformsStayInsideTinySpans) {
    uniform_between_neighbours<rng::uniform, float>();
    uniform_between_neighbours<rng::uniform, double>();
    uniform_between_neighbours<rng::uniform_open, float>();
    uniform_between_neighbours<rng::uniform_open, double>();
    uniform_between_neighbours<rng::uniform_open_closed, float>();
    uniform_between_neighbours<rng::uniform_open_closed, double>();
}

// There is no number to return.
TEST(Parameters, OpenIntervalsBetweenNeighboursAreRefused) {
    expect_refused(rng::uniform_open{1.0f, above(1.0f)}, "hi");
    expect_refused(rng::uniform_open{-3.0, above(-3.0)}, "hi");
    expect_accepted(rng::uniform_open{1.0f, above(above(1.0f))});
    expect_accepted(rng::uniform{1.0f, above(1.0f)});
    expect_accepted(rng::uniform_open_closed{1.0f, above(1.0f)});
}

// Unit intervals, at the words that come nearest to their ends.
TEST(Parameters, UnitIntervalsEndWhereTheySay) {
    using U = rng::lane::u32<Scalar>;
    using V = rng::lane::u64<Scalar>;
    const U all32(0xffffffffu), none32(0u);
    const V all64(~uint64_t{0}), none64(uint64_t{0});
    EXPECT_EQ(rng::uniform<float>{}.map()(none32).v, 0.0f);
    EXPECT_EQ(rng::uniform<float>{}.map()(all32).v, 0x1.fffffep-1f);
    EXPECT_EQ(rng::uniform_open<float>{}.map()(none32).v, 0x1p-24f);
    EXPECT_EQ(rng::uniform_open<float>{}.map()(all32).v, 0x1.fffffep-1f);
    EXPECT_EQ(rng::uniform_open_closed<float>{}.map()(none32).v, 0x1p-24f);
    EXPECT_EQ(rng::uniform_open_closed<float>{}.map()(all32).v, 1.0f);
    EXPECT_EQ(rng::uniform<double>{}.map()(none64).v, 0.0);
    EXPECT_EQ(rng::uniform<double>{}.map()(all64).v, 0x1.fffffffffffffp-1);
    EXPECT_EQ(rng::uniform_open<double>{}.map()(none64).v, 0x1p-53);
    EXPECT_EQ(rng::uniform_open<double>{}.map()(all64).v, 0x1.fffffffffffffp-1);
    EXPECT_EQ(rng::uniform_open_closed<double>{}.map()(none64).v, 0x1p-53);
    EXPECT_EQ(rng::uniform_open_closed<double>{}.map()(all64).v, 1.0);
}

// The parameters do what the contract says with the unit value: one fma, one correctly rounded quotient.
TEST(Parameters, ValuesFollowFromStandardOnes) {
    const rng::Stream<> s{42, 0, 1};
    for (uint64_t i = 0; i < 100'000; ++i) {
        const auto rate = static_cast<float>(1 + i % 1000) * 0.0173f;
        ASSERT_EQ(rng::at(s, rng::exponential{rate}, i), rng::at(s, rng::exponential<float>{}, i) / rate) << i;
        const double rate64 = static_cast<double>(1 + i % 1000) * 0.0173;
        ASSERT_EQ(rng::at(s, rng::exponential{rate64}, i), rng::at(s, rng::exponential<double>{}, i) / rate64) << i;
        const float mean = static_cast<float>(i % 17) - 8, stddev = 0.001f * static_cast<float>(1 + i % 5000);
        ASSERT_EQ(rng::at(s, rng::normal{mean, stddev}, i),
                  std::fma(stddev, rng::at(s, rng::normal<float>{}, i), mean));
        const float lo = -1.7f, hi = 0.01f * static_cast<float>(1 + i % 5000);
        const float u = std::fma(rng::at(s, rng::uniform<float>{}, i), hi - lo, lo);
        ASSERT_EQ(rng::at(s, rng::uniform{lo, hi}, i), u < hi ? u : below(hi));
    }
}

TEST(Parameters, NoSpreadGivesTheMean) {
    rng::Generator generator(42);
    for (const float x : rng::sample(rng::normal{2.5f, 0.0f}, 1001, generator)) ASSERT_EQ(x, 2.5f);
    for (const double x : rng::sample(rng::normal{-0.0, -0.0}, 1001, generator)) ASSERT_EQ(Scalar::bits(x), 0u);
}

// -0 counts as +0.
TEST(Parameters, NegativeZeroIsZero) {
    const auto expect_same = [](const auto& a, const auto& b, const std::string& name) {
        std::vector<rng::result_t<std::decay_t<decltype(a)>>> of_a, of_b;
        for_each_adversarial_number(a, [&](auto x) { of_a.push_back(x); });
        for_each_adversarial_number(b, [&](auto x) { of_b.push_back(x); });
        EXPECT_TRUE(support::same_bits(of_a, of_b)) << name;
    };
    expect_same(rng::uniform{-0.0f, 1.0f}, rng::uniform{0.0f, 1.0f}, "uniform{-0, 1}");
    expect_same(rng::uniform{-1.0f, -0.0f}, rng::uniform{-1.0f, 0.0f}, "uniform{-1, -0}");
    expect_same(rng::uniform_open{-0.0, 1.0}, rng::uniform_open{0.0, 1.0}, "uniform_open{-0, 1}");
    expect_same(rng::uniform_open{-1.0, -0.0}, rng::uniform_open{-1.0, 0.0}, "uniform_open{-1, -0}");
    expect_same(rng::uniform_open_closed{-0.0f, 1.0f}, rng::uniform_open_closed{0.0f, 1.0f},
                "uniform_open_closed{-0, 1}");
    expect_same(rng::uniform_open_closed{-1.0f, -0.0f}, rng::uniform_open_closed{-1.0f, 0.0f},
                "uniform_open_closed{-1, -0}");
    expect_same(rng::uniform_open_closed{-1.0, -0.0}, rng::uniform_open_closed{-1.0, 0.0},
                "uniform_open_closed{-1, -0}");
    expect_same(rng::normal{-0.0f, 1.0f}, rng::normal{0.0f, 1.0f}, "normal{-0, 1}");
    expect_same(rng::normal{0.0, -0.0}, rng::normal{0.0, 0.0}, "normal{0, -0}");
}

}  // namespace
