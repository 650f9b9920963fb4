// Additions by index on CUDA, and counts.
//
// A term is an entry: the key of its place, and its value or the place of its values. A stable sort by the keys makes
// the terms of a place a run, in the order of the index. A thread adds a short run of numbers, a warp a long one, and
// for rows a thread adds some columns of a run. So every sum is computed in one order, without atomics. Only counts use
// atomics: sums of integers are the same in any order.
#pragma once

#include <rng/float16.hpp>

#include "../src/reduce/one_nan.hpp"
#include "search.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::gpu {

inline constexpr unsigned lanes = 32;
inline constexpr unsigned longest_short_run = 96;  // from there on, a thread takes longer than a warp
inline constexpr unsigned longest_short_rows = 64;
inline constexpr unsigned run_tile = 1024;     // entries of which a block adds the short runs
inline constexpr unsigned column_step = 4;     // columns that a thread of AddShortRows adds
inline constexpr unsigned loads_ahead = 4;     // loads that do not wait for each other
inline constexpr unsigned padded_terms = 128;  // AddLongRuns reads this many at a time

/// Elements in lines of `terms` each, by their number: element e is that of term e % terms of line e / terms. If terms
/// is 0, there is one line. Strides count numbers.
template <class V> struct Lines {
    V* data;
    int64_t stride, line_stride;
    uint64_t terms;

    RNG_KERNEL V& operator[](uint64_t e) const;
};

/// True for an integer out of range. A negative one is a large one here.
template <class Index> struct BadPlace {
    Lines<const Index> index;
    uint64_t limit;
    RNG_KERNEL bool operator()(uint64_t e) const;
};

/// Properties of an index, as PreparePlaces and CountPlaces find them.
struct IndexFlags {
    uint32_t has_bad_place, descends;
};

/// Writes the key of each of n integers, place + line * places, and its number to `sources`, unless that is null.
template <class Index> struct PreparePlaces {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    Lines<const Index> index;
    uint64_t n, limit, places;
    uint32_t *keys, *sources;
    IndexFlags* flags;

    RNG_KERNEL void operator()() const;
};

/// terms[i] = alpha times the value of entry sources[i], or i if there are no sources.
template <class T, class S> struct MultiplyTerms {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    Lines<const S> values;
    const uint32_t* sources;
    T* terms;
    uint64_t n;
    T alpha;

    RNG_KERNEL void operator()() const;
};

/// Sorted keys, and the terms that are added to their places. The memory of the terms begins at a multiple of 16 bytes.
template <class T> struct Runs {
    const uint32_t* keys;
    const T* terms;
    uint64_t n;
    Lines<T> out;
};
/// Adds runs of up to longest_short_run terms. Each block takes those that begin in its run_tile entries.
template <class T> struct AddShortRuns {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    Runs<T> runs;

    RNG_KERNEL void operator()() const;
};
/// Adds the other runs. Each of them has an entry whose number is a multiple of longest_short_run: a lane examines each
/// such entry, and the warp adds the runs that it finds.
template <class T> struct AddLongRuns {
    static constexpr unsigned threads = 4 * lanes, resident = 8;
    static constexpr unsigned entries = threads * longest_short_run;  // of a block
    Runs<T> runs;

    RNG_KERNEL void operator()() const;
};

/// Rows of `columns` numbers: those of a sorted entry are added to the row of its key. Strides count numbers. A line
/// has 2^log2_parts numbers, one after the other.
template <class T, class S> struct Rows {
    const uint32_t *keys, *sources;
    uint64_t n;
    const S* values;
    int64_t value_stride, value_line;
    T* out;
    int64_t out_stride, out_line;
    T alpha;
    uint64_t columns;
    uint32_t log2_parts;

    RNG_KERNEL int64_t offset(int64_t line_stride, uint64_t column) const;
    RNG_KERNEL T term(const S* from) const;
};
/// Adds runs of up to longest_short_rows rows. 2^log2_threads threads take an entry, with column_step columns for each.
template <class T, class S> struct AddShortRows {
    static constexpr unsigned threads = 4 * lanes, resident = sizeof(T) == 4 ? 8 : 6;
    Rows<T, S> rows;
    uint32_t log2_threads, blocks_y;

    RNG_KERNEL void operator()() const;
};
/// Adds the other runs, one column in each thread. Block x examines entry x * longest_short_rows, as AddLongRuns does.
template <class T, class S> struct AddLongRows {
    static constexpr unsigned threads = 4 * lanes, resident = 4;
    Rows<T, S> rows;
    uint32_t blocks_y;

    RNG_KERNEL void operator()() const;
};

/// counts[i] += the number of integers i. If in_shared is not 0, it is the number of places, and each block first
/// counts in shared memory.
template <class Index> struct CountPlaces {
    static constexpr unsigned threads = 1024, resident = 1;  // a multiprocessor of 7.5 has no more threads
    const Index* index;
    unsigned long long* counts;
    uint64_t n, limit;
    uint32_t in_shared;
    IndexFlags* flags;

    RNG_KERNEL void operator()() const;
};

#if defined(__CUDACC__)

template <class V> RNG_KERNEL V& Lines<V>::operator[](uint64_t e) const {
    const uint64_t line = terms == 0 ? 0 : e / terms, k = e - line * terms;
    return data[static_cast<int64_t>(k) * stride + static_cast<int64_t>(line) * line_stride];
}

template <class Index> RNG_KERNEL bool BadPlace<Index>::operator()(uint64_t e) const { return index[e] >= limit; }

template <class Index> RNG_KERNEL void PreparePlaces<Index>::operator()() const {
    IndexFlags found{};
    const auto key = [&](uint64_t e, uint64_t place) {
        return static_cast<uint32_t>(place + (index.terms == 0 ? 0 : e / index.terms * places));
    };
    constexpr uint64_t of_block = loads_ahead * threads;
#pragma unroll 1
    for (uint64_t first = blockIdx.x * of_block + threadIdx.x; first < n; first += gridDim.x * of_block) {
        uint64_t place[loads_ahead], next[loads_ahead];
        RNG_UNROLL
        for (unsigned a = 0; a < loads_ahead; ++a) {
            const uint64_t e = first + a * threads;
            place[a] = e < n ? index[e] : 0;
            next[a] = e + 1 < n ? index[e + 1] : ~uint64_t{0};
        }
        RNG_UNROLL
        for (unsigned a = 0; a < loads_ahead; ++a) {
            const uint64_t e = first + a * threads;
            if (e >= n) break;
            const uint32_t own = key(e, place[a]);
            found.has_bad_place |= place[a] >= limit;
            found.descends |= e + 1 < n && key(e + 1, next[a]) < own;
            keys[e] = own;
            if (sources != nullptr) sources[e] = static_cast<uint32_t>(e);
        }
    }
    if (found.has_bad_place) flags->has_bad_place = 1;
    if (found.descends) flags->descends = 1;
}

template <class T, class S> RNG_KERNEL void MultiplyTerms<T, S>::operator()() const {
    constexpr uint64_t of_block = loads_ahead * threads;
    const uint64_t first = blockIdx.x * of_block + threadIdx.x;
    T value[loads_ahead];
    RNG_UNROLL
    for (unsigned a = 0; a < loads_ahead; ++a) {
        const uint64_t i = first + a * threads;
        value[a] = i < n ? widened<T>(values[sources == nullptr ? i : sources[i]]) : T{0};
    }
    RNG_UNROLL
    for (unsigned a = 0; a < loads_ahead; ++a) {
        const uint64_t i = first + a * threads;
        if (i < n) terms[i] = Scalar::mul(value[a], alpha);
    }
}

template <class T> RNG_KERNEL void AddShortRuns<T>::operator()() const {
    constexpr unsigned near = run_tile + longest_short_run, words = near / lanes;
    __shared__ T term[near];
    __shared__ uint32_t are_heads[words], heads_before[words], head[near];
    const uint64_t begin = uint64_t{blockIdx.x} * run_tile;
    const unsigned lane = threadIdx.x % lanes;
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < near; i += threads) {
        const uint64_t at = begin + i;
        if (at < runs.n) term[i] = runs.terms[at];
        // The end of all entries ends a run as a head does.
        const bool is_head = at < runs.n ? at == 0 || runs.keys[at] != runs.keys[at - 1] : at == runs.n;
        const uint32_t word = __ballot_sync(~0u, is_head);
        if (lane == 0) are_heads[i / lanes] = word;
    }
    __syncthreads();
    if (threadIdx.x < words) {
        uint32_t sum = 0;
        for (unsigned w = 0; w < words; ++w) sum += w < threadIdx.x ? __popc(are_heads[w]) : 0;
        heads_before[threadIdx.x] = sum;
    }
    __syncthreads();
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < near; i += threads) {
        const uint32_t word = are_heads[i / lanes];
        if (word >> lane & 1) head[heads_before[i / lanes] + __popc(word & ((1u << lane) - 1))] = i;
    }
    __syncthreads();
    const uint32_t all = heads_before[words - 1] + __popc(are_heads[words - 1]), own = heads_before[run_tile / lanes];
#pragma unroll 1
    for (uint32_t r = threadIdx.x; r < own && r + 1 < all; r += threads) {
        const uint32_t first = head[r], last = head[r + 1];
        if (last - first > longest_short_run) continue;
        T* const to = &runs.out[runs.keys[begin + first]];
        T sum = *to;
#pragma unroll 4
        for (uint32_t i = first; i < last; ++i) sum = Scalar::add(sum, term[i]);
        *to = with_one_nan(sum);
    }
}

/// Returns the first of [begin, end) at which is_past is true; end if there is none. All before it are false. A whole
/// warp calls it; its lanes try 32 at a time.
template <class F> RNG_KERNEL uint64_t first_past_of_warp(uint64_t begin, uint64_t end, const F& is_past) {
    const unsigned lane = threadIdx.x % lanes;
#pragma unroll 1
    while (begin < end) {
        const uint64_t step = (end - begin + lanes - 1) / lanes, at = begin + lane * step;
        const uint32_t past = __ballot_sync(~0u, at >= end || is_past(at));
        if (past & 1) return begin;
        const unsigned before = past == 0 ? lanes : __ffs(static_cast<int>(past)) - 1;  // lanes that are not past
        const uint64_t tried = begin + before * step;
        end = tried < end ? tried : end;
        begin += (before - 1) * step + 1;
    }
    return end;
}

struct PlaceRun {
    uint64_t begin, end;
};
/// True if entry `at`, a multiple of `longest`, may be the first such entry of a run of more than `longest`. Such a run
/// also has the entry longest / 2 before it, or that after it.
RNG_KERNEL bool may_be_long(const uint32_t* keys, uint64_t n, uint64_t at, unsigned longest) {
    const uint32_t key = keys[at];
    if (at > 0 && keys[at - longest] == key) return false;
    return (at > 0 && keys[at - longest / 2] == key) || (at + longest / 2 < n && keys[at + longest / 2] == key);
}
/// Returns the run of an entry for which may_be_long is true. A whole warp calls it.
RNG_KERNEL PlaceRun run_of(const uint32_t* keys, uint64_t n, uint64_t at, unsigned longest) {
    const uint32_t key = keys[at];
    return {first_past_of_warp(at > 0 ? at - longest + 1 : 0, at, [&](uint64_t i) { return keys[i] == key; }),
            first_past_of_warp(at + 1, n, [&](uint64_t i) { return keys[i] != key; })};
}

/// 16 bytes of numbers.
template <class T> struct alignas(16) Quad {
    static constexpr unsigned size = 16 / sizeof(T);
    T v[size];
};

/// Copies `bytes` bytes, at most 16, to shared memory. They are there after wait_for_copies().
RNG_KERNEL void copy_ahead(void* to, const void* from, unsigned bytes) {
#if __CUDA_ARCH__ >= 800
    asm volatile(
        "cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
        "l"(from), "r"(bytes)
        : "memory");
#else
    for (unsigned i = 0; i < bytes / 4; ++i) static_cast<uint32_t*>(to)[i] = static_cast<const uint32_t*>(from)[i];
#endif
}
RNG_KERNEL void end_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// Waits for the copies of the calling thread, except those of the last `Pending` groups.
template <int Pending> RNG_KERNEL void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
#endif
}

template <class T> RNG_KERNEL void AddLongRuns<T>::operator()() const {
    constexpr unsigned stages = 8, tile = lanes * Quad<T>::size;
    static_assert(padded_terms % tile == 0);
    __shared__ Quad<T> buffer[threads / lanes][stages][lanes];
    const unsigned lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
    const uint64_t first = (uint64_t{blockIdx.x} * threads + warp * lanes) * longest_short_run;
    const uint64_t own = first + lane * longest_short_run;
    uint32_t found = __ballot_sync(~0u, own < runs.n && may_be_long(runs.keys, runs.n, own, longest_short_run));
#pragma unroll 1
    for (; found != 0; found &= found - 1) {
        const uint64_t at = first + (__ffs(static_cast<int>(found)) - 1) * longest_short_run;
        const PlaceRun run = run_of(runs.keys, runs.n, at, longest_short_run);
        if (run.end - run.begin <= longest_short_run) continue;
        T* const to = &runs.out[runs.keys[at]];
        T sum = *to;
        const uint64_t base = run.begin / tile * tile, tiles = divided_up(run.end - base, tile);
        const auto load = [&](uint64_t t) {
            const uint64_t from = base + t * tile + lane * Quad<T>::size;
            if (from < run.end) {
                const uint64_t left = (run.end - from) * sizeof(T);
                copy_ahead(&buffer[warp][t % stages][lane], runs.terms + from,
                           left < 16 ? static_cast<unsigned>(left) : 16);
            }
            end_copies();
        };
        for (unsigned t = 0; t < stages - 1; ++t) load(t);
#pragma unroll 1
        for (uint64_t t = 0; t < tiles; ++t) {
            load(t + stages - 1);
            wait_for_copies<stages - 1>();
            __syncwarp();
            const Quad<T>* const quads = buffer[warp][t % stages];
            const unsigned begin = t == 0 ? static_cast<unsigned>(run.begin - base) : 0;
            const unsigned end = t + 1 == tiles ? static_cast<unsigned>(run.end - base - t * tile) : tile;
            if (end - begin == tile) {
                RNG_UNROLL
                for (unsigned q = 0; q < lanes; ++q) {
                    const Quad<T> x = quads[q];
                    RNG_UNROLL
                    for (unsigned i = 0; i < Quad<T>::size; ++i) sum = Scalar::add(sum, x.v[i]);
                }
            } else {
#pragma unroll 1
                for (unsigned i = begin; i < end; ++i)
                    sum = Scalar::add(sum, quads[i / Quad<T>::size].v[i % Quad<T>::size]);
            }
            __syncwarp();
        }
        if (lane == 0) *to = with_one_nan(sum);
    }
}

template <class T, class S> RNG_KERNEL int64_t Rows<T, S>::offset(int64_t line_stride, uint64_t column) const {
    return static_cast<int64_t>(column >> log2_parts) * line_stride +
           static_cast<int64_t>(column & ((1u << log2_parts) - 1));
}
template <class T, class S> RNG_KERNEL T Rows<T, S>::term(const S* from) const {
    return Scalar::mul(widened<T>(*from), alpha);
}

template <class T, class S> RNG_KERNEL void AddShortRows<T, S>::operator()() const {
    const uint64_t e = (uint64_t{blockIdx.x} * threads + threadIdx.x) >> log2_threads;
    const uint32_t across = 1u << log2_threads, *const keys = rows.keys;
    if (e >= rows.n) return;
    const uint32_t key = keys[e];
    if ((e > 0 && keys[e - 1] == key) || (e + longest_short_rows < rows.n && keys[e + longest_short_rows] == key))
        return;
#pragma unroll 1
    for (uint64_t first = uint64_t{blockIdx.y} * across * column_step + (threadIdx.x & (across - 1));
         first < rows.columns; first += uint64_t{blocks_y} * across * column_step) {
        int64_t from[column_step];
        T* to[column_step];
        T sum[column_step];
        bool inside[column_step];
        RNG_UNROLL
        for (unsigned c = 0; c < column_step; ++c) {
            const uint64_t column = first + c * across;
            inside[c] = column < rows.columns;
            const uint64_t it = inside[c] ? column : first;
            from[c] = rows.offset(rows.value_line, it);
            to[c] = rows.out + int64_t{key} * rows.out_stride + rows.offset(rows.out_line, it);
            sum[c] = *to[c];
        }
        bool more = true;
#pragma unroll 1
        for (uint64_t i = e; more; i += loads_ahead) {
            T term[loads_ahead][column_step];
            bool is_there[loads_ahead];
            RNG_UNROLL
            for (unsigned a = 0; a < loads_ahead; ++a) {
                is_there[a] = i + a < rows.n && keys[i + a] == key;
                const S* const values =
                    rows.values + (is_there[a] ? int64_t{rows.sources[i + a]} : 0) * rows.value_stride;
                RNG_UNROLL
                for (unsigned c = 0; c < column_step; ++c)
                    term[a][c] = is_there[a] && inside[c] ? rows.term(values + from[c]) : T{0};
            }
            RNG_UNROLL
            for (unsigned a = 0; a < loads_ahead; ++a) RNG_UNROLL
            for (unsigned c = 0; c < column_step; ++c) sum[c] = is_there[a] ? Scalar::add(sum[c], term[a][c]) : sum[c];
            more = is_there[loads_ahead - 1];
        }
        RNG_UNROLL
        for (unsigned c = 0; c < column_step; ++c)
            if (inside[c]) *to[c] = with_one_nan(sum[c]);
    }
}

template <class T, class S> RNG_KERNEL void AddLongRows<T, S>::operator()() const {
    // Values that are loaded while others are added; numbers of sources that the block loads together.
    constexpr unsigned ahead = 128 / sizeof(T), staged = threads;
    static_assert(staged % ahead == 0);
    __shared__ uint32_t sources[3][staged];  // the previous, the current and the next ones
    const uint64_t at = uint64_t{blockIdx.x} * longest_short_rows;
    if (!may_be_long(rows.keys, rows.n, at, longest_short_rows)) return;
    const PlaceRun run = run_of(rows.keys, rows.n, at, longest_short_rows);
    const uint64_t n = run.end - run.begin;
    if (n <= longest_short_rows) return;
    const auto stage = [&](uint64_t from) {
        if (from + threadIdx.x < n)
            sources[from / staged % 3][threadIdx.x] = rows.sources[run.begin + from + threadIdx.x];
    };
#pragma unroll 1
    for (uint64_t first = uint64_t{blockIdx.y} * threads; first < rows.columns; first += uint64_t{blocks_y} * threads) {
        const bool inside = first + threadIdx.x < rows.columns;
        const uint64_t column = inside ? first + threadIdx.x : first;
        const S* const values = rows.values + rows.offset(rows.value_line, column);
        T* const to = rows.out + int64_t{rows.keys[at]} * rows.out_stride + rows.offset(rows.out_line, column);
        const auto left = [&](uint64_t k) { return k + ahead <= n ? ahead : k < n ? static_cast<unsigned>(n - k) : 0; };
        const auto load = [&](T(&term)[ahead], uint64_t k) {
            const uint32_t* const source = sources[k / staged % 3] + k % staged;
            const unsigned there = left(k);
            RNG_UNROLL
            for (unsigned a = 0; a < ahead; ++a)
                term[a] = a < there ? rows.term(values + int64_t{source[a]} * rows.value_stride) : T{0};
        };
        T sum = *to, now[ahead], next[ahead];
        const auto add = [&](const T(&term)[ahead], uint64_t k) {
            const unsigned there = left(k);
            RNG_UNROLL
            for (unsigned a = 0; a < ahead; ++a) sum = a < there ? Scalar::add(sum, term[a]) : sum;
        };
        __syncthreads();  // the sources of the columns before are no longer needed
        stage(0);
        __syncthreads();
        load(now, 0);
#pragma unroll 1
        for (uint64_t k = 0; k < n; k += 2 * ahead) {
            if (k % staged == 0) {
                stage(k + staged);
                __syncthreads();
            }
            load(next, k + ahead);
            add(now, k);
            load(now, k + 2 * ahead);
            add(next, k + ahead);
        }
        if (inside) *to = with_one_nan(sum);
    }
}

template <class Index> RNG_KERNEL void CountPlaces<Index>::operator()() const {
    extern __shared__ uint32_t counted[];
    for (unsigned p = threadIdx.x; p < in_shared; p += threads) counted[p] = 0;
    __syncthreads();
    bool has_bad = false;
    const unsigned lane = threadIdx.x % lanes;
    const uint64_t of_grid = uint64_t{gridDim.x} * threads;
#pragma unroll 1
    for (uint64_t first = thread_index(); first - lane < n; first += loads_ahead * of_grid) {
        uint64_t place[loads_ahead];
        RNG_UNROLL
        for (unsigned a = 0; a < loads_ahead; ++a)
            place[a] = first + a * of_grid < n ? index[first + a * of_grid] : ~uint64_t{0};
        RNG_UNROLL
        for (unsigned a = 0; a < loads_ahead; ++a) {
            const bool is_place = place[a] < limit;
            has_bad |= !is_place && first + a * of_grid < n;
            if (in_shared != 0) {
                if (is_place) atomicAdd(counted + place[a], 1u);
                continue;
            }
            // A warp that has one place 32 times adds 32 once.
            const bool is_one = __ballot_sync(~0u, place[a] == __shfl_sync(~0u, place[a], 0)) == ~0u;
            if (is_place && (!is_one || lane == 0)) atomicAdd(counts + place[a], is_one ? lanes : 1ull);
        }
    }
    if (has_bad) flags->has_bad_place = 1;
    __syncthreads();
    for (unsigned p = threadIdx.x; p < in_shared; p += threads)
        if (counted[p] != 0) atomicAdd(counts + p, static_cast<unsigned long long>(counted[p]));
}

#endif

}  // namespace detail::gpu
RNG_END_NAMESPACE
