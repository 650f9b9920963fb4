// The type traits and concepts of the standard library, as std::x inside namespace rng.
//
// NVRTC has no standard library; there they come from libcu++ (part of CCCL). Under NVRTC, a kernel with `using
// namespace rng;` therefore writes ::std or cuda::std, not std.
#pragma once

#include "config.hpp"

#if defined(__CUDACC_RTC__)
#include <cuda/std/concepts>
#include <cuda/std/type_traits>

RNG_BEGIN_NAMESPACE
namespace std = ::cuda::std;
RNG_END_NAMESPACE
#else
#include <concepts>
#include <type_traits>
#endif
