// RankLayout: rows or elements that are spread over ranks, and the assignment of whole blocks of them to ranks.
//
// A rank owns the blocks that begin in its part. Its first items may belong to a block that begins before them. These
// items, fewer than a block, move to the owner of that block. After that no rank has a part of a block.
#pragma once

#include "rank_call.hpp"

#include <algorithm>

RNG_BEGIN_NAMESPACE
namespace detail {

/// A node of the tree over blocks: blocks [index 2^level, (index + 1) 2^level), as far as they exist.
struct RankNode {
    int level;
    uint64_t index;
    size_t first, count;  ///< its items, counted from this rank's first
};

class RankLayout {
  public:
    /// Collective. Throws Error (invalid_argument) on all ranks unless the parts of the ranks, in their order, are the
    /// items [0, total). The first item of a rank without items is ignored. `item` is the name of an item in messages.
    RankLayout(RankCall& call, const char* item, uint64_t first, uint64_t count, uint64_t total, size_t block);

    [[nodiscard]] RankCall& call() const { return *call_; }
    [[nodiscard]] uint64_t total() const { return given_.back(); }
    [[nodiscard]] uint64_t blocks() const { return blocks_of(total()); }

    [[nodiscard]] uint64_t given_first() const { return given_[rank_]; }
    [[nodiscard]] size_t given_count() const { return static_cast<size_t>(given_[rank_ + 1] - given_[rank_]); }
    [[nodiscard]] uint64_t first() const { return owned_[rank_]; }  ///< of the items that this rank owns
    [[nodiscard]] size_t count() const { return static_cast<size_t>(owned_[rank_ + 1] - owned_[rank_]); }
    /// The first items given, which another rank owns.
    [[nodiscard]] size_t head() const {
        return static_cast<size_t>(std::min(owned_[rank_], given_[rank_ + 1]) - given_[rank_]);
    }
    /// The last items owned, which were given to other ranks.
    [[nodiscard]] size_t tail() const { return count() == 0 ? 0 : count() - (given_count() - head()); }
    /// Returns the rank that owns a block.
    [[nodiscard]] int owner(uint64_t of_block) const;

    /// Sends the head to its owner, and returns the tail. Each item has `bytes` bytes. Collective: if a rank has no
    /// memory for its tail, nothing is sent, and all throw Error (ranks).
    [[nodiscard]] std::vector<std::byte> moved(std::span<std::byte> head, size_t bytes) const;
    /// moved() for items of different sizes.
    [[nodiscard]] std::vector<std::byte> moved(std::span<std::byte> head, std::span<const uint64_t> tail_bytes) const;
    /// Sends the tail back, and writes the head. Each item has `bytes` bytes.
    void move_back(std::span<std::byte> tail, size_t bytes, std::span<std::byte> head) const;

    /// Returns the fewest nodes that make up the blocks of a rank, from the first on.
    [[nodiscard]] std::vector<RankNode> cover(int rank) const;
    /// Returns the nodes that this rank computes: its cover, but with a last block that has a tail as a node by itself.
    [[nodiscard]] std::vector<RankNode> slabs() const;
    /// True if all blocks lie in node (level, 0).
    [[nodiscard]] bool is_top(int level) const { return level > 63 || blocks() <= uint64_t{1} << level; }

  private:
    /// Items of the tail that one rank was given.
    struct Source {
        int rank;
        size_t first, count;  // in the tail
    };
    /// The number of blocks that have one of the first `items` items.
    [[nodiscard]] uint64_t blocks_of(uint64_t items) const { return items / block_ + (items % block_ != 0 ? 1 : 0); }
    void append_cover(uint64_t begin, uint64_t end, uint64_t first_item, uint64_t last_item,
                      std::vector<RankNode>& to) const;

    RankCall* call_;
    size_t block_, rank_;
    std::vector<uint64_t> given_, owned_;  // the first item of each rank, and the total
    std::vector<Source> sources_;
};

}  // namespace detail
RNG_END_NAMESPACE
