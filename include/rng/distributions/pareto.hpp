// pareto{shape, scale}: scale u^(-1 / shape), at least scale, by inversion.
//
//     const std::vector<double> x = rng::sample(rng::pareto{1.5, 1.0}, 1000, gen);
//
// A greater word never gives a greater value by more than a rounding error. Relative error: 3 ulp, and an ulp of ln(x /
// scale).
// Values above the greatest finite number become about that number. NumPy's pareto is this library's lomax.
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1994, chapter 20.
// Oracle: shape 1 and the word 0x80000000 give 2.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The Pareto distribution, whose distribution function is 1 - (scale / x)^shape.
template <class T> struct pareto {
    static_assert(detail::is_real<T>, "pareto is of float or double: write pareto{1.5, 1.0}, not pareto{1, 1}");
    using result_type = T;
    T shape = 1;
    T scale = 1;

    static constexpr const char* name = "pareto";
    static constexpr const char* support = "[scale, inf)";
    static constexpr const char* summary = "Pareto of the first kind, by inversion";
    static constexpr int slot_words = sizeof(T) <= 4 ? 1 : 2;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"shape", &pareto::shape, "shape", detail::powers<T>({-6, 40}, {-9, 60})},
                      Field{"scale", &pareto::scale, "least value", detail::scale_range<T>()}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        static constexpr bool is_long = true;
        T inverse;  // 1 / shape
        detail::ScaledExp<T> scaled;

        template <class W> RNG_FN auto operator()(W w) const {
            using F = decltype(lane::neglog(w));
            return scaled(lane::fma(lane::neglog(w), F(inverse), F(0)));
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {lane::one_over(shape), detail::ScaledExp<T>::of(scale)}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B> RNG_GUIDE pareto(A, B)->pareto<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
