// How far the law of a walk over masses is from the exact law.
#pragma once

#include <gtest/gtest.h>
#include <rng/detail/mass_walk.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

namespace support {

/// The total variation distance of a walk from the law with the given masses, as a power of two. The table and the walk
/// have to find the same values.
template <class Table = rng::detail::MassTable, class Ratios, class Mass>
double log2_distance(const rng::detail::MassWalk<Ratios>& walk, Mass mass) {
    std::vector<uint64_t> words(Table::size);
    Table::build(walk, words.data());
    const Table table{words.data()};
    const uint64_t* const last = words.data() + Table::guides / Table::guides_of_word + Table::steps_down;
    const auto least = static_cast<int64_t>(table.find(0)), most = static_cast<int64_t>(table.find(~uint64_t{0}));
    EXPECT_GT(least, -static_cast<int64_t>(Table::steps_down));
    EXPECT_LT(most, static_cast<int64_t>(Table::steps_up));
    long double sum = 0, inside = 0;
    for (int64_t k = least; k <= most; ++k) {
        const uint64_t before = k == least ? 0 : last[k - 1] + 1, words_of_k = last[k] - before;
        const long double share = (static_cast<long double>(words_of_k) + 1) * 0x1p-64L;
        const long double exact = mass(walk.anchor + static_cast<uint64_t>(k));
        sum += std::fabs(share - exact);
        inside += exact;
        for (const uint64_t w : {before, last[k], last[k] - words_of_k / 2})
            EXPECT_EQ(table.find(w) + walk.anchor, walk.find(w)) << w;
    }
    return static_cast<double>(std::log2((sum + std::fabs(1 - inside)) / 2 + 0x1p-70L));
}

}  // namespace support
