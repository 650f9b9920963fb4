// Values that lie apart: fills by indices are at() at every layout, and parts of an array by block_cyclic layouts are
// the whole. Generators of all ranks stay alike.
#include <gtest/gtest.h>
#include <rng/indices.hpp>
#include <rng/prepared.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "../support/paths.hpp"
#include "../support/sampled.hpp"
#include "../support/shapes.hpp"

namespace {

using rng::block_cyclic;
using rng::indices;
using rng::Stream;

struct Case {
    indices at;
    std::size_t n;
};
/// Near and far steps, blocks of every road through the code and at its limits, ends inside blocks, blocks that overlap
/// or repeat, neighbours. The largest number is below 40000.
const std::vector<Case> cases = {
    {{0, 2, 1}, 3001},     {{5, 3, 1}, 700},       {{1, 5, 1}, 1500},       {{0, 7, 1}, 4000},
    {{3, 64, 1}, 600},     {{2, 5, 2}, 999},       {{0, 100, 3}, 1000},     {{9, 33, 7}, 3000},
    {{1, 16, 8}, 4096},    {{4, 300, 15}, 1800},   {{0, 64, 16}, 5003},     {{7, 99, 31}, 6001},
    {{0, 128, 32}, 4000},  {{1, 66, 33}, 2500},    {{64, 256, 64}, 5000},   {{3, 134, 67}, 3000},
    {{0, 500, 100}, 2550}, {{1, 1500, 500}, 8001}, {{8, 4096, 1024}, 8200}, {{3, 6000, 3000}, 9001},
    {{10, 3, 8}, 2000},    {{4, 1, 3}, 300},       {{6, 0, 5}, 203},        {{11, 0, 1}, 90},
    {{2, 1, 1}, 2000},     {{2, 9, 9}, 2000},      {{5, 70, 40}, 17},       {{5, 70, 40}, 1},
    {{9, 1, 1}, 0}};
constexpr std::size_t whole_size = 40000;

/// Fills by every layout, and compares each value with the whole's and the memory around with what it was.
template <class D, class E>
void expect_at(const Stream<E>& stream, const D& dist, const std::vector<rng::result_t<D>>& whole,
               const std::string& what) {
    for (const auto& [at, n] : cases) {
        support::Guarded<rng::result_t<D>> out(n, n % 5);
        rng::fill(out.span(), dist, stream, at);
        std::size_t wrong = 0;
        for (std::size_t k = 0; k < n; ++k) {
            const std::size_t number = at.first + k / at.block * at.step + k % at.block;
            ASSERT_LT(number, whole.size());
            wrong += support::first_difference(out.data() + k, whole.data() + number, 1) == 1 ? 0 : 1;
        }
        EXPECT_EQ(wrong, 0u) << what << ", step " << at.step << ", block " << at.block << ", n " << n;
        EXPECT_TRUE(out.guards_intact()) << what;
    }
}

TEST(Indices, EveryKindIsAtOnEveryPath) {
    const Stream<> stream(42, 7, 3);
    support::for_each_kind([&](const auto& dist, const std::string& name) {
        const auto whole = support::by_at(stream, dist, whole_size);
        support::on_every_path({1, 3},
                               [&](const std::string& path) { expect_at(stream, dist, whole, name + " " + path); });
    });
}

template <class... D> void every_engine_is_at(const D&... dists) {
    [&]<class... E>(rng::type_list<E...>) {
        const auto with = [&]<class Engine>(rng::type_tag<Engine>, const auto& dist) {
            const Stream<Engine> stream(9, 1, 21);
            const auto whole = support::by_at(stream, dist, whole_size);
            support::on_every_isa(
                [&](const std::string& isa) { expect_at(stream, dist, whole, std::string(Engine::name) + " " + isa); });
        };
        const auto each = [&](auto tag) { (with(tag, dists), ...); };
        (each(rng::type_tag<E>{}), ...);
    }(rng::engines{});
}
TEST(Indices, EveryEngineIsAt) {
    every_engine_is_at(rng::normal<float>{}, rng::normal<double>{}, rng::gamma<float>{2.5f, 1.0f},
                       rng::uniform_int<uint64_t>{0, 1ull << 63}, rng::unit_vector4<double>{});
}

TEST(Indices, OtherParametersToo) {
    const Stream<> stream(1, 2, 5);
    constexpr std::size_t n = 600;
    constexpr indices layouts[] = {{1, 7, 1}, {0, 3, 1}, {2, 40, 9}, {3, 100, 50}};
    support::for_each_case_of_kinds(2, [&](const auto& dist, const std::string& name) {
        const auto whole = support::by_at(stream, dist, 4300);
        for (const indices& at : layouts) {
            std::vector<rng::result_t<std::decay_t<decltype(dist)>>> out(n), expected;
            rng::fill(out, dist, stream, at);
            for (std::size_t k = 0; k < n; ++k)
                expected.push_back(whole[at.first + k / at.block * at.step + k % at.block]);
            EXPECT_TRUE(support::same_bits(out, expected)) << name << ", step " << at.step;
        }
    });
}

// Units of 16 words, samplers that read slots of 8 words, proposals with a squeeze(), domains of one's own.
TEST(Indices, OwnDistributionsOfEveryShapeAreAt) {
    using namespace rng::shapes;
    const auto expect = [](const auto& dist, const auto& stream, const char* what) {
        const auto whole = support::by_at(stream, dist, whole_size);
        expect_at(stream, dist, whole, what);
    };
    const auto on = [&](const auto& stream) {
        expect(Sum<double, pair, 8, 2>{}, stream, "a pair of 16 words");
        expect(Sum<uint32_t, pair, 2, 1>{}, stream, "a pair of 4 words");
        expect(Sum<float, joint, 4, 1, 3>{}, stream, "three parts");
        expect(Sum<uint8_t, sampler, 8, 1, 1, false, Domain<5>>{}, stream, "a sampler of 8 words");
        expect(Sum<uint32_t, sampler, 1, 1, 1, true>{}, stream, "a sampler of one word with a squeeze()");
        expect(Sum<uint64_t, sampler, 2, 2, 1, true>{}, stream, "a sampler of two words with a squeeze()");
    };
    on(Stream<>(3, 4, 8));
    on(Stream<rng::Threefry4x64_20>(3, 4, 16));
}

TEST(Indices, PreparedDistributionsToo) {
    const Stream<> stream{5};
    const rng::poisson<int> dist{200};
    const auto whole = support::by_at(stream, dist, whole_size);
    expect_at(stream, rng::Prepared(dist), whole, "poisson");
}

TEST(Indices, FarApartAndUpToTheEnd) {
    using D = rng::normal<float>;
    const D dist{0.0f, 1.0f};
    constexpr uint64_t slots = Stream<>::size_words / D::slot_words;
    for (const indices& at : {indices{1, uint64_t{1} << 40, 1}, indices{0, (uint64_t{1} << 40) + 3, 5},
                              indices{slots - 1 - 99 * 1000, 1000, 1}, indices{slots - 9 * 500 - 20, 500, 20}}) {
        const std::size_t n = at.block == 20 ? 200 : 100;
        std::vector<float> out(n), expected;
        rng::fill(out, dist, Stream<>{8}, at);
        for (std::size_t k = 0; k < n; ++k) expected.push_back(rng::at(Stream<>{8}, dist, at[k]));
        EXPECT_TRUE(support::same_bits(out, expected)) << at.step;
    }
}

// ---- Ranks ----------------------------------------------------------------------------------------------------------

/// The numbers that a rank has, dealt out one by one.
std::vector<uint64_t> dealt(const block_cyclic& layout) {
    std::vector<uint64_t> numbers;
    for (uint64_t i = 0; i < layout.size; ++i)
        if (i / layout.block % layout.ranks == layout.rank) numbers.push_back(i);
    return numbers;
}

TEST(BlockCyclic, CountsAndNumbersAreThoseDealtOut) {
    for (const uint64_t size : {0, 1, 2, 10, 63, 64, 65, 1000})
        for (const uint64_t block : {1, 2, 3, 64, 2000})
            for (const uint64_t ranks : {1, 2, 3, 5, 7, 100})
                for (uint64_t rank = 0; rank < ranks; ++rank) {
                    const block_cyclic layout{size, block, rank, ranks};
                    const std::vector<uint64_t> expected = dealt(layout);
                    ASSERT_EQ(layout.count(), expected.size()) << size << ' ' << block << ' ' << rank << ' ' << ranks;
                    for (std::size_t k = 0; k < expected.size(); ++k) ASSERT_EQ(layout.numbers()[k], expected[k]);
                }
    constexpr uint64_t huge = uint64_t{1} << 63;
    EXPECT_EQ((block_cyclic{10, huge, 0, 4}.count()), 10u);
    EXPECT_EQ((block_cyclic{10, huge, 3, 4}.count()), 0u);
    EXPECT_EQ((block_cyclic{10, 1, 9, UINT64_MAX}.numbers()[0]), 9u);
}

static_assert(indices{5, 2, 0}[3] == 5);  // which fills refuse: who asks before must not divide by zero
TEST(BlockCyclic, LayoutsWithoutRanksOrBlocksAreRefused) {
    const auto refused = [](const block_cyclic& layout) {
        const auto of = [](auto call) { return support::error_of(rng::ErrorCode::invalid_argument, call); };
        EXPECT_EQ(of([&] { (void)layout.numbers(); }), of([&] { (void)layout.count(); }));
        return of([&] { (void)layout.count(); });
    };
    EXPECT_EQ(refused({10, 2, 0, 0}), "block_cyclic: rank must be below ranks, got rank 0 of 0");
    EXPECT_EQ(refused({10, 3, 7, 2}), "block_cyclic: rank must be below ranks, got rank 7 of 2");
    EXPECT_EQ(refused({10, 0, 0, 2}), "block_cyclic: block must be at least 1, got 0");
}

TEST(BlockCyclic, PartsAreTheWholeAndGeneratorsStayAlike) {
    support::for_each_kind([](const auto& dist, const std::string& name) {
        using T = rng::result_t<std::decay_t<decltype(dist)>>;
        for (const uint64_t size : {0, 3, 1000, 4099}) {
            rng::Generator alone(42);
            alone.skip_words(5);
            const rng::Generator begin = alone.clone();
            std::vector<T> whole(size);
            rng::fill(whole, dist, alone);
            const auto state = alone.get_state();
            for (const uint64_t block : {1, 2, 64, 2000})
                for (const uint64_t ranks : {1, 2, 3, 5, 7}) {
                    std::vector<T> joined(size);
                    for (uint64_t rank = 0; rank < ranks; ++rank) {
                        const block_cyclic layout{size, block, rank, ranks};
                        rng::Generator gen = begin.clone();
                        std::vector<T> part(layout.count());
                        rng::dist_fill(part, layout, dist, gen);
                        EXPECT_EQ(gen.get_state(), state) << name << ": rank " << rank << " of " << ranks;
                        const std::vector<uint64_t> numbers = dealt(layout);
                        for (std::size_t k = 0; k < part.size(); ++k) joined[numbers[k]] = part[k];
                    }
                    EXPECT_TRUE(support::same_bits(joined, whole)) << name << ": " << block << " x " << ranks;
                }
        }
    });
}

TEST(BlockCyclic, OfATemporaryGenerator) {
    std::vector<float> part(5), expected(10);
    rng::dist_fill(part, block_cyclic{10, 1, 1, 2}, rng::normal<float>{}, rng::Generator{3}.fork(7));
    rng::fill(expected, rng::normal<float>{}, rng::Generator{3}.fork(7));
    for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(part[k], expected[2 * k + 1]);
}

// ---- What is refused ------------------------------------------------------------------------------------------------

TEST(Indices, RefusalsChangeNothing) {
    using rng::ErrorCode;
    const rng::normal<float> dist{0.0f, 1.0f};
    std::vector<float> out(10, 7.0f);
    const auto refused = [&](ErrorCode code, const indices& at) {
        const std::string text = support::error_of(code, [&] { rng::fill(out, dist, Stream<>{1}, at); });
        EXPECT_EQ(out, std::vector<float>(10, 7.0f));
        return text;
    };
    EXPECT_EQ(refused(ErrorCode::invalid_argument, {3, 4, 0}),
              "fill: normal: block must be at least 1, got indices{first 3, step 4, block 0}");
    const std::string beyond = "fill: normal: numbers must be below 2^64 - 1, got indices{first ";
    EXPECT_EQ(refused(ErrorCode::invalid_argument, {UINT64_MAX - 5, 2, 1}),
              beyond + "18446744073709551610, step 2, block 1} of 10 values");
    EXPECT_EQ(refused(ErrorCode::invalid_argument, {0, uint64_t{1} << 61, 1}),
              beyond + "0, step 2305843009213693952, block 1} of 10 values");
    EXPECT_EQ(refused(ErrorCode::invalid_argument, {UINT64_MAX - 3, 0, 5}).substr(0, beyond.size()), beyond);
    constexpr uint64_t slots = Stream<>::size_words;
    (void)refused(ErrorCode::end_of_stream, {slots - 9, 1, 1});
    (void)refused(ErrorCode::end_of_stream, {slots - 9 * 1000, 1000, 1});
    (void)refused(ErrorCode::end_of_stream, {slots - 1000 - 4, 1000, 5});
    (void)support::error_of(ErrorCode::invalid_argument, [&] {
        rng::fill(out, rng::normal{0.0f, -1.0f}, Stream<>{1}, indices{0, 2, 1});
    });
    EXPECT_EQ(out, std::vector<float>(10, 7.0f));
    (void)support::error_of(ErrorCode::invalid_argument, [&] {
        rng::fill(std::span<float>(static_cast<float*>(nullptr), 3), dist, Stream<>{1}, indices{0, 2, 1});
    });
    rng::fill(std::span<float>(), dist, Stream<>{1}, indices{UINT64_MAX, UINT64_MAX, 1});  // no values, no numbers
}

TEST(BlockCyclic, RefusalsLeaveTheGenerator) {
    using rng::ErrorCode;
    std::vector<float> part(10, 7.0f);
    rng::Generator gen{5};
    const auto before = gen.get_state();
    const auto refused = [&](ErrorCode code, const block_cyclic& layout, const rng::normal<float>& dist = {}) {
        const std::string text = support::error_of(code, [&] { rng::dist_fill(part, layout, dist, gen); });
        EXPECT_EQ(gen.get_state(), before) << text;
        EXPECT_EQ(part, std::vector<float>(10, 7.0f)) << text;
        return text;
    };
    const auto invalid = ErrorCode::invalid_argument;
    EXPECT_EQ(refused(invalid, {20, 0, 0, 2}), "dist_fill: normal: block must be at least 1, got 0");
    EXPECT_EQ(refused(invalid, {20, 1, 2, 2}), "dist_fill: normal: rank must be below ranks, got rank 2 of 2");
    EXPECT_EQ(refused(invalid, {20, 1, 0, 0}), "dist_fill: normal: rank must be below ranks, got rank 0 of 0");
    EXPECT_EQ(refused(invalid, {21, 1, 0, 2}),
              "dist_fill: normal: rank 0 of 2 has 11 of 21 values in blocks of 1, but the part has 10");
    EXPECT_EQ(refused(invalid, {20, 1, 0, 2}, {0.0f, -1.0f}).substr(0, 30), "dist_fill: normal: stddev must");
    // Ten values fit into the stream, but not the whole array.
    gen.skip_words(rng::Stream<>::size_words - 1000);
    const auto late = gen.get_state();
    EXPECT_NE(late, before);
    (void)support::error_of(ErrorCode::end_of_stream, [&] {
        rng::dist_fill(part, block_cyclic{2000, 10, 0, 200}, rng::normal<float>{}, gen);
    });
    EXPECT_EQ(gen.get_state(), late);
}

}  // namespace
