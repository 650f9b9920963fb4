// Parts of the zoo's list, and the functions that they are written with.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <rng/stats/zoo.hpp>

namespace rng::stats::zoo_entries {

inline constexpr uint64_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;

std::vector<ZooEntry> linear();
std::vector<ZooEntry> shift_register();
std::vector<ZooEntry> historic();
std::vector<ZooEntry> misuse();
std::vector<ZooEntry> rounds();
std::vector<ZooEntry> streams();
std::vector<ZooEntry> distributions();

/// Returns a generator of <random>'s kind as a subject.
template <class G> Subject words_of(uint64_t seed) {
    Subject subject{std::make_shared<UrbgSource<G>>(G(seed), "generator, seed " + std::to_string(seed))};
    subject.seed = seed;
    return subject;
}

inline PractRandFigure fails_at(uint64_t bytes) { return {bytes, false}; }
inline PractRandFigure clean_to(uint64_t bytes) { return {bytes, true}; }
inline PractRandFigure not_measured() { return {}; }

}  // namespace rng::stats::zoo_entries
