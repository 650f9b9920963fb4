// Names as users type them: other names of types and engines, and what a name that is none may have meant.
#pragma once

#include <string>
#include <vector>

namespace cli {

/// The known name that is fewest edits from `typed`: a letter added, left out or changed, or two that changed places.
/// Empty if more letters differ than 3, or than a third of the name's.
[[nodiscard]] std::string nearest(const std::string& typed, const std::vector<std::string>& known);

/// The end of a message: ": did you mean normal?", or nothing.
[[nodiscard]] std::string did_you_mean(const std::string& typed, const std::vector<std::string>& known);

/// The name of a type that rng list shows, of the one that C++, Python or NumPy use: f32 of float32, u8 of uint8. Any
/// other text stays as it is.
[[nodiscard]] std::string dtype_of(const std::string& typed);

/// The name of an engine, of its type in the library (rng/random.hpp): philox4x64-10 of philox4x64. Any other text
/// stays as it is.
[[nodiscard]] std::string engine_of(const std::string& typed);

}  // namespace cli
