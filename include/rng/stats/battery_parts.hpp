// Parts of a run of the battery: independent processes count ranges of its segments, on any machine.
// Their counts, added up, give the report of one run of the whole, to the byte.
//
//     #include <rng/stats/sources.hpp>
//     const rng::stats::GeneratorUnderTest generator{rng::stats::open_source("words.bin")};
//     const rng::stats::Options options{.bytes = 1 << 24};                       // 4 segments of 4 MiB
//     (void)rng::stats::count_segments(generator, options, {0, 3}, "a.counts");    // one process
//     (void)rng::stats::count_segments(generator, options, {3, 4}, "b.counts");    // another one
//     const std::string files[] = {"a.counts", "b.counts"};
//     const rng::stats::Report report = rng::stats::merge_counts(generator, options, files);
//
// A count is a sum over segments, and each term depends on one segment only. The sums do not depend on the order.
// docs/cli.md has recipes for engines such as Spark and Dask: they need only the program, not the library.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "battery.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// Segments [first, last) of a run: of 4 MiB of the stream, the last of which may be shorter. If no test reads the
/// stream (Tier::structural), they are the cases of the structural tests.
struct SegmentRange {
    uint64_t first = 0, last = 0;
};

/// Returns the number of segments of a run. Throws as run_battery() does on options that it refuses.
[[nodiscard]] uint64_t segments_of(const GeneratorUnderTest& generator, const Options& options);

/// Counts segments range.first ... range.last - 1, with their share of the structural tests, and writes the counts to
/// `file`, whole or not at all. The file has 2 to 90 MB with all tests, the more the larger the range is. The part that
/// begins at 0 ends sooner on a failure, as a run does.
/// All parts must have the same data. Options::checkpoint, resume and repeat_suspicious do not matter. `arguments` go
/// into the file, for counts_arguments().
/// Returns false, and writes nothing, if Options::stop became true. Throws what run_battery() throws, and:
/// - Error (invalid_argument) if the range is empty or leaves the run, or if the source has no random access;
/// - Error (bad_state) if the file cannot be written, or if the source ends before its size.
[[nodiscard]] bool count_segments(const GeneratorUnderTest& generator, const Options& options, SegmentRange range,
                                  const std::string& file, std::span<const std::string> arguments = {});

/// Returns the arguments that count_segments() was given for this file. Throws Error (bad_state) if the file cannot be
/// read, is damaged, or is not a file of count_segments() of this version.
[[nodiscard]] std::vector<std::string> counts_arguments(const std::string& file);

/// Adds the counts of files of count_segments(), in any order, and returns the report that run_battery() returns for
/// the same generator and options. If a test is suspicious and there are fresh seeds, this call repeats the test, on
/// its own threads. Options::repeat_suspicious may differ from that of count_segments(). The generator and all parts
/// must have the same data. Only name, size and beginning (the first 8 KiB) are compared: data that differ later give a
/// wrong report. Throws what run_battery() throws, and:
/// - Error (bad_state) if a file cannot be read or is damaged, or if its run, version or beginning is another one;
/// - Error (invalid_argument) if segments are missing or are in two files; the message says which.
[[nodiscard]] Report merge_counts(const GeneratorUnderTest& generator, const Options& options,
                                  std::span<const std::string> files);

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
