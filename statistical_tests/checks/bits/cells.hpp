// Cells of probabilities as rng/stats/value_law.hpp holds them: 4096 equal cells, and shells that halve towards both
// ends.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include <rng/stats/value_law.hpp>

#include "../test.hpp"

namespace rng::stats::tests {

inline constexpr int cells = 4096;

/// Returns the cell of a probability among 4096 in order; 4096 if the probability is NaN.
inline int cell_of(double t) {
    if (t != t) return cells;
    const int c = static_cast<int>(std::fabs(t) * cells);
    return std::signbit(t) ? cells - 1 - c : c;
}

/// Returns the shell of a tail: k such that 2^-(k+1) <= |t| < 2^-k, 0 to 1022. Returns a negative number if t is NaN.
inline int shell_of(double t) { return 1022 - static_cast<int>(std::bit_cast<uint64_t>(t) >> 52 & 0x7ff); }

/// Returns a test of this name if the generator has values, else no test.
template <class T> std::vector<NamedTest> of_values(const char* name, const GeneratorUnderTest& generator) {
    const auto* const values = dynamic_cast<const ValueSource*>(generator.source.get());
    if (!values) return {};
    return one_test<T>(name, values->law());
}

}  // namespace rng::stats::tests
