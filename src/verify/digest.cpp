#include <rng/verify.hpp>

// Not in the file of verify(), which links all goldens: saved states have a digest too.

RNG_BEGIN_NAMESPACE

uint64_t digest(std::span<const std::byte> bytes) {
    uint64_t h = 0xcbf29ce484222325u;
    for (const std::byte b : bytes) h = (h ^ static_cast<uint64_t>(b)) * 0x100000001b3u;
    return h;
}

RNG_END_NAMESPACE
