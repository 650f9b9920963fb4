// What each_kernels.cu and parity_each.cpp share: the kernels of fills whose parameters vary, and of masks.
#pragma once

#include "../../cuda/each_kernels.hpp"
#include "element.hpp"

namespace parity {

namespace gpu = rng::detail::gpu;

template <class E>
using MasksOf = rng::type_list<gpu::WriteMask<uint8_t, E>, gpu::WriteMask<rng::float16, E>,
                               gpu::WriteMask<rng::bfloat16, E>, gpu::WriteMask<float, E>, gpu::WriteMask<double, E>>;

using each_kernels =
    joined_t<rng::type_list<gpu::WriteEach<rng::poisson<int64_t>>, gpu::WriteEach<rng::binomial<int64_t>>,
                            gpu::WriteEach<rng::gamma<float>>, gpu::WriteEach<rng::gamma<double>>>,
             MasksOf<rng::Philox4x32_10>, MasksOf<rng::detail::AnyEngine>>;

}  // namespace parity
