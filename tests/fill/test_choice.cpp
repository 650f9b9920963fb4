// choice: the model's choices, the first values of a permutation, exact probabilities of weighted choices, errors.
#include <gtest/gtest.h>
#include <rng/choice.hpp>
#include <rng/rng.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "../support/known_answers.hpp"
#include "../support/paths.hpp"

namespace {

using support::error_of;
using Indices = std::vector<uint64_t>;

TEST(Choice, WeightedChoicesOfTheModel) {
    int rows = 0;
    for (const support::Json& row : support::known_answers().at("choices"))
        rng::detail::for_each_in(rng::engines{}, [&]<class E>(rng::type_tag<E>) {
            if (!support::is_about<E>(row)) return;
            std::vector<double> weights;
            for (const auto& w : row.at("weights"))
                weights.push_back(std::strtod(w.template get<std::string>().c_str(), nullptr));
            const auto k = row.at("k").template get<uint64_t>();
            EXPECT_EQ(rng::choice(weights, k, support::stream_of<E>(row)), row.at("values").template get<Indices>())
                << row;
            ++rows;
        });
    EXPECT_EQ(rows, 16);
}

TEST(Choice, IsTheBeginningOfAPermutation) {
    for (const uint64_t n : {uint64_t{1}, uint64_t{10}, uint64_t{5000}}) {
        const rng::Stream<> stream{4};
        Indices all(n);
        rng::fill(all, rng::permutation{n}, stream);
        EXPECT_EQ(rng::choice(n, n, stream), all);
        all.resize((n + 1) / 2);
        EXPECT_EQ(rng::choice(n, all.size(), stream), all);
    }
    EXPECT_EQ(rng::choice(uint64_t{1} << 62, 3, rng::Stream{4})[2],
              (rng::permutation{uint64_t{1} << 62}.at(rng::Stream{4}, 2)));
    rng::Generator gen{4};
    EXPECT_TRUE(rng::choice(0, 0, gen).empty());
    EXPECT_EQ(gen.position(), 0u);
    EXPECT_EQ(rng::choice(10, 3, gen), rng::choice(10, 3, rng::Stream{4}));
    EXPECT_EQ(gen.position(), 4u);
    EXPECT_EQ(rng::choice(10, 3, gen), (rng::choice(10, 3, rng::Stream<>{4}.at_position(4))));
}

/// Chi-square of counts against probabilities, as standard deviations from its mean.
double deviation(const std::vector<int>& counts, const std::vector<double>& probabilities, double n) {
    double statistic = 0, degrees = -1;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double expected = n * probabilities[i];
        if (expected > 0) {
            statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
            degrees += 1;
        } else {
            EXPECT_EQ(counts[i], 0);
        }
    }
    return std::abs(statistic - degrees) / std::sqrt(2 * degrees);
}

TEST(Choice, OrderedPairsHaveTheProbabilitiesOfSuccessiveDraws) {
    const std::vector<double> weights{5, 1, 0, 3, 0.25};
    double sum = 0;
    for (const double w : weights) sum += w;
    std::vector<double> probabilities;
    for (std::size_t a = 0; a < 5; ++a)
        for (std::size_t b = 0; b < 5; ++b)
            probabilities.push_back(a == b ? 0 : weights[a] / sum * weights[b] / (sum - weights[a]));
    constexpr int n = 40'000;
    std::vector<int> counts(25);
    rng::Generator gen{9};
    for (int i = 0; i < n; ++i) {
        const Indices pair = rng::choice(weights, 2, gen);
        ++counts[5 * pair[0] + pair[1]];
    }
    EXPECT_LT(deviation(counts, probabilities, n), 6);
}

TEST(Choice, WithReplacementHasTheProbabilitiesOfTheWeights) {
    const std::vector<double> weights{0, 5, 1, 0, 3, 0.25, 0};
    std::vector<double> probabilities;
    for (const double w : weights) probabilities.push_back(w / 9.25);
    constexpr int n = 100'000;
    std::vector<int> counts(weights.size());
    for (const uint64_t i : rng::choice_with_replacement(weights, n, rng::Stream{5})) ++counts.at(i);
    EXPECT_LT(deviation(counts, probabilities, n), 6);
    EXPECT_EQ(rng::choice_with_replacement(100, 50, rng::Stream{5}),
              rng::sample(rng::uniform_int<uint64_t>{0, 99}, 50, rng::Stream{5}));
    const std::vector<double> edges{0, 1, 2, 3, 4, 5, 6, 7};
    const auto places = rng::sample(rng::piecewise_constant<double>(edges, weights), 1000, rng::Stream{5});
    EXPECT_EQ(rng::choice_with_replacement(weights, 1000, rng::Stream{5}), Indices(places.begin(), places.end()));
    // Further choices of a stream continue those before.
    rng::Generator gen{5};
    Indices both = rng::choice_with_replacement(weights, 7, gen);
    for (const uint64_t i : rng::choice_with_replacement(weights, 5, gen)) both.push_back(i);
    EXPECT_EQ(both, rng::choice_with_replacement(weights, 12, rng::Stream{5}));
}

TEST(Choice, ThreadsAndLanesDoNotMatter) {
    std::vector<double> weights(20'000);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i % 100);
    const Indices expected = rng::choice(weights, 500, rng::Stream{6});
    support::on_every_path({1, 3}, [&](const std::string& path) {
        EXPECT_EQ(rng::choice(weights, 500, rng::Stream{6}), expected) << path;
    });
}

TEST(Choice, ErrorsNameValueAndLimitAndTheGeneratorStays) {
    rng::Generator gen{1};
    const auto message = [](auto&& call) { return error_of(rng::ErrorCode::invalid_argument, call); };
    EXPECT_EQ(message([&] { (void)rng::choice(10, 11, gen); }), "choice: k must be at most 10, got 11");
    EXPECT_EQ(message([&] { (void)rng::choice(10, -1, gen); }),
              "choice: k must be at most 10, got 18446744073709551615 (which is -1 modulo 2^64)");
    EXPECT_EQ(message([&] { (void)rng::choice(uint64_t{1} << 63, 1, gen); }),
              "choice: n must be at most 2^62, got 9223372036854775808 (which is -9223372036854775808 modulo 2^64)");
    EXPECT_EQ(message([&] { (void)rng::choice_with_replacement(-5, 1, gen); }),
              "choice_with_replacement: n must be at most 2^62, got 18446744073709551611 (which is -5 modulo 2^64)");
    // The most that a vector of 64-bit numbers can hold.
    constexpr uint64_t too_many = uint64_t{1} << 60;
    EXPECT_EQ(message([&] { (void)rng::choice(uint64_t{1} << 62, too_many, gen); }),
              "choice: k must be at most 1152921504606846975, got 1152921504606846976");
    EXPECT_EQ(message([&] { (void)rng::choice_with_replacement(5, too_many, gen); }),
              "choice_with_replacement: k must be at most 1152921504606846975, got 1152921504606846976");
    EXPECT_EQ(message([&] { (void)rng::choice_with_replacement(0, 1, gen); }),
              "choice_with_replacement: n must be at least 1 if k is above 0, got 0");
    const std::vector<double> few{1, 0, 2}, negative{1, -2}, tiny{1, 0x1p-1040}, null{0, 0},
        not_a_number{1, std::nan("")};
    EXPECT_EQ(message([&] { (void)rng::choice(few, 3, gen); }),
              "choice: k must be at most 2, the number of weights above 0, got 3");
    EXPECT_EQ(
        message([&] { (void)rng::choice(few, -1, gen); }),
        "choice: k must be at most 2, the number of weights above 0, got 18446744073709551615 (which is -1 modulo "
        "2^64)");
    EXPECT_EQ(message([&] { (void)rng::choice(negative, 1, gen); }),
              "choice: weights[1] must be a finite number, 0 or more, got -2");
    EXPECT_EQ(message([&] { (void)rng::choice(tiny, 2, gen); }),
              "choice: k must be at most 1, the number of weights above 0, got 2");
    EXPECT_THROW((void)rng::choice(not_a_number, 1, gen), rng::Error);
    EXPECT_EQ(message([&] { (void)rng::choice_with_replacement(null, 1, gen); }),
              "choice_with_replacement: weights must have at least one element above 0, got none among 2");
    EXPECT_TRUE(rng::choice(null, 0, gen).empty());
    EXPECT_TRUE(rng::choice_with_replacement(null, 0, gen).empty());
    EXPECT_EQ(gen.position(), 0u);
    const auto end = rng::Stream<>{1}.at_position(rng::Stream<>::size_words - 2);
    const auto call_of = [](auto&& call) {
        const std::string text = error_of(rng::ErrorCode::end_of_stream, call);
        return text.substr(0, text.find(':'));
    };
    EXPECT_EQ(call_of([&] { (void)rng::choice(10, 2, end); }), "choice");
    EXPECT_EQ(call_of([&] { (void)rng::choice(few, 2, end); }), "choice");
    EXPECT_EQ(call_of([&] { (void)rng::choice_with_replacement(10, 2, end); }), "choice_with_replacement");
    EXPECT_EQ(call_of([&] { (void)rng::choice_with_replacement(few, 2, end); }), "choice_with_replacement");
}

TEST(Choice, WeightsOfFloatAreTheSameNumbers) {
    const std::vector<float> weights{0.1f, 5, 0, 1.0f / 3, 2};
    const std::vector<double> same(weights.begin(), weights.end());
    EXPECT_EQ(rng::choice(weights, 4, rng::Stream{3}), rng::choice(same, 4, rng::Stream{3}));
    EXPECT_EQ(rng::choice_with_replacement(weights, 100, rng::Stream{3}),
              rng::choice_with_replacement(same, 100, rng::Stream{3}));
    const std::vector<float> negative{1, -2};
    EXPECT_EQ(error_of(rng::ErrorCode::invalid_argument, [&] { (void)rng::choice(negative, 1, rng::Stream{3}); }),
              "choice: weights[1] must be a finite number, 0 or more, got -2");
}

}  // namespace
