// What the tests of generators share.
#pragma once

#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace support {

using Bytes = std::vector<std::byte>;

inline constexpr uint64_t stream_words = rng::Stream<>::size_words;
inline const rng::uniform<float> unit{};

inline rng::Generator at_word(uint64_t position, uint64_t seed = 42) {
    rng::Generator generator(seed);
    generator.skip_words(position);
    return generator;
}

inline bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace support
