// Accepted values of samplers against their formulas in long double, from the words on: the greatest error of each.
#include <gtest/gtest.h>
#include <rng/distributions/catalogue.hpp>

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <limits>
#include <random>
#include <string>
#include <type_traits>

namespace {

using Real = long double;
using Lane = rng::lane::Scalar;
template <class T> using Word = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
template <class T> using LaneWord = std::conditional_t<sizeof(T) == 8, rng::lane::u64<Lane>, rng::lane::u32<Lane>>;

constexpr Real pi = 3.14159265358979323846264338327950288L;

/// The midpoint of a word, and what samplers make of it.
template <class W> struct Midpoint {
    W w;
    static Real whole() { return std::ldexp(Real(1), 8 * static_cast<int>(sizeof(W))); }
    [[nodiscard]] Real u() const { return (static_cast<Real>(w) + Real(0.5)) / whole(); }
    [[nodiscard]] Real v() const { return (static_cast<Real>(static_cast<W>(~w)) + Real(0.5)) / whole(); }
    /// u - 1/2, with all its digits.
    [[nodiscard]] Real from_half() const {
        using Signed = std::make_signed_t<W>;
        const auto difference = static_cast<Signed>(w ^ static_cast<W>(W{1} << (8 * sizeof(W) - 1)));
        return (static_cast<Real>(difference) + Real(0.5)) / whole();
    }
    [[nodiscard]] Real exponential() const { return u() > Real(0.75) ? -std::log1p(-v()) : -std::log(u()); }
    [[nodiscard]] Real normal() const {
        const Real root_two = std::sqrt(Real(2));
        return u() < v() ? -root_two * boost::math::erfc_inv(2 * u()) : root_two * boost::math::erfc_inv(2 * v());
    }
};
struct Gamma {
    Real d, c, boost;
    explicit Gamma(Real shape)
        : d(shape - Real(1) / 3 + (shape < 1)), c(1 / (3 * std::sqrt(d))), boost(shape < 1 ? 1 / shape : 0) {}
    [[nodiscard]] Real cube(Real z) const { return d * std::pow(1 + c * z, 3); }
    /// What is left of the exponential variable e.
    [[nodiscard]] Real rest(Real z, Real e) const {
        const Real y = c * z;
        return e + 3 * d * (std::log1p(y) - y + y * y / 2 - y * y * y / 3);
    }
    [[nodiscard]] Real log(Real z, Real e) const { return std::log(cube(z)) - boost * rest(z, e); }
};

/// What a value should be, 0 if it is left out, and what its rounding errors are errors of: by default itself.
struct Exact {
    Real value, size = 0;  // ulps are those of the greater magnitude
    Real factor = 1;       // of the ulp: of a power, the greatest term of its exponent
};
Exact power(Real log, Real greatest_term) {
    return {std::exp(log), 0, std::max({Real(1), std::abs(log), greatest_term})};
}

/// The greatest error of accepted values, in ulps.
template <class D, class F> double worst_error(const D& dist, F exact) {
    using T = rng::result_t<D>;
    std::mt19937_64 entropy(5);
    const auto map = dist.map();
    constexpr int operands = rng::detail::Unit<D>::operands;
    Real worst = 0;
    for (int i = 0; i < 40000; ++i) {
        Midpoint<Word<T>> words[operands];
        for (auto& w : words) w.w = static_cast<Word<T>>(entropy());
        const auto made = rng::detail::Unit<D>::apply(map, [&words](int k) { return LaneWord<T>(words[k].w); });
        if (made.undecided.v) continue;
        const Exact want = exact(words);
        if (want.value == 0) continue;
        const Real ulp =
            std::ldexp(std::numeric_limits<T>::epsilon(), std::ilogb(std::max(std::abs(want.value), want.size)));
        worst = std::max(worst, std::abs(static_cast<Real>(made.value.v) - want.value) / (ulp * want.factor));
    }
    return static_cast<double>(worst);
}

template <class T> class SamplerErrors : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(SamplerErrors, Types);

void expect_at_most(double limit, double error, const std::string& what) {
    EXPECT_LE(error, limit) << what;
    std::cout << "    " << what << ": " << error << " ulp\n";
}

// The bounds are those that the headers state. A cube below an eighth of d comes from a difference, whose error is one
// of ordinary values; it is left out where its logarithm or reciprocal is taken.
TYPED_TEST(SamplerErrors, OfOneGamma) {
    using T = TypeParam;
    if (std::numeric_limits<Real>::digits < 64) GTEST_SKIP() << "long double is no wider than double here";
    const std::string type = sizeof(T) == 4 ? " f32" : " f64";
    for (const T shape : {T(1), T(1.5), T(2.5), T(30), T(1000), T(1e6)}) {
        const Gamma exact(shape);
        const Real least = exact.d / 8;
        const auto cube = [&](const auto* w) { return exact.cube(w[0].normal()); };
        const std::string of = std::to_string(shape) + type;
        const double limit = shape < 30 ? 14 : 4;
        expect_at_most(limit,
                       worst_error(rng::gamma<T>{shape, 1},
                                   [&](const auto* w) {
                                       return Exact{cube(w), least};
                                   }),
                       "gamma " + of);
        expect_at_most(limit,
                       worst_error(rng::chi<T>{2 * shape},
                                   [&](const auto* w) {
                                       return Exact{std::sqrt(2 * cube(w)), std::sqrt(2 * least)};
                                   }),
                       "chi " + of);
        expect_at_most(limit,
                       worst_error(rng::inverse_gamma<T>{shape, 1},
                                   [&](const auto* w) { return Exact{cube(w) < least ? 0 : 1 / cube(w)}; }),
                       "inverse_gamma " + of);
        expect_at_most(limit,
                       worst_error(rng::log_gamma<T>{shape},
                                   [&](const auto* w) {
                                       return Exact{cube(w) < least ? 0 : std::log(cube(w)), 1};
                                   }),
                       "log_gamma " + of);
    }
    for (const T shape : {T(0.125), T(0.3), T(0.75)}) {
        const Gamma exact(shape);
        const auto log = [&](const auto* w) {
            const Real z = w[0].normal();
            return exact.cube(z) < exact.d / 8 ? 0 : exact.log(z, w[1].exponential());
        };
        const auto term = [&](const auto* w) { return w[1].exponential() * exact.boost; };
        const std::string of = std::to_string(shape) + type;
        expect_at_most(36,
                       worst_error(rng::gamma<T>{shape, 1},
                                   [&](const auto* w) {
                                       const Real l = log(w);
                                       return l == 0 || l < (sizeof(T) == 4 ? -80 : -700) ? Exact{0}
                                                                                          : power(l, term(w));
                                   }),
                       "gamma " + of);
        expect_at_most(36,
                       worst_error(rng::log_gamma<T>{shape},
                                   [&](const auto* w) {
                                       return Exact{log(w), std::max(Real(1), term(w))};
                                   }),
                       "log_gamma " + of);
    }
    for (const T shape : {T(0.5), T(1), T(1.5), T(4)}) {
        const Gamma exact(1 / Real(shape));
        expect_at_most(36,
                       worst_error(rng::generalized_normal<T>{0, 1, shape},
                                   [&](const auto* w) {
                                       const Real z = w[0].normal();
                                       if (exact.cube(z) < exact.d / 8) return Exact{0};
                                       const bool is_below = w[1].u() < w[1].v();
                                       const Real e = -std::log(2 * (is_below ? w[1].u() : w[1].v()));
                                       Exact x = power(exact.log(z, e) / shape, e * exact.boost / shape);
                                       if (is_below) x.value = -x.value;
                                       return x;
                                   }),
                       "generalized_normal " + std::to_string(shape) + type);
    }
}

TYPED_TEST(SamplerErrors, OfTwoGammas) {
    using T = TypeParam;
    if (std::numeric_limits<Real>::digits < 64) GTEST_SKIP() << "long double is no wider than double here";
    for (const auto& [a, b] : {std::pair<T, T>{2, 3}, {T(0.5), T(0.5)}, {T(0.25), 4}, {40, 50}}) {
        const Gamma first(a), second(b);
        const bool by_log = a < 1 || b < 1;
        const auto quotient = [&](const auto* w, auto of_log) {  // of ln(x / y)
            const Real r = std::sqrt(2 * w[0].exponential()), angle = 2 * pi * w[1].u();
            const Real z = r * std::cos(angle), t = r * std::sin(angle);
            const Real e = w[2].exponential(), f = w[3].exponential();
            const Real log = first.log(z, e) - second.log(t, f);
            if (first.cube(z) < first.d / 8 || second.cube(t) < second.d / 8 || std::abs(log) > 80) return Exact{0};
            Exact x{of_log(log)};
            if (by_log) x.factor = std::max({Real(1), std::abs(log), e * first.boost, f * second.boost});
            return x;
        };
        const std::string of = " " + std::to_string(a) + ", " + std::to_string(b) + (sizeof(T) == 4 ? " f32" : " f64");
        const double limit = by_log ? 30 : a > 30 ? 4 : 17;
        expect_at_most(
            limit,
            worst_error(rng::beta<T>{a, b},
                        [&](const auto* w) { return quotient(w, [](Real l) { return 1 / (1 + std::exp(-l)); }); }),
            "beta" + of);
        expect_at_most(limit,
                       worst_error(rng::beta_prime<T>{a, b},
                                   [&](const auto* w) { return quotient(w, [](Real l) { return std::exp(l); }); }),
                       "beta_prime" + of);
        expect_at_most(limit,
                       worst_error(rng::fisher_f<T>{2 * a, 2 * b},
                                   [&, q = Real(b) / a](const auto* w) {
                                       return quotient(w, [q](Real l) { return std::exp(l) * q; });
                                   }),
                       "fisher_f" + of);
    }
}

// Errors of values near 0 are those of the vector's length before it moves and of the way. R has the error of the
// exponential variable e that it is what remains of: the way sqrt(x) has that error, divided by itself.
TYPED_TEST(SamplerErrors, OfNoncentralChiSquared) {
    using T = TypeParam;
    if (std::numeric_limits<Real>::digits < 64) GTEST_SKIP() << "long double is no wider than double here";
    for (const auto& [nu, lambda] : {std::pair<T, T>{T(0.25), 1},
                                     {1, 0},
                                     {2, 1},
                                     {5, 3},
                                     {T(0.5), 100},
                                     {30, 100},
                                     {3, 600},
                                     {300, 700},
                                     {T(1e6), T(1e6)}}) {
        const Gamma gamma(Real(nu) / 2 + 1);
        const Real boost = 2 / Real(nu), half_lambda = Real(lambda) / 2;
        const bool by_log = nu < 2;
        const auto exact = [&](const auto* w) {
            const Real z = w[0].normal(), e = w[1].exponential(), g = gamma.cube(z), x = half_lambda - gamma.rest(z, e);
            if (g < gamma.d / 8) return Exact{0};
            if (x <= 0) {
                const Real log = std::log(g) + x * boost;
                if (std::abs(log) > 80) return Exact{0};
                return Exact{2 * std::exp(log), 0, std::max({Real(1), e * boost, by_log ? std::abs(log) : 0})};
            }
            const Real q = std::expm1(-w[2].exponential() * boost);
            const Real cosine = std::cos(2 * pi * w[3].u()), sine = std::sin(2 * pi * w[3].u());
            const Real along = std::sqrt(-q * g) * cosine, way = std::sqrt(x), moved = along + way;
            return Exact{2 * (moved * moved + g * (sine * sine + cosine * cosine * (1 + q))),
                         2 * (g + x + e * (1 + std::abs(along) / way))};
        };
        expect_at_most(nu < 30 && lambda < 30 ? 20 : 4, worst_error(rng::noncentral_chi_squared<T>{nu, lambda}, exact),
                       "noncentral_chi_squared " + std::to_string(nu) + ", " + std::to_string(lambda) +
                           (sizeof(T) == 4 ? " f32" : " f64"));
    }
}

TYPED_TEST(SamplerErrors, OfTruncatedNormalAndVonMises) {
    using T = TypeParam;
    if (std::numeric_limits<Real>::digits < 64) GTEST_SKIP() << "long double is no wider than double here";
    const std::string type = sizeof(T) == 4 ? " f32" : " f64";
    expect_at_most(2, worst_error(rng::truncated_normal<T>{}, [](const auto* w) { return Exact{w[0].normal()}; }),
                   "truncated_normal -2 to 2" + type);
    expect_at_most(
        2,
        worst_error(rng::truncated_normal<T>{0, 1, 4, std::numeric_limits<T>::infinity()},
                    [](const auto* w) { return Exact{4 + w[0].exponential() * 2 / (4 + std::sqrt(Real(20)))}; }),
        "truncated_normal 4 to inf" + type);
    expect_at_most(
        2,
        worst_error(rng::truncated_normal<T>{0, 1, 1, T(1.25)}, [](const auto* w) { return Exact{1 + w[0].u() / 4}; }),
        "truncated_normal 1 to 1.25" + type);
    for (const T kappa : {T(0), T(0.25), T(4), T(1e6)}) {
        const auto prepared = rng::von_mises<T>{0, kappa}.map();  // any g gives the law: its rounding is no error
        expect_at_most(4,
                       worst_error(rng::von_mises<T>{0, kappa},
                                   [&](const auto* w) {
                                       const Real from_half = w[0].from_half();
                                       const Real tangent = std::abs(from_half) < Real(0.25) ? std::tan(pi * from_half)
                                                            : from_half < 0 ? -1 / std::tan(pi * w[0].u())
                                                                            : 1 / std::tan(pi * w[0].v());
                                       return Exact{2 * std::atan(Real(prepared.narrowing) * tangent)};
                                   }),
                       "von_mises " + std::to_string(kappa) + type);
    }
}

}  // namespace
