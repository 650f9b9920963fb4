// Names as users type them: other names of types and engines, and the probable meaning of an unknown name.
#pragma once

#include <string>
#include <vector>

namespace cli {

/// Returns the known name that is the fewest edits from `typed`. An edit adds, removes or changes a letter, or swaps
/// two letters.
/// Returns an empty text if more than 3 letters differ, or more than a third of the name's letters. If `typed` is the
/// beginning of names, the shortest of them is the nearest.
[[nodiscard]] std::string nearest(const std::string& typed, const std::vector<std::string>& known);

/// Returns the end of a message: ": did you mean normal?", or nothing.
[[nodiscard]] std::string did_you_mean(const std::string& typed, const std::vector<std::string>& known);

/// Returns the type's name in rng list for its name in C, C++, Python or NumPy: f64 for double and float64, u8 for
/// uint8. Any other text stays the same.
[[nodiscard]] std::string dtype_of(const std::string& typed);

/// Returns the engine's name for the name of its type in the library (rng/random.hpp): philox4x64-10 for philox4x64.
/// Any other text stays the same.
[[nodiscard]] std::string engine_of(const std::string& typed);

}  // namespace cli
