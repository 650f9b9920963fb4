// Avalanche tests (avalanche1, avalanche2): p-values of an ideal function are uniform, and no input is used twice.
// Reduced rounds and functions with one flaw each fail; their controls pass.
#include <gtest/gtest.h>
#include <rng/stats/engines_under_test.hpp>

#include <array>

#include "../support/structural.hpp"

namespace {

using namespace structural;

TEST(Avalanche, OfAnIdealFunctionIsUniform) {
    for (const char* row : {"avalanche1", "avalanche2"}) {
        Uniformity uniformity;
        for (uint64_t key = 0; key < 150; ++key)
            uniformity.add(
                results_of(generator_of_function(std::make_shared<IdealFunction>(key, 4, 2, 128), key), row, 1));
        uniformity.expect_uniform();
    }
}

TEST(Avalanche, FindsReducedRounds) {
    const auto log10_p = [](const char* engine, const char* row) {
        return least_log10(results_of(engine_under_test(engine, 42), row, 1));
    };
    EXPECT_LT(log10_p("philox4x32-6", "avalanche1"), failed);
    EXPECT_GT(log10_p("philox4x32-7", "avalanche1"), sound);
    EXPECT_LT(log10_p("philox4x64-6", "avalanche1"), failed);
    EXPECT_GT(log10_p("philox4x64-7", "avalanche1"), sound);
    EXPECT_LT(log10_p("threefry4x32-9", "avalanche2"), failed);
    EXPECT_GT(log10_p("threefry4x32-20", "avalanche2"), sound);
    EXPECT_LT(log10_p("threefry4x64-10", "avalanche2"), failed);
    EXPECT_GT(log10_p("threefry4x64-20", "avalanche2"), sound);
}

/// An ideal function, except for the change that `flaw` makes to a lane's output, given its input.
class Flawed final : public BlockFunction {
  public:
    using In = std::array<uint32_t, 4>;
    using Out = std::array<uint32_t, 2>;
    using Flaw = void (*)(In&, Out&);
    Flawed(Flaw before, Flaw after) : before_(before), after_(after) {}
    [[nodiscard]] std::string name() const override { return "flawed"; }
    [[nodiscard]] int input_words() const override { return 4; }
    [[nodiscard]] int output_words() const override { return 2; }
    void evaluate(std::size_t lanes, const uint32_t* inputs, uint32_t* outputs) const override {
        std::vector<uint32_t> changed(4 * lanes);
        const auto each = [&](const uint32_t* from, Flaw flaw) {
            for (std::size_t l = 0; l < lanes; ++l) {
                In in;
                Out out{};
                for (std::size_t w = 0; w < 4; ++w) in[w] = from[w * lanes + l];
                if (flaw == after_)
                    for (std::size_t w = 0; w < 2; ++w) out[w] = outputs[w * lanes + l];
                if (flaw) flaw(in, out);
                for (std::size_t w = 0; w < 4; ++w) changed[w * lanes + l] = in[w];
                if (flaw == after_)
                    for (std::size_t w = 0; w < 2; ++w) outputs[w * lanes + l] = out[w];
            }
        };
        each(inputs, before_);
        ideal_.evaluate(lanes, changed.data(), outputs);
        if (after_) each(inputs, after_);
    }

  private:
    Flaw before_, after_;
    IdealFunction ideal_{7, 4, 2, 128};
};

std::map<std::string, PValue> flawed(Flawed::Flaw before, Flawed::Flaw after, const char* row, uint64_t cases = 1) {
    return results_of(generator_of_function(std::make_shared<Flawed>(before, after)), row, cases);
}

TEST(Avalanche, FindsAnInputBitThatDoesNothing) {
    const auto results = flawed([](auto& in, auto&) { in[3] &= ~(1u << 17); }, nullptr, "avalanche1");
    EXPECT_LT(results.at("avalanche1/flawed:random row").log10_upper, failed);
    EXPECT_LT(results.at("avalanche1/flawed:few row").log10_upper, failed);
    // Spared where it is not an input bit.
    EXPECT_GT(
        least_log10(results_of(generator_of_function(std::make_shared<IdealFunction>(7, 4, 2, 113)), "avalanche1", 1)),
        sound);
}

TEST(Avalanche, FindsAnOutputBitThatLeans) {
    // Output bit 40 is set in 5/8 of all cases: a difference sets it in 15/32.
    const auto results = flawed(
        nullptr,
        [](auto&, auto& out) {
            if ((out[0] & 3) == 3) out[1] |= 1u << 8;
        },
        "avalanche1");
    EXPECT_LT(results.at("avalanche1/flawed:random column").log10_upper, failed);
}

TEST(Avalanche, FindsDifferencesOfNoWeight) {
    // Eight bits do nothing in one of 64 inputs: one difference in a thousand is 0, each bit is set nearly as often.
    const auto flaw = [](auto& in, auto&) {
        if ((in[2] & 63) == 5) in[3] &= ~0xffu;
    };
    const auto results = flawed(flaw, nullptr, "avalanche1", 4);
    EXPECT_LT(results.at("avalanche1/flawed:random weight").log10_upper, failed);
}

TEST(Avalanche, FindsWordsThatAreOnlyAdded) {
    // As a key that is added to a counter: flipping both top bits does nothing.
    const auto sum = [](auto& in, auto&) {
        in[0] += in[2];
        in[2] = 0;
    };
    EXPECT_LT(flawed(sum, nullptr, "avalanche2").at("avalanche2/flawed:random pair row").log10_upper, failed);
}

TEST(Avalanche, FindsSumsOfFunctions) {
    // f(x0, x1, x3) ^ g(x2, x3): second differences between words 0 and 2 vanish, pairs do not.
    class Sum final : public BlockFunction {
      public:
        [[nodiscard]] std::string name() const override { return "sum"; }
        [[nodiscard]] int input_words() const override { return 4; }
        [[nodiscard]] int output_words() const override { return 2; }
        void evaluate(std::size_t lanes, const uint32_t* inputs, uint32_t* outputs) const override {
            std::vector<uint32_t> one(inputs, inputs + 4 * lanes), other = one, more(2 * lanes);
            std::fill_n(one.begin() + static_cast<std::ptrdiff_t>(2 * lanes), lanes, 0);
            std::fill_n(other.begin(), 2 * lanes, 0);
            IdealFunction(1, 4, 2, 128).evaluate(lanes, one.data(), outputs);
            IdealFunction(2, 4, 2, 128).evaluate(lanes, other.data(), more.data());
            for (std::size_t i = 0; i < more.size(); ++i) outputs[i] ^= more[i];
        }
    };
    const auto results = results_of(generator_of_function(std::make_shared<Sum>()), "avalanche2", 1);
    EXPECT_LT(results.at("avalanche2/sum:random second all").log10_upper, failed);
    EXPECT_GT(results.at("avalanche2/sum:random pair all").log10_two_sided(), sound);
}

/// Keeps every input that it is asked for.
class Recorder final : public BlockFunction {
  public:
    [[nodiscard]] std::string name() const override { return "recorder"; }
    [[nodiscard]] int input_words() const override { return 4; }
    [[nodiscard]] int output_words() const override { return 2; }
    [[nodiscard]] int input_bits() const override { return 120; }
    void evaluate(std::size_t lanes, const uint32_t* inputs, uint32_t* outputs) const override {
        for (std::size_t l = 0; l < lanes; ++l) {
            const std::array<uint32_t, 4> in{inputs[l], inputs[lanes + l], inputs[2 * lanes + l],
                                             inputs[3 * lanes + l]};
            EXPECT_EQ(in[3] >> 24, 0u);
            seen.push_back(in);
        }
        std::fill_n(outputs, 2 * lanes, 0);
    }
    mutable std::vector<std::array<uint32_t, 4>> seen;
};

TEST(Avalanche, UsesNoInputTwice) {
    // The evaluations in order 1 are 256 lanes of a base and of its 120 flips. They run four times, with random inputs
    // and with few.
    // In order 2 there is one run with 240 pairs of bits. The bits of a pair have the same place in two words of 32
    // bits; 24 pairs include the last word.
    const auto count = [](const char* row, uint64_t cases) {
        const auto recorder = std::make_shared<Recorder>();
        static_cast<void>(results_of(generator_of_function(recorder), row, cases));
        const std::size_t asked = recorder->seen.size();
        std::ranges::sort(recorder->seen);
        EXPECT_EQ(std::ranges::adjacent_find(recorder->seen), recorder->seen.end()) << row;
        return asked;
    };
    EXPECT_EQ(count("avalanche1", 2), 2u * 4 * 2 * 256 * (1 + 120));
    EXPECT_EQ(count("avalanche2", 2), 2u * 2 * 256 * (1 + 120 + 3 * 32 + 3 * 24));
}

}  // namespace
