// AliasTable: weights as a table in which a category is found in one step, for categorical.
//
//     const std::vector<double> weights{1, 0, 2.5};
//     const rng::AliasTable table(weights);                    // once; the weights may then go
//     const std::vector<int> x = rng::sample(rng::categorical(table), 1000, gen);
//     const rng::AliasTable same{1, 0, 2.5};
//
// Category i has the share weights[i] / sum as a whole number of units of 2^-40 / K, for K weights. A weight of 0 has
// none, every other weight at least one. The table is made of integers, and equal on all machines.
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

class AliasTable {
  public:
    /// Makes the table of a list of 1 to 2^24 - 1 weights, finite numbers from 0 on. A double counts as 0 below 2^-300
    /// of the greatest, or 2^-300 where that is more. Throws Error (invalid_argument) for other weights, or if all are
    /// 0.
    template <class List> explicit AliasTable(const List& weights) {
        const auto list = detail::weights_of(weights).scaled();
        ParameterFault fault = list.fault();
        if (list.count < 1 || list.count >= 1u << 24)  // categorical_icdf takes more
            fault = ParameterFault::of_integer("weights", list.count, "must have 1 to 2^24 - 1 elements");
        if (fault) detail::raise(ErrorCode::invalid_argument, detail::fault_text("AliasTable", "categorical", fault));
        std::vector<uint64_t> masses(list.count);
        find_masses(list, masses);
        build(masses);
    }

    /// Makes the table of weights of double: AliasTable{1, 0, 2.5}. Throws Error as above.
    AliasTable(std::initializer_list<double> weights)
        : AliasTable(std::span<const double>(weights.begin(), weights.size())) {}

    /// Returns the entries: in the upper 40 bits the units of the cell that its category keeps, then the other
    /// category.
    [[nodiscard]] const uint64_t* data() const { return entries_.data(); }
    /// Returns the number of categories.
    [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(entries_.size()); }

  private:
    using S = lane::Scalar;
    static constexpr uint64_t cell = uint64_t{1} << 40;  // units of each of the K cells

    /// Units of each category: the share, rounded; the greatest takes what the others leave.
    template <class W> static void find_masses(const detail::Weights<W>& list, std::vector<uint64_t>& masses) {
        double sum = 0, lost = 0;  // Knuth's sum without error, The Art of Computer Programming 2, 4.2.2
        uint32_t greatest = 0;
        for (uint32_t i = 0; i < list.count; ++i) {
            const double x = list.area(i), next = S::add(sum, x), part = S::sub(next, sum);
            lost = S::add(lost, S::add(S::sub(sum, S::sub(next, part)), S::sub(x, part)));
            sum = next;
            if (x > list.area(greatest)) greatest = i;
        }
        sum = S::add(sum, lost);
        const double cells = S::mul(S::small_to_f64(list.count), 0x1p-24);
        uint64_t left = list.count * cell;
        for (uint32_t i = 0; i < list.count; ++i) {
            const double x = list.area(i);
            if (lane::is_zero(x)) continue;
            const bool is_small = x < S::fma(sum, 0x1p-100, 0.0);
            masses[i] = is_small ? 0 : detail::rounded_words(S::mul(S::div(x, sum), cells));
            if (masses[i] == 0) masses[i] = 1;
            left -= masses[i];
        }
        masses[greatest] += left;
    }

    /// Vose's pairing: a category with less than a cell shares one with a category that has more.
    void build(std::vector<uint64_t>& masses) {
        entries_.resize(masses.size());
        std::vector<uint32_t> light, heavy;
        for (uint32_t i = 0; i < masses.size(); ++i) (masses[i] < cell ? light : heavy).push_back(i);
        while (!light.empty()) {
            const uint32_t lesser = light.back(), other = heavy.back();  // all masses sum to all cells
            light.pop_back();
            entries_[lesser] = masses[lesser] << 24 | other;
            masses[other] -= cell - masses[lesser];
            if (masses[other] < cell) {
                heavy.pop_back();
                light.push_back(other);
            }
        }
        for (const uint32_t whole : heavy) entries_[whole] = (cell - 1) << 24 | whole;
    }

    std::vector<uint64_t> entries_;
};

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
