// normal_icdf{mean, stddev}: the normal quantile of the word's midpoint, for quasi-random and antithetic sequences.
//
//     rng::fill(x, rng::normal_icdf{0.0f, 1.0f}, gen);
//
// One word gives one value. A greater word never gives a smaller value; a word's complement mirrors the value about the
// mean.
// |z| <= 6.34 (f32), 9.16 (f64). Largest observed errors of z: 1.97 ulp (f32), 1.86 ulp (f64).
// Inversion: Devroye, "Non-Uniform Random Variate Generation", Springer 1986, section II.2.
// Oracle: the word 0xf9999999 (p = 0.975) gives z = 1.95996.
#pragma once

#include "../lane/quantile.hpp"
#include "normal.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The normal distribution by inversion.
template <class T> struct normal_icdf {
    static_assert(detail::is_real<T>,
                  "normal_icdf is of float or double: write normal_icdf{0.0, 1.0} or "
                  "normal_icdf{0.0f, 1.0f}, not normal_icdf{0, 1}");
    using result_type = T;
    T mean = 0;
    T stddev = 1;

    static constexpr const char* name = "normal_icdf";
    static constexpr const char* support = "(-inf, inf)";
    static constexpr const char* summary = "normal by inversion, one word a value, monotone";
    static constexpr int slot_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() { return detail::normal_fields<normal_icdf>(); }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        static constexpr bool is_long = true;
        T mean, stddev;

        template <class W> RNG_FN auto operator()(W w) const {
            const auto z = lane::normal_quantile(w);
            using F = decltype(lane::normal_quantile(w));
            return lane::fma(F(stddev), z, F(mean));
        }
    };
    [[nodiscard]] RNG_FN Map map() const {
        const detail::NormalParameters<T> of(mean, stddev);
        return {of.mean, of.stddev};
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B> RNG_GUIDE normal_icdf(A, B)->normal_icdf<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
