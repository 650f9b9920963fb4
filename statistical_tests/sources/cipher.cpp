#include "cipher.hpp"

#include <rng/core/philox.hpp>
#include <rng/core/threefry.hpp>

#include <charconv>
#include <cstring>

#include "../tests/test.hpp"

// What is compiled per instruction set must hold all that it calls.
#define RNG_STATS_INLINE inline __attribute__((always_inline))

namespace rng::stats {

namespace {

constexpr int group = 64;  // inputs of a pass: the state of the widest cipher stays in the first-level cache

template <class W, int N> struct State { alignas(64) W v[N][group]; };

/// Inputs `from`.. of `lanes`, in 32-bit words; those past the end repeat the last sixteen.
template <class W, int N>
RNG_STATS_INLINE void load(State<W, N>& to, const uint32_t* from, std::size_t lanes, int count) {
    for (int w = 0; w < N; ++w)
        for (int first = 0; first < count; first += 16)
            for (int l = first; l < first + 16; ++l)
                if constexpr (sizeof(W) == 4)
                    to.v[w][l] = from[static_cast<std::size_t>(w) * lanes + l];
                else
                    to.v[w][l] = from[static_cast<std::size_t>(2 * w) * lanes + l] |
                                 static_cast<uint64_t>(from[static_cast<std::size_t>(2 * w + 1) * lanes + l]) << 32;
}

template <class W, int N>
RNG_STATS_INLINE void store(const State<W, N>& from, uint32_t* to, std::size_t lanes, int count) {
    for (int w = 0; w < N; ++w)
        for (int first = 0; first < count; first += 16)
            for (int l = first; l < first + 16; ++l)
                if constexpr (sizeof(W) == 4) {
                    to[static_cast<std::size_t>(w) * lanes + l] = from.v[w][l];
                } else {
                    to[static_cast<std::size_t>(2 * w) * lanes + l] = static_cast<uint32_t>(from.v[w][l]);
                    to[static_cast<std::size_t>(2 * w + 1) * lanes + l] = static_cast<uint32_t>(from.v[w][l] >> 32);
                }
}

template <class W, int N> RNG_STATS_INLINE void philox_round(State<W, N>& c, State<W, N / 2>& key) {
    using K = rng::detail::PhiloxConstants<W>;
    for (int l = 0; l < group; ++l) {
        if constexpr (N == 2) {
            const W hi = K::mulhi(K::mul2, c.v[0][l]), lo = static_cast<W>(K::mul2 * c.v[0][l]);
            c.v[0][l] = hi ^ key.v[0][l] ^ c.v[1][l];
            c.v[1][l] = lo;
            key.v[0][l] += K::weyl[0];
        } else {
            constexpr W m0 = K::mul4[0], m1 = K::mul4[1];
            const W a = c.v[0][l], b = c.v[2][l];
            c.v[0][l] = K::mulhi(m1, b) ^ c.v[1][l] ^ key.v[0][l];
            c.v[1][l] = static_cast<W>(m1 * b);
            c.v[2][l] = K::mulhi(m0, a) ^ c.v[3][l] ^ key.v[1][l];
            c.v[3][l] = static_cast<W>(m0 * a);
            key.v[0][l] += K::weyl[0];
            key.v[1][l] += K::weyl[1];
        }
    }
}

template <class W, int N>
RNG_STATS_INLINE void philox_lanes(int rounds, std::size_t lanes, const uint32_t* in, uint32_t* out) {
    State<W, N> c{};
    State<W, N / 2> key{};
    for (std::size_t at = 0; at < lanes; at += group) {
        const int count = static_cast<int>(lanes - at < group ? lanes - at : group);
        load(c, in + at, lanes, count);
        load(key, in + at + sizeof(W) / 4 * N * lanes, lanes, count);
        for (int r = 0; r < rounds; ++r) philox_round(c, key);
        store(c, out + at, lanes, count);
    }
}

/// Four rounds or fewer, with the rotations of rounds First..
template <int First, int Count, class W, int N> RNG_STATS_INLINE void threefry_rounds(State<W, N>& x) {
    using K = rng::detail::ThreefryConstants<W>;
    using rng::detail::rotate_left;
    for (int l = 0; l < group; ++l) {
        W v[N];
        for (int w = 0; w < N; ++w) v[w] = x.v[w][l];
        RNG_UNROLL
        for (int round = First; round < First + Count; ++round) {
            if constexpr (N == 2) {
                v[0] += v[1];
                v[1] = rotate_left(v[1], K::rotation2(round)) ^ v[0];
            } else {
                const int a = round % 2 ? 3 : 1, b = round % 2 ? 1 : 3;
                v[0] += v[a];
                v[a] = rotate_left(v[a], K::rotation4(round, 0)) ^ v[0];
                v[2] += v[b];
                v[b] = rotate_left(v[b], K::rotation4(round, 1)) ^ v[2];
            }
        }
        for (int w = 0; w < N; ++w) x.v[w][l] = v[w];
    }
}

template <int First, class W, int N> RNG_STATS_INLINE void threefry_rounds(State<W, N>& x, int count) {
    if (count >= 4) return threefry_rounds<First, 4>(x);
    if (count == 3) return threefry_rounds<First, 3>(x);
    if (count == 2) return threefry_rounds<First, 2>(x);
    threefry_rounds<First, 1>(x);
}

template <class W, int N>
RNG_STATS_INLINE void threefry_lanes(int rounds, std::size_t lanes, const uint32_t* in, uint32_t* out) {
    State<W, N> x{};
    State<W, N + 1> key{};
    State<W, N> given{};
    for (std::size_t at = 0; at < lanes; at += group) {
        const int count = static_cast<int>(lanes - at < group ? lanes - at : group);
        load(x, in + at, lanes, count);
        load(given, in + at + sizeof(W) / 4 * N * lanes, lanes, count);
        for (int l = 0; l < group; ++l) key.v[N][l] = rng::detail::ThreefryConstants<W>::parity;
        for (int w = 0; w < N; ++w)
            for (int l = 0; l < group; ++l) {
                key.v[w][l] = given.v[w][l];
                key.v[N][l] ^= given.v[w][l];
                x.v[w][l] += given.v[w][l];
            }
        for (int first = 0; first < rounds; first += 4) {
            if (first % 8 == 0)
                threefry_rounds<0>(x, rounds - first);
            else
                threefry_rounds<4>(x, rounds - first);
            if (rounds - first < 4) break;
            const int injection = first / 4 + 1;
            for (int w = 0; w < N; ++w) {
                const W* const schedule = key.v[(injection + w) % (N + 1)];
                const W more = w == N - 1 ? static_cast<W>(injection) : 0;
                for (int l = 0; l < group; ++l) x.v[w][l] += schedule[l] + more;
            }
        }
        store(x, out + at, lanes, count);
    }
}

using Lanes = void (*)(int rounds, std::size_t lanes, const uint32_t* in, uint32_t* out);

RNG_STATS_CLONES void philox2x32(int rounds, std::size_t lanes, const uint32_t* in, uint32_t* out) {
    philox_lanes<uint32_t, 2>(rounds, lanes, in, out);
}
RNG_STATS_CLONES void philox4x32(int rounds, std::size_t lanes, const uint32_t* in, uint32_t* out) {
    philox_lanes<uint32_t, 4>(rounds, lanes, in, out);
}
RNG_STATS_CLONES void philox2x64(int rounds, std::size_t lanes, const uint32_t* in, uint32_t* out) {
    philox_lanes<uint64_t, 2>(rounds, lanes, in, out);
}
RNG_STATS_CLONES void philox4x64(int rounds, std::size_t lanes, const uint32_t* in, uint32_t* out) {
    philox_lanes<uint64_t, 4>(rounds, lanes, in, out);
}
RNG_STATS_CLONES void threefry2x32(int rounds, std::size_t lanes, const uint32_t* in, uint32_t* out) {
    threefry_lanes<uint32_t, 2>(rounds, lanes, in, out);
}
RNG_STATS_CLONES void threefry4x32(int rounds, std::size_t lanes, const uint32_t* in, uint32_t* out) {
    threefry_lanes<uint32_t, 4>(rounds, lanes, in, out);
}
RNG_STATS_CLONES void threefry2x64(int rounds, std::size_t lanes, const uint32_t* in, uint32_t* out) {
    threefry_lanes<uint64_t, 2>(rounds, lanes, in, out);
}
RNG_STATS_CLONES void threefry4x64(int rounds, std::size_t lanes, const uint32_t* in, uint32_t* out) {
    threefry_lanes<uint64_t, 4>(rounds, lanes, in, out);
}

}  // namespace

std::string Cipher::name() const {
    return std::string(family == Family::philox ? "philox" : "threefry") + std::to_string(words) + "x" +
           std::to_string(word_bits) + "-" + std::to_string(rounds);
}

void Cipher::evaluate(std::size_t lanes, const uint32_t* inputs, uint32_t* outputs) const {
    static constexpr Lanes functions[2][2][2] = {{{&philox2x32, &philox2x64}, {&philox4x32, &philox4x64}},
                                                 {{&threefry2x32, &threefry2x64}, {&threefry4x32, &threefry4x64}}};
    functions[family == Family::threefry][words == 4][word_bits == 64](rounds, lanes, inputs, outputs);
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
