// rng test, rng zoo, rng calibrate and views of streams in a build without the statistical tests.
#include <rng/core/error.hpp>

#include "command.hpp"
#include "view_bytes.hpp"

namespace cli {
namespace {

[[noreturn]] void refuse() {
    throw rng::Error(
        rng::ErrorCode::unsupported,
        "this program was built without the statistical tests: configure with -DRNG_BUILD_STATS=ON (Debian: "
        "libboost-math-dev, nlohmann-json3-dev) and build rng_program");
}

Command add_refusal(CommandLine& program, const char* name, const char* summary) {
    return {program.add_command(name, summary), []() -> int { refuse(); }, true};
}

}  // namespace

ViewBytes view_bytes(const std::string&, const StreamAddress::Values&, const std::string&) { refuse(); }

Command add_test(CommandLine& program) {
    return add_refusal(program, "test", "Test the statistical quality of a generator (not built in)");
}
Command add_zoo(CommandLine& program) { return add_refusal(program, "zoo", "Test the tests (not built in)"); }
Command add_calibrate(CommandLine& program) {
    return add_refusal(program, "calibrate", "Check the statistical tests (not built in)");
}

}  // namespace cli
