// The table of kernels that each instruction set exports: functions for each engine and for each map, and none for each
// pair of them.
//
// The table is plain data outside the tagged namespaces, so it has the same type in every object file. To be safe at
// link time, the per-ISA files include no std templates and export kernel_table() only (tests/check_isa_symbols.py).
#pragma once

#include <rng/detail/tile.hpp>
#include <rng/distributions/list.hpp>

#include "../reduce/kernels/abi.hpp"
#include "../svd/kernels/abi.hpp"

namespace rng_abi {

/// Writes blocks [first, first + count) of a stream's domain, as 32-bit words in stream order.
using BlocksFunction = void (*)(uint32_t* out, uint64_t first, uint64_t count, unsigned domain, uint64_t id,
                                const uint64_t* key);

/// Writes block `number` of a domain for each of n child streams, which the n blocks `names` determine, as in fork().
using ChildBlocksFunction = void (*)(const uint32_t* names, uint64_t number, unsigned domain, uint32_t* out, size_t n);

/// Writes n blocks of one stream: block number[i] of domain domain[i].
using ScatteredBlocksFunction = void (*)(const uint64_t* number, const uint32_t* domain, uint64_t id,
                                         const uint64_t* key, uint32_t* out, size_t n);

/// Writes values first ... first + count - 1 of the permutation of [0, n) with these keys (of detail::Feistel), as
/// integers of 4 or 8 bytes. Requires n > 2048.
using PermuteFunction = void (*)(uint64_t n, const uint32_t* keys, uint64_t first, void* out, size_t count,
                                 size_t value_bytes);

/// Finishes whole vectors of rows that lie in columns, and returns the number of these rows (rng::detail::finish_rows).
using FinishRowsFunction = size_t (*)(const void* distribution, void* columns, size_t height, size_t rows);

/// Writes the counts of n words: by binomial distributions of trials[i] and p[i] or, with null trials, by Poisson
/// distributions of means p[i].
using CountsFunction = void (*)(const uint64_t* trials, const double* p, const uint64_t* words, uint64_t* counts,
                                size_t n);

/// Some coordinates of successive Sobol points.
struct SobolWalk {
    static constexpr size_t most_columns = 64;
    const uint64_t* table;  // of Sobol points, from the first of these columns on
    size_t dimensions;      // numbers in a row of the table
    uint64_t number;        // of the first point
    size_t rows, columns;
    uint64_t* point;       // the first point; at the end, the point after the last one
    ptrdiff_t row_stride;  // in numbers, from a row of the result to the next
};
/// Writes the numbers of a walk, columns side by side. Returns false, and does nothing, if there are too few columns.
using SobolFunction = bool (*)(const SobolWalk& walk, void* out);

struct KernelTable {
    const BlocksFunction* blocks;                     // by Engine
    const ChildBlocksFunction* child_blocks;          // by Engine
    const ScatteredBlocksFunction* scattered_blocks;  // by Engine
    const MapFunctions* const* maps;                  // by index in the catalogue
    const LinalgFunctions* linalg;
    PermuteFunction permute;
    const FinishRowsFunction* finish_rows;  // by index in rows_of_components; null: there are no vectors
    CountsFunction binomial_counts, poisson_counts;
    SobolFunction sobol_f32, sobol_f64;  // null: there are no vectors
    const SumFunctions* sums;
};

}  // namespace rng_abi

RNG_BEGIN_NAMESPACE
namespace detail {

/// rng_abi::KernelTable::maps of an instruction set: isa_maps.cpp.in has the definition.
struct MapPointers {
    const rng_abi::MapFunctions* all[catalogue::size];
};
extern const MapPointers kernel_maps;

}  // namespace detail
RNG_END_NAMESPACE
