// The tests of a generator, by the rows of the catalogue (rng/stats/test_catalogue.hpp).
#pragma once

#include <rng/stats/test_catalogue.hpp>

#include <span>
#include <string>
#include <vector>

#include "test.hpp"

namespace rng::stats {

/// Returns the tests of one stage that are named in `only`; all of them if `only` is empty. A name is that of a row or
/// of one of its tests.
[[nodiscard]] std::vector<NamedTest> make_tests(Stage stage, const GeneratorUnderTest& generator, Effort effort,
                                                std::span<const std::string> only);

}  // namespace rng::stats
