// The former name of values_under_test.hpp, and of its functions.
#pragma once

#include "values_under_test.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

[[deprecated("use distribution_under_test")]] [[nodiscard]] inline GeneratorUnderTest distribution_subject(
    const std::string& distribution, const std::string& dtype = "", const DistributionOptions& options = {}) {
    return distribution_under_test(distribution, dtype, options);
}
[[deprecated("use npy_under_test")]] [[nodiscard]] inline GeneratorUnderTest npy_subject(
    const std::string& file, const std::string& distribution) {
    return npy_under_test(file, distribution);
}
[[deprecated("use invert_box_muller")]] [[nodiscard]] inline GeneratorUnderTest inverted_subject(
    const GeneratorUnderTest& generator) {
    return invert_box_muller(generator);
}

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
