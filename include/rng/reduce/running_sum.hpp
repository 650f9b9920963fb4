// RunningSum: the sum of numbers that arrive in parts, in any order: from threads, ranks, or after a restart.
//
//     rng::RunningSum<double> sum;
//     sum.push(block, first);                              // elements first, first + 1, ... of the whole
//     sum.merge(rng::RunningSum<double>::from_bytes(bytes_of_another_rank));
//     const double total = sum.total();                    // the bits of rng::sum(whole), whatever the pieces were
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../core/integer.hpp"
#include "../detail/running_sum_state.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The sum of elements of T that are added in any order. Additions are in double if T is of double or if In is double,
/// otherwise in float. A RunningSum stores the nodes of a tree, at most 2 log2 n for one run of elements, and up to
/// 1023 elements at each end of a run, whose leaf of 1024 is not complete yet. Several threads must not use one at the
/// same time: give each its own, and merge them.
template <detail::summable T, detail::summing_type In = void> class RunningSum {
  public:
    using value_type = detail::sum_t<T, In>;  ///< the type of the total

    /// Creates a sum of no elements.
    RunningSum() : state_(detail::stored_real<T>(), detail::real_parts<T>, sizeof(detail::real_t<value_type>) == 8) {}

    /// Adds elements first, first + 1, ... of the whole.
    /// Throws Error (invalid_argument): null data, an element that was added before, an element number above 2^62; then
    /// the sum is unchanged.
    void push(std::span<const T> values, Integer first) {
        static_cast<void>(detail::terms_of("RunningSum::push", "values", values));
        state_.push(values.data(), values.size(), first);
    }
    /// Adds the elements of another sum. Throws Error (invalid_argument): an element that both have; then the sum is
    /// unchanged.
    void merge(const RunningSum& other) { state_.merge(other.state_); }

    /// Returns the sum of all elements, which must be those from 0 to size() - 1: the bits of sum() of them.
    /// Throws Error (invalid_argument): an element is missing.
    [[nodiscard]] value_type total() const {
        value_type sum{};
        state_.total(&sum);
        return sum;
    }
    /// Returns how many elements were added.
    [[nodiscard]] uint64_t size() const { return state_.size(); }

    /// Returns the sum as bytes, the same ones on every machine.
    [[nodiscard]] std::vector<std::byte> to_bytes() const { return state_.to_bytes(); }
    /// Returns the sum that to_bytes() wrote. Throws Error (bad_state): damaged bytes, or those of a sum of another
    /// type.
    [[nodiscard]] static RunningSum from_bytes(std::span<const std::byte> bytes) {
        RunningSum sum;
        sum.state_.from_bytes(bytes);
        return sum;
    }

  private:
    detail::RunningSumState state_;
};

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
