// --meta FILE: the data that are needed to make an output again, as JSON beside it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "address.hpp"
#include "json.hpp"
#include "output.hpp"

namespace cli {

struct MetaOption {
    std::optional<std::string> file;

    void add_to(CommandLine& command);

    /// Returns the file with this text, not finished yet; null without the option.
    /// Throws UsageError if the file is `output`, the name of the output itself.
    [[nodiscard]] std::unique_ptr<Output> begin(const std::string& output, const std::string& text) const;
};

/// Returns the text of a --meta file: versions, command and address, which all commands have, and then `more`.
[[nodiscard]] std::string meta_text(const std::string& command, const std::string& engine, const StreamAddress& address,
                                    const StreamAddress::Values& where, const JsonMembers& more);

}  // namespace cli
