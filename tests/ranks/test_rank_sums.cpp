// Reductions over ranks give the bits of rng::sum and its companions, which have an oracle in tests/reduce.
#include <gtest/gtest.h>

#include <rng/reduce.hpp>
#include <rng/reduce/rank_sums.hpp>
#include <rng/rng.hpp>

#include <complex>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "../support/ranks.hpp"

namespace {

using rng::ErrorCode;
using support::expect_agreed_error;

const int rank_counts[] = {1, 2, 3, 5, 7};

template <class T> std::vector<T> numbers(size_t n, uint64_t seed, double factor) {
    const std::vector<double> x = rng::sample(rng::normal{0.25, 1.0}, 2 * n, rng::Stream<>{seed});
    std::vector<T> values;
    for (size_t i = 0; i < n; ++i) {
        if constexpr (rng::detail::real_parts<T> == 2)
            values.push_back({static_cast<typename T::value_type>(x[2 * i] * factor),
                              static_cast<typename T::value_type>(x[2 * i + 1] * factor)});
        else
            values.push_back(T(static_cast<float>(x[i] * factor)));
    }
    return values;
}

template <class T> bool same_bits(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; }

/// Compares every reduction of x and y over ranks with that of one process.
template <class T, class In> void expect_same(const std::vector<T>& x, const std::vector<T>& y, int size, size_t seed) {
    const size_t n = x.size();
    const auto cuts = support::random_cuts(n, size, seed);
    std::vector<std::string> wrong(static_cast<size_t>(size));
    rng::ThreadRanks(size).run([&](rng::Ranks& ranks) {
        const auto r = static_cast<size_t>(ranks.rank());
        const auto part = [&](const std::vector<T>& all) {
            return rng::dist_span<T>{std::span(all).subspan(cuts[r], cuts[r + 1] - cuts[r]), cuts[r], n};
        };
        const auto check = [&](const char* name, const auto& spread, const auto& whole) {
            if (!same_bits(spread, whole)) wrong[r] += std::string(" ") + name;
        };
        check("sum", rng::sum<In>(part(x), ranks), rng::sum<In>(x));
        check("norm2", rng::norm2<In>(part(x), ranks), rng::norm2<In>(x));
        check("dot", rng::dot<In>(part(x), part(y), ranks), rng::dot<In>(x, y));
        check("vdot", rng::vdot<In>(part(x), part(y), ranks), rng::vdot<In>(x, y));
        if (n == 0) return;
        check("mean", rng::mean<In>(part(x), ranks), rng::mean<In>(x));
        check("variance of 0", rng::variance<In>(part(x), ranks, 0), rng::variance<In>(x, 0));
        if (n > 1) check("variance", rng::variance<In>(part(x), ranks), rng::variance<In>(x));
    });
    for (size_t r = 0; r < wrong.size(); ++r) EXPECT_EQ(wrong[r], "") << n << " elements, rank " << r << " of " << size;
}

template <class T> class RankSums : public testing::Test {};
using Elements = testing::Types<float, double, rng::float16, rng::bfloat16, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(RankSums, Elements);

TYPED_TEST(RankSums, EveryReduction) {
    size_t seed = 0;
    for (const size_t n : {0u, 1u, 2u, 1023u, 1024u, 1025u, 5000u, 40000u}) {
        const auto x = numbers<TypeParam>(n, 1, 1.0), y = numbers<TypeParam>(n, 2, 1.0);
        for (const int size : rank_counts) {
            expect_same<TypeParam, void>(x, y, size, ++seed);
            expect_same<TypeParam, double>(x, y, size, ++seed);
        }
    }
}

// Sums of squares that overflow or underflow are taken of scaled numbers, by the greatest on any rank.
TEST(RankSumsCorners, ScaledNorms) {
    for (const double factor : {1e30, 1e-30, 1e-44}) {
        auto x = numbers<float>(5000, 3, factor);
        for (const int size : rank_counts) expect_same<float, void>(x, x, size, 100 + static_cast<size_t>(size));
        x[4321] = std::numeric_limits<float>::infinity();
        for (const int size : rank_counts) expect_same<float, void>(x, x, size, 200 + static_cast<size_t>(size));
        x[77] = -std::numeric_limits<float>::quiet_NaN();
        for (const int size : rank_counts) expect_same<float, void>(x, x, size, 300 + static_cast<size_t>(size));
    }
    const auto wide = numbers<std::complex<double>>(3000, 4, 1e30);
    std::vector<std::complex<double>> large = wide;
    for (auto& z : large) z *= 1e200;
    for (const int size : rank_counts)
        expect_same<std::complex<double>, void>(large, wide, size, 400 + static_cast<size_t>(size));
}

TEST(RankSumsFaults, AllRanksGetOneText) {
    const std::vector<float> x(100, 1.0f);
    const auto refused = [&](const std::string& text, auto&& compute) {
        expect_agreed_error(2, text, ErrorCode::invalid_argument, [&](rng::Ranks& ranks) {
            compute(ranks, rng::dist_span<float>{x, 100 * static_cast<uint64_t>(ranks.rank()), 200});
        });
    };
    refused("sum: size must be the same on all ranks, got 200 on rank 0 and 201 on rank 1", [](auto& ranks, auto part) {
        part.size += static_cast<uint64_t>(ranks.rank());
        (void)rng::sum(part, ranks);
    });
    refused("mean: elements [100, 103) are on no rank: rank 0 ends before them, and rank 1 begins after them",
            [](auto& ranks, auto part) {
                part.first += 3 * static_cast<uint64_t>(ranks.rank());
                part.size = 203;
                (void)rng::mean(part, ranks);
            });
    refused("sum: rank 1: x must not be null, for 100 elements", [](auto& ranks, auto part) {
        if (ranks.rank() == 1) part.mine = {static_cast<const float*>(nullptr), 100};
        (void)rng::sum(part, ranks);
    });
    refused("dot: rank 1: x and y must have the same size, got 100 and 99", [](auto& ranks, auto part) {
        auto y = part;
        if (ranks.rank() == 1) y.mine = y.mine.first(99);
        (void)rng::dot(part, y, ranks);
    });
    refused("vdot: rank 1: x and y must be spread alike, got elements from 100 of 200 and from 0 of 200",
            [](auto& ranks, auto part) {
                auto y = part;
                y.first = 0;
                (void)rng::vdot(part, y, ranks);
            });
    refused("variance: correction must be the same on all ranks, but differs between rank 0 and rank 1",
            [](auto& ranks, auto part) { (void)rng::variance(part, ranks, ranks.rank()); });
    refused("sum: the type of the sum must be the same on all ranks, but differs between rank 0 and rank 1",
            [](auto& ranks, auto part) {
                if (ranks.rank() == 1)
                    (void)rng::sum<double>(part, ranks);
                else
                    (void)rng::sum(part, ranks);
            });
    // Where all are wrong alike, the text of one process.
    refused("mean: x must have at least 1 term, got 0", [](auto& ranks, auto part) {
        part.mine = {};
        part.size = 0;
        (void)rng::mean(part, ranks);
    });
    refused("variance: x must have more than 200 terms, its correction, got 200",
            [](auto& ranks, auto part) { (void)rng::variance(part, ranks, 200); });
}

}  // namespace
