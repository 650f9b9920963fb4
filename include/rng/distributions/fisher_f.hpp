// fisher_f{d1, d2}: the F distribution: (X / d1) / (Y / d2) for chi-squared variables X and Y of d1 and d2 degrees.
//
//     const std::vector<double> x = rng::sample(rng::fisher_f{5.0, 7.0}, 1000, gen);
//
// With fewer than 2 degrees the quotient is computed by logarithms; values outside the range of normal numbers become
// about the least or the greatest of them.
// Largest error seen of an accepted value: 16 ulp, 4 from 80 degrees on. With fewer than 2 degrees it is 30 ulp of the
// greatest term of ln x.
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1995, chapter 27.
// Oracle: d1 = d2, the words w, 0x20000000, v, v (two equal normal values) give 1.
#pragma once

#include "../detail/gamma_quotient.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The F distribution (Fisher and Snedecor) with d1 and d2 degrees of freedom.
template <class T> struct fisher_f {
    static_assert(detail::is_real<T>, "fisher_f is of float or double: write fisher_f{5.0, 7.0}, not fisher_f{5, 7}");
    using result_type = T;
    T d1 = 1;
    T d2 = 1;

    static constexpr const char* name = "fisher_f";
    static constexpr const char* support = "(0, inf)";
    static constexpr const char* summary = "Fisher's F: a quotient of chi-squared variables";
    static constexpr int slot_words = sizeof(T);
    static constexpr int operand_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::sampler;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{
            Field{"d1", &fisher_f::d1, "degrees of freedom of the numerator", detail::twice_quotient_shapes<T>()},
            Field{"d2", &fisher_f::d2, "degrees of freedom of the denominator", detail::twice_quotient_shapes<T>()}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    using Map = detail::GammaQuotientMap<T>;
    [[nodiscard]] RNG_FN Map map() const {
        using F = lane::real_t<lane::Scalar, T>;
        return Map::quotient(detail::half_of(d1), detail::half_of(d2),
                             detail::ScaledExp<T>::of(lane::div(F(d2), F(d1)).v));
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B> RNG_GUIDE fisher_f(A, B)->fisher_f<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
