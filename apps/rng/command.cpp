#include "command.hpp"

#include <algorithm>

namespace cli {

void refuse_over_ranks(const std::string& command, const std::string& parts,
                       std::initializer_list<std::pair<const char*, bool>> given) {
    for (const auto& [option, is_given] : given)
        if (is_given)
            throw UsageError(std::string(option) + " is for " + command + ": ranks share the " + parts + " out");
}

void require_only_beside_merge(const CommandLine& command_line, std::initializer_list<std::string_view> options) {
    for (const std::string& given : command_line.given_options())
        if (std::ranges::find(options, given) == options.end())
            throw UsageError(given + " is not for --merge: the files know their run");
}

}  // namespace cli
