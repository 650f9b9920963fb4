// All 2^32 words of the f32 maps' elementary functions: the same bits on every lane, their largest errors, and that the
// quantile never steps back. Minutes on two cores.
#include <gtest/gtest.h>
#include <rng/isa.hpp>

#include <algorithm>
#include <atomic>
#include <boost/math/special_functions/erf.hpp>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "oracles.hpp"

namespace {

using namespace exhaustive;

constexpr std::size_t chunks = 256, chunk_size = (std::size_t{1} << 32) / chunks;
constexpr uint64_t fnv_start = 0xcbf29ce484222325u, fnv_prime = 0x100000001b3u;

/// What one pass over all words finds out.
struct Findings {
    uint64_t hash[functions];  // FNV-1a of 32-bit words: of each chunk, then of these
    double error[functions] = {};
    std::size_t steps_back = 0;
};

struct Chunk {
    uint64_t hash[functions] = {fnv_start, fnv_start, fnv_start, fnv_start};
    double error[functions] = {};
    float first_quantile = 0, last_quantile = 0;
    std::size_t steps_back = 0;
};

void take_errors(uint32_t first, const Block& block, Chunk& chunk) {
    const bool upper = first >> 31;
    static thread_local double exact[block_size];
    quantiles(upper ? ~(first + static_cast<uint32_t>(block_size) - 1) : first, exact);
    for (std::size_t i = 0; i < block_size; ++i) {
        const uint32_t w = first + static_cast<uint32_t>(i);
        const Magnitudes trig = cos_sin(w);
        const double z = upper ? -exact[block_size - 1 - i] : exact[i];
        const double expected[functions] = {neglog(w), trig.cosine, trig.sine, z};
        for (int f = 0; f < functions; ++f) {
            const double sign = expected[f] < 0 ? -1 : 1;
            const float value = static_cast<float>(sign) * block.value[f][i];
            chunk.error[f] = std::max(chunk.error[f], ulps(value, sign * expected[f]));
        }
    }
}

Chunk examine(Evaluate& evaluate, std::size_t index, bool measure) {
    Chunk chunk;
    const auto block = std::make_unique<Block>();
    for (std::size_t done = 0; done < chunk_size; done += block_size) {
        const auto first = static_cast<uint32_t>(index * chunk_size + done);
        evaluate(first, *block);
        for (std::size_t i = 0; i < block_size; ++i)
            for (int f = 0; f < functions; ++f)
                chunk.hash[f] = (chunk.hash[f] ^ std::bit_cast<uint32_t>(block->value[f][i])) * fnv_prime;
        const float* z = block->value[3];
        if (done == 0) chunk.first_quantile = chunk.last_quantile = z[0];
        for (std::size_t i = 0; i < block_size; ++i) {
            chunk.steps_back += !(chunk.last_quantile <= z[i]);
            chunk.last_quantile = z[i];
        }
        if (measure) take_errors(first, *block, chunk);
    }
    return chunk;
}

Findings examine_all(Evaluate& evaluate, bool measure) {
    std::vector<Chunk> results(chunks);
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i; (i = next++) < chunks;) results[i] = examine(evaluate, i, measure);
    };
    std::thread second(work);
    work();
    second.join();

    Findings all{{fnv_start, fnv_start, fnv_start, fnv_start}};
    for (std::size_t i = 0; i < chunks; ++i) {
        for (int f = 0; f < functions; ++f) {
            all.hash[f] = (all.hash[f] ^ results[i].hash[f]) * fnv_prime;
            all.error[f] = std::max(all.error[f], results[i].error[f]);
        }
        all.steps_back += results[i].steps_back;
        if (i > 0) all.steps_back += !(results[i - 1].last_quantile <= results[i].first_quantile);
    }
    return all;
}

constexpr uint64_t golden[functions] = {0x2303f4dc8d4c4e9a, 0x21aaf1bf4808088d, 0x4e52359df37b98fd, 0x85e2d2e1bb938255};
// The largest errors as docs/contract.md states them: rounded up to two digits.
constexpr double greatest[functions] = {1.25, 1.15, 1.15, 1.97};

void expect_golden(const Findings& found, const char* path) {
    for (int f = 0; f < functions; ++f)
        EXPECT_EQ(found.hash[f], golden[f])
            << function_names[f] << " on " << path << std::hex << " 0x" << found.hash[f];
    EXPECT_EQ(found.steps_back, 0u) << path;
}

bool has(rng::Isa isa) {
    const auto isas = rng::available_isas();
    return std::find(isas.begin(), isas.end(), isa) != isas.end();
}

TEST(ExhaustiveF32, ScalarBitsAndErrors) {
#if defined(__x86_64__)
    if (!has(rng::Isa::avx2)) GTEST_SKIP() << "path_scalar.cpp is compiled with FMA";
#endif
    const Findings found = examine_all(scalar, true);
    expect_golden(found, "scalar");
    for (int f = 0; f < functions; ++f) {
        std::printf("%-8s largest error %.4f ulp, hash 0x%016llx\n", function_names[f], found.error[f],
                    static_cast<unsigned long long>(found.hash[f]));
        EXPECT_LE(found.error[f], greatest[f]) << function_names[f];
        EXPECT_GT(found.error[f], greatest[f] - 0.02) << function_names[f] << ": docs/contract.md states more";
    }
}

#if defined(__x86_64__)
TEST(ExhaustiveF32, Avx2Bits) {
    if (!has(rng::Isa::avx2)) GTEST_SKIP() << "this machine has no AVX2";
    expect_golden(examine_all(avx2, false), "avx2");
}
TEST(ExhaustiveF32, Avx512Bits) {
    if (!has(rng::Isa::avx512)) GTEST_SKIP() << "this machine has no AVX-512";
    expect_golden(examine_all(avx512, false), "avx512");
}
#elif defined(__aarch64__)
TEST(ExhaustiveF32, NeonBits) { expect_golden(examine_all(neon, false), "neon"); }
#endif

// The oracles in double against long double: they decide on hundredths of an ulp.
TEST(ExhaustiveF32, Oracles) {
    std::mt19937_64 entropy(1);
    double exact[block_size], worst = 0;
    const auto difference = [](double a, long double b) {
        return std::abs(static_cast<double>(static_cast<long double>(a) - b)) /
               (std::abs(static_cast<double>(b)) * 0x1p-24);
    };
    for (int k = 0; k < 400; ++k) {
        const auto w = static_cast<uint32_t>(entropy() >> (33 + entropy() % 31));
        const long double p = (w + 0.5L) * 0x1p-32L;
        const uint32_t first = w & ~static_cast<uint32_t>(block_size - 1);
        quantiles(first, exact);
        const long double angle = 2 * std::numbers::pi_v<long double> * p;
        worst = std::max({worst, difference(exact[w - first], quantile(p)), difference(neglog(w), -std::log(p)),
                          difference(neglog(~w), -std::log1p(-p)), difference(cos_sin(w).sine, std::sin(angle)),
                          difference(cos_sin(w).cosine, std::abs(std::cos(angle)))});
    }
    EXPECT_LT(worst, 0.01);
}

}  // namespace
