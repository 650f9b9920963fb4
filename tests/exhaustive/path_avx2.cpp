// The Avx2 lanes of the library's maps.
#define RNG_ABI_NAMESPACE v1_exhaustive_avx2
#include "../../src/cpu/lane_avx2.hpp"
#include "../../src/cpu/register_pair.hpp"
#include "evaluate.hpp"

void exhaustive::avx2(uint32_t first, Block& block) { evaluate<rng::wide::Unrolled2<rng::wide::Avx2>>(first, block); }
