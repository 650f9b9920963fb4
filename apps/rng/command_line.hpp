// The command line of a program: its commands, and the options of each.
// command_line.cpp alone includes the parser, CLI11, which takes seconds to compile in each source.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "usage_error.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cli {

/// One option or positional argument.
class Option {
  public:
    explicit Option(CLI::Option* option) : option_(option) {}

    Option& required();
    /// Makes several values of one with this character between them.
    Option& delimiter(char between);
    /// Makes the option take one value each time, and not all words up to the next option.
    Option& one_value_each();
    /// Makes an empty value an error: the name of a file, which an unset variable of a shell leaves empty.
    Option& not_empty();
    /// Shows the option under this heading of the help.
    Option& group(const std::string& heading);

    /// Returns the value as it was typed; nothing if the option was not given.
    [[nodiscard]] std::optional<std::string> text() const;

  private:
    CLI::Option* option_;
};

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

/// The arguments ask for the help, or for the version, and not for work.
struct HelpRequested : UsageError {
    using UsageError::UsageError;
};
struct VersionRequested : UsageError {  ///< what() is the version
    using UsageError::UsageError;
};

/// Commands for the build and for packagers are not listed: they are in no help, no manual and no completion.
enum class Listed { no, yes };

/// A program or one of its commands, with the options that it takes. A copy is the same program or command.
class CommandLine {
  public:
    /// Arguments without a program, such as those that a file has.
    CommandLine();
    CommandLine(const std::string& name, const std::string& purpose, const std::string& version,
                const std::string& footer);

    /// Adds a command. Its help ends with the footer.
    [[nodiscard]] CommandLine add_command(const std::string& name, const std::string& summary,
                                          const std::string& footer = {}, Listed listed = Listed::yes);
    void set_footer(const std::string& footer);

    // Options, and positional arguments, whose names have no dash. `type` is what the help calls a value. The variable
    // must stay where it is until the arguments are parsed.
    Option add_option(const std::string& names, std::string& value, const std::string& type, const std::string& help);
    Option add_option(const std::string& names, std::optional<std::string>& value, const std::string& type,
                      const std::string& help);
    Option add_option(const std::string& names, std::vector<std::string>& values, const std::string& type,
                      const std::string& help);
    /// Adds an option without a variable: Option::text() has its value.
    Option add_option(const std::string& names, const std::string& type, const std::string& help);
    void add_flag(const std::string& names, bool& is_given, const std::string& help);

    /// Sets the variables. Throws UsageError, HelpRequested or VersionRequested.
    void parse(std::vector<std::string> arguments);

    // What the arguments had, also after an error.
    [[nodiscard]] bool is_chosen() const;                      ///< true if they name this command
    [[nodiscard]] std::vector<std::string> remaining() const;  ///< the arguments that no option took
    [[nodiscard]] std::vector<std::string> given_options() const;

    [[nodiscard]] std::string name() const;
    [[nodiscard]] std::string help() const;  ///< in lines of 80 columns
    [[nodiscard]] CommandText text() const;
    /// Returns the commands that the help lists, in its order.
    [[nodiscard]] std::vector<CommandLine> commands() const;
    [[nodiscard]] std::vector<std::string> command_names() const;
    /// Returns the command of that name, listed or not.
    [[nodiscard]] std::optional<CommandLine> find_command(const std::string& name) const;

  private:
    explicit CommandLine(std::shared_ptr<CLI::App> app) : app_(std::move(app)) {}

    std::shared_ptr<CLI::App> app_;
};

}  // namespace cli
