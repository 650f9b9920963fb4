#include "rank_counts.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <system_error>

#include "apps/rng/output.hpp"
#include "apps/rng/stop_signals.hpp"
#include "apps/rng/usage_error.hpp"

namespace cli {
namespace {

using rng::Ranks;
using rng::stats::SegmentRange;

// With --checkpoint each rank counts its share in this many parts, and a run that dies loses the last ones. Each part
// is a file of up to 90 MB.
constexpr uint64_t parts_of_a_rank = 8;
constexpr int counts_tag = 1;

std::span<std::byte> bytes_of(std::string& text) { return std::as_writable_bytes(std::span(text)); }

/// Returns the text of rank 0 on all ranks.
std::string from_rank_0(Ranks& ranks, std::string text = {}) {
    uint64_t size = text.size();
    ranks.broadcast(std::as_writable_bytes(std::span(&size, 1)), 0);
    text.resize(size);
    if (size > 0) ranks.broadcast(bytes_of(text), 0);
    return text;
}

/// Returns the ranges of rank 0 on all ranks: one for each rank, or none at all.
std::vector<SegmentRange> from_rank_0(Ranks& ranks, std::vector<SegmentRange> ranges) {
    uint64_t size = ranges.size();
    ranks.broadcast(std::as_writable_bytes(std::span(&size, 1)), 0);
    ranges.resize(size);
    if (size > 0) ranks.broadcast(std::as_writable_bytes(std::span(ranges)), 0);
    return ranges;
}

/// Returns on rank 0 the text of a rank, which has `size` bytes. No other rank takes part.
std::string to_rank_0(Ranks& ranks, int from, std::string text, uint64_t size) {
    if (from == 0 || size == 0) return text;
    Ranks::Message message{ranks.rank() == 0 ? from : 0, counts_tag, {}};
    if (ranks.rank() == 0) {
        text.resize(size);
        message.bytes = bytes_of(text);
        ranks.exchange({}, {&message, 1});
    } else if (ranks.rank() == from) {
        message.bytes = bytes_of(text);
        ranks.exchange({&message, 1}, {});
    }
    return text;
}

// No argument has a character 0, so it stands between arguments.
std::string joined(const std::vector<std::string>& arguments) {
    std::string text;
    for (const std::string& argument : arguments) text += argument + '\0';
    return text;
}
std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> arguments;
    for (std::size_t begin = 0; begin < text.size(); begin += arguments.back().size() + 1)
        arguments.emplace_back(text.c_str() + begin);
    return arguments;
}

std::string contents(const std::string& file) {
    std::ifstream input(file, std::ios::binary | std::ios::ate);
    std::string text(input ? static_cast<std::size_t>(input.tellg()) : 0, '\0');
    input.seekg(0).read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!input) throw UsageError("counts " + file + " cannot be read: " + std::strerror(errno));
    return text;
}

/// What a rank counts, and where its files go.
struct Job {
    std::string command;
    CountRange count;
    std::string folder;
    std::string error;  // why this rank can count nothing
};

/// How counting ended on a rank.
struct Outcome {
    uint64_t count_bytes = 0;  // of the file for rank 0
    uint64_t error_bytes = 0;
    int64_t signal = 0;
};

/// Counts a range on each rank, and puts all files into the folder of rank 0. Returns on rank 0 what went wrong.
std::string count_round(Ranks& ranks, const Job& job, std::span<const SegmentRange> ranges) {
    const auto rank = static_cast<std::size_t>(ranks.rank());
    const SegmentRange mine = ranges[rank];
    std::string error = job.error, counts;
    Outcome outcome;
    if (error.empty() && mine.first < mine.last) {
        try {
            const std::string file = counts_name(job.folder, mine);
            const bool is_whole = job.count(mine, file);
            if (!is_whole) outcome.signal = StopSignals::number();
            if (is_whole && rank != 0) {
                counts = contents(file);
                std::filesystem::remove(file);
            }
        } catch (const std::exception& what) {
            error = what.what();
        }
    }
    outcome.count_bytes = counts.size();
    outcome.error_bytes = error.size();
    std::vector<Outcome> all(static_cast<std::size_t>(ranks.size()));
    ranks.all_gather(std::as_bytes(std::span(&outcome, 1)), std::as_writable_bytes(std::span(all)));

    std::string failed_write;
    for (int from = 1; from < ranks.size(); ++from) {
        const auto sender = static_cast<std::size_t>(from);
        const uint64_t size = all[sender].count_bytes;
        const std::string received = to_rank_0(ranks, from, rank == sender ? std::move(counts) : "", size);
        if (rank != 0 || size == 0 || !failed_write.empty()) continue;
        try {
            Output output = Output::file(counts_name(job.folder, ranges[sender]));
            output.write(received.data(), received.size());
            output.finish();
        } catch (const std::exception& what) {
            failed_write = what.what();
        }
    }
    const auto failed = std::ranges::find_if(all, [](const Outcome& one) { return one.error_bytes > 0; });
    if (failed != all.end()) {
        const auto from = static_cast<int>(failed - all.begin());
        const std::string text = to_rank_0(ranks, from, error, failed->error_bytes);
        return from == 0 ? text : "rank " + std::to_string(from) + ": " + text;
    }
    const auto stopped = std::ranges::find_if(all, [](const Outcome& one) { return one.signal != 0; });
    if (rank == 0 && stopped != all.end()) throw Interrupted{job.command, static_cast<int>(stopped->signal)};
    return failed_write;
}

/// Counts the ranges on all ranks, and returns what went wrong. The other ranks then wait for the next job.
std::string count_ranges(Ranks& ranks, const Job& job, const std::vector<SegmentRange>& ranges) {
    const auto end_job = [&] { static_cast<void>(from_rank_0(ranks, std::vector<SegmentRange>{})); };
    const auto size = static_cast<std::size_t>(ranks.size());
    std::string error;
    try {
        for (std::size_t i = 0; i < ranges.size() && error.empty(); i += size) {
            const auto now = std::span(ranges).subspan(i, std::min(size, ranges.size() - i));
            std::vector<SegmentRange> round(now.begin(), now.end());
            round.resize(size);  // the last ranks may have nothing to do
            error = count_round(ranks, job, from_rank_0(ranks, std::move(round)));
        }
    } catch (const Interrupted&) {
        end_job();
        throw;
    }
    end_job();
    return error;
}

/// Runs the ranges on all ranks. If this rank fails alone, the others would wait for ever: it ends the group.
std::string count_everywhere(Ranks& ranks, const RankRun& run, const Job& job,
                             const std::vector<SegmentRange>& ranges) {
    try {
        std::vector<std::string> words{run.command};
        words.insert(words.end(), run.arguments.begin(), run.arguments.end());
        if (run.threads) words.insert(words.end(), {"--threads", *run.threads});
        static_cast<void>(from_rank_0(ranks, joined(words)));
        return count_ranges(ranks, job, ranges);
    } catch (const std::exception& what) {
        ranks.fail(what.what());
        throw;
    }
}

}  // namespace

CountedFiles counted_by_ranks(Ranks& ranks, const RankRun& run) {
    const bool is_kept = !run.checkpoint.empty();
    CountedFiles counted;
    if (!is_kept) counted.folder = std::make_unique<TemporaryFolder>();
    const Job job{run.command, run.count, is_kept ? run.checkpoint : counted.folder->path(), {}};
    if (is_kept && !run.resume) {
        std::error_code error;
        std::filesystem::create_directory(job.folder, error);
        if (error) throw UsageError("checkpoint " + job.folder + " cannot be made: " + error.message());
    }
    const uint64_t parts = static_cast<uint64_t>(ranks.size()) * (is_kept ? parts_of_a_rank : 1);
    const std::vector<SegmentRange> ranges =
        missing_ranges(counted_ranges(job.folder, run.arguments, run.all), run.all, parts, run.first_extra);
    const std::string error = ranges.empty() ? "" : count_everywhere(ranks, run, job, ranges);
    if (!error.empty()) throw UsageError(error);
    for (const SegmentRange& range : counted_ranges(job.folder, run.arguments, run.all))
        counted.files.push_back(counts_name(job.folder, range));
    return counted;
}

void require_outside_checkpoint(const std::string& checkpoint,
                                const std::vector<std::pair<const char*, std::optional<std::string>>>& files) {
    for (const auto& [option, file] : files) {
        if (!file || checkpoint.empty()) continue;
        const std::string folder = std::filesystem::path(canonical_path(*file)).parent_path().string();
        if (folder == canonical_path(checkpoint))
            throw UsageError(std::string(option) + " must not lie in the folder of --checkpoint, got " + *file);
    }
}

void count_for_rank_0(Ranks& ranks, const CountersOfCommands& counters) {
    const StopSignals signals;
    for (;;) {
        std::vector<std::string> words = split(from_rank_0(ranks));
        if (words.empty()) return;
        std::optional<TemporaryFolder> folder;
        Job job;
        try {
            job.command = words.front();
            words.erase(words.begin());
            job.folder = folder.emplace().path();
            job.count = counters.at(job.command)(words);
        } catch (const std::exception& error) {
            job.error = error.what();
        }
        for (;;) {
            const std::vector<SegmentRange> ranges = from_rank_0(ranks, std::vector<SegmentRange>{});
            if (ranges.empty()) break;
            static_cast<void>(count_round(ranks, job, ranges));
        }
    }
}

void release(Ranks& ranks) { static_cast<void>(from_rank_0(ranks)); }

}  // namespace cli
