// The scalar lane. On x86-64 it is compiled with FMA, for speed: without, each fma is a call of the C library.
#define RNG_ABI_NAMESPACE v1_exhaustive_scalar
#include "evaluate.hpp"

void exhaustive::scalar(uint32_t first, Block& block) { evaluate<rng::lane::Scalar>(first, block); }
