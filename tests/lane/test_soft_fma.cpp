// fma from integers, against the processor's instruction, or the C library's function where the processor has none.
#include <gtest/gtest.h>
#include <rng/core/engine.hpp>
#include <rng/lane/scalar.hpp>
#include <rng/lane/soft_fma.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace {

template <class F> using Word = std::conditional_t<sizeof(F) == 4, std::uint32_t, std::uint64_t>;
template <class F> constexpr int fraction_bits = std::numeric_limits<F>::digits - 1;
template <class F> constexpr int exponents = 2 * std::numeric_limits<F>::max_exponent;

template <class F> F right_fma(F a, F b, F c) {
#if RNG_FMA_BY_PROCESSOR
    if (__builtin_cpu_supports("fma")) return rng::lane::ScalarFma::fma(a, b, c);
#endif
    return rng::lane::Scalar::fma(a, b, c);
}

/// Equal bits, or both NaN.
template <class F> bool same(F x, F y) {
    return std::bit_cast<Word<F>>(x) == std::bit_cast<Word<F>>(y) || (std::isnan(x) && std::isnan(y));
}
template <class F> testing::AssertionResult is_right(F a, F b, F c) {
    const F got = rng::lane::detail::soft_fma(a, b, c), right = right_fma(a, b, c);
    if (same(got, right)) return testing::AssertionSuccess();
    return testing::AssertionFailure() << std::hexfloat << a << " * " << b << " + " << c << " is " << right << ", got "
                                       << got;
}

template <class F> class SoftFma : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(SoftFma, Types);

// Known sums, so that a wrong reference is found too.
TEST(SoftFmaKnown, Sums) {
    using rng::lane::detail::soft_fma;
    EXPECT_EQ(soft_fma(0x1.0000000000001p+0, 0x1.ffffffffffffep-1, -1.0), -0x1p-104);
    EXPECT_EQ(soft_fma(0x1.002p-53, 1.0, 1.0), 0x1.0000000000001p+0);
    EXPECT_EQ(soft_fma(0x1.8p-4, 0x1.49ddfad433669p+52, -0x1p-37), 0x1.eeccf83e4d19dp+48);
    EXPECT_EQ(soft_fma(0x1.000002p+0f, 0x1.fffffcp-1f, -1.0f), -0x1p-46f);
    EXPECT_EQ(soft_fma(0x1.000002p-12f, 0x1.fffffcp-13f, 0x1.000002p+0f), 0x1.000002p+0f);
    // A half of the smallest subnormal number is a tie, and goes to 0; a little more does not.
    EXPECT_EQ(soft_fma(0x1p-1074, 0.5, 0.0), 0.0);
    EXPECT_EQ(soft_fma(0x1p-1074, 0.5, 0x1p-1074), 0x1p-1073);
    EXPECT_EQ(soft_fma(0x1p-1074, 0x1.0000000000001p-1, 0.0), 0x1p-1074);
    EXPECT_EQ(soft_fma(0x1p-1000, 0x1p-1000, 0x1p-1074), 0x1p-1074);
    EXPECT_EQ(soft_fma(0x1p+1023, 2.0, -0x1p+1023), 0x1p+1023);
    EXPECT_EQ(soft_fma(0x1p+1023, 2.0, 0.0), std::numeric_limits<double>::infinity());
    EXPECT_FALSE(std::signbit(soft_fma(1.0, 1.0, -1.0)));
    EXPECT_TRUE(std::signbit(soft_fma(-0x1p-1074, 0x1p-1074, 0.0)));
    EXPECT_TRUE(std::signbit(soft_fma(-0.0, 1.0, -0.0)));
    EXPECT_FALSE(std::signbit(soft_fma(-0.0, 1.0, 0.0)));
}

/// Both signs of the ends of subnormal and normal numbers, of some numbers between them, and of the neighbours of each.
template <class F> std::vector<F> corners() {
    using Limits = std::numeric_limits<F>;
    const F ulp = Limits::epsilon(), infinity = Limits::infinity();
    std::vector<F> all{Limits::quiet_NaN()};
    for (const F x : {F(0), Limits::denorm_min(), Limits::min(), ulp, F(0.5), F(1), F(1.5), 1 / ulp, Limits::max()})
        for (const F y : {std::nextafter(x, F(0)), x, std::nextafter(x, infinity)}) all.insert(all.end(), {y, -y});
    return all;
}

TYPED_TEST(SoftFma, Corners) {
    using F = TypeParam;
    for (const F a : corners<F>())
        for (const F b : corners<F>())
            for (const F c : corners<F>()) ASSERT_TRUE(is_right(a, b, c));
}

/// Random arguments for which sums are hard to round.
template <class F> class Arguments {
  public:
    explicit Arguments(std::uint64_t seed) : state_(seed) {}

    struct Three {
        F a, b, c;
    };
    Three next() {
        const F a = factor(), b = factor(), product = a * b;
        return {a, b, addend(product)};
    }

  private:
    using W = Word<F>;
    static constexpr W fraction = (W{1} << fraction_bits<F>)-1;

    W word() {  // splitmix64
        std::uint64_t x = state_ += 0x9e3779b97f4a7c15u;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
        x = (x ^ x >> 27) * 0x94d049bb133111ebu;
        return static_cast<W>((x ^ x >> 31) >> (64 - 8 * static_cast<int>(sizeof(W))));
    }
    int below(int n) { return static_cast<int>(word() % static_cast<unsigned>(n)); }
    /// Few bits, long runs of equal bits, or any bits.
    W significand() {
        const int shift = below(fraction_bits<F>);
        switch (below(4)) {
            case 0: return word() << shift & fraction;
            case 1: return (W{1} << shift) - 1;
            case 2: return fraction & ~((W{1} << shift) - 1);
            default: return word() & fraction;
        }
    }
    F number(int exponent) {
        const int stored = std::clamp(exponent, 0, exponents<F> - 2);
        const W sign = word() << (8 * static_cast<int>(sizeof(W)) - 1);
        return std::bit_cast<F>(static_cast<W>(sign | static_cast<W>(stored) << fraction_bits<F> | significand()));
    }
    F factor() {
        if (below(8) == 0) return number(below(exponents<F>));
        const int middle = exponents<F> / 2;
        // Products of numbers around these exponents are near 1, at the lower end, or at the upper end.
        const int around[] = {middle, middle / 2, middle / 2 - fraction_bits<F> / 2, middle + middle / 2};
        return number(around[below(4)] + below(16) - 8);
    }
    F addend(F product) {
        const W bits = std::bit_cast<W>(product);
        const int exponent = static_cast<int>(bits >> fraction_bits<F> & static_cast<W>(exponents<F> - 1));
        switch (below(4)) {
            case 0:  // the product, rounded, with another sign and up to a few units off
                return std::bit_cast<F>(static_cast<W>((bits ^ W{1} << (8 * sizeof(W) - 1)) + word() % 5 - 2));
            case 1: return factor();
            default: return number(exponent + below(5 * fraction_bits<F>) - 5 * fraction_bits<F> / 2);
        }
    }

    std::uint64_t state_;
};

template <class F> void expect_random_sums(std::uint64_t seed, int n) {
    Arguments<F> arguments(seed);
    for (int i = 0; i < n; ++i) {
        const auto [a, b, c] = arguments.next();
        ASSERT_TRUE(is_right(a, b, c)) << "number " << i;
    }
}
TYPED_TEST(SoftFma, RandomArguments) { expect_random_sums<TypeParam>(1, 1'000'000); }

template <class F> class SoftFmaSlow : public testing::Test {};
TYPED_TEST_SUITE(SoftFmaSlow, Types);
TYPED_TEST(SoftFmaSlow, RandomArguments) { expect_random_sums<TypeParam>(2, 100'000'000); }

// The arguments are what they are meant to be: many sums are exact zeros, subnormal or ties between two neighbours.
TYPED_TEST(SoftFma, ArgumentsAreHard) {
    using F = TypeParam;
    Arguments<F> arguments(3);
    int zeros = 0, subnormal = 0, infinite = 0, cancelled = 0;
    for (int i = 0; i < 100'000; ++i) {
        const auto [a, b, c] = arguments.next();
        const F sum = right_fma(a, b, c);
        zeros += sum == 0;
        subnormal += std::fpclassify(sum) == FP_SUBNORMAL;
        infinite += std::isinf(sum);
        cancelled += std::abs(sum) < std::abs(c) * 4 * std::numeric_limits<F>::epsilon();
    }
    for (const int count : {zeros, subnormal, infinite, cancelled}) EXPECT_GT(count, 500);
}

#if defined(__SSE2__)
// No mode of the processor matters, not even those that flush subnormal numbers.
TYPED_TEST(SoftFma, IgnoresModes) {
    using F = TypeParam;
    const F tiny = std::numeric_limits<F>::denorm_min(), one = 1;
    const unsigned saved = _mm_getcsr();
    _mm_setcsr(saved | 0xe040);  // toward zero, FTZ and DAZ
    const volatile F sum = rng::lane::detail::soft_fma(tiny, one, tiny);
    const volatile F up = rng::lane::detail::soft_fma(one, one - std::numeric_limits<F>::epsilon() / 2, one);
    _mm_setcsr(saved);
    EXPECT_EQ(sum, 2 * tiny);
    EXPECT_EQ(up, F(2));
}
#endif

}  // namespace
