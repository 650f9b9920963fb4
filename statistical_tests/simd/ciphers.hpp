// Philox and Threefry on sixteen lanes at a time, in vectors of GCC's and Clang's own kind (kernels.hpp).
#pragma once

#include "vectors.hpp"

#include <rng/core/philox.hpp>
#include <rng/core/threefry.hpp>

namespace rng::stats {
namespace RNG_ABI_NAMESPACE {
namespace {

/// Returns the products of the low halves of eight lanes: the multiplication that vectors have.
inline Halves multiply_low_halves(Halves a, uint32_t b) {
#if defined(__AVX512F__)
    return reinterpret_cast<Halves>(_mm512_maskz_mul_epu32(0xff, reinterpret_cast<__m512i>(a), _mm512_set1_epi64(b)));
#elif defined(__AVX2__)
    union {
        Halves all;
        __m256i half[2];
    } v{a};
    const __m256i factor = _mm256_set1_epi64x(b);
    for (__m256i& half : v.half) half = _mm256_mul_epu32(half, factor);
    return v.all;
#elif defined(__SSE2__)
    union {
        Halves all;
        __m128i part[4];
    } v{a};
    const __m128i factor = _mm_set1_epi64x(b);
    for (__m128i& part : v.part) part = _mm_mul_epu32(part, factor);
    return v.all;
#else
    return (a & 0xffffffffu) * b;
#endif
}

/// Computes the high and low words of the products of sixteen lanes.
inline void multiply(V32 a, uint32_t b, V32& high, V32& low) {
    const Halves words = reinterpret_cast<Halves>(a);
    const Halves even = multiply_low_halves(words, b), odd = multiply_low_halves(words >> 32, b);
    low = reinterpret_cast<V32>((even & 0xffffffffu) | odd << 32);
    high = reinterpret_cast<V32>(even >> 32 | (odd & ~uint64_t{0xffffffffu}));
}

template <int N> inline void philox32(int rounds, std::size_t lanes, const uint32_t* in, uint32_t* out) {
    using K = rng::detail::PhiloxConstants<uint32_t>;
    for (std::size_t at = 0; at < lanes; at += at_once) {
        V32 c[N], key[N / 2], high, low, high2, low2;
        for (int w = 0; w < N; ++w) load(c[w], in + at + static_cast<std::size_t>(w) * lanes, lanes);
        for (int w = 0; w < N / 2; ++w) load(key[w], in + at + static_cast<std::size_t>(N + w) * lanes, lanes);
        for (int r = 0; r < rounds; ++r) {
            if constexpr (N == 2) {
                multiply(c[0], K::mul2, high, low);
                c[0] = high ^ key[0] ^ c[1];
                c[1] = low;
            } else {
                multiply(c[0], K::mul4[0], high, low);
                multiply(c[2], K::mul4[1], high2, low2);
                c[0] = high2 ^ c[1] ^ key[0];
                c[1] = low2;
                c[2] = high ^ c[3] ^ key[1];
                c[3] = low;
                key[1] += K::weyl[1];
            }
            key[0] += K::weyl[0];
        }
        for (int w = 0; w < N; ++w) store(c[w], out + at + static_cast<std::size_t>(w) * lanes, lanes);
    }
}

/// Goes lane by lane, because there are no vectors with products of 64 bits.
template <int N> inline void philox64(int rounds, std::size_t lanes, const uint32_t* in, uint32_t* out) {
    using K = rng::detail::PhiloxConstants<uint64_t>;
    const auto word = [&](std::size_t lane, int w) {
        const uint32_t* const first = in + static_cast<std::size_t>(2 * w) * lanes + lane;
        return *first | static_cast<uint64_t>(first[lanes]) << 32;
    };
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        uint64_t c[N], key[N / 2];
        for (int w = 0; w < N; ++w) c[w] = word(lane, w);
        for (int w = 0; w < N / 2; ++w) key[w] = word(lane, N + w);
        for (int r = 0; r < rounds; ++r) {
            if constexpr (N == 2) {
                const auto [high, low] = rng::detail::multiply(K::mul2, c[0]);
                c[0] = high ^ key[0] ^ c[1];
                c[1] = low;
            } else {
                constexpr uint64_t m0 = K::mul4[0], m1 = K::mul4[1];
                const auto [high, low] = rng::detail::multiply(m0, c[0]);
                const auto [high2, low2] = rng::detail::multiply(m1, c[2]);
                c[0] = high2 ^ c[1] ^ key[0];
                c[1] = low2;
                c[2] = high ^ c[3] ^ key[1];
                c[3] = low;
                key[1] += K::weyl[1];
            }
            key[0] += K::weyl[0];
        }
        for (int w = 0; w < N; ++w) {
            uint32_t* const first = out + static_cast<std::size_t>(2 * w) * lanes + lane;
            *first = static_cast<uint32_t>(c[w]);
            first[lanes] = static_cast<uint32_t>(c[w] >> 32);
        }
    }
}

template <int Round, class W, class V> inline void threefry_round(V (&x)[2]) {
    constexpr int r = rng::detail::ThreefryConstants<W>::rotation2(Round), size = 8 * sizeof(W);
    x[0] += x[1];
    x[1] = (x[1] << r | x[1] >> (size - r)) ^ x[0];
}
template <int Round, class W, class V> inline void threefry_round(V (&x)[4]) {
    using K = rng::detail::ThreefryConstants<W>;
    constexpr int a = Round % 2 ? 3 : 1, b = Round % 2 ? 1 : 3, size = 8 * sizeof(W);
    constexpr int ra = K::rotation4(Round, 0), rb = K::rotation4(Round, 1);
    x[0] += x[a];
    x[a] = (x[a] << ra | x[a] >> (size - ra)) ^ x[0];
    x[2] += x[b];
    x[b] = (x[b] << rb | x[b] >> (size - rb)) ^ x[2];
}

/// Does four rounds from First on, or fewer at the end.
template <int First, class W, int N, class V> inline void threefry_rounds(V (&x)[N], int count) {
    threefry_round<First, W>(x);
    if (count < 2) return;
    threefry_round<First + 1, W>(x);
    if (count < 3) return;
    threefry_round<First + 2, W>(x);
    if (count < 4) return;
    threefry_round<First + 3, W>(x);
}

template <class W, int N> inline void threefry(int rounds, std::size_t lanes, const uint32_t* in, uint32_t* out) {
    using V = typename VectorOf<W>::type;
    const std::size_t stride = lanes * sizeof(W) / 4;
    for (std::size_t at = 0; at < lanes; at += at_once) {
        V x[N], key[N + 1];
        key[N] = V{} + rng::detail::ThreefryConstants<W>::parity;
        for (int w = 0; w < N; ++w) {
            load(x[w], in + at + static_cast<std::size_t>(w) * stride, lanes);
            load(key[w], in + at + static_cast<std::size_t>(N + w) * stride, lanes);
            key[N] ^= key[w];
            x[w] += key[w];
        }
        for (int first = 0; first < rounds; first += 4) {
            if (first % 8 == 0)
                threefry_rounds<0, W>(x, rounds - first);
            else
                threefry_rounds<4, W>(x, rounds - first);
            if (rounds - first < 4) break;
            // The key schedule turns by one word at each injection.
            const V front = key[0];
            for (int w = 0; w < N; ++w) key[w] = key[w + 1];
            key[N] = front;
            for (int w = 0; w < N; ++w) x[w] += key[w];
            x[N - 1] += static_cast<W>(first / 4 + 1);
        }
        for (int w = 0; w < N; ++w) store(x[w], out + at + static_cast<std::size_t>(w) * stride, lanes);
    }
}

}  // namespace
}  // namespace RNG_ABI_NAMESPACE
}  // namespace rng::stats
