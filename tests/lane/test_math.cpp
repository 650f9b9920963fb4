// The elementary functions of the maps, against exact rationals of the Python model, and the reciprocals and neighbours
// that a fill prepares.
// The words are those at which the functions change branch or round at the limit.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rng/lane/math_f32.hpp>
#include <rng/lane/math_f64.hpp>
#include <rng/lane/prepare.hpp>
#include <rng/lane/quantile.hpp>
#include <rng/rng.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "../support/known_answers.hpp"

namespace {

using rng::lane::Scalar;
using support::integer;
using support::Json;
using U32 = rng::lane::u32<Scalar>;
using U64 = rng::lane::u64<Scalar>;

// ---- products: what a map may do with them, and what does not compile

using F32 = rng::lane::f32<Scalar>;
using P32 = rng::lane::Product<rng::lane::f32, Scalar>;

template <class A, class B>
concept Adds = requires(A a, B b) {
    rng::lane::add(a, b);
};
template <class A, class B>
concept Subtracts = requires(A a, B b) {
    rng::lane::sub(a, b);
};
template <class A, class B>
concept Selects = requires(A a, B b) {
    rng::lane::select_less(a, b);
};
template <class A>
concept HasRoot = requires(A a) {
    rng::lane::sqrt(a);
};
template <class A>
concept IsResult = requires(A a) {
    a.v;
};

TEST(Products, OnlyFmaAndIntegersTakeThem) {
    static_assert(Adds<F32, F32> && Subtracts<F32, F32> && Selects<F32, F32> && HasRoot<F32> && IsResult<F32>);
    static_assert(!Adds<P32, F32> && !Adds<F32, P32> && !Adds<P32, P32>);
    static_assert(!Subtracts<P32, F32> && !Subtracts<F32, P32> && !Subtracts<P32, P32>);
    static_assert(!Selects<P32, F32> && !Selects<F32, P32> && !HasRoot<P32> && !IsResult<P32>);

    const F32 a(1.5f), b(0.1f), c(3.0f);
    const P32 product = rng::lane::mul(a, b);
    const float rounded = Scalar::mul(1.5f, 0.1f);
    EXPECT_EQ(rng::lane::fma(product, c, a).v, std::fma(rounded, 3.0f, 1.5f));
    EXPECT_EQ(rng::lane::fma(a, c, product).v, std::fma(1.5f, 3.0f, rounded));
    EXPECT_EQ(rng::lane::fms(c, product, product).v, std::fma(3.0f, rounded, -rounded));
    EXPECT_EQ(rng::lane::fnma(product, product, c).v, std::fma(-rounded, rounded, 3.0f));
    EXPECT_EQ(rng::lane::flip_sign(product, U32(0x80000000u)).v, -rounded);
    EXPECT_EQ(rng::lane::horner(product, a, b).v, std::fma(0.1f, rounded, 1.5f));
}

// ---- logarithm, sine and cosine, normal quantile

template <class W> void expect_kernels(const Json& row) {
    using Word = decltype(W{}.v);
    const Word w = static_cast<Word>(integer(row.at("word")));
    EXPECT_EQ(Scalar::bits(rng::lane::neglog(W(w)).v), integer(row.at("neglog"))) << row;
    EXPECT_EQ(Scalar::bits(rng::lane::normal_quantile(W(w)).v), integer(row.at("quantile"))) << row;
    // The signs of a turn's quarters are the word's top bits (docs/contract.md, A.6).
    constexpr int top = 8 * sizeof(Word) - 1;
    const auto magnitude = rng::lane::cos_sin_magnitude(W(w));
    const Word quarter = Word{1} << (top - 1);
    EXPECT_EQ(Scalar::bits(magnitude.odd.v) | ((w >> top) << top), integer(row.at("sin"))) << row;
    EXPECT_EQ(Scalar::bits(magnitude.even.v) | (static_cast<Word>(w + quarter) >> top << top), integer(row.at("cos")))
        << row;
}

TEST(Math, KernelsAtTheirEdges) {
    int f32 = 0, f64 = 0;
    for (const Json& row : support::known_answers().at("kernels")) {
        if (row.at("dtype") == "f32")
            expect_kernels<U32>(row), ++f32;
        else
            expect_kernels<U64>(row), ++f64;
    }
    EXPECT_EQ(f32, 45);
    EXPECT_EQ(f64, 45);
}

// A GPU's approximation is not known here, so the roots are made from inverses that are rounded correctly.
TEST(Math, RootsFromInverses) {
    int wrong_f32 = 0, wrong_f64 = 0;
    for (uint32_t bits = 0x3f800000u; bits < 0x40800000u;
         ++bits) {  // every significand with either parity of the exponent
        const float a = Scalar::from_bits(bits);
        const float inverse = static_cast<float>(1 / std::sqrt(static_cast<double>(a)));
        wrong_f32 += Scalar::root_from_inverse(a, inverse) != std::sqrt(a);
    }
    std::mt19937_64 random(7);
    for (int i = 0; i < 1 << 20; ++i) {
        const double root = 1 + static_cast<double>(random() >> 12) * 0x1p-52;
        for (const double a : {root * root, std::nextafter(root * root, 0.), std::nextafter(root * root, 9.)}) {
            // As good as rsqrt.approx.ftz.f64, which gives 20 bits.
            const auto inverse = static_cast<double>(static_cast<float>(1 / std::sqrt(a)) * (1 - 0x1p-21f));
            wrong_f64 += Scalar::root_from_inverse(a, inverse) != std::sqrt(a);
        }
    }
    EXPECT_EQ(wrong_f32, 0);
    EXPECT_EQ(wrong_f64, 0);
}

TEST(Math, ValuesOfTheModel) {
    int rows = 0;
    rng::for_each_distribution([&](auto tag) {
        using D = typename decltype(tag)::type;
        for (const Json& row : support::known_answers().at("values")) {
            if (!support::is_about<rng::Philox4x32_10>(row)) continue;
            if (row.at("name") != D::name || row.at("dtype") != rng::dtype_name<rng::result_t<D>>()) continue;
            const auto s = support::stream_of<rng::Philox4x32_10>(row);
            for (std::size_t i = 0; i < row.at("values").size(); ++i) {
                const auto value = rng::at(s, D{}, i);
                EXPECT_EQ(support::bits_text(value), row.at("values").at(i).template get<std::string>())
                    << row << " value " << i;
            }
            ++rows;
        }
    });
    EXPECT_EQ(rows, 12);
}

// The stated bounds of |z|, at the words that reach them: radius word 0, angles at the quarter turns.
TEST(Math, NormalsEndWhereTheContractSays) {
    float f32 = 0;
    double f64 = 0;
    for (uint64_t quarter = 0; quarter < 4; ++quarter)
        for (const uint64_t step : {-1, 0}) {
            const auto a = rng::lane::box_muller(U32(0), U32(static_cast<uint32_t>((quarter << 30) + step)));
            const auto b = rng::lane::box_muller(U64(0), U64((quarter << 62) + step));
            f32 = std::max({f32, std::abs(a.even.v), std::abs(a.odd.v)});
            f64 = std::max({f64, std::abs(b.even.v), std::abs(b.odd.v)});
        }
    // sqrt(2 * 33 * ln 2) and sqrt(2 * 65 * ln 2), to the accuracy of the maps.
    EXPECT_NEAR(static_cast<double>(f32), std::sqrt(66 * std::log(2.0)), 2e-6);
    EXPECT_NEAR(f64, std::sqrt(130 * std::log(2.0)), 4e-15);
    EXPECT_LE(f32, 6.7638f);
    EXPECT_LE(f64, 9.4926);
}

// ---- what a fill prepares

TEST(Prepare, ReciprocalOfEveryF32Significand) {
    std::size_t wrong = 0;
    for (uint32_t significand = 0; significand < (1u << 23); ++significand) {
        const float b = Scalar::from_bits(0x3f800000u | significand);
        wrong += Scalar::bits(rng::lane::reciprocal(b)) != Scalar::bits(1.0f / b);
    }
    EXPECT_EQ(wrong, 0u);
}

TEST(Prepare, ReciprocalAtEveryExponent) {
    std::mt19937_64 entropy(1);
    for (int e = -125; e <= 125; ++e)  // 1 / b is normal for every significand
        for (const uint32_t significand : {0u, 1u, 0x7ffffeu, 0x7fffffu, static_cast<uint32_t>(entropy() >> 41)}) {
            const float b = std::ldexp(Scalar::from_bits(0x3f800000u | significand), e);
            ASSERT_EQ(rng::lane::reciprocal(b), 1.0f / b) << b;
        }
    for (int e = -1021; e <= 1021; ++e)
        for (const uint64_t significand :
             {uint64_t{0}, uint64_t{1}, 0xffffffffffffeu, 0xfffffffffffffu, entropy() >> 12}) {
            const double b = std::ldexp(Scalar::from_bits64(0x3ff0000000000000u | significand), e);
            ASSERT_EQ(rng::lane::reciprocal(b), 1.0 / b) << b;
        }
}

TEST(Prepare, ReciprocalOfRandomF64) {
    std::mt19937_64 entropy(2);
    std::size_t wrong = 0;
    for (int k = 0; k < 1'000'000; ++k) {
        // Few bits set, or few clear, at either end: there the hardest cases to round lie.
        const uint64_t r = entropy(), significand = k % 4 == 0   ? r >> 12
                                                    : k % 4 == 1 ? (r >> 12) >> (r % 52)
                                                    : k % 4 == 2 ? 0xfffffffffffffu - ((r >> 12) >> (r % 52))
                                                                 : ((r >> 12) << (r % 52)) & 0xfffffffffffffu;
        const double b = Scalar::from_bits64(0x3ff0000000000000u | significand);
        wrong += Scalar::bits(rng::lane::reciprocal(b)) != Scalar::bits(1.0 / b);
    }
    EXPECT_EQ(wrong, 0u);
}

template <class T> void expect_neighbours() {
    constexpr T inf = std::numeric_limits<T>::infinity(), max = std::numeric_limits<T>::max();
    constexpr T min = std::numeric_limits<T>::min(), denorm = std::numeric_limits<T>::denorm_min();
    std::vector<T> numbers{0, -T{0}, 1, -1, max, -max, min, -min, denorm, -denorm, T(0.1), T(-0.1)};
    std::mt19937_64 entropy(3);
    while (numbers.size() < 100'000) {
        T x;
        if constexpr (sizeof(T) == 4)
            x = Scalar::from_bits(static_cast<uint32_t>(entropy()));
        else
            x = Scalar::from_bits64(entropy());
        if (std::isfinite(x)) numbers.push_back(x);
    }
    for (const T x : numbers) {
        ASSERT_EQ(Scalar::bits(rng::lane::next_below(x)), Scalar::bits(std::nextafter(x, -inf))) << x;
        ASSERT_EQ(Scalar::bits(rng::lane::next_above(x)), Scalar::bits(std::nextafter(x, inf))) << x;
    }
}
TEST(Prepare, Neighbours) {
    expect_neighbours<float>();
    expect_neighbours<double>();
}

TEST(Prepare, Classification) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    EXPECT_TRUE(rng::lane::is_zero(0.0f) && rng::lane::is_zero(-0.0f));
    EXPECT_FALSE(rng::lane::is_zero(std::numeric_limits<float>::denorm_min()));
    EXPECT_EQ(Scalar::bits(rng::lane::without_negative_zero(-0.0f)), 0u);
    EXPECT_EQ(rng::lane::without_negative_zero(-2.5f), -2.5f);
    for (const float x : {nan, -nan, inf, -inf}) {
        EXPECT_FALSE(rng::lane::is_finite(x));
        EXPECT_FALSE(rng::lane::magnitude_within(x, 0.0f, inf));
    }
    EXPECT_TRUE(rng::lane::magnitude_within(-2.0f, 2.0f, 3.0f) && rng::lane::magnitude_within(3.0f, 2.0f, 3.0f));
    EXPECT_FALSE(rng::lane::magnitude_within(-1.9f, 2.0f, 3.0f) || rng::lane::magnitude_within(3.1f, 2.0f, 3.0f));
}

}  // namespace
