// beta_prime{a, b}: X / Y for independent gamma variables X and Y of shapes a and b, of scale 1.
//
//     const std::vector<double> x = rng::sample(rng::beta_prime{2.0, 3.0}, 1000, gen);
//
// With a shape below 1 the quotient is computed by logarithms; values outside the range of normal numbers become about
// the least or the greatest of them.
// Largest error seen of an accepted value: 15 ulp, 4 for shapes from 40 on. With a shape below 1 it is 30 ulp of the
// greatest term of ln x.
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1995, chapter 27.
// Oracle: a = b, the words w, 0x20000000, v, v (two equal normal values) give 1.
#pragma once

#include "../detail/gamma_quotient.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The beta prime distribution, of density x^(a - 1) (1 + x)^(-a - b) / B(a, b).
template <class T> struct beta_prime {
    static_assert(detail::is_real<T>,
                  "beta_prime is of float or double: write beta_prime{2.0, 3.0}, not beta_prime{2, 3}");
    using result_type = T;
    T a = 1;
    T b = 1;

    static constexpr const char* name = "beta_prime";
    static constexpr const char* support = "(0, inf)";
    static constexpr const char* summary = "beta prime: a quotient of gamma variables";
    static constexpr int slot_words = sizeof(T);
    static constexpr int operand_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::sampler;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"a", &beta_prime::a, "shape of the numerator", detail::quotient_shapes<T>()},
                      Field{"b", &beta_prime::b, "shape of the denominator", detail::quotient_shapes<T>()}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    using Map = detail::GammaQuotientMap<T>;
    [[nodiscard]] RNG_FN Map map() const {
        return Map::quotient(a, b, detail::ScaledExp<T>::known(1, lane::exp_greatest<T>));
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B> RNG_GUIDE beta_prime(A, B)->beta_prime<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
