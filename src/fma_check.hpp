// require_fused_fma(): a check of the library's arithmetic before the first value of a process.
#pragma once

#include <rng/core/config.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// Throws Error (unsupported) unless fma rounds once. Without -mfma it is a call of the C library, or
/// lane/soft_fma.hpp.
void require_fused_fma();

}  // namespace detail
RNG_END_NAMESPACE
