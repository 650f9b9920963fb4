// The library's code for AVX-512, emulated by SIMDe (emulated_avx512/immintrin.h), against that for AVX2 or plain
// loops: what a machine without AVX-512 compiles, and would never run. Goldens and fills on a machine with AVX-512 show
// more; this shows mistakes before such a machine is at hand.
#define RNG_ABI_NAMESPACE v1_emulated_avx512
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "../../src/cpu/count_lanes.hpp"
#include "../../src/cpu/kernels.hpp"
#include "../../src/cpu/lane_avx2.hpp"
#include "../../src/cpu/lane_avx512.hpp"
#include "../../src/cpu/row_lanes.hpp"
#include "../../src/cpu/sobol_lanes.hpp"
#include "../../src/cpu/sparse_blocks.hpp"
#include "../../src/cpu/vector_avx512.hpp"
#include "../support/paths.hpp"

namespace {

using rng::wide::Avx2;
using rng::wide::Avx512;
using rng::wide::Unrolled2;

constexpr std::size_t n = 256;

class EmulatedAvx512 : public testing::Test {
  protected:
    void SetUp() override {
        if (__builtin_cpu_supports("avx2") == 0) GTEST_SKIP() << "this machine has no AVX2";
    }
    std::mt19937_64 entropy{5};

    template <class Word> std::vector<Word> words(std::size_t count) {
        std::vector<Word> result(count);
        for (Word& word : result) word = static_cast<Word>(entropy());
        return result;
    }
};

/// The values that a map decides, and the places of the others, by its functions over one lane. The words of a value
/// come from `words`.
template <class T> struct Applied {
    std::vector<T> values;
    std::vector<uint32_t> undecided;

    template <class Map>
    Applied(rng_abi::MapFunctions::Apply apply, const Map& map, const std::vector<uint32_t>& words)
        : values(n), undecided(n) {
        undecided.resize(apply(&map, words.data(), values.data(), n, undecided.data()));
        std::sort(undecided.begin(), undecided.end());
        for (const uint32_t i : undecided) values[i] = T{};  // what stands there is of no meaning
    }
};

template <class D, class L> constexpr rng_abi::MapFunctions functions() {
    return rng::lane::map_functions<D, L, Unrolled2<L>>();
}

// ---- blocks of many streams

TEST_F(EmulatedAvx512, BlocksOfManyStreams) {
    using Philox = rng::Philox4x32_10::algorithm;
    using Vectors = rng::wide::VectorPhiloxBlocks<rng::wide::Avx512x64, 10>;
    using Loops = rng::wide::LoopedBlocks<Philox>;
    constexpr std::size_t blocks = rng::wide::blocks_together;
    for (int k = 0; k < 50; ++k) {
        const auto names = words<uint32_t>(4 * blocks), domains = words<uint32_t>(blocks);
        const auto numbers = words<uint64_t>(blocks);
        std::vector<uint32_t> made(4 * blocks), expected(made);
        Vectors::of_children(names.data(), numbers[0] >> 8, 7, made.data());
        Loops::of_children(names.data(), numbers[0] >> 8, 7, expected.data());
        EXPECT_EQ(made, expected);
        std::vector<uint64_t> number = numbers;
        std::vector<uint32_t> domain = domains;
        for (uint64_t& x : number) x >>= 8;
        for (uint32_t& x : domain) x %= 64;
        Philox::key_type key{};
        key[0] = names[0], key[1] = names[1];
        Vectors::of_stream(number.data(), domain.data(), numbers[1], key, made.data());
        Loops::of_stream(number.data(), domain.data(), numbers[1], key, expected.data());
        EXPECT_EQ(made, expected);
    }
}

// ---- maps of every distribution

TEST_F(EmulatedAvx512, Maps) {
    const auto expect = [&]<class D>(const D& dist, const std::string& name) {
        constexpr auto emulated = functions<D, Avx512>(), expected = functions<D, Avx2>();
        const auto map = dist.map();
        const auto input = words<uint32_t>(2 * n * D::slot_words);
        const Applied<rng::result_t<D>> made(emulated.apply, map, input), want(expected.apply, map, input);
        EXPECT_EQ(made.undecided, want.undecided) << name;
        EXPECT_TRUE(support::same_bits(made.values, want.values)) << name;
    };
    support::for_each_kind(expect);
    expect(rng::noncentral_chi_squared<float>{5, 1000}, "noncentral_chi_squared f32");
    expect(rng::noncentral_chi_squared<double>{0.5, 2}, "noncentral_chi_squared f64");
    expect(rng::noncentral_f<float>{5, 7, 2}, "noncentral_f f32");
    expect(rng::noncentral_f<float>{0.5f, 0.7f, 2}, "noncentral_f of few degrees");
    expect(rng::student_t<double>{2.5}, "student_t f64");
    expect(rng::von_mises<float>{0, 4}, "von_mises f32");
    expect(rng::poisson<int32_t>{200}, "poisson i32");
    expect(rng::binomial<int64_t>{1000, 0.3}, "binomial i64");
    expect(rng::zipf<int64_t>{1.5}, "zipf i64");
}

// ---- counts whose laws differ

template <bool Binomial> void expect_counts(std::mt19937_64& entropy) {
    std::uniform_real_distribution<double> unit(0, 1);
    for (int k = 0; k < 60; ++k) {
        const std::size_t count = 1 + entropy() % 700;
        std::vector<uint64_t> trials(count), word(count), made(count, 1), expected(count, 2);
        std::vector<double> p(count);
        for (std::size_t i = 0; i < count; ++i) {
            trials[i] = i % 17 == 0 ? 0 : entropy() >> (2 + entropy() % 62);
            p[i] = i % 20 == 0 ? 0 : !Binomial ? std::exp2(60 * unit(entropy) - 20) : unit(entropy);
            if (Binomial && i % 3 == 0) p[i] *= std::exp2(-60 * unit(entropy));
            word[i] = entropy();
        }
        const uint64_t* const given = Binomial ? trials.data() : nullptr;
        rng::wide::CountLanes<Unrolled2<Avx512>, Binomial>::write(given, p.data(), word.data(), made.data(), count);
        rng::wide::CountLanes<Unrolled2<Avx2>, Binomial>::write(given, p.data(), word.data(), expected.data(), count);
        EXPECT_EQ(made, expected);
    }
}
TEST_F(EmulatedAvx512, CountsOfLawsThatDiffer) {
    expect_counts<true>(entropy);
    expect_counts<false>(entropy);
}

TEST_F(EmulatedAvx512, Mixtures) {
    const auto expect = [&]<class D>(const D& dist) {
        constexpr auto emulated = rng::wide::mixture_functions<D, Avx512>();
        constexpr auto expected = rng::wide::mixture_functions<D, Avx2>();
        const auto map = dist.map();
        const auto input = words<uint32_t>(n * D::slot_words);
        Applied<double> made(emulated.mean, map, input), want(expected.mean, map, input);
        EXPECT_EQ(made.undecided, want.undecided);
        EXPECT_TRUE(support::same_bits(made.values, want.values));
        const auto word = words<uint64_t>(n);
        std::vector<rng::result_t<D>> values(n), wanted(n);
        emulated.mixed(&map, made.values.data(), word.data(), values.data(), n);
        expected.mixed(&map, made.values.data(), word.data(), wanted.data(), n);
        EXPECT_TRUE(support::same_bits(values, wanted));
    };
    expect(rng::negative_binomial<int32_t>{5, 0.01});
    expect(rng::negative_binomial<int64_t>{0.7, 0.001});
}

// ---- rows

template <class D> void expect_rows(const D& dist, std::mt19937_64& entropy) {
    using T = rng::result_t<D>;
    constexpr std::size_t height = 64;
    std::normal_distribution<T> normal;
    for (const T scale : {T(1), T(100)}) {
        std::vector<T> made(height * dist.row_size());
        for (T& x : made) x = scale * normal(entropy);
        std::vector<T> expected = made;
        ASSERT_EQ((rng::wide::finish_rows<D, Avx512>(&dist, made.data(), height, height)), height);
        ASSERT_EQ((rng::wide::finish_rows<D, Avx2>(&dist, expected.data(), height, height)), height);
        EXPECT_TRUE(support::same_bits(made, expected)) << D::name;
    }
}
template <class T> void expect_rows_of(std::mt19937_64& entropy) {
    const std::vector<T> alpha{T(0.3), 1, T(2.5), 7}, ones(4, 1), mean{1, 2, 3},
        factor{2, 0, 0, T(0.5), 3, 0, 1, 2, T(0.7)};
    expect_rows(rng::dirichlet(alpha), entropy);
    expect_rows(rng::dirichlet(ones), entropy);
    expect_rows(rng::multivariate_normal(mean, factor), entropy);
    expect_rows(rng::wishart(T(5), factor), entropy);
}
TEST_F(EmulatedAvx512, Rows) {
    expect_rows_of<float>(entropy);
    expect_rows_of<double>(entropy);
}

// ---- Sobol points

template <class T> void expect_points(const std::vector<uint64_t>& table, const std::vector<uint64_t>& first) {
    constexpr std::size_t rows = 37, dimensions = 70, stride = rng_abi::SobolWalk::most_columns;
    for (const std::size_t columns : {8u, 9u, 13u, 31u, 32u, 33u, 63u, 64u}) {
        std::vector<uint64_t> next = first, point = first;
        std::vector<T> made(rows * stride, T(3)), expected = made;
        const rng_abi::SobolWalk walk{table.data(), dimensions, 12345, rows, columns, next.data(), stride};
        ASSERT_TRUE((rng::wide::sobol_points<Avx512, T>(walk, made.data())));
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j) {
                constexpr int digits = std::numeric_limits<T>::digits;
                expected[i * stride + j] = std::ldexp(static_cast<T>(point[j] >> (64 - digits)), -digits);
                point[j] ^= table[static_cast<std::size_t>(__builtin_ctzll(12346 + i)) * dimensions + j];
            }
        EXPECT_TRUE(support::same_bits(made, expected)) << columns;
        EXPECT_EQ(next, point) << columns;
    }
}
TEST_F(EmulatedAvx512, SobolPoints) {
    const auto table = words<uint64_t>(70 * 64 + 64), first = words<uint64_t>(64);
    expect_points<float>(table, first);
    expect_points<double>(table, first);
}

}  // namespace
