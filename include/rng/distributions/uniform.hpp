// Uniform real numbers: uniform [lo, hi), uniform_open (lo, hi), uniform_open_closed (lo, hi].
//
// The unit value is an integer k times 2^-24 (f32) or 2^-53 (f64). k is:
// - the top 24 or 53 bits of the word for [0, 1); 1.0 never appears;
// - one more than these bits for (0, 1];
// - a midpoint of 23 or 52 bits for (0, 1).
// The value is fma(u, hi - lo, lo). Rounding may reach a bound that the interval excludes; a selection keeps the value
// inside.
// Oracle: uniform<float>{} of Stream{0} begins with (0x6627e8d5 >> 8) * 2^-24 = 0.39904654.
#pragma once

#include "../draw.hpp"
#include "../float16.hpp"
#include "../lane/prepare.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

enum class Interval { closed_open, open, open_closed };

template <class T, Interval I> struct UniformMap {
    using A = arithmetic_t<T>;
    static constexpr int precision = Real<T>::precision;
    A step;             // (hi - lo) * 2^-precision, exact: fma(k, step, lo) == fma(u, hi - lo, lo)
    A lo, least, most;  // least and most: the bounds of the results

    RNG_FN UniformMap(A low, A high)
        : step(lane::Scalar::mul(lane::Scalar::sub(lane::Scalar::set(high), lane::Scalar::set(low)),
                                 A(1) / A(uint64_t{1} << precision))),
          lo(lane::without_negative_zero(low)),
          least(I == Interval::closed_open ? lo : next_value_above<T>(low)),
          most(I == Interval::open_closed ? lane::without_negative_zero(high) : next_value_below<T>(high)) {}

    template <class L> RNG_FN auto operator()(lane::u32<L> w) const {
        using U = lane::u32<L>;
        const U top = lane::shr<32 - precision>(w);
        return place(lane::signed_to_f32(I == Interval::open          ? top | U(1u)
                                         : I == Interval::open_closed ? top + U(1u)
                                                                      : top));
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
    if (I == Interval::open && next_value_above<V>(lo) == hi)
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
    static constexpr Shape shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        return FieldList<uniform, detail::arithmetic_t<T>, 2>{
            {{"lo", &uniform::lo, "lower bound"}, {"hi", &uniform::hi, "upper bound"}}};
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
    static constexpr Shape shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        using D = uniform_open;
        return FieldList<D, detail::arithmetic_t<T>, 2>{{{"lo", &D::lo, "lower bound"}, {"hi", &D::hi, "upper bound"}}};
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
    static constexpr Shape shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        using D = uniform_open_closed;
        return FieldList<D, detail::arithmetic_t<T>, 2>{{{"lo", &D::lo, "lower bound"}, {"hi", &D::hi, "upper bound"}}};
    }
    [[nodiscard]] ParameterFault fault() const {
        return detail::uniform_fault<detail::Interval::open_closed, T>(lo, hi);
    }
    [[nodiscard]] RNG_FN auto map() const { return detail::UniformMap<T, detail::Interval::open_closed>(lo, hi); }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

// clang 14 deduces the arguments of aggregates only with guides.
template <class A, class B> uniform(A, B) -> uniform<detail::parameter_t<A, B>>;
template <class A, class B> uniform_open(A, B) -> uniform_open<detail::parameter_t<A, B>>;
template <class A, class B> uniform_open_closed(A, B) -> uniform_open_closed<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
