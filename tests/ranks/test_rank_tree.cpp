// RankTree adds nodes in the order of docs/svd.md, whatever the cuts are and however the total travels.
#include <gtest/gtest.h>

#include <rng/rng.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "../../src/ranks/rank_tree.hpp"
#include "../support/ranks.hpp"

namespace {

using rng::detail::RankCall;
using rng::detail::RankLayout;
using rng::detail::RankTree;

/// An item's number in column c.
double number_of(uint64_t item, size_t c) { return rng::at(rng::Stream<>{9}, rng::normal{0.0, 1.0}, item * 64 + c); }

/// The sum of items [first, last), which begin at a block: written from the definition of the tree.
double sum_of(uint64_t first, uint64_t last, size_t block, size_t c) {
    const uint64_t blocks = (last - first + block - 1) / block;
    if (blocks <= 1) {
        double sum = 0;
        for (uint64_t i = first; i < last; ++i) sum = sum + number_of(i, c);
        return sum + 0.0;
    }
    uint64_t half = 1;
    while (half * 2 < blocks) half *= 2;
    const uint64_t middle = first + half * block;
    return sum_of(first, middle, block, c) + sum_of(middle, last, block, c);
}

TEST(RankTree, TheOrderOfTheTree) {
    const size_t rows = 13, width = 3, block = 4;
    size_t seed = 0;
    for (const uint64_t total :
         {uint64_t{0}, uint64_t{1}, uint64_t{4}, uint64_t{5}, uint64_t{63}, uint64_t{64}, uint64_t{150}}) {
        std::vector<double> expected(rows * width);
        for (size_t k = 0; k < expected.size(); ++k) expected[k] = sum_of(0, total, block, k);
        for (const int size : {1, 2, 3, 5, 7, 16})
            for (const size_t most_bytes : {size_t{0}, size_t{1} << 20})  // in slices, by levels
                for (const size_t grain : {size_t{1}, size_t{4}, size_t{48}}) {
                    const auto cuts = support::random_cuts(total, size, ++seed);
                    std::vector<char> is_right(static_cast<size_t>(size));
                    rng::ThreadRanks(size).run([&](rng::Ranks& ranks) {
                        RankCall::run("sum", ranks, [&](RankCall& call) {
                            const auto r = static_cast<size_t>(ranks.rank());
                            const RankLayout layout(call, "item", cuts[r], cuts[r + 1] - cuts[r], total, block);
                            const auto pieces = layout.slabs();
                            std::vector<double> out(rows * width, -1);
                            // Ranks may make different numbers of slices at once.
                            RankTree<double>(layout, most_bytes, seed % 2 ? r % 4 : 0)
                                .sum(
                                    rows, width, grain,
                                    [&](size_t k, size_t first, size_t now, double* to) {
                                        const uint64_t begin = layout.first() + pieces[k].first;
                                        for (size_t i = 0; i < now * width; ++i)
                                            to[i] = sum_of(begin, begin + pieces[k].count, block, first * width + i);
                                    },
                                    out.data());
                            is_right[r] = std::memcmp(out.data(), expected.data(), out.size() * sizeof(double)) == 0;
                        });
                    });
                    for (const char right : is_right)
                        EXPECT_TRUE(right) << total << " items, " << size << " ranks, " << most_bytes << ", " << grain;
                }
    }
}

// The threads of a rank share out the rows of one call of the leaf, so a call has those of several small slices. Some
// slices still travel while others are made: half of them at most are made at once.
TEST(RankTree, SmallSlicesAreMadeTogether) {
    struct Slices {
        size_t ranks, grains_at_once, most_rows, most_calls;
    };
    const size_t rows = 40;
    for (const Slices& slices : {Slices{20, 1, 2, 20}, Slices{20, 8, 8, 6}, Slices{20, 9, 8, 6},
                                 Slices{20, 1000, 20, 3}, Slices{2, 1000, 20, 2}})
        rng::ThreadRanks(static_cast<int>(slices.ranks)).run([&](rng::Ranks& ranks) {
            RankCall::run("sum", ranks, [&](RankCall& call) {
                const auto r = static_cast<size_t>(ranks.rank());
                const RankLayout layout(call, "item", r, 1, slices.ranks, 1);
                std::vector<double> out(rows);
                size_t calls = 0, largest = 0, all = 0;
                RankTree<double>(layout, 0, slices.grains_at_once)
                    .sum(
                        rows, 1, 1,
                        [&](size_t, size_t first, size_t now, double* to) {
                            ++calls;
                            all += now;
                            largest = std::max(largest, now);
                            for (size_t i = 0; i < now; ++i) to[i] = static_cast<double>(first + i);
                        },
                        out.data());
                EXPECT_EQ(all, rows);
                EXPECT_EQ(largest, slices.most_rows) << slices.ranks << " ranks, " << slices.grains_at_once;
                EXPECT_LE(calls, slices.most_calls) << slices.ranks << " ranks, " << slices.grains_at_once;
                for (size_t i = 0; i < rows; ++i) EXPECT_EQ(out[i], static_cast<double>(i * slices.ranks));
            });
        });
}

// Items move to the owner of their block and back; every rank then has whole blocks.
TEST(RankLayout, ItemsMoveAndReturn) {
    const size_t block = 8;
    for (size_t seed = 0; seed < 200; ++seed) {
        const int size = 1 + static_cast<int>(seed % 7);
        const uint64_t total = seed * 3 % 101;
        const auto cuts = support::random_cuts(total, size, seed);
        rng::ThreadRanks(size).run([&](rng::Ranks& ranks) {
            RankCall::run("move", ranks, [&](RankCall& call) {
                const auto r = static_cast<size_t>(ranks.rank());
                const RankLayout layout(call, "item", cuts[r], cuts[r + 1] - cuts[r], total, block);
                EXPECT_LT(layout.head(), block);
                EXPECT_LT(layout.tail(), block);
                EXPECT_TRUE(layout.count() == 0 || layout.first() % block == 0);
                EXPECT_TRUE((layout.first() + layout.count()) % block == 0 || layout.first() + layout.count() == total);
                std::vector<uint64_t> items(layout.given_count()), back(layout.head());
                for (size_t i = 0; i < items.size(); ++i) items[i] = layout.given_first() + i;
                std::vector<std::byte> tail =
                    layout.moved(std::as_writable_bytes(std::span(items)).first(layout.head() * 8), 8);
                std::vector<uint64_t> owned(items.begin() + static_cast<ptrdiff_t>(layout.head()), items.end());
                for (size_t k = 0; k < layout.tail(); ++k) {
                    uint64_t item = 0;
                    std::memcpy(&item, tail.data() + 8 * k, 8);
                    owned.push_back(item);
                }
                ASSERT_EQ(owned.size(), layout.count());
                for (size_t i = 0; i < owned.size(); ++i) EXPECT_EQ(owned[i], layout.first() + i);
                layout.move_back(tail, 8, std::as_writable_bytes(std::span(back)));
                for (size_t i = 0; i < back.size(); ++i) EXPECT_EQ(back[i], layout.given_first() + i);
                uint64_t next = layout.first();
                for (const auto& node : layout.slabs()) {
                    EXPECT_EQ(layout.first() + node.first, next);
                    EXPECT_EQ(node.index << node.level, next / block);
                    next += node.count;
                }
                EXPECT_EQ(next, layout.first() + layout.count());
            });
        });
    }
}

// The last items that a number of 64 bits can count: a block's end lies past them.
TEST(RankLayout, NearTheGreatestCount) {
    const size_t block = 128;
    for (const uint64_t total : {UINT64_MAX, UINT64_MAX - 126, UINT64_MAX - 127, UINT64_MAX - 128})
        for (const uint64_t cut : {uint64_t{1} << 63, UINT64_MAX - 200, UINT64_MAX - 300})
            rng::ThreadRanks(2).run([&](rng::Ranks& ranks) {
                RankCall::run("count", ranks, [&](RankCall& call) {
                    const bool is_first = call.rank() == 0;
                    const RankLayout layout(call, "item", is_first ? 0 : cut, is_first ? cut : total - cut, total,
                                            block);
                    EXPECT_EQ(layout.blocks(), (total - 1) / block + 1);
                    uint64_t next = layout.first();
                    for (const auto& node : layout.cover(call.rank())) {
                        EXPECT_EQ(layout.first() + node.first, next);
                        EXPECT_EQ(node.index << node.level, next / block);
                        next += node.count;
                    }
                    EXPECT_EQ(next, layout.first() + layout.count()) << total << " items, cut at " << cut;
                });
            });
}

}  // namespace
