// Helpers of the structural tests' unit tests: an ideal function, ideal streams, and whether p-values are uniform.
#pragma once

#include <gtest/gtest.h>
#include <rng/stats/generator_under_test.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "statistical_tests/checks/catalogue.hpp"
#include "statistical_tests/p_values/chi_square.hpp"
#include "statistical_tests/sources/cipher_stream.hpp"

namespace structural {

using namespace rng::stats;

/// Nothing is read of it.
class NoSource final : public Source {
  public:
    explicit NoSource(int word_bits) : word_bits_(word_bits) {}
    [[nodiscard]] std::string name() const override { return "none"; }
    [[nodiscard]] int word_bits() const override { return word_bits_; }
    std::size_t read(uint64_t, std::span<std::byte>) override { return 0; }

  private:
    int word_bits_;
};

/// Threefry4x64-20 of up to eight words with a key of its own.
class IdealFunction : public BlockFunction {
  public:
    IdealFunction(uint64_t key, int in, int out, int bits) : key_(key), in_(in), out_(out), bits_(bits) {}
    [[nodiscard]] std::string name() const override { return "ideal"; }
    [[nodiscard]] int input_words() const override { return in_; }
    [[nodiscard]] int output_words() const override { return out_; }
    [[nodiscard]] int input_bits() const override { return bits_; }
    void evaluate(std::size_t lanes, const uint32_t* inputs, uint32_t* outputs) const override {
        std::vector<uint32_t> in(16 * lanes), out(8 * lanes);
        std::copy_n(inputs, static_cast<std::size_t>(in_) * lanes, in.begin());
        std::fill_n(in.begin() + static_cast<std::ptrdiff_t>(8 * lanes), lanes, static_cast<uint32_t>(key_));
        Cipher{Cipher::Family::threefry, 4, 64, 20}.evaluate(lanes, in.data(), out.data());
        std::copy_n(out.begin(), static_cast<std::size_t>(out_) * lanes, outputs);
    }

  private:
    uint64_t key_;
    int in_, out_, bits_;
};

inline GeneratorUnderTest generator_of_function(std::shared_ptr<const BlockFunction> function, uint64_t seed = 1,
                                                int word_bits = 32) {
    return {std::make_shared<NoSource>(word_bits), {std::move(function)}, {}, seed, {}};
}
inline GeneratorUnderTest generator_of_streams(std::shared_ptr<const StreamSet> set) {
    return {std::make_shared<NoSource>(32), {}, {std::move(set)}, 1, {}};
}

/// Runs the tests of a row for some cases; p-values by "test:part".
inline std::map<std::string, PValue> results_of(const GeneratorUnderTest& generator, const std::string& row,
                                                uint64_t cases) {
    std::map<std::string, PValue> all;
    for (const NamedTest& named : make_tests(Stage::structural, generator, {Tier::quick, 1}, {&row, 1})) {
        for (uint64_t index = 0; index < cases; ++index) named.test->add({index, {}, 0});
        Results results;
        named.test->results(results);
        for (const auto& [part, p] : results.parts()) all[named.name + ":" + part] = p;
    }
    return all;
}
inline double least_log10(const std::map<std::string, PValue>& results) {
    double least = 0;
    for (const auto& [name, p] : results) least = std::min(least, p.log10_two_sided());
    return least;
}
// What a verdict takes: 1e-6 shared out over 64 analyses, a dozen tests and their parts.
constexpr double failed = -11, sound = -5;

/// Expects the p-values of each part to be uniform: chi-square on ten bins at 1e-7. With `upper_alone`, parts whose p
/// is an upper bound are only to be small no more often than p.
class Uniformity {
  public:
    void add(const std::map<std::string, PValue>& results) {
        for (const auto& [name, p] : results)
            values_[name].push_back({p.upper(), p.randomised(std::uniform_real_distribution<double>()(generator_))});
    }
    void expect_uniform(const std::set<std::string>& bounds = {}) const {
        ASSERT_FALSE(values_.empty());
        for (const auto& [name, values] : values_) {
            std::vector<uint64_t> bins(10);
            uint64_t below = 0;
            for (const auto& [bound, p] : values) {
                ++bins[std::min<std::size_t>(9, static_cast<std::size_t>(p * 10))];
                below += bound < 0.1;
            }
            const double n = static_cast<double>(values.size());
            const std::vector<double> expected(10, n / 10);
            if (bounds.contains(name))
                EXPECT_GT(binomial_p_value(below, values.size(), 0.1).log10_upper, -7) << name;
            else
                EXPECT_GT(chi_square(bins, expected, 5).p.log10_upper, -7) << name;
        }
    }

  private:
    std::map<std::string, std::vector<std::pair<double, double>>> values_;  // upper bounds, and randomised
    std::mt19937_64 generator_{1};
};

}  // namespace structural
