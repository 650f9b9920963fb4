// The numbers of NumPy, torch.func, torch's CUDA generator, oneMKL, TensorFlow and JAX. peers.json has what these gave
// (make_peers.py); cuRAND's are in test_curand.cpp.
#include <gtest/gtest.h>
#include <rng/interop/jax.hpp>
#include <rng/interop/mkl.hpp>
#include <rng/interop/numpy.hpp>
#include <rng/interop/tensorflow.hpp>
#include <rng/interop/torch.hpp>
#include <rng/rng.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::json;

/// The rows of a peer: at least one.
const Json& peers(const char* peer) {
    static const Json all = Json::parse(std::ifstream(std::string(RNG_REFERENCE_DIR) + "/../interop/peers.json"));
    const Json& rows = all.at(peer);
    EXPECT_GT(rows.size(), 0u);
    return rows;
}
uint64_t number(const Json& text) { return std::stoull(text.get<std::string>(), nullptr, 0); }
/// The numbers of a row whose bits are written in hexadecimal.
template <class T> std::vector<T> numbers(const Json& list) {
    std::vector<T> values;
    for (const Json& text : list) {
        const uint64_t bits = number(text);
        T value;
        std::memcpy(&value, &bits, sizeof value);  // little-endian: the lower bytes
        values.push_back(value);
    }
    return values;
}
template <class T> std::vector<T> integers(const Json& list) {
    std::vector<T> values;
    for (const Json& x : list) values.push_back(x.get<T>());
    return values;
}
std::vector<bool> booleans(const Json& list) {
    std::vector<bool> values;
    for (const Json& x : list) values.push_back(x.get<int>() != 0);
    return values;
}
template <class T> T integer(const Json& text) {
    const auto digits = text.get<std::string>();
    return static_cast<T>(digits[0] == '-' ? static_cast<uint64_t>(std::stoll(digits)) : std::stoull(digits));
}
/// make_peers.py's digest(), of numbers that come one by one.
template <class T> class Digest {
  public:
    void add(T x) {
        uint64_t bits = 0;
        std::memcpy(&bits, &x, sizeof x);
        sum_ += bits * weight_;
        weight_ += 2;
    }
    [[nodiscard]] uint64_t value() const { return sum_; }

  private:
    uint64_t sum_ = 0, weight_ = 1;
};

/// Fills, single values and a fill from value 3 on are these numbers. `source` is a stream or a peer's key.
template <class D, class S>
void expect_values(const std::vector<rng::result_t<D>>& expected, const D& dist, const S& source,
                   const std::string& what) {
    // No std::vector<bool>.
    const auto x = std::make_unique<rng::result_t<D>[]>(expected.size());
    const std::span all(x.get(), expected.size());
    fill(all, dist, source);
    const std::vector<rng::result_t<D>> made(all.begin(), all.end());
    EXPECT_EQ(made, expected) << what;
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(at(source, dist, i), expected[i]) << what << ' ' << i;
    fill(all.subspan(3), dist, source, 3);
    EXPECT_TRUE(std::equal(all.begin(), all.end(), expected.begin())) << what;
}
template <class T, class D, class S>
void expect_values(const Json& list, const D& dist, const S& source, const std::string& what) {
    expect_values(numbers<T>(list), dist, source, what);
}

/// The text of the error that f throws.
template <class F> std::string message(const F& f) {
    try {
        f();
    } catch (const rng::Error& error) {
        return error.what();
    }
    return "no error";
}

/// Draws of a ziggurat are those of a row; see ziggurat_row() of make_peers.py.
template <class T, class F> void expect_ziggurat(const Json& row, double tail, const F& draw, const std::string& what) {
    const auto first = numbers<T>(row.at("first"));
    Digest<T> digest;
    for (std::size_t i = 0; i < 1'000'000; ++i) {
        const T x = draw();
        if (i < first.size()) {
            ASSERT_EQ(x, first[i]) << what << ' ' << i;
        }
        digest.add(std::abs(x) > static_cast<T>(tail) ? std::copysign(T(1), x) : x);
    }
    EXPECT_EQ(digest.value(), number(row.at("digest"))) << what;
}

TEST(Peers, NumPy) {
    for (const Json& row : peers("numpy")) {
        std::vector<uint64_t> entropy;
        for (const Json& x : row.at("entropy")) entropy.push_back(number(x));
        rng::numpy::SeedSequence seed(entropy);
        if (!row.at("spawned").is_null()) seed = seed.spawn(row.at("spawned").get<int>());
        const std::string what = row.at("entropy").dump();
        EXPECT_EQ(seed.generate_state(8), numbers<uint32_t>(row.at("state"))) << what;
        const auto stream = rng::numpy::philox(seed);
        expect_values<uint64_t>(row.at("raw"), rng::bits<uint64_t>{}, stream, what);
        expect_values<double>(row.at("random"), rng::uniform{0.0, 1.0}, stream, what);
        expect_values<float>(row.at("random_f32"), rng::uniform{0.0f, 1.0f}, stream, what);
        expect_values<double>(row.at("uniform"), rng::numpy::uniform{-1.5, 2.25}, stream, what);
        rng::numpy::Generator g(stream);
        for (const Json& draw : row.at("integers")) {
            const auto low = std::stoll(draw.at("low").get<std::string>()),
                       high = std::stoll(draw.at("high").get<std::string>());
            std::vector<int64_t> expected;
            for (const Json& text : draw.at("values")) expected.push_back(std::stoll(text.get<std::string>()));
            EXPECT_EQ(g.integers<int64_t>(low, high, expected.size()), expected) << what << draw;
        }
        std::vector<uint32_t> expected;
        for (const Json& text : row.at("integers_u32"))
            expected.push_back(static_cast<uint32_t>(std::stoull(text.get<std::string>())));
        EXPECT_EQ(g.integers<uint32_t>(3, 3u << 30, expected.size()), expected) << what;
        EXPECT_EQ(g.permutation(23), row.at("permutation").get<std::vector<int64_t>>()) << what;
        g = rng::numpy::Generator(stream);
        constexpr double normal_tail = 3.6541528853610088, exponential_tail = 7.69711747013104972;
        expect_ziggurat<double>(
            row.at("standard_normal"), normal_tail, [&] { return g.standard_normal(); }, what);
        expect_ziggurat<float>(
            row.at("standard_normal_f32"), normal_tail, [&] { return g.standard_normal<float>(); }, what);
        expect_ziggurat<double>(
            row.at("standard_exponential"), exponential_tail, [&] { return g.standard_exponential(); }, what);
        expect_ziggurat<float>(
            row.at("standard_exponential_f32"), exponential_tail, [&] { return g.standard_exponential<float>(); },
            what);
        for (const double x : numbers<double>(row.at("normal"))) EXPECT_EQ(g.normal(-1.5, 0.3), x) << what;
        for (const double x : numbers<double>(row.at("exponential"))) EXPECT_EQ(g.exponential(0.3), x) << what;
        EXPECT_EQ(g.next64(), number(row.at("raw_after").at(0))) << what;
        g = rng::numpy::Generator(stream);
        for (const double x : numbers<double>(row.at("random"))) EXPECT_EQ(g.random(), x) << what;
        g = rng::numpy::Generator(stream);
        for (const float x : numbers<float>(row.at("random_f32"))) EXPECT_EQ(g.random<float>(), x) << what;
    }
    EXPECT_EQ(rng::numpy::SeedSequence(42).generate_state(4),
              (std::vector<uint32_t>{3444837047u, 2669555309u, 2046530742u, 3581440988u}));
    rng::numpy::Generator g(rng::numpy::philox(1));
    EXPECT_EQ(message([&] { (void)g.integers<int64_t>(3, -3, 1); }),
              "numpy::Generator::integers: low must be below high, got 3 and -3");
}

TEST(Peers, TorchStateless) {
    for (const Json& row : peers("torch")) {
        const rng::torch::Key key{number(row.at("seed")), number(row.at("offset"))};
        const std::string what = row.at("seed").dump() + row.at("offset").dump();
        expect_values<float>(row.at("uniform_f32"), rng::torch::uniform<float>{}, key, what);
        expect_values<double>(row.at("uniform_f64"), rng::torch::uniform<double>{}, key, what);
        const auto folded = numbers<uint64_t>(row.at("fold_in")), split = numbers<uint64_t>(row.at("split"));
        EXPECT_EQ(key.fold_in(5), (rng::torch::Key{folded.at(0), folded.at(1)})) << what;
        const auto children = key.split(3);
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_EQ(children[i], (rng::torch::Key{split.at(2 * i), split.at(2 * i + 1)})) << what << ' ' << i;
    }
}

/// The loop of ATen's kernel, thread by thread, with cuRAND's states as streams.
std::vector<float> rand_of_aten(uint64_t seed, uint64_t offset, const rng::torch::Gpu& gpu, uint64_t n) {
    const uint64_t block = 256, per_gpu = gpu.multiprocessors * (gpu.threads_per_multiprocessor / block);
    const uint64_t grid = std::min(per_gpu, (n + block - 1) / block), threads = grid * block;
    const uint64_t rounded = ((n - 1) / (threads * 4) + 1) * threads * 4;
    std::vector<float> out(n, -1.0f);
    for (uint64_t thread = 0; thread < threads; ++thread) {
        uint64_t position = offset;  // curand_init(seed, thread, offset, &state)
        for (uint64_t first = thread; first < rounded; first += 4 * threads)
            for (uint64_t k = 0; k < 4; ++k, ++position) {
                const uint32_t w = rng::word(rng::Stream<>(seed, thread), position);
                const float u = static_cast<float>(w) * 0x1p-32f + 0x1p-33f;
                if (const uint64_t i = first + k * threads; i < n) out[i] = u == 1.0f ? 0.0f : u;
            }
    }
    return out;
}
TEST(Peers, TorchCudaRand) {
    for (const uint64_t n : {1u, 255u, 1000u, 70'001u})
        for (const uint32_t multiprocessors : {2u, 108u}) {
            const rng::torch::Gpu gpu{multiprocessors, 2048};
            const auto expected = rand_of_aten(42, 8, gpu, n);
            for (uint64_t i = 0; i < n; ++i)
                ASSERT_EQ(rng::torch::cuda_rand(42, 8, gpu, n, i), expected[i]) << n << ' ' << i;
            std::vector<float> x(n);
            rng::torch::fill_cuda_rand(x, 42, 8, gpu, n);
            EXPECT_EQ(x, expected) << n;
            rng::torch::fill_cuda_rand(std::span(x).subspan(n / 2), 42, 8, gpu, n, n / 2);
            EXPECT_EQ(x, expected) << n;
        }
    std::vector<float> x(3);
    EXPECT_EQ(message([&] {
                  rng::torch::fill_cuda_rand(x, 42, 0, {0, 2048}, 3);
              }),
              "torch::fill_cuda_rand: the GPU must have a multiprocessor of 256 threads at least, got 0 of 2048 "
              "threads");
    EXPECT_EQ(message([&] {
                  rng::torch::fill_cuda_rand(x, 42, 0, {2, 2048}, 3, 1);
              }),
              "torch::fill_cuda_rand: the elements must end by n = 3, got 3 from 1 on");
}

TEST(Peers, Mkl) {
    for (const Json& row : peers("mkl")) {
        const auto real = [&](const char* name) { return std::stod(row.at(name).get<std::string>()); };
        const auto stream = rng::mkl::stream(row.at("seed").get<uint32_t>());
        const std::string what = row.at("seed").dump();
        expect_values<float>(row.at("f32"),
                             rng::mkl::uniform{static_cast<float>(real("a")), static_cast<float>(real("b"))}, stream,
                             what);
        expect_values<double>(row.at("f64"), rng::mkl::uniform{real("a"), real("b")}, stream, what);
    }
}

/// All laws of a row of TensorFlow's numbers.
void expect_tensorflow(const Json& row, const rng::Stream<>& stream, const std::string& what) {
    namespace tf = rng::tensorflow;
    expect_values<uint32_t>(row.at("words"), rng::bits<uint32_t>{}, stream, what);
    expect_values<uint64_t>(row.at("words64"), rng::bits<uint64_t>{}, stream, what);
    expect_values<float>(row.at("f32"), tf::uniform<float>{}, stream, what);
    expect_values<double>(row.at("f64"), tf::uniform<double>{}, stream, what);
    expect_values<float>(row.at("between_f32"), tf::uniform{-1.5f, 2.2f}, stream, what);
    expect_values<double>(row.at("between_f64"), tf::uniform{-1.5, 2.2}, stream, what);
    const auto expect_integers = [&]<class T>(const char* name, T) {
        const Json& law = row.at(name);
        const T low = integer<T>(law.at("low")), high = integer<T>(law.at("high"));
        expect_values(integers<T>(law.at("values")), tf::uniform_int{low, high}, stream, what + name);
    };
    expect_integers("i32", int32_t{});
    expect_integers("i32_wide", int32_t{});
    expect_integers("i64", int64_t{});
}
TEST(Peers, TensorFlow) {
    namespace tf = rng::tensorflow;
    for (const Json& row : peers("tensorflow")) {
        const std::string what = row.begin().key() + row.begin().value().dump();
        if (row.contains("stateless")) {
            const Json& seed = row.at("stateless");
            expect_tensorflow(row, tf::stateless(integer<uint64_t>(seed.at(0)), integer<uint64_t>(seed.at(1))), what);
        } else if (row.contains("generator")) {
            const auto seed = row.at("generator").get<uint64_t>();
            expect_tensorflow(row, tf::generator(seed), what);
            expect_values<float>(row.at("second_f32"), tf::uniform<float>{}, tf::generator(seed, 3), what);
        } else {
            const auto stream = tf::op(row.at("set_seed").get<int64_t>(), row.at("op_seed").get<int64_t>());
            expect_values<float>(row.at("f32"), tf::uniform<float>{}, stream, what + row.at("set_seed").dump());
        }
    }
    EXPECT_EQ(message([] { (void)tf::generator(1, uint64_t{1} << 48); }),
              "tensorflow::generator: seed + 256 drawn must be below 2^56, got seed 1 and drawn 281474976710656");
    std::vector<int> x(3, 7);
    EXPECT_EQ(message([&] {
                  rng::fill(x, tf::uniform_int{5, 5}, rng::Stream{1});
              }),
              "fill: tensorflow::uniform_int: high must be above low, got 5");
    EXPECT_EQ(x, std::vector<int>(3, 7));
}
/// Words modulo n, for each kind of n.
TEST(Peers, TensorFlowIntegersOfEachRange) {
    for (const uint64_t n : {uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{1} << 31, (uint64_t{1} << 32) - 1}) {
        const rng::tensorflow::uniform_int<uint32_t> dist{0, static_cast<uint32_t>(n)};
        const rng::tensorflow::uniform_int<uint64_t> wide{5, 5 + n}, widest{5, 5 + (n << 31)};
        for (uint64_t i = 0; i < 1000; ++i) {
            const rng::Stream<> s{42};
            ASSERT_EQ(at(s, dist, i), at(s, rng::bits<uint32_t>{}, i) % n) << n;
            ASSERT_EQ(at(s, wide, i), 5 + at(s, rng::bits<uint64_t>{}, i) % n) << n;
            ASSERT_EQ(at(s, widest, i), 5 + at(s, rng::bits<uint64_t>{}, i) % (n << 31)) << n;
        }
    }
}

TEST(Peers, Jax) {
    namespace jax = rng::jax;
    for (const Json& row : peers("jax")) {
        const jax::Key key(row.at("seed").get<uint64_t>());
        const std::string what = row.at("seed").dump();
        const auto children = numbers<uint32_t>(row.at("split")), folded = numbers<uint32_t>(row.at("fold_in"));
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_EQ(key.split(3).at(i), (jax::Key{children.at(2 * i), children.at(2 * i + 1)})) << what;
        EXPECT_EQ(key.fold_in(0x80000005u), (jax::Key{folded.at(0), folded.at(1)})) << what;
        expect_values<uint8_t>(row.at("bits8"), jax::bits<uint8_t>{}, key, what);
        expect_values<uint16_t>(row.at("bits16"), jax::bits<uint16_t>{}, key, what);
        expect_values<uint32_t>(row.at("bits32"), jax::bits<uint32_t>{}, key, what);
        expect_values<uint64_t>(row.at("bits64"), jax::bits<uint64_t>{}, key, what);
        expect_values<float>(row.at("f32"), jax::uniform<float>{}, key, what);
        expect_values<double>(row.at("f64"), jax::uniform<double>{}, key, what);
        expect_values<float>(row.at("between_f32"), jax::uniform{-1.5f, 2.2f}, key, what);
        expect_values<double>(row.at("between_f64"), jax::uniform{-1.5, 2.2}, key, what);
        expect_values(booleans(row.at("bernoulli_f32")), jax::bernoulli{0.3f}, key, what);
        expect_values(booleans(row.at("bernoulli_f64")), jax::bernoulli{0.3}, key, what);
        for (const Json& law : row.at("randint")) {
            const auto expect_integers = [&]<class T>(T) {
                expect_values(integers<T>(law.at("values")),
                              jax::randint{integer<T>(law.at("low")), integer<T>(law.at("high"))}, key, what);
            };
            if (law.at("bits") == 32)
                expect_integers(int32_t{});
            else
                expect_integers(int64_t{});
        }
        EXPECT_EQ(jax::permutation(key, 1), row.at("permutations").at(0).get<std::vector<int64_t>>()) << what;
        EXPECT_EQ(jax::permutation(key, 23), row.at("permutations").at(1).get<std::vector<int64_t>>()) << what;
        Digest<int64_t> digest;
        for (const int64_t x : jax::permutation(key, 5000)) digest.add(x);
        EXPECT_EQ(digest.value(), number(row.at("permutation_digest"))) << what;
    }
    EXPECT_TRUE(jax::permutation(jax::Key(1), 0).empty());
    std::vector<int> x(3);
    EXPECT_EQ(message([&] {
                  jax::fill(x, jax::randint{3, -3}, jax::Key(1));
              }),
              "jax::fill: randint: high must be above low, got -3");
    std::vector<float> many(100'000);  // on several threads
    jax::fill(many, jax::uniform<float>{}, jax::Key(1));
    for (std::size_t i = 0; i < many.size(); i += 997)
        ASSERT_EQ(many[i], jax::at(jax::Key(1), jax::uniform<float>{}, i)) << i;
}

}  // namespace
