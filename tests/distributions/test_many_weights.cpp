// More than 2^24 weights: AliasTable, categorical, categorical_icdf and multinomial have the values of
// tests/reference/many_weights.py, on all ways to a value.
#include <gtest/gtest.h>
#include <rng/at.hpp>
#include <rng/distributions/categorical.hpp>
#include <rng/fill_rows.hpp>
#include <rng/prepared.hpp>
#include <rng/row_at.hpp>
#include <rng/structured/multinomial.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "../support/known_answers.hpp"
#include "../support/paths.hpp"

namespace {

using support::Json;

const Json& answers() {
    static const Json all = support::read_reference("many_weights.json");
    return all;
}
std::size_t count() {
    static const auto stated = answers().at("count").get<std::size_t>();
    return stated;
}

/// The digest of a number of each category.
template <class F> uint64_t digest_of(const F& number) {
    uint64_t h = 0;
    for (uint32_t i = 0; i < count(); ++i) h = h * 0x100000001b3u + number(i);
    return h;
}

TEST(ManyWeights, AreTheModels) {
    std::vector<double> weights(count());
    for (std::size_t i = 0; i < count(); ++i)
        weights[i] = i % 7 == 3 ? 0 : static_cast<double>(static_cast<uint32_t>(i * 2654435761u)) / 3;
    {
        const rng::AliasTable table(weights);
        EXPECT_EQ(digest_of([&](uint32_t i) { return table.data()[i]; }),
                  support::integer(answers().at("entries_digest")));
        const rng::categorical law(table);
        const auto values = answers().at("categorical").get<std::vector<int>>();
        EXPECT_EQ(support::by_at(rng::Stream{42}, law, values.size()), values);
        support::on_every_path({1, 3}, [&](const std::string& path) {
            EXPECT_EQ(rng::sample(law, values.size(), rng::Stream{42}), values) << path;
        });
    }
    const rng::categorical_icdf law(weights);
    const auto map = law.map();
    EXPECT_EQ(digest_of([&](uint32_t i) { return map.masses.mass(i); }),
              support::integer(answers().at("icdf_masses_digest")));
    const auto values = answers().at("categorical_icdf").get<std::vector<int>>();
    EXPECT_EQ(rng::sample(rng::Prepared(law), values.size(), rng::Stream{42}), values);  // by a table

    const rng::categorical_icdf fewer(weights.data(), 1u << 24);
    EXPECT_EQ(fewer.map().masses.sum, std::stod(answers().at("sum_of_2_to_24").get<std::string>()));

    const rng::detail::WeightMasses masses(rng::multinomial(1, weights).weights);
    EXPECT_EQ(digest_of([&](uint32_t i) { return masses[i]; }),
              support::integer(answers().at("multinomial_masses_digest")));
}

TEST(ManyWeights, RowsAreTheModels) {
    std::vector<float> weights(count());
    std::vector<int> expected(count()), x(count());
    for (const Json& outcome : answers().at("outcomes")) {
        const auto i = outcome.at("outcome").get<std::size_t>();
        weights[i] = outcome.at("weight").get<float>();
        expected[i] = outcome.at("count").get<int>();
    }
    const rng::multinomial law(answers().at("trials").get<int>(), weights);
    EXPECT_FALSE(law.fault());
    const auto row = answers().at("row").get<uint64_t>();
    rng::row_at(rng::Stream{42}, law, row, x.data());
    EXPECT_TRUE(x == expected);
    x.assign(count(), -1);
    rng::fill_rows(rng::matrix_view<int>::row_major(x.data(), 1, count()), law, rng::Stream{42}, row);
    EXPECT_TRUE(x == expected);
}

// Only the last category has a weight, so each cell is another's: no entry keeps a unit.
TEST(ManyWeights, TheLastCategory) {
    const auto last = static_cast<int>(count() - 1);
    const std::vector<uint64_t> entries(count(), count() - 1);
    const rng::categorical law(entries.data(), static_cast<uint32_t>(count()));
    EXPECT_EQ(rng::sample(law, 100, rng::Stream{1}), std::vector<int>(100, last));
    std::vector<float> weights(count());
    weights.back() = 1;
    EXPECT_EQ(rng::at(rng::Stream{1}, rng::categorical_icdf(weights), 0), last);
}

}  // namespace
