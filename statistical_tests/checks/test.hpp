// A statistical test is a row of counters, to which segments of data add, and p-values read from the counters.
//
// A run (battery/) cuts the data into segments and distributes them over threads in any order. Each thread has its own
// tests, whose counters are added up. So a test's counts must be sums over segments, and each term must depend on
// one segment alone (its index included). Then results depend neither on threads nor on interruptions, and a checkpoint
// holds only counters. Data that span segments go into slots of `counts` that one segment alone writes.
//
// To add a test, write a file here with a class and its make function, and add a row to catalogue.cpp.
#pragma once

#include <rng/core/config.hpp>
#include <rng/stats/battery.hpp>
#include <rng/stats/p_value.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Compiles a hot loop for AVX-512, for AVX2 (POPCNT included) and for all machines; the program chooses when it starts.
// Only plain functions have clones, and of what they call only RNG_FN becomes a part of each clone. "avx2" is used
// because g++ 12 inlines nothing into clones for "arch=haswell". Disabled without ifunc: under sanitizers, which cannot
// handle it, and where the C library is not glibc.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(RNG_NO_UNROLL)
#define RNG_STATS_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define RNG_STATS_CLONES
#endif

namespace rng::stats {

/// Number of bytes of every segment but the last.
inline constexpr std::size_t segment_bytes = std::size_t{1} << 22;

/// A segment of the data; for structural tests a case, which has an index and no data.
struct Segment {
    uint64_t index = 0;
    /// Whole words, aligned to 64 bytes: segment_bytes bytes, or fewer at the end of the data.
    std::span<const std::byte> data;
    int word_bits = 0;
    /// For a source of values (rng/stats/value_law.hpp), one value and one probability for each word of 32 bits. The
    /// words are made of the probabilities. The last of an odd number of values has no word in `data`.
    std::span<const double> values = {}, probabilities = {};

    /// Returns the data as words of 8, 16, 32 or 64 bits.
    template <class T> [[nodiscard]] std::span<const T> words() const {
        return {reinterpret_cast<const T*>(data.data()), data.size() / sizeof(T)};
    }
};

/// The p-values of one test.
class Results {
  public:
    void add(std::string part, const PValue& p) { parts_.emplace_back(std::move(part), p); }
    [[nodiscard]] const std::vector<std::pair<std::string, PValue>>& parts() const { return parts_; }

  private:
    std::vector<std::pair<std::string, PValue>> parts_;
};

class Test {
  public:
    virtual ~Test() = default;
    /// Adds a segment to the counts.
    virtual void add(const Segment& segment) = 0;
    /// Adds the p-values of the counts. Adds none while the counts are too small for p-values to hold.
    virtual void results(Results& results) const = 0;
    /// Returns the number of cases of a structural test in the current tier; 0 for stream tests.
    [[nodiscard]] virtual uint64_t cases() const { return 0; }

    std::vector<uint64_t> counts;
};

/// The amount of work for a structural test.
struct Effort {
    Tier tier = Tier::quick;
    uint64_t factor = 1;  ///< 4 if a suspicious test is repeated, else 1

    /// Returns the cases of a structural test, given those of each tier.
    [[nodiscard]] uint64_t cases(uint64_t quick, uint64_t standard, uint64_t deep) const {
        return factor * (tier <= Tier::quick ? quick : tier == Tier::standard ? standard : deep);
    }
};

/// A test with its name in reports: the catalogue's name, with a suffix such as "/seeds" if the test is applied to
/// several things.
struct NamedTest {
    std::string name;
    std::unique_ptr<Test> test;
};
/// Returns one test, made of these arguments.
template <class T> [[nodiscard]] std::vector<NamedTest> one_test(const char* name, const auto&... arguments) {
    std::vector<NamedTest> made;
    made.push_back({name, std::make_unique<T>(arguments...)});
    return made;
}

}  // namespace rng::stats
