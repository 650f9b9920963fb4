// rng test and rng zoo in a build without the statistical tests.
#include <rng/error.hpp>

#include "command.hpp"

namespace cli {
namespace {

Command add_refusal(CLI::App& program, const char* name, const char* summary) {
    const auto refuse = []() -> int {
        throw rng::Error(rng::ErrorCode::unsupported,
                         "this program was built without the statistical tests: they need Boost.Math and nlohmann/json "
                         "(Debian: libboost-math-dev, nlohmann-json3-dev)");
    };
    return {program.add_subcommand(name, summary), refuse, true};
}

}  // namespace

Command add_test(CLI::App& program) {
    return add_refusal(program, "test", "Test the statistical quality of a generator (not built in)");
}
Command add_zoo(CLI::App& program) { return add_refusal(program, "zoo", "Test the tests (not built in)"); }

}  // namespace cli
