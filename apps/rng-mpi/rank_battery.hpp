// The battery over ranks: rank 0 says which segments each rank counts, gets their counts, and makes the report of them.
//
// The ranks share no folder. A rank sends its counts as the bytes of a file, and rank 0 alone keeps them.
#pragma once

#include <rng/ranks.hpp>

#include "apps/rng/test_run.hpp"

namespace cli {

/// A signal ended the counting on some rank. It is no std::exception: a run that was interrupted has no report.
struct Interrupted {
    int signal;
};

/// Returns what runs the battery of rank 0, whose other ranks are in count_for_rank_0(). `ranks` must stay where it is.
/// A call throws what run_battery() and merge_counts() throw, and:
/// - UsageError if the source cannot be read from the middle, or if the folder of --checkpoint cannot be made or read,
/// - UsageError if a file in that folder is of another run,
/// - UsageError with the text of the lowest rank that failed, after "rank R: " unless that is rank 0,
/// - Interrupted.
/// If the transport fails, it ends the group by Ranks::fail.
[[nodiscard]] BatteryOfView battery_over(rng::Ranks& ranks);

/// Counts what rank 0 asks for, until it calls release(). For all ranks but 0.
void count_for_rank_0(rng::Ranks& ranks);

/// Lets all other ranks return from count_for_rank_0(). For rank 0.
void release(rng::Ranks& ranks);

}  // namespace cli
