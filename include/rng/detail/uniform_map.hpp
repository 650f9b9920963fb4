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

/// The bounds as maps take them: subnormal ones and -0 count as +0.
template <class A> struct UniformBounds {
    A lo, hi;
    static constexpr A least = sizeof(A) == 4 ? A(0x1p-126) : A(0x1p-1022);

    RNG_FN UniformBounds(A low, A high) : lo(lane::zero_below(least, low)), hi(lane::zero_below(least, high)) {}
    [[nodiscard]] RNG_FN bool is_point() const { return lane::Scalar::bits(lo) == lane::Scalar::bits(hi); }
};

template <class T, Interval I> struct UniformMap {
    using A = arithmetic_t<T>;
    static constexpr int precision = Real<T>::precision;
    static constexpr bool is_short = true;  // so that kernels compute more values at once
    A step;                                 // (hi - lo) * 2^-precision, exact: fma(k, step, lo) == fma(u, hi - lo, lo)
    A lo, least, most;                      // least and most: the bounds of the results

    RNG_FN UniformMap(A low, A high) : UniformMap(Bounds{low, high}) {}

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
    using Bounds = UniformBounds<A>;
    RNG_FN explicit UniformMap(const Bounds& of)
        : step(lane::Scalar::mul(lane::Scalar::sub(lane::Scalar::set(of.hi), lane::Scalar::set(of.lo)),
                                 A(1) / A(uint64_t{1} << precision))),
          lo(of.lo),
          least(I == Interval::closed_open ? of.lo : next_value_above<T>(of.lo)),
          most(I == Interval::open_closed || of.is_point() ? of.hi : next_value_below<T>(of.hi)) {}

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
    constexpr T least_span = f32 ? T(0x1p-78) : T(0x1p-900);
    constexpr T greatest = f32 ? T(0x1.fffffep127) : T(0x1.fffffffffffffp1023);
    if (!lane::is_finite(lo)) return {"lo", static_cast<double>(lo), "must be finite"};
    if (!lane::is_finite(hi)) return {"hi", static_cast<double>(hi), "must be finite"};
    const UniformBounds<T> bounds{lo, hi};
    if (I == Interval::closed_open && bounds.is_point()) return {};
    if (!(bounds.lo < bounds.hi))
        return {"hi", static_cast<double>(hi),
                I == Interval::closed_open ? "must be at least lo" : "must be greater than lo"};
    if (I == Interval::open && !(next_value_above<V>(bounds.lo) < bounds.hi))
        return {"hi", static_cast<double>(hi), "must leave a number between lo and itself"};
    // The span is halved before it is checked: hi - lo itself could overflow.
    const T half_span = bounds.hi / 2 - bounds.lo / 2;
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
