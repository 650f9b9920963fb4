// Rows whose components are values of their private streams. A fill computes the same component of many rows at a time,
// and then finishes many rows at a time, in vectors (src/rows.cpp).
#pragma once

#include "fill_request.hpp"
#include "fill_sizes.hpp"
#include "row.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The private streams of some rows, up to rows_together. The class keeps the blocks that determine the streams, the
/// last block that was read of each stream, since several components may lie in it, and the last values of a map of
/// pairs.
class RowStreams {
  public:
    /// `first` is positioned at the slot of the first row.
    RNG_API RowStreams(const StreamRecord& first, size_t rows);

    /// Writes at(P, distribution, j) of the rows' streams P, `stride` bytes apart. The distribution must be in the
    /// catalogue. If its map computes pairs, all calls with such a distribution must have the same one. The stream of
    /// the request is not used.
    RNG_API void fill_component(const FillRequest& base, uint64_t j, std::byte* out, ptrdiff_t stride);

    /// Writes at(fork(tag) of P, binomial{trials[i], p}, 0) of the rows' streams P.
    RNG_API void fill_binomials(uint64_t tag, const uint64_t* trials, double p, uint64_t* counts);

  private:
    static constexpr size_t most_block_words = 8, most_unit_words = 4, most_unit_bytes = 16;
    static constexpr uint64_t none = ~uint64_t{0};

    /// Computes the values of the unit that begins at `word`, those of each row side by side.
    void make_unit(const FillRequest& base, uint64_t word);

    Engine engine_;
    size_t rows_, block_words_;
    uint64_t block_ = none, pair_ = none;  // what is kept: a block and its domain, the first word of a pair
    unsigned domain_ = 0;
    alignas(64) uint32_t names_[rows_together * most_block_words];
    alignas(64) uint32_t blocks_[rows_together * most_block_words];
    alignas(64) uint32_t units_[rows_together * most_unit_words];
    alignas(64) std::byte values_[rows_together * most_unit_bytes];
};

/// Calls the finish() of distribution `index` of rows_of_components for as many of the first rows as whole vectors
/// hold. Returns their number. Element j of row i is at place i of column j; `height` numbers lie between columns.
[[nodiscard]] RNG_API size_t finish_rows(int index, const void* dist, void* columns, size_t height, size_t rows);

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
