// A part of a test's data, where all of it would take too long.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace support {

/// Returns the environment variable RNG_TEST_SHARE: a test takes one of so many pieces of its data. 1 if it is unset or
/// below 1. scripts/test.sh sets 3, and 10 for sanitizers, because they make a test several times slower. With --full
/// only sanitizers get a share.
inline uint64_t share() {
    const char* const text = std::getenv("RNG_TEST_SHARE");
    return text == nullptr ? 1 : static_cast<uint64_t>(std::max(std::strtoll(text, nullptr, 10), 1LL));
}

/// Returns n divided by share(), rounded up. n is a number of values, seeds or repetitions.
inline uint64_t sampled(uint64_t n) { return n / share() + (n % share() != 0); }

}  // namespace support
