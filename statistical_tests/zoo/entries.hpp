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

/// Returns a generator of <random>'s kind as a generator under test.
template <class G> GeneratorUnderTest words_of(uint64_t seed) {
    GeneratorUnderTest generator{std::make_shared<UrbgSource<G>>(G(seed), "generator, seed " + std::to_string(seed))};
    generator.seed = seed;
    return generator;
}

inline PractRandFigure fails_at(uint64_t bytes) { return {bytes, false}; }
inline PractRandFigure clean_to(uint64_t bytes) { return {bytes, true}; }
inline PractRandFigure not_measured() { return {}; }

}  // namespace rng::stats::zoo_entries
