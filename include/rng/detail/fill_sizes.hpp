// The sizes by which the library divides the work of many values on the host. No bit of a result depends on them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../core/config.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

// ---- One fill (src/prepared_fill.hpp)

/// The words of a tile, 8 KiB. The engine writes a tile and the map reads it while it is in the L1 cache.
inline constexpr uint64_t tile_words = 2048;
/// The words of a small tile, for values that begin or end inside a block, or that do not fill a register. It is a
/// multiple of the values that any map computes at a time.
inline constexpr uint64_t partial_tile_words = 512;
/// The smallest part that gets a thread: about 10 microseconds of work.
inline constexpr size_t least_part_bytes = size_t{128} << 10;
/// Fills of this size and above use 512-bit vectors also on processors that slow down for a millisecond afterwards.
inline constexpr size_t wide_vectors_bytes = size_t{256} << 10;

// ---- Rejected values of samplers (src/retries.cpp)

/// The most values that are retried together: a batch takes 30 to 60 KB of the stack.
inline constexpr size_t most_in_batch = 256;
/// The fewest values for which a vector costs less than computing each by itself.
inline constexpr size_t least_batch = 2;

// ---- Values in chunks

/// sample() computes this many bytes at a time, which fit the cache of one core.
inline constexpr size_t sample_chunk_bytes = size_t{256} << 10;
/// AnyDistribution calls its callback between chunks: after a millisecond of one core's work and, on devices, after
/// enough work to keep one busy.
inline constexpr size_t chunk_bytes = size_t{4} << 20, device_chunk_bytes = size_t{64} << 20;
/// The bytes of a ValueRun, a buffer of next values. It is larger for samplers, so that many rejected values are
/// retried together. Its first run is short, because many programs draw no more values.
inline constexpr unsigned run_bytes = 1024, sampler_run_bytes = 4096, first_run = 16;
/// The words that an engine of <random> computes at a time (TileBuffer). With half as many, a call takes a tenth
/// longer.
inline constexpr size_t engine_buffer_words = 512;

// ---- Matrices (src/fill.cpp): a tile of a matrix whose columns are contiguous

inline constexpr size_t tile_rows = 16, tile_row_bytes = 1024;

// ---- Parameters that differ from value to value (fill_each.hpp)

/// The fewest values that get a thread: 100 microseconds of work.
inline constexpr size_t least_each = 2048;
/// The most counts that are computed together.
inline constexpr size_t counts_together = 512;

// ---- Rows (fill_rows.hpp)

/// The most and the fewest rows that are computed together.
inline constexpr size_t rows_together = 256, least_rows = 32;
/// The most numbers in rows that are computed together, column by column: they stay in the second-level cache. Rows of
/// more than most_columns elements are computed in the destination itself, without such columns.
inline constexpr size_t elements_together = 16384, most_columns = 4096;

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
