// The elementary functions of the maps, against exact rationals of the Python model, and the reciprocals and neighbours
// that a fill prepares.
// The words are those at which the functions change branch or round at the limit.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rng/lane/functions.hpp>
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
// ---- functions of numbers and of words, against libm in a wider type (f64: long double, where it has 64 bits)

/// The greatest error in ulp of T of many calls.
template <class T> class Worst {
  public:
    void see(T got, long double want) {
        const T next = std::nextafter(std::abs(static_cast<T>(want)), std::numeric_limits<T>::infinity());
        const long double ulp = static_cast<long double>(next) - std::abs(static_cast<T>(want));
        const long double error = std::abs(static_cast<long double>(got) - want) / ulp;
        if (!(error <= worst_)) worst_ = error;
    }
    [[nodiscard]] double ulp() const { return static_cast<double>(worst_); }

  private:
    long double worst_ = 0;
};

template <class T> using Number = rng::lane::real_t<Scalar, T>;

/// The worst error of a function over numbers between bounds, equally or by their logarithms.
template <class T, class F, class Exact>
double error_of(const F& function, const Exact& exact, double least, double most, bool by_logarithm = false) {
    std::mt19937_64 entropy(7);
    std::uniform_real_distribution<double> choice(by_logarithm ? std::log(least) : least,
                                                  by_logarithm ? std::log(most) : most);
    Worst<T> worst;
    for (int i = 0; i < 200000; ++i) {
        const double drawn = choice(entropy);
        const T x = static_cast<T>(by_logarithm ? std::exp(drawn) : drawn);
        worst.see(function(Number<T>(x)).v, exact(static_cast<long double>(x)));
    }
    return worst.ulp();
}

template <class T> class Functions : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Functions, Reals);

TYPED_TEST(Functions, Errors) {
    using T = TypeParam;
    if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "long double is no wider than double here";
    const auto ln = [](auto x) { return rng::lane::ln(x); };
    const auto exp = [](auto x) { return rng::lane::exp(x); };
    const auto expm1 = [](auto x) { return rng::lane::expm1(x); };
    const auto log1p = [](auto x) { return rng::lane::log1p(x); };
    const auto exact_ln = [](long double x) { return std::log(x); };
    const auto exact_exp = [](long double x) { return std::exp(x); };
    const auto exact_expm1 = [](long double x) { return std::expm1(x); };
    const auto exact_log1p = [](long double x) { return std::log1p(x); };
    EXPECT_LE(error_of<T>(ln, exact_ln, 1e-30, 1e30, true), 1.7);
    EXPECT_LE(error_of<T>(ln, exact_ln, 0.5, 2), 1.7);
    EXPECT_LE(error_of<T>(ln, exact_ln, 0.999, 1.001), 0.6);
    EXPECT_LE(error_of<T>(exp, exact_exp, rng::lane::exp_least<T>, rng::lane::exp_greatest<T>), 1.1);
    EXPECT_LE(error_of<T>(exp, exact_exp, -1, 1), 1.1);
    EXPECT_LE(error_of<T>(expm1, exact_expm1, -2, 2), 1.9);
    EXPECT_LE(error_of<T>(expm1, exact_expm1, 1e-20, 80, true), 1.9);
    EXPECT_LE(error_of<T>(log1p, exact_log1p, -0.999, 1), 1.8);
    EXPECT_LE(error_of<T>(log1p, exact_log1p, 1e-20, 1, true), 1.8);
    const auto of_minus = [](auto x) { return rng::lane::log1m_exp(rng::lane::sub(decltype(x)(0), x)); };
    const auto exact = [](long double x) { return x > 1 ? std::log1p(-std::exp(-x)) : std::log(-std::expm1(-x)); };
    EXPECT_LE(error_of<T>(of_minus, exact, 1e-20, 80, true), 2.2);
    EXPECT_LE(error_of<T>(of_minus, exact, 0.1, 3), 2.2);
    using N = Number<T>;
    const auto atan = [](auto x) { return rng::lane::atan_of_ratio(x, N(1)); };
    const auto exact_atan = [](long double x) { return std::atan(x); };
    EXPECT_LE(error_of<T>(atan, exact_atan, 1e-15, 1e15, true), 1.8);
    EXPECT_LE(error_of<T>(atan, exact_atan, 0.4, 2.5), 1.8);
    // By the terms that cancel in the plain formula: near 0 a series, for which t = 1 + y is not asked.
    const auto remainder = [](auto y) { return rng::lane::log1p_remainder(y, rng::lane::add(y, N(1))); };
    const auto exact_remainder = [](long double y) {
        if (std::abs(y) > 0.03L) return std::log1p(y) - y + y * y / 2 - y * y * y / 3;
        long double sum = 0;
        for (int k = 16; k >= 4; --k) sum = (k % 2 == 0 ? -1.0L : 1.0L) / k + y * sum;
        return y * y * y * y * sum;
    };
    const double of_polynomial = sizeof(T) == 4 ? 13 : 410;  // 2^-20.9 and 2^-44.6
    EXPECT_LE(error_of<T>(remainder, exact_remainder, 1e-4, 0.414, true), of_polynomial);
    EXPECT_LE(error_of<T>(remainder, exact_remainder, -0.29, -1e-3), of_polynomial);
    EXPECT_LE(error_of<T>(remainder, exact_remainder, 0.4143, 3), sizeof(T) == 4 ? 220 : 900);
}

TYPED_TEST(Functions, ExpEndsAtNormalNumbers) {
    using T = TypeParam;
    const T least = rng::lane::exp(Number<T>(rng::lane::exp_least<T>)).v;
    const T greatest = rng::lane::exp(Number<T>(rng::lane::exp_greatest<T>)).v;
    EXPECT_GE(least, std::numeric_limits<T>::min());
    EXPECT_LE(least, std::numeric_limits<T>::min() * T(1.01));
    EXPECT_LE(greatest, std::numeric_limits<T>::max());
    EXPECT_GE(greatest, std::numeric_limits<T>::max() * T(0.99));
}

TYPED_TEST(Functions, OfWords) {
    using T = TypeParam;
    if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "long double is no wider than double here";
    constexpr int bits = sizeof(T) * 8;
    using W = std::conditional_t<bits == 32, uint32_t, uint64_t>;
    using Word = std::conditional_t<bits == 32, U32, U64>;
    std::mt19937_64 entropy(8);
    Worst<T> logit, tangent, laplace;
    for (int i = 0; i < 300000; ++i) {
        // The whole range, both ends, and the middle.
        const auto spread = static_cast<W>(entropy());
        const auto small = static_cast<W>(spread >> (entropy() % bits));
        const W w = i % 4 == 0   ? spread
                    : i % 4 == 1 ? small
                    : i % 4 == 2 ? static_cast<W>(~small)
                                 : static_cast<W>((W{1} << (bits - 1)) ^ small);
        const bool is_upper = w >> (bits - 1) != 0;
        const W m = is_upper ? static_cast<W>(~w) : w;  // the distance from the nearer end
        const long double whole = std::ldexp(1.0L, bits), a = static_cast<long double>(m) + 0.5L;
        const long double from_half = static_cast<long double>(static_cast<W>((W{1} << (bits - 1)) - 1 - m)) + 0.5L;
        const long double sign = is_upper ? 1 : -1;
        // ln(a / b) = log1p((a - b) / b), which keeps its digits where a is near b.
        logit.see(rng::lane::logit(Word(w)).v, -sign * (from_half < whole / 8 ? std::log1p(-2 * from_half / (whole - a))
                                                                              : std::log(a / (whole - a))));
        laplace.see(rng::lane::laplace_quantile(Word(w)).v,
                    -sign * (from_half < whole / 8 ? std::log1p(-2 * from_half / whole) : std::log(2 * a / whole)));
        const long double pi = std::acos(-1.0L), angle = pi * (from_half / whole);
        tangent.see(rng::lane::tan_of_half_turn(Word(w)).v,
                    sign * (from_half < whole / 4 ? std::tan(angle) : 1 / std::tan(pi * (a / whole))));
    }
    EXPECT_LE(logit.ulp(), 3.2);
    EXPECT_LE(tangent.ulp(), 2.5);
    EXPECT_LE(laplace.ulp(), 1.5);
}

TEST(Lanes, MasksAndQuotients) {
    const F32 one(1.0f), two(2.0f), three(3.0f);
    const auto below = rng::lane::lanes_below(one, two), above = rng::lane::lanes_below(two, one);
    EXPECT_TRUE(rng::lane::any(below) && !rng::lane::any(above));
    EXPECT_FALSE(rng::lane::any(below & above));
    EXPECT_TRUE(rng::lane::any(below | above) && rng::lane::any(~above) && !rng::lane::any(~below));
    EXPECT_EQ(rng::lane::select(below, two, three).v, 2.0f);
    EXPECT_EQ(rng::lane::select(above, two, three).v, 3.0f);
    EXPECT_FALSE(rng::lane::any(rng::lane::lanes_below(one, one)));
    EXPECT_EQ(rng::lane::div(one, three).v, 1.0f / 3.0f);
    EXPECT_EQ(rng::lane::div(rng::lane::f64<Scalar>(1.0), rng::lane::f64<Scalar>(3.0)).v, 1.0 / 3.0);
    EXPECT_EQ(rng::lane::magnitude(F32(-2.5f)).v, 2.5f);
}

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
