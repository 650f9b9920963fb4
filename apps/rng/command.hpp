// A subcommand: its options, and the work that it does after they are parsed.
//
// Exit codes: 0 done; 1 the work failed (a write error, a digest that differs); 2 a bad argument or a
// damaged file.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command_line.hpp"
#include "table.hpp"
#include "usage_error.hpp"

namespace cli {

inline constexpr int exit_failed = 1;
inline constexpr int exit_usage = 2;

struct Command {
    CommandLine line;
    std::function<int()> run;     ///< returns the exit code
    bool takes_anything = false;  ///< true if the command itself refuses the words that it does not know
};

Command add_calibrate(CommandLine& program);
Command add_completion(CommandLine& program);
Command add_help(CommandLine& program);
Command add_info(CommandLine& program);
Command add_list(CommandLine& program);
Command add_man(CommandLine& program);
Command add_stream(CommandLine& program);
Command add_sample(CommandLine& program);
Command add_svd(CommandLine& program);
Command add_test(CommandLine& program);
Command add_verify(CommandLine& program);
Command add_version(CommandLine& program);
Command add_zoo(CommandLine& program);

/// Throws UsageError if one of these options of the command is given: ranks distribute the parts of a run themselves.
void refuse_over_ranks(const std::string& command, const std::string& parts,
                       std::initializer_list<std::pair<const char*, bool>> given);
/// Throws UsageError if the command line has options other than these.
void require_only_beside_merge(const CommandLine& command_line, std::initializer_list<std::string_view> options);

/// Returns the options of which these are the arguments. Throws UsageError if the command does not take them.
template <class Options> [[nodiscard]] Options options_of(std::vector<std::string> arguments) {
    Options options;
    CommandLine line;
    options.add_to(line);
    line.parse(std::move(arguments));
    return options;
}

}  // namespace cli
