// The maps of tests/support/shapes.hpp over the Avx2 lanes of the library.
#define RNG_ABI_NAMESPACE v1_shapes_avx2
#include "../../src/cpu/lane_avx2.hpp"
#include "../../src/cpu/register_pair.hpp"
#include "../support/shapes.hpp"

const rng_abi::MapFunctions* avx2_shapes() {
    using L = rng::wide::Avx2;
    return rng::shapes::Functions<rng::wide::Unrolled2<L>, L, rng::shapes::list>::of;
}
