// check_permutations: whether many permutations of [0, n) look like random ones.
//
//     const auto source = [](uint64_t key, std::span<uint32_t> out) {
//         rng::fill(out, rng::permutation{out.size()}.of(rng::Stream{42}, key));
//     };
//     for (const rng::stats::PermutationCheck& check : rng::stats::check_permutations(source, 4096, 100))
//         std::cout << check.name << ' ' << check.p.two_sided() << "\n";
//
// The checks count pairs of values at related places, values by place, fixed points, cycles and signs. They are no part
// of the battery: a permutation repeats no value, so its bytes are not random. docs/statistics/permutation.md has the
// laws. Oracle: tests/stats/test_permutations.cpp lets std::shuffle pass. It finds rounds that are too few, and unfair
// signs.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <rng/stats/p_value.hpp>

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// Writes permutation number `key` of [0, out.size()).
using PermutationSource = std::function<void(uint64_t key, std::span<uint32_t> out)>;

/// One statistic of all permutations together.
struct PermutationCheck {
    std::string name;
    double statistic;
    PValue p;
};

/// Checks permutations 0 ... keys - 1 of [0, n). Takes about 10 bytes for each of n, and 50 ns for each value.
/// Throws Error (invalid_argument): n outside [1024, 2^30], keys 0, a source whose output is no permutation.
[[nodiscard]] std::vector<PermutationCheck> check_permutations(const PermutationSource& source, uint32_t n,
                                                               uint32_t keys);

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
