// The calls that a caller may write. They use integers of every type, parameters of two types, and engines of this
// library as the source of a fill.
// Messages are checked where a compiler cannot know better. tests/misuse holds the calls that do not compile.
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace {

using rng::Stream;

template <class F> std::string message_of(F&& f) {
    try {
        f();
    } catch (const rng::Error& error) {
        return error.what();
    }
    return "no error";
}

/// The other types of an integer's width and sign: two of long, long long and int are alike on every platform.
template <class T> using twin = std::conditional_t<std::is_same_v<T, long>, long long, long>;

/// A fill, at() and a strided fill of `Dist<Other>` have the values of `Dist<T>`, by the same kernels.
template <template <class> class Dist, class T, class Other> void expect_same(const Dist<T>& dist) {
    static_assert(!std::is_same_v<T, Other> && sizeof(T) == sizeof(Other));
    static_assert(rng::catalogue_index<Dist<T>> >= 0);
    static_assert(rng::catalogue_index<Dist<Other>> == rng::catalogue_index<Dist<T>>, "the kernels of the catalogue");
    const auto other = __builtin_bit_cast(Dist<Other>, dist);
    const Stream<> stream{7};
    std::vector<T> expected(1000);
    std::vector<Other> got(1000), strided(1000), mixed(1000);
    rng::fill(expected, dist, stream);
    rng::fill(got, other, stream);
    rng::fill(rng::matrix_view<Other>::row_major(strided.data(), 40, 25), other, stream);
    rng::fill(mixed, dist, stream);
    rng::Generator generator{7};
    const std::vector<Other> sampled = rng::sample(other, 1000, generator);
    for (size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(expected[i], static_cast<T>(got[i])) << i;
        ASSERT_EQ(got[i], strided[i]) << i;
        ASSERT_EQ(got[i], mixed[i]) << i;
        ASSERT_EQ(got[i], sampled[i]) << i;
        ASSERT_EQ(got[i], rng::at(stream, other, i)) << i;
    }
}

TEST(Integers, ZeroIsNoPointer) {
    const rng::Generator parentheses(0), braces{0}, on_device(rng::cpu(), 0);
    for (const auto* generator : {&parentheses, &braces, &on_device}) EXPECT_EQ(generator->initial_seed(), 0u);
    EXPECT_EQ(rng::Stream<>{0}.fork(0), rng::Stream<>(uint64_t{0}).fork(uint64_t{0}));
    EXPECT_EQ(rng::at(rng::Stream{0}, rng::bits<uint32_t>{}, 0), 0x6627e8d5u);  // Random123's first word of key 0
}

TEST(Integers, AtomicsAndKeysInBraces) {
    const rng::Stream<> stream(7);
    const std::atomic<uint64_t> tag{3};
    EXPECT_EQ(stream.fork(tag), stream.fork(3));
    EXPECT_EQ(rng::Generator(1).fork(tag).id(), rng::Generator(1).fork(3).id());
    EXPECT_EQ(rng::Stream<>({5u}, 3, 4), rng::Stream<>(5, 3, 4));
    EXPECT_EQ((rng::Stream<>{{5u, 0u}, 3, 4}), rng::Stream<>(5, 3, 4));
    static_assert(!rng::detail::stands_for_an_integer<rng::float16>);
    static_assert(!rng::detail::stands_for_an_integer<rng::bfloat16>);
}

TEST(Integers, LongLongIsTheIntegerOfItsWidth) {
    using L = twin<int64_t>;
    using U = std::make_unsigned_t<L>;
    expect_same<rng::uniform_int, int64_t, L>({-5, 1'000'000'000'000});
    expect_same<rng::uniform_int, uint64_t, U>({3, 1'000'000'000'000});
    expect_same<rng::bits, uint64_t, U>({});
    static_assert(rng::catalogue_index<decltype(rng::uniform_int{0LL, 9LL})> ==
                  rng::catalogue_index<rng::uniform_int<int64_t>>);
    static_assert(rng::catalogue_index<rng::bits<unsigned long long>> == rng::catalogue_index<rng::bits<uint64_t>>);
    static_assert(rng::catalogue_index<rng::bits<unsigned long>> >= 0);
    EXPECT_STREQ(rng::dtype_name<long long>(), "i64");
    EXPECT_STREQ(rng::dtype_name<unsigned long long>(), "u64");
    rng::philox4x32 engine(1), same(1);
    EXPECT_EQ((rng::uniform_int{0LL, 99LL}(engine)), (rng::uniform_int<int64_t>{0, 99}(same)));
}

TEST(Integers, DeviceMemoryOfLongLongCompiles) {
    // No value is compared; memory of the host is refused, with or without a GPU.
    std::vector<long long> x(8);
    const std::string message = message_of([&] {
        rng::fill(rng::device_span<long long>{x.data(), x.size()}, rng::uniform_int{0LL, 9LL}, Stream<>{1});
    });
    EXPECT_NE(message, "no error");
}

/// A user's own distribution keeps its type.
template <class T> struct Own {
    using result_type = T;
    static constexpr int slot_words = 2;
    static constexpr rng::Shape map_shape = rng::Shape::value;
    struct Map {
        template <class L> RNG_FN rng::lane::u64<L> operator()(rng::lane::u64<L> w) const { return w; }
    };
    RNG_FN Map map() const { return {}; }
};
static_assert(std::is_same_v<rng::detail::canonical_t<Own<long long>>, Own<long long>>);

TEST(Integers, TagsAndIndicesOfEveryType) {
    const Stream<> s{1};
    enum Use { wind = 3 };
    EXPECT_EQ(s.fork(int8_t{3}), s.fork(3));
    EXPECT_EQ(s.fork(uint16_t{3}), s.fork(3));
    EXPECT_EQ(s.fork(3ULL), s.fork(3));
    EXPECT_EQ(s.fork(wind), s.fork(3));
    EXPECT_EQ(s.fork(std::integral_constant<int, 3>{}), s.fork(3));
    EXPECT_EQ(s.fork(0), s.fork(0u));
    EXPECT_EQ(s.fork("wind"), s.fork(std::string("wind")));
    EXPECT_EQ(s.fork("wind"), s.fork(std::string_view("wind")));
    EXPECT_EQ(Stream<>{-1}, Stream<>{~uint64_t{0}});
    const rng::Generator g{1};
    EXPECT_EQ(g.fork(3LL).initial_seed(), g.fork(3).initial_seed());
    EXPECT_EQ(g.fork("wind").initial_seed(), g.fork(std::string("wind")).initial_seed());
}

TEST(Integers, ANegativeOneIsNamed) {
    const Stream<> s{1};
    const rng::Generator g{1};
    EXPECT_EQ(message_of([&] { (void)s.fork(-1); }),
              "Stream::fork: tag must be below 2^56, got 18446744073709551615 (which is -1 modulo 2^64)");
    EXPECT_EQ(message_of([&] { (void)g.fork(-2); }),
              "Generator::fork: tag must be below 2^56, got 18446744073709551614 (which is -2 modulo 2^64)");
    EXPECT_EQ(message_of([&] { (void)s.fork(uint64_t{1} << 56); }),
              "Stream::fork: tag must be below 2^56, got 72057594037927936");
    EXPECT_EQ(message_of([&] {
                  (void)rng::at(s, rng::uniform{0.0, 1.0}, -1);
              }),
              "at: index 18446744073709551615 (which is -1 modulo 2^64) leads past the end of the stream (a stream has "
              "2^56 blocks)");
    EXPECT_EQ(message_of([&] {
                  (void)rng::at_block(s, rng::uniform{0.0, 1.0}, uint64_t{1} << 60);
              }),
              "at_block: index 1152921504606846976 leads past the end of the stream (a stream has 2^56 blocks)");
}

TEST(EndOfStream, TheFirstValueThatDoesNotFitIsNamed) {
    const std::string past = " leads past the end of the stream (a stream has 2^56 blocks)";
    const Stream<> last{1, 0, Stream<>::size_words - 2};  // two words
    std::vector<float> x(10, 3.0f);
    const rng::normal dist{0.0f, 1.0f};
    EXPECT_EQ(message_of([&] { rng::fill(x, dist, last); }), "fill: index 2" + past);
    EXPECT_EQ(message_of([&] { rng::fill(x, dist, Stream<>{1}, last.position - 1); }),
              "fill: index " + std::to_string(Stream<>::size_words) + past);
    EXPECT_EQ(message_of([&] { rng::fill(x, dist, last, 7); }), "fill: index 7" + past);
    EXPECT_EQ(message_of([&] { (void)rng::sample(dist, 10, last); }), "sample: index 2" + past);
    EXPECT_EQ(message_of([&] { rng::fill_bytes(std::as_writable_bytes(std::span(x)), last); }),
              "fill_bytes: index 2" + past);
    EXPECT_EQ(message_of([&] {
                  rng::fill(x, dist, Stream<>{1}, rng::indices{uint64_t{1} << 60, 1, 1});
              }),
              "fill: index " + std::to_string((uint64_t{1} << 60) + 9) + past);
    EXPECT_EQ(message_of([&] { rng::fill(rng::shard<float>(x.data(), {10}), dist, last); }), "fill: index 2" + past);
    EXPECT_EQ(message_of([&] { (void)rng::sobol<float>(2, last); }), "sobol: index 1" + past);
    EXPECT_EQ(x, std::vector<float>(10, 3.0f));
}

TEST(Parameters, ErrorsNameTheCall) {
    rng::Generator g{1};
    const std::string poisson = "poisson: mean must be in [0, 2^30], got -1";
    EXPECT_EQ(message_of([&] { (void)rng::sample(rng::poisson{-1.0}, 10, g); }), "sample: " + poisson);
    EXPECT_EQ(message_of([&] { (void)rng::sample(rng::poisson{-1.0}, 10, Stream<>{1}); }), "sample: " + poisson);
    EXPECT_EQ(message_of([&] {
                  (void)rng::sample(rng::binomial{3, 1 + 0x1p-52}, 10, g);
              }),
              "sample: binomial: p must be in [0, 1], got 1.0000000000000002");
    EXPECT_EQ(g.position(), 0u);
    std::vector<float> x(4);
    const rng::shard<float> huge(x.data(), {std::size_t{1} << 40, std::size_t{1} << 40});
    EXPECT_EQ(message_of([&] {
                  rng::fill(huge, rng::normal{0.0f, 1.0f}, g);
              }),
              "fill: normal: the tensor must have less than 2^64 elements");
}

TEST(Parameters, OfTwoTypesHaveTheTypeOfTheirSum) {
    static_assert(std::is_same_v<decltype(rng::normal{0.0, 1}), rng::normal<double>>);
    static_assert(std::is_same_v<decltype(rng::normal{0, 1.0f}), rng::normal<float>>);
    static_assert(std::is_same_v<decltype(rng::normal_icdf{0.0f, 1.0}), rng::normal_icdf<double>>);
    static_assert(std::is_same_v<decltype(rng::uniform{0, 2.5}), rng::uniform<double>>);
    static_assert(std::is_same_v<decltype(rng::uniform_open{0, 2.5f}), rng::uniform_open<float>>);
    static_assert(std::is_same_v<decltype(rng::uniform_open_closed{0.0f, 1.0f}), rng::uniform_open_closed<float>>);
    static_assert(std::is_same_v<decltype(rng::uniform_int{int8_t{1}, int8_t{6}}), rng::uniform_int<int8_t>>);
    static_assert(std::is_same_v<decltype(rng::uniform_int{1, 6L}), rng::uniform_int<long>>);
    static_assert(std::is_same_v<decltype(rng::uniform_int{1u, 6ULL}), rng::uniform_int<unsigned long long>>);
    const Stream<> s{1};
    EXPECT_EQ(rng::at(s, rng::normal{1.5, 2}, 3), rng::at(s, rng::normal{1.5, 2.0}, 3));
}

/// fill(range, dist, engine) against dist(engine) in a loop, from several places of the engine.
template <class Engine, class D> void expect_fill_is_loop(const D& dist, const char* what) {
    for (const unsigned before : {0u, 1u, 2u, 3u, 511u}) {
        for (const size_t n : {0u, 1u, 7u, 130u}) {
            Engine filled(42), looped(42);
            filled.discard(before);
            looped.discard(before);
            std::vector<rng::result_t<D>> x(n), y(n);
            rng::fill(x, dist, filled);
            for (auto& v : y) v = dist(looped);
            ASSERT_TRUE(filled == looped) << what << " after " << before << ", " << n << " values";
            if (n > 0) {
                ASSERT_EQ(__builtin_memcmp(x.data(), y.data(), n * sizeof x[0]), 0)
                    << what << " after " << before << ", " << n << " values";
            }
        }
    }
}

template <class Engine> void expect_fills_are_loops() {
    expect_fill_is_loop<Engine>(rng::uniform{0.0f, 1.0f}, "uniform f32");
    expect_fill_is_loop<Engine>(rng::uniform{0.0, 1.0}, "uniform f64");
    expect_fill_is_loop<Engine>(rng::normal{0.0f, 1.0f}, "normal f32");
    expect_fill_is_loop<Engine>(rng::normal{0.0, 1.0}, "normal f64");
    expect_fill_is_loop<Engine>(rng::complex_normal{1.0}, "complex_normal f64");
    expect_fill_is_loop<Engine>(rng::complex_normal{1.0f}, "complex_normal f32");
    expect_fill_is_loop<Engine>(rng::uniform_int{0, 2'000'000'000}, "uniform_int i32");
    expect_fill_is_loop<Engine>(rng::uniform_int<int16_t>{0, 30'000}, "uniform_int i16");
    expect_fill_is_loop<Engine>(rng::uniform_int{0LL, 9LL}, "uniform_int of long long");
    expect_fill_is_loop<Engine>(rng::bernoulli{0.3}, "bernoulli");
}

// A program's own fill() and sample() that take our distributions, and std's.
namespace app {

template <class R, class D, class G> int fill(R& range, const D& dist, G& engine) {
    for (auto& value : range) value = dist(engine);
    return 1;
}
struct Source {};
template <class D> int sample(const D&, std::size_t, Source&) { return 2; }

template <class G> int call_fill(std::vector<double>& x, G& engine) { return fill(x, rng::normal{0.0, 1.0}, engine); }
int call_sample(Source& source) { return sample(rng::normal{0.0, 1.0}, 3, source); }

}  // namespace app

TEST(Misuse, FunctionsOfOthersAreTheirs) {
    std::vector<double> x(3);
    std::mt19937 theirs;
    app::Source source;
    EXPECT_EQ(app::call_fill(x, theirs), 1);
    EXPECT_EQ(app::call_sample(source), 2);
    std::vector<rng::normal<double>> laws(3);
    fill(laws.begin(), laws.end(), rng::normal{1.0, 2.0});  // std::fill, found by its arguments
    EXPECT_EQ(laws[2].mean, 1.0);
    static_assert(!std::uniform_random_bit_generator<rng::Generator>);
}

TEST(FillFromEngine, IsTheLoop) {
    expect_fills_are_loops<rng::philox4x32>();
    expect_fills_are_loops<rng::philox4x64>();
    expect_fills_are_loops<rng::threefry4x32>();
    expect_fills_are_loops<rng::threefry4x64>();
    expect_fills_are_loops<rng::block_engine<rng::Philox4x32_7>>();
}

TEST(FillFromEngine, TakesSpansArraysAndTemporaries) {
    std::array<double, 8> x{}, y{};
    double z[8];
    rng::philox4x32 engine(9);
    rng::fill(std::span(x), rng::normal{0.0, 1.0}, engine);
    rng::fill(y, rng::normal{0.0, 1.0}, rng::philox4x32(9));
    rng::fill(z, rng::normal{0.0, 1.0}, rng::philox4x32(9));
    EXPECT_EQ(x, y);
    EXPECT_EQ(x[7], z[7]);
}

TEST(FillFromEngine, FailsBeforeItChangesTheEngine) {
    rng::philox4x32 engine(9), same(9);
    std::vector<double> x(4);
    EXPECT_EQ(message_of([&] {
                  rng::fill(x, rng::normal{0.0, -1.0}, engine);
              }),
              "fill: normal: stddev must be in [0, 2^1000], got -1");
    EXPECT_TRUE(engine == same);
    rng::philox4x32 late(Stream<>{1, 0, Stream<>::size_words - 4}), as_late = late;
    EXPECT_NE(message_of([&] { rng::fill(x, rng::uniform{0.0, 1.0}, late); }), "no error");
    EXPECT_TRUE(late == as_late);
}

#if defined(RNG_ASSERTS) || !defined(NDEBUG)
TEST(DebugAssertions, NameDistributionParameterLimitAndValue) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    rng::philox4x32 engine(1);
    std::mt19937 other(1);
    EXPECT_DEATH((void)(rng::uniform_int{6, 1}(engine)),
                 "rng: dist\\(engine\\): uniform_int: hi must be at least lo, got 1");
    EXPECT_DEATH((void)(rng::uniform_int{6, 1}(other)),
                 "rng: dist\\(engine\\): uniform_int: hi must be at least lo, got 1");
    EXPECT_DEATH((void)(rng::normal{0.0, -1.0}(engine)),
                 "rng: dist\\(engine\\): normal: stddev must be in \\[0, 2\\^1000\\], got -1");
    rng::std_distribution d(rng::normal{0.0f, -1.0f});
    EXPECT_DEATH((void)d(other), "rng: dist\\(engine\\): normal: stddev must be in .*, got -1");
}
#endif

}  // namespace
