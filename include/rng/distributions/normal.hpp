// normal{mean, stddev}: Box-Muller on midpoints (Box and Muller, Ann. Math. Statist. 29, 1958).
//
//     rng::fill(x, rng::normal{0.0f, 1.0f}, gen);
//
// The even word of an aligned pair of slots gives the radius, the odd word the angle.
// The cosine is the even value, the sine the odd value. |z| <= 6.77 (f32), 9.50 (f64).
// Largest observed errors of z: 2.95 ulp (f32), 2.86 ulp (f64).
// Oracle: radius word 0x80000000 and angle word 0x20000000 give z = (0.83255461, 0.83255461) = sqrt(ln 2) twice.
#pragma once

#include "../detail/normal_parameters.hpp"
#include "../draw.hpp"
#include "../lane/math_f32.hpp"
#include "../lane/math_f64.hpp"
#include "../lane/prepare.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The normal (Gaussian) distribution.
template <class T> struct normal {
    static_assert(detail::is_real<T> || detail::is_half<T>,
                  "normal is of float or double: write normal{0.0, 1.0} or normal{0.0f, 1.0f}, not normal{0, 1}");
    using result_type = T;
    using Parameter = detail::arithmetic_t<T>;  ///< float for the 16-bit types too
    Parameter mean = 0;
    Parameter stddev = 1;

    static constexpr const char* name = "normal";
    static constexpr const char* support = "(-inf, inf)";
    static constexpr const char* summary = "normal (Gaussian), Box-Muller";
    static constexpr int slot_words = sizeof(T) <= 4 ? 1 : 2;
    static constexpr Shape map_shape = Shape::pair;

    [[nodiscard]] static constexpr auto fields() { return detail::normal_fields<normal>(); }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        static constexpr bool is_long = sizeof(T) == 8;
        Parameter mean, stddev;

        template <class W> RNG_FN auto operator()(W radius_word, W angle_word) const {
            const auto z = lane::box_muller(radius_word, angle_word);
            using F = decltype(z.even);
            const F even = lane::fma(F(stddev), z.even, F(mean)), odd = lane::fma(F(stddev), z.odd, F(mean));
            return lane::Pair<decltype(detail::as_result<T>(even))>{detail::as_result<T>(even),
                                                                    detail::as_result<T>(odd)};
        }
    };
    [[nodiscard]] RNG_FN Map map() const {
        const detail::NormalParameters<Parameter> of(mean, stddev);
        return {of.mean, of.stddev};
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B> RNG_GUIDE normal(A, B)->normal<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
