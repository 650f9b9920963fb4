// The threads of fills: one pool for the process, created by the first fill that needs it.
#pragma once

#include <functional>

namespace rng_cpu {

/// Calls part(0) ... part(parts - 1), each once, on up to `threads` threads, and returns when all are done. If the pool
/// is busy (another thread fills), the caller does all parts. Results do not depend on which thread does which part.
/// Each thread begins with a run of successive parts, the same one in each call with the same number of parts. If a
/// part throws, parts above it no longer begin, and the call waits for all others. Then it throws the exception of the
/// lowest part, which a single thread would also have met.
void run_parts(int parts, int threads, const std::function<void(int)>& part);

/// Returns the number of processors that this process may use.
int available_processors();

}  // namespace rng_cpu
