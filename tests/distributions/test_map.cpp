// at_block and Cursor against at(), for every kind of distribution; and where they end.
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "../support/paths.hpp"
#include "../support/user_distributions.hpp"

namespace {

using rng::ErrorCode;
using support::error_of;

template <class E, class D> void expect_at(const D& dist, const std::string& name) {
    constexpr std::size_t n = rng::values_per_block<D, E>;
    constexpr uint64_t words = E::words_per_block;
    for (uint64_t position = 0; position <= words; ++position) {
        const rng::Stream<E> stream(42, 7, position);
        const auto where = [&](const char* what) {
            return name + ", " + E::name + ", " + what + " from word " + std::to_string(position);
        };
        auto expected = support::by_at(stream, dist, 25);
        for (const std::size_t first : {0u, 1u, 5u}) {
            rng::Cursor cursor(stream, dist, first);
            auto successive = expected;
            for (std::size_t i = first; i < 25; ++i) successive[i] = cursor.next();
            ASSERT_TRUE(support::same_bits(successive, expected)) << where("cursor") << " and value " << first;
        }
        const rng::Stream<E> aligned = stream.at_position((position + words - 1) / words * words);
        expected = support::by_at(aligned, dist, 4 * n);
        auto blocks = expected;
        for (const std::size_t j : {0u, 3u}) {
            const auto block = rng::at_block(stream, dist, j);
            std::copy(block.v, block.v + n, blocks.data() + j * n);
        }
        ASSERT_TRUE(support::same_bits(blocks, expected)) << where("blocks");
    }
}

TEST(Map, BlocksAndCursorsGiveAt) {
    support::for_each_case_of_kinds(
        2, [](const auto& dist, const std::string& name) { expect_at<rng::Philox4x32_10>(dist, name); });
    support::for_each_kind(
        [](const auto& dist, const std::string& name) { expect_at<rng::Philox4x64_10>(dist, name); });
    support::for_each_own_distribution(
        [](const auto& dist, const std::string& name) { expect_at<rng::Philox4x32_10>(dist, name); });
}

TEST(Map, EndsWithTheStream) {
    using Stream = rng::Stream<>;
    const Stream last = Stream(42).at_position(Stream::size_words - 2);
    rng::Cursor cursor(last, rng::normal<float>{});
    EXPECT_EQ(cursor.next(), rng::at(last, rng::normal<float>{}, 0));
    EXPECT_EQ(cursor.next(), rng::at(last, rng::normal<float>{}, 1));
    const auto message = "Cursor: address past the end of the stream (a stream has 2^56 blocks)";
    EXPECT_EQ(error_of(ErrorCode::end_of_stream, [&] { (void)cursor.next(); }), message);
    EXPECT_EQ(error_of(ErrorCode::end_of_stream, [&] { (void)cursor.next(); }), message);
    EXPECT_EQ(error_of(ErrorCode::end_of_stream, [&] { (void)rng::Cursor(last, rng::normal<float>{}, 3); }),
              "Cursor: index 3 leads past the end of the stream (a stream has 2^56 blocks)");
    EXPECT_EQ(
        error_of(ErrorCode::end_of_stream, [&] { (void)rng::Cursor(Stream(1), rng::normal<double>{}, ~uint64_t{0}); }),
        "Cursor: index 18446744073709551615 (which is -1 modulo 2^64) leads past the end of the stream (a stream has "
        "2^56 blocks)");
    const uint64_t blocks = Stream::size_words / 4;
    EXPECT_EQ(rng::at_block(Stream(42), rng::bits<uint32_t>{}, blocks - 1)[3],
              rng::at(Stream(42), rng::bits<uint32_t>{}, Stream::size_words - 1));
    for (const uint64_t j : {blocks, ~uint64_t{0}})
        error_of(ErrorCode::end_of_stream, [&] { (void)rng::at_block(Stream(42), rng::bits<uint32_t>{}, j); });
    error_of(ErrorCode::end_of_stream, [&] { (void)rng::at_block(last, rng::bits<uint32_t>{}, 0); });
}

}  // namespace
