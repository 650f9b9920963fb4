// Reader, and std_distribution with this library's engines: values made by fills, given out one by one.
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "../support/paths.hpp"
#include "../support/user_distributions.hpp"

namespace {

/// Two values with the same bits, of any type.
template <class T> bool same(const T& a, const T& b) {
    return support::same_bits(std::vector<T>{a}, std::vector<T>{b});
}

using rng::ErrorCode;
using rng::Stream;
using support::error_of;

// ---- Reader

/// A Reader's first n values, and its position after each, are those of at().
template <class D, class E> void expect_at(const Stream<E>& stream, const D& dist, uint64_t first, int n) {
    constexpr uint64_t slot = D::slot_words;
    rng::Reader reader(stream, dist, first);
    const uint64_t begin = (stream.position + slot - 1) / slot * slot + first * slot;
    std::vector<rng::result_t<D>> values, expected;
    for (int i = 0; i < n; ++i) {
        ASSERT_EQ(reader.position(), begin + slot * static_cast<uint64_t>(i));
        values.push_back(i % 2 == 0 ? reader() : reader.next());
        expected.push_back(rng::at(stream, dist, first + static_cast<uint64_t>(i)));
    }
    EXPECT_TRUE(support::same_bits(values, expected)) << dist.name << " of " << E::name << " from " << first;
    const auto next = rng::at(reader.stream(), dist, 0);
    EXPECT_TRUE(same(reader(), next));
}

TEST(Reader, GivesAt) {
    const int n = support::sanitized ? 100 : 700;  // several runs
    support::for_each_case_of_kinds(2, [&](const auto& dist, const std::string&) {
        expect_at(Stream<>{42, 7, 0}, dist, 0, n);
        expect_at(Stream<>{42, 7, 5}, dist, 3, n);
    });
    support::for_each_kind([&](const auto& dist, const std::string&) {
        expect_at(Stream<rng::Philox4x64_10>{42, 7, 9}, dist, 1, n);
        expect_at(Stream<rng::Threefry4x64_20>{42, 7, 3}, dist, 2, n);
    });
}

TEST(Reader, ADistributionOfOnesOwn) {
    support::for_each_own_distribution([](const auto& dist, const std::string& name) {
        const Stream<> stream{3, 1, 2};
        rng::Reader reader(stream, dist);
        for (uint64_t i = 0; i < 300; ++i) ASSERT_TRUE(same(reader(), rng::at(stream, dist, i))) << name << " " << i;
    });
}

TEST(Reader, ACopyRepeatsTheNumbers) {
    rng::Reader reader(Stream<>{42}, rng::normal{0.0, 1.0});
    for (int i = 0; i < 5; ++i) (void)reader();
    rng::Reader copy = reader;
    for (int i = 0; i < 300; ++i) ASSERT_EQ(copy(), reader());
}

TEST(Reader, ReadsToTheEndOfTheStream) {
    const uint64_t size = Stream<>::size_words;
    const Stream<> near_end{42, 7, size - 10};  // five slots of a double
    const rng::uniform<double> dist;
    rng::Reader reader(near_end, dist);
    for (uint64_t i = 0; i < 5; ++i) ASSERT_EQ(reader(), rng::at(near_end, dist, i));
    EXPECT_EQ(reader.position(), size);
    for (int i = 0; i < 2; ++i)
        EXPECT_EQ(error_of(ErrorCode::end_of_stream, [&] { (void)reader(); }),
                  "Reader: address past the end of the stream (a stream has 2^56 blocks)");
    EXPECT_EQ(error_of(ErrorCode::end_of_stream, [&] { rng::Reader(near_end, dist, 6); }),
              "Reader: index 6 leads past the end of the stream (a stream has 2^56 blocks)");
}

TEST(Reader, RefusesParametersOutOfRange) {
    EXPECT_NE(error_of(ErrorCode::invalid_argument,
                       [] {
                           rng::Reader(Stream<>{42}, rng::normal{0.0, -1.0});
                       })
                  .find("Reader: normal: stddev"),
              std::string::npos);
}

// ---- std_distribution with this library's engines

/// One draw: the value and the engine are those of dist(engine).
template <class D, class G>
void expect_draw(rng::std_distribution<D>& kept, const D& dist, G& engine, const std::string& where) {
    G other = engine;
    const auto expected = rng::draw(dist, other);
    ASSERT_TRUE(same(kept(engine), expected)) << where;
    ASSERT_TRUE(engine == other) << where;
}

template <class G> void expect_draws_of_every_kind(int n) {
    support::for_each_kind([n](const auto& dist, const std::string& name) {
        for (const uint64_t first : {0u, 1u, 3u, 1021u}) {
            rng::std_distribution kept(dist);
            G engine(Stream<typename G::engine>(42, 7, first));
            for (int i = 0; i < n; ++i) expect_draw(kept, dist, engine, name + " " + std::to_string(i));
        }
    });
}
TEST(StdDistribution, GivesDrawsOfOurEngines) {
    const int n = support::sanitized ? 50 : 400;
    expect_draws_of_every_kind<rng::philox4x32>(n);
    expect_draws_of_every_kind<rng::philox4x64>(n);
    expect_draws_of_every_kind<rng::threefry4x32>(n);
    expect_draws_of_every_kind<rng::block_engine<rng::Threefry4x64_20>>(n);
}

// Whatever somebody else does to the engine between two draws, the next value is that of dist(engine).
TEST(StdDistribution, NoticesAMovedEngine) {
    const rng::normal dist{1.0, 2.0};
    rng::std_distribution kept(dist);
    rng::philox4x32 engine(1), another(2);
    rng::threefry4x32 of_another_type(1);
    std::minstd_rand choice(3);
    for (int i = 0; i < 3000; ++i) {
        switch (choice() % 16) {
            case 0: (void)engine(); break;
            case 1: engine.discard(choice() % 700); break;
            case 2: engine.seed(static_cast<unsigned>(choice() % 5)); break;
            case 3: std::swap(engine, another); break;
            case 4: engine = another; break;
            case 5: (void)rng::uniform<double>{}(engine); break;
            case 6: expect_draw(kept, dist, another, "another"); break;
            case 7: expect_draw(kept, dist, of_another_type, "of another type"); break;
            case 8: engine = rng::philox4x32(Stream<>{1, choice() % 3, engine() % 100}); break;
            default: break;
        }
        expect_draw(kept, dist, engine, std::to_string(i));
    }
}

TEST(StdDistribution, OtherParametersMakeAnotherRun) {
    const rng::normal narrow{0.0, 1.0}, wide{0.0, 100.0};
    rng::std_distribution kept(narrow);
    rng::philox4x32 engine(1);
    for (int i = 0; i < 20; ++i) expect_draw(kept, narrow, engine, "narrow");
    kept.param(wide);
    for (int i = 0; i < 20; ++i) expect_draw(kept, wide, engine, "wide");
    rng::philox4x32 other = engine;
    EXPECT_EQ(kept(engine, narrow), narrow(other));
    expect_draw(kept, wide, engine, "wide again");
    kept.reset();
    expect_draw(kept, wide, engine, "after reset");
}

// Outside domain 0 an engine has no stream, and a fill no values: each value is drawn by itself.
TEST(StdDistribution, WorksWhereThereIsNoStream) {
    rng::philox4x32 engine(1);
    engine.set_counter({0, 0, 0x80000000u, 5});
    rng::std_distribution<rng::uniform<double>> kept;
    const rng::uniform<double> law = kept.param();
    for (int i = 0; i < 40; ++i) expect_draw(kept, law, engine, "outside");
    rng::philox4x32 at_end(Stream<>{42, 7, Stream<>::size_words - 6});
    for (int i = 0; i < 5; ++i) expect_draw(kept, law, at_end, "across the end");
}

}  // namespace
