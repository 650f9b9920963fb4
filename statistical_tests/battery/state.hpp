// The state of a run, and its file: what the run is, how far it has come, its looks, and every counter.
#pragma once

#include <rng/stats/battery.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rng::stats {

struct State {
    enum class Phase : uint64_t { tests, repeats, over };  // repeats: of suspicious tests, on a fresh seed

    std::string run;  ///< subject, tests, options
    Phase phase = Phase::tests;
    std::array<uint64_t, 2> done{};  ///< in this phase, by stage: units or segments that `counts` include
    uint64_t phase_bytes = 0;        ///< bytes of the stream that this phase has read
    uint64_t beginning = 0;          ///< checksum of the stream's first bytes, to recognise the stream
    uint64_t bytes = 0;              ///< bytes that the report names
    bool source_ended = false;
    std::vector<Look> looks, repeats;
    std::vector<std::vector<uint64_t>> counts;  ///< counters of this phase's tests
};

/// FNV-1a over 64-bit words (Fowler, Noll, Vo, 1991), with a fold. Detects damage, not malice.
[[nodiscard]] uint64_t checksum(std::span<const std::byte> bytes);

/// Writes `file` anew, whole or not at all. Throws Error (bad_state) with the system's reason if that fails.
void save_state(const std::string& file, const State& state);
/// Does the same as save_state, but returns the reason instead of throwing it; empty if the file was written.
[[nodiscard]] std::string try_save(const std::string& file, const State& state);

/// Reads a file of save_state. Throws Error (bad_state) if the file cannot be read, is damaged, or is not of `run`.
[[nodiscard]] State load_state(const std::string& file, const std::string& run);

[[noreturn]] void refuse_state(const std::string& file, const std::string& what);

}  // namespace rng::stats
