// Probabilities and sizes as people read them.
#pragma once

#include <rng/stats/battery.hpp>

#include <cstdint>
#include <string>

namespace rng::stats {

/// The probability 10^x: "0.31", "0.0042", "3.1e-07", "10^-312".
[[nodiscard]] std::string probability_text(double log10);

/// "8 KiB", "1.25 GiB", "8200 bytes": exact, or three digits.
[[nodiscard]] std::string bytes_text(uint64_t bytes);

/// The size of a look of this stage: "16 MiB" or "4096 units".
[[nodiscard]] std::string size_text(const std::string& stage, uint64_t size);

/// How little a verdict is of: " on 8 KiB of 1 MiB asked"; empty if it is of everything.
[[nodiscard]] std::string part_text(const Report& report);

}  // namespace rng::stats
