// rng help and rng version, and what all commands share.
#include <CLI/CLI.hpp>
#include <rng/core/config.hpp>

#include <memory>

#include "command.hpp"
#include "names.hpp"
#include "output.hpp"

namespace cli {

CLI::App* add_subcommand(CLI::App& program, const char* name, const char* summary, const std::string& footer) {
    CLI::App* command = program.add_subcommand(name, summary);
    command->footer(footer);
    return command;
}

std::vector<std::string> command_names(const CLI::App& program) {
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands({}))
        if (!command->get_group().empty()) names.push_back(command->get_name());
    return names;
}

void print_help(const CLI::App& program, const CLI::App* command) {
    // By the formatter: program.help() would be that of the command that was parsed, which may be help.
    const std::string text =
        command ? command->help(program.get_name())
                : program.get_formatter()->make_help(&program, program.get_name(), CLI::AppFormatMode::Normal);
    print(wrapped(text, 80));  // columns of a terminal
}

Command add_help(CLI::App& program) {
    CLI::App* command = program.add_subcommand("help", "Describe a command");
    const auto name = std::make_shared<std::string>();
    command->add_option("COMMAND", *name, "The command (default: what the program does)")->type_name("");
    command->footer(
        "rng help COMMAND prints what rng COMMAND --help prints.\n\n"
        "Example:\n"
        "  rng help sample\n");
    return {
        command, [&program, name] {
            if (name->empty()) {
                print_help(program, nullptr);
                return 0;
            }
            for (const CLI::App* known : program.get_subcommands({})) {
                if (known->get_name() != *name) continue;
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
