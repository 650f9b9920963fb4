// rng help and rng version.
#include <rng/core/config.hpp>

#include <memory>

#include "command.hpp"
#include "names.hpp"
#include "output.hpp"

namespace cli {

Command add_help(CLI::App& program) {
    CLI::App* command = add_subcommand(program, "help", "Describe a command",
                                       "rng help COMMAND prints what rng COMMAND --help prints.\n\n"
                                       "Example:\n"
                                       "  rng help sample\n");
    const auto name = add_word(*command, "COMMAND", "The command (default: what the program does)", false);
    return {
        command, [&program, name] {
            if (name->empty()) {
                print_help(program, nullptr);
                return 0;
            }
            if (const CLI::App* known = find_command(program, *name)) {
                print_help(program, known);
                return 0;
            }
            const std::vector<std::string> names = command_names(program);
            throw UsageError("COMMAND must be one of " + join(names) + ", got " + *name + did_you_mean(*name, names));
        }};
}

Command add_version(CLI::App& program) {
    return {add_subcommand(program, "version", "Print the version",
                           "One line, the same as of rng --version; rng info has more.\n\n"
                           "Example:\n"
                           "  rng version\n"),
            [] {
                print("rng " RNG_VERSION "\n");
                return 0;
            }};
}

}  // namespace cli
