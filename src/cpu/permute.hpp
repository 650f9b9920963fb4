// Values of a random permutation, many at a time, over the lanes of an instruction set.
#pragma once

#include <rng/detail/feistel.hpp>

#include "kernel_table.hpp"
#include "register_pair.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

/// Values of a permutation, in vectors. Values that are not below n go through the rounds again, a vector at a time.
template <class L, class T> class PermutedValues {
  public:
    PermutedValues(const detail::Feistel<>& feistel, T* out) : feistel_(feistel), out_(out) {}

    /// Writes values first ... first + count - 1.
    void write(uint64_t first, size_t count) {
        for (size_t k = 0; k < lanes; ++k) value_[k] = first + k;
        U x = load(value_);
        for (size_t i = 0; i < count; i += lanes, x = x + U(lanes)) {
            const U made = feistel_.forward(x);
            uint64_t outside = ~L::lanes_set64(lane::lanes_below(made, U(feistel_.n)).v) & all_lanes;
            if (count - i >= lanes) {
                store(out_ + i, made);
            } else {
                L::store(value_, made.v);
                for (size_t k = 0; k < count - i; ++k) out_[i + k] = static_cast<T>(value_[k]);
                outside &= ~(all_lanes << (count - i));
            }
            for (; outside != 0; outside &= outside - 1)
                place_[walking_++] = i + static_cast<size_t>(__builtin_ctzll(outside));
            while (walking_ >= lanes) walk(lanes);
        }
        while (walking_ > 0) walk(walking_ < lanes ? walking_ : lanes);
        // The exchange of 0 and 1 changes no other value.
        for (uint64_t i = first; i < 2 && i - first < count; ++i) out_[i - first] = static_cast<T>(feistel_.at(i));
    }

  private:
    using U = lane::u64<L>;
    static constexpr auto lanes = static_cast<size_t>(L::bytes / 8);
    static constexpr uint64_t all_lanes = ~uint64_t{0} >> (64 - lanes);

    RNG_FN static U load(const uint64_t* x) { return {L::load(reinterpret_cast<const uint32_t*>(x)), 0}; }
    RNG_FN static void store(T* out, U x) {
        if constexpr (sizeof(T) == 4)
            L::template store_low<8, 4>(out, x.v);
        else
            L::store(out, x.v);
    }

    /// Takes the values at the last `count` places through the rounds again. Places whose value is not below n stay
    /// listed.
    void walk(size_t count) {
        walking_ -= count;
        uint64_t* const place = place_ + walking_;
        for (size_t k = 0; k < count; ++k) value_[k] = out_[place[k]];
        L::store(value_, feistel_.forward(load(value_)).v);
        size_t kept = 0;
        for (size_t k = 0; k < count; ++k) {
            out_[place[k]] = static_cast<T>(value_[k]);
            place[kept] = place[k];
            kept += value_[k] >= feistel_.n ? 1 : 0;
        }
        walking_ += kept;
    }

    detail::Feistel<> feistel_;
    T* out_;
    alignas(64) uint64_t value_[lanes];
    uint64_t place_[2 * lanes];
    size_t walking_ = 0;
};

template <class T> class PermutedValues<lane::Scalar, T> {
  public:
    PermutedValues(const detail::Feistel<>& feistel, T* out) : feistel_(feistel), out_(out) {}

    void write(uint64_t first, size_t count) {
        for (size_t i = 0; i < count; ++i) out_[i] = static_cast<T>(feistel_.at(first + i));
    }

  private:
    detail::Feistel<> feistel_;
    T* out_;
};

/// A chain of rounds is long, so as many registers overlap as there is room for: eight with AVX-512, four with AVX2.
template <class L> struct Overlapping {
    using type = Unrolled2<Unrolled2<std::conditional_t<L::bytes == 64, Unrolled2<L>, L>>>;
};
template <> struct Overlapping<lane::Scalar> { using type = lane::Scalar; };

/// rng_abi::PermuteFunction over lane L.
template <class L>
void permute(uint64_t n, const uint32_t* keys, uint64_t first, void* out, size_t count, size_t value_bytes) {
    using Lanes = typename Overlapping<L>::type;
    const detail::Feistel<> feistel(n, keys);
    if (value_bytes == 4)
        PermutedValues<Lanes, uint32_t>(feistel, static_cast<uint32_t*>(out)).write(first, count);
    else
        PermutedValues<Lanes, uint64_t>(feistel, static_cast<uint64_t*>(out)).write(first, count);
}

}  // namespace wide
RNG_END_NAMESPACE
