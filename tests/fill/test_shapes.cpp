// Every shape of a distribution, on every road from words to values: at, at_block, Cursor, Reader, draw, fills by the
// scalar lane and by each vector, the kernel of device fills run on the host. The oracle reads the stream's words by
// their addresses and sums them.
#include <gtest/gtest.h>
#include <rng/detail/device_fill_kernel.hpp>
#include <rng/rng.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "../support/paths.hpp"
#include "../support/shapes.hpp"

#if defined(RNG_TEST_HAS_X86_LANES)
const rng_abi::MapFunctions* avx2_shapes();
const rng_abi::MapFunctions* avx512_shapes();
#endif
#if defined(__aarch64__)
const rng_abi::MapFunctions* neon_shapes();
#endif

namespace {

using rng::Shape;
using rng::Stream;

// ---- The oracle

/// Word k of the retry stream of the slot that begins at word `first`.
template <class E>
uint32_t retry_stream_word(const Stream<E>& stream, unsigned domain, uint64_t first, uint64_t slot, uint64_t k) {
    constexpr uint64_t n = E::words_per_block;
    if (k < slot) return E::word_of(stream.block((first + k) / n, domain), static_cast<int>((first + k) % n));
    const Stream<E> own = stream.child(first / n, 1 + static_cast<unsigned>(first % n));
    return E::word_of(own.block((k - slot) / n, 0), static_cast<int>((k - slot) % n));
}

/// The domain of each shape, as docs/contract.md lists them.
template <class D> unsigned domain_in_contract() {
    if constexpr (requires { D::domain; }) return D::domain;
    if (D::map_shape != Shape::pair) return 0;
    return D::slot_words == 1 ? 16 : D::slot_words == 2 ? 17 : D::slot_words == 4 ? 18 : 19;
}

/// The value that word(k), the k-th word of a retry stream or a unit, makes; value `of_pair` of a pair.
template <class D, class Word> rng::result_t<D> sum_of(const Word& word, unsigned of_pair) {
    using T = typename D::part_type;
    const bool wide = D::operand_words == 2 || sizeof(T) == 8;
    const uint64_t words = D::slot_words * (D::map_shape == Shape::pair ? 2u : 1u),
                   mask = wide ? ~uint64_t{0} : 0xffffffffu;
    uint64_t s = 0;
    for (uint64_t begin = 0;; begin += words) {
        s = 0;
        for (uint64_t k = begin; k < begin + words; k += D::operand_words) {
            const uint64_t operand = D::operand_words == 1 ? word(k) : word(k) | uint64_t{word(k + 1)} << 32;
            s = (31 * s + operand) & mask;
        }
        if (D::map_shape != Shape::sampler || s % 8 >= 6) break;
    }
    const auto number = [&](uint64_t x) {
        x &= mask;
        if constexpr (std::is_floating_point_v<T>)
            return static_cast<T>(x >> (wide ? 11 : 8));
        else
            return static_cast<T>(x);
    };
    if constexpr (D::parts == 1) {
        return number(s + 7 * of_pair);
    } else {
        rng::result_t<D> value{};
        for (unsigned k = 0; k < D::parts; ++k) value.part[k] = number(s + 7 * k);
        return value;
    }
}

/// The value whose slot begins at word `first`.
template <class D, class E> rng::result_t<D> expected_at(const Stream<E>& stream, uint64_t first) {
    constexpr uint64_t slot = D::slot_words, unit = slot * (D::map_shape == Shape::pair ? 2 : 1);
    const uint64_t begin = first / unit * unit;
    return sum_of<D>([&](uint64_t k) { return retry_stream_word(stream, domain_in_contract<D>(), begin, unit, k); },
                     static_cast<unsigned>((first - begin) / slot));
}
template <class D, class E>
std::vector<rng::result_t<D>> expected(const Stream<E>& stream, uint64_t first, std::size_t n) {
    constexpr uint64_t slot = D::slot_words;
    const uint64_t begin = (stream.position + slot - 1) / slot * slot + first * slot;
    std::vector<rng::result_t<D>> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = expected_at<D>(stream, begin + i * slot);
    return values;
}

/// Calls f(distribution, index) for each shape; for an engine that is not the default one, every third will do.
template <class E = rng::Philox4x32_10, class F> void for_each_shape(const F& f) {
    constexpr int step = support::whole_catalogue || std::is_same_v<E, rng::Philox4x32_10> ? 1 : 3;
    rng::detail::for_each_in(rng::shapes::list{}, [&](auto tag) {
        using D = typename decltype(tag)::type;
        constexpr int index = rng::detail::index_in<D>(rng::shapes::list{});
        if constexpr (index % step == 0) {
            SCOPED_TRACE("shape " + std::to_string(index));
            f(D{}, index);
        }
    });
}
/// Not in the templates for shapes: their many instances then stay small.
template <class T>
void expect_same(const std::vector<T>& got, const std::vector<T>& want, const char* what, uint64_t where = 0) {
    EXPECT_TRUE(support::same_bits(got, want)) << what << ", " << where;
}

// ---- Single values

template <class E> void expect_single_values() {
    for_each_shape<E>([]<class D>(const D& dist, int) {
        for (const uint64_t position : {0, 3, 8, 20}) {
            const Stream<E> stream{42, 7, position};
            const auto values = expected<D>(stream, 0, 20);
            rng::Cursor cursor(stream, dist, 3);
            std::vector<rng::result_t<D>> by_at, by_cursor(values.begin(), values.begin() + 3);
            for (std::size_t i = 0; i < values.size(); ++i) by_at.push_back(rng::at(stream, dist, i));
            while (by_cursor.size() < values.size()) by_cursor.push_back(cursor.next());
            expect_same(by_at, values, E::name, position);
            expect_same(by_cursor, values, "Cursor", position);
            constexpr auto n = static_cast<std::size_t>(rng::values_per_block<D, E>);
            const uint64_t group = n * D::slot_words, skipped = (position + group - 1) / group * group;
            for (uint64_t j = 0; j < 3; ++j) {
                const auto block = rng::at_block(stream, dist, j);
                std::vector<rng::result_t<D>> by_block;
                for (std::size_t k = 0; k < n; ++k) by_block.push_back(block[static_cast<int>(k)]);
                expect_same(by_block, expected<D>(stream.at_position(skipped), j * n, n), "at_block", j);
            }
        }
    });
}
TEST(Shapes, AtAndBlocksAndCursorsOfFourWords) { expect_single_values<rng::Philox4x32_10>(); }
TEST(Shapes, AtAndBlocksAndCursorsOfEightWords) { expect_single_values<rng::Threefry4x64_20>(); }

TEST(Shapes, TheLastValueOfAStreamAndNoMore) {
    for_each_shape([]<class D>(const D& dist, int) {
        const Stream<> stream{42, 1, Stream<>::size_words - 3 * D::slot_words};
        expect_same({rng::at(stream, dist, 2)}, expected<D>(stream, 2, 1), "the last value");
        (void)support::error_of(rng::ErrorCode::end_of_stream, [&] { (void)rng::at(stream, dist, 3); });
    });
}

template <class Engine> void expect_draws() {
    for_each_shape<typename Engine::engine>([]<class D>(const D& dist, int) {
        constexpr uint64_t word = sizeof(typename Engine::word) / 4, slot = D::slot_words > word ? D::slot_words : word;
        Engine engine(42), kept(42);
        engine.discard(1);
        kept.discard(1);
        rng::std_distribution remembers(dist);
        uint64_t position = word;
        std::vector<rng::result_t<D>> values, drawn, remembered;
        for (int i = 0; i < 40; ++i) {
            position = (position + D::slot_words - 1) / D::slot_words * D::slot_words;
            values.push_back(expected_at<D>(rng::to_stream(Engine(42)), position));
            position += slot;
            drawn.push_back(rng::draw(dist, engine));
            remembered.push_back(remembers(kept));
        }
        expect_same(drawn, values, "draw");
        expect_same(remembered, values, "std_distribution");
        EXPECT_EQ(rng::to_stream(engine).position, position);
        EXPECT_EQ(engine, kept);
    });
}
TEST(Shapes, DrawsFromEnginesOf32Bits) { expect_draws<rng::philox4x32>(); }
TEST(Shapes, DrawsFromEnginesOf64Bits) { expect_draws<rng::philox4x64>(); }

TEST(Shapes, DrawsFromAnotherLibrarysEngine) {
    for_each_shape([]<class D>(const D& dist, int) {
        std::mt19937 engine(42), words(42);
        std::vector<uint32_t> read;
        const auto word = [&](uint64_t k) {
            while (read.size() <= k) read.push_back(static_cast<uint32_t>(words()));
            return read[k];
        };
        std::vector<rng::result_t<D>> values, drawn;
        for (int i = 0; i < 20; ++i, read.clear()) {
            values.push_back(sum_of<D>(word, 0));
            drawn.push_back(rng::draw(dist, engine));
        }
        expect_same(drawn, values, "draw");
        EXPECT_EQ(engine, words);
    });
}

// ---- Fills

/// Fills by the functions of one lane, from several positions and of several lengths, with guards on both sides.
template <class D, class E>
void expect_fill(const D& dist, const rng_abi::MapFunctions* functions, std::size_t most, const std::string& lane) {
    using T = rng::result_t<D>;
    const Stream<E> origin{42, 7, 0};
    const auto values = expected<D>(origin, 0, most + 40);
    for (const std::size_t first : {0, 1, 2, 5, 39})
        for (const std::size_t n : {std::size_t{1}, std::size_t{7}, std::size_t{64}, std::size_t{301}, most}) {
            std::vector<T> out(n + 2, values.back()), want = out;
            std::copy_n(values.begin() + first, n, want.begin() + 1);
            auto request = rng::detail::unchecked_request(dist, rng::detail::positioned<D>(origin, first, n));
            if (functions != nullptr) request.functions = functions;
            rng::detail::fill_values(request, out.data() + 1, n);
            expect_same(out, want, lane.c_str(), first);
        }
}
/// The functions of all shapes over a lane; null stands for the scalar lane of this source.
void expect_fills(const rng_abi::MapFunctions* functions, const std::string& lane) {
    const std::size_t most = support::sanitized ? 700 : 5000;  // more than a tile of the narrowest slots
    const auto expect_fills_of = [&]<class E>(rng::type_tag<E>) {
        for_each_shape<E>([&]<class D>(const D& dist, int index) {
            expect_fill<D, E>(dist, functions == nullptr ? nullptr : functions + index, most, lane);
        });
    };
    expect_fills_of(rng::type_tag<rng::Philox4x32_10>{});
    expect_fills_of(rng::type_tag<rng::Threefry4x64_20>{});
}
TEST(Shapes, FillsByTheScalarLane) { expect_fills(nullptr, "scalar"); }
#if defined(RNG_TEST_HAS_X86_LANES)
bool has(rng::Isa isa) {
    for (const rng::Isa known : rng::available_isas())
        if (known == isa) return true;
    return false;
}
TEST(Shapes, FillsByAvx2) {
    if (!has(rng::Isa::avx2)) GTEST_SKIP() << "this machine has no AVX2";
    expect_fills(avx2_shapes(), "avx2");
}
TEST(Shapes, FillsByAvx512) {
    if (!has(rng::Isa::avx512)) GTEST_SKIP() << "this machine has no AVX-512";
    expect_fills(avx512_shapes(), "avx512");
}
#endif
#if defined(__aarch64__)
TEST(Shapes, FillsByNeon) { expect_fills(neon_shapes(), "neon"); }
#endif

TEST(Shapes, ASqueezeLeavesMoreToTheWholeOne) {
    using D = rng::shapes::Sum<uint32_t, Shape::sampler, 1, 1, 1, true>;
    constexpr rng_abi::MapFunctions f = rng::lane::map_functions<D, rng::lane::Scalar>();
    std::vector<uint32_t> words(2048), values(words.size()), undecided(words.size());
    rng::fill(words, rng::bits<uint32_t>{}, Stream<>{1});
    const auto map = D{}.map();
    const std::size_t squeeze = f.apply(&map, words.data(), values.data(), words.size(), undecided.data());
    const std::size_t whole = f.proposal(&map, words.data(), values.data(), words.size(), undecided.data());
    EXPECT_NEAR(static_cast<double>(squeeze), 2048 * 7 / 8.0, 100);
    EXPECT_NEAR(static_cast<double>(whole), 2048 * 6 / 8.0, 100);
}

TEST(Shapes, ReadersGiveAt) {
    for_each_shape([]<class D>(const D& dist, int) {
        const Stream<> stream{42, 7, 5};
        const auto values = expected<D>(stream, 2, 400);
        rng::Reader reader(stream, dist, 2);
        std::vector<rng::result_t<D>> read;
        while (read.size() < values.size()) read.push_back(reader());
        expect_same(read, values, "Reader");
    });
}

template <class E> void expect_device_fills() {
    for_each_shape<E>([]<class D>(const D& dist, int) {
        using T = rng::result_t<D>;
        const Stream<E> stream{42, 7, 0};
        for (const std::size_t first : {0, 3}) {
            constexpr std::size_t n = 50;
            const auto values = expected<D>(stream, first, n);
            alignas(16) std::array<T, n + 8> memory{};
            for (std::size_t offset = 0; offset < 4; ++offset) {
                const rng::detail::DeviceFill<D, E> job(stream, dist.map(), first * D::slot_words,
                                                        memory.data() + offset, n);
                for (uint64_t thread = 0; thread < 3; ++thread) rng::detail::fill_thread(job, thread, 3);
                const auto begin = memory.begin() + static_cast<std::ptrdiff_t>(offset);
                expect_same({begin, begin + n}, values, "the kernel", offset);
            }
        }
    });
}
TEST(Shapes, TheKernelOfDeviceFills) {
    expect_device_fills<rng::Philox4x32_10>();
    expect_device_fills<rng::Threefry4x64_20>();
}

// ---- Tables

/// A walk of up to 255 steps, or one look into the table that holds its results.
struct Walk {
    using result_type = uint32_t;
    uint32_t factor = 3;
    static constexpr int slot_words = 1;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] std::size_t table_words() const { return 256; }
    void build_table(uint64_t* table) const {
        ++built;
        for (uint32_t i = 0; i < 256; ++i) table[i] = walk(i);
    }
    [[nodiscard]] uint64_t walk(uint32_t steps) const { return power(factor, steps); }
    static uint64_t power(uint32_t factor, uint32_t n) {
        uint64_t x = 1;
        for (; n > 0; --n) x *= factor;
        return x;
    }
    struct Map {
        uint32_t factor;
        const uint64_t* table;
        unsigned char room[200];  // a map may have 256 bytes
        struct Result {
            uint32_t v;
        };
        RNG_FN Result operator()(rng::lane::u32<rng::lane::Scalar> w) const {
            return {static_cast<uint32_t>((table != nullptr ? table[w.v >> 24] : power(factor, w.v >> 24)) >> 7)};
        }
    };
    [[nodiscard]] Map map(const uint64_t* table) const { return {factor, table, {}}; }
    [[nodiscard]] Map map() const { return map(nullptr); }

    inline static int built = 0;
};

TEST(Shapes, ATableIsBuiltOnceForAFill) {
    static_assert(rng::detail::has_table<Walk> && !rng::detail::has_table<rng::normal<float>>);
    const Walk dist{5};
    const Stream<> stream{42, 7, 3};
    Walk::built = 0;
    std::vector<uint32_t> values(100'000);
    rng::fill(values, dist, stream);
    EXPECT_EQ(Walk::built, 1);
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], rng::at(stream, dist, i)) << i;
    EXPECT_EQ(Walk::built, 1) << "at() walks";
    EXPECT_EQ(values[0], static_cast<uint32_t>(dist.walk(retry_stream_word(stream, 0, 3, 1, 0) >> 24) >> 7));
}

}  // namespace
