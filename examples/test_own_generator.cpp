// Tests a generator of one's own: anything that <random>'s distributions take. One line does it,
//
//     std::cout << rng::stats::summary(rng::stats::test(my_generator));
//
// which reads 1 GiB of it; here it is less, for a quick look. A program in any language is tested by its output:
//
//     ./my_generator | rng test --stdin
#include <rng/stats/battery.hpp>

#include <cstdint>
#include <iostream>

// SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
struct SplitMix64 {
    using result_type = uint64_t;
    static constexpr uint64_t min() { return 0; }
    static constexpr uint64_t max() { return UINT64_MAX; }
    uint64_t operator()() {
        uint64_t z = state += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }
    uint64_t state = 42;
};

int main() {
    rng::stats::Options options;
    options.bytes = uint64_t{1} << 24;
    const rng::stats::Report report = rng::stats::test(SplitMix64(), "SplitMix64", options);
    std::cout << rng::stats::summary(report);
    return report.verdict == rng::stats::Verdict::fail ? 1 : 0;
}
