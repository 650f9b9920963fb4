// The former name of engines_under_test.hpp, and of its functions.
#pragma once

#include "engines_under_test.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

[[deprecated("use engine_under_test")]] [[nodiscard]] inline GeneratorUnderTest engine_subject(const std::string& name,
                                                                                               uint64_t seed,
                                                                                               uint64_t id = 0,
                                                                                               uint64_t position = 0) {
    return engine_under_test(name, seed, id, position);
}
[[deprecated("use engine_under_test_names")]] [[nodiscard]] inline std::vector<std::string> engine_subject_names() {
    return engine_under_test_names();
}

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
