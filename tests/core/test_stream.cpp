// Streams: words, domains, children and the end, against the Python model of the contract.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>

#include <random>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <version>

#include "../support/known_answers.hpp"
#include "../support/paths.hpp"

namespace {

using rng::ErrorCode;
using rng::Stream;
using rng::word;
using support::error_of;
using support::integer;
using support::Json;
using support::known_answers;
using Philox = rng::Philox4x32_10;

// ---- a value type, usable when compiling

static_assert(std::is_trivially_copyable_v<Stream<>>);
static_assert(std::is_standard_layout_v<Stream<>>);
static_assert(word(Stream<>{0}, 0) == 0x6627e8d5u);
static_assert(word(Stream<>{42}, 3) == 0x5742b3d7u);
static_assert(word(Stream<>{42}, 4) == 0xfcdb2127u);
static_assert(Stream<>{42}.fork(7) == Stream<>{{{0x6290610du, 0x2af151d8u}}, 0xed8f8e7ef66f9cc0u, 0});
static_assert(Stream<>{42}.fork("worker") == Stream<>{{{0xe264099bu, 0x5e478fd2u}}, 0x83b76361fb78512cu, 0});
static_assert(rng::detail::name_tag("a") == 0x89d43bafc0ceafu);
static_assert(Stream<>::size_words == uint64_t{1} << 58);

TEST(Stream, IsAValue) {
    const Stream<> a{42, 5, 8};
    Stream<> b = a;
    EXPECT_EQ(a, b);
    b.position = 9;
    EXPECT_FALSE(a == b);
    EXPECT_FALSE((a == Stream<>{42, 6, 8}));
    EXPECT_FALSE((a == Stream<>{43, 5, 8}));
    EXPECT_EQ(a.at_position(9), b);
    EXPECT_EQ(Stream<>{}, Stream<>{20111115});
    EXPECT_EQ(word(a, 0), word(b, 0)) << "word() counts from the stream's first word";
}

// ---- the reference model's words and children

TEST(Stream, Words) {
    rng::for_each_engine([](auto tag) {
        using E = typename decltype(tag)::type;
        int rows = 0;
        for (const Json& row : known_answers().at("streams")) {
            if (!support::is_about<E>(row)) continue;
            const auto s = support::stream_of<E>(row);
            for (uint64_t k = 0; k < row.at("words").size(); ++k)
                EXPECT_EQ(word(s, s.position + k, row.at("domain").get<unsigned>()), integer(row.at("words").at(k)))
                    << row;
            ++rows;
        }
        EXPECT_EQ(rows, 16) << E::name;
    });
}

TEST(Stream, NameTags) {
    EXPECT_EQ(known_answers().at("names").size(), 6u);
    for (const Json& row : known_answers().at("names"))
        EXPECT_EQ(rng::detail::name_tag(row.at("name").get<std::string>()), integer(row.at("tag"))) << row;
    // A terminating zero, and zeros at the end in general, are part of a name.
    EXPECT_NE(rng::detail::name_tag("a"), rng::detail::name_tag(std::string_view("a\0", 2)));
}

TEST(Stream, Children) {
    rng::for_each_engine([](auto tag) {
        using E = typename decltype(tag)::type;
        int rows = 0;
        for (const Json& row : known_answers().at("forks")) {
            if (!support::is_about<E>(row)) continue;
            const auto s = support::stream_of<E>(row);
            if (row.contains("then_name"))
                support::expect_child(row, s.fork(integer(row.at("tag"))).fork(row.at("then_name").get<std::string>()));
            else if (row.contains("tag"))
                support::expect_child(row, s.fork(integer(row.at("tag"))));
            else if (row.contains("name"))
                support::expect_child(row, s.fork(row.at("name").get<std::string>()));
            else
                support::expect_child(row, s.child(integer(row.at("count")), rng::domain::counted));
            ++rows;
        }
        EXPECT_EQ(rows, 28) << E::name;
    });
}

TEST(Stream, PrivateStreams) {
    rng::for_each_engine([](auto tag) {
        using E = typename decltype(tag)::type;
        int rows = 0;
        for (const Json& row : known_answers().at("private_streams")) {
            if (!support::is_about<E>(row)) continue;
            const uint64_t slot = integer(row.at("slot_position")), n = E::words_per_block;
            const unsigned domain = rng::domain::private_streams + static_cast<unsigned>(slot % n);
            const auto child = support::stream_of<E>(row).child(slot / n, domain);
            support::expect_child(row, child);
            for (uint64_t k = 0; k < row.at("words").size(); ++k)
                EXPECT_EQ(word(child, k), integer(row.at("words").at(k))) << row;
            ++rows;
        }
        EXPECT_EQ(rows, E::words_per_block + 1) << E::name;
    });
}

// ---- forks

TEST(Stream, ForksDoNotDependOnThePosition) {
    const Stream<> s{42, 5};
    EXPECT_EQ(s.fork(7), s.at_position(123456789).fork(7));
    EXPECT_EQ(s.fork("worker"), s.at_position(123456789).fork("worker"));
}

TEST(Stream, ChildrenDiffer) {
    const Stream<> s{42};
    std::set<std::pair<uint64_t, uint64_t>> seen;
    const auto add = [&](const Stream<>& c) { seen.insert({c.key[0] | uint64_t{c.key[1]} << 32, c.id}); };
    for (uint64_t tag = 0; tag < 1000; ++tag) {
        add(s.fork(tag));
        add(s.fork(std::to_string(tag)));
        add(s.child(tag, rng::domain::counted));
    }
    add(s);
    EXPECT_EQ(seen.size(), 3001u);
}

TEST(Stream, TagRange) {
    constexpr uint64_t limit = uint64_t{1} << 56;
    EXPECT_NO_THROW((void)Stream<>{}.fork(limit - 1));
    EXPECT_EQ(error_of(ErrorCode::invalid_argument, [] { (void)Stream<>{}.fork(limit); }),
              "Stream::fork: tag must be below 2^56, got 72057594037927936");
    EXPECT_NE(error_of(ErrorCode::invalid_argument, [] { (void)Stream<>{}.fork(~uint64_t{0}); })
                  .find("got 18446744073709551615"),
              std::string::npos);
}

// ---- the end, and the carry into the counter's second word

TEST(Stream, EndOfWords) {
    const Stream<> s{42};
    constexpr uint64_t end = Stream<>::size_words;
    const auto last = Philox::block(Philox::counter((uint64_t{1} << 56) - 1, 0, 0), s.key);
    EXPECT_EQ(word(s, end - 1), last[3]);
    EXPECT_NE(error_of(ErrorCode::end_of_stream, [&] { (void)word(s, end); }).find("word: "), std::string::npos);
    EXPECT_NE(error_of(ErrorCode::end_of_stream, [&] { (void)word(s, ~uint64_t{0}); }).find("2^56 blocks"),
              std::string::npos);
}

TEST(Stream, EndOfAtAndFill) {
    support::for_each_kind([](auto dist, const std::string& name) {
        using D = decltype(dist);
        constexpr uint64_t end = Stream<>::size_words, slot = D::slot_words;
        const Stream<> s{42, 3, end - 5 * slot};
        EXPECT_NO_THROW((void)rng::at(s, dist, 4)) << name;
        error_of(ErrorCode::end_of_stream, [&] { (void)rng::at(s, dist, 5); });
        // Sums that would overflow 64 bits and seem to lie inside.
        error_of(ErrorCode::end_of_stream, [&] { (void)rng::at(s, dist, ~uint64_t{0}); });
        error_of(ErrorCode::end_of_stream, [&] { (void)rng::at(s, dist, (uint64_t{1} << 63) / slot); });
        error_of(ErrorCode::end_of_stream, [&] { (void)rng::at(s.at_position(~uint64_t{0}), dist, 0); });
        error_of(ErrorCode::end_of_stream, [&] { (void)rng::at(s.at_position(end), dist, 0); });

        std::vector<rng::result_t<D>> five(5), six(6);
        const auto untouched = six;
        support::on_every_isa([&](const std::string& path) {
            rng::fill(std::span(five), dist, s);
            EXPECT_TRUE(support::same_bits(five, support::by_at(s, dist, 5))) << name << ", " << path;
            const std::string text = error_of(ErrorCode::end_of_stream, [&] { rng::fill(std::span(six), dist, s); });
            EXPECT_NE(text.find("fill: "), std::string::npos) << text;
            EXPECT_TRUE(support::same_bits(six, untouched)) << name << ", " << path;
        });
    });
}

// The last word of the stream lies in an unfinished slot of an odd position: rounding up leaves nothing.
TEST(Stream, EndAfterRoundingUp) {
    const Stream<> s{42, 0, Stream<>::size_words - 1};
    EXPECT_NO_THROW((void)rng::at(s, rng::bits<uint32_t>{}, 0));
    error_of(ErrorCode::end_of_stream, [&] { (void)rng::at(s, rng::bits<uint64_t>{}, 0); });
}

TEST(Stream, WordsAcrossBlock32) {
    const Stream<> s{42, 1};
    for (uint64_t b = (uint64_t{1} << 32) - 2; b < (uint64_t{1} << 32) + 2; ++b) {
        const auto expected =
            rng::philox<4, uint32_t, 10>({{static_cast<uint32_t>(b), static_cast<uint32_t>(b >> 32), 1, 0}}, {{42, 0}});
        for (int lane = 0; lane < 4; ++lane) EXPECT_EQ(word(s, 4 * b + static_cast<uint64_t>(lane)), expected[lane]);
    }
}

// ---- the C++ standard's engine

TEST(Stream, IsTheStandardsPhilox) {
#if defined(__cpp_lib_philox_engine)
    std::philox4x32 standard;
    for (uint64_t w = 0; w < 100'000; ++w) ASSERT_EQ(word(Stream<>{}, w), standard());
#else
    EXPECT_EQ(word(Stream<>{}, 9999), 1955073260u) << "the 10000th value that C++26 states";
#endif
}

}  // namespace
