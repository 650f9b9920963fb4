#include "cipher.hpp"

#include <rng/core/philox.hpp>
#include <rng/core/threefry.hpp>

#include <algorithm>
#include <charconv>

#include "../checks/test.hpp"

namespace rng::stats {

namespace {

/// As many lanes as are worked on at once: their words lie in the first cache.
constexpr std::size_t group = 64;
/// One word of each lane. Most loops go over lanes, in a form that compilers turn into vectors.
template <class W> using Lanes = W[group];

// Words of 64 bits are two rows of halves, `stride` apart.
template <class W>
RNG_FN void load(const uint32_t* __restrict from, std::size_t stride, std::size_t n, W* __restrict to) {
    for (std::size_t i = 0; i < n; ++i) {
        to[i] = from[i];
        if constexpr (sizeof(W) == 8) to[i] |= static_cast<W>(from[stride + i]) << 32;
    }
}
template <class W>
RNG_FN void store(const W* __restrict from, std::size_t n, uint32_t* __restrict to, std::size_t stride) {
    for (std::size_t i = 0; i < n; ++i) {
        to[i] = static_cast<uint32_t>(from[i]);
        if constexpr (sizeof(W) == 8) to[stride + i] = static_cast<uint32_t>(from[i] >> 32);
    }
}

template <class W, int N>
RNG_FN void philox_rounds(int rounds, std::size_t n, Lanes<W> (&x)[N], const Lanes<W> (&key)[N / 2]) {
    constexpr auto& weyl = rng::detail::PhiloxConstants<W>::weyl;
    const auto advance = [&](std::size_t i, int first, int count) RNG_LAMBDA_INLINE {
        Words<W, N> c;
        Words<W, N / 2> k;
        RNG_UNROLL
        for (int w = 0; w < N; ++w) c[w] = x[w][i];
        RNG_UNROLL
        for (int w = 0; w < N / 2; ++w) k[w] = key[w][i] + static_cast<W>(first) * weyl[w];
        for (int r = 0; r < count; ++r) {
            c = philox<N, W, 1>(c, k);
            RNG_UNROLL
            for (int w = 0; w < N / 2; ++w) k[w] += weyl[w];
        }
        RNG_UNROLL
        for (int w = 0; w < N; ++w) x[w][i] = c[w];
    };
    if constexpr (sizeof(W) == 4)
        for (int r = 0; r < rounds; ++r)
            for (std::size_t i = 0; i < n; ++i) advance(i, r, 1);
    else  // no vectors have products of 64 bits, so that a lane stays in registers
        for (std::size_t i = 0; i < n; ++i) advance(i, 0, rounds);
}

template <int Round, class W> RNG_FN void threefry_round(W (&x)[2]) {
    x[0] += x[1];
    x[1] = rng::detail::rotate_left(x[1], rng::detail::ThreefryConstants<W>::rotation2(Round)) ^ x[0];
}
template <int Round, class W> RNG_FN void threefry_round(W (&x)[4]) {
    using K = rng::detail::ThreefryConstants<W>;
    constexpr int a = Round % 2 ? 3 : 1, b = Round % 2 ? 1 : 3;
    x[0] += x[a];
    x[a] = rng::detail::rotate_left(x[a], K::rotation4(Round, 0)) ^ x[0];
    x[2] += x[b];
    x[b] = rng::detail::rotate_left(x[b], K::rotation4(Round, 1)) ^ x[2];
}

/// Does one round, or four and the injection of a key after them.
template <int First, int Rounds, class W, int N>
RNG_FN void threefry_pass(std::size_t n, Lanes<W> (&x)[N], const Lanes<W> (&key)[N + 1], int injection) {
    const W* keys[N];
    for (int w = 0; w < N; ++w) keys[w] = key[(injection + w) % (N + 1)];
    for (std::size_t i = 0; i < n; ++i) {
        W c[N];
        RNG_UNROLL
        for (int w = 0; w < N; ++w) c[w] = x[w][i];
        threefry_round<First>(c);
        if constexpr (Rounds == 4) {
            threefry_round<First + 1>(c);
            threefry_round<First + 2>(c);
            threefry_round<First + 3>(c);
            RNG_UNROLL
            for (int w = 0; w < N; ++w) c[w] += keys[w][i];
            c[N - 1] += static_cast<W>(injection);
        }
        RNG_UNROLL
        for (int w = 0; w < N; ++w) x[w][i] = c[w];
    }
}

/// Does the rounds from `round` on, up to four. Requires round % 8 to be First.
template <int First, class W, int N>
RNG_FN void threefry_four(int round, int rounds, std::size_t n, Lanes<W> (&x)[N], const Lanes<W> (&key)[N + 1]) {
    const int injection = round / 4 + 1;
    if (rounds - round >= 4) return threefry_pass<First, 4, W, N>(n, x, key, injection);
    threefry_pass<First, 1, W, N>(n, x, key, injection);
    if (rounds - round > 1) threefry_pass<First + 1, 1, W, N>(n, x, key, injection);
    if (rounds - round > 2) threefry_pass<First + 2, 1, W, N>(n, x, key, injection);
}

template <class W, int N>
RNG_FN void threefry_rounds(int rounds, std::size_t n, Lanes<W> (&x)[N], Lanes<W> (&key)[N + 1]) {
    for (std::size_t i = 0; i < n; ++i) {
        W sum = rng::detail::ThreefryConstants<W>::parity;
        RNG_UNROLL
        for (int w = 0; w < N; ++w) {
            sum ^= key[w][i];
            x[w][i] += key[w][i];
        }
        key[N][i] = sum;
    }
    for (int round = 0; round < rounds; round += 8) {
        threefry_four<0, W, N>(round, rounds, n, x, key);
        if (rounds - round > 4) threefry_four<4, W, N>(round + 4, rounds, n, x, key);
    }
}

template <Cipher::Family family, class W, int N>
RNG_FN void evaluate(int rounds, std::size_t lanes, const uint32_t* in, uint32_t* out) {
    constexpr bool is_philox = family == Cipher::Family::philox;
    constexpr int keys = is_philox ? N / 2 : N;
    const std::size_t row = lanes * (sizeof(W) / 4);
    for (std::size_t at = 0; at < lanes; at += group) {
        const std::size_t n = std::min(group, lanes - at);
        Lanes<W> x[N], key[is_philox ? keys : keys + 1];
        for (std::size_t w = 0; w < N; ++w) load(in + w * row + at, lanes, n, x[w]);
        for (std::size_t w = 0; w < keys; ++w) load(in + (N + w) * row + at, lanes, n, key[w]);
        if constexpr (is_philox)
            philox_rounds<W, N>(rounds, n, x, key);
        else
            threefry_rounds<W, N>(rounds, n, x, key);
        for (std::size_t w = 0; w < N; ++w) store(x[w], n, out + w * row + at, lanes);
    }
}
template <Cipher::Family family>
RNG_FN void evaluate(const Cipher& cipher, std::size_t lanes, const uint32_t* in, uint32_t* out) {
    if (cipher.word_bits == 32)
        cipher.words == 2 ? evaluate<family, uint32_t, 2>(cipher.rounds, lanes, in, out)
                          : evaluate<family, uint32_t, 4>(cipher.rounds, lanes, in, out);
    else
        cipher.words == 2 ? evaluate<family, uint64_t, 2>(cipher.rounds, lanes, in, out)
                          : evaluate<family, uint64_t, 4>(cipher.rounds, lanes, in, out);
}
RNG_STATS_CLONES void evaluate_philox(const Cipher& cipher, std::size_t lanes, const uint32_t* in, uint32_t* out) {
    evaluate<Cipher::Family::philox>(cipher, lanes, in, out);
}
RNG_STATS_CLONES void evaluate_threefry(const Cipher& cipher, std::size_t lanes, const uint32_t* in, uint32_t* out) {
    evaluate<Cipher::Family::threefry>(cipher, lanes, in, out);
}

}  // namespace

std::string Cipher::name() const {
    return std::string(family == Family::philox ? "philox" : "threefry") + std::to_string(words) + "x" +
           std::to_string(word_bits) + "-" + std::to_string(rounds);
}

void Cipher::evaluate(std::size_t lanes, const uint32_t* inputs, uint32_t* outputs) const {
    family == Family::philox ? evaluate_philox(*this, lanes, inputs, outputs)
                             : evaluate_threefry(*this, lanes, inputs, outputs);
}

std::optional<Cipher> cipher_by_name(const std::string& name) {
    for (const Cipher::Family family : {Cipher::Family::philox, Cipher::Family::threefry})
        for (const int words : {2, 4})
            for (const int bits : {32, 64}) {
                Cipher cipher{family, words, bits, 0};
                std::string stem = cipher.name();
                stem.pop_back();
                if (!name.starts_with(stem)) continue;
                const char *const first = name.data() + stem.size(), *const last = name.data() + name.size();
                const auto [end, error] = std::from_chars(first, last, cipher.rounds);
                if (error == std::errc() && end == last && cipher.rounds >= 1 &&
                    cipher.rounds <= Cipher::most_rounds(family) && cipher.name() == name)
                    return cipher;
            }
    return std::nullopt;
}

}  // namespace rng::stats
