// The words of a stream as bytes, for engines under test (../engine.hpp).
#pragma once

#include <rng/core/stream.hpp>
#include <rng/distributions/bits.hpp>
#include <rng/fill.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include <rng/core/hide_macros.inc>

namespace rng::stats {

namespace detail {

template <class E>
concept HasBulkFill = requires {
    E::number;
};

/// Words of a stream as bytes; position in bytes, a multiple of a block.
template <class E> void read_stream(const Stream<E>& stream, uint64_t position, std::span<std::byte> to) {
    constexpr std::size_t block_bytes = E::words_per_block * 4;
    uint64_t block = position / block_bytes;
    while (!to.empty()) {
        if constexpr (HasBulkFill<E>) {
            constexpr std::size_t chunk = 1 << 16;  // too small for a fill to use threads
            if (to.size() >= block_bytes && reinterpret_cast<uintptr_t>(to.data()) % 4 == 0) {
                const std::size_t size = std::min(to.size() / block_bytes * block_bytes, chunk);
                fill(std::span(reinterpret_cast<uint32_t*>(to.data()), size / 4), bits<uint32_t>{}, stream,
                     block * E::words_per_block);
                to = to.subspan(size);
                block += size / block_bytes;
                continue;
            }
        }
        const auto words = stream.block(block++);
        const std::size_t size = std::min(to.size(), block_bytes);
        std::memcpy(to.data(), &words, size);
        to = to.subspan(size);
    }
}

}  // namespace detail

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
