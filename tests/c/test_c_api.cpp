// The C interface gives what C++ gives: values of the whole catalogue, forks, states, permutations, the SVD; and it
// refuses what C++ refuses, with a code and a text.
#include <gtest/gtest.h>
#include <rng/rng.h>
#include <rng/rng.hpp>

#include <complex>
#include <cstddef>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

// The frozen layouts.
static_assert(sizeof(rng_stream) == 56 && offsetof(rng_stream, key) == 8 && offsetof(rng_stream, position) == 48);
static_assert(sizeof(rng_parameter) == 32 && offsetof(rng_parameter, real) == 24);
static_assert(sizeof(rng_distribution_info) == 40 && offsetof(rng_distribution_info, slot_words) == 32);
static_assert(sizeof(rng_fill_options) == 24 && offsetof(rng_fill_options, context) == 16);
static_assert(sizeof(rng_svd) == 104 && offsetof(rng_svd, center) == 72 && offsetof(rng_svd, v) == 96);
static_assert(RNG_OK == 0 && RNG_INVALID_ARGUMENT == 1 && RNG_END_OF_STREAM == 2 && RNG_UNSUPPORTED == 3 &&
              RNG_BAD_STATE == 4 && RNG_CUDA_FAILED == 5 && RNG_NO_MEMORY == 6 && RNG_STOPPED == 7 && RNG_FAILED == 8);

/// Frees its distribution.
struct Law {
    rng_distribution* made = nullptr;
    explicit Law(const char* name, const char* dtype = nullptr, const std::vector<rng_parameter>& parameters = {}) {
        EXPECT_EQ(rng_distribution_new(name, dtype, parameters.data(), parameters.size(), &made), RNG_OK)
            << rng_error_text();
    }
    Law(const Law&) = delete;
    Law& operator=(const Law&) = delete;
    ~Law() { rng_distribution_free(made); }
};

rng_stream stream_of_seed(uint64_t seed, const char* engine = nullptr, uint64_t id = 0) {
    rng_stream s{};
    EXPECT_EQ(rng_stream_init(&s, seed, engine, id), RNG_OK) << rng_error_text();
    return s;
}
bool same(const rng_stream& a, const rng_stream& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// The text of a call that fails with this code.
std::string text_of(rng_status expected, rng_status status) {
    EXPECT_EQ(status, expected) << rng_error_text();
    return rng_error_text();
}

TEST(CApi, FillsOfTheWholeCatalogueAreThoseOfCpp) {
    const rng::AnyStream stream = rng::AnyStream(42, rng::Engine::philox4x32_10, 7).at_position(3);
    rng_stream s = stream_of_seed(42, nullptr, 7);
    s.position = 3;
    for (const rng::DistributionInfo& info : rng::known_distributions()) {
        const rng::AnyDistribution expected(info.name, info.dtype);
        const Law law(info.name, info.dtype);
        rng_distribution_info its{};
        its.struct_bytes = sizeof its;
        ASSERT_EQ(rng_distribution_describe(law.made, &its), RNG_OK) << rng_error_text();
        EXPECT_STREQ(its.name, info.name);
        EXPECT_STREQ(its.dtype, info.dtype);
        EXPECT_EQ(its.value_bytes, info.value_bytes);
        EXPECT_EQ(its.slot_words, static_cast<uint64_t>(info.slot_words));
        constexpr std::size_t n = 100;
        std::vector<std::max_align_t> x(n * 2), y(n * 2);
        ASSERT_LE(info.value_bytes, sizeof(std::max_align_t));
        expected.fill(x.data(), n, stream, 5);
        ASSERT_EQ(rng_fill(law.made, &s, 5, y.data(), n, nullptr), RNG_OK) << rng_error_text();
        EXPECT_EQ(std::memcmp(x.data(), y.data(), n * info.value_bytes), 0) << info.name << ' ' << info.dtype;
    }
}

TEST(CApi, ParametersOfEveryKind) {
    const Law real("normal", "f32", {{"mean", RNG_REAL, 0, 10.0}, {"stddev", RNG_INTEGER, 2, 0}});
    float x = 0;
    const rng_stream s = stream_of_seed(1);
    ASSERT_EQ(rng_fill(real.made, &s, 9, &x, 1, nullptr), RNG_OK);
    EXPECT_EQ(x, rng::at(rng::Stream{1}, rng::normal{10.0f, 2.0f}, 9));
    constexpr uint64_t most = ~uint64_t{0};
    const Law natural("uniform_int", "u64",
                      {{"lo", RNG_NATURAL, static_cast<int64_t>(most - 9), 0}, {"hi", RNG_NATURAL, -1, 0}});
    uint64_t y = 0;
    ASSERT_EQ(rng_fill(natural.made, &s, 0, &y, 1, nullptr), RNG_OK);
    EXPECT_EQ(y, rng::at(rng::Stream{1}, rng::uniform_int<uint64_t>{most - 9, most}, 0));
}

TEST(CApi, StreamsOfEveryEngineAndTheirChildren) {
    rng::detail::for_each_in(rng::engines{}, [&]<class E>(rng::type_tag<E>) {
        const rng::Stream<E> expected(42, 5);
        const rng_stream s = stream_of_seed(42, rng::engine_name(E::number), 5);
        EXPECT_EQ(s.version, 1u);
        EXPECT_EQ(s.engine, static_cast<int32_t>(E::number));
        const auto expect_same = [](const rng_stream& a, const rng::Stream<E>& b) {
            const rng::detail::StreamRecord r = rng::detail::record(b);
            EXPECT_TRUE(std::equal(r.key, r.key + 4, a.key));
            EXPECT_EQ(a.id, r.id);
            EXPECT_EQ(a.position, r.position);
        };
        expect_same(s, expected);
        rng_stream child{};
        ASSERT_EQ(rng_stream_fork(&s, 7, &child), RNG_OK);
        expect_same(child, expected.fork(7));
        ASSERT_EQ(rng_stream_fork_name(&child, "wind", &child), RNG_OK);
        expect_same(child, expected.fork(7).fork("wind"));
    });
}

TEST(CApi, TheNextValuesAreThoseOfAGenerator) {
    rng::Generator gen(42);
    rng_stream s = stream_of_seed(42);
    const Law bits("bits", "u32"), normal("normal", "f64");
    for (const std::size_t n : {3u, 0u, 5u}) {
        std::vector<uint32_t> x(n), y(n);
        rng::fill(x, rng::bits<uint32_t>{}, gen);
        ASSERT_EQ(rng_fill_next(bits.made, &s, y.data(), n, nullptr), RNG_OK);
        EXPECT_EQ(x, y);
        std::vector<double> a(n), b(n);
        rng::fill(a, rng::normal{0.0, 1.0}, gen);
        ASSERT_EQ(rng_fill_next(normal.made, &s, b.data(), n, nullptr), RNG_OK);
        EXPECT_EQ(a, b);
        EXPECT_EQ(s.position, gen.position());
    }
}

TEST(CApi, StatesTravelBetweenCAndCpp) {
    const auto stream = rng::Stream<rng::Threefry4x64_20>(42).fork("x").at_position(12);
    rng::Generator gen(stream);
    EXPECT_EQ(gen.position(), 12u);
    EXPECT_EQ(gen.initial_seed(), stream.key[0]);
    rng_stream s{};
    const auto bytes = gen.get_state();
    ASSERT_EQ(bytes.size(), std::size_t{RNG_STATE_BYTES});
    ASSERT_EQ(rng_stream_load(&s, reinterpret_cast<const unsigned char*>(bytes.data())), RNG_OK) << rng_error_text();
    unsigned char state[RNG_STATE_BYTES];
    ASSERT_EQ(rng_stream_save(&s, state), RNG_OK);
    EXPECT_EQ(std::memcmp(state, bytes.data(), sizeof state), 0);
    rng::Generator again;
    again.set_state(std::as_bytes(std::span(state)));
    EXPECT_EQ(again.stream<rng::Threefry4x64_20>().position, 12u);
    const rng_stream before = s;
    state[20] ^= 1;
    EXPECT_EQ(text_of(RNG_BAD_STATE, rng_stream_load(&s, state)),
              "rng_stream_load: Generator::set_state: the checksum does not match: damaged bytes");
    EXPECT_TRUE(same(s, before));
}

TEST(CApi, Permutations) {
    const rng_stream s = stream_of_seed(3);
    for (const uint64_t n : {10u, 5000u}) {
        std::vector<uint64_t> x(n - 2);
        ASSERT_EQ(rng_permutation(&s, 4, n, 2, x.data(), x.size()), RNG_OK);
        const auto p = rng::permutation{n}.of(rng::Stream{3}, 4);
        for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], p.at(2 + i));
    }
    uint64_t x = 0;
    EXPECT_EQ(text_of(RNG_INVALID_ARGUMENT, rng_permutation(&s, 0, 3, 3, &x, 1)).rfind("rng_permutation: ", 0), 0u);
}

template <class T> void expect_svd(const char* dtype, bool center) {
    constexpr std::size_t m = 9, n = 5, q = 3;
    std::vector<T> a(m * n), u(m * q), v(n * q);
    std::vector<rng::detail::real_t<T>> s(q);
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = static_cast<T>(rng::at(rng::Stream{5}, rng::normal{0.0f, 1.0f}, i));
    rng::Generator gen(42);
    const auto view = rng::matrix_view<const T>::row_major(a.data(), m, n);
    const auto expected =
        center ? rng::pca_lowrank(view, {.q = q}, gen) : rng::svd_lowrank(view, rng::SvdOptions<T>{.q = q}, gen);
    const rng_svd call{sizeof(rng_svd), dtype,    m,        n,       a.data(), n, 1, q, 2,
                       center ? 1 : 0,  u.data(), s.data(), v.data()};
    rng_stream stream = stream_of_seed(42);
    ASSERT_EQ(rng_svd_lowrank(&call, &stream), RNG_OK) << rng_error_text();
    EXPECT_EQ(u, expected.U.values);
    EXPECT_EQ(s, expected.S);
    EXPECT_EQ(v, expected.V.values);
    EXPECT_EQ(stream.position, gen.position());
}
TEST(CApi, LowRankSvd) {
    for (const bool center : {false, true}) {
        expect_svd<float>("f32", center);
        expect_svd<double>("f64", center);
        expect_svd<std::complex<float>>("c64", center);
        expect_svd<std::complex<double>>("c128", center);
    }
}

TEST(CApi, ALongFillTellsItsProgressAndCanBeStopped) {
    struct Seen {
        std::vector<uint64_t> done;
        uint64_t stop_at;
    };
    const auto go_on = [](void* context, uint64_t done) -> int32_t {
        auto& seen = *static_cast<Seen*>(context);
        seen.done.push_back(done);
        return done < seen.stop_at;
    };
    const Law law("uniform", "f32");
    constexpr std::size_t n = 3'000'000;
    std::vector<float> x(n, -1.0f);
    rng_stream s = stream_of_seed(1);
    Seen whole{{}, n + 1}, part{{}, 1};
    rng_fill_options options{sizeof options, go_on, &whole};
    ASSERT_EQ(rng_fill(law.made, &s, 0, x.data(), n, &options), RNG_OK) << rng_error_text();
    EXPECT_EQ(whole.done.front(), 0u);
    EXPECT_EQ(whole.done.back(), n);
    EXPECT_GT(whole.done.size(), 2u);
    std::fill(x.begin(), x.end(), -1.0f);
    options.context = &part;
    const std::string text = text_of(RNG_STOPPED, rng_fill_next(law.made, &s, x.data(), n, &options));
    EXPECT_EQ(text,
              "rng_fill_next: go_on stopped the fill after " + std::to_string(part.done.back()) + " of 3000000 values");
    EXPECT_LT(part.done.back(), n);
    EXPECT_EQ(x.back(), -1.0f);
    EXPECT_EQ(s.position, n);
}

TEST(CApi, WhatIsRefused) {
    rng_stream s = stream_of_seed(1);
    const rng_stream before = s;
    rng_distribution* made = nullptr;
    const auto refused = [](rng_status status) { return text_of(RNG_INVALID_ARGUMENT, status); };
    EXPECT_EQ(refused(rng_stream_init(nullptr, 1, nullptr, 0)), "rng_stream_init: stream must not be null");
    EXPECT_EQ(refused(rng_stream_init(&s, 1, "mt19937", 0)),
              "rng_stream_init: engine must be one of philox4x32-10, philox4x32-7, philox4x64-10, threefry4x32-20, "
              "threefry4x64-20, got 'mt19937'");
    EXPECT_EQ(refused(rng_stream_fork(&s, uint64_t{1} << 56, &s)).rfind("rng_stream_fork: Stream::fork: ", 0), 0u);
    EXPECT_EQ(refused(rng_distribution_new("gauss", nullptr, nullptr, 0, &made)).rfind("rng_distribution_new: ", 0),
              0u);
    EXPECT_EQ(refused(rng_distribution_new("normal", "f32", nullptr, 1, &made)),
              "rng_distribution_new: parameters must not be null");
    const rng_parameter nameless{nullptr, RNG_REAL, 0, 0}, kindless{"mean", 3, 0, 0},
        negative{"stddev", RNG_REAL, 0, -1};
    EXPECT_EQ(refused(rng_distribution_new("normal", "f32", &nameless, 1, &made)),
              "rng_distribution_new: parameters[0].name must not be null");
    EXPECT_EQ(refused(rng_distribution_new("normal", "f32", &kindless, 1, &made)),
              "rng_distribution_new: the kind of parameter mean must be RNG_REAL (0), RNG_INTEGER (1) or RNG_NATURAL "
              "(2), got 3");
    EXPECT_NE(refused(rng_distribution_new("normal", "f32", &negative, 1, &made)).find("stddev must be"),
              std::string::npos);
    EXPECT_EQ(made, nullptr);
    const Law law("normal", "f32");
    float x[4] = {-1, -1, -1, -1};
    EXPECT_EQ(refused(rng_fill(nullptr, &s, 0, x, 4, nullptr)), "rng_fill: distribution must not be null");
    EXPECT_EQ(refused(rng_fill(law.made, nullptr, 0, x, 4, nullptr)), "rng_fill: stream must not be null");
    const rng_stream zero{};
    EXPECT_EQ(refused(rng_fill(law.made, &zero, 0, x, 4, nullptr)),
              "rng_fill: stream->version must be 1, got 0: call rng_stream_init first");
    rng_stream wrong = s;
    wrong.key[0] = uint64_t{1} << 40;  // Philox4x32 has keys of 32-bit words
    EXPECT_EQ(
        refused(rng_fill(law.made, &wrong, 0, x, 4, nullptr)),
        "rng_fill: stream has no key, id and position of an engine's stream (engine 0): call rng_stream_init first");
    rng_fill_options none{};
    EXPECT_EQ(refused(rng_fill(law.made, &s, 0, x, 4, &none)),
              "rng_fill: options->struct_bytes must be at least 24, got 0");
    EXPECT_NE(refused(rng_fill(law.made, &s, 0, nullptr, 4, nullptr)).find("null"), std::string::npos);
    rng_stream end = s;
    end.position = rng::Stream<>::size_words - 2;
    const rng_stream end_before = end;
    EXPECT_NE(text_of(RNG_END_OF_STREAM, rng_fill_next(law.made, &end, x, 4, nullptr)).find("leads past the end"),
              std::string::npos);
    EXPECT_TRUE(same(end, end_before));
    for (const float value : x) EXPECT_EQ(value, -1.0f);
    float a = 1, u = 0, v = 0;
    rng_svd svd{sizeof svd, "f16", 1, 1, &a, 1, 1, 1, 2, 0, &u, &u, &v};
    EXPECT_EQ(refused(rng_svd_lowrank(&svd, &s)), "rng_svd_lowrank: svd->dtype must be f32, f64, c64 or c128, got f16");
    svd.dtype = "f32";
    svd.u = nullptr;
    EXPECT_EQ(refused(rng_svd_lowrank(&svd, &s)), "rng_svd_lowrank: svd->u must not be null");
    svd.u = &u;
    svd.q = 2;
    EXPECT_EQ(refused(rng_svd_lowrank(&svd, &s)).rfind("rng_svd_lowrank: svd_lowrank: q ", 0), 0u);
    EXPECT_EQ(refused(rng_set_num_threads(-1)).rfind("rng_set_num_threads: ", 0), 0u);
    EXPECT_TRUE(same(s, before));
}

TEST(CApi, EachThreadHasItsOwnText) {
    (void)rng_stream_init(nullptr, 1, nullptr, 0);
    std::string other = "?";
    std::thread([&] { other = rng_error_text(); }).join();
    EXPECT_EQ(other, "");
    EXPECT_STREQ(rng_error_text(), "rng_stream_init: stream must not be null");
    EXPECT_STREQ(rng_version(), RNG_VERSION);
}

}  // namespace
