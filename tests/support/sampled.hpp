// A part of a test's data, where all of it would take too long.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace support {

/// Returns n divided by the environment variable RNG_TEST_SHARE, rounded up; the divisor is 1 if the variable is unset
/// or below 1.
/// n is a number of values, seeds or repetitions.
/// scripts/test.sh sets a tenth for sanitizers, because they make a test several times slower.
inline uint64_t sampled(uint64_t n) {
    const char* const text = std::getenv("RNG_TEST_SHARE");
    const uint64_t share = text == nullptr ? 1 : std::max(std::strtoll(text, nullptr, 10), 1LL);
    return n / share + (n % share != 0);
}

}  // namespace support
