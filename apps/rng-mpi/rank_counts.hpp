// Counting over ranks: rank 0 says which range each rank counts, and gets the files of their counts.
//
// The ranks share no folder. A rank sends its counts as the bytes of a file, and rank 0 alone keeps them.
#pragma once

#include <rng/ranks.hpp>
#include <rng/stats/battery_parts.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "counts_folder.hpp"

namespace cli {

/// A signal ended the counting on some rank. It is no std::exception: a run that was interrupted has no result.
struct Interrupted {
    std::string command;
    int signal;
};

/// Counts a range into a file, whole or not at all. Returns false if a signal of StopSignals ended it.
using CountRange = std::function<bool(rng::stats::SegmentRange range, const std::string& file)>;

/// What ranks count: the ranges of [0, all), each into a file.
struct RankRun {
    std::string command;                 ///< test, for example; by its name the other ranks know what to count
    std::vector<std::string> arguments;  ///< of this run; its files hold them
    std::optional<std::string> threads;  ///< the value of --threads
    uint64_t all = 0;
    uint64_t first_extra = 0;  ///< number 0 takes as long as so many others, and itself
    CountRange count;          ///< of rank 0
    std::string checkpoint;    ///< a folder of rank 0 that keeps the files; empty: none
    bool resume = false;       ///< true if that folder has files already
};

/// The files that make up a whole run. If they are temporary, they go with this object.
struct CountedFiles {
    std::unique_ptr<TemporaryFolder> folder;
    std::vector<std::string> files;
};

/// Counts on all ranks, the others of which are in count_for_rank_0(). For rank 0, under StopSignals.
/// Throws Error if a file of the checkpoint is damaged, and
/// - UsageError if that folder cannot be made or read, or if a file in it is of another run,
/// - UsageError with the text of the lowest rank that failed, after "rank R: " unless that is rank 0,
/// - Interrupted.
/// If the transport fails, it ends the group by Ranks::fail.
[[nodiscard]] CountedFiles counted_by_ranks(rng::Ranks& ranks, const RankRun& run);

/// Throws UsageError if one of these files lies in the folder of --checkpoint, whose files a run writes. Each stands
/// after its option; there may be none.
void require_outside_checkpoint(const std::string& checkpoint,
                                const std::vector<std::pair<const char*, std::optional<std::string>>>& files);

/// By the name of a command: returns what counts on a rank for the run with these arguments. Throws if this rank
/// cannot.
using CountersOfCommands = std::map<std::string, std::function<CountRange(std::vector<std::string> arguments)>>;

/// Counts what rank 0 asks for, until it calls release(). For all ranks but 0.
void count_for_rank_0(rng::Ranks& ranks, const CountersOfCommands& counters);

/// Lets all other ranks return from count_for_rank_0(). For rank 0.
void release(rng::Ranks& ranks);

}  // namespace cli
