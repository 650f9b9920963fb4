// The program rng: a thin layer over the library. Each subcommand has its own cmd_*.cpp.
#include "command.hpp"
#include "program.hpp"

namespace {

constexpr const char* footer =
    "rng COMMAND --help describes a command.\n\n"
    "Environment:\n"
    "  RNG_ISA            scalar, avx2, avx512 or neon instead of the best of this machine\n"
    "  RNG_NUM_THREADS    threads of a fill, 1 to 1024 (default: all)\n"
    "Neither changes a value.\n\n"
    "Exit codes: 0 done; 1 a write failed, a digest differs or a generator is flawed; 2 a bad argument or a damaged "
    "file, of test also no verdict; 3 of test, suspicious.\n";

std::vector<cli::Command> commands(cli::CommandLine& program) {
    return {cli::add_info(program),      cli::add_list(program), cli::add_stream(program),  cli::add_sample(program),
            cli::add_svd(program),       cli::add_test(program), cli::add_zoo(program),     cli::add_calibrate(program),
            cli::add_verify(program),    cli::add_help(program), cli::add_version(program), cli::add_man(program),
            cli::add_completion(program)};
}

}  // namespace

int main(int argc, char** argv) {
    return cli::run_program(
        argc, argv,
        {"rng", "Counter-based random numbers: the same seed gives the same bits everywhere.", footer, commands});
}
