// --seed, --id and --position: where in which stream a command reads.
#include <rng/core/config.hpp>

#include <bit>

#include "command.hpp"
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

StreamAddress::Values StreamAddress::values(uint64_t size_words) const {
    const std::string end = "2^" + std::to_string(std::countr_zero(size_words));  // a stream's length is a power of two
    return {seed ? parse_u64("--seed", *seed) : rng::default_seed, id ? parse_u64("--id", *id) : 0,
            position ? parse_u64("--position", *position, size_words, end) : 0};
}

}  // namespace cli
