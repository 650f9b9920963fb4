// Uniform real numbers: uniform [lo, hi), uniform_open (lo, hi), uniform_open_closed (lo, hi].
//
//     rng::fill(x, rng::uniform{-1.0f, 1.0f}, gen);
//
// The unit value is an integer k times 2^-24 (f32) or 2^-53 (f64). k is:
// - the top 24 or 53 bits of the word for [0, 1); 1.0 never appears;
// - one more than these bits for (0, 1];
// - a midpoint of 23 or 52 bits for (0, 1).
// The value is fma(u, hi - lo, lo). Rounding may reach a bound that the interval excludes; a selection keeps the value
// inside.
// Oracle: uniform<float>{} of Stream{0} begins with (0x6627e8d5 >> 8) * 2^-24 = 0.39904654.
#pragma once

#include "../detail/uniform_map.hpp"
#include "../draw.hpp"
#include "../lane/prepare.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Uniform real numbers of [lo, hi).
template <class T> struct uniform {
    static_assert(detail::is_real<T> || detail::is_half<T>,
                  "uniform is of float or double: write uniform{0.0, 1.0} or uniform{0.0f, 1.0f}, not uniform{0, 1}");
    using result_type = T;
    detail::arithmetic_t<T> lo = 0;  ///< float for the 16-bit types too
    detail::arithmetic_t<T> hi = 1;

    static constexpr const char* name = "uniform";
    static constexpr const char* support = "[lo, hi)";
    static constexpr const char* summary = "uniform, lower bound included";
    static constexpr int slot_words = sizeof(T) <= 4 ? 1 : 2;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"lo", &uniform::lo, "lower bound"}, Field{"hi", &uniform::hi, "upper bound"}};
    }
    [[nodiscard]] ParameterFault fault() const {
        return detail::uniform_fault<detail::Interval::closed_open, T>(lo, hi);
    }
    [[nodiscard]] RNG_FN auto map() const { return detail::UniformMap<T, detail::Interval::closed_open>(lo, hi); }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

/// Uniform real numbers of (lo, hi): neither bound appears.
template <class T> struct uniform_open {
    static_assert(detail::is_real<T> || detail::is_half<T>,
                  "uniform_open is of float or double: write uniform_open{0.0, 1.0} or uniform_open{0.0f, 1.0f}, not "
                  "uniform_open{0, 1}");
    using result_type = T;
    detail::arithmetic_t<T> lo = 0;  ///< float for the 16-bit types too
    detail::arithmetic_t<T> hi = 1;

    static constexpr const char* name = "uniform_open";
    static constexpr const char* support = "(lo, hi)";
    static constexpr const char* summary = "uniform, both bounds excluded";
    static constexpr int slot_words = sizeof(T) <= 4 ? 1 : 2;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        using D = uniform_open;
        return Fields{Field{"lo", &D::lo, "lower bound"}, Field{"hi", &D::hi, "upper bound"}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::uniform_fault<detail::Interval::open, T>(lo, hi); }
    [[nodiscard]] RNG_FN auto map() const { return detail::UniformMap<T, detail::Interval::open>(lo, hi); }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

/// Uniform real numbers of (lo, hi]: cuRAND's convention.
template <class T> struct uniform_open_closed {
    static_assert(detail::is_real<T> || detail::is_half<T>,
                  "uniform_open_closed is of float or double: write uniform_open_closed{0.0, 1.0} or "
                  "uniform_open_closed{0.0f, 1.0f}, not uniform_open_closed{0, 1}");
    using result_type = T;
    detail::arithmetic_t<T> lo = 0;  ///< float for the 16-bit types too
    detail::arithmetic_t<T> hi = 1;

    static constexpr const char* name = "uniform_open_closed";
    static constexpr const char* support = "(lo, hi]";
    static constexpr const char* summary = "uniform, upper bound included";
    static constexpr int slot_words = sizeof(T) <= 4 ? 1 : 2;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        using D = uniform_open_closed;
        return Fields{Field{"lo", &D::lo, "lower bound"}, Field{"hi", &D::hi, "upper bound"}};
    }
    [[nodiscard]] ParameterFault fault() const {
        return detail::uniform_fault<detail::Interval::open_closed, T>(lo, hi);
    }
    [[nodiscard]] RNG_FN auto map() const { return detail::UniformMap<T, detail::Interval::open_closed>(lo, hi); }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

// clang 14 deduces the arguments of aggregates only with guides.
template <class A, class B> RNG_GUIDE uniform(A, B)->uniform<detail::parameter_t<A, B>>;
template <class A, class B> RNG_GUIDE uniform_open(A, B)->uniform_open<detail::parameter_t<A, B>>;
template <class A, class B> RNG_GUIDE uniform_open_closed(A, B)->uniform_open_closed<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
