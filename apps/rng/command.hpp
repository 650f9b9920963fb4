// A subcommand: its options, registered with CLI11, and the work that it does after they are parsed.
// CLI11 takes seconds to compile in each source that includes it. So only commands with options of their own include
// it.
//
// Exit codes: 0 done; 1 the work failed (a write error, a digest that differs); 2 a bad argument or a
// damaged file.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "table.hpp"
#include "usage_error.hpp"

namespace CLI {
class App;
}

namespace cli {

inline constexpr int exit_failed = 1;
inline constexpr int exit_usage = 2;

struct Command {
    CLI::App* app;
    std::function<int()> run;     ///< returns the exit code
    bool takes_anything = false;  ///< true if the command itself refuses the words that it does not know
};

Command add_calibrate(CLI::App& program);
Command add_completion(CLI::App& program);
Command add_help(CLI::App& program);
Command add_info(CLI::App& program);
Command add_list(CLI::App& program);
Command add_man(CLI::App& program);
Command add_stream(CLI::App& program);
Command add_sample(CLI::App& program);
Command add_svd(CLI::App& program);
Command add_test(CLI::App& program);
Command add_verify(CLI::App& program);
Command add_version(CLI::App& program);
Command add_zoo(CLI::App& program);

/// Commands for the build and for packagers are not listed: they are in no help, no manual and no completion.
enum class Listed { no, yes };
/// Adds a subcommand, to which options can be added. Its help ends with the footer.
[[nodiscard]] CLI::App* add_subcommand(CLI::App& program, const char* name, const char* summary,
                                       const std::string& footer, Listed listed = Listed::yes);
/// Adds the one word that a command takes, which is set after parsing.
[[nodiscard]] std::shared_ptr<std::string> add_word(CLI::App& command, const char* name, const char* help,
                                                    bool is_required);
/// The help's text about an option or a positional argument.
struct OptionText {
    std::vector<std::string> short_names, long_names;  ///< "-o", "--output"; none for a positional argument
    std::string name;                                  ///< the name of a positional argument
    std::string type;                                  ///< the type of the value; empty if there is none
    std::string description;
    bool takes_value = false, is_required = false;
};
/// The help's text about a command, or about the program.
struct CommandText {
    std::string name, description, footer;
    std::vector<OptionText> options;
};
[[nodiscard]] CommandText text_of(const CLI::App& command);
/// Returns the commands that the help lists, in its order.
[[nodiscard]] std::vector<CommandText> texts_of_commands(const CLI::App& program);
/// Returns the names of the listed commands, in the order of the help.
[[nodiscard]] std::vector<std::string> command_names(const CLI::App& program);
/// Returns the command of that name, listed or not; null if there is none.
[[nodiscard]] const CLI::App* find_command(const CLI::App& program, const std::string& name);
/// Prints the help of a command, or of the program if `command` is null.
void print_help(const CLI::App& program, const CLI::App* command);

/// Parses arguments that another process was given. Throws UsageError where CLI11 refuses them.
void parse(CLI::App& command_line, std::vector<std::string> arguments);

/// Throws UsageError if one of these options of the command is given: ranks share the units out by themselves.
void refuse_over_ranks(const std::string& command, const std::string& units,
                       std::initializer_list<std::pair<const char*, bool>> given);

}  // namespace cli
