#include "address.hpp"

#include <rng/core/config.hpp>

#include <algorithm>
#include <bit>

#include "numbers.hpp"

namespace cli {

void StreamAddress::add_options(CLI::App& command) {
    command
        .add_option("--seed", seed,
                    "Seed, decimal or 0x hexadecimal, below 2^64 (default " + std::to_string(rng::default_seed) + ")")
        ->type_name("S");
    command.add_option("--id", id, "Number of the stream, below 2^64 (default 0)")->type_name("I");
    command
        .add_option("--position", position, "Where to begin, in 32-bit words from the start of the stream (default 0)")
        ->type_name("P");
}

void StreamAddress::add_forks(CLI::App& command) {
    command
        .add_option(
            "--fork", forks,
            "A child of the stream: digits alone are a number below 2^56, all else is a name. Repeated: a child "
            "of that child. --position is in the last one")
        ->type_name("NAME|NUMBER")
        ->allow_extra_args(false);
}

std::optional<uint64_t> StreamAddress::tag_of(const std::string& fork) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (fork.empty() || !std::ranges::all_of(fork, is_digit)) return {};
    constexpr uint64_t most = rng::detail::blocks_per_stream - 1;
    return parse_u64("--fork", fork, most, "2^56 - 1");
}

StreamAddress::Values StreamAddress::values(uint64_t size_words) const {
    const std::string end = "2^" + std::to_string(std::countr_zero(size_words));  // a stream's length is a power of two
    return {seed ? parse_u64("--seed", *seed) : rng::default_seed, id ? parse_u64("--id", *id) : 0,
            position ? parse_u64("--position", *position, size_words, end) : 0};
}

}  // namespace cli
