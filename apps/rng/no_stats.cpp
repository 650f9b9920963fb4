// rng test in a build without the statistical tests.
#include <rng/error.hpp>

#include "command.hpp"

namespace cli {

Command add_test(CLI::App& program) {
    CLI::App* command = program.add_subcommand("test", "Test the statistical quality of a generator (not built in)");
    const auto refuse = []() -> int {
        throw rng::Error(rng::ErrorCode::unsupported,
                         "this program was built without the statistical tests: they need Boost.Math and nlohmann/json "
                         "(Debian: libboost-math-dev, nlohmann-json3-dev)");
    };
    return {command, refuse, true};
}

}  // namespace cli
