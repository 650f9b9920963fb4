// permutation{n}: value i of a random permutation of [0, n), and the place of a value; in constant time for n > 2048.
//
//     const rng::Stream<> stream{42};
//     const uint64_t x = rng::permutation{1'000'000}.at(stream, 7);               // where 7 goes
//     const uint64_t seven = rng::permutation{1'000'000}.inverse(stream, x);      // 7
//     const auto shuffled = rng::permutation{1'000'000}.of(stream);               // keys computed once
//     const uint64_t y = shuffled.at(0), z = rng::permutation{10}.of(stream, 1).at(0);   // permutation 1 of the stream
//
// A permutation is one value of its stream, with a slot of four words. So permutations 0, 1, 2, ... of a stream differ,
// and so do those of stream.fork(tag). Its values are a pure function of engine, key, id, position, k, n.
// - n up to 2048: a shuffle by unbiased draws, so all n! orders are equally likely. at() and inverse() take O(n) time
//   and no memory; rng::fill (shuffle.hpp) computes all values in O(n).
// - n above: a keyed bijection that passes tests of pairs, places, cycles and signs (docs/statistics/permutation.md).
//   A key has 385 bits, so most of the n! permutations never appear. Even and odd ones are equally likely.
// On the host, i >= n and n > 2^62 throw Error (invalid_argument). Kernels check only under RNG_ASSERTS; without it,
// such a call in a kernel may never return.
// Sources: Durstenfeld, "Algorithm 235: Random permutation", CACM 7, 1964; for n > 2048 see detail/feistel.hpp.
// Oracle: all values together are the numbers below n; tests/reference/permutation.py has the values.
#pragma once

#include "at.hpp"
#include "detail/feistel.hpp"
#include "distributions/uniform_int.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The greatest n whose permutations are all equally likely.
inline constexpr uint64_t most_exchanged = 2048;

/// The exchanges of a shuffle of at most 2048 places: from the last place down, place j is exchanged with place
/// partner(j) of [0, j].
template <class E> class Exchanges {
  public:
    RNG_FN explicit Exchanges(const Stream<E>& own) : own_(own), number_(0), block_(own.block(0)) {}

    /// Returns at(own, uniform_int<uint16_t>{0, j}, j); neighbouring j share a block.
    [[nodiscard]] RNG_FN uint32_t partner(uint32_t j) {
        constexpr uint32_t n = E::words_per_block;
        if (j / n != number_) {
            number_ = j / n;
            block_ = own_.block(number_);
        }
        const uint32_t w = E::word_of(block_, static_cast<int>(j % n)), span = j + 1;
        if (w * span >= span) return mulhi32(w, span);  // such a word is never rejected
        return value_of_retry_stream<uniform_int<uint16_t>>(
            own_, uniform_int<uint16_t>{0, static_cast<uint16_t>(j)}.map(), j);
    }

  private:
    Stream<E> own_;
    uint32_t number_;
    typename E::counter_type block_;
};

}  // namespace detail

/// A random permutation of [0, n) with its keys computed: at most 112 bytes, which kernels may take by value.
template <class E = Philox4x32_10> class KeyedPermutation {
  public:
    /// Computes the keys from the private stream of a slot. Programs write permutation{n}.of(stream).
    RNG_FN KeyedPermutation(uint64_t n, const Stream<E>& own) : own_(own) {
        constexpr int words = E::words_per_block, keys = detail::feistel_rounds + 1;
        uint32_t key[keys] = {};
        if (n > detail::most_exchanged) {
            RNG_UNROLL
            for (int r = 0; r < keys; r += words) {
                const auto block = own.block(static_cast<unsigned>(r / words));
                RNG_UNROLL
                for (int k = 0; k < words; ++k)
                    if (r + k < keys) key[r + k] = E::word_of(block, k);
            }
        }
        feistel_ = detail::Feistel<>(n, key);
    }

    /// Returns n, the number of values.
    [[nodiscard]] RNG_FN uint64_t size() const { return feistel_.n; }
    /// Returns value i of the permutation. Throws Error (invalid_argument) on the host if i >= size().
    [[nodiscard]] RNG_FN uint64_t at(Integer i) const {
        detail::require_inside_permutation(i, size(), "permutation::at", "i");
        if (size() > detail::most_exchanged) return feistel_.at(i);
        // The exchange of place i fixes value i. From its partner on, the value is traced back through the earlier
        // exchanges.
        const auto n = static_cast<uint32_t>(size());
        auto j = static_cast<uint32_t>(i);
        detail::Exchanges<E> exchanges(own_);
        uint32_t place = exchanges.partner(j);
        while (++j < n)
            if (exchanges.partner(j) == place) place = j;
        return place;
    }
    /// Returns the i whose value is x. Throws Error (invalid_argument) on the host if x >= size().
    [[nodiscard]] RNG_FN uint64_t inverse(Integer x) const {
        detail::require_inside_permutation(x, size(), "permutation::inverse", "x");
        if (size() > detail::most_exchanged) return feistel_.inverse(x);
        auto place = static_cast<uint32_t>(x);
        detail::Exchanges<E> exchanges(own_);
        for (auto j = static_cast<uint32_t>(size()); j-- > 0;) {
            const uint32_t partner = exchanges.partner(j);
            if (partner == place) return j;  // nothing moves it afterwards
            if (j == place) place = partner;
        }
        return 0;  // x is not below n
    }
    /// Returns the private stream of the permutation's slot, which gives its random numbers.
    [[nodiscard]] RNG_FN const Stream<E>& own_stream() const { return own_; }
    /// For fills: the keys of its rounds.
    [[nodiscard]] RNG_FN const detail::Feistel<>& keys() const { return feistel_; }

  private:
    Stream<E> own_;
    detail::Feistel<> feistel_;
};

/// The random permutations of [0, n), for n up to 2^62.
struct permutation {
    uint64_t n = 0;

    static constexpr int slot_words = 4;

    permutation() = default;
    /// Creates the permutations of [0, size). A size above 2^62, or below 0, is an error where it is used.
    RNG_FN constexpr explicit permutation(Integer size) : n(size) {}

    /// Returns permutation k of the stream, with its keys. Throws Error on the host: (invalid_argument) if n > 2^62,
    /// (end_of_stream) past the end of the stream.
    template <class E> [[nodiscard]] RNG_FN KeyedPermutation<E> of(const Stream<E>& stream, Integer k = 0) const {
        constexpr uint64_t size = Stream<E>::size_words;
        detail::require_permutation_size(n);
        detail::require_index(k < size && detail::slots_fit(stream.position, k + 1, slot_words, size),
                              "permutation::of", k);
        return {n, detail::private_stream(stream, detail::round_up(stream.position, slot_words) + k * slot_words)};
    }
    /// Returns value i of permutation 0 of the stream. Throws Error as of() does, and if i >= n.
    template <class E> [[nodiscard]] RNG_FN uint64_t at(const Stream<E>& stream, Integer i) const {
        return of(stream).at(i);
    }
    /// Returns the i whose value is x in permutation 0 of the stream.
    template <class E> [[nodiscard]] RNG_FN uint64_t inverse(const Stream<E>& stream, Integer x) const {
        return of(stream).inverse(x);
    }
};

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
