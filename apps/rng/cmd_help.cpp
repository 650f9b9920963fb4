// rng help and rng version.
#include <rng/core/config.hpp>

#include <memory>

#include "command.hpp"
#include "names.hpp"
#include "output.hpp"

namespace cli {

Command add_help(CommandLine& program) {
    CommandLine command = program.add_command("help", "Describe a command",
                                              "rng help COMMAND prints what rng COMMAND --help prints.\n\n"
                                              "Example:\n"
                                              "  rng help sample\n");
    const auto name = std::make_shared<std::string>();
    command.add_option("COMMAND", *name, "", "The command (default: what the program does)");
    return {
        command, [program, name] {
            if (name->empty()) {
                print(program.help());
                return 0;
            }
            if (const std::optional<CommandLine> known = program.find_command(*name)) {
                print(known->help());
                return 0;
            }
            const std::vector<std::string> names = program.command_names();
            throw UsageError("COMMAND must be one of " + join(names) + ", got " + *name + did_you_mean(*name, names));
        }};
}

Command add_version(CommandLine& program) {
    return {program.add_command("version", "Print the version",
                                "One line, the same as of rng --version; rng info has more.\n\n"
                                "Example:\n"
                                "  rng version\n"),
            [] {
                print("rng " RNG_VERSION "\n");
                return 0;
            }};
}

}  // namespace cli
