// The blocks that an AVX-512 processor without IFMA computes. The library chooses them on no other processor.
#define RNG_ABI_NAMESPACE v1_without_ifma
#if defined(__GNUC__) && !defined(__clang__)
// GCC bug 105593, as in lane_avx512.hpp
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include "../../src/cpu/vector_avx512.hpp"
#include "../../src/cpu/wide_engine.hpp"
#include "../../src/cpu/wide_philox64.hpp"

void philox64_without_ifma(uint32_t* out, uint64_t first, uint64_t count, uint64_t id, const uint64_t* key) {
    using Rounds = rng::wide::Philox4x64Rounds<rng::wide::ProductOfHalves<rng::wide::Avx512x64>, 10>;
    rng::wide::wide_blocks<Rounds, 4>(out, first, count, 0, id, key);
}
