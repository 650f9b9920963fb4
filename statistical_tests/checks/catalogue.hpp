// THE list of statistical tests.
#pragma once

#include <span>
#include <string_view>

#include "test.hpp"

namespace rng::stats {

enum class Stage { functional, stream };

struct CatalogueRow {
    const char* name;
    Stage stage;
    const char* summary;    ///< one line
    const char* must_fail;  ///< the flaw that it is there for
    /// The tests of a subject: one or more, or none if it does not apply.
    std::vector<NamedTest> (*make)(const Subject& subject, Effort effort);
};

[[nodiscard]] std::span<const CatalogueRow> catalogue();

/// The row that made a test of this name: "avalanche2" of "avalanche2/seed", "lanes" of "low8". Null if none did.
[[nodiscard]] const CatalogueRow* row_of(std::string_view test);

/// Of one Stage, those in `only` (all if it is empty). A name of `only` may be a row's or that of one of its tests.
[[nodiscard]] std::vector<NamedTest> make_tests(Stage stage, const Subject& subject, Effort effort,
                                                std::span<const std::string> only);

}  // namespace rng::stats
