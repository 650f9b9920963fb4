// The maps of tests/support/shapes.hpp over the Neon lanes of the library.
#define RNG_ABI_NAMESPACE v1_shapes_neon
#include "../../src/cpu/lane_neon.hpp"
#include "../../src/cpu/register_pair.hpp"
#include "../support/shapes.hpp"

const rng_abi::MapFunctions* neon_shapes() {
    using L = rng::wide::Neon;
    return rng::shapes::Functions<rng::wide::Unrolled2<L>, L, rng::shapes::list>::of;
}
