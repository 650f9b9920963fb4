// EpochSampler: the same items with the same numbers for any workers, order of reading, restart and number of ranks;
// the places of ranks are those of torch.utils.data.DistributedSampler.
#include <gtest/gtest.h>
#include <rng/data_loader.hpp>
#include <rng/rng.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../support/paths.hpp"

namespace {

using rng::EpochOptions;
using rng::EpochSampler;
/// An item and the first of its random numbers.
using Read = std::pair<uint64_t, uint32_t>;

template <class E> Read read(const rng::EpochSample<E>& sample) { return {sample.item, word(sample.numbers, 0)}; }

EpochOptions options_of(uint64_t items, uint64_t batch_size = 1, uint64_t ranks = 1, uint64_t rank = 0) {
    EpochOptions options;
    options.items = items;
    options.batch_size = batch_size;
    options.ranks = ranks;
    options.rank = rank;
    return options;
}

/// What a rank reads, in its order.
template <class Sampler> std::vector<Read> all_of(const Sampler& epoch) {
    std::vector<Read> reads;
    for (uint64_t b = 0; b < epoch.batches(); ++b)
        for (const auto& sample : epoch.batch(b)) reads.push_back(read(sample));
    return reads;
}

constexpr uint64_t sizes[] = {1, 97, 2500};  // of data sets: by exchanges, and by rounds

TEST(DataLoader, WorkersAndTheirOrderDoNotMatter) {
    for (const uint64_t items : sizes) {
        const auto options = options_of(items, 8);
        const std::vector<Read> expected = all_of(EpochSampler(rng::Stream{42}, 3, options));
        ASSERT_EQ(expected.size(), items);
        for (unsigned workers = 1; workers <= 8; ++workers) {
            std::vector<Read> reads(items);
            std::vector<std::thread> threads;
            for (unsigned w = 0; w < workers; ++w)
                threads.emplace_back([&, w] {
                    const EpochSampler own(rng::Stream{42}, 3, options);
                    // Worker w prefetches its batches from the last one on.
                    for (uint64_t b = own.batches(); b-- > 0;) {
                        if (b % workers != w) continue;
                        const auto batch = own.batch(b);
                        for (uint64_t i = 0; i < batch.size(); ++i) reads[8 * b + i] = read(batch[i]);
                    }
                });
            for (std::thread& thread : threads) thread.join();
            EXPECT_EQ(reads, expected) << workers;
        }
    }
}

TEST(DataLoader, ARestartInsideAnEpochGoesOn) {
    const auto options = options_of(2500, 64);
    const std::vector<Read> expected = all_of(EpochSampler(rng::Stream{1}, 5, options));
    std::vector<Read> reads;
    for (const uint64_t stop : {uint64_t{0}, uint64_t{17}, uint64_t{39}, uint64_t{40}}) {  // 40 batches
        const EpochSampler epoch(rng::Stream{1}, 5, options);                              // a new process
        for (uint64_t b = (reads.size() + 63) / 64; b < stop; ++b)
            for (const auto& sample : epoch.batch(b)) reads.push_back(read(sample));
    }
    EXPECT_EQ(reads, expected);
}

TEST(DataLoader, RanksShareOneEpoch) {
    for (const uint64_t items : sizes) {
        const std::vector<Read> expected = all_of(EpochSampler(rng::Stream{42}, 3, options_of(items)));
        for (uint64_t ranks = 1; ranks <= 5; ++ranks)
            for (const bool drop : {false, true}) {
                uint64_t read_by_all = 0;
                for (uint64_t rank = 0; rank < ranks; ++rank) {
                    auto options = options_of(items, 3, ranks, rank);
                    options.drop_last = drop;
                    const std::vector<Read> reads = all_of(EpochSampler(rng::Stream{42}, 3, options));
                    for (uint64_t k = 0; k < reads.size(); ++k)
                        EXPECT_EQ(reads[k], expected[(rank + k * ranks) % items]) << items << ' ' << ranks << ' ' << k;
                    EXPECT_EQ(reads.size(), drop ? items / ranks : (items + ranks - 1) / ranks);
                    read_by_all += reads.size();
                }
                EXPECT_EQ(read_by_all % ranks, 0u);
            }
    }
}

/// The indices that DistributedSampler(shuffle=False) gives by its documented rule, as PyTorch 2 does.
TEST(DataLoader, RanksHaveThePlacesOfDistributedSampler) {
    const auto items_of = [](uint64_t items, uint64_t ranks, uint64_t rank, bool drop) {
        auto options = options_of(items, 1, ranks, rank);
        options.shuffle = false;
        options.drop_last = drop;
        const EpochSampler epoch(rng::Stream{42}, 0, options);
        std::vector<uint64_t> result;
        for (uint64_t k = 0; k < epoch.size(); ++k) result.push_back(epoch[k].item);
        return result;
    };
    using Items = std::vector<uint64_t>;
    EXPECT_EQ(items_of(10, 3, 0, false), (Items{0, 3, 6, 9}));
    EXPECT_EQ(items_of(10, 3, 1, false), (Items{1, 4, 7, 0}));  // the beginning repeats
    EXPECT_EQ(items_of(10, 3, 2, false), (Items{2, 5, 8, 1}));
    EXPECT_EQ(items_of(10, 3, 0, true), (Items{0, 3, 6}));
    EXPECT_EQ(items_of(10, 3, 2, true), (Items{2, 5, 8}));
    EXPECT_EQ(items_of(12, 4, 3, true), (Items{3, 7, 11}));
    EXPECT_EQ(items_of(2, 5, 2, false), (Items{0}));  // more ranks than items: they repeat more than once
    EXPECT_EQ(items_of(2, 5, 3, false), (Items{1}));
    EXPECT_EQ(items_of(2, 5, 4, false), (Items{0}));
    EXPECT_EQ(items_of(3, 5, 0, true), Items{});
    EXPECT_EQ(items_of(0, 2, 0, false), Items{});
}

TEST(DataLoader, EpochsAndItemsDiffer) {
    const auto options = options_of(3000);
    const EpochSampler first(rng::Stream{42}, 0, options), second(rng::Stream{42}, 1, options);
    std::set<uint32_t> numbers;
    std::set<uint64_t> items;
    uint64_t at_one_place = 0;
    for (uint64_t k = 0; k < 3000; ++k) {
        items.insert(first[k].item);
        numbers.insert({word(first[k].numbers, 0), word(second[k].numbers, 0)});
        at_one_place += first[k].item == second[k].item ? 1 : 0;
    }
    EXPECT_EQ(items.size(), 3000u);
    EXPECT_GT(numbers.size(), 5990u);  // words repeat with probability 0.004
    EXPECT_LT(at_one_place, 12u);      // one is expected
    // An item's numbers depend on no order: without shuffling they are the same.
    auto in_order = options;
    in_order.shuffle = false;
    EXPECT_EQ((EpochSampler(rng::Stream{42}, 0, in_order)[first[7].item].numbers), first[7].numbers);
}

TEST(DataLoader, WeightedEpochs) {
    const std::vector<double> weights{1, 0, 3, 4};
    auto options = options_of(0, 16, 2, 1);
    options.drop_last_batch = true;
    const EpochSampler<> epoch(rng::Stream{42}, 2, options, weights, 1000);
    EXPECT_EQ(epoch.size(), 500u);
    EXPECT_EQ(epoch.batches(), 31u);
    const auto expected = rng::choice_with_replacement(weights, 1000, rng::Stream<>{42}.fork("order").fork(2));
    std::set<uint32_t> numbers;
    for (uint64_t k = 0; k < epoch.size(); ++k) {
        EXPECT_EQ(epoch[k].item, expected[1 + 2 * k]);
        numbers.insert(word(epoch[k].numbers, 0));
    }
    EXPECT_GT(numbers.size(), 498u);  // a repeated item has numbers of its own
}

TEST(DataLoader, WeightedEpochsWithoutReplacement) {
    std::vector<double> weights(300);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i % 4);
    auto options = options_of(0, 16, 2, 1);
    options.replacement = false;
    const EpochSampler<> epoch(rng::Stream{42}, 2, options, weights, 200);
    const auto expected = rng::choice(weights, 200, rng::Stream<>{42}.fork("order").fork(2));
    const auto numbers = rng::Stream<>{42}.fork("numbers").fork(2);
    ASSERT_EQ(epoch.size(), 100u);
    for (uint64_t k = 0; k < epoch.size(); ++k) {
        EXPECT_EQ(epoch[k].item, expected[1 + 2 * k]);
        EXPECT_EQ(epoch[k].numbers, numbers.fork(1 + 2 * k));
    }
}

TEST(DataLoader, ALoopOverAnEpochReadsTheSamplesOfTheRank) {
    for (const uint64_t items : sizes)
        for (uint64_t rank = 0; rank < 3; ++rank) {
            const EpochSampler epoch(rng::Stream{42}, 3, options_of(items, 8, 3, rank));
            std::vector<Read> reads;
            for (const auto& sample : epoch) reads.push_back(read(sample));
            EXPECT_EQ(reads, all_of(epoch)) << items << ' ' << rank;
        }
    const EpochSampler none(rng::Stream{42}, 3, options_of(0));
    EXPECT_EQ(none.begin(), none.end());
    const EpochSampler epoch(rng::Stream{42}, 3, options_of(97));
    auto i = epoch.begin();
    EXPECT_EQ((*i++).item, epoch[0].item);
    EXPECT_EQ((*i).item, epoch[1].item);
    EXPECT_EQ(std::ranges::distance(epoch), 97);
}
static_assert(std::forward_iterator<EpochSampler<>::iterator>);
static_assert(std::ranges::forward_range<const EpochSampler<>>);

TEST(DataLoader, Errors) {
    const auto message = [](const EpochOptions& options) {
        return support::error_of(rng::ErrorCode::invalid_argument,
                                 [&] { (void)EpochSampler(rng::Stream{1}, 0, options); });
    };
    EXPECT_EQ(message(options_of(10, 0)), "EpochSampler: batch_size must be at least 1, got 0");
    EXPECT_EQ(message(options_of(10, 1, 0)), "EpochSampler: ranks must be in [1, 2^31], got 0");
    EXPECT_EQ(message(options_of(10, 1, (uint64_t{1} << 31) + 1)),
              "EpochSampler: ranks must be in [1, 2^31], got 2147483649");
    EXPECT_EQ(message(options_of(10, 1, 3, 4)), "EpochSampler: rank must be below ranks = 3, got 4");
    EXPECT_EQ(message(options_of(uint64_t{1} << 60)),
              "EpochSampler: items must be at most 2^55, got 1152921504606846976");
    const EpochSampler epoch(rng::Stream{1}, 0, options_of(10, 4));
    EXPECT_EQ(epoch.batch(2).size(), 2u);
    const auto refusal = [](auto&& call) { return support::error_of(rng::ErrorCode::invalid_argument, call); };
    EXPECT_EQ(refusal([&] { (void)epoch[10]; }), "EpochSampler::operator[]: k must be below size() = 10, got 10");
    EXPECT_EQ(refusal([&] { (void)epoch.batch(3); }), "EpochSampler::batch: b must be below batches() = 3, got 3");
    EXPECT_EQ(refusal([&] { (void)EpochSampler(rng::Stream{1}, uint64_t{1} << 56, options_of(10)); }),
              "EpochSampler: epoch must be below 2^56, got 72057594037927936");
    const std::vector<double> weights{1, 0, 2}, negative{1, -2}, none;
    const auto weighted = [&](const std::vector<double>& w, uint64_t samples, bool replacement) {
        auto options = options_of(0);
        options.replacement = replacement;
        return refusal([&] { (void)EpochSampler(rng::Stream{1}, 0, options, w, samples); });
    };
    EXPECT_EQ(weighted(weights, (uint64_t{1} << 55) + 1, true),
              "EpochSampler: samples must be at most 2^55, got 36028797018963969");
    EXPECT_EQ(weighted(weights, 3, false),
              "EpochSampler: samples must be at most 2, the number of weights above 0, got 3");
    EXPECT_EQ(weighted(negative, 1, true), "EpochSampler: weights[1] must be a finite number, 0 or more, got -2");
    EXPECT_EQ(weighted(none, 1, true),
              "EpochSampler: weights must have at least one element above 0, got none among 0");
}

}  // namespace
