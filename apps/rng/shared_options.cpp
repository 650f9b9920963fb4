// The options that several commands have.
#include <CLI/CLI.hpp>

#include "address.hpp"
#include "engines.hpp"
#include "meta.hpp"
#include "table.hpp"

namespace cli {

void EngineOption::add_to(CLI::App& command) {
    command.add_option("--engine", name, "Engine: " + join(engine_names()) + " (default " + name + ")")->type_name("E");
}

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

void MetaOption::add_to(CLI::App& command) {
    command
        .add_option(
            "--meta", file,
            "Write to FILE, as JSON, what it takes to make the output again: seed, id, forks, position, engine, "
            "versions, ...")
        ->type_name("FILE");
}

}  // namespace cli
