// lomax{shape, scale}: scale (u^(-1 / shape) - 1), a Pareto value minus its least value (Pareto of the second kind), by
// inversion.
//
//     const std::vector<double> x = rng::sample(rng::lomax{1.5, 1.0}, 1000, gen);
//
// A greater word never gives a greater value by more than a rounding error. Relative error: 4 ulp, and an ulp of ln(1 +
// x / scale).
// Values above the greatest finite number become about that number.
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1994, chapter 20.
// Oracle: shape 1 and the word 0x80000000 give 1.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The Lomax distribution, whose distribution function is 1 - (1 + x / scale)^-shape.
template <class T> struct lomax {
    static_assert(detail::is_real<T>, "lomax is of float or double: write lomax{1.5, 1.0}, not lomax{1, 1}");
    using result_type = T;
    T shape = 1;
    T scale = 1;

    static constexpr const char* name = "lomax";
    static constexpr const char* support = "(0, inf)";
    static constexpr const char* summary = "Lomax (Pareto of the second kind; NumPy's pareto), by inversion";
    static constexpr int slot_words = sizeof(T) <= 4 ? 1 : 2;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"shape", &lomax::shape, "shape", detail::powers<T>({-6, 20}, {-9, 60})},
                      Field{"scale", &lomax::scale, "scale", detail::powers<T>({-60, 60}, {-800, 800})}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        static constexpr bool is_long = true;
        T inverse;  // 1 / shape
        T scale, greatest;

        template <class W> RNG_FN auto operator()(W w) const {
            using F = decltype(lane::neglog(w));
            const F x = lane::fma(lane::neglog(w), F(inverse), F(0));
            return lane::fma(F(scale), lane::expm1(lane::select_less(x, F(greatest))), F(0));
        }
    };
    [[nodiscard]] RNG_FN Map map() const {
        using F = lane::real_t<lane::Scalar, T>;
        // One less than the bound of exp(): expm1 needs twice the greatest power of two.
        const F greatest = lane::sub(F(detail::ScaledExp<T>::of(scale).greatest), F(1));
        return {lane::one_over(shape), scale, greatest.v};
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B> RNG_GUIDE lomax(A, B)->lomax<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
