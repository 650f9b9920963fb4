// Fills are at(), value for value: every distribution, instruction set, number of threads, place, length and alignment.
#include <gtest/gtest.h>
#include <rng/any_distribution.hpp>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../support/paths.hpp"
#include "../support/user_distributions.hpp"

namespace {

using rng::ErrorCode;
using rng::Generator;
using rng::Stream;
using support::by_at;
using support::error_of;
using support::same_bits;

constexpr auto plain_fill = [](auto out, const auto& dist, const Stream<>& s) { rng::fill(out, dist, s); };

template <class D, class F = decltype(plain_fill)>
void expect_fill_is_at(const Stream<>& s, const D& dist, std::size_t n, const std::vector<int>& threads,
                       const std::string& name, const F& fill = plain_fill) {
    const auto expected = by_at(s, dist, n);
    support::on_every_path(threads, [&](const std::string& path) {
        std::vector<rng::result_t<D>> got(n);
        fill(std::span(got), dist, s);
        const std::size_t i = support::first_difference(got.data(), expected.data(), n);
        EXPECT_EQ(i, n) << name << " at position " << s.position << ", " << path << ": value " << i << " differs";
    });
}

// Long enough that seven threads get a part each, with an odd length at an odd position.
TEST(Fill, LongFillsOnEveryPath) {
    support::for_each_case(1, [](auto dist, const std::string& name) {
        const rng::AnyDistribution any(dist);  // which compiles for all of them in no time
        const auto fill = [&](auto out, const auto&, const Stream<>& s) { any.fill(out, s); };
        if (support::sanitized)
            expect_fill_is_at(Stream<>{42, 7, 3}, dist, 70'001, {2}, name, fill);
        else
            expect_fill_is_at(Stream<>{42, 7, 3}, dist, 300'007, {1, 7}, name, fill);
    });
    if (support::sanitized) return;
    support::for_each_kind([](auto dist, const std::string& name) {
        expect_fill_is_at(Stream<>{42, 7, 3}, dist, 300'007, {2, 3}, name);
    });
}

// All lengths and places around one and two vectors of every width, at addresses aligned for an element alone.
TEST(Fill, ShortUnalignedFillsOnEveryIsa) {
    support::for_each_case_of_kinds(1, [](auto dist, const std::string& name) {
        using T = rng::result_t<decltype(dist)>;
        for (const uint64_t position : {0, 1, 2, 3, 5, 7}) {
            const Stream<> s{42, 0, position};
            const auto expected = by_at(s, dist, 150);
            support::on_every_isa([&](const std::string& path) {
                for (std::size_t n = 0; n <= expected.size(); ++n) {
                    support::Guarded<T> memory(n, 1 + n % 17);
                    rng::fill(memory.span(), dist, s);
                    ASSERT_EQ(support::first_difference<T>(memory.data(), expected.data(), n), n)
                        << name << " from " << position << ", " << path;
                    ASSERT_TRUE(memory.guards_intact()) << name << " n = " << n << ", " << path;
                }
            });
        }
    });
}

// The pieces' boundaries between threads, and the tile's, at addresses off by one element.
TEST(Fill, LongUnalignedFillsKeepTheirGuards) {
    support::for_each_kind([](auto dist, const std::string& name) {
        using T = rng::result_t<decltype(dist)>;
        const Stream<> s{42, 0, 1};
        const auto expected = by_at(s, dist, support::sanitized ? 70'001 : 150'001);
        support::on_every_path({1, 3}, [&](const std::string& path) {
            support::Guarded<T> memory(expected.size(), 1);
            rng::fill(memory.span(), dist, s);
            EXPECT_EQ(support::first_difference<T>(memory.data(), expected.data(), expected.size()), expected.size())
                << name << ", " << path;
            EXPECT_TRUE(memory.guards_intact()) << name << ", " << path;
        });
    });
}

TEST(Fill, ConcatenatesAtRandomSplits) {
    std::mt19937 cuts(1);
    support::for_each_kind([&](auto dist, const std::string& name) {
        constexpr std::size_t n = 20'000;
        Generator whole_generator(42);
        whole_generator.skip_words(1);
        const auto whole = rng::sample(dist, n, whole_generator);
        support::on_every_isa([&](const std::string& path) {
            for (const uint32_t longest : {7u, 40u, 5000u}) {
                std::vector<rng::result_t<decltype(dist)>> pieces(n);
                Generator generator(42);
                generator.skip_words(1);
                for (std::size_t first = 0; first < n;) {
                    const std::size_t now = std::min<std::size_t>(n - first, cuts() % (longest + 1));
                    rng::fill(std::span(pieces).subspan(first, now), dist, generator);
                    first += now;
                }
                EXPECT_TRUE(same_bits(pieces, whole)) << name << ", " << path << ", pieces up to " << longest;
                EXPECT_EQ(generator.position(), whole_generator.position()) << name;
            }
        });
    });
}

// The block's index carries into the counter's second word inside a vector, and between the tiles of threads.
TEST(Fill, CrossesBlock32) {
    support::for_each_kind([](auto dist, const std::string& name) {
        constexpr uint64_t carry = uint64_t{1} << 34;  // in words
        for (uint64_t before = 0; before < 140; before += 9)
            expect_fill_is_at(Stream<>{42, ~uint64_t{0}, carry - before}, dist, 150, {1}, name);
        if (!support::sanitized) expect_fill_is_at(Stream<>{42, 1, carry - 100'001}, dist, 200'003, {1, 7}, name);
    });
}

TEST(Fill, ReachesTheEndOfTheStream) {
    support::for_each_kind([](auto dist, const std::string& name) {
        constexpr std::size_t n = 1001;
        const Stream<> s{42, 1, Stream<>::size_words - n * decltype(dist)::slot_words};
        expect_fill_is_at(s, dist, n, {1, 3}, name);
    });
}

// ---- one generator, many types

// Positions advance by slots, each rounded up to its own slot first; every value is at() of its place.
TEST(Fill, MixedTypesAdvanceByTheContract) {
    Generator generator(42);
    uint64_t position = 0;
    std::mt19937 choice(2);
    const auto draw = [&](auto dist) {
        using D = decltype(dist);
        constexpr uint64_t slot = D::slot_words;
        const std::size_t n = 1 + choice() % 5;
        const uint64_t start = (position + slot - 1) / slot * slot;
        const auto got = rng::sample(dist, n, generator);
        ASSERT_TRUE(same_bits(got, by_at(Stream<>{42, 0, start}, dist, n))) << D::name << " at " << position;
        position = start + n * slot;
        ASSERT_EQ(generator.position(), position) << D::name;
    };
    for (int round = 0; round < 500; ++round) {
        const auto wanted = choice() % std::tuple_size_v<decltype(support::kinds)>;
        std::size_t index = 0;
        support::for_each_kind([&](const auto& dist, const std::string&) {
            if (index++ == wanted) draw(dist);
        });
    }
}

// ---- matrices

struct Layout {
    const char* name;
    std::ptrdiff_t origin, row_stride, col_stride;
};

template <class T>
rng::matrix_view<T> view_of(support::Guarded<T>& memory, const Layout& layout, std::size_t rows, std::size_t cols) {
    return {memory.data() + layout.origin, rows, cols, layout.row_stride, layout.col_stride};
}

// Elements that do not belong to the matrix keep their bytes.
template <class D>
void expect_matrix_is_fill(const D& dist, std::size_t rows, std::size_t cols, const Layout& layout,
                           const std::vector<int>& threads, const std::string& name) {
    using T = rng::result_t<D>;
    const Stream<> s{42, 0, 3};
    const auto expected = by_at(s, dist, rows * cols);
    const std::size_t room = 2 * (rows + 2) * (cols + 3);
    support::Guarded<T> want(room, 1);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c)
            want.data()[layout.origin + static_cast<std::ptrdiff_t>(r) * layout.row_stride +
                        static_cast<std::ptrdiff_t>(c) * layout.col_stride] = expected[r * cols + c];
    support::on_every_path(threads, [&](const std::string& path) {
        support::Guarded<T> by_stream(room, 1), by_generator(room, 1);
        rng::fill(view_of(by_stream, layout, rows, cols), dist, s);
        Generator generator(42);
        generator.skip_words(3);
        rng::fill(view_of(by_generator, layout, rows, cols), dist, generator);
        for (support::Guarded<T>* memory : {&by_stream, &by_generator}) {
            EXPECT_EQ(support::first_difference<T>(memory->data(), want.data(), room), room)
                << name << ", " << layout.name << ", " << path;
            EXPECT_TRUE(memory->guards_intact()) << name << ", " << layout.name << ", " << path;
        }
    });
}

template <class D>
void expect_matrices_are_fills(const D& dist, std::ptrdiff_t rows, std::ptrdiff_t cols, const std::vector<int>& threads,
                               const std::string& name) {
    const std::ptrdiff_t wide = cols + 3, tall = rows + 2;
    const std::ptrdiff_t last_row = (rows - 1) * wide, last_of_column = (cols - 1) * tall;
    const Layout layouts[] = {
        {"row-major", 0, cols, 1},
        {"padded rows", 0, wide, 1},
        {"column-major", 0, 1, rows},
        {"padded columns", 0, 1, tall},
        {"rows from the last", last_row, -wide, 1},
        {"columns from the last", last_of_column, 1, -tall},
        {"mirrored rows", cols - 1, wide, -1},
        {"both backwards", last_row + cols - 1, -wide, -1},
        {"every other element", 0, 2 * wide, 2},
    };
    for (const Layout& layout : layouts)
        expect_matrix_is_fill(dist, static_cast<std::size_t>(rows), static_cast<std::size_t>(cols), layout, threads,
                              name);
}

TEST(FillMatrix, AnyStridesGiveThePlainFill) {
    support::for_each_kind([](auto dist, const std::string& name) {
        for (const auto& [rows, cols] : {std::pair{1, 1}, {1, 9}, {9, 1}, {5, 7}, {37, 113}})
            expect_matrices_are_fills(dist, rows, cols, {1, 3}, name);
    });
}

TEST(FillMatrix, LongStridedFillsOnThreads) {
    if (support::sanitized) {
        expect_matrices_are_fills(rng::normal{0.0f, 1.0f}, 70, 1001, {2}, "normal f32");
    } else {
        expect_matrices_are_fills(rng::normal{0.0f, 1.0f}, 200, 1001, {1, 3, 7}, "normal f32");
        expect_matrices_are_fills(rng::bits<uint64_t>{}, 1001, 101, {1, 3, 7}, "bits u64");
    }
}

TEST(FillMatrix, EmptyMatricesChangeNothing) {
    Generator generator(42);
    float x = 5;
    rng::fill(rng::matrix_view<float>{&x, 0, 4, 4, 1}, rng::normal{0.0f, 1.0f}, generator);
    rng::fill(rng::matrix_view<float>{nullptr, 4, 0, 0, 1}, rng::normal{0.0f, 1.0f}, generator);
    EXPECT_EQ(generator.position(), 0u);
    EXPECT_EQ(x, 5);
}

TEST(FillMatrix, RefusesWhatCannotBe) {
    Generator generator(42);
    const std::size_t huge = std::size_t{1} << 40;
    float x = 0;
    EXPECT_EQ(error_of(ErrorCode::invalid_argument,
                       [&] {
                           rng::fill(rng::matrix_view<float>{&x, huge, huge, 1, 1}, rng::normal{0.0f, 1.0f}, generator);
                       }),
              "fill: normal: a matrix of 1099511627776 x 1099511627776 elements is too large");
    EXPECT_EQ(error_of(ErrorCode::invalid_argument,
                       [&] {
                           rng::fill(rng::matrix_view<float>{nullptr, 2, 3, 3, 1}, rng::normal{0.0f, 1.0f}, generator);
                       }),
              "fill: normal: the destination is null but 6 values were asked for");
    EXPECT_EQ(generator.position(), 0u);
}

// ---- a user's own distribution, sample, nothing

TEST(FillOwnDistribution, IsAt) {
    support::for_each_own_distribution([](const auto& dist, const std::string& name) {
        for (const uint64_t position : {0, 1, 3})
            for (const std::size_t n : {1, 2, 3, 5, 100, 4099})
                expect_fill_is_at(Stream<>{42, 5, position}, dist, n, {1, 2}, name);
        expect_fill_is_at(Stream<>{42, 5, 1}, dist, support::sanitized ? 70'001 : 600'003, {1, 7}, name);
    });
}

TEST(FillOwnDistribution, MatricesAndMeanings) {
    Generator toss(42);
    const auto coins = rng::sample(support::Coin{}, 10'000, toss);
    for (std::size_t i = 0; i < coins.size(); ++i)
        ASSERT_EQ(coins[i], rng::word(Stream<>{42}, i) >> 31 ? 1.0f : 0.0f) << i;
    expect_matrices_are_fills(support::Coin{}, 37, 113, {1, 2}, "Coin");
    expect_matrices_are_fills(support::Byte{}, 37, 113, {1, 2}, "Byte");
    // Pairs read a domain of their own, so that they share no word with one-slot values.
    Generator generator(42);
    const auto pair = rng::sample(support::Sorted<uint32_t>{}, 2, generator);
    const uint32_t a = rng::word(Stream<>{42}, 0, rng::domain::pair32),
                   b = rng::word(Stream<>{42}, 1, rng::domain::pair32);
    EXPECT_EQ(pair[0], std::max(a, b));
    EXPECT_EQ(pair[1], std::min(a, b));
}

TEST(FillOwnDistribution, FaultsAreErrors) {
    Generator generator(42);
    EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { (void)rng::sample(support::OnCircle{-1}, 3, generator); }),
              "sample: on_circle: radius must be positive, got -1");
    EXPECT_EQ(generator.position(), 0u);
}

TEST(Fill, SampleIsFill) {
    Generator a(42), b(42);
    std::vector<double> filled(1001);
    rng::fill(filled, rng::normal{0.0, 1.0}, a);
    EXPECT_TRUE(same_bits(rng::sample(rng::normal{0.0, 1.0}, 1001, b), filled));
    EXPECT_EQ(a.position(), b.position());
    EXPECT_TRUE(rng::sample(rng::normal{0.0, 1.0}, 0, b).empty());
    EXPECT_EQ(a.position(), b.position());
}

TEST(Fill, TakesContiguousRanges) {
    Generator a(42), b(42), c(42), d(42);
    std::vector<float> vector(8);
    std::array<float, 8> array{};
    float plain[8] = {};
    rng::fill(vector, rng::uniform<float>{}, a);
    rng::fill(array, rng::uniform<float>{}, b);
    rng::fill(plain, rng::uniform<float>{}, c);
    std::vector<float> by_span(8);
    rng::fill(std::span(by_span), rng::uniform<float>{}, d);
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_EQ(vector[i], array[i]);
        EXPECT_EQ(vector[i], plain[i]);
        EXPECT_EQ(vector[i], by_span[i]);
        EXPECT_EQ(vector[i], rng::at(Stream<>{42}, rng::uniform<float>{}, i));
    }
}

// An odd position stays odd: rounding up is part of drawing, and nothing is drawn.
TEST(Fill, NoValuesChangeNothing) {
    support::for_each_case_of_kinds(1, [](auto dist, const std::string& name) {
        using T = rng::result_t<decltype(dist)>;
        Generator generator(42);
        generator.skip_words(1);
        support::Guarded<T> memory(0, 1);
        rng::fill(memory.span(), dist, generator);
        rng::fill(std::span<T>{}, dist, generator);
        rng::fill(std::span<T>{}, dist, Stream<>{42});
        EXPECT_EQ(generator.position(), 1u) << name;
        EXPECT_TRUE(memory.guards_intact()) << name;
    });
}

TEST(Fill, RefusesANullDestination) {
    const std::span<float> nowhere(static_cast<float*>(nullptr), 3);
    Generator generator(42);
    const char* const text = "fill: exponential: the destination is null but 3 values were asked for";
    EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { rng::fill(nowhere, rng::exponential{1.0f}, generator); }),
              text);
    EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { rng::fill(nowhere, rng::exponential{1.0f}, Stream<>{42}); }),
              text);
    EXPECT_EQ(generator.position(), 0u);
}

}  // namespace
