#include "rank_battery.hpp"

#include <rng/stats/battery_parts.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "apps/rng/output.hpp"
#include "apps/rng/stop_signals.hpp"
#include "apps/rng/test_subjects.hpp"
#include "apps/rng/usage_error.hpp"
#include "counts_folder.hpp"

namespace cli {
namespace {

using namespace rng::stats;
using rng::Ranks;

// With --checkpoint each rank counts its share in so many pieces, and a run that dies loses the last ones. Each piece
// is a file of up to 90 MB.
constexpr uint64_t pieces_of_a_rank = 8;
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
    std::optional<Subject> subject;
    rng::stats::Options battery;
    std::vector<std::string> arguments;
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
            const bool is_whole = count_segments(*job.subject, job.battery, mine, file, job.arguments);
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
    if (rank == 0 && stopped != all.end()) throw Interrupted{static_cast<int>(stopped->signal)};
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

Report run(Ranks& ranks, const TestOptions& options, const std::string& view, const Subject& subject,
           const rng::stats::Options& battery) {
    if (!subject.source->is_random_access())
        throw UsageError(
            "ranks need a source that can be read from the middle: a file of known size or an engine, got " +
            subject.source->name());
    const uint64_t all = segments_of(subject, battery);
    const bool is_kept = !battery.checkpoint.empty();
    std::optional<TemporaryFolder> temporary;
    if (!is_kept) temporary.emplace();
    Job job{subject, battery, options.arguments(view), is_kept ? battery.checkpoint : temporary->path(), {}};
    job.battery.checkpoint.clear();
    job.battery.resume = false;
    if (is_kept && !battery.resume) {
        std::error_code error;
        std::filesystem::create_directory(job.folder, error);
        if (error) throw UsageError("checkpoint " + job.folder + " cannot be made: " + error.message());
    }
    const uint64_t pieces = static_cast<uint64_t>(ranks.size()) * (is_kept ? pieces_of_a_rank : 1);
    const std::vector<SegmentRange> ranges =
        missing_ranges(counted_ranges(job.folder, job.arguments, all), all, pieces);
    std::string error;
    if (!ranges.empty()) {
        try {
            std::vector<std::string> command = job.arguments;
            if (options.threads) command.insert(command.end(), {"--threads", *options.threads});
            static_cast<void>(from_rank_0(ranks, joined(command)));
            error = count_ranges(ranks, job, ranges);
        } catch (const std::exception& what) {  // the other ranks would wait for ever
            ranks.fail(what.what());
            throw;
        }
    }
    if (!error.empty()) throw UsageError(error);
    std::vector<std::string> files;
    for (const SegmentRange& range : counted_ranges(job.folder, job.arguments, all))
        files.push_back(counts_name(job.folder, range));
    return merge_counts(subject, job.battery, files);
}

}  // namespace

BatteryOfView battery_over(Ranks& ranks) {
    return [&ranks](const TestOptions& options, const std::string& view, const Subject& subject,
                    const rng::stats::Options& battery) { return run(ranks, options, view, subject, battery); };
}

void count_for_rank_0(Ranks& ranks) {
    const StopSignals signals;
    for (;;) {
        const std::string command = from_rank_0(ranks);
        if (command.empty()) return;
        std::optional<TemporaryFolder> folder;
        Job job;
        try {
            job.folder = folder.emplace().path();
            const TestOptions options = TestOptions::of_arguments(split(command));
            const std::string view = options.views.empty() ? "" : options.views[0];
            job.subject = viewed(make_subject(options), view);
            job.battery = options.battery();
            job.battery.stop = StopSignals::flag();
            job.arguments = options.arguments(view);
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
