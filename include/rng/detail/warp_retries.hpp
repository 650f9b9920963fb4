// WarpRetries: the values of a fill on CUDA that first proposals left undecided. A warp computes 32 of them at a time.
//
// If one value in ten needs its retry stream, nearly every warp has one in each turn, and its other lanes would wait.
// So a lane stores the first proposal, lists the value's index and continues. Once the warp has listed 32, each lane
// computes one value from its retry stream and overwrites the proposal. The order does not matter, because a value
// depends on its index alone.
//
// The list belongs to one warp, so it needs neither barriers of the block nor atomics, and never overflows.
#pragma once

#include "device_fill_layout.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace detail {

/// True if warps compute D's undecided values together. The host decides each value at once, and so do kernels of maps
/// that read retry streams only.
#if defined(__CUDA_ARCH__)
template <class D>
inline constexpr bool has_warp_retries = D::map_shape ==
                                         Shape::sampler&& Unit<D>::template has_map_over<lane::Scalar>();
#else
template <class D> inline constexpr bool has_warp_retries = false;
#endif

/// For maps without such values: an empty list.
template <class D, class E, bool = has_warp_retries<D>> class WarpRetries {
  public:
    RNG_FN WarpRetries(const DeviceFill<D, E>&, const typename DeviceFill<D, E>::Placement&) {}
    [[nodiscard]] RNG_FN bool is_waiting() const { return false; }
    RNG_FN void add(uint64_t, uint32_t, bool = false) {}
};

#if defined(__CUDA_ARCH__)
template <class D, class E> class WarpRetries<D, E, true> {
    using F = DeviceFill<D, E>;
    static constexpr unsigned lanes = 32, all = ~0u;
    static_assert(F::item_values <= 32, "a lane's undecided values are the bits of a word");

  public:
    RNG_FN WarpRetries(const F& f, const typename F::Placement& p) : f_(f), p_(p), list_(list_of_warp()) {}

    /// True if values are listed.
    [[nodiscard]] RNG_FN bool is_waiting() const { return count_ != 0; }

    /// Lists the values item + k for the bits k of `undecided`. The warp must have stored their first proposals, and
    /// all its lanes must call together. With is_last the list is empty afterwards.
    RNG_FN void add(uint64_t item, uint32_t undecided, bool is_last = false) {
        for (;;) {
            // Each lane lists its lowest value, so the list grows by at most 32, and the loop has few turns.
            const uint32_t givers = __ballot_sync(all, undecided != 0);
            if (givers == 0 && !(is_last && is_waiting())) return;
            if (undecided != 0) {
                const auto before = static_cast<unsigned>(__popc(givers & ((1u << lane()) - 1)));
                list_[count_ + before] = item + static_cast<unsigned>(__ffs(static_cast<int>(undecided)) - 1);
                undecided &= undecided - 1;
            }
            count_ += static_cast<unsigned>(__popc(givers));
            if (count_ >= lanes || givers == 0) make(count_ < lanes ? count_ : lanes);
        }
    }

  private:
    static constexpr unsigned room = 2 * lanes;  // fewer than 32 are listed before a lane adds one

    RNG_FN static unsigned lane() { return threadIdx.x % lanes; }
    RNG_FN static uint64_t* list_of_warp() {
        __shared__ uint64_t lists[threads_per_block / lanes][room];
        return lists[threadIdx.x / lanes];
    }
    /// Optimisation barrier for these registers.
    template <unsigned k = 0, class Word, unsigned n> RNG_FN static void forget(Word (&words)[n]) {
        if constexpr (k < n) {
            if constexpr (sizeof(Word) == 8)
                asm volatile("" : "+l"(words[k]));
            else
                asm volatile("" : "+r"(words[k]));
            forget<k + 1>(words);
        }
    }
    /// Hides the map from the optimiser, which would otherwise hoist into every turn of the loop what a retry stream
    /// may need of the parameters, such as the remainder of uniform_int.
    template <class M> RNG_FN static M unseen(M map) {
        using Word = std::conditional_t<sizeof(M) % 8 == 0, uint64_t, uint32_t>;
        Word words[(sizeof(M) + (sizeof(Word) - 1)) / sizeof(Word)];
        __builtin_memcpy(words, &map, sizeof(M));
        forget(words);
        __builtin_memcpy(&map, words, sizeof(M));
        return map;
    }
    /// Computes the last `n` values of the list, one in each lane.
    RNG_FN void make(unsigned n) {
        __syncwarp();  // the list is complete, and the first proposals are stored
        count_ -= n;
        if (lane() < n) {
            const uint64_t i = list_[count_ + lane()];
            const uint64_t word = p_.first_group * Group<D, E>::words + (i + p_.skipped) * D::slot_words;
            *f_.place(i) = value_of_retry_stream<D>(f_.stream, unseen(f_.map), word);
        }
        __syncwarp();  // the list is read, and may be overwritten
    }

    const F& f_;
    const typename F::Placement& p_;
    uint64_t* list_;
    unsigned count_ = 0;
};
#endif

}  // namespace detail
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
