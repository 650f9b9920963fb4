// The files of counts of a whole run: a check that they have each part once.
#pragma once

#include <rng/stats/battery_parts.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace rng::stats {

/// A file of counts, and what it has counted.
struct PartFile {
    std::string file;
    SegmentRange range;
};

/// Returns "3:7".
[[nodiscard]] std::string text_of(SegmentRange range);

/// Sorts the parts. Throws Error (invalid_argument) that begins with the call, unless they are [0, all), each number
/// once. `what` is the plural of what is counted.
void require_whole(const std::string& call, const std::string& what, std::vector<PartFile>& parts, uint64_t all);

}  // namespace rng::stats
