// What a statistical test is: counters that segments of data add to, and p-values read off them.
//
// The engine (battery/) cuts the data into segments, deals them out to threads in any order, each with tests of its
// own, and adds the counters up. So a test's counts must be sums over segments of functions of one segment alone (its
// index included): then results depend neither on threads nor on interruptions, and counters are all that a checkpoint
// holds. What spans segments goes into slots of `counts` that one segment alone writes.
//
// To add one: a file here with a class, its make function, and a row in catalogue.cpp.
#pragma once

#include <rng/stats/battery.hpp>
#include <rng/stats/p_value.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

// A hot loop compiled for machines with AVX-512 and with AVX2 (POPCNT included) too, and chosen when the program
// starts. "avx2" rather than "arch=haswell", into whose clones g++ 12 inlines nothing. Sanitizers do not bear the
// choice.
#if defined(__x86_64__) && defined(__linux__) && !defined(RNG_NO_UNROLL) && !defined(__clang__)
#define RNG_STATS_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define RNG_STATS_CLONES
#endif

namespace rng::stats {

/// Bytes of all segments but the last.
inline constexpr std::size_t segment_bytes = std::size_t{1} << 22;

/// A piece of the data, or (of functional tests) one unit of work, which is its index alone.
struct Segment {
    uint64_t index = 0;
    std::span<const std::byte> data;  ///< aligned to 64 bytes; whole words, segment_bytes of them but at the end
    int word_bits = 0;
    /// Of a source of values (rng/stats/value_law.hpp): one for each word of 32 bits; the words are made of the
    /// probabilities.
    std::span<const double> values = {}, probabilities = {};

    /// The data as words of 8, 16, 32 or 64 bits.
    template <class T> [[nodiscard]] std::span<const T> words() const {
        return {reinterpret_cast<const T*>(data.data()), data.size() / sizeof(T)};
    }
};

/// P-values of one test.
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
    /// The p-values of what was counted; none while that is too little for them to hold.
    virtual void results(Results& results) const = 0;
    /// Of a functional test: how many units it wants in this tier; more are not given to it.
    [[nodiscard]] virtual uint64_t units() const { return 0; }

    std::vector<uint64_t> counts;
};

/// How much work a functional test is given.
struct Effort {
    Tier tier = Tier::quick;
    uint64_t factor = 1;  ///< 4 where a suspicious test is repeated
};

/// A test with its name in reports: the catalogue's, and "/seeds", say, where it is applied to several things.
struct NamedTest {
    std::string name;
    std::unique_ptr<Test> test;
};

}  // namespace rng::stats
