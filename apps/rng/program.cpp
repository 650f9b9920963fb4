#include "program.hpp"

#include <rng/core/config.hpp>
#include <rng/core/error.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "json.hpp"
#include "names.hpp"
#include "output.hpp"

namespace {

/// Writes one line of UTF-8 to standard error, for any text.
void complain(const std::string& where, std::string_view what) {
    std::string line = where + ": ";
    while (!what.empty()) {
        const size_t length = cli::utf8_length(what);
        const auto byte = static_cast<unsigned char>(what[0]);
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, "\\x%02x", byte);
        if (length == 0 || byte < 0x20 || byte == 0x7f)
            line += escaped;
        else
            line += what.substr(0, length);
        what.remove_prefix(std::max<size_t>(length, 1));
    }
    std::fprintf(stderr, "%s\n", line.c_str());
}

int complain_usage(const std::string& where, std::string_view what) {
    complain(where, what);
    return cli::exit_usage;
}

/// Refuses an argument that no option of `line` took.
int refuse_extra(const std::string& where, const cli::CommandLine& line, const std::string& extra) {
    if (!extra.starts_with('-') || extra == "-")
        return complain_usage(where, "unexpected argument " + extra + " (" + where + " --help lists what there is)");
    std::vector<std::string> known;
    for (const cli::OptionText& option : line.text().options)
        known.insert(known.end(), option.long_names.begin(), option.long_names.end());
    const std::string word = extra.substr(0, extra.find('='));
    const std::string typed = "--" + word.substr(std::min(word.size(), word.find_first_not_of('-')));
    return complain_usage(where, "unknown option " + extra + cli::did_you_mean(typed, known) + " (" + where +
                                     " --help lists what there is)");
}

/// Runs a command; exceptions become a line of text and an exit code.
int run_command(const std::string& where, const std::function<int()>& command) {
    try {
        return command();
    } catch (const cli::ReaderGone&) {
        return 0;
    } catch (const cli::UsageError& error) {
        return complain_usage(where, error.what());
    } catch (const rng::Error& error) {
        complain(where, error.what());
        // The request of the user cannot be met: a bad argument, or RNG_ISA and RNG_NUM_THREADS in the environment.
        const auto code = error.code();
        return code == rng::ErrorCode::cuda ? cli::exit_failed : cli::exit_usage;
    } catch (const std::exception& error) {
        complain(where, error.what());
        return cli::exit_failed;
    }
}

/// Returns the arguments. "--name=" becomes two arguments, "--name" and "". Otherwise the parser would take the next
/// argument as the value.
std::vector<std::string> arguments(int argc, char** argv) {
    std::vector<std::string> all;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const bool is_empty_value = argument.starts_with("--") && argument.find('=') == argument.size() - 1;
        all.push_back(is_empty_value ? argument.substr(0, argument.size() - 1) : argument);
        if (is_empty_value) all.emplace_back();
    }
    return all;
}

int run(int argc, char** argv, const cli::Program& what) {
    const std::string& name = what.name;
    cli::CommandLine program(name, what.purpose, name + " " RNG_VERSION, what.footer);
    const std::vector<cli::Command> commands = what.commands(program);
    const auto chosen = [&]() -> const cli::Command* {
        for (const cli::Command& command : commands)
            if (command.line.is_chosen()) return &command;
        return nullptr;
    };
    const auto name_of = [&](const cli::Command* command) {
        return command ? name + " " + command->line.name() : name;
    };
    try {
        program.parse(arguments(argc, argv));
    } catch (const cli::HelpRequested&) {
        return run_command(name, [&] {
            const cli::Command* command = chosen();
            cli::print((command ? command->line : program).help());
            return 0;
        });
    } catch (const cli::VersionRequested& version) {
        return run_command(name, [&] {
            cli::print(std::string(version.what()) + "\n");
            return 0;
        });
    } catch (const cli::UsageError& error) {
        // An option that does not exist is a likelier mistake than a missing one.
        const cli::Command* command = chosen();
        if (command && !command->line.remaining().empty())
            return refuse_extra(name_of(command), command->line, command->line.remaining()[0]);
        return complain_usage(name_of(command), error.what());
    }

    const std::vector<std::string> names = program.command_names();
    const std::vector<std::string> stray = program.remaining();
    const cli::Command* command = chosen();
    if (!stray.empty() && stray[0].starts_with('-')) return refuse_extra(name, program, stray[0]);
    if (!stray.empty())
        return complain_usage(name, "COMMAND must be one of " + cli::join(names) + ", got " + stray[0] +
                                        cli::did_you_mean(stray[0], names));
    if (!command) return complain_usage(name, "no command: use one of " + cli::join(names) + " (" + name + " --help)");
    const std::vector<std::string> extra = command->line.remaining();
    if (!extra.empty() && !command->takes_anything) return refuse_extra(name_of(command), command->line, extra[0]);
    return run_command(name_of(command), command->run);
}

}  // namespace

namespace cli {

int run_program(int argc, char** argv, const Program& program) {
    prepare_standard_streams();
    try {
        return run(argc, argv, program);
    } catch (const std::exception& error) {
        complain(program.name, error.what());
        return exit_failed;
    }
}

}  // namespace cli
