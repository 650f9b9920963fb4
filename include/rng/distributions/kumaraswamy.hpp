// kumaraswamy{a, b}: (1 - u^(1 / b))^(1 / a), by inversion.
//
//     const std::vector<double> x = rng::sample(rng::kumaraswamy{2.5, 1.5}, 1000, gen);
//
// A greater word never gives a greater value by more than a rounding error. Values below the normal numbers become
// about 2^-126 (f32) or 2^-1022, and the greatest value is the greatest number below 1. Relative error: 6 ulp, and an
// ulp of ln x.
// Source: Kumaraswamy, "A generalized probability density function for double-bounded random processes", J. Hydrology
// 46, 1980.
// Oracle: a = b = 1 and the word 0x40000000 give 3/4.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The Kumaraswamy distribution, whose distribution function is 1 - (1 - x^a)^b.
template <class T> struct kumaraswamy {
    static_assert(detail::is_real<T>,
                  "kumaraswamy is of float or double: write kumaraswamy{2.5, 1.5}, not kumaraswamy{2, 1}");
    using result_type = T;
    T a = 1;
    T b = 1;

    static constexpr const char* name = "kumaraswamy";
    static constexpr const char* support = "(0, 1)";
    static constexpr const char* summary = "Kumaraswamy, by inversion";
    static constexpr int slot_words = sizeof(T) <= 4 ? 1 : 2;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"a", &kumaraswamy::a, "first shape", detail::powers<T>({-20, 40}, {-40, 60})},
                      Field{"b", &kumaraswamy::b, "second shape", detail::powers<T>({-20, 40}, {-40, 60})}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        static constexpr bool is_long = true;
        T inverse_a, minus_inverse_b;  // 1 / a, -1 / b

        template <class W> RNG_FN auto operator()(W w) const {
            using F = decltype(lane::neglog(w));
            const F least(lane::exp_least<T>);
            constexpr T far = sizeof(T) == 4 ? T(-58) : T(-650);  // ln(1 - e^far) / a is normal for every a
            const F y = lane::select_greater(lane::fma(lane::neglog(w), F(minus_inverse_b), F(0)), F(far));
            const F log = lane::log1m_exp(y);
            const F x = lane::select_greater(lane::fma(log, F(inverse_a), F(0)), least);
            return lane::select_less(lane::exp(x), F(lane::next_below(T(1))));
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {lane::one_over(a), -lane::one_over(b)}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B> RNG_GUIDE kumaraswamy(A, B)->kumaraswamy<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
