// Additions by index on CUDA, and counts.
//
// The terms are sorted by their place. Then one thread adds the terms of a place, in the index's order. Only bincount
// has atomics: it counts in integers, which any order gives.
#pragma once

#include <rng/float16.hpp>

#include "../src/reduce/one_nan.hpp"
#include "search.hpp"
#include "sort.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::gpu {

/// Integers of an index, as unsigned ones: element e is that of term e % terms of line e / terms.
template <class Index> struct IndexOf {
    const Index* data;
    int64_t stride, line_stride;
    uint64_t terms;

    RNG_KERNEL uint64_t at(uint64_t e) const;
};

/// An integer that names no place. A negative one is a great one here.
template <class Index> struct BadPlace {
    IndexOf<Index> index;
    uint64_t limit;
    RNG_KERNEL bool operator()(uint64_t e) const;
};

/// Makes an entry of each integer: its place, its line, its term.
template <class Index> struct PlaceEntries {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    IndexOf<Index> index;
    Entry* entries;
    uint64_t n;

    RNG_KERNEL void operator()() const;
};

/// Adds alpha times the values of sorted entries to the places that they name. An entry stands for `lines` lines from
/// its own on, of `parts` numbers each. Strides count numbers. A thread adds all terms of one number: it is that of the
/// first entry of a place and a line.
template <class T, class S> struct AddRuns {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    const Entry* entries;
    uint64_t n, lines;
    const S* values;
    int64_t value_stride, value_line;
    T* out;
    int64_t out_stride, out_line;
    T alpha;
    uint32_t parts;

    RNG_KERNEL void operator()() const;
};

/// counts[i] += how often the integer i occurs.
template <class Index> struct CountPlaces {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    const Index* index;
    unsigned long long* counts;
    uint64_t n;

    RNG_KERNEL void operator()() const;
};

#if defined(__CUDACC__)

template <class Index> RNG_KERNEL uint64_t IndexOf<Index>::at(uint64_t e) const {
    const uint64_t line = e / terms, k = e - line * terms;
    return data[static_cast<int64_t>(k) * stride + static_cast<int64_t>(line) * line_stride];
}

template <class Index> RNG_KERNEL bool BadPlace<Index>::operator()(uint64_t e) const { return index.at(e) >= limit; }

template <class Index> RNG_KERNEL void PlaceEntries<Index>::operator()() const {
    const uint64_t e = thread_index();
    if (e >= n) return;
    const uint64_t line = e / index.terms;
    entries[e] = {static_cast<uint32_t>(index.at(e)), static_cast<uint32_t>(line),
                  static_cast<uint32_t>(e - line * index.terms)};
}

template <class T, class S> RNG_KERNEL void AddRuns<T, S>::operator()() const {
    constexpr int ahead = 8;  // terms that are loaded together: each addition waits for the one before it
    const uint64_t numbers = lines * parts, t = thread_index(), e = t / numbers, j = t - e * numbers;
    if (e >= n) return;
    const Entry own = entries[e];
    const auto is_own = [&](const Entry& other) { return other.row == own.row && other.col == own.col; };
    if (e > 0 && is_own(entries[e - 1])) return;
    const auto line = static_cast<int64_t>(own.col + j / parts);
    const S* const from = values + line * value_line + static_cast<int64_t>(j % parts);
    T* const to = out + static_cast<int64_t>(own.row) * out_stride + line * out_line + static_cast<int64_t>(j % parts);
    T sum = *to;
    bool more = true;
#pragma unroll 1
    for (uint64_t i = e; more; i += ahead) {
        T term[ahead];
        bool is_there[ahead];
        RNG_UNROLL
        for (int a = 0; a < ahead; ++a) {
            const uint64_t at = i + static_cast<uint64_t>(a);
            const Entry other = entries[at < n ? at : e];
            is_there[a] = at < n && is_own(other);
            const T value = is_there[a] ? widened<T>(from[int64_t{other.source} * value_stride]) : T{0};
            term[a] = Scalar::mul(value, alpha);
        }
        RNG_UNROLL
        for (int a = 0; a < ahead; ++a) sum = is_there[a] ? Scalar::add(sum, term[a]) : sum;
        more = is_there[ahead - 1];
    }
    *to = with_one_nan(sum);
}

template <class Index> RNG_KERNEL void CountPlaces<Index>::operator()() const {
    const uint64_t k = thread_index();
    if (k < n) atomicAdd(counts + index[k], 1ull);
}

#endif

}  // namespace detail::gpu
RNG_END_NAMESPACE
