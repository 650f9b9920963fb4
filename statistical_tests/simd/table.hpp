// The kernels of one instruction set: included by isa_<ISA>.cpp alone.
#pragma once

#include "bit_counts.hpp"
#include "ciphers.hpp"
#include "kernels.hpp"

namespace rng::stats {
namespace RNG_ABI_NAMESPACE {

const LaneKernels& lane_kernels() {
    static constexpr LaneKernels table{
        {{{&philox32<2>, &philox64<2>}, {&philox32<4>, &philox64<4>}},
         {{&threefry<uint32_t, 2>, &threefry<uint64_t, 2>}, {&threefry<uint32_t, 4>, &threefry<uint64_t, 4>}}},
        &count_bits,
        &weights,
        &exclusive_or};
    return table;
}

}  // namespace RNG_ABI_NAMESPACE
}  // namespace rng::stats
