#include "address.hpp"

#include <rng/core/config.hpp>

#include <algorithm>
#include <bit>

#include "numbers.hpp"

namespace cli {

std::optional<uint64_t> StreamAddress::tag_of(const std::string& fork) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (fork.empty() || !std::ranges::all_of(fork, is_digit)) return {};
    constexpr uint64_t most = (uint64_t{1} << 56) - 1;  // docs/contract.md: a tag has 56 bits
    return parse_u64("--fork", fork, most, "2^56 - 1");
}

StreamAddress::Values StreamAddress::values(uint64_t size_words) const {
    const std::string end = "2^" + std::to_string(std::countr_zero(size_words));  // a stream's length is a power of two
    return {seed ? parse_u64("--seed", *seed) : rng::default_seed, id ? parse_u64("--id", *id) : 0,
            position ? parse_u64("--position", *position, size_words, end) : 0};
}

}  // namespace cli
