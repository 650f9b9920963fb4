// MassWalk: a distribution on the integers in which each value has a whole number of the 2^64 words, and the walk from
// a word to its value.
//
// A distribution has an anchor: a value k, the last of the words of the values up to k, and the mass of k. The masses
// of the other values follow outwards from the anchor, each from the one before it. A walk stops at the value whose
// words include the given one. A fill stores the steps of the walk in a table, which gives the same values. With a
// variance below 256 a walk takes fewer than 1400 steps, so no code counts them. But the parameters must be those of
// such a distribution: the preparation compares the variance by its bits, which are above those of 256 for NaN and for
// negative numbers, under -ffast-math too. docs/contract.md, A.22, has the operations. Source of guide tables: Devroye,
// "Non-Uniform Random Variate Generation", Springer 1986, chapter III.2.4.
#pragma once

#include "../lane/prepare.hpp"
#include "../lane/scalar.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Returns floor(x 2^64) for a double x in [2^-1000, 1): the number of words that have the share x. Returns 0 for 1.
template <class L> RNG_FN lane::u64<L> words_of_share(lane::f64<L> x) {
    using U = lane::u64<L>;
    const U bits = lane::bits(x);
    return lane::shr_each(lane::shl<11>(bits) | U(uint64_t{1} << 63), U(1022) - lane::shr<52>(bits));
}
RNG_FN uint64_t words_of_share(double x) { return words_of_share(lane::f64<lane::Scalar>(x)).v; }

/// A type of ratios defines a distribution by the ratios of its masses: P(k + 1) / P(k) = up(k) / down(k + 1). No value
/// lies above one for which ends_at() is true.

/// The ratios of the binomial distribution; without Binomial those of the Poisson distribution, whose mean is `odds`.
template <bool Binomial> struct BinomialRatios {
    using S = lane::Scalar;
    double trials;  // of the binomial distribution
    double odds;    // p / (1 - p)

    [[nodiscard]] RNG_FN double up(double k) const {
        if constexpr (Binomial)
            return S::mul(S::sub(trials, k), odds);
        else
            return odds;
    }
    [[nodiscard]] RNG_FN double down(double k) const { return k; }
    [[nodiscard]] RNG_FN bool ends_at(double k) const { return Binomial && !(k < trials); }
};

template <class Ratios> struct MassWalk {
    using S = lane::Scalar;
    /// A value with fewer words ends the walk, and takes all words that are left. So every walk ends.
    static constexpr uint64_t least_words = uint64_t{1} << 14;

    Ratios ratios;
    uint64_t anchor;
    uint64_t last_word;  // of the values up to the anchor
    double mass;         // of the anchor

    /// The distribution of the constant 0.
    RNG_FN static MassWalk of_zero() { return {{}, 0, ~uint64_t{0}, 0.5}; }

    /// A place on the walk: a value, the value as a double, and its mass.
    struct Step {
        uint64_t k;
        double value, mass;
        [[nodiscard]] RNG_FN uint64_t words() const { return words_of_share(mass); }
        [[nodiscard]] RNG_FN bool is_small() const { return words() < least_words; }
    };
    [[nodiscard]] RNG_FN Step at_anchor() const { return {anchor, S::small_to_f64(anchor), mass}; }
    [[nodiscard]] RNG_FN Step above(const Step& s) const {
        const double next = S::add(s.value, 1.0);
        return {s.k + 1, next, S::mul(s.mass, S::div(ratios.up(s.value), ratios.down(next)))};
    }
    [[nodiscard]] RNG_FN Step below(const Step& s) const {
        const double next = S::sub(s.value, 1.0);
        return {s.k - 1, next, S::mul(s.mass, S::div(ratios.down(s.value), ratios.up(next)))};
    }
    /// True for the value at which the walk upwards ends.
    [[nodiscard]] RNG_FN bool is_last(const Step& s) const { return s.is_small() || ratios.ends_at(s.value); }

    /// Walks once from the anchor to both ends of the distribution, to find the anchor's mass and its share. Requires
    /// an anchor of the greatest mass, and a sum of all masses below 63 times that mass.
    RNG_FN void normalise() {
        constexpr uint64_t of_anchor = uint64_t{1} << 58;
        mass = 0x1p-6;  // until the sum is known
        uint64_t below_anchor = 0, above_anchor = 0;
        RNG_ROLLED
        for (Step s = at_anchor(); s.k != 0;) {
            s = below(s);
            if (s.words() == 0) break;
            below_anchor += s.words();
        }
        RNG_ROLLED
        for (Step s = at_anchor(); !ratios.ends_at(s.value);) {
            s = above(s);
            if (s.words() == 0) break;
            above_anchor += s.words();
        }
        const double sum = lane::to_double<false>(below_anchor + of_anchor + above_anchor);
        mass = S::mul(lane::one_over(sum), 0x1p58);
        last_word = words_of_share(S::div(lane::to_double<false>(below_anchor + of_anchor), sum)) - 1;
    }

    /// Returns the value of a word. A greater word never has a smaller value.
    [[nodiscard]] RNG_FN uint64_t find(uint64_t w) const {
        Step s = at_anchor();
        if (w <= last_word) {
            uint64_t rest = last_word - w;
            while (s.k != 0 && rest >= s.words() && !s.is_small()) {
                rest -= s.words();
                s = below(s);
            }
        } else {
            uint64_t rest = w - last_word - 1;
            s = above(s);
            while (rest >= s.words() && !is_last(s)) {
                rest -= s.words();
                s = above(s);
            }
        }
        return s.k;
    }
};

/// A table of a walk: the last word of each value, in order, and a guide. Guide g is the place of the first word that
/// begins with the 10 bits of g. No walk that has this table takes more than Up steps upwards.
template <unsigned Up> struct MassTableOf {
    const uint64_t* words;

    static constexpr uint64_t steps_down = 152, steps_up = Up;
    static constexpr uint64_t guides = 1024, guides_of_word = 4;
    static constexpr uint64_t size = guides / guides_of_word + steps_down + 1 + steps_up;

    template <class Ratios> static void build(const MassWalk<Ratios>& walk, uint64_t* table) {
        uint64_t* const last = table + guides / guides_of_word;
        uint64_t place = steps_down;
        last[place] = walk.last_word;
        for (auto s = walk.at_anchor(); s.k != 0 && last[place] >= s.words() && !s.is_small();
             s = walk.below(s), --place)
            last[place - 1] = last[place] - s.words();
        const uint64_t first = place;
        place = steps_down;
        for (auto s = walk.at_anchor(); last[place] != ~uint64_t{0}; ++place) {
            s = walk.above(s);
            const uint64_t left = ~last[place];
            last[place + 1] = walk.is_last(s) || left < s.words() ? ~uint64_t{0} : last[place] + s.words();
        }
        place = first;
        for (uint64_t i = 0; i < guides / guides_of_word; ++i) {
            table[i] = 0;
            for (uint64_t k = 0; k < guides_of_word; ++k) {
                while (last[place] < (i * guides_of_word + k) << 54) ++place;
                table[i] |= place << 16 * k;
            }
        }
    }
    /// Returns the value that the walk finds, minus the anchor.
    [[nodiscard]] RNG_FN uint64_t find(uint64_t w) const {
        const uint64_t guide = w >> 54;
        const uint64_t* const last = words + guides / guides_of_word;
        uint64_t place = words[guide / guides_of_word] >> 16 * (guide % guides_of_word) & 0xffffu;
        while (last[place] < w) ++place;
        return place - steps_down;
    }
};
/// The table for distributions whose tails are no heavier than those of a Poisson distribution of the same variance.
using MassTable = MassTableOf<168>;

/// Returns the values of words, from the walk's table if there is one.
template <class Table, class L, class Ratios>
[[nodiscard]] RNG_FN lane::u64<L> values_of(lane::u64<L> w, const MassWalk<Ratios>& walk, const uint64_t* table) {
    if (table != nullptr)
        return lane::each_lane(w,
                               [&](uint64_t word) RNG_LAMBDA_INLINE { return Table{table}.find(word) + walk.anchor; });
    return lane::each_lane(w, [&](uint64_t word) RNG_LAMBDA_INLINE { return walk.find(word); });
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
