#include "counts_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "apps/rng/usage_error.hpp"

namespace cli {
namespace {

using rng::stats::SegmentRange;
namespace fs = std::filesystem;

constexpr std::string_view suffix = ".counts";

/// Returns the range in a file's name; nothing if counts_name() does not make such names.
std::optional<SegmentRange> range_of(std::string_view name) {
    if (!name.ends_with(suffix)) return {};
    name.remove_suffix(suffix.size());
    SegmentRange range;
    const char* const end = name.data() + name.size();
    const auto first = std::from_chars(name.data(), end, range.first);
    if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '-') return {};
    const auto last = std::from_chars(first.ptr + 1, end, range.last);
    if (last.ec != std::errc{} || last.ptr != end || range.first >= range.last) return {};
    return range;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
    std::error_code error;
    const fs::path folder = fs::temp_directory_path(error);
    path_ = (folder / "rng-mpi-XXXXXX").string();
    if (error || ::mkdtemp(path_.data()) == nullptr)
        throw UsageError("folder " + path_ + " cannot be made: " + (error ? error.message() : std::strerror(errno)));
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

std::string counts_name(const std::string& folder, SegmentRange range) {
    return folder + "/" + std::to_string(range.first) + "-" + std::to_string(range.last) + std::string(suffix);
}

std::vector<SegmentRange> counted_ranges(const std::string& folder, const std::vector<std::string>& arguments,
                                         uint64_t all) {
    std::error_code error;
    std::vector<SegmentRange> ranges;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const std::optional<SegmentRange> range = range_of(entry->path().filename().string());
        if (range) ranges.push_back(*range);
    }
    if (error) throw UsageError("checkpoint " + folder + " cannot be read: " + error.message());
    std::ranges::sort(ranges, {}, &SegmentRange::first);
    uint64_t next = 0;
    for (const SegmentRange& range : ranges) {
        const std::string file = counts_name(folder, range);
        if (rng::stats::counts_arguments(file) != arguments) throw UsageError("counts " + file + " are of another run");
        if (range.first < next) throw UsageError("counts " + file + " has segments that another file has");
        if (range.last > all)
            throw UsageError("counts " + file + " leaves the " + std::to_string(all) + " segments of this run");
        next = range.last;
    }
    return ranges;
}

std::vector<SegmentRange> missing_ranges(const std::vector<SegmentRange>& counted, uint64_t all, uint64_t parts,
                                         uint64_t first_extra) {
    std::vector<SegmentRange> gaps;
    uint64_t next = 0, missing = 0;
    const auto end_gap = [&](uint64_t last) {
        if (next < last) gaps.push_back({next, last});
        missing += last - next;
    };
    for (const SegmentRange& range : counted) {
        end_gap(range.first);
        next = range.last;
    }
    end_gap(all);

    // At most half of a range, so that the first range is not empty.
    const uint64_t extra =
        counted.empty() || counted.front().first > 0 ? std::min(first_extra, missing / parts / 2) : 0;
    const uint64_t length = std::max<uint64_t>(1, (missing + extra + parts - 1) / parts);
    std::vector<SegmentRange> ranges;
    for (const SegmentRange& gap : gaps)
        for (uint64_t first = gap.first, last = 0; first < gap.last; first = last) {
            last = std::min(gap.last, first + length - (first == 0 ? extra : 0));
            ranges.push_back({first, last});
        }
    return ranges;
}

}  // namespace cli
