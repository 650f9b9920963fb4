// The maps of tests/support/shapes.hpp over the Avx512 lanes of the library.
#define RNG_ABI_NAMESPACE v1_shapes_avx512
#include "../../src/cpu/lane_avx512.hpp"
#include "../../src/cpu/register_pair.hpp"
#include "../support/shapes.hpp"

const rng_abi::MapFunctions* avx512_shapes() {
    using L = rng::wide::Avx512;
    return rng::shapes::Functions<rng::wide::Unrolled2<L>, L, rng::shapes::list>::of;
}
