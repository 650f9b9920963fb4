// The folder with the counts of segments that are done: a file A-B.counts for segments A to B-1.
#pragma once

#include <rng/stats/battery_parts.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace cli {

/// A folder of a name that no other has, beside the system's temporary files. The destructor removes it.
class TemporaryFolder {
  public:
    /// Throws UsageError if the folder cannot be made.
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

/// Returns the name of the file of these segments in a folder.
[[nodiscard]] std::string counts_name(const std::string& folder, rng::stats::SegmentRange range);

/// Returns the ranges that the folder has files of, in ascending order.
/// Throws Error if a file is damaged, and UsageError
/// - if the folder cannot be read,
/// - if a file is of another run than the one with these arguments,
/// - if a file leaves the segments [0, all), or shares some with another file.
[[nodiscard]] std::vector<rng::stats::SegmentRange> counted_ranges(const std::string& folder,
                                                                   const std::vector<std::string>& arguments,
                                                                   uint64_t all);

/// Returns what is missing of [0, all), cut into about `parts` ranges (at least 1) that take equally long. Segment 0
/// takes as long as 1 + `first_extra` others. Ranges that end at a counted one may be shorter; there is at most one
/// more of them for each gap.
[[nodiscard]] std::vector<rng::stats::SegmentRange> missing_ranges(const std::vector<rng::stats::SegmentRange>& counted,
                                                                   uint64_t all, uint64_t parts, uint64_t first_extra);

}  // namespace cli
