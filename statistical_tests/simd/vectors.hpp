// Vectors of sixteen lanes, of GCC's and Clang's own kind. Their instructions are those that the including file is
// compiled for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace rng::stats {
namespace RNG_ABI_NAMESPACE {
namespace {

constexpr std::size_t at_once = 16;

template <class W> struct VectorOf;
template <> struct VectorOf<uint32_t> { typedef uint32_t type __attribute__((vector_size(64))); };
template <> struct VectorOf<uint64_t> { typedef uint64_t type __attribute__((vector_size(128))); };
using V32 = VectorOf<uint32_t>::type;
using V64 = VectorOf<uint64_t>::type;
typedef uint64_t Halves __attribute__((vector_size(64)));  // eight lanes; for products of 32 bits

inline void load(V32& to, const uint32_t* from, std::size_t) { std::memcpy(&to, from, sizeof to); }
inline void load(V64& to, const uint32_t* from, std::size_t stride) {
    V32 low, high;
    load(low, from, 0);
    load(high, from + stride, 0);
    to = __builtin_convertvector(low, V64) | __builtin_convertvector(high, V64) << 32;
}
inline void store(const V32& from, uint32_t* to, std::size_t) { std::memcpy(to, &from, sizeof from); }
inline void store(const V64& from, uint32_t* to, std::size_t stride) {
    store(__builtin_convertvector(from, V32), to, 0);
    store(__builtin_convertvector(from >> 32, V32), to + stride, 0);
}

}  // namespace
}  // namespace RNG_ABI_NAMESPACE
}  // namespace rng::stats
