// The tag of a name, by which Stream::fork and Generator::fork derive a child (docs/contract.md).
#pragma once

#include <string_view>

#include "engine.hpp"

#include "hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The tag of a name: low 56 bits of a Threefry2x64-20 hash over 16-byte little-endian blocks, then the length.
[[nodiscard]] constexpr uint64_t name_tag(std::string_view name) {
    Words<uint64_t, 2> h{{0, 0}};
    const auto absorb = [&h](Words<uint64_t, 2> m) {
        const auto e = threefry<2, uint64_t, 20>(m, h);
        h = {{e[0] ^ m[0], e[1] ^ m[1]}};
    };
    for (size_t start = 0; start < name.size(); start += 16) {
        Words<uint64_t, 2> m{{0, 0}};
        for (size_t i = start; i < name.size() && i < start + 16; ++i) {
            const uint64_t byte = static_cast<unsigned char>(name[i]);
            m[static_cast<int>((i - start) / 8)] |= byte << (8 * ((i - start) % 8));
        }
        absorb(m);
    }
    absorb({{name.size(), 0}});
    return h[0] & (blocks_per_stream - 1);
}

}  // namespace detail

RNG_END_NAMESPACE

#include "restore_macros.inc"
