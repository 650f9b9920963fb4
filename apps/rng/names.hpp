// What the user may have meant by a name that is none.
#pragma once

#include <string>
#include <vector>

namespace cli {

/// The known name that is fewest edits from `typed`: a letter added, left out or changed, or two that changed places.
/// Of a name of n letters more than a third of n, or than 3, are too many; then it is empty.
[[nodiscard]] std::string nearest(const std::string& typed, const std::vector<std::string>& known);

/// The end of a message: ": did you mean normal?", or nothing.
[[nodiscard]] std::string did_you_mean(const std::string& typed, const std::vector<std::string>& known);

}  // namespace cli
