// Ciphers with fewer rounds than they need. Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1,
// 2, 3" (SC11). The paper finds that 7 rounds of Philox4x and 12 of Threefry4x32 pass BigCrush.
#include <rng/stats/engines_under_test.hpp>

#include "entries.hpp"

namespace rng::stats::zoo_entries {

namespace {

constexpr const char* salmon = "Salmon, Moraes, Dror, Shaw, 2011";

/// Makes a generator of the engine's words alone, without functions and streams.
ZooEntry::Make words_of_engine(std::string name) {
    return [name = std::move(name)](uint64_t seed) {
        GeneratorUnderTest generator{engine_under_test(name, seed).source};
        generator.seed = seed;
        return generator;
    };
}
/// Makes a generator of the engine's block function alone.
ZooEntry::Make function_of_engine(std::string name) {
    return [name = std::move(name)](uint64_t seed) {
        GeneratorUnderTest generator = engine_under_test(name, seed);
        generator.streams.clear();
        generator.reseeded = {};
        return generator;
    };
}

ZooEntry by_words(const std::string& name, const char* control, PractRandFigure practrand, const char* expected) {
    const uint64_t limit = practrand.bytes == 0 ? 16 * MiB : std::max(8 * KiB, 4 * practrand.bytes);
    return {
        name,    "too few rounds: its words", salmon, practrand, expected, Tier::quick, limit, words_of_engine(name),
        control, words_of_engine(control)};
}
/// The flaw must be found within four cases. A case is some 60,000 blocks of each test.
ZooEntry by_function(const std::string& name, const char* control, PractRandFigure practrand, const char* expected) {
    const uint64_t limit = 4;
    return {name,     "too few rounds: its block function",
            salmon,   practrand,
            expected, Tier::structural,
            limit,    function_of_engine(name),
            control,  function_of_engine(control)};
}

}  // namespace

std::vector<ZooEntry> rounds() {
    return {
        by_words("philox4x32-3", "philox4x32-10", fails_at(1 * KiB), "hamming8"),
        by_words("philox4x32-4", "philox4x32-10", fails_at(4 * KiB), "hamming8"),
        by_words("philox4x32-5", "philox4x32-10", fails_at(1 * MiB), "exponent, low1"),
        by_function("philox4x32-6", "philox4x32-7", clean_to(32 * GiB), "avalanche1"),
        by_words("philox4x64-3", "philox4x64-10", fails_at(2 * KiB), "hamming8"),
        by_words("philox4x64-4", "philox4x64-10", fails_at(4 * KiB), "exponent, hamming64"),
        by_words("philox4x64-5", "philox4x64-10", not_measured(), "exponent, hamming64"),
        by_function("philox4x64-6", "philox4x64-7", not_measured(), "avalanche1"),
        by_words("threefry4x32-4", "threefry4x32-20", fails_at(2 * KiB), "hamming8"),
        by_words("threefry4x32-6", "threefry4x32-20", fails_at(8 * KiB), "hamming8"),
        by_words("threefry4x32-7", "threefry4x32-20", fails_at(1 * MiB), "xor-lags"),
        by_function("threefry4x32-8", "threefry4x32-20", fails_at(512 * MiB), "avalanche1"),
        by_function("threefry4x32-9", "threefry4x32-20", not_measured(), "avalanche2"),
        by_words("threefry4x64-6", "threefry4x64-20", fails_at(32 * KiB), "hamming8"),
        by_words("threefry4x64-8", "threefry4x64-20", fails_at(64 * MiB), "exponent, hamming64"),
        by_function("threefry4x64-9", "threefry4x64-20", not_measured(), "avalanche1"),
    };
}

}  // namespace rng::stats::zoo_entries
