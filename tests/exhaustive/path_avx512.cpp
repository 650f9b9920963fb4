// The Avx512 lanes of the library's maps.
#define RNG_ABI_NAMESPACE v1_exhaustive_avx512
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"  // GCC bug 105593, as in lane_avx512.hpp
#endif
#include "../../src/cpu/lane_avx512.hpp"
#include "../../src/cpu/register_pair.hpp"
#include "evaluate.hpp"

void exhaustive::avx512(uint32_t first, Block& block) {
    evaluate<rng::wide::Unrolled2<rng::wide::Avx512>>(first, block);
}
