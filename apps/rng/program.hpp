// A program of subcommands: what is the same for rng and rng-mpi.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "command.hpp"

namespace cli {

struct Program {
    std::string name, purpose, footer;  ///< the purpose and the footer are parts of its help
    std::function<std::vector<Command>(CommandLine&)> commands;
};

/// Runs the command that the arguments name, and returns the exit code. An error is a line on standard error.
[[nodiscard]] int run_program(int argc, char** argv, const Program& program);

}  // namespace cli
