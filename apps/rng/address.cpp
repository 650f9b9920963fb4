#include "address.hpp"

#include <rng/core/config.hpp>

#include <algorithm>
#include <bit>

#include "json.hpp"
#include "numbers.hpp"

namespace cli {

void StreamAddress::add_options(CommandLine& command) {
    command.add_option(
        "--seed", seed, "S",
        "Seed, decimal or 0x hexadecimal, below 2^64 (default " + std::to_string(rng::default_seed) + ")");
    command.add_option("--id", id, "I", "Number of the stream, below 2^64 (default 0)");
    command.add_option("--position", position, "P",
                       "Where to begin, in 32-bit words from the start of the stream (default 0)");
}

void StreamAddress::add_forks(CommandLine& command) {
    command
        .add_option(
            "--fork", forks, "NAME|NUMBER",
            "A child of the stream: digits alone are a number below 2^56, all else is a name. Repeated: a child "
            "of that child. --position is in the last one")
        .one_value_each();
}

std::optional<uint64_t> StreamAddress::tag_of(const std::string& fork) {
    if (!is_utf8(fork)) throw UsageError("--fork must be a number or a name in UTF-8, got " + fork);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (fork.empty() || !std::ranges::all_of(fork, is_digit)) return {};
    constexpr uint64_t most = (uint64_t{1} << 56) - 1;  // docs/contract.md: a tag has 56 bits
    return parse_u64("--fork", fork, most, "2^56 - 1");
}

StreamAddress::Values StreamAddress::values(uint64_t size_words) const {
    for (const std::string& fork : forks) static_cast<void>(tag_of(fork));
    const std::string end = "2^" + std::to_string(std::countr_zero(size_words));  // a stream's length is a power of two
    return {seed ? parse_u64("--seed", *seed) : rng::default_seed, id ? parse_u64("--id", *id) : 0,
            position ? parse_u64("--position", *position, size_words, end) : 0};
}

}  // namespace cli
