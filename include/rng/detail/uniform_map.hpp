// The map of the uniform real numbers, and the limits of their bounds.
#pragma once

#include "../core/distribution.hpp"
#include "../lane/prepare.hpp"
#include "../lane/word_parts.hpp"
#include "real.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

enum class Interval { closed_open, open, open_closed };

template <class T, Interval I> struct UniformMap {
    using A = arithmetic_t<T>;
    static constexpr int precision = Real<T>::precision;
    static constexpr bool is_short = true;  // so that kernels make more values at once
    A step;                                 // (hi - lo) * 2^-precision, exact: fma(k, step, lo) == fma(u, hi - lo, lo)
    A lo, least, most;                      // least and most: the bounds of the results

    RNG_FN UniformMap(A low, A high)
        : step(lane::Scalar::mul(lane::Scalar::sub(lane::Scalar::set(high), lane::Scalar::set(low)),
                                 A(1) / A(uint64_t{1} << precision))),
          lo(lane::without_negative_zero(low)),
          least(I == Interval::closed_open ? lo : next_value_above<T>(low)),
          most(I == Interval::open_closed ? lane::without_negative_zero(high) : next_value_below<T>(high)) {}

    template <class L> RNG_FN auto operator()(lane::u32<L> w) const {
        using U = lane::u32<L>;
        const U used = I == Interval::open ? w | U(1u << (32 - precision)) : w;
        return place(lane::upper_bits_to_f32 < precision, I == Interval::open_closed ? 1 : 0 > (used));
    }
    template <class L> RNG_FN auto operator()(lane::u64<L> w) const {
        using U = lane::u64<L>;
        const U top = lane::shr<11>(w);
        return place(lane::small_to_f64(I == Interval::open          ? top | U(1u)
                                        : I == Interval::open_closed ? top + U(1u)
                                                                     : top));
    }

  private:
    template <class F> RNG_FN auto place(F k) const {
        const F x = lane::select_less(lane::fma(k, F(step), F(lo)), F(most));
        return as_result<T>(I == Interval::closed_open ? x : lane::select_greater(x, F(least)));
    }
};

template <Interval I, class V> [[nodiscard]] ParameterFault uniform_fault(arithmetic_t<V> lo, arithmetic_t<V> hi) {
    using T = arithmetic_t<V>;
    constexpr const char* value_limit =
        is_same<V, float16> ? "must be a finite value of float16" : "must be a finite value of bfloat16";
    if (!is_value_of<V>(lo)) return {"lo", static_cast<double>(lo), value_limit};
    if (!is_value_of<V>(hi)) return {"hi", static_cast<double>(hi), value_limit};
    constexpr bool f32 = sizeof(T) == 4;
    constexpr T least_span = f32 ? T(0x1p-78) : T(0x1p-900), least_bound = f32 ? T(0x1p-100) : T(0x1p-900);
    constexpr T greatest = f32 ? T(0x1.fffffep127) : T(0x1.fffffffffffffp1023);
    constexpr const char* bound_limit = f32 ? "must be 0 or of magnitude 2^-100 to 2^128 - 2^104"
                                            : "must be 0 or of magnitude 2^-900 to 2^1024 - 2^971";
    if (!lane::is_zero(lo) && !lane::magnitude_within(lo, least_bound, greatest))
        return {"lo", static_cast<double>(lo), bound_limit};
    if (!lane::is_zero(hi) && !lane::magnitude_within(hi, least_bound, greatest))
        return {"hi", static_cast<double>(hi), bound_limit};
    if (!(lo < hi)) return {"hi", static_cast<double>(hi), "must be greater than lo"};
    if (I == Interval::open && !(next_value_above<V>(lo) < hi))
        return {"hi", static_cast<double>(hi), "must leave a number between lo and itself"};
    // The span is halved before it is checked: hi - lo itself could overflow.
    const T half_span = hi / 2 - lo / 2;
    if (half_span > greatest / 2)
        return {"hi", static_cast<double>(hi), "must be so near to lo that hi - lo is finite"};
    if (half_span < least_span / 2)
        return {"hi", static_cast<double>(hi),
                f32 ? "must exceed lo by at least 2^-78" : "must exceed lo by at least 2^-900"};
    return {};
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
