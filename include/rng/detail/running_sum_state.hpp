// The state behind RunningSum, for sums of any type.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "reduction.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The complete nodes of a sum's tree, and the elements of incomplete leaves. Floats are kept as the same numbers in
/// double.
class RNG_API RunningSumState {
  public:
    RunningSumState(StoredReal stored, int parts, bool in_double)
        : stored_(stored), parts_(parts), in_double_(in_double) {}

    void push(const void* values, uint64_t n, uint64_t first);
    void merge(const RunningSumState& other);
    void total(void* out) const;
    [[nodiscard]] uint64_t size() const;
    [[nodiscard]] std::vector<std::byte> to_bytes() const;
    /// Throws Error (bad_state): damaged bytes, or bytes of a sum of another type.
    void from_bytes(std::span<const std::byte> bytes);

  private:
    static constexpr size_t leaf_size = 1024;
    struct Node {
        int level;  // the node stands for 2^level leaves
        std::array<double, 2> sum;
    };
    struct OpenLeaf {
        std::bitset<leaf_size> known;
        std::vector<double> numbers;
    };

    [[nodiscard]] bool has_any(uint64_t first, uint64_t last, uint64_t& where) const;
    [[nodiscard]] bool push_to_open_leaf(const void* values, uint64_t n, uint64_t first);
    void insert(uint64_t leaf, Node node);
    void add_open(uint64_t leaf, const OpenLeaf& part);
    [[nodiscard]] Node node_of(const void* values, uint64_t first, uint64_t n, int level) const;
    [[nodiscard]] std::array<double, 2> sum_of(const OpenLeaf& leaf, size_t n) const;

    StoredReal stored_;
    int parts_;
    bool in_double_;
    std::map<uint64_t, Node> nodes_;  // by their first leaf; no two of them form a greater node
    std::map<uint64_t, OpenLeaf> open_;
};

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
