// Values of a random permutation, many at once, over the lanes of an instruction set.
#pragma once

#include <rng/detail/feistel.hpp>

#include "kernel_table.hpp"
#include "register_pair.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

/// A tile of values, which stays in the L1 cache while some of them go through the rounds again.
template <class L> class PermutedTile {
  public:
    static constexpr size_t size = 1024;

    explicit PermutedTile(const detail::Feistel<>& feistel) : feistel_(feistel) {}

    /// Makes values first ... first + count - 1.
    void make(uint64_t first, size_t count) {
        for (size_t k = 0; k < lanes; ++k) value_[k] = first + k;
        U x = load(value_);
        size_t walking = 0;
        for (size_t i = 0; i < count; i += lanes, x = x + U(lanes)) {
            const U made = feistel_.forward(x);
            L::store(value_ + i, made.v);
            uint64_t outside = ~L::lanes_set64(lane::lanes_below(made, U(feistel_.n)).v) & all_lanes;
            for (; outside != 0; outside &= outside - 1)
                place_[walking++] = static_cast<uint32_t>(i + static_cast<size_t>(__builtin_ctzll(outside)));
        }
        // The last register may reach past the end. A number that is not below n may walk in a circle outside for ever.
        while (walking > 0 && place_[walking - 1] >= count) --walking;
        while (walking > 0) walking = walk(walking);
        // The exchange of 0 and 1 changes no other value.
        for (uint64_t i = first; i < 2 && i - first < count; ++i) value_[i - first] = feistel_.at(i);
    }
    template <class T> void copy_to(T* out, size_t count) const {
        for (size_t i = 0; i < count; ++i) out[i] = static_cast<T>(value_[i]);
    }

  private:
    using U = lane::u64<L>;
    static constexpr auto lanes = static_cast<size_t>(L::bytes / 8);
    static constexpr uint64_t all_lanes = (uint64_t{1} << lanes) - 1;

    RNG_FN static U load(const uint64_t* x) { return {L::load(reinterpret_cast<const uint32_t*>(x)), 0}; }

    /// Takes the values at the first `walking` places through the rounds again. Returns how many must go on.
    size_t walk(size_t walking) {
        size_t kept = 0;
        for (size_t j = 0; j < walking; j += lanes) {
            alignas(64) uint64_t x[lanes] = {};
            const size_t count = walking - j < lanes ? walking - j : lanes;
            for (size_t k = 0; k < count; ++k) x[k] = value_[place_[j + k]];
            L::store(x, feistel_.forward(load(x)).v);
            for (size_t k = 0; k < count; ++k) {
                const uint32_t place = place_[j + k];
                value_[place] = x[k];
                place_[kept] = place;
                kept += x[k] >= feistel_.n ? 1 : 0;
            }
        }
        return kept;
    }

    detail::Feistel<> feistel_;
    alignas(64) uint64_t value_[size];
    uint32_t place_[size];
};

template <> class PermutedTile<lane::Scalar> {
  public:
    static constexpr size_t size = 1024;

    explicit PermutedTile(const detail::Feistel<>& feistel) : feistel_(feistel) {}

    void make(uint64_t first, size_t) { first_ = first; }
    template <class T> void copy_to(T* out, size_t count) const {
        for (size_t i = 0; i < count; ++i) out[i] = static_cast<T>(feistel_.at(first_ + i));
    }

  private:
    detail::Feistel<> feistel_;
    uint64_t first_ = 0;
};

/// rng_abi::PermuteFunction over lane L. A chain of rounds is long: four registers overlap.
template <class L>
void permute(uint64_t n, const uint32_t* keys, uint64_t first, void* out, size_t count, size_t value_bytes) {
    using Four = std::conditional_t<detail::is_same<L, lane::Scalar>, L, Unrolled2<Unrolled2<L>>>;
    PermutedTile<Four> tile(detail::Feistel<>(n, keys));
    for (size_t done = 0; done < count; done += tile.size) {
        const size_t now = count - done < tile.size ? count - done : tile.size;
        tile.make(first + done, now);
        if (value_bytes == 4)
            tile.copy_to(static_cast<uint32_t*>(out) + done, now);
        else
            tile.copy_to(static_cast<uint64_t*>(out) + done, now);
    }
}

}  // namespace wide
RNG_END_NAMESPACE
