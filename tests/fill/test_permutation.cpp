// permutation: the model's values on every engine; fills, threads and lanes give what at() gives; shuffle moves
// elements as the permutation says; errors name value and limit.
#include <gtest/gtest.h>
#include <rng/rng.hpp>
#include <rng/shuffle.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "../support/known_answers.hpp"
#include "../support/paths.hpp"

namespace {

using rng::permutation;
using support::error_of;

template <class E> rng::KeyedPermutation<E> of_row(const support::Json& row) {
    return permutation{support::integer(row.at("n"))}.of(support::stream_of<E>(row), row.at("k").get<uint64_t>());
}

/// FNV-1a of values as little-endian bytes.
uint64_t fnv1a(const std::vector<uint32_t>& values) {
    uint64_t h = 0xcbf29ce484222325u;
    for (const uint32_t value : values)
        for (int shift = 0; shift < 32; shift += 8) h = (h ^ (value >> shift & 0xffu)) * 0x100000001b3u;
    return h;
}

TEST(Permutation, ValuesOfTheModel) {
    int rows = 0;
    for (const support::Json& row : support::known_answers().at("permutations"))
        rng::detail::for_each_in(rng::engines{}, [&]<class E>(rng::type_tag<E>) {
            if (!support::is_about<E>(row)) return;
            ++rows;
            const auto p = of_row<E>(row);
            for (std::size_t i = 0; i < row.at("indices").size(); ++i) {
                const uint64_t index = support::integer(row.at("indices").at(i));
                const uint64_t value = support::integer(row.at("values").at(i));
                EXPECT_EQ(p.at(index), value) << row << ' ' << index;
                EXPECT_EQ(p.inverse(value), index) << row << ' ' << value;
            }
            if (!row.contains("digest")) return;
            std::vector<uint32_t> all(p.size());
            rng::fill(all, p);
            EXPECT_EQ(fnv1a(all), std::stoull(row.at("digest").get<std::string>(), nullptr, 16)) << row;
        });
    EXPECT_EQ(rows, 141);
}

/// The sizes at which the method, the number of bits or the walks change.
const std::vector<uint64_t> sizes{1,    2,    3,    4,    7,    8,    9,    63,   255,  1000,  2047,
                                  2048, 2049, 3000, 4095, 4096, 4097, 8191, 8192, 8193, 65536, 65537};

TEST(Permutation, HasEachValueOnce) {
    for (const uint64_t n : sizes) {
        std::vector<uint64_t> x(n), all(n);
        std::iota(all.begin(), all.end(), uint64_t{0});
        rng::fill(x, permutation{n}, rng::Stream{n});
        std::sort(x.begin(), x.end());
        EXPECT_EQ(x, all) << n;
    }
}

/// The bit of the key by which 0 and 1 are exchanged.
uint32_t exchange_of(const rng::KeyedPermutation<>& p) { return p.keys().key[rng::detail::feistel_rounds] & 1; }

template <class T> void expect_fills_of(uint64_t n, const std::string& path) {
    for (const uint64_t k : {0u, 1u}) {
        const auto p = permutation{n}.of(rng::Stream<rng::Philox4x32_10>(5), k);
        if (n > 2048) {
            ASSERT_EQ(exchange_of(p), k) << "both bits should be tried";
        }
        for (const uint64_t first : {uint64_t{0}, uint64_t{1}, n / 3})
            for (const uint64_t count : {uint64_t{1}, n - first}) {
                std::vector<T> x(count), expected;
                for (uint64_t i = 0; i < count; ++i) expected.push_back(static_cast<T>(p.at(first + i)));
                rng::fill(x, p, first);
                EXPECT_EQ(support::first_difference(x.data(), expected.data(), x.size()), x.size())
                    << path << ' ' << n << ' ' << first << ' ' << count;
            }
    }
}

TEST(Permutation, FillsThreadsAndLanesGiveTheValuesOfAt) {
    support::on_every_path({1, 2, 3}, [&](const std::string& path) {
        for (const uint64_t n : {uint64_t{100}, uint64_t{2049}, uint64_t{4096}, uint64_t{20'011}}) {
            expect_fills_of<uint32_t>(n, path);
            expect_fills_of<int64_t>(n, path);
        }
        // A range far from the start, of numbers of more than 32 bits.
        const auto p = permutation{(uint64_t{1} << 61) + 1}.of(rng::Stream<rng::Threefry4x64_20>(5));
        const uint64_t first = (uint64_t{1} << 60) - 3;
        std::vector<uint64_t> x(3001);
        rng::fill(x, p, first);
        for (uint64_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], p.at(first + i)) << path;
        EXPECT_EQ(p.inverse(x[7]), first + 7);
    });
}

/// Registers reach past n here: numbers from n on may walk in a circle that has no number below n.
TEST(Permutation, FillsUpToTheLastValueEnd) {
    const permutation law{4090};
    for (uint64_t k = 0; k < 4000; ++k) {
        const auto p = law.of(rng::Stream{8}, k);
        std::vector<uint32_t> x(10);
        rng::fill(x, p, 4080);
        for (uint64_t i = 0; i < 10; ++i) ASSERT_EQ(x[i], p.at(4080 + i)) << k;
    }
}

TEST(Permutation, TakesIntegersOfAnyType) {
    const int32_t n = 3000;
    const int64_t wide = n;
    EXPECT_EQ(permutation{n}.n, permutation{wide}.n);
    EXPECT_EQ(permutation{n}.at(rng::Stream{1}, 7), permutation{3000u}.at(rng::Stream{1}, 7));
    EXPECT_EQ(permutation{}.n, 0u);
}

TEST(Permutation, OneOfAStreamDiffersFromTheNext) {
    const rng::Stream<> stream{42};
    const permutation law{1000};
    const auto all = [&](const auto& p) {
        std::vector<int> x(1000);
        rng::fill(x, p);
        return x;
    };
    const auto zero = all(law.of(stream));
    EXPECT_NE(zero, all(law.of(stream, 1)));
    EXPECT_NE(zero, all(law.of(stream.fork(1))));
    // Slots of four words: positions are rounded up.
    EXPECT_EQ(zero, all(law.of(stream.at_position(0))));
    EXPECT_EQ(all(law.of(stream, 1)), all(law.of(stream.at_position(1))));
    EXPECT_EQ(all(law.of(stream, 2)), all(law.of(stream.at_position(5))));
    EXPECT_EQ(law.at(stream, 9), static_cast<uint64_t>(zero[9]));
    EXPECT_EQ(law.inverse(stream, law.at(stream, 9)), 9u);
    // Two slots share a block of eight words.
    const rng::Stream<rng::Philox4x64_10> wide{42};
    EXPECT_NE(all(law.of(wide)), all(law.of(wide, 1)));
}

TEST(Permutation, AGeneratorMovesOnByOneSlot) {
    for (const uint64_t n : {uint64_t{10}, uint64_t{5000}})
        for (const rng::Engine engine : {rng::Engine::philox4x32_10, rng::Engine::threefry4x64_20}) {
            rng::Generator gen(rng::cpu(), 42, engine);
            gen.skip_words(3);
            std::vector<uint32_t> x(n), y(n), none;
            rng::fill(x, permutation{n}, gen);
            EXPECT_EQ(gen.position(), 8u);
            rng::fill(none, permutation{n}, gen);
            EXPECT_EQ(gen.position(), 8u);
            const auto expected = [&](const auto& stream) { rng::fill(y, permutation{n}, stream.at_position(4)); };
            if (engine == rng::Engine::philox4x32_10)
                expected(rng::Stream<>{42});
            else
                expected(rng::Stream<rng::Threefry4x64_20>{42});
            EXPECT_EQ(x, y);
        }
}

/// All orders of a few elements are equally likely: chi-square over n! orders of many keys.
TEST(Permutation, OrdersOfFewAreEquallyLikely) {
    for (const uint64_t n : {uint64_t{4}, uint64_t{5}}) {
        std::vector<int> order(n);
        std::iota(order.begin(), order.end(), 0);
        std::vector<std::vector<int>> orders;
        do orders.push_back(order);
        while (std::next_permutation(order.begin(), order.end()));
        const std::size_t keys = 400 * orders.size();
        std::vector<int> count(orders.size());
        for (uint64_t k = 0; k < keys; ++k) {
            rng::fill(order, permutation{n}.of(rng::Stream<>{11}, k));
            ++count[static_cast<std::size_t>(std::lower_bound(orders.begin(), orders.end(), order) - orders.begin())];
        }
        double statistic = 0;
        for (const int c : count) statistic += (c - 400.0) * (c - 400.0) / 400.0;
        // Six standard deviations of chi-square with n! - 1 degrees.
        const double degrees = static_cast<double>(orders.size()) - 1;
        EXPECT_LT(std::abs(statistic - degrees), 6 * std::sqrt(2 * degrees)) << n;
    }
}

TEST(Permutation, ErrorsNameValueAndLimit) {
    const rng::Stream<> stream{1};
    const auto message = [](auto&& call) { return error_of(rng::ErrorCode::invalid_argument, call); };
    EXPECT_EQ(message([&] { (void)permutation{10}.at(stream, 10); }),
              "permutation::at: i must be below n = 10, got 10");
    EXPECT_EQ(message([&] { (void)permutation{1u << 20}.inverse(stream, 1u << 20); }),
              "permutation::inverse: x must be below n = 1048576, got 1048576");
    EXPECT_EQ(message([&] { (void)permutation{0}.at(stream, 0); }), "permutation::at: i must be below n = 0, got 0");
    EXPECT_EQ(message([&] { (void)permutation{(uint64_t{1} << 62) + 1}.of(stream); }),
              "permutation: n must be at most 2^62, got 4611686018427387905");
    (void)error_of(rng::ErrorCode::end_of_stream,
                   [&] { (void)permutation{5}.of(stream, rng::Stream<>::size_words / 4); });

    std::vector<int> x(11, -1);
    EXPECT_EQ(message([&] { rng::fill(x, permutation{10}, stream); }),
              "fill: permutation: there are 10 values from 0 on, fewer than the 11 elements");
    EXPECT_EQ(message([&] { rng::fill(x, permutation{20}, stream, 10); }),
              "fill: permutation: there are 10 values from 10 on, fewer than the 11 elements");
    EXPECT_EQ(message([&] { rng::fill(x, permutation{(uint64_t{1} << 31) + 1}, stream); }),
              "fill: permutation: n must be at most 2^31 for these elements, got 2147483649");
    EXPECT_EQ(message([&] { rng::fill(x, permutation{(uint64_t{1} << 62) + 1}, stream); }),
              "fill: permutation: n must be at most 2^62, got 4611686018427387905");
    const auto end = stream.at_position(rng::Stream<>::size_words - 2);
    EXPECT_EQ(error_of(rng::ErrorCode::end_of_stream, [&] { rng::fill(x, permutation{20}, end); }),
              "fill: permutation: address past the end of the stream (a stream has 2^56 blocks)");
    EXPECT_EQ(error_of(rng::ErrorCode::end_of_stream, [&] { rng::shuffle(x, end); }),
              "shuffle: address past the end of the stream (a stream has 2^56 blocks)");
    rng::Generator gen{1};
    EXPECT_EQ(message([&] { rng::shuffle(std::span<int>(static_cast<int*>(nullptr), 5), gen); }),
              "shuffle: the data must not be null for 5 elements");
    EXPECT_THROW(rng::fill(x, permutation{10}, gen), rng::Error);
    EXPECT_EQ(gen.position(), 0u);
    EXPECT_EQ(x, std::vector<int>(11, -1));
    std::vector<int> none;
    rng::fill(none, permutation{0}, stream);
    rng::fill(none, permutation{7}, stream, 7);
}

TEST(Shuffle, PutsElementsWhereThePermutationSays) {
    for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{1000}, std::size_t{10'000}}) {
        std::vector<std::unique_ptr<std::size_t>> x;
        for (std::size_t i = 0; i < n; ++i) x.push_back(std::make_unique<std::size_t>(i));
        const auto stream = rng::Stream<rng::Philox4x64_10>(3);
        const auto p = permutation{n}.of(stream);
        rng::shuffle(x, stream);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(*x[i], p.at(i));
    }
    rng::Generator gen{7};
    std::string letters = "abcdefghijklmnop";
    rng::shuffle(letters, gen);
    EXPECT_EQ(gen.position(), 4u);
    std::string expected = "abcdefghijklmnop";
    rng::shuffle(expected, rng::Generator{7});
    EXPECT_EQ(letters, expected);
    EXPECT_NE(letters, "abcdefghijklmnop");
    std::vector<bool*> none;
    rng::shuffle(none, gen);
    EXPECT_EQ(gen.position(), 4u);
}

TEST(Shuffle, TakesWhatStdShuffleTakes) {
    const rng::Stream<> stream{9};
    const auto p = permutation{1000}.of(stream);
    std::deque<std::string> texts;
    std::vector<bool> bits;
    for (int i = 0; i < 1000; ++i) {
        texts.push_back(std::to_string(i));
        bits.push_back(i % 3 == 0);
    }
    rng::shuffle(texts, stream);
    rng::shuffle(bits, stream);
    for (std::size_t i = 0; i < 1000; ++i) {
        ASSERT_EQ(texts[i], std::to_string(p.at(i)));
        ASSERT_EQ(bits[i], p.at(i) % 3 == 0);
    }
    std::array<int, 3> same_type{1, 2, 3}, of_span = same_type;
    rng::shuffle(same_type, stream);
    rng::shuffle(std::span(of_span), stream);
    EXPECT_EQ(same_type, of_span);
}

}  // namespace
