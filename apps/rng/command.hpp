// What a subcommand is: its options, registered with CLI11, and what it does once they are parsed. CLI11 takes seconds
// to compile in each source that includes it: only those with options of their own do.
//
// Exit codes: 0 done; 1 the work failed (a write error, a digest that differs); 2 a bad argument or a
// damaged file.
#pragma once

#include <functional>
#include <string>
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
    bool takes_anything = false;  ///< it refuses to work, whatever else is on its line
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

/// A subcommand, to which options can be added. The footer is what its help ends with.
[[nodiscard]] CLI::App* add_subcommand(CLI::App& program, const char* name, const char* summary,
                                       const std::string& footer);
/// The names of the commands, in the order of the help; without hidden ones, which have no group.
[[nodiscard]] std::vector<std::string> command_names(const CLI::App& program);
/// Prints the help of a command; of the program if it is null.
void print_help(const CLI::App& program, const CLI::App* command);

}  // namespace cli
