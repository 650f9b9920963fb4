// svd_lowrank and pca_lowrank over ranks give the bits of one process, for any number of ranks and any cuts.
#include <gtest/gtest.h>

#include <rng/rng.hpp>
#include <rng/svd/svd_ranks.hpp>

#include <algorithm>
#include <complex>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "../../src/verify/svd_cases.hpp"
#include "../support/ranks.hpp"
#include "../support/sampled.hpp"

namespace {

using namespace support;

const std::vector<int> rank_counts{1, 2, 3, 5, 7};

/// True under sanitizers, which make the kernels twenty times as slow.
const bool is_slow = share() >= 10;

/// All numbers of ranks, or one of them where tests take a part of their data: another one for each k.
std::vector<int> some_rank_counts(size_t k) {
    return share() == 1 ? rank_counts : std::vector<int>{rank_counts[k % rank_counts.size()]};
}

template <class T> using Real = rng::detail::real_t<T>;

template <class T> std::vector<T> matrix(size_t rows, size_t cols, uint64_t seed) {
    std::vector<Real<T>> numbers(rows * cols * (sizeof(T) / sizeof(Real<T>)));
    rng::fill(numbers, rng::normal<Real<T>>{}, rng::Stream<>{seed});
    std::vector<T> values(rows * cols);
    std::memcpy(static_cast<void*>(values.data()), numbers.data(), numbers.size() * sizeof(Real<T>));
    return values;
}

template <class T> bool same_bits(const std::vector<T>& a, const T* b, size_t n) {
    return a.size() == n && (n == 0 || std::memcmp(a.data(), b, n * sizeof(T)) == 0);
}

/// True on a rank if it has its rows of U, and S and V of one process.
template <class T>
bool is_part_of(const rng::DistSvd<T>& part, const rng::LowRankSvd<T>& whole, size_t first, size_t rows) {
    const size_t q = whole.S.size();
    return part.U_mine.rows == rows && part.U_mine.cols == q &&
           same_bits(part.U_mine.values, whole.U.values.data() + first * q, rows * q) &&
           same_bits(part.S, whole.S.data(), q) &&
           same_bits(part.V.values, whole.V.values.data(), whole.V.values.size());
}

/// Calls compute(rank's first row, its rows, ranks, generator) on ranks with random cuts. All results must be parts of
/// `whole`, and all generators must end where that of one process did.
template <class T, class Compute>
void expect_parts(const rng::LowRankSvd<T>& whole, uint64_t position, int size, size_t seed, const std::string& what,
                  const Compute& compute) {
    const auto cuts = random_cuts(whole.U.rows, size, seed);
    std::vector<char> is_right(static_cast<size_t>(size));
    rng::ThreadRanks(size).run([&](rng::Ranks& ranks) {
        const auto r = static_cast<size_t>(ranks.rank());
        rng::Generator gen(7);
        const rng::DistSvd<T> part = compute(cuts[r], cuts[r + 1] - cuts[r], ranks, gen);
        is_right[r] = is_part_of(part, whole, cuts[r], cuts[r + 1] - cuts[r]) && gen.position() == position;
    });
    for (size_t r = 0; r < is_right.size(); ++r) EXPECT_TRUE(is_right[r]) << what << ": rank " << r << " of " << size;
}

template <class T> auto rows_of(const std::vector<T>& a, size_t first, size_t rows, size_t cols) {
    return rng::matrix_view<const T>::row_major(a.data() + first * cols, rows, cols);
}

// The goldens come from one process, and LAPACK vouches for them (svd.lapack).
TEST(SvdRanks, EveryGoldenCase) {
    const auto cases = rng::detail::svd_cases();
    for (size_t k = 0; k < cases.size(); k += share())
        for (const int size : is_slow ? some_rank_counts(k / share()) : rank_counts) {
            const auto cuts = random_cuts(cases[k].rows, size, 1000 * k + static_cast<size_t>(size));
            std::vector<uint64_t> digests(static_cast<size_t>(size));
            rng::ThreadRanks(size).run([&](rng::Ranks& ranks) {
                const auto r = static_cast<size_t>(ranks.rank());
                const rng::detail::SvdCasePart part{ranks, cuts[r], cuts[r + 1] - cuts[r]};
                digests[r] = run_svd_case(cases[k], false, rng::cpu(), &part).digest;
            });
            for (const uint64_t digest : digests)
                EXPECT_EQ(digest, cases[k].digest) << to_string(cases[k]) << ", " << size << " ranks";
        }
}

template <class T> class SvdRanksOf : public testing::Test {};
using Elements = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SvdRanksOf, Elements);

// Larger than the goldens: several blocks and chunks on a rank, cuts inside of blocks, wide matrices.
TYPED_TEST(SvdRanksOf, ManyBlocks) {
    using T = TypeParam;
    size_t seed = 0;
    const struct {
        size_t m, n;
        long long q;
    } shapes[] = {{1000, 30, 8}, {30, 1000, 8}, {129, 128, 17}, {4097, 16, 6}, {257, 300, 33}, {1, 7, 1}, {2500, 5, 5}};
    for (const auto& shape : shapes)
        for (const long long niter : {0LL, 2LL}) {
            const size_t m = shape.m, n = shape.n;
            if (is_slow && (shape.q > 8 || niter > 0)) continue;
            const std::vector<T> a = matrix<T>(m, n, 1);
            rng::Generator gen(7);
            const rng::SvdOptions<T> options{.q = shape.q, .niter = niter};
            const auto whole = rng::svd_lowrank(rows_of(a, 0, m, n), options, gen);
            for (const int size : some_rank_counts(++seed))
                expect_parts(whole, gen.position(), size, 10 * seed + static_cast<size_t>(size),
                             std::to_string(m) + " x " + std::to_string(n),
                             [&](size_t first, size_t rows, rng::Ranks& ranks, rng::Generator& mine) {
                                 return rng::svd_lowrank(rng::dist_rows<T>{rows_of(a, first, rows, n), first, m},
                                                         options, ranks, mine);
                             });
        }
}

// Rows that moved to another rank come back without the columns beyond q.
TYPED_TEST(SvdRanksOf, Oversampling) {
    using T = TypeParam;
    const struct {
        size_t m, n;
        long long q, oversampling;
    } shapes[] = {{1000, 30, 8, 5}, {30, 1000, 8, 100}, {700, 40, 0, 3}};
    size_t seed = 40;
    for (const auto& shape : shapes) {
        const size_t m = shape.m, n = shape.n;
        const std::vector<T> a = matrix<T>(m, n, 1);
        rng::Generator gen(7);
        const rng::SvdOptions<T> options{.q = shape.q, .niter = 1, .oversampling = shape.oversampling};
        const auto whole = rng::svd_lowrank(rows_of(a, 0, m, n), options, gen);
        for (const int size : some_rank_counts(++seed))
            expect_parts(whole, gen.position(), size, 10 * seed + static_cast<size_t>(size),
                         std::to_string(m) + " x " + std::to_string(n),
                         [&](size_t first, size_t rows, rng::Ranks& ranks, rng::Generator& mine) {
                             return rng::svd_lowrank(rng::dist_rows<T>{rows_of(a, first, rows, n), first, m}, options,
                                                     ranks, mine);
                         });
    }
}

// Columns beyond the rank are lost in rounding, and each rank makes its part of the random columns that replace them.
TYPED_TEST(SvdRanksOf, LostColumns) {
    using T = TypeParam;
    for (const auto& [m, n] : {std::pair<size_t, size_t>{600, 30}, {30, 600}}) {
        const size_t rows_of_a = m, cols = n;
        std::vector<T> a(rows_of_a * cols);
        for (size_t i = 0; i < a.size(); ++i)
            a[i] = T(static_cast<Real<T>>((static_cast<int>(i / cols % 7) - 3) * (static_cast<int>(i % cols % 5) - 2)));
        rng::Generator gen(7);
        const rng::SvdOptions<T> options{.q = 4, .niter = 1};
        const auto whole = rng::svd_lowrank(rows_of(a, 0, rows_of_a, cols), options, gen);
        for (const int size : some_rank_counts(2))
            expect_parts(whole, gen.position(), size, 70 + static_cast<size_t>(size), "lost columns",
                         [&](size_t first, size_t rows, rng::Ranks& ranks, rng::Generator& mine) {
                             const rng::dist_rows<T> part{rows_of(a, first, rows, cols), first, rows_of_a};
                             return rng::svd_lowrank(part, options, ranks, mine);
                         });
    }
}

// A result of more than 1 MB is added up in slices.
TYPED_TEST(SvdRanksOf, LargeResults) {
    using T = TypeParam;
    const size_t m = 260, n = (size_t{1} << 20) / (16 * sizeof(T)) + 200;  // A^H X has 16 columns
    const std::vector<T> a = matrix<T>(m, n, 2);
    rng::Generator gen(7);
    const rng::SvdOptions<T> options{.q = 3, .niter = 0};
    const auto whole = rng::svd_lowrank(rows_of(a, 0, m, n), options, gen);
    for (const int size : some_rank_counts(1))
        expect_parts(
            whole, gen.position(), size, 50 + static_cast<size_t>(size), "slices",
            [&](size_t first, size_t rows, rng::Ranks& ranks, rng::Generator& mine) {
                return rng::svd_lowrank(rng::dist_rows<T>{rows_of(a, first, rows, n), first, m}, options, ranks, mine);
            });
}

// M as one row, one column and by rows; indices of 32 bits; columns in any order.
TEST(SvdRanks, SparseAndLessM) {
    using T = float;
    const size_t m = 700, n = 60;
    std::vector<T> a = matrix<T>(m, n, 3);
    for (size_t k = 0; k < a.size(); ++k)
        if (k % 7 != 2 && k % 5 != 1) a[k] = 0;
    const std::vector<T> mean = matrix<T>(m, n, 4);
    const auto csr_of = [&](size_t first, size_t rows, std::vector<int32_t>& offsets, std::vector<int32_t>& columns,
                            std::vector<T>& values) {
        offsets.assign(1, 0);
        for (size_t i = first; i < first + rows; ++i) {
            for (size_t j = n; j-- > 0;)
                if (a[i * n + j] != 0) {
                    columns.push_back(static_cast<int32_t>(j));
                    values.push_back(a[i * n + j]);
                }
            offsets.push_back(static_cast<int32_t>(columns.size()));
        }
        return rng::csr_view<T, int32_t>{rows, n, offsets, columns, values};
    };
    enum class Kind { none, row, column, all, centred };
    size_t seed = 100;
    for (const Kind kind : {Kind::none, Kind::row, Kind::column, Kind::all, Kind::centred}) {
        const auto m_of = [&](size_t first, size_t rows) {
            switch (kind) {
                case Kind::row: return rows_of(mean, 0, 1, n);
                case Kind::column: return rng::matrix_view<const T>{mean.data() + first, rows, 1, 1, 1};
                case Kind::all: return rows_of(mean, first, rows, n);
                default: return rng::matrix_view<const T>{};
            }
        };
        const auto compute = [&](const auto& part, size_t first, size_t rows, auto&... rest) {
            if (kind == Kind::centred) return rng::pca_lowrank(part, {.q = 7}, rest...);
            return rng::svd_lowrank(part, rng::SvdOptions<T>{.q = 7, .M = m_of(first, rows)}, rest...);
        };
        rng::Generator gen(7);
        const auto whole = compute(rows_of(a, 0, m, n), 0, m, gen);
        const std::string what = "kind " + std::to_string(static_cast<int>(kind));
        for (const int size : some_rank_counts(++seed)) {
            expect_parts(whole, gen.position(), size, ++seed, "dense, " + what,
                         [&](size_t first, size_t rows, rng::Ranks& ranks, rng::Generator& mine) {
                             const rng::dist_rows<T> part{rows_of(a, first, rows, n), first, m};
                             return compute(part, first, rows, ranks, mine);
                         });
            expect_parts(
                whole, gen.position(), size, ++seed, "sparse, " + what,
                [&](size_t first, size_t rows, rng::Ranks& ranks, rng::Generator& mine) {
                    std::vector<int32_t> offsets, columns;
                    std::vector<T> values;
                    const rng::dist_csr<T, int32_t> part{csr_of(first, rows, offsets, columns, values), first, m};
                    return compute(part, first, rows, ranks, mine);
                });
        }
    }
}

// A rank may give as M the row of its one row of A, which others give for all: both mean the same.
TEST(SvdRanks, OneRowOfM) {
    const size_t m = 200, n = 12;
    const std::vector<float> a = matrix<float>(m, n, 5), mean = matrix<float>(1, n, 6);
    const rng::SvdOptions<float> options{.q = 4, .M = rows_of(mean, 0, 1, n)};
    rng::Generator gen(7);
    const auto whole = rng::svd_lowrank(rows_of(a, 0, m, n), options, gen);
    const size_t cuts[] = {0, 1, 150, 151, 200};
    rng::ThreadRanks(4).run([&](rng::Ranks& ranks) {
        const auto r = static_cast<size_t>(ranks.rank());
        rng::Generator mine(7);
        const rng::dist_rows<float> part{rows_of(a, cuts[r], cuts[r + 1] - cuts[r], n), cuts[r], m};
        EXPECT_TRUE(is_part_of(rng::svd_lowrank(part, options, ranks, mine), whole, cuts[r], cuts[r + 1] - cuts[r]));
    });
}

// Entries of one magnitude on several ranks: the first row's has its sign made positive, as in one process.
TEST(SvdRanks, TheFirstOfEqualEntries) {
    const size_t m = 384;
    for (const bool begins_below : {false, true}) {
        std::vector<double> a(m);
        for (size_t i = 0; i < m; ++i) a[i] = (i < 128) == begins_below ? -1.0 : 1.0;
        rng::Generator gen(7);
        const auto whole = rng::svd_lowrank(rows_of(a, 0, m, 1), {.q = 1}, gen);
        EXPECT_GT(whole.U.values[0], 0);
        rng::ThreadRanks(3).run([&](rng::Ranks& ranks) {
            const size_t first = 128 * static_cast<size_t>(ranks.rank());
            rng::Generator mine(7);
            const rng::dist_rows<double> part{rows_of(a, first, 128, 1), first, m};
            EXPECT_TRUE(is_part_of(rng::svd_lowrank(part, {.q = 1}, ranks, mine), whole, first, 128));
        });
    }
}

TEST(SvdRanks, NothingToCompute) {
    const std::vector<float> a = matrix<float>(300, 4, 1);
    rng::ThreadRanks(3).run([&](rng::Ranks& ranks) {
        rng::Generator gen(7);
        const size_t first = 100 * static_cast<size_t>(ranks.rank());
        const auto none =
            rng::svd_lowrank(rng::dist_rows<float>{rows_of(a, first, 100, 4), first, 300}, {.q = 0}, ranks, gen);
        EXPECT_EQ(none.U_mine.rows, 100u);
        EXPECT_EQ(none.U_mine.cols, 0u);
        EXPECT_EQ(none.V.rows, 4u);
        EXPECT_TRUE(none.S.empty());
        EXPECT_EQ(gen.position(), 0u);
        const auto empty = rng::svd_lowrank(rng::dist_rows<float>{{nullptr, 0, 4, 4, 1}, 0, 0}, {}, ranks, gen);
        EXPECT_EQ(empty.V.rows, 4u);
        EXPECT_TRUE(empty.S.empty());
    });
}

TEST(SvdRanks, CallsFollowEachOther) {
    const size_t m = 500, n = 20;
    const std::vector<double> a = matrix<double>(m, n, 8);
    rng::Generator gen(7);
    (void)rng::svd_lowrank(rows_of(a, 0, m, n), {.q = 3}, gen);
    const auto second = rng::svd_lowrank(rows_of(a, 0, m, n), {.q = 3}, gen);
    const auto numbers = rng::sample(rng::bits<uint64_t>{}, 4, gen);
    rng::ThreadRanks(3).run([&](rng::Ranks& ranks) {
        const auto cuts = rng::aligned_rows(m, 3);
        const auto r = static_cast<size_t>(ranks.rank());
        const size_t first = cuts[r], rows = cuts[r + 1] - cuts[r];
        rng::Generator mine(7);
        const rng::dist_rows<double> part{rows_of(a, first, rows, n), first, m};
        (void)rng::svd_lowrank(part, {.q = 3}, ranks, mine);
        EXPECT_TRUE(is_part_of(rng::svd_lowrank(part, {.q = 3}, ranks, mine), second, first, rows));
        EXPECT_EQ(rng::sample(rng::bits<uint64_t>{}, 4, mine), numbers);
    });
}

/// The messages of svd_lowrank of 20000 x 200 floats, q 16, niter 2, with even cuts, or those of aligned_rows.
struct Traffic {
    size_t messages = 0, bytes = 0, most_messages = 0;
};
Traffic traffic(int size, bool is_aligned) {
    const size_t m = 20000, n = 200;
    static const std::vector<float> a = matrix<float>(m, n, 1);
    std::vector<Traffic> all(static_cast<size_t>(size));
    rng::ThreadRanks(size).run([&](rng::Ranks& ranks) {
        const auto r = static_cast<size_t>(ranks.rank()), p = static_cast<size_t>(size);
        const auto aligned = rng::aligned_rows(m, size);
        const size_t first = is_aligned ? aligned[r] : m * r / p, end = is_aligned ? aligned[r + 1] : m * (r + 1) / p;
        CountingRanks counting(ranks);
        rng::Generator gen(1);
        (void)rng::svd_lowrank(rng::dist_rows<float>{rows_of(a, first, end - first, n), first, m}, {.q = 16}, counting,
                               gen);
        all[r] = {counting.messages, counting.bytes, 0};
    });
    Traffic sum;
    for (const Traffic& one : all) {
        sum.messages += one.messages;
        sum.bytes += one.bytes;
        sum.most_messages = std::max(sum.most_messages, one.messages);
    }
    return sum;
}

TEST(SvdRanks, Traffic) {
    const struct {
        int size;
        size_t most_kib;
    } limits[] = {{2, 276}, {3, 599}, {5, 526}, {7, 1110}};
    EXPECT_EQ(is_slow ? 0u : traffic(1, false).messages, 0u);
    for (const auto& [size, most_kib] : limits) {
        if (is_slow && size != 3) continue;
        const Traffic even = traffic(size, false), aligned = traffic(size, true);
        std::printf("%d ranks: %zu messages, %zu KiB, at most %zu from a rank; aligned: %zu messages, %zu KiB\n", size,
                    even.messages, even.bytes >> 10, even.most_messages, aligned.messages, aligned.bytes >> 10);
        EXPECT_LE(even.bytes >> 10, most_kib) << size << " ranks";
        EXPECT_LE(even.most_messages, 36u) << size << " ranks";
        EXPECT_LT(aligned.bytes, even.bytes) << size << " ranks";
    }
}

TEST(SvdRanks, AlignedRows) {
    for (const uint64_t rows :
         {uint64_t{0}, uint64_t{1}, uint64_t{127}, uint64_t{129}, uint64_t{20000}, uint64_t{1} << 40})
        for (const int size : {1, 2, 3, 7, 64}) {
            const auto cuts = rng::aligned_rows(rows, size);
            ASSERT_EQ(cuts.size(), static_cast<size_t>(size) + 1);
            EXPECT_EQ(cuts.front(), 0u);
            EXPECT_EQ(cuts.back(), rows);
            for (size_t r = 1; r < cuts.size(); ++r) {
                EXPECT_LE(cuts[r - 1], cuts[r]);
                EXPECT_TRUE(cuts[r] % 128 == 0 || cuts[r] == rows) << rows << " " << size;
                if (rows >= 4096 * static_cast<uint64_t>(size)) {
                    EXPECT_LE(cuts[r] - cuts[r - 1], rows / static_cast<uint64_t>(size) * 5 / 4) << rows << " " << size;
                }
            }
        }
    EXPECT_THROW((void)rng::aligned_rows(100, 0), rng::Error);
}

}  // namespace
