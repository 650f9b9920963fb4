// AliasTable: weights as a table in which a category is found in one step, for categorical.
//
//     const std::vector<double> weights{1, 0, 2.5};
//     const rng::AliasTable table(weights);                    // once; the weights may then go
//     const std::vector<int> x = rng::sample(rng::categorical(table), 1000, gen);
//     const rng::AliasTable same{1, 0, 2.5};
//
// Category i has the probability weights[i] / sum, rounded to a whole number of units of 2^-40 / K for K weights; of
// 2^(b - 64) / K, if K has b > 24 bits. A weight of 0 has no units, every other weight at least one. The table consists
// of integers, and is the same on all machines. It takes 8 bytes for each weight, and 4 more while it is built.
// For kernels, copy data() to the device: categorical(pointer, size) takes it there.
// Sources: Walker, "An efficient method for generating discrete random variables with general distributions", ACM TOMS
// 3, 1977. Vose, "A linear algorithm for generating random numbers with a given distribution", IEEE TSE 17, 1991.
// Oracle: the weights {1, 3} give the entries (2^39 << 24 | 1, (2^40 - 1) << 24 | 1).
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "../core/error.hpp"
#include "../detail/fault_text.hpp"
#include "../detail/weights.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Returns the units of each category: its share, rounded; the greatest takes what the others leave. A cell has 2^(64 -
/// bits) units.
template <class W> std::vector<uint64_t> alias_masses(const Weights<W>& list, int bits) {
    using S = lane::Scalar;
    const AreaSum all = sum_of_areas(list, true);
    const double cells = S::div(S::small_to_f64(list.count), S::small_to_f64(uint64_t{1} << bits));
    std::vector<uint64_t> masses(list.count);
    uint64_t left = uint64_t{list.count} << (64 - bits);
    for (uint32_t i = 0; i < list.count; ++i) {
        const double x = list.area(i);
        if (lane::is_zero(x)) continue;
        const bool is_small = x < S::fma(all.sum, 0x1p-100, 0.0);
        masses[i] = is_small ? 0 : rounded_words(S::mul(S::div(x, all.sum), cells));
        if (masses[i] == 0) masses[i] = 1;
        left -= masses[i];
    }
    masses[all.greatest] += left;
    return masses;
}

/// Builds the entries by Vose's pairing: a category with less than a cell shares one with a category that has more. The
/// entry of a finished cell replaces the mass of its category.
template <class W> std::vector<uint64_t> alias_entries(const Weights<W>& list, int bits) {
    std::vector<uint64_t> masses = alias_masses(list, bits);
    const uint64_t cell = uint64_t{1} << (64 - bits);
    std::vector<uint32_t> stacks(list.count);  // from both ends
    uint32_t light = 0, heavy = list.count;
    for (uint32_t i = 0; i < list.count; ++i) stacks[masses[i] < cell ? light++ : --heavy] = i;
    while (light != 0) {
        const uint32_t lesser = stacks[--light], other = stacks[heavy];  // all masses sum to all cells
        masses[other] -= cell - masses[lesser];
        masses[lesser] = masses[lesser] << bits | other;
        if (masses[other] < cell) {
            ++heavy;
            stacks[light++] = other;
        }
    }
    for (; heavy != list.count; ++heavy) masses[stacks[heavy]] = (cell - 1) << bits | stacks[heavy];
    return masses;
}

}  // namespace detail

class AliasTable {
  public:
    /// Builds the table of a list of 1 to 2^31 - 1 weights, which are finite numbers of at least 0. A double counts as
    /// 0 if it is below 2^-300, or below 2^-300 of the greatest. Throws Error (invalid_argument) for other weights, or
    /// if all are 0.
    template <class List> explicit AliasTable(const List& weights) {
        const auto list = detail::weights_of(weights);
        if (const ParameterFault fault = list.fault())
            detail::raise(ErrorCode::invalid_argument, detail::fault_text("AliasTable", "categorical", fault));
        entries_ = detail::alias_entries(list.scaled(), detail::alias_bits(list.count));
    }

    /// Builds the table of weights of double: AliasTable{1, 0, 2.5}. Throws Error as above.
    AliasTable(std::initializer_list<double> weights)
        : AliasTable(std::span<const double>(weights.begin(), weights.size())) {}

    /// Returns the entries, one for each cell: the upper 40 bits hold the units that the cell's own category keeps, the
    /// lower 24 the other category. If size() has b > 24 bits, these are the upper 64 - b bits and the lower b.
    [[nodiscard]] const uint64_t* data() const { return entries_.data(); }
    /// Returns the number of categories.
    [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(entries_.size()); }

  private:
    std::vector<uint64_t> entries_;
};

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
