#include "command.hpp"

namespace cli {

void refuse_over_ranks(const std::string& command, const std::string& units,
                       std::initializer_list<std::pair<const char*, bool>> given) {
    for (const auto& [option, is_given] : given)
        if (is_given)
            throw UsageError(std::string(option) + " is for " + command + ": ranks share the " + units + " out");
}

}  // namespace cli
