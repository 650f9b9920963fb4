// The numbers of NumPy, torch.func, torch's CUDA generator, oneMKL and cuRAND. peers.json has what NumPy, torch and MKL
// gave (make_peers.py); cuRAND's are in test_curand.cpp.
#include <gtest/gtest.h>
#include <rng/interop/mkl.hpp>
#include <rng/interop/numpy.hpp>
#include <rng/interop/torch.hpp>
#include <rng/rng.hpp>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::json;

Json peers() {
    std::ifstream file(std::string(RNG_REFERENCE_DIR) + "/../interop/peers.json");
    return Json::parse(file);
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
/// Fills, and single values, are these numbers.
template <class T, class D, class E>
void expect_values(const Json& list, const D& dist, const rng::Stream<E>& stream, const std::string& what) {
    const auto expected = numbers<T>(list);
    std::vector<T> x(expected.size());
    rng::fill(x, dist, stream);
    EXPECT_EQ(x, expected) << what;
    for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_EQ(rng::at(stream, dist, i), expected[i]) << what << ' ' << i;
}

TEST(Peers, NumPy) {
    for (const Json& row : peers().at("numpy")) {
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
    }
    EXPECT_EQ(rng::numpy::SeedSequence(42).generate_state(4),
              (std::vector<uint32_t>{3444837047u, 2669555309u, 2046530742u, 3581440988u}));
    rng::numpy::Generator g(rng::numpy::philox(1));
    try {
        (void)g.integers<int64_t>(3, -3, 1);
        FAIL() << "no error";
    } catch (const rng::Error& error) {
        EXPECT_STREQ(error.what(), "numpy::Generator::integers: low must be below high, got 3 and -3");
    }
}

TEST(Peers, TorchStateless) {
    for (const Json& row : peers().at("torch")) {
        const rng::torch::Key key{number(row.at("seed")), row.at("offset").get<uint64_t>()};
        const std::string what = row.at("seed").get<std::string>();
        expect_values<float>(row.at("uniform_f32"), rng::torch::uniform<float>{}, key.stream(), what);
        expect_values<double>(row.at("uniform_f64"), rng::torch::uniform<double>{}, key.stream(), what);
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
        }
}

TEST(Peers, Mkl) {
    for (const Json& row : peers().at("mkl")) {
        const auto real = [&](const char* name) { return std::stod(row.at(name).get<std::string>()); };
        const auto stream = rng::mkl::stream(row.at("seed").get<uint32_t>());
        const std::string what = row.at("seed").dump();
        expect_values<float>(row.at("f32"),
                             rng::mkl::uniform{static_cast<float>(real("a")), static_cast<float>(real("b"))}, stream,
                             what);
        expect_values<double>(row.at("f64"), rng::mkl::uniform{real("a"), real("b")}, stream, what);
    }
}

}  // namespace
