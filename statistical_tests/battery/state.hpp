// The state of a run, and its file: what it is a run of, how far it is, its looks, and every counter.
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
    std::array<uint64_t, 2> done{};  ///< of this phase, by stage: units or segments that are in `counts`
    uint64_t phase_bytes = 0;        ///< of the stream that this phase has read
    uint64_t beginning = 0;          ///< checksum of the stream's first bytes, to know it again by
    uint64_t bytes = 0;              ///< of the report
    bool source_ended = false;
    std::vector<Look> looks, again;
    std::vector<std::vector<uint64_t>> counts;  ///< of this phase's tests
};

/// FNV-1a over 64-bit words (Fowler, Noll, Vo, 1991), with a fold: against damage, not against malice.
[[nodiscard]] uint64_t checksum(std::span<const std::byte> bytes);

/// Writes `file` anew, whole or not at all. Throws Error (bad_state) with the system's reason.
void save_state(const std::string& file, const State& state);
/// The same, but returns that reason instead of throwing; empty if it was written.
[[nodiscard]] std::string try_save(const std::string& file, const State& state);

/// Reads what save_state wrote. Throws Error (bad_state) if the file cannot be read, is damaged, or is not of `run`.
[[nodiscard]] State load_state(const std::string& file, const std::string& run);

[[noreturn]] void refuse_state(const std::string& file, const std::string& what);

}  // namespace rng::stats
