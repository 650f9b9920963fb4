// Threads of fills: one pool for the process, made at the first fill that wants it.
#pragma once

#include <functional>

namespace rng_cpu {

/// Calls part(0) ... part(parts - 1), each once, on up to `threads` threads, and returns when all are done. If the pool
/// is busy (another thread fills), the caller does all of it: results do not depend on who does what. If parts throw,
/// no more are begun, those begun are waited for, and the exception of the lowest part is thrown: the one that a single
/// thread would have met.
void run_parts(int parts, int threads, const std::function<void(int)>& part);

/// Processors that this process may use.
int available_processors();

}  // namespace rng_cpu
