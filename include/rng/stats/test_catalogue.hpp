// THE list of statistical tests, which `rng test --list` prints.
//
//     for (const rng::stats::TestDescription& test : rng::stats::test_catalogue()) std::puts(test.name);
#pragma once

#include <rng/core/config.hpp>

#include <span>
#include <string_view>

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// The part of a generator that a test examines: its block function and streams, or a long sequence.
enum class Stage { structural, stream };

/// A statistical test, as `rng test --list` shows it.
struct TestDescription {
    const char* name;  ///< as in Options::only
    Stage stage;
    const char* summary;    ///< one line
    const char* must_fail;  ///< the flaw that the test is there to find
};

/// Returns the tests, in the order of reports.
[[nodiscard]] std::span<const TestDescription> test_catalogue();

/// Returns the description of a test by its name in reports; null if there is no such test. "avalanche2/seed" gives
/// "avalanche2", "low8" gives "subwords".
[[nodiscard]] const TestDescription* description_of(std::string_view test);

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
