// The kernel of fills on CUDA: the work of one thread of a grid. It runs on the host too, where tests count its stores.
//
// A unit is one block of the engine, or as many blocks as give 16 bytes of values.
// Threads take units in turns, so that a warp's stores are one run of memory.
// A thread writes 16 bytes at once if the unit lies inside the destination and at a multiple of 16.
// Head, tail and destinations with another alignment are written element by element, from the same values. No bit
// depends on the grid.
#pragma once

#include <rng/at.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// A fill in the form that its kernel takes: out[i] = the value whose slot is i slots after word `first`, for i < n.
template <class D, class E> struct DeviceFill {
    using T = result_t<D>;
    static constexpr int block_values = values_per_block<D, E>;
    static constexpr int block_bytes = block_values * static_cast<int>(sizeof(T));
    static constexpr int unit_blocks = block_bytes >= 16 ? 1 : 16 / block_bytes;
    static constexpr int unit_values = unit_blocks * block_values;
    static constexpr int unit_bytes = unit_blocks * block_bytes;
    static_assert(unit_bytes % 16 == 0);

    /// The destination as the grid sees it: which units exist, and where each one begins.
    struct Placement {
        uint64_t units;
        uint64_t first_block;  // of unit 0; before block 0 it wraps, and its values are not stored
        uint64_t skipped;      // values of unit 0 that lie before out[0]
        bool aligned;          // units lie at multiples of 16 bytes
    };

    Stream<E> stream;
    decltype(D{}.map()) map;
    T* out;
    uint64_t n;
    uint64_t first;          // a multiple of the slot
    const uint64_t* replay;  // in a graph: how often the fill ran before; each run continues after the previous one
    uint64_t replays;        // the number of replays for which the stream has room

    /// Requires that `destination` is aligned for T.
    DeviceFill(const Stream<E>& s, const D& dist, uint64_t first_word, T* destination, uint64_t count,
               const uint64_t* replay_counter = nullptr)
        : stream(s),
          map(dist.map()),
          out(destination),
          n(count),
          first(first_word),
          replay(replay_counter),
          replays(n == 0 ? ~uint64_t{0} : (Stream<E>::size_words - first) / D::slot_words / n) {}

    [[nodiscard]] RNG_FN Placement placement() const {
        constexpr uint64_t words = E::words_per_block;
        uint64_t word = first;
        if (replay != nullptr) {
            require_replay(*replay < replays);
            word += *replay * n * D::slot_words;
        }
        Placement p{0, word / words, word % words / D::slot_words, false};
        const Placement unmoved = p;
        const auto offset = [this, &p] { return (reinterpret_cast<uintptr_t>(out) - p.skipped * sizeof(T)) % 16; };
        RNG_UNROLL
        for (int lead = 1; lead < unit_blocks; ++lead)
            if (offset() != 0) {
                --p.first_block;
                p.skipped += block_values;
            }
        const bool aligned = offset() == 0;
        if (!aligned) p = unmoved;
        return {(n + p.skipped + (unit_values - 1)) / unit_values, p.first_block, p.skipped, aligned};
    }

  private:
    /// Unlike other checks of kernels, this check is always made: nobody counts the launches of a graph.
    RNG_FN static void require_replay(bool inside) {
#if defined(__CUDA_ARCH__)
        if (!inside) __trap();
#else
        require_inside_stream(inside, "fill: replay");
#endif
    }
};

/// The values that thread `thread` of `threads` writes.
template <class D, class E>
RNG_FN void fill_thread(const DeviceFill<D, E>& f, const uint64_t thread, const uint64_t threads) {
    using F = DeviceFill<D, E>;
    using T = typename F::T;
    const typename F::Placement p = f.placement();
    for (uint64_t u = thread; u < p.units; u += threads) {
        // For unit 0 this can be negative. It wraps to a huge value, so the bounds check below rejects it.
        const uint64_t begin = u * F::unit_values - p.skipped;
        alignas(16) T values[F::unit_values];
        RNG_UNROLL
        for (int g = 0; g < F::unit_blocks; ++g) {
            const auto block = values_of_block<D>(f.stream, f.map, p.first_block + u * F::unit_blocks + g);
            RNG_UNROLL
            for (int k = 0; k < F::block_values; ++k) values[g * F::block_values + k] = block[k];
        }
        if (p.aligned && begin < f.n && f.n - begin >= F::unit_values) {
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
