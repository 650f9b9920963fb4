// The bytes of a view of an engine's stream, as rng test reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "address.hpp"
#include "usage_error.hpp"

namespace cli {

struct ViewBytes {
    std::optional<uint64_t> size;  ///< in bytes; nothing: longer than anybody reads
    /// Reads bytes from `position` on, a multiple of 8, and returns how many. The count is smaller than asked only at
    /// the end.
    std::function<std::size_t(uint64_t position, std::span<std::byte> to)> read;
};

/// Returns the bytes of a view. Throws Error (invalid_argument) that lists the views that apply if there is no such
/// view.
/// Throws Error (unsupported) in a build without the statistical tests.
[[nodiscard]] ViewBytes view_bytes(const std::string& engine, const StreamAddress::Values& where,
                                   const std::string& view);

}  // namespace cli
