// Sorting whole numbers by digits, from the lowest one on: several times as fast as comparing them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace rng::stats {

/// Sorts fewer than 2^32 values by their low bits: at least `bits` of them, in whole digits of 11. Values that are
/// equal there keep their order. The scratch memory grows to the number of values.
template <class T> void radix_sort(std::span<T> values, std::vector<T>& scratch, int bits) {
    constexpr int digit_bits = 11;  // three passes for 32 bits, and counters that stay in the first-level cache
    constexpr T mask = (T{1} << digit_bits) - 1;
    scratch.resize(std::max(scratch.size(), values.size()));
    T *from = values.data(), *to = scratch.data();
    const std::size_t n = values.size();
    for (int shift = 0; shift < bits; shift += digit_bits) {
        std::array<uint32_t, std::size_t{1} << digit_bits> start{};
        for (std::size_t i = 0; i < n; ++i) ++start[from[i] >> shift & mask];
        uint32_t sum = 0;
        for (uint32_t& s : start) sum += std::exchange(s, sum);
        for (std::size_t i = 0; i < n; ++i) to[start[from[i] >> shift & mask]++] = from[i];
        std::swap(from, to);
    }
    if (from != values.data()) std::copy_n(from, n, values.data());
}

}  // namespace rng::stats
