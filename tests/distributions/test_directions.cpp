// Directions: unit_vector2, unit_vector3, unit_vector4. Lengths, known values, the law, and neighbours on every engine.
//
// False alarms. Seeds are fixed, so a run repeats. With seeds drawn anew, each of the nine checks of laws has a share
// of 1e-9.
#include <gtest/gtest.h>
#include <rng/fill.hpp>
#include <rng/stats/coordinates.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "../support/goodness_of_fit.hpp"
#include "../support/paths.hpp"
#include "statistical_tests/p_values/kolmogorov_smirnov.hpp"

namespace {

using rng::lane::Scalar;
using rng::stats::coordinates_of;
using support::Standardised;

constexpr double share = 1e-9;
constexpr std::size_t n = std::size_t{1} << 20;

template <class D> using Part = typename D::part_type;
/// The parts of a vector.
template <class T> std::array<T, 2> parts_of(const rng::vec2<T>& v) { return {v.x, v.y}; }
template <class T> std::array<T, 3> parts_of(const rng::vec3<T>& v) { return {v.x, v.y, v.z}; }
template <class T> std::array<T, 4> parts_of(const rng::vec4<T>& v) { return {v.x, v.y, v.z, v.w}; }
template <class V> double length_of(const V& v) {
    long double square = 0;
    for (const auto x : parts_of(v)) square += static_cast<long double>(x) * static_cast<long double>(x);
    return static_cast<double>(std::sqrt(square) - 1);
}

template <class D> class Directions : public testing::Test {};
using Kinds = testing::Types<rng::unit_vector2<float>, rng::unit_vector2<double>, rng::unit_vector3<float>,
                             rng::unit_vector3<double>, rng::unit_vector4<float>, rng::unit_vector4<double>>;
TYPED_TEST_SUITE(Directions, Kinds);

/// Words with long runs of equal bits, and two random ones.
template <class W> std::vector<W> adversarial_words() {
    std::vector<W> words{0,
                         1,
                         static_cast<W>(~W{0}),
                         static_cast<W>(W{0} - 2),
                         static_cast<W>(0x9e3779b97f4a7c15u),
                         static_cast<W>(0xd1b54a32d192ed03u)};
    for (unsigned b = 1; b < 8 * sizeof(W); b += b < 8 || b + 8 > 8 * sizeof(W) ? 1 : 5)
        for (const int d : {-1, 0, 1}) words.push_back(static_cast<W>((W{1} << b) + static_cast<W>(d)));
    for (unsigned b = 8 * sizeof(W) - 4; b < 8 * sizeof(W); ++b) words.push_back(static_cast<W>(~W{0} << b));
    return words;
}

/// The value of these words, as a retry stream gives them.
template <class D> struct Words {
    std::vector<uint64_t> words;
    std::size_t place = 0;
    bool is_low = true;
    using result_type = uint32_t;
    uint32_t operator()() {
        const uint64_t w = words[place % words.size()];
        if (sizeof(Part<D>) == 4) return ++place, static_cast<uint32_t>(w);
        is_low = !is_low;
        if (!is_low) return static_cast<uint32_t>(w);
        return ++place, static_cast<uint32_t>(w >> 32);
    }
    static constexpr uint32_t min() { return 0; }
    static constexpr uint32_t max() { return ~uint32_t{0}; }
};
template <class D> rng::result_t<D> of_words(std::vector<uint64_t> words) {
    Words<D> engine{std::move(words)};
    return D{}(engine);
}

/// Parts are normal numbers of [-1, 1], and the length is 1 within what the header says.
template <class D> void expect_good(const rng::result_t<D>& v) {
    const double unit = sizeof(Part<D>) == 4 ? 0x1p-23 : 0x1p-52;
    for (const auto x : parts_of(v)) ASSERT_TRUE(std::isnormal(x) && std::fabs(x) <= 1) << x;
    ASSERT_LE(std::fabs(length_of(v)), (D::parts == 2 ? 0.7 : D::parts == 3 ? 1.5 : 1.3) * unit);
}
TYPED_TEST(Directions, PartsAreNormalAndLengthsAreOne) {
    using D = TypeParam;
    using W = std::conditional_t<sizeof(Part<D>) == 4, uint32_t, uint64_t>;
    const auto words = adversarial_words<W>();
    for (const uint64_t a : words)
        for (const uint64_t b : words)
            for (const uint64_t c : D::parts == 4 ? words : std::vector<W>{0})
                ASSERT_NO_FATAL_FAILURE(expect_good<D>(of_words<D>({a, b, c, 0}))) << a << ' ' << b << ' ' << c;
    for (const auto& v : rng::sample(D{}, n, rng::Stream<>{1})) ASSERT_NO_FATAL_FAILURE(expect_good<D>(v));
}

/// The midpoint of a word of `bits` bits, of its complement, 1 - 2 u, and cosine and sine of its angle, from integers:
/// long double alone has too few digits for 64-bit words near the quarter turns.
struct Formulas {
    long double u, v, height, cosine, sine;
    Formulas(uint64_t w, int bits) {
        const bool single = bits == 32;
        const uint64_t mask = single ? 0xffffffffu : ~uint64_t{0};
        u = std::ldexp(static_cast<long double>(w) + 0.5L, -bits);
        v = std::ldexp(static_cast<long double>(~w & mask) + 0.5L, -bits);
        const auto from_middle = static_cast<int64_t>((mask >> 1) - w);
        height = std::ldexp(static_cast<long double>(from_middle) + 0.5L, 1 - bits);
        const uint64_t turn = single ? w << 32 | 0x80000000u : w;
        const auto rest = static_cast<int64_t>(4 * turn + (single ? 0 : 2));  // of a quarter turn, in 2^-66 turns
        const long double angle = std::ldexp(static_cast<long double>(rest) * std::numbers::pi_v<long double>, -65);
        const long double c = std::cos(angle), s = std::sin(angle);
        switch ((turn + (uint64_t{1} << 61)) >> 62) {
            case 0: cosine = c, sine = s; break;
            case 1: cosine = -s, sine = c; break;
            case 2: cosine = -c, sine = -s; break;
            default: cosine = s, sine = -c;
        }
    }
};
template <class D> std::array<long double, 4> by_formula(const std::vector<uint64_t>& words) {
    const int bits = 8 * sizeof(Part<D>);
    const Formulas a(words[0], bits), b(words[1], bits), c(words[2], bits);
    if constexpr (D::parts == 2) return {a.cosine, a.sine, 0, 0};
    const long double r = 2 * std::sqrt(a.u * a.v), s = std::sqrt(a.u), t = std::sqrt(a.v);
    if constexpr (D::parts == 3) return {r * b.cosine, r * b.sine, a.height, 0};
    return {t * b.sine, t * b.cosine, s * c.sine, s * c.cosine};
}
// Each part has a relative error of a few ulp: near the poles, too, where z or the radius is small.
TYPED_TEST(Directions, PartsFollowTheFormulas) {
    using D = TypeParam;
    constexpr bool single = sizeof(Part<D>) == 4;
    std::mt19937_64 entropy(2);
    double worst = 0;
    for (int i = 0; i < 100000; ++i) {
        std::vector<uint64_t> words(4);
        for (uint64_t& w : words) w = single ? static_cast<uint32_t>(entropy()) : entropy();
        if (i % 4 == 1) words[0] >>= single ? 20 : 40;  // near a pole
        if (i % 4 == 2)
            words[0] = (words[0] >> (single ? 16 : 32)) + (uint64_t{1} << (single ? 31 : 63));  // the equator
        if (i % 4 == 3) words[1] = (words[1] >> (single ? 20 : 40)) + (uint64_t{3} << (single ? 30 : 62));
        const auto parts = parts_of(of_words<D>(words));
        const auto expected = by_formula<D>(words);
        for (std::size_t k = 0; k < parts.size(); ++k) {
            const long double x = expected[k];
            worst = std::max(worst, static_cast<double>(std::fabs((static_cast<long double>(parts[k]) - x) / x)));
        }
    }
    EXPECT_LE(worst, (single ? 0x1p-23 : 0x1p-52) * 2.5);
    EXPECT_GE(worst, (single ? 0x1p-23 : 0x1p-52) * 0.5);
}

TEST(DirectionValues, Known) {
    const auto near = [](auto v, std::vector<double> parts) {
        const auto got = parts_of(v);
        for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(static_cast<double>(got[k]), parts[k], 1e-6) << k;
    };
    const double half = std::sqrt(0.5), side = std::sqrt(0.375);
    near(of_words<rng::unit_vector2<float>>({0x20000000}), {half, half});
    near(of_words<rng::unit_vector2<double>>({0x6000000000000000}), {-half, half});
    near(of_words<rng::unit_vector3<float>>({0x40000000, 0x20000000}), {side, side, 0.5});
    near(of_words<rng::unit_vector3<double>>({0xc000000000000000, 0xa000000000000000}), {-side, -side, -0.5});
    near(of_words<rng::unit_vector4<float>>({0x40000000, 0x20000000, 0x60000000, 0}),
         {side, side, half / 2, -half / 2});
    near(of_words<rng::unit_vector4<double>>({0x4000000000000000, 0xe000000000000000, 0x2000000000000000, 0}),
         {-side, side, half / 2, half / 2});
}

/// The least p-value of the fit of each coordinate and of the correlations of all pairs and of neighbours; times their
/// number.
template <class V> double law_p(const std::vector<V>& values) {
    constexpr std::size_t count = std::tuple_size_v<decltype(coordinates_of(V{}))>;
    std::array<Standardised, count> u;
    for (auto& of_one : u) of_one = {0.5, std::sqrt(1.0 / 12), {}};
    for (const V& v : values)
        for (std::size_t k = 0; const double x : coordinates_of(v)) u[k++].values.push_back(x);
    double least = 1;
    int checks = 0;
    const auto take = [&](double p) { least = std::min(least, p), ++checks; };
    for (std::size_t k = 0; k < count; ++k) {
        auto sorted = u[k].values;
        std::sort(sorted.begin(), sorted.end());
        const double d = std::max(0.0, rng::stats::kolmogorov_smirnov(sorted).d() - 0x1p-16);  // they are rounded down
        take(rng::stats::ks_two_sided_p_value(d, sorted.size()).upper());
        Standardised first = u[k], next = u[k];
        first.values.pop_back(), next.values.erase(next.values.begin());
        take(support::correlation_p(first, next));
        for (std::size_t j = 0; j < k; ++j) take(support::correlation_p(u[j], u[k]));
    }
    return std::min(1.0, checks * least);
}
TYPED_TEST(Directions, CoordinatesAreUniformAndIndependent) {
    using D = TypeParam;
    EXPECT_GE(law_p(rng::sample(D{}, n, rng::Stream<>{3})), share);
}
/// The sound twin: normal values of another library, divided by their length.
template <class V, std::size_t N> std::vector<V> from_normals() {
    std::mt19937_64 entropy(4);
    std::normal_distribution<double> normal;
    std::vector<V> values(n);
    for (V& v : values) {
        std::array<double, N> x;
        double square = 0;
        for (double& part : x) part = normal(entropy), square += part * part;
        for (double& part : x) part /= std::sqrt(square);
        if constexpr (N == 2) v = {x[0], x[1]};
        if constexpr (N == 3) v = {x[0], x[1], x[2]};
        if constexpr (N == 4) v = {x[0], x[1], x[2], x[3]};
    }
    return values;
}
TEST(DirectionTests, PassASoundTwinAndRejectFlaws) {
    EXPECT_GE(law_p(from_normals<rng::vec2<double>, 2>()), share);
    EXPECT_GE(law_p(from_normals<rng::vec3<double>, 3>()), share);
    EXPECT_GE(law_p(from_normals<rng::vec4<double>, 4>()), share);

    // Points of a cube, divided by their length; and a uniform latitude, which crowds the poles.
    std::mt19937_64 entropy(5);
    std::uniform_real_distribution<double> side(-1, 1);
    std::vector<rng::vec2<double>> square(n);
    std::vector<rng::vec3<double>> cube(n), latitude(n);
    std::vector<rng::vec4<double>> tied(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double x = side(entropy), y = side(entropy), z = side(entropy), pi = std::numbers::pi;
        square[i] = {x / std::hypot(x, y), y / std::hypot(x, y)};
        cube[i] = {x / std::hypot(x, y, z), y / std::hypot(x, y, z), z / std::hypot(x, y, z)};
        const double height = std::sin(pi / 2 * x), radius = std::sqrt(1 - height * height);
        latitude[i] = {radius * std::cos(pi * y), radius * std::sin(pi * y), height};
        // Each circle is right, and the second turns with the first.
        const double a = std::sqrt((1 + x) / 2), b = std::sqrt((1 - x) / 2), second = y + z / 2;
        tied[i] = {a * std::sin(pi * y), a * std::cos(pi * y), b * std::sin(pi * second), b * std::cos(pi * second)};
    }
    EXPECT_LT(law_p(square), share);
    EXPECT_LT(law_p(cube), share);
    EXPECT_LT(law_p(latitude), share);
    EXPECT_LT(law_p(tied), share);
}

// Slots of eight words are as long as a block, or two of them: neighbouring values differ on every engine.
TYPED_TEST(Directions, NeighboursDifferOnEveryEngine) {
    using D = TypeParam;
    rng::for_each_engine([](auto tag) {
        using E = typename decltype(tag)::type;
        const auto values = rng::sample(D{}, 1000, rng::Stream<E>{7});
        for (std::size_t i = 1; i < values.size(); ++i) ASSERT_FALSE(values[i] == values[i - 1]) << E::name << ' ' << i;
        EXPECT_TRUE(support::same_bits(values, support::by_at(rng::Stream<E>{7}, D{}, values.size()))) << E::name;
    });
}

TEST(DirectionCoordinates, AreThoseOfTheDefinition) {
    EXPECT_EQ(coordinates_of(rng::vec2<double>{-1, 0})[0], 0.5);
    EXPECT_EQ(coordinates_of(rng::vec2<float>{0, -1})[0], 0.75);
    EXPECT_EQ(coordinates_of(rng::vec3<double>{0, 1, 0}), (std::array{0.5, 0.25}));
    EXPECT_EQ(coordinates_of(rng::vec3<float>{0, 0, -1})[0], 1 - 0x1p-16);
    EXPECT_EQ(coordinates_of(rng::vec4<double>{1, 0, 0, -1}), (std::array{1 - 0x1p-40, 0.0, 0.75}));
}

}  // namespace
