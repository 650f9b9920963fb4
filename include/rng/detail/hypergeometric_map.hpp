// The map of hypergeometric: a walk over masses, or trials by a ratio of uniform numbers.
//
// By symmetry, the preparation first takes a distribution with at most half of the items good and at most half of them
// drawn, whose values begin at 0.
//
// A variance below 256: a walk from the mode (mass_walk.hpp). One walk to both ends finds the share of the mode.
//
// Otherwise a point (u, v) of a square proposes the value floor(a + s (v - 1/2) / u). The value is accepted if u^2 is
// less than the ratio of its mass to that of the mode. The logarithm of the ratio comes from saddle-point expansions.
// It is a sum over the four cells of the table of drawn and good items, without large terms that cancel.
// Sources: Stadlober, "The ratio of uniforms approach for generating discrete random variates", J. Comput. Appl. Math.
// 31, 1990; Loader, "Fast and accurate computation of binomial probabilities", 2000.
#pragma once

#include "../core/retry_stream.hpp"
#include "../lane/functions.hpp"
#include "mass_walk.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

struct HypergeometricRatios {
    using S = lane::Scalar;
    double good, draws,
        rest;  // rest: bad - draws; good <= draws

    [[nodiscard]] RNG_FN double up(double k) const { return S::mul(S::sub(good, k), S::sub(draws, k)); }
    [[nodiscard]] RNG_FN double down(double k) const { return S::mul(k, S::add(rest, k)); }
    [[nodiscard]] RNG_FN bool ends_at(double k) const { return !(k < good); }
};

struct HypergeometricMap {
    static constexpr uint32_t most_proposals = detail::most_proposals;
    MassWalk<HypergeometricRatios> walk;  // its anchor is the mode of both methods
    const uint64_t* table;                // of the walk; null: there is none
    bool has_trials;
    // The value is offset + count or, with the mirror, offset - 1 - the count of the complemented word.
    uint64_t mirror, offset;
    // a and s of the trials, relative to the mode. No trial is farther than `reach` from the mode.
    double place, width, reach;
    // The cells at the mode: good and drawn, good only, drawn only, neither. The inverses have the signs with which the
    // cells change. slope: the logarithm of the ratio of the masses of two neighbours of the mode.
    double cells[4], inverses[4], slope, remainders;

    template <class L> RNG_FN auto operator()(lane::u64<L> first, lane::u64<L> second) const {
        using F = lane::f64<L>;
        using W = lane::u64<L>;
        const W complement(mirror), w = first ^ complement;
        if (!has_trials) {
            const W count = values_of<MassTable>(w, walk, table);
            return lane::Proposal{value_of(count, complement), lane::lanes_below(w, W(0))};
        }
        const F v = lane::sub(lane::midpoint_fraction(second), F(0.5));
        const F x = lane::fma(lane::div(v, lane::midpoint_fraction(w)), F(width), F(place));
        const F step = lane::floor(lane::select_less(lane::select_greater(x, F(-reach)), F(reach)));
        F sum = lane::fma(step, F(slope), F(-remainders));
#if RNG_DEVICE_PASS
        RNG_UNROLL  // cells with a known index stay in registers
#endif
        for (int i = 0; i < 4; ++i) sum = lane::add(sum, deviance(step, F(cells[i]), F(inverses[i])));
        const F e = lane::neglog(w);
        return lane::Proposal{value_of(lane::to_integer(step) + W(walk.anchor), complement),
                              ~lane::lanes_below(sum, lane::add(e, e))};
    }

  private:
    template <class W> RNG_FN W value_of(W count, W complement) const { return (count ^ complement) + W(offset); }

    /// -ln of the ratio of c! and the factorial of the changed cell, without the linear term and with a Stirling
    /// remainder. A step outside the bounds of y is rejected at the bounds too.
    template <class F> RNG_FN static F deviance(F step, F cell, F inverse) {
        const F y = lane::select_less(lane::select_greater(lane::fma(step, inverse, F(0.0)), F(-0.9375)), F(8.0));
        const F t = lane::add(F(1.0), y), square = lane::fma(y, y, F(0.0));
        const F remainder = lane::log1p_remainder(y, t);
        const F parabola = lane::horner(y, F(0.5), F(-0x1.5555555555555p-3), F(0x1.5555555555555p-2));
        const F by_cell = lane::fma(square, parabola, lane::mul(t, remainder));
        const F log = lane::add(lane::fma(square, lane::fma(y, F(0x1.5555555555555p-2), F(-0.5)), y), remainder);
        const F series = lane::stirling_remainder(lane::div(lane::magnitude(inverse), t));
        return lane::fma(cell, by_cell, lane::fma(log, F(0.5), series));
    }
};

/// Prepares the map. On hosts it is out of line.
[[maybe_unused]] RNG_COLD_FN HypergeometricMap hypergeometric_map(uint64_t good, uint64_t bad, uint64_t draws) {
    using S = lane::Scalar;
    using F = lane::f64<S>;
    HypergeometricMap made{};
    made.walk = MassWalk<HypergeometricRatios>::of_zero();
    constexpr uint64_t most = uint64_t{1} << 53;
    const uint64_t all = good + bad, left = all - draws;
    if (good > most || bad > most || draws > all) return made;  // out of range: a walk might not end
    bool is_mirrored = false;
    uint64_t least = 0;
    if (left < draws) {  // counts the good items that are left
        is_mirrored = true;
        least = good;
        draws = left;
    }
    if (bad < good) {  // counts the bad items that are drawn
        least = is_mirrored ? least - draws : draws;
        is_mirrored = !is_mirrored;
        good = bad;
    }
    if (draws < good) {  // the distribution is symmetric in both
        const uint64_t kept = good;
        good = draws;
        draws = kept;
    }
    made.mirror = is_mirrored ? ~uint64_t{0} : 0;
    made.offset = is_mirrored ? least + 1 : least;
    if (good == 0) return made;

    const double n = S::small_to_f64(all), g = S::small_to_f64(good), d = S::small_to_f64(draws);
    const double mean = S::div(S::mul(g, d), n);
    const double spread = S::mul(S::div(S::sub(n, g), n), S::div(S::sub(n, d), S::sub(n, 1.0)));
    const double variance = S::fma(mean, spread, 0.0);
    const double mode = S::div(S::mul(S::add(g, 1.0), S::add(d, 1.0)), S::add(n, 2.0));
    made.walk.ratios = {g, d, S::small_to_f64(all - good - draws)};
    made.walk.anchor = words_of_share(S::mul(mode, 0x1p-64));
    if (!(variance >= 256)) {
        made.walk.normalise();
        return made;
    }
    made.has_trials = true;
    const double m = S::small_to_f64(made.walk.anchor);
    const double product = S::fma(g, d, 0.0), of_mode = S::fma(m, n, 0.0);  // not products, which a compiler may fuse
    // mode * all - good * draws, without error before the last sum
    const double excess = S::add(S::sub(of_mode, product), S::sub(S::fms(m, n, of_mode), S::fms(g, d, product)));
    made.place = S::sub(0.5, S::div(excess, n));
    made.width = S::fma(S::sqrt(S::add(variance, 0.5)), 0x1.b72cd3f331398p+0, 0x1.cc3ebd3bc711ap-1);
    made.reach = S::select_less(S::fma(m, 16.0, 0.0), 0x1p50);
    const double cells[4] = {m, S::sub(g, m), S::sub(d, m), S::add(made.walk.ratios.rest, m)};
    for (int i = 0; i < 4; ++i) {
        const double inverse = lane::one_over(cells[i]);
        made.cells[i] = cells[i];
        made.inverses[i] = i == 1 || i == 2 ? -inverse : inverse;
        made.remainders = S::add(made.remainders, lane::stirling_remainder(F(inverse)).v);
    }
    made.slope = lane::log1p(F(S::div(excess, S::fma(cells[1], cells[2], 0.0)))).v;
    return made;
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
