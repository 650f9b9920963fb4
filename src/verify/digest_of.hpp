// digest_of(): the digest of values in a golden.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <rng/core/config.hpp>

RNG_BEGIN_NAMESPACE
template <class T> struct complex;
template <class T> struct vec2;
template <class T> struct vec3;
template <class T> struct vec4;
RNG_END_NAMESPACE

namespace rng_goldens {

template <class T> inline constexpr size_t numbers_in = 1;
template <class T> inline constexpr size_t numbers_in<rng::complex<T>> = 2;
template <class T> inline constexpr size_t numbers_in<rng::vec2<T>> = 2;
template <class T> inline constexpr size_t numbers_in<rng::vec3<T>> = 3;
template <class T> inline constexpr size_t numbers_in<rng::vec4<T>> = 4;

/// Returns the digest of values: FNV-1a 64 of their bytes, each number of a value little-endian.
template <class T> uint64_t digest_of(const T* values, uint64_t n) {
    constexpr size_t number = sizeof(T) / numbers_in<T>;
    uint64_t h = 0xcbf29ce484222325u;
    for (uint64_t i = 0; i < n; ++i) {
        unsigned char bytes[sizeof(T)];
        std::memcpy(bytes, values + i, sizeof(T));
        for (size_t k = 0; k < sizeof(T); ++k) {
            const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
            h = (h ^ bytes[little ? k : k / number * number + (number - 1 - k % number)]) * 0x100000001b3u;
        }
    }
    return h;
}

}  // namespace rng_goldens
