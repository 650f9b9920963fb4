// The setting of use_deterministic_algorithms().
#include <rng/deterministic.hpp>

#include <atomic>

RNG_BEGIN_NAMESPACE
namespace {
std::atomic<bool> enabled_everywhere{false};
}

void use_deterministic_algorithms(bool enabled) { enabled_everywhere = enabled; }
bool are_deterministic_algorithms_enabled() { return enabled_everywhere; }

RNG_END_NAMESPACE
