// Reports as JSON, for other programs.
#pragma once

#include <rng/stats/battery.hpp>

#include <span>
#include <string>

namespace rng::stats {

/// One JSON object with every look and every p-value (logarithms to base 10 of both tails; null for a tail of
/// probability 0). It depends on what was tested alone: no times, no dates, no number of threads, so that a resumed run
/// gives the same bytes as one that was not interrupted. The verdict is "none" where no test had enough data; the whole
/// run's also if it gave too little data to be trusted, unless that failed.
[[nodiscard]] std::string json_report(std::span<const Report> reports, bool is_too_little = false);

}  // namespace rng::stats
