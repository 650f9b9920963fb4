// A part of a test's data, where all of it would take too long.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace support {

/// n divided by the environment variable RNG_TEST_SHARE (1 if that is unset or below 1), rounded up: values, seeds or
/// repetitions. scripts/test.sh asks sanitizers for a tenth, since they make a test several times slower.
inline uint64_t sampled(uint64_t n) {
    const char* const text = std::getenv("RNG_TEST_SHARE");
    const uint64_t share = text == nullptr ? 1 : std::max(std::strtoll(text, nullptr, 10), 1LL);
    return n / share + (n % share != 0);
}

}  // namespace support
