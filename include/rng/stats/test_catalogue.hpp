// THE list of statistical tests: what `rng test --list` prints.
//
//     for (const rng::stats::TestDescription& test : rng::stats::test_catalogue()) std::puts(test.name);
#pragma once

#include <rng/core/config.hpp>

#include <span>
#include <string_view>

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// The part of a generator that a test looks at: its block function and streams, or a long sequence.
enum class Stage { structural, stream };

struct TestDescription {
    const char* name;  ///< as in Options::only
    Stage stage;
    const char* summary;    ///< one line
    const char* must_fail;  ///< the flaw that it is there for
};

[[nodiscard]] std::span<const TestDescription> test_catalogue();

/// The description of a test by its name in reports: of "avalanche2" for "avalanche2/seed", of "subwords" for "low8".
/// Null if there is no such test.
[[nodiscard]] const TestDescription* description_of(std::string_view test);

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
