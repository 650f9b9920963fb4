// Functions of two gamma variables from one trial: beta, beta_prime, fisher_f.
#pragma once

#include "../core/tape.hpp"
#include "gamma_trial.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The shapes of a quotient. The normal values of a Box-Muller pair come nearer to 0 than those of one quantile, and
/// their squares have to stay normal.
template <class T> [[nodiscard]] ParameterFault quotient_shape_fault(const char* field, T shape) {
    constexpr bool f32 = sizeof(T) == 4;
    constexpr Range<T> range{f32 ? T(0x1p-20) : T(0x1p-40), f32 ? T(0x1p24) : T(0x1p60),
                             f32 ? "must be in [2^-20, 2^24]" : "must be in [2^-40, 2^60]"};
    return range.fault_of(field, shape);
}
template <class T> [[nodiscard]] ParameterFault twice_quotient_shape_fault(const char* field, T shape) {
    constexpr bool f32 = sizeof(T) == 4;
    constexpr Range<T> range{f32 ? T(0x1p-19) : T(0x1p-39), f32 ? T(0x1p25) : T(0x1p61),
                             f32 ? "must be in [2^-19, 2^25]" : "must be in [2^-39, 2^61]"};
    return range.fault_of(field, shape);
}

/// The map of a function of two gamma variables: the words of a normal pair, then a word for each trial. Function has
/// of_values(x, y) for two shapes of at least 1, and of_log(ln(x / y)) otherwise.
template <class T, class Function> struct GammaQuotientMap {
    static constexpr uint32_t most_attempts = detail::most_attempts;
    GammaTrial<T> first, second;
    Function function;

    [[nodiscard]] RNG_FN static GammaQuotientMap of(T a, T b, Function function) {
        return {GammaTrial<T>::of(a), GammaTrial<T>::of(b), function};
    }
    [[nodiscard]] RNG_FN bool is_by_log() const { return first.is_by_log() || second.is_by_log(); }

    template <class W> [[nodiscard]] RNG_FN auto operator()(W radius, W angle, W of_first, W of_second) const {
        const auto z = lane::box_muller(radius, angle);
        const auto x = first(z.even, lane::neglog(of_first)), y = second(z.odd, lane::neglog(of_second));
        const auto value = is_by_log() ? function.of_log(lane::sub(first.log_of(x), second.log_of(y)))
                                       : function.of_values(x.cube, y.cube);
        return lane::Attempt{value, first.is_rejected(x) | second.is_rejected(y)};
    }
    [[nodiscard]] RNG_FN bool is_quick() const { return !is_by_log(); }
    template <class W> [[nodiscard]] RNG_FLATTENED_FN auto quick(W radius, W angle, W of_first, W of_second) const {
        const auto z = lane::box_muller(radius, angle);
        const auto x = first.quick(z.even, of_first), y = second.quick(z.odd, of_second);
        return lane::Attempt{function.of_values(x.cube, y.cube), ~(x.accepted & y.accepted)};
    }
};

/// The function scale * x / y.
template <class T> struct ScaledQuotient {
    ScaledExp<T> scaled;
    template <class F> [[nodiscard]] RNG_FN F of_values(F x, F y) const {
        return lane::fma(lane::div(x, y), F(scaled.scale), F(0));
    }
    template <class F> [[nodiscard]] RNG_FN F of_log(F log) const { return scaled(log); }
};

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
