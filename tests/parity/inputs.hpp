// The places where values are compared: words at the edges of maps, and streams at the edges of counters.
#pragma once

#include <rng/core/stream.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace parity {

/// Words at which a map changes its course, in 32 bits.
inline std::vector<std::uint32_t> edge_words() {
    std::vector<std::uint32_t> words;
    const auto around = [&words](std::uint32_t centre, std::uint32_t reach) {
        for (std::uint32_t d = 0; d <= 2 * reach; ++d) words.push_back(centre - reach + d);
    };
    for (unsigned k = 0; k < 32; ++k) {
        const std::uint32_t power = std::uint32_t{1} << k;
        around(power, 1);
        around(~power + 1, 1);
        around(static_cast<std::uint32_t>(1.4142135623730951 * power), 2);  // where the logarithm changes exponent
    }
    around(0xf3bcc908, 2);                                  // the low half of that place in 64 bits
    for (std::uint32_t octant = 0; octant < 8; ++octant) {  // of a turn
        around(octant << 29, 3);
        for (const std::uint32_t d : {0x40u, 0x80u, 0x100u, 0x200u}) {
            words.push_back((octant << 29) + d);
            words.push_back((octant << 29) - d);
        }
    }
    return words;
}

/// All ordered pairs of edge words, in an order in which neighbouring pairs are unrelated.
inline std::vector<std::uint32_t> edge_table() {
    const std::vector<std::uint32_t> words = edge_words();
    const std::size_t size = words.size() * words.size();
    std::size_t step = size / 2 + 12345;
    while (std::gcd(step, size) != 1) ++step;  // else some pairs would be left out
    std::vector<std::uint32_t> table;
    for (std::size_t k = 0, pair = 0; k < size; ++k, pair = (pair + step) % size) {
        table.push_back(words[pair / words.size()]);
        table.push_back(words[pair % words.size()]);
    }
    while (table.size() % 8) table.push_back(0);
    return table;
}

struct Place {
    rng::Stream<> stream;
    std::uint64_t first;
};

/// Streams and first values around everything that could overflow: odd positions, words and blocks at 2^32, indices at
/// 2^32, the last values of a stream.
inline std::vector<Place> places(std::uint64_t slot, std::uint64_t n) {
    constexpr std::uint64_t two32 = std::uint64_t{1} << 32, all = ~std::uint64_t{0};
    return {{rng::Stream<>(42), 0},
            {rng::Stream<>(0xdeadbeefcafef00d, 0x8000000000000005, 3), 0},
            {rng::Stream<>(0, 1, two32 - 5), 0},
            {rng::Stream<>(all, all, 4 * two32 - slot * (n / 2) - 1), 0},
            {rng::Stream<>(rng::default_seed, two32, 1), two32 - n / 2},
            {rng::Stream<>(7, 9, 1), 4 * two32 / slot - n / 2},
            {rng::Stream<>(all << 63, all >> 1, 0x0123456789abcdef), 17},
            {rng::Stream<>(1, two32 - 1, rng::Stream<>::size_words - slot * n), 0}};
}

}  // namespace parity
