// The sizes that decide how the library makes many values on the host. No bit of a result depends on them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../core/config.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

// ---- One fill (src/prepared_fill.hpp)

/// The words of a tile, 8 KiB. Engine and map take turns on tiles, which stay in the L1 cache between them.
inline constexpr uint64_t tile_words = 2048;
/// The words of a small tile, for values that begin or end inside a block, or that fill no register. A multiple of the
/// values that any map makes at a time.
inline constexpr uint64_t partial_tile_words = 512;
/// The least part that is worth a thread: about 10 microseconds of work.
inline constexpr size_t least_part_bytes = size_t{128} << 10;
/// From here on a fill takes 512-bit vectors on processors that slow down for a millisecond after them.
inline constexpr size_t wide_vectors_bytes = size_t{256} << 10;

// ---- Rejected values of samplers (src/retries.cpp)

/// The values that are retried together, at most: a batch takes 30 to 60 KB of the stack.
inline constexpr size_t most_in_batch = 256;
/// The values for which a vector costs less than making each by itself.
inline constexpr size_t least_batch = 2;

// ---- Values in chunks

/// sample() makes as many bytes at a time as the cache of one core holds.
inline constexpr size_t sample_chunk_bytes = size_t{256} << 10;
/// AnyDistribution asks between chunks whether to go on: after a millisecond of one core's work, and on devices after
/// what keeps one busy.
inline constexpr size_t chunk_bytes = size_t{4} << 20, device_chunk_bytes = size_t{64} << 20;
/// A buffer of next values (ValueRun) takes 1 KiB, and 4 KiB of a sampler's values, so that rejected ones are retried
/// many together. It begins with few values, because many programs draw no more.
inline constexpr unsigned run_bytes = 1024, sampler_run_bytes = 4096, first_run = 16;
/// The words that an engine of <random> makes at a time (TileBuffer). Half as many make a call a tenth slower.
inline constexpr size_t engine_buffer_words = 512;

// ---- Matrices (src/fill.cpp): a tile of a matrix whose columns are contiguous

inline constexpr size_t tile_rows = 16, tile_row_bytes = 1024;

// ---- Parameters that differ from value to value (fill_each.hpp)

/// The values that are worth a thread: 100 microseconds of work.
inline constexpr size_t least_each = 2048;
/// The counts that are made together, at most.
inline constexpr size_t counts_together = 512;

// ---- Rows (fill_rows.hpp)

/// The rows that are made together, at most, and at least.
inline constexpr size_t rows_together = 256, least_rows = 32;
/// The numbers in the columns of rows that are made together: they stay in the second-level cache. Rows of more than
/// most_columns have no columns.
inline constexpr size_t elements_together = 16384, most_columns = 4096;

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
