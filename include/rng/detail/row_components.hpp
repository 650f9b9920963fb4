// Rows whose components are values of one sampler each: fills make a component of many rows at a time (src/rows.cpp).
#pragma once

#include "fill_request.hpp"
#include "row.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// So many rows are made together at most.
inline constexpr size_t rows_together = 256;

/// The private streams of some rows, up to rows_together. Kept: the blocks that name them, and the last block of each
/// that was asked for, since several components may lie in one.
class RowStreams {
  public:
    /// `first` is positioned at the slot of the first row.
    RNG_API RowStreams(const StreamRecord& first, size_t rows);

    /// Writes component j of the rows, `stride` bytes apart. The law is of the catalogue, a sampler that reads domain
    /// 0. Only the engine of the request's stream counts.
    RNG_API void fill_components(const FillRequest& law, uint64_t j, std::byte* out, ptrdiff_t stride);

  private:
    static constexpr size_t most_block_words = 8;

    size_t rows_, block_words_;
    uint64_t number_ = ~uint64_t{0};  // of the kept blocks
    alignas(64) uint32_t names_[rows_together * most_block_words];
    alignas(64) uint32_t blocks_[rows_together * most_block_words];
};

/// A distribution whose component j is at(P, component_law(j), j), and whose finish() makes the row of them.
template <class D>
concept has_component_laws = requires(const D& dist) {
    dist.component_law(uint64_t{});
};

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
