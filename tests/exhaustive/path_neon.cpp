// The Neon lanes of the library's maps.
#define RNG_ABI_NAMESPACE v1_exhaustive_neon
#include "../../src/cpu/lane_neon.hpp"
#include "../../src/cpu/register_pair.hpp"
#include "evaluate.hpp"

void exhaustive::neon(uint32_t first, Block& block) { evaluate<rng::wide::Unrolled2<rng::wide::Neon>>(first, block); }
