#include "part_files.hpp"

#include <rng/core/error.hpp>

#include <algorithm>
#include <utility>

namespace rng::stats {

std::string text_of(SegmentRange range) { return std::to_string(range.first) + ":" + std::to_string(range.last); }

void require_whole(const std::string& call, const std::string& what, std::vector<PartFile>& parts, uint64_t all) {
    std::ranges::sort(parts, {}, [](const PartFile& part) { return std::pair(part.range.first, part.range.last); });
    const auto missing = [&](SegmentRange range) {
        rng::detail::refuse(call, what + " " + text_of(range) + " are missing: no file has them");
    };
    uint64_t next = 0;
    const PartFile* before = nullptr;
    for (const PartFile& part : parts) {
        if (part.range.first > next) missing({next, part.range.first});
        if (part.range.first < next)
            rng::detail::refuse(call, what + " " + text_of({part.range.first, std::min(next, part.range.last)}) +
                                          " are in two files: " + before->file + " and " + part.file);
        next = part.range.last;
        before = &part;
    }
    if (next < all) missing({next, all});
}

}  // namespace rng::stats
