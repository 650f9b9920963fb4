// Functions of two gamma variables from one trial: beta, beta_prime, fisher_f.
#pragma once

#include "../core/retry_stream.hpp"
#include "gamma_trial.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The shapes of a quotient. The normal values of a Box-Muller pair come nearer to 0 than those of a quantile, and
/// their squares must not be subnormal.
template <class V> [[nodiscard]] constexpr ParameterRange<arithmetic_t<V>> quotient_shapes() {
    return powers<V>({-20, 24}, {-40, 60});
}
template <class T> [[nodiscard]] constexpr ParameterRange<T> twice_quotient_shapes() {
    return powers<T>({-19, 25}, {-39, 61});
}

/// The map of two gamma variables X and Y: of the share X / (X + Y), a V, or of the quotient scale X / Y, a T. It reads
/// the words of a normal pair, then a word for each trial. Where a shape is below 1, it computes ln(X / Y).
template <class T, class V = T> struct GammaQuotientMap {
    static constexpr bool is_long = true;
    static constexpr uint32_t most_proposals = detail::most_proposals;
    GammaTrial<T> first, second;
    bool is_share;
    ScaledExp<T> scaled;  // of a quotient

    [[nodiscard]] RNG_FN static GammaQuotientMap share(T a, T b) {
        return {GammaTrial<T>::of(a), GammaTrial<T>::of(b), true, {}};
    }
    [[nodiscard]] RNG_FN static GammaQuotientMap quotient(T a, T b, const ScaledExp<T>& scaled) {
        return {GammaTrial<T>::of(a), GammaTrial<T>::of(b), false, scaled};
    }
    [[nodiscard]] RNG_FN bool is_by_log() const { return first.is_by_log() || second.is_by_log(); }

    template <class W> [[nodiscard]] RNG_FN auto operator()(W radius, W angle, W of_first, W of_second) const {
        const auto z = lane::box_muller(radius, angle);
        const auto x = first(z.even, lane::neglog(of_first)), y = second(z.odd, lane::neglog(of_second));
        const auto value =
            is_by_log() ? of_log(lane::sub(first.log_of(x), second.log_of(y))) : of_values(x.cube, y.cube);
        return lane::Proposal{value, first.is_rejected(x) | second.is_rejected(y)};
    }
    [[nodiscard]] RNG_FN bool has_squeeze() const { return !is_by_log(); }
    template <class W> [[nodiscard]] RNG_FLATTENED_FN auto squeeze(W radius, W angle, W of_first, W of_second) const {
        const auto z = lane::box_muller(radius, angle);
        const auto x = first.squeeze(z.even, of_first), y = second.squeeze(z.odd, of_second);
        return lane::Proposal{of_values(x.cube, y.cube), ~(x.accepted & y.accepted)};
    }

  private:
    template <class F> [[nodiscard]] RNG_FN auto of_values(F x, F y) const {
        if constexpr (is_same<V, T>)
            if (!is_share) return lane::fma(lane::div(x, y), F(scaled.scale), F(0));
        return share_of(lane::select_less(x, y), lane::add(x, y), lane::lanes_below(x, y));
    }
    /// The share is 1 / (1 + exp(-log)), computed from the exponential that is at most 1.
    template <class F> [[nodiscard]] RNG_FN auto of_log(F log) const {
        if constexpr (is_same<V, T>)
            if (!is_share) return scaled(log);
        const F power = lane::exp(lane::select_greater(lane::sub(F(0), lane::magnitude(log)), F(lane::exp_least<T>)));
        return share_of(power, lane::add(F(1), power), lane::lanes_below(log, F(0)));
    }
    /// The share of X, computed from the lesser of the two shares. So a value near 1 is as exact as 1 - x, and can be
    /// any float.
    template <class F, class M> [[nodiscard]] RNG_FN static auto share_of(F lesser, F sum, M is_of_x) {
        const F s = lane::div(lesser, sum), x = lane::select(is_of_x, s, lane::sub(F(1), s));
        return as_positive_result<V>(lane::select_less(x, F(next_value_below<V>(1))));
    }
};

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
