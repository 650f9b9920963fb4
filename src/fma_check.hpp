// require_fused_fma(): the library's arithmetic, before it makes the first value of a process.
#pragma once

#include <rng/core/config.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// Throws Error (unsupported) unless fma rounds once. Without -mfma it is the C library's, and MinGW's rounds twice.
void require_fused_fma();

}  // namespace detail
RNG_END_NAMESPACE
