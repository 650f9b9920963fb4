// Cells of probabilities as rng/stats/value_law.hpp holds them: 4096 equal ones, and shells that halve towards both
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

/// The cell of a probability among 4096 in order; of NaN cell number 4096.
inline int cell_of(double t) {
    if (t != t) return cells;
    const int c = static_cast<int>(std::fabs(t) * cells);
    return std::signbit(t) ? cells - 1 - c : c;
}

/// The shell of a tail: k where 2^-(k+1) <= |t| < 2^-k, 1 to 1022; -1 if |t| is 1/2 or NaN.
inline int shell_of(double t) { return 1022 - static_cast<int>(std::bit_cast<uint64_t>(t) >> 52 & 0x7ff); }

/// The values of a subject, or null if it has none.
inline const ValueSource* values_of(const Subject& subject) {
    return dynamic_cast<const ValueSource*>(subject.source.get());
}

/// A test of this name if the subject has values.
template <class T> std::vector<NamedTest> of_values(const char* name, const Subject& subject) {
    std::vector<NamedTest> made;
    if (const ValueSource* const values = values_of(subject))
        made.push_back({name, std::make_unique<T>(values->law())});
    return made;
}

}  // namespace rng::stats::tests
