// What the unit tests of statistical tests share: runs of one test, small generators with known flaws and sound ones,
// and the uniformity of p-values.
#pragma once

#include <rng/stats/battery.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "statistical_tests/checks/catalogue.hpp"
#include "statistical_tests/p_values/chi_square.hpp"

namespace support {

/// A generator of std's kind made of a function.
template <class T, class F> class Generator {
  public:
    using result_type = T;
    explicit Generator(F next) : next_(std::move(next)) {}
    static constexpr T min() { return 0; }
    static constexpr T max() { return std::numeric_limits<T>::max(); }
    T operator()() { return static_cast<T>(next_()); }

  private:
    F next_;
};
template <class T, class F> Generator<T, F> generate(F next) { return Generator<T, F>(std::move(next)); }

/// What a test is made for where its source is not read: words of type T.
template <class T> rng::stats::GeneratorUnderTest generator_with_words() {
    auto zeros = generate<T>([] { return T{0}; });
    return {std::make_shared<rng::stats::UrbgSource<decltype(zeros)>>(std::move(zeros))};
}

inline std::vector<uint64_t> random_words(std::size_t n, uint64_t seed) {
    std::mt19937_64 entropy(seed);
    std::vector<uint64_t> words(n);
    for (uint64_t& word : words) word = entropy();
    return words;
}

/// Knuth's MMIX; 64 bits.
inline auto lcg64() {
    return generate<uint64_t>(
        [x = uint64_t{1}]() mutable { return x = x * 6364136223846793005u + 1442695040888963407u; });
}
inline auto lcg64_high() {
    return generate<uint32_t>([g = lcg64()]() mutable { return g() >> 32; });
}
/// The same through PCG's output function (O'Neill, HMC-CS-2014-0905: XSH RR).
inline auto pcg32() {
    return generate<uint32_t>([x = uint64_t{1}]() mutable {
        const uint64_t old = x;
        x = x * 6364136223846793005u + 1442695040888963407u;
        const auto word = static_cast<uint32_t>(((old >> 18) ^ old) >> 27);
        const auto turn = static_cast<unsigned>(old >> 59);
        return word >> turn | word << (32 - turn) % 32;
    });
}
/// Numbers below 2^31 in the high bits.
inline auto randu() {
    return generate<uint32_t>([x = uint32_t{1}]() mutable { return (x = x * 65539 & 0x7fffffff) << 1; });
}
/// A multiplicative generator modulo the prime 2^61 - 1; its high 32 bits.
inline auto multiplicative61() {
    return generate<uint32_t>([x = uint64_t{123456789}]() mutable {
        constexpr uint64_t p = (uint64_t{1} << 61) - 1, a = 1000000000000000003u;
        // x * a in pieces of 30 and 31 bits: 2^61 = 1.
        const auto fold = [](uint64_t v) { return (v & p) + (v >> 61); };
        uint64_t sum = 0;
        for (int bit = 60; bit >= 0; --bit) sum = fold(fold(2 * sum) + ((a >> bit & 1) != 0 ? x : 0));
        x = sum >= p ? sum - p : sum;
        return x >> 29;
    });
}
/// Marsaglia, "Xorshift RNGs", 2003.
inline auto xorshift128() {
    return generate<uint32_t>([x = 123456789u, y = 362436069u, z = 521288629u, w = 88675123u]() mutable {
        const uint32_t t = x ^ x << 11;
        x = std::exchange(y, std::exchange(z, w));
        return w = w ^ w >> 19 ^ t ^ t >> 8;
    });
}
inline auto xorwow() {
    return generate<uint32_t>(
        [x = 123456789u, y = 362436069u, z = 521288629u, w = 88675123u, v = 5783321u, d = 6615241u]() mutable {
            const uint32_t t = x ^ x >> 2;
            x = std::exchange(y, std::exchange(z, std::exchange(w, v)));
            v = v ^ v << 4 ^ t ^ t << 1;
            return (d += 362437) + v;
        });
}

/// How a run of one test went; it ends with its first failure, or goes on.
inline rng::stats::Report run_test(const rng::stats::GeneratorUnderTest& generator, const std::string& test,
                                   uint64_t bytes, bool keep_going = false) {
    rng::stats::Options options;
    options.bytes = bytes;
    options.only = {test};
    options.threads = 1;
    options.keep_going = keep_going;
    options.repeat_suspicious = false;
    return rng::stats::run_battery(generator, options);
}
inline rng::stats::Verdict verdict(const rng::stats::GeneratorUnderTest& generator, const std::string& test,
                                   uint64_t bytes) {
    return run_test(generator, test, bytes).verdict;
}
template <class G> rng::stats::GeneratorUnderTest generator_of(G generator) {
    return {std::make_shared<rng::stats::UrbgSource<G>>(std::move(generator))};
}
/// The size at which the test fails the generator; 0 if it does not.
template <class G> uint64_t fails_at(G generator, const std::string& test, uint64_t bytes) {
    const auto report = run_test(generator_of(std::move(generator)), test, bytes);
    return report.verdict == rng::stats::Verdict::fail ? report.analyses.back().size : 0;
}
/// log10 of the least adjusted p-value.
template <class G> double worst_of(G generator, const std::string& test, uint64_t bytes) {
    const auto report = run_test(generator_of(std::move(generator)), test, bytes);
    return report.worst() == nullptr ? 0 : report.worst()->log10_adjusted;
}

inline constexpr uint64_t KiB = 1024, MiB = 1024 * KiB;

/// P-values of each part of a test of `repetitions` first segments of `bytes`, randomised where they are discrete.
template <class G>
std::map<std::string, std::vector<double>> p_values(G generator, const std::string& test, std::size_t bytes,
                                                    int repetitions) {
    rng::stats::UrbgSource<G> source(std::move(generator));
    const rng::stats::GeneratorUnderTest chosen =
        source.word_bits() == 64 ? generator_with_words<uint64_t>() : generator_with_words<uint32_t>();
    std::vector<uint64_t> data(bytes / 8 + 8);
    // Segments are aligned to 64 bytes.
    const std::size_t front = (64 - reinterpret_cast<uintptr_t>(data.data()) % 64) % 64 / 8;
    const std::span<std::byte> at(reinterpret_cast<std::byte*>(data.data() + front), bytes);
    std::mt19937_64 uniform(20250611);
    std::map<std::string, std::vector<double>> found;
    for (int i = 0; i < repetitions; ++i) {
        source.read(static_cast<uint64_t>(i) * bytes, at);
        auto made = rng::stats::make_tests(rng::stats::Stage::stream, chosen, {}, {&test, 1});
        made.at(0).test->add({0, at, source.word_bits()});
        rng::stats::Results results;
        made[0].test->results(results);
        for (const auto& [part, p] : results.parts())
            found[part].push_back(p.randomised(std::ldexp(static_cast<double>(uniform() >> 11), -53)));
    }
    return found;
}

/// p of the chi-square test that these p-values are uniform, on ten cells.
inline double uniformity(const std::vector<double>& p_values) {
    std::vector<uint64_t> cells(10);
    for (const double p : p_values) ++cells[std::min<std::size_t>(static_cast<std::size_t>(p * 10), 9)];
    return rng::stats::chi_square(cells, std::vector<double>(10, static_cast<double>(p_values.size()) / 10))
        .p.two_sided();
}

}  // namespace support
