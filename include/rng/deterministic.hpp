// use_deterministic_algorithms, as in torch: operations whose results depend on the machine become errors.
//
//     rng::use_deterministic_algorithms(true);                      // svd_lowrank(A, {.fast = true}, gen) now throws
#pragma once

#include "core/config.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Forbids (true) or allows (false) operations whose bits depend on the machine, in the whole program.
/// Only the option `fast` of svd_lowrank and pca_lowrank selects such operations; everything else in this library gives
/// the same bits everywhere. A call that needs a forbidden operation throws Error (unsupported). The message names the
/// operation and the alternative.
RNG_API void use_deterministic_algorithms(bool enabled);
/// Returns true if operations whose bits depend on the machine are forbidden.
[[nodiscard]] RNG_API bool are_deterministic_algorithms_enabled();

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
