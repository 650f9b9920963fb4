// The state of a run or of a part of it, and its file: what the run is, how far it came, and its counts.
#pragma once

#include <rng/stats/battery_parts.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rng::stats {

/// Counters in the form of files, packed. Their memory is proportional to the length of the file.
using PackedCounts = std::string;
[[nodiscard]] PackedCounts packed(std::span<const uint64_t> counts);
/// Adds the counters to `to`. Returns false if they are not as many as `to` has.
[[nodiscard]] bool add_packed(const PackedCounts& counts, std::span<uint64_t> to);

/// Counters of the cases or segments [first, last) of a stage, by test.
struct RangeCounts {
    uint64_t stage = 0;  ///< 0: structural, 1: stream
    uint64_t first = 0, last = 0;
    std::vector<PackedCounts> counts;
};

struct State {
    enum class Phase : uint64_t { tests, repeats, over };  // repeats: of suspicious tests, on a fresh seed

    std::string run;  ///< generator, tests, options
    Phase phase = Phase::tests;
    std::array<uint64_t, 2> done{};  ///< in this phase, by stage: cases or segments that `counts` include
    uint64_t phase_bytes = 0;        ///< bytes of the stream that this phase has read
    uint64_t beginning = 0;          ///< checksum of the stream's first bytes, to recognise the stream
    uint64_t bytes = 0;              ///< bytes that the report names
    bool source_ended = false;
    std::vector<InterimAnalysis> analyses, repeats;
    std::vector<PackedCounts> counts;  ///< counters of this phase's tests

    /// The rest is in files of count_segments() only: segments, ranges in ascending order, the caller's arguments. A
    /// range ends at each analysis and at the part's end. The part that begins at 0 makes its analyses itself, and has
    /// one range for each stage.
    SegmentRange part;
    std::vector<RangeCounts> ranges;
    std::vector<std::string> arguments;
};

/// The kind of a file of states: of a run that may continue, or of a part of a run.
enum class StateFile { checkpoint, counts };

/// The ranges whose counts are read from a file: those of stage 0 or 1, all or none. The others are empty.
enum class RangesOf : uint64_t { structural, stream, all, none };

/// FNV-1a over 64-bit words (Fowler, Noll, Vo, 1991), with a fold. Detects damage, not malice.
[[nodiscard]] uint64_t checksum(std::span<const std::byte> bytes);

/// Writes `file` anew, whole or not at all. Throws Error (bad_state) with the system's reason if that fails. A state
/// with a part is written as counts.
void save_state(const std::string& file, const State& state);
/// Does the same as save_state, but returns the reason instead of throwing it; empty if the file was written.
[[nodiscard]] std::string try_save(const std::string& file, const State& state);
/// Throws what save_state would throw if no such file can be begun. Leaves everything as it was.
void require_writable(const std::string& file, StateFile kind);

/// Reads a file of save_state. Throws Error (bad_state) if the file cannot be read or is damaged, or if it is of
/// another kind, version or run. If `run` is empty, any run is accepted.
[[nodiscard]] State load_state(const std::string& file, const std::string& run, StateFile kind = StateFile::checkpoint,
                               RangesOf wanted = RangesOf::all);

[[noreturn]] void refuse_state(const std::string& file, const std::string& what,
                               StateFile kind = StateFile::checkpoint);

}  // namespace rng::stats
