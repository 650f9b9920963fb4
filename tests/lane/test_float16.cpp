// float16 and bfloat16: conversions against arithmetic in double, and what the distributions make of them; complex
// normals in memory of std::complex.
#include <gtest/gtest.h>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>
#include <rng/float16.hpp>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "../support/paths.hpp"

namespace {

using rng::bfloat16;
using rng::float16;

static_assert(sizeof(float16) == 2 && std::is_trivial_v<float16>);  // as __half: in unions and __shared__ arrays
static_assert(sizeof(bfloat16) == 2 && std::is_trivial_v<bfloat16>);

template <class H> struct Layout;
template <> struct Layout<float16> { static constexpr int fraction = 10, bias = 15; };
template <> struct Layout<bfloat16> { static constexpr int fraction = 7, bias = 127; };

/// The number of a half without sign that is finite, from its definition.
template <class H> double number(uint32_t bits) {
    const int fraction = Layout<H>::fraction, exponent = static_cast<int>(bits >> fraction);
    const uint32_t significand = bits & ((1u << fraction) - 1);
    return exponent == 0 ? std::ldexp(significand, 1 - Layout<H>::bias - fraction)
                         : std::ldexp(significand + (1u << fraction), exponent - Layout<H>::bias - fraction);
}
template <class H> constexpr uint32_t infinity = (0x7fffu >> Layout<H>::fraction) << Layout<H>::fraction;

template <class H> class Halves : public testing::Test {};
using Types = testing::Types<float16, bfloat16>;
TYPED_TEST_SUITE(Halves, Types);

TYPED_TEST(Halves, EveryNumberIsExactAsFloat) {
    std::size_t wrong = 0;
    for (uint32_t bits = 0; bits < infinity<TypeParam>; ++bits)
        for (const uint32_t sign : {0u, 0x8000u}) {
            const float x = TypeParam::from_bits(sign | bits);
            wrong += static_cast<double>(std::abs(x)) != number<TypeParam>(bits) || std::signbit(x) != (sign != 0) ||
                     TypeParam(x).bits != (sign | bits);
        }
    EXPECT_EQ(wrong, 0u);
}

// Midpoints go to the even neighbour, and the floats beside them to the nearer one.
TYPED_TEST(Halves, RoundToNearestEven) {
    std::size_t wrong = 0;
    for (uint32_t bits = 0; bits + 1 < infinity<TypeParam>; ++bits) {
        const auto middle =
            static_cast<float>((number<TypeParam>(bits) + number<TypeParam>(bits + 1)) / 2);  // exact as a float
        const auto rounded = [](float x) -> uint32_t { return TypeParam(x).bits; };
        for (const float sign : {1.0f, -1.0f}) {
            const uint32_t s = sign < 0 ? 0x8000u : 0u;
            wrong += rounded(sign * middle) != (s | (bits + (bits & 1)));
            if (std::is_same_v<TypeParam, bfloat16> && bits < 0x80) continue;  // beside it are subnormal floats
            wrong += rounded(sign * std::nextafter(middle, 0.0f)) != (s | bits);
            wrong += rounded(sign * std::nextafter(middle, std::numeric_limits<float>::max())) != (s | (bits + 1));
        }
    }
    EXPECT_EQ(wrong, 0u);
}

TEST(Float16, Ends) {
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(float16(65504.0f).bits, 0x7bffu);
    EXPECT_EQ(float16(std::nextafter(65520.0f, 0.0f)).bits, 0x7bffu);
    EXPECT_EQ(float16(65520.0f).bits, 0x7c00u);
    EXPECT_EQ(float16(-inf).bits, 0xfc00u);
    EXPECT_EQ(float16(0x1p-25f).bits, 0u);
    EXPECT_EQ(float16(std::nextafter(0x1p-25f, 1.0f)).bits, 1u);
    EXPECT_EQ(float16(-0.0f).bits, 0x8000u);
    EXPECT_EQ(float16(-1e-42f).bits, 0x8000u);
    EXPECT_TRUE(std::isnan(static_cast<float>(float16(nan))));
    EXPECT_TRUE(std::isnan(static_cast<float>(bfloat16(nan))));
    EXPECT_TRUE(std::isinf(static_cast<float>(float16::from_bits(0x7c00))));
    EXPECT_EQ(bfloat16(3.140625f).bits, 0x4049u);
    EXPECT_EQ(bfloat16(std::numeric_limits<float>::max()).bits, 0x7f80u);
}

#if defined(__FLT16_MANT_DIG__)
TEST(Float16, AgreesWithTheCompilers) {
    for (uint64_t i = 0; i < 1'000'000; ++i) {
        const float x = rng::at(rng::Stream<>{1}, rng::normal{0.0f, i % 2 == 0 ? 1.0f : 0x1p-14f}, i);
        const auto theirs = static_cast<_Float16>(x);
        uint16_t bits = 0;
        std::memcpy(&bits, &theirs, 2);
        ASSERT_EQ(float16(x).bits, bits) << x;
    }
}
#endif

TYPED_TEST(Halves, NormalsAreRoundedFloats) {
    const rng::Stream<> s{42, 0, 1};
    for (const float stddev : {1.0f, 0x1p-20f, 4096.0f}) {
        std::vector<TypeParam> halves(5000);
        std::vector<float> floats(5000);
        rng::fill(halves, rng::normal<TypeParam>{0, stddev}, s);
        rng::fill(floats, rng::normal<float>{0, stddev}, s);
        for (std::size_t i = 0; i < halves.size(); ++i) {
            const uint32_t bits = TypeParam(floats[i]).bits;
            ASSERT_EQ(halves[i].bits, bits == 0x8000u ? 0u : bits) << floats[i];
        }
    }
}

TYPED_TEST(Halves, UniformsAreTheTopBits) {
    const rng::Stream<> s{42};
    constexpr int precision = Layout<TypeParam>::fraction + 1;
    std::vector<TypeParam> halves(5000);
    rng::fill(halves, rng::uniform<TypeParam>{}, s);
    for (std::size_t i = 0; i < halves.size(); ++i)
        ASSERT_EQ(static_cast<double>(halves[i]), std::ldexp(rng::word(s, i) >> (32 - precision), -precision));
    // Two numbers wide: an open interval has the middle one alone, and no end appears where it is open.
    const float lo = -1, hi = rng::detail::next_value_above<TypeParam>(rng::detail::next_value_above<TypeParam>(lo));
    rng::fill(halves, rng::uniform_open<TypeParam>{lo, hi}, s);
    for (const TypeParam x : halves) ASSERT_EQ(x, rng::detail::next_value_above<TypeParam>(lo));
    rng::fill(halves, rng::uniform_open_closed<TypeParam>{lo, hi}, s);
    for (const TypeParam x : halves) ASSERT_TRUE(x > lo && x <= hi);
}

TYPED_TEST(Halves, Refusals) {
    const auto limit = [](const auto& dist) { return std::string(dist.fault().limit); };
    const std::string name = std::is_same_v<TypeParam, float16> ? "float16" : "bfloat16";
    using Uniform = rng::uniform<TypeParam>;
    EXPECT_EQ(limit(Uniform{0, 0.1f}), "must be a finite value of " + name);
    EXPECT_EQ(limit(Uniform{-0.1f, 1}), "must be a finite value of " + name);
    EXPECT_EQ(limit(Uniform{0, std::numeric_limits<float>::infinity()}), "must be a finite value of " + name);
    EXPECT_FALSE((Uniform{-1, TypeParam(0.1f)}.fault()));
    EXPECT_FALSE((Uniform{-0.0f, 1}.fault()));
    EXPECT_FALSE((Uniform{1, 1}.fault()));
    EXPECT_TRUE((Uniform{1, 0.5f}.fault()));
    EXPECT_TRUE((rng::uniform_open_closed<TypeParam>{1, 1}.fault()));
    const float above_one = rng::detail::next_value_above<TypeParam>(1);
    EXPECT_EQ(limit(rng::uniform_open<TypeParam>{1, above_one}), "must leave a number between lo and itself");
}

TEST(Float16, NormalsStayFinite) {
    EXPECT_FALSE((rng::normal<float16>{0x1p14f, 0x1p12f}.fault()));
    EXPECT_STREQ((rng::normal<float16>{0x1.000002p14f, 1}.fault().field), "mean");
    EXPECT_STREQ((rng::normal<float16>{0, 0x1.000002p12f}.fault().field), "stddev");
    EXPECT_FALSE((rng::normal<bfloat16>{0x1p126f, 0x1p120f}.fault()));
    // At the limits the greatest |z| of a pair leaves room: 2^14 + 6.7638 * 2^12 < 65504.
    EXPECT_LT(0x1p14 + 6.7638 * 0x1p12, 65504.0);
}

TEST(ComplexNormal, FillsStdComplex) {
    const rng::Stream<> s{42, 3, 5};
    const auto check = [&](auto zero) {
        using T = decltype(zero);
        std::vector<std::complex<T>> theirs(1001);
        std::vector<rng::complex<T>> ours(1001);
        rng::fill(theirs, rng::complex_normal{T(2)}, s);
        rng::fill(ours, rng::complex_normal{T(2)}, s);
        double square = 0, product = 0;
        for (std::size_t i = 0; i < ours.size(); ++i) {
            ASSERT_EQ(theirs[i], (std::complex<T>{ours[i].re, ours[i].im}));
            square += static_cast<double>(std::norm(theirs[i]));
            product += static_cast<double>(ours[i].re * ours[i].im);
        }
        const double n = static_cast<double>(ours.size());
        EXPECT_NEAR(square / n / 4, 1, 6 / std::sqrt(n));   // |z|^2 / stddev^2 is exponential: variance 1
        EXPECT_NEAR(product / n / 2, 0, 6 / std::sqrt(n));  // parts of variance 2, independent
        rng::Generator generator(42);
        EXPECT_EQ(rng::sample(rng::complex_normal{T(1)}, 3, generator).size(), 3u);
        EXPECT_EQ(generator.position(), 3 * sizeof(T) / 2);
    };
    check(0.0f);
    check(0.0);
}

}  // namespace
