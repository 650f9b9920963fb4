// The kernel of fills on CUDA: what one thread of a grid does. It runs on the host too, where tests count its stores.
//
// A unit is one block of the engine, or as many as give 16 bytes of values. Threads take units in turns, so that a
// warp's stores are one run of memory, and write 16 bytes at once where the unit lies inside the destination and at a
// multiple of 16. Head, tail and destinations that are aligned otherwise go element by element, from the same values.
// No bit depends on the grid.
#pragma once

#include <rng/lane/map.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// A fill as its kernel gets it: out[i] = the value whose slot is i slots after word `first`, for i < n.
template <class D, class E> struct DeviceFill {
    using T = result_t<D>;
    static constexpr int block_values = values_per_block<D, E>;
    static constexpr int block_bytes = block_values * static_cast<int>(sizeof(T));
    static constexpr int unit_blocks = block_bytes >= 16 ? 1 : 16 / block_bytes;
    static constexpr int unit_values = unit_blocks * block_values;
    static constexpr int unit_bytes = unit_blocks * block_bytes;
    static_assert(unit_bytes % 16 == 0);

    Stream<E> stream;
    decltype(D{}.map()) map;
    T* out;
    uint64_t n;
    uint64_t units;
    uint64_t first_block;  // of unit 0; before block 0 it wraps, and is not evaluated
    uint64_t skipped;      // values of unit 0 that lie before out[0]
    bool aligned;          // units lie at multiples of 16 bytes

    /// first is a multiple of the slot; out is aligned for T.
    DeviceFill(const Stream<E>& s, const D& dist, uint64_t first, T* destination, uint64_t count)
        : stream(s), map(dist.map()), out(destination), n(count) {
        constexpr uint64_t words = E::words_per_block;
        first_block = first / words;
        skipped = first % words / D::slot_words;
        const auto offset = [this] { return (reinterpret_cast<uintptr_t>(out) - skipped * sizeof(T)) % 16; };
        const uint64_t as_it_is = first_block, skipped_as_it_is = skipped;
        for (int lead = 1; lead < unit_blocks && offset() != 0; ++lead) {
            --first_block;
            skipped += block_values;
        }
        aligned = offset() == 0;
        if (!aligned) {
            first_block = as_it_is;
            skipped = skipped_as_it_is;
        }
        units = (n + skipped + (unit_values - 1)) / unit_values;
    }
};

/// What thread `thread` of `threads` writes.
template <class D, class E>
RNG_FN void fill_thread(const DeviceFill<D, E>& f, const uint64_t thread, const uint64_t threads) {
    using F = DeviceFill<D, E>;
    using T = typename F::T;
    for (uint64_t u = thread; u < f.units; u += threads) {
        // Of unit 0 this may be less than 0: it wraps, and so is no index below n.
        const uint64_t begin = u * F::unit_values - f.skipped;
        alignas(16) T values[F::unit_values];
        RNG_UNROLL
        for (int g = 0; g < F::unit_blocks; ++g) {
            const uint64_t i = begin + static_cast<uint64_t>(g * F::block_values);
            if constexpr (F::unit_blocks > 1) {
                constexpr uint64_t most = F::block_values - 1;
                if (i >= f.n && i + most >= most) continue;  // neither inside nor reaching in from before 0
            }
            const auto block = values_of_block<D>(f.stream, f.map, f.first_block + u * F::unit_blocks + g);
            RNG_UNROLL
            for (int k = 0; k < F::block_values; ++k) values[g * F::block_values + k] = block[k];
        }
        if (f.aligned && begin < f.n && f.n - begin >= F::unit_values) {
            RNG_UNROLL
            for (int k = 0; k < F::unit_bytes; k += 16)
                __builtin_memcpy(__builtin_assume_aligned(reinterpret_cast<char*>(f.out + begin) + k, 16),
                                 reinterpret_cast<const char*>(values) + k, 16);
        } else {
            RNG_UNROLL
            for (int k = 0; k < F::unit_values; ++k)
                if (begin + k < f.n) f.out[begin + k] = values[k];
        }
    }
}

}  // namespace detail
RNG_END_NAMESPACE
