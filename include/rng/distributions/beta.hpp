// beta{a, b}: X / (X + Y) for independent gamma variables X and Y of shapes a and b, of scale 1.
//
//     const std::vector<double> x = rng::sample(rng::beta{2.0, 3.0}, 1000, gen);
//
// Both variables come from one trial, so a value is a function of its slots. With a shape below 1 the quotient is
// formed by logarithms: no parameters give NaN, 0 or 1. Values lie between about 2^-126 (f32) or 2^-1022 and the number
// below 1.
//
// Largest error seen of an accepted value: 13 ulp, 3 for shapes from 40 on. With a shape below 1 it is 14 ulp of the
// greatest term of the logarithm of x / (1 - x).
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1995, chapter 25.
// Oracle: a = b, the words w, 0x20000000, v, v (two equal normal values) give 1/2.
#pragma once

#include "../detail/gamma_quotient.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The beta distribution, of density x^(a - 1) (1 - x)^(b - 1) / B(a, b).
template <class T> struct beta {
    static_assert(detail::is_real<T> || detail::is_half<T>,
                  "beta is of float or double: write beta{2.0, 3.0}, not beta{2, 3}");
    using result_type = T;
    using Parameter = detail::arithmetic_t<T>;  ///< float for the 16-bit types too
    Parameter a = 1;
    Parameter b = 1;

    static constexpr const char* name = "beta";
    static constexpr const char* support = "(0, 1)";
    static constexpr const char* summary = "beta, by two gamma variables";
    static constexpr int slot_words = sizeof(Parameter);
    static constexpr int operand_words = sizeof(Parameter) / 4;
    static constexpr Shape map_shape = Shape::sampler;

    [[nodiscard]] static constexpr auto fields() {
        return FieldList<beta, Parameter, 2>{{{"a", &beta::a, "first shape"}, {"b", &beta::b, "second shape"}}};
    }
    [[nodiscard]] ParameterFault fault() const {
        return detail::first_fault(detail::quotient_shape_fault("a", a), detail::quotient_shape_fault("b", b));
    }

    struct Function {
        template <class F> RNG_FN auto of_values(F x, F y) const {
            return share(lane::select_less(x, y), lane::add(x, y), lane::lanes_below(x, y));
        }
        /// 1 / (1 + exp(-log)) by the exponential that is at most 1.
        template <class F> RNG_FN auto of_log(F log) const {
            const F power =
                lane::exp(lane::select_greater(lane::sub(F(0), lane::magnitude(log)), F(lane::exp_least<Parameter>)));
            return share(power, lane::add(F(1), power), lane::lanes_below(log, F(0)));
        }

      private:
        /// The share of X by the lesser of the two shares. So a value near 1 is as exact as 1 - x, and takes every
        /// float.
        template <class F, class M> RNG_FN static auto share(F lesser, F sum, M is_of_x) {
            const F s = lane::div(lesser, sum), x = lane::select(is_of_x, s, lane::sub(F(1), s));
            return detail::as_positive_result<T>(lane::select_less(x, F(detail::next_value_below<T>(1))));
        }
    };
    using Map = detail::GammaQuotientMap<Parameter, Function>;
    [[nodiscard]] RNG_FN Map map() const { return Map::of(a, b, {}); }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B> RNG_GUIDE beta(A, B)->beta<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
