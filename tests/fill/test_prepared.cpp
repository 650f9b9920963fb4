// Prepared, PreparedMap: the values of the distribution, by a map and a table that are made once.
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "../support/paths.hpp"

namespace {

using rng::ErrorCode;
using rng::Prepared;
using rng::PreparedMap;
using rng::Stream;
using support::error_of;

const std::vector<double> boundaries{-1, 0, 0.5, 4}, heights{1, 0, 3};

/// Calls f(distribution, name) for laws with tables, without, and without any that is worth its while.
template <class F> void for_each_law(const F& f) {
    support::for_each_kind(f);
    f(rng::poisson{3.5}, "poisson{3.5}");
    f(rng::poisson<int64_t>{1e12}, "poisson{1e12}");
    f(rng::binomial<long long>{100, 0.75}, "binomial<long long>{100, 0.75}");
    f(rng::uniform_int<long long>{-5, 1000}, "uniform_int<long long>{-5, 1000}");
    f(rng::piecewise_constant<double>{boundaries, heights}, "piecewise_constant");
}

/// The n values from value `first` on, by calls of at().
template <class D, class E> auto values_by_at(const Stream<E>& stream, const D& dist, uint64_t first, uint64_t n) {
    std::vector<rng::result_t<D>> values;
    for (uint64_t i = first; i < first + n; ++i) values.push_back(rng::at(stream, dist, i));
    return values;
}

TEST(Prepared, HasTheValuesOfItsDistribution) {
    const Stream<> stream{42, 7, 5};
    for_each_law([&](const auto& dist, const std::string& name) {
        using D = std::decay_t<decltype(dist)>;
        using T = rng::result_t<D>;
        const Prepared law(dist);
        static_assert(std::is_same_v<decltype(law), const Prepared<D>>);
        for (const std::size_t n : {std::size_t{3}, std::size_t{1000}}) {
            std::vector<T> expected(n), made(n);
            rng::fill(expected, dist, stream, 2);
            rng::fill(made, law, stream, 2);
            EXPECT_TRUE(support::same_bits(made, expected)) << name << ": fill of " << n;
            EXPECT_TRUE(support::same_bits(values_by_at(stream, law, 2, n), expected)) << name << ": at";
            EXPECT_TRUE(support::same_bits(values_by_at(stream, PreparedMap(dist), 2, n), expected)) << name;
            EXPECT_TRUE(support::same_bits(values_by_at(stream, law.on_device(), 2, n), expected)) << name;
            rng::Cursor cursor(stream, law, 2);
            rng::Reader reader(stream, law, 2);
            std::vector<T> by_cursor, by_reader;
            for (std::size_t i = 0; i < n; ++i) {
                by_cursor.push_back(cursor.next());
                by_reader.push_back(reader());
            }
            EXPECT_TRUE(support::same_bits(by_cursor, expected)) << name << ": Cursor";
            EXPECT_TRUE(support::same_bits(by_reader, expected)) << name << ": Reader";
        }
    });
}

TEST(Prepared, DrawsFromGeneratorsAndEngines) {
    for_each_law([](const auto& dist, const std::string& name) {
        const Prepared law(dist);
        const Prepared copy = law;
        rng::Generator gen{3}, same{3};
        EXPECT_TRUE(support::same_bits(rng::sample(law, 100, gen), rng::sample(dist, 100, same))) << name;
        EXPECT_EQ(gen.stream(), same.stream()) << name;
        rng::philox4x32 engine(9), its(9);
        std::mt19937 theirs(5), their_copy(5);
        using T = rng::result_t<std::decay_t<decltype(dist)>>;
        std::vector<T> made, expected;
        for (int i = 0; i < 100; ++i) {
            made.push_back(copy(engine));
            expected.push_back(rng::draw(dist, its));
            made.push_back(copy(theirs));
            expected.push_back(rng::draw(dist, their_copy));
        }
        EXPECT_TRUE(support::same_bits(made, expected)) << name;
    });
}

TEST(Prepared, RefusesWhatItsDistributionRefuses) {
    EXPECT_EQ(error_of(ErrorCode::invalid_argument, [] { (void)Prepared(rng::poisson{-1.0}); }),
              "Prepared: poisson: mean must be in [0, 2^30], got -1");
    EXPECT_EQ(rng::poisson{3.5}.mean, Prepared(rng::poisson{3.5}).distribution().mean);
}

/// Counts how often a table is built.
struct Counted {
    using result_type = uint32_t;
    static constexpr int slot_words = 1;
    static constexpr rng::Shape map_shape = rng::Shape::value;
    struct Map {
        const uint64_t* table;
        struct Result {
            uint32_t v;
        };
        Result operator()(rng::lane::u32<rng::lane::Scalar> w) const {
            return {table != nullptr ? static_cast<uint32_t>(table[w.v >> 31]) : w.v >> 31};
        }
    };
    static int built;
    [[nodiscard]] Map map() const { return {nullptr}; }
    [[nodiscard]] Map map(const uint64_t* table) const { return {table}; }
    [[nodiscard]] std::size_t table_words() const { return 2; }
    void build_table(uint64_t* table) const {
        ++built;
        table[0] = 0;
        table[1] = 1;
    }
};
int Counted::built = 0;
/// The same, for which a table is not worth its while below 64 values.
struct CountedFrom64 : Counted {
    static constexpr int least_tabulated = 64;
};

/// How many tables f() builds.
template <class F> int tables_of(const F& f) {
    const int before = Counted::built;
    f();
    return Counted::built - before;
}

TEST(Prepared, BuildsOneTable) {
    const Stream<> stream{1};
    std::vector<uint32_t> x(100);
    EXPECT_EQ(tables_of([&] {
                  const Prepared law(Counted{});
                  const auto copy = law;
                  for (int i = 0; i < 10; ++i) rng::fill(x, copy, stream);
                  (void)rng::at(stream, law, 3);
              }),
              1);
    EXPECT_EQ(tables_of([&] { rng::fill(x, Counted{}, stream), rng::fill(x, Counted{}, stream); }), 2);
    EXPECT_EQ(tables_of([&] { (void)rng::at(stream, Counted{}, 3); }), 0);
}

TEST(Prepared, ReadersKeepOne) {
    const auto read = [](auto dist, int n) {
        return tables_of([&] {
            rng::Reader reader(Stream<>{1}, dist);
            for (int i = 0; i < n; ++i) (void)reader();
        });
    };
    EXPECT_EQ(read(Counted{}, 5000), 1);
    EXPECT_EQ(read(CountedFrom64{}, 5000), 1);
    EXPECT_EQ(read(CountedFrom64{}, 10), 0);
}

TEST(Prepared, StdDistributionsKeepOne) {
    const auto draw = [](auto dist, auto engine, int n) {
        return tables_of([&] {
            rng::std_distribution law(dist);
            for (int i = 0; i < n; ++i) (void)law(engine);
            const auto copy = law;
            law.reset();
            for (int i = 0; i < n; ++i) (void)law(engine);
        });
    };
    EXPECT_EQ(draw(Counted{}, rng::philox4x32(1), 1000), 1);
    EXPECT_EQ(draw(Counted{}, std::mt19937(1), 1000), 1);
    EXPECT_EQ(draw(CountedFrom64{}, std::mt19937(1), 1000), 1);
    EXPECT_EQ(draw(CountedFrom64{}, std::mt19937(1), 31), 0);
}

TEST(Prepared, StdDistributionsForgetItWithTheirParameters) {
    std::mt19937 engine(1), same(1);
    rng::philox4x32 ours(1), ours_too(1);
    rng::std_distribution law(rng::poisson{3.5});
    for (int i = 0; i < 200; ++i) (void)law(engine), (void)law(ours);
    law.param(rng::poisson{90.0});
    rng::std_distribution other(rng::poisson{90.0});
    same = engine;
    ours_too = ours;
    for (int i = 0; i < 200; ++i) {
        ASSERT_EQ(law(engine), other(same));
        ASSERT_EQ(law(ours), other(ours_too));
    }
}

}  // namespace
