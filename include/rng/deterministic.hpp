// use_deterministic_algorithms, as in torch: operations that would give results of this machine only become errors.
#pragma once

#include "core/config.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Everything in this library gives the same bits everywhere unless it is asked not to (SvdOptions::fast). With `true`,
/// asking for that throws Error (unsupported) that names the operation and the way out. For the whole program.
RNG_API void use_deterministic_algorithms(bool enabled);
[[nodiscard]] RNG_API bool are_deterministic_algorithms_enabled();

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
