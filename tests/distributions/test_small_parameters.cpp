// Parameters as data has them: bounds that are equal, tiny means and probabilities, weights of any size. What is too
// small to matter counts as 0 (docs/contract.md, section 7). Each value is drawn twice: in the standard modes of the
// processor, and where subnormal numbers are flushed to 0.
#include <gtest/gtest.h>
#include <rng/choice.hpp>
#include <rng/distributions/catalogue.hpp>
#include <rng/distributions/categorical.hpp>
#include <rng/fill.hpp>
#include <rng/fill_each.hpp>
#include <rng/row_at.hpp>
#include <rng/structured/multinomial.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "../support/paths.hpp"

namespace {

/// Returns f(), which must be the same where the processor flushes subnormal numbers.
template <class F> auto in_both_modes(const F& f) {
    auto made = f();
#if defined(__SSE2__)
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);
    const auto flushed = f();
    _mm_setcsr(before);
    EXPECT_EQ(made, flushed);
#endif
    return made;
}
/// The first values of a distribution by at(), which a fill must give too.
template <class D> std::vector<rng::result_t<D>> values(const D& dist) {
    return in_both_modes([&] {
        const rng::Stream stream{42};
        EXPECT_FALSE(dist.fault()) << dist.fault().limit;
        std::vector<rng::result_t<D>> drawn(40), filled(40);
        for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i] = rng::at(stream, dist, i);
        rng::fill(filled, dist, stream);
        EXPECT_EQ(drawn, filled);
        return drawn;
    });
}

template <class T> class SmallParameters : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(SmallParameters, Types);

// A processor that takes subnormals for 0 must not: clang makes floating-point comparisons of tests of bits.
TYPED_TEST(SmallParameters, ZeroIsNoSubnormal) {
    using T = TypeParam;
    constexpr T least = std::numeric_limits<T>::denorm_min();
    // volatile: the compiler must not compute the results.
    const volatile T numbers[] = {T(0), -T(0), least, -least, std::numeric_limits<T>::min() / 2, T(1)};
    const auto bits = in_both_modes([&] {
        std::vector<uint64_t> made;
        for (const T x : numbers)
            for (const T y : {rng::lane::next_below(x), rng::lane::next_above(x)})
                made.push_back(rng::lane::Scalar::bits(y));
        for (const T x : numbers) made.push_back(rng::lane::is_zero(x));
        return made;
    });
    EXPECT_EQ(std::vector<uint64_t>(bits.end() - 6, bits.end()), (std::vector<uint64_t>{1, 1, 0, 0, 0, 0}));
    EXPECT_EQ(bits[1], 1u);  // above 0, the least subnormal
    EXPECT_EQ(bits[5], 2u);
}

// Below the threshold a parameter counts as 0; at the threshold it is what it is.
TYPED_TEST(SmallParameters, CountAsZeroBelowTheThreshold) {
    using T = TypeParam;
    constexpr bool f32 = sizeof(T) == 4;
    constexpr T subnormal = std::numeric_limits<T>::denorm_min(), location = f32 ? T(0x1p-76) : T(0x1p-900);
    const auto expect_zero_below = [&](T threshold, const auto& with, bool has_sign) {
        const auto zero = values(with(T(0)));
        for (const T x : {subnormal, std::numeric_limits<T>::min(), std::nextafter(threshold, T(0))}) {
            EXPECT_EQ(values(with(x)), zero) << x;
            if (has_sign) {
                EXPECT_EQ(values(with(-x)), zero) << x;
            }
        }
        EXPECT_FALSE(with(threshold).fault());
    };
    expect_zero_below(
        location,
        [](T x) {
            return rng::normal<T>{x, 2};
        },
        true);
    expect_zero_below(
        location,
        [](T x) {
            return rng::normal<T>{3, x};
        },
        false);
    expect_zero_below(
        location,
        [](T x) {
            return rng::normal_icdf<T>{x, x < 0 ? T(1) : x};
        },
        false);
    expect_zero_below(
        f32 ? T(0x1p-70) : location,
        [](T x) {
            return rng::lognormal<T>{x, 1};
        },
        true);
    expect_zero_below(
        f32 ? T(0x1p-70) : location,
        [](T x) {
            return rng::lognormal<T>{1, x};
        },
        false);
    expect_zero_below(
        location,
        [](T x) {
            return rng::laplace<T>{x, 1};
        },
        true);
    expect_zero_below(
        location,
        [](T x) {
            return rng::cauchy<T>{x, 1};
        },
        true);
    expect_zero_below(
        location,
        [](T x) {
            return rng::truncated_normal<T>{x, 1, -1, 2};
        },
        true);
    expect_zero_below(
        location,
        [](T x) {
            return rng::truncated_normal<T>{1, 1, x, 2};
        },
        true);
    expect_zero_below(
        location,
        [](T x) {
            return rng::von_mises<T>{x, 1};
        },
        true);
    expect_zero_below(
        f32 ? T(0x1p-40) : T(0x1p-60),
        [](T x) {
            return rng::von_mises<T>{1, x};
        },
        false);
    expect_zero_below(
        f32 ? T(0x1p-100) : location,
        [](T x) {
            return rng::triangular<T>{x, 1, 2};
        },
        true);
    expect_zero_below(
        f32 ? T(0x1p-100) : location,
        [](T x) {
            return rng::triangular<T>{-1, x, 2};
        },
        true);
    expect_zero_below(
        f32 ? T(0x1p-100) : location,
        [](T x) {
            return rng::noncentral_chi_squared<T>{2, x};
        },
        false);
    const auto complex_of = [](T x) { return rng::complex_normal<T>{x}; };
    EXPECT_EQ(values(complex_of(subnormal)), values(complex_of(0)));
    EXPECT_EQ(values(complex_of(std::nextafter(2 * location, T(0)))), values(complex_of(0)));
    EXPECT_NE(values(complex_of(2 * location)), values(complex_of(0)));
    EXPECT_NE(values(rng::normal<T>{0, location}), values(rng::normal<T>{0, 0}));
    EXPECT_NE(values(rng::normal<T>{location, 0}), values(rng::normal<T>{0, 0}));
}

TYPED_TEST(SmallParameters, AUniformPointIsItself) {
    using T = TypeParam;
    for (const T x : {T(1), T(0), T(-2.5), std::numeric_limits<T>::max(), std::numeric_limits<T>::min()})
        EXPECT_EQ(values(rng::uniform<T>{x, x}), std::vector<T>(40, x)) << x;
    EXPECT_EQ(values(rng::uniform<T>{-T(0), std::numeric_limits<T>::denorm_min()}), std::vector<T>(40, T(0)));
    EXPECT_EQ(rng::at(rng::Stream{1}, rng::uniform<rng::float16>{0.25f, 0.25f}, 0), rng::float16(0.25f));
}

// The guard of programs that take the logarithm next: no value is below a normal lo, however small.
TYPED_TEST(SmallParameters, UniformKeepsTheSmallestBounds) {
    using T = TypeParam;
    using Word =
        std::conditional_t<sizeof(T) == 4, rng::lane::u32<rng::lane::Scalar>, rng::lane::u64<rng::lane::Scalar>>;
    constexpr T least = std::numeric_limits<T>::min();
    const auto word = [](auto w) { return Word(static_cast<decltype(Word::v)>(w)); };
    in_both_modes([&] {
        const auto closed = rng::uniform<T>{least, 1}.map(), negative = rng::uniform<T>{-least, 1}.map();
        EXPECT_EQ(closed(word(0)).v, least);
        EXPECT_EQ(closed(word(1ull << (8 * sizeof(T) - 1))).v, T(0.5));
        EXPECT_EQ(negative(word(0)).v, -least);
        const auto open = rng::uniform_open<T>{least, 1}.map(), upper = rng::uniform_open<T>{-1, least}.map();
        EXPECT_GT(open(word(0)).v, least);
        EXPECT_LT(upper(word(~0ull)).v, 0);
        EXPECT_LE((rng::uniform_open_closed<T>{-1, least}.map()(word(~0ull)).v), least);
        return 0;
    });
    EXPECT_EQ(values(rng::uniform<T>{std::numeric_limits<T>::denorm_min(), 1}), values(rng::uniform<T>{0, 1}));
}

// A word has the value 1 if it is among the share 1 - exp(-mean) of the greatest.
TEST(SmallCounts, MeansAndProbabilitiesOfAnySize) {
    using U = rng::lane::u64<rng::lane::Scalar>;
    for (const double mean : {5e-324, 1e-300, 1e-22, 0x1.fffffp-65})
        for (const uint64_t w : {~uint64_t{0}, uint64_t{0}}) {
            EXPECT_EQ(in_both_modes([&] { return rng::poisson{mean}.map()(U(w)).v; }), 0u) << mean;
            EXPECT_EQ(in_both_modes([&] { return rng::binomial{1, mean}.map()(U(w)).v; }), 0u) << mean;
        }
    const auto count = [](const auto& dist, uint64_t below_the_last) {
        EXPECT_FALSE(dist.fault());
        return in_both_modes([&] { return dist.map()(U(~below_the_last)).v; });
    };
    EXPECT_EQ(count(rng::poisson{0x1p-62}, 3), 1u);  // four words of 2^64
    EXPECT_EQ(count(rng::poisson{0x1p-62}, 4), 0u);
    EXPECT_EQ(count(rng::binomial{4, 0x1p-64}, 3), 1u);
    EXPECT_EQ(count(rng::binomial{4, 0x1p-64}, 4), 0u);
    // Many trials: the law of Poisson's, whose share of 0 is exp(-1/2) = 0x1.368b2fc6f960ap-1.
    const rng::binomial<int64_t> many{int64_t{1} << 62, 0x1p-63};
    constexpr auto share = static_cast<uint64_t>(0x1.368b2fc6f960ap63);
    EXPECT_EQ(many.map()(U(share - (share >> 40))).v, 0u);
    EXPECT_EQ(many.map()(U(share + (share >> 40))).v, 1u);
    EXPECT_EQ(rng::bernoulli{5e-324}.fault().field, nullptr);
    const std::vector<double> means{3.5, 1e-22, 0x1p-62, 5e-324, 0};
    std::vector<int64_t> each(means.size() * 1000);
    const auto law = [&](uint64_t i) { return rng::poisson<int64_t>{means[i % means.size()]}; };
    rng::fill_each(each, law, rng::Stream{3});
    for (uint64_t i = 0; i < each.size(); ++i) ASSERT_EQ(each[i], rng::at(rng::Stream{3}, law(i), i));
    EXPECT_EQ(values(rng::zipf{5e-324, 10}), values(rng::zipf{0.0, 10}));
}

TEST(SmallWeights, AnyFiniteSize) {
    using V = std::vector<double>;
    // What is too small beside the greatest counts as 0; weights that are small or great together are what they
    // are.
    const V one{0.25, std::exp(-250.0), 0.75}, without{0.25, 0, 0.75}, small{0x1p-1000, 0, 0x1.8p-999},
        great{0x1p1022, 0, 0x1.8p1023}, mixed{0x1p-1022, 5e-324, 0x1.8p-1021};
    const auto entries = [](const auto& weights) {
        return in_both_modes([&] {
            const rng::AliasTable table(weights);
            return std::vector<uint64_t>(table.data(), table.data() + table.size());
        });
    };
    const auto drawn = [](const auto& weights) {
        const auto by_inversion = values(rng::categorical_icdf(weights));
        const auto chosen = rng::choice_with_replacement(weights, 40, rng::Stream{42});
        EXPECT_EQ(std::vector<uint64_t>(by_inversion.begin(), by_inversion.end()), chosen);
        return chosen;
    };
    const auto counts = [](const auto& weights) {
        return in_both_modes([&] {
            std::vector<int> x(weights.size());
            EXPECT_FALSE(rng::multinomial(1000, weights).fault());
            rng::row_at(rng::Stream{7}, rng::multinomial(1000, weights), 0, x.data());
            return x;
        });
    };
    for (const V& weights : {one, small, great, mixed}) {
        EXPECT_EQ(entries(weights), entries(without));
        EXPECT_EQ(drawn(weights), drawn(without));
        EXPECT_EQ(counts(weights), counts(without));
    }
    // A softmax of floats: exp(-90) is subnormal, and the number that it is.
    const std::vector<float> softmax{1, std::exp(-90.0f)}, tiny{0x1p-149f, 0, 0x1.8p-148f};
    const V same{1, static_cast<double>(std::exp(-90.0f))};
    EXPECT_EQ(entries(softmax), entries(same));
    EXPECT_EQ(counts(softmax), counts(same));
    EXPECT_EQ(entries(tiny), entries(without));
    EXPECT_EQ(drawn(tiny), drawn(without));
    // Without replacement any normal weight is above 0.
    EXPECT_EQ(rng::choice(V{1, 1e-250}, 2, rng::Stream{1}), (std::vector<uint64_t>{0, 1}));
}

}  // namespace
