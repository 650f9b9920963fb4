// index_add, scatter_add, bincount: the bits of the plain loop for any number of threads, matrices of any strides,
// types, messages, and that a refused call has written nothing.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <rng/fill_undefined.hpp>
#include <rng/reduce.hpp>
#include <rng/rng.hpp>

#include <bit>
#include <complex>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "../support/paths.hpp"

namespace {

using rng::matrix_view;
using std::size_t;

const std::vector<int> threads{1, 2, 3, 7};

template <class T> std::vector<T> normals(size_t n, uint64_t id) {
    std::vector<T> values(n);
    for (size_t k = 0; k < n; ++k)
        values[k] = static_cast<T>(rng::at(rng::Stream<>{3, id}, rng::normal<double>{}, k) * (k % 5 == 0 ? 1e3 : 1));
    return values;
}
template <class I> std::vector<I> places(size_t n, size_t targets, uint64_t id) {
    std::vector<I> index(n);
    for (size_t k = 0; k < n; ++k) {
        const double u = rng::at(rng::Stream<>{4, id}, rng::uniform<double>{}, k);
        index[k] =
            static_cast<I>(k % 3 == 0 ? u * u * u * static_cast<double>(targets) : u * static_cast<double>(targets));
    }
    return index;
}

template <class I> struct IndexAdd : testing::Test {};
using Indices = testing::Types<int32_t, uint32_t, int64_t, uint64_t>;
TYPED_TEST_SUITE(IndexAdd, Indices);

TYPED_TEST(IndexAdd, IsThePlainLoop) {
    using I = TypeParam;
    for (const size_t n : {0, 1, 5000, 100'000})
        for (const size_t targets : {1, 7, 1000, 200'000}) {
            const std::vector<I> index = places<I>(n, targets, n + targets);
            const std::vector<float> values = normals<float>(n, n);
            const std::vector<float> before = normals<float>(targets, 1);
            std::vector<float> plain = before, half = before;
            std::vector<double> wide(before.begin(), before.end()), plain_wide = wide;
            for (size_t k = 0; k < n; ++k) {
                const auto t = static_cast<size_t>(index[k]);
                plain[t] = plain[t] + values[k];
                plain_wide[t] = plain_wide[t] + static_cast<double>(values[k]);
                const float scaled = 0.3f * values[k];
                half[t] = half[t] + scaled;
            }
            const std::vector<double> wide_before = wide;
            support::on_every_path(threads, [&](const std::string& path) {
                std::vector<float> out = before;
                rng::index_add(out, index, values);
                EXPECT_TRUE(support::same_bits(out, plain)) << path << " n " << n << " targets " << targets;
                out = before;
                rng::index_add(out, index, values, 0.3f);
                EXPECT_TRUE(support::same_bits(out, half)) << path << " n " << n << " targets " << targets;
                wide = wide_before;
                rng::index_add(wide, index, values);
                EXPECT_TRUE(support::same_bits(wide, plain_wide)) << path << " n " << n << " targets " << targets;
            });
        }
}

template <class T> std::vector<T> elements(size_t n) {
    const std::vector<float> re = normals<float>(n, 1), im = normals<float>(n, 2);
    std::vector<T> values(n);
    for (size_t k = 0; k < n; ++k) {
        if constexpr (rng::detail::real_parts<T> == 2)
            values[k] = {re[k], im[k]};
        else
            values[k] = static_cast<T>(re[k]);
    }
    return values;
}

template <class T> struct IndexAddOf : testing::Test {};
using Elements = testing::Types<float, double, std::complex<float>, std::complex<double>, rng::float16, rng::bfloat16>;
TYPED_TEST_SUITE(IndexAddOf, Elements);

TYPED_TEST(IndexAddOf, RowsAndColumnsOfAnyStrides) {
    using T = TypeParam;
    using Out = rng::detail::computed_t<T>;
    const size_t terms = 900, targets = 40;
    for (const size_t width : {1, 3, 50, 300}) {
        const std::vector<T> values = elements<T>(terms * width);
        const std::vector<int64_t> index = places<int64_t>(terms, targets, width);
        std::vector<Out> plain(targets * width);
        for (size_t k = 0; k < terms; ++k)
            for (size_t j = 0; j < width; ++j) {
                Out& to = plain[static_cast<size_t>(index[k]) * width + j];
                to = to + static_cast<Out>(values[k * width + j]);
            }
        const auto rows = matrix_view<const T>::row_major(values.data(), terms, width);
        const matrix_view<const T> columns{values.data(), width, terms, 1, static_cast<ptrdiff_t>(width)};
        support::on_every_path(threads, [&](const std::string& path) {
            std::vector<Out> out(plain.size());
            rng::index_add(matrix_view<Out>::row_major(out.data(), targets, width), 0, index, rows);
            EXPECT_EQ(out, plain) << path << " width " << width;
            out.assign(plain.size(), Out{});
            rng::index_add(matrix_view<Out>{out.data(), width, targets, 1, static_cast<ptrdiff_t>(width)}, 1, index,
                           columns);
            EXPECT_EQ(out, plain) << path << " width " << width;
            out.assign(plain.size(), Out{});  // upside down
            rng::index_add(
                matrix_view<Out>{out.data() + (targets - 1) * width, targets, width, -static_cast<ptrdiff_t>(width), 1},
                0, index, rows);
            for (size_t t = 0; t < targets; ++t)
                for (size_t j = 0; j < width; ++j)
                    ASSERT_EQ(out[(targets - 1 - t) * width + j], plain[t * width + j]) << path << " width " << width;
        });
    }
}

TEST(ScatterAdd, GivesEachElementItsPlace) {
    const size_t rows = 700, cols = 40, targets = 33;
    const std::vector<float> values = normals<float>(rows * cols, 5);
    const std::vector<int32_t> index = places<int32_t>(rows * cols, targets, 6);
    std::vector<float> down(targets * cols), along(rows * targets);
    for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < cols; ++j) {
            const auto t = static_cast<size_t>(index[i * cols + j]);
            down[t * cols + j] += values[i * cols + j];
            along[i * targets + t] += values[i * cols + j];
        }
    const auto x = matrix_view<const float>::row_major(values.data(), rows, cols);
    const auto at = matrix_view<const int32_t>::row_major(index.data(), rows, cols);
    support::on_every_path(threads, [&](const std::string& path) {
        std::vector<float> out(down.size());
        rng::scatter_add(matrix_view<float>::row_major(out.data(), targets, cols), 0, at, x);
        EXPECT_TRUE(support::same_bits(out, down)) << path;
        out.assign(along.size(), 0.0f);
        rng::scatter_add(matrix_view<float>::row_major(out.data(), rows, targets), 1, at, x);
        EXPECT_TRUE(support::same_bits(out, along)) << path;
    });
}

TEST(IndexAddOfNaN, IsOneNaNAndTouchesNoOtherPlace) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const float other = std::bit_cast<float>(0xffc00005u);
    const size_t n = 70'000;
    std::vector<uint32_t> index(n);
    std::vector<float> values(n, 1.0f), before(100, 0.0f);
    for (size_t k = 0; k < n; ++k) index[k] = static_cast<uint32_t>(k % 90);
    values[0] = other, values[1] = infinity, values[91] = -infinity;
    before[95] = other;
    support::on_every_path(threads, [&](const std::string& path) {
        std::vector<float> out = before;
        rng::index_add(out, index, values);
        EXPECT_EQ(std::bit_cast<uint32_t>(out[0]), std::bit_cast<uint32_t>(nan)) << path;
        EXPECT_EQ(std::bit_cast<uint32_t>(out[1]), std::bit_cast<uint32_t>(nan)) << path;
        EXPECT_EQ(out[2], 778.0f) << path;
        EXPECT_EQ(std::bit_cast<uint32_t>(out[95]), 0xffc00005u) << path;
    });
}

TEST(Bincount, CountsAndSums) {
    for (const size_t n : {0, 1, 1000, 200'000})
        for (const size_t bins : {1, 50, 5000, 300'000}) {
            const std::vector<int64_t> index = places<int64_t>(n, bins, 8);
            const std::vector<float> weights = normals<float>(n, 9);
            size_t size = 0;
            for (const int64_t v : index) size = std::max(size, static_cast<size_t>(v) + 1);
            std::vector<int64_t> counts(size);
            std::vector<double> sums(size);
            for (size_t k = 0; k < n; ++k) {
                ++counts[static_cast<size_t>(index[k])];
                sums[static_cast<size_t>(index[k])] += static_cast<double>(weights[k]);
            }
            const std::vector<uint32_t> narrow(index.begin(), index.end());
            support::on_every_path(threads, [&](const std::string& path) {
                EXPECT_EQ(rng::bincount(index), counts) << path << " n " << n << " bins " << bins;
                EXPECT_EQ(rng::bincount(narrow), counts) << path << " n " << n << " bins " << bins;
                EXPECT_EQ(rng::bincount(index, weights), sums) << path << " n " << n << " bins " << bins;
            });
        }
    EXPECT_EQ(rng::bincount(std::vector<int32_t>{1, 1}, 4), (std::vector<int64_t>{0, 2, 0, 0}));
    EXPECT_EQ(rng::bincount(std::vector<int32_t>{2}, std::vector<double>{0.5}, 4), (std::vector<double>{0, 0, 0.5, 0}));
}

TEST(BincountSlow, OfMoreThan32BitsOfIntegers) {
    // Pages that are only read take no memory.
    const size_t n = (size_t{1} << 32) + 5;
    void* const zeros =
        mmap(nullptr, n * sizeof(int32_t), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(zeros, MAP_FAILED);
    const std::span<const int32_t> index(static_cast<const int32_t*>(zeros), n);
    support::on_every_path({1, 2}, [&](const std::string& path) {
        EXPECT_EQ(rng::bincount(index), std::vector<int64_t>{static_cast<int64_t>(n)}) << path;
    });
    munmap(zeros, n * sizeof(int32_t));
}

TEST(FillUndefined, WritesNaNAndTheLargestIntegers) {
    const auto filled = []<class T>(T) {
        std::vector<T> x(5);
        rng::fill_undefined(x);
        return x.back();
    };
    EXPECT_NE(filled(1.0f), filled(1.0f));
    EXPECT_NE(filled(1.0), filled(1.0));
    EXPECT_NE(filled(std::complex<float>()).imag(), filled(std::complex<float>()).imag());
    EXPECT_NE(filled(rng::complex<double>()).re, filled(rng::complex<double>()).re);
    EXPECT_EQ(filled(rng::float16()).bits, 0x7e00);
    EXPECT_EQ(filled(rng::bfloat16()).bits, 0x7fc0);
    EXPECT_EQ(filled(int8_t{}), 127);
    EXPECT_EQ(filled(uint64_t{}), ~uint64_t{0});
    bool flags[3] = {};
    rng::fill_undefined(flags);
    EXPECT_TRUE(flags[0] && flags[2]);
}

TEST(IndexErrors, NameTheFirstPlaceAndWriteNothing) {
    const auto error_of = [](const auto& f) { return support::error_of(rng::ErrorCode::invalid_argument, f); };
    std::vector<float> out{1, 2, 3};
    const std::vector<float> before = out, x{1, 1};
    const auto refused = [&](const auto& index, const std::string& message) {
        EXPECT_EQ(error_of([&] { rng::index_add(out, index, x); }),
                  "index_add: index must be in [0, 3), got " + message);
        EXPECT_EQ(out, before);
    };
    refused(std::vector<int32_t>{0, 3}, "3 at 1");
    refused(std::vector<int32_t>{-1, 3}, "-1 at 0");
    refused(std::vector<int64_t>{0, int64_t{1} << 40}, "1099511627776 at 1");
    refused(std::vector<int64_t>{0, -5}, "-5 at 1");
    refused(std::vector<uint32_t>{0, 4294967295u}, "4294967295 at 1");
    for (const size_t bad : {0, 1023, 1024, 4500}) {  // of more terms than places, some are added before the fault
        std::vector<int64_t> late(5000, 1);
        late[bad] = 100;
        std::vector<double> places(100, 2.0);
        EXPECT_EQ(error_of([&] { rng::index_add(places, late, std::vector<float>(5000, 1.0f)); }),
                  "index_add: index must be in [0, 100), got 100 at " + std::to_string(bad));
        EXPECT_EQ(places, std::vector<double>(100, 2.0));
    }
    EXPECT_EQ(error_of([&] { rng::index_add(out, std::vector<int32_t>{0}, x); }),
              "index_add: index must have 2 elements, as values, got 1");
    const auto view = matrix_view<float>::row_major(out.data(), 3, 1);
    const auto values = matrix_view<const float>::row_major(x.data(), 1, 2);
    EXPECT_EQ(error_of([&] { rng::index_add(view, 0, std::vector<int32_t>{0}, values); }),
              "index_add: out and values must have the same number of columns, got 1 and 2");
    EXPECT_EQ(error_of([&] {
                  rng::index_add(view, 2, std::vector<int32_t>{0, 0}, values);
              }),
              "index_add: axis must be 0 or 1, got 2");
    const std::vector<int32_t> index{0, 0, 3, 0};
    std::vector<float> four(4, 1.0f), grid(6);
    EXPECT_EQ(error_of([&] {
                  rng::scatter_add(matrix_view<float>::row_major(grid.data(), 3, 2), 0,
                                   matrix_view<const int32_t>::row_major(index.data(), 2, 2),
                                   matrix_view<const float>::row_major(four.data(), 2, 2));
              }),
              "scatter_add: index must be in [0, 3), got 3 in line 0 at 1");
    EXPECT_EQ(grid, std::vector<float>(6));
    EXPECT_EQ(error_of([&] {
                  rng::scatter_add(matrix_view<float>::row_major(grid.data(), 3, 2), 0,
                                   matrix_view<const int32_t>::row_major(index.data(), 1, 2),
                                   matrix_view<const float>::row_major(four.data(), 2, 2));
              }),
              "scatter_add: index must have the shape of values, 2 x 2, got 1 x 2");
    EXPECT_EQ(error_of([&] {
                  (void)rng::bincount(std::vector<int32_t>{0, -1});
              }),
              "bincount: index must be in [0, 2147483648), got -1 at 1");
    EXPECT_EQ(error_of([&] {
                  (void)rng::bincount(std::vector<int64_t>{0, int64_t{1} << 50});
              }),
              "bincount: index must be in [0, 281474976710656), got 1125899906842624 at 1");
    EXPECT_EQ(error_of([&] { (void)rng::bincount(std::vector<int32_t>{0}, x); }),
              "bincount: weights must have 1 elements, as index, got 2");
}

}  // namespace
