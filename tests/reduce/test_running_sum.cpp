// RunningSum: the bits of sum() for random cuts in random order, merged and after a way through bytes; messages;
// damaged bytes. csr_product: the bits of the documented order, any strides.
#include <gtest/gtest.h>
#include <rng/reduce.hpp>
#include <rng/rng.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../support/paths.hpp"

namespace {

using rng::matrix_view;
using rng::RunningSum;
using std::size_t;

template <class T> std::vector<T> numbers(size_t n) {
    std::vector<T> x(n);
    for (size_t k = 0; k < n; ++k) {
        const double v = rng::at(rng::Stream<>{5}, rng::normal<double>{}, k);
        if constexpr (rng::detail::real_parts<T> == 2)
            x[k] = {static_cast<rng::detail::real_t<T>>(v), static_cast<rng::detail::real_t<T>>(v * v)};
        else
            x[k] = static_cast<T>(static_cast<rng::detail::real_t<T>>(v));
    }
    return x;
}

/// Random cuts of [0, n), in random order.
std::vector<std::pair<size_t, size_t>> random_cuts(size_t n, size_t pieces, uint64_t seed) {
    std::vector<size_t> at{0, n};
    rng::Generator generator(seed);
    for (size_t k = 0; k + 1 < pieces; ++k)
        at.push_back(rng::sample(rng::uniform_int<uint64_t>{0, n}, 1, generator)[0]);
    std::sort(at.begin(), at.end());
    std::vector<std::pair<size_t, size_t>> cuts;
    for (size_t k = 0; k + 1 < at.size(); ++k) cuts.emplace_back(at[k], at[k + 1]);
    rng::shuffle(cuts, generator);
    return cuts;
}

template <class T> struct RunningSums : testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>, rng::float16>;
TYPED_TEST_SUITE(RunningSums, Types);

TYPED_TEST(RunningSums, OfRandomCutsAreTheSum) {
    using T = TypeParam;
    for (const size_t n : {0, 1, 1023, 1024, 1025, 5000, 100'000}) {
        const std::vector<T> x = numbers<T>(n);
        const auto sum = rng::sum(x);
        for (const size_t pieces : {1, 2, 5, 40})
            for (uint64_t seed = 0; seed < 5; ++seed) {
                RunningSum<T> whole, ranks[3];
                size_t k = 0;
                for (const auto& [first, last] : random_cuts(n, pieces, seed)) {
                    const auto piece = std::span(x).subspan(first, last - first);
                    whole.push(piece, first);
                    ranks[k++ % 3].push(piece, first);
                }
                ASSERT_EQ(whole.size(), n);
                ASSERT_EQ(whole.total(), sum) << "n " << n << " pieces " << pieces << " seed " << seed;
                ranks[2].merge(RunningSum<T>::from_bytes(ranks[0].to_bytes()));
                ranks[1].merge(ranks[2]);
                ASSERT_EQ(ranks[1].total(), sum) << "n " << n << " pieces " << pieces << " seed " << seed;
                ASSERT_EQ(ranks[1].to_bytes(), whole.to_bytes());
            }
    }
}

TEST(RunningSumOfFloats, InDouble) {
    const std::vector<float> x = numbers<float>(3000);
    RunningSum<float, double> sum;
    sum.push(std::span(x).subspan(1000), 1000);
    sum.push(std::span(x).first(1000), 0);
    EXPECT_EQ(sum.total(), rng::sum<double>(x));
}

TEST(RunningSumOfOne, NumberAtATime) {
    const std::vector<double> x = numbers<double>(3000);
    RunningSum<double> up, down;
    for (size_t k = 0; k < x.size(); ++k) {
        up.push({&x[k], 1}, k);
        down.push({&x[x.size() - 1 - k], 1}, x.size() - 1 - k);
    }
    EXPECT_EQ(up.total(), rng::sum(x));
    EXPECT_EQ(down.total(), rng::sum(x));
}

TEST(RunningSumBytes, AreTheSameOnEveryMachine) {
    RunningSum<float> sum;
    sum.push(std::vector<float>(1024, 0.5f), 1024);
    sum.push(std::vector<float>{-2.0f}, 3);
    std::vector<std::byte> expected;
    const auto append = [&](uint64_t x) {
        for (int k = 0; k < 8; ++k) expected.push_back(static_cast<std::byte>(x >> (8 * k)));
    };
    for (const char c : std::string("rng sum\n")) expected.push_back(static_cast<std::byte>(c));
    append(0x100);                                                 // in float, one number to an element
    append(1), append(1);                                          // nodes, leaves
    append(1), append(0), append(std::bit_cast<uint64_t>(512.0));  // leaf 1, of level 0
    append(0), append(8);                                          // leaf 0 has element 3
    for (int k = 0; k < 15; ++k) append(0);
    append(std::bit_cast<uint64_t>(-2.0));
    append(rng::digest(expected));
    EXPECT_EQ(sum.to_bytes(), expected);
}

TEST(RunningSumErrors, ChangeNothing) {
    const auto error_of = [](const auto& f) { return support::error_of(rng::ErrorCode::invalid_argument, f); };
    const std::vector<double> x = numbers<double>(5000);
    RunningSum<double> sum, other;
    sum.push(std::span(x).first(3000), 0);
    const auto before = sum.to_bytes();
    EXPECT_EQ(error_of([&] { sum.push(std::span(x).first(10), 2999); }),
              "RunningSum::push: element 2999 has been added before");
    EXPECT_EQ(error_of([&] { sum.push(std::span(x).first(2048), 1024); }),
              "RunningSum::push: element 1024 has been added before");
    EXPECT_EQ(error_of([&] { sum.push(x, uint64_t{1} << 62); }),
              "RunningSum::push: element numbers must be at most 2^62, got 5000 elements from 4611686018427387904 on");
    EXPECT_EQ(error_of([&] {
                  sum.push({static_cast<const double*>(nullptr), 2}, 9000);
              }),
              "RunningSum::push: values must not be null, for 2 elements");
    other.push(std::span(x).subspan(2999), 2999);
    EXPECT_EQ(error_of([&] { sum.merge(other); }), "RunningSum::merge: both sums have element 2999");
    EXPECT_EQ(sum.to_bytes(), before);
    sum.push(std::span(x).subspan(3002), 3002);
    EXPECT_EQ(error_of([&] { (void)sum.total(); }),
              "RunningSum::total: element 3000 is missing, and later ones are there");
    RunningSum<double> later;
    later.push(std::span(x).first(2048), 2048);
    EXPECT_EQ(error_of([&] { (void)later.total(); }),
              "RunningSum::total: element 0 is missing, and later ones are there");
}

TEST(RunningSumBytes, DamagedOnesAreRefused) {
    const std::vector<float> x = numbers<float>(3000);
    RunningSum<float> sum;
    sum.push(std::span(x).first(2100), 0);
    sum.push(std::span(x).subspan(2500), 2500);
    const std::vector<std::byte> bytes = sum.to_bytes();
    const auto error_of = [](const std::vector<std::byte>& state) {
        return support::error_of(rng::ErrorCode::bad_state, [&] { (void)RunningSum<float>::from_bytes(state); });
    };
    EXPECT_EQ(RunningSum<float>::from_bytes(bytes).to_bytes(), bytes);
    for (size_t n = 0; n < bytes.size(); ++n) error_of({bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(n)});
    for (size_t k = 0; k < bytes.size(); ++k) {
        auto flipped = bytes;
        flipped[k] ^= std::byte{16};
        EXPECT_EQ(error_of(flipped),
                  std::string("RunningSum::from_bytes: the state ") +
                      (k < 8 ? "does not begin as one of a RunningSum" : "is damaged: its checksum does not match"));
    }
    // False states with the checksum of what they have.
    const auto put = [](std::vector<std::byte>& to, size_t at, uint64_t value) {
        for (size_t k = 0; k < 8; ++k) to[at + k] = static_cast<std::byte>(value >> (8 * k));
    };
    const auto with_checksum = [&](std::vector<std::byte> state) {
        const uint64_t digest = rng::digest(std::span(state).first(state.size() - 8));
        put(state, state.size() - 8, digest);
        return state;
    };
    const auto changed = [&](size_t at, uint64_t value) {
        auto copy = bytes;
        put(copy, at, value);
        return with_checksum(copy);
    };
    auto longer = bytes, shorter = bytes;
    longer.resize(bytes.size() + 8);
    shorter.resize(bytes.size() - 8);
    EXPECT_EQ(error_of(with_checksum(longer)), "RunningSum::from_bytes: the state goes on after its end");
    EXPECT_EQ(error_of(with_checksum(shorter)), "RunningSum::from_bytes: the state has an end too soon");
    EXPECT_EQ(error_of(changed(0, 1)), "RunningSum::from_bytes: the state does not begin as one of a RunningSum");
    EXPECT_EQ(error_of(changed(8, 0x101)), "RunningSum::from_bytes: the state is of a sum of another type");
    EXPECT_EQ(error_of(changed(16, ~uint64_t{0})), "RunningSum::from_bytes: the state has a false node");
    EXPECT_EQ(error_of(changed(32, 1)), "RunningSum::from_bytes: the state has a false node");
    EXPECT_EQ(error_of(changed(40, 60)), "RunningSum::from_bytes: the state has a false node");
    EXPECT_EQ(error_of(changed(48, std::bit_cast<uint64_t>(0.1))),
              "RunningSum::from_bytes: the state has a number that is not a float");
    EXPECT_EQ(error_of(changed(56, 1)), "RunningSum::from_bytes: the state has an element twice");
}

// ---- Sparse products
// ---------------------------------------------------------------------------------------------------

/// The order of docs/svd.md: chains of fma over blocks of 128 terms, in a binary tree.
template <class T> T plain_product(const std::vector<T>& a, const std::vector<T>& b, size_t first, size_t last) {
    if (last - first <= 128) {
        T sum = 0;
        for (size_t k = first; k < last; ++k) sum = std::fma(a[k], b[k], sum);
        return sum + T{0};
    }
    size_t size = 128;
    while (2 * size < last - first) size *= 2;
    return plain_product(a, b, first, first + size) + plain_product(a, b, first + size, last);
}

template <class T> struct SparseProducts : testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(SparseProducts, Reals);

TYPED_TEST(SparseProducts, HaveTheDocumentedOrder) {
    using T = TypeParam;
    const size_t rows = 300, cols = 500;
    std::vector<int32_t> offsets{0}, columns;
    std::vector<T> values;
    std::vector<std::vector<T>> dense(rows, std::vector<T>(cols));
    const rng::Stream<> stream{6};
    for (size_t i = 0; i < rows; ++i) {
        for (size_t j = cols; j-- > 0;)  // in descending order
            if (rng::at(stream, rng::uniform<double>{}, i * cols + j) < 0.2) {
                dense[i][j] = static_cast<T>(rng::at(stream.fork(1), rng::normal<double>{}, i * cols + j));
                columns.push_back(static_cast<int32_t>(j));
                values.push_back(dense[i][j]);
            }
        offsets.push_back(static_cast<int32_t>(columns.size()));
    }
    const rng::csr_view<T, int32_t> a{rows, cols, offsets, columns, values};
    for (const size_t width : {1, 3, 40}) {
        const std::vector<T> b = numbers<T>(cols * width), c = numbers<T>(rows * width);
        const auto lines = [width](const std::vector<T>& from, size_t n) {
            std::vector<std::vector<T>> all(width, std::vector<T>(n));
            for (size_t k = 0; k < n; ++k)
                for (size_t j = 0; j < width; ++j) all[j][k] = from[k * width + j];
            return all;
        };
        const auto b_lines = lines(b, cols), c_lines = lines(c, rows);
        std::vector<T> product(rows * width), transposed(cols * width);
        for (size_t j = 0; j < width; ++j) {
            for (size_t i = 0; i < rows; ++i) product[i * width + j] = plain_product(dense[i], b_lines[j], 0, cols);
            for (size_t i = 0; i < cols; ++i) {
                std::vector<T> column(rows);
                for (size_t k = 0; k < rows; ++k) column[k] = dense[k][i];
                transposed[i * width + j] = plain_product(column, c_lines[j], 0, rows);
            }
        }
        support::on_every_path({1, 2, 3}, [&](const std::string& path) {
            std::vector<T> out(rows * width), back(cols * width);
            rng::csr_product(a, matrix_view<const T>::row_major(b.data(), cols, width),
                             matrix_view<T>::row_major(out.data(), rows, width));
            EXPECT_TRUE(support::same_bits(out, product)) << path << " width " << width;
            rng::csr_product_transposed(a, matrix_view<const T>::row_major(c.data(), rows, width),
                                        matrix_view<T>::row_major(back.data(), cols, width));
            EXPECT_TRUE(support::same_bits(back, transposed)) << path << " width " << width;
        });
    }
}

TEST(SparseProduct, OfComplexNumbersIsNotConjugated) {
    using C = std::complex<double>;
    const std::vector<int64_t> offsets{0, 1, 2}, columns{1, 0};
    const std::vector<C> values{{1, 2}, {0, 3}}, b{{1, 1}, {2, -1}};
    const rng::csr_view<C> a{2, 2, offsets, columns, values};
    std::vector<C> out(2);
    const auto view = [](auto& v) {
        return matrix_view<std::remove_reference_t<decltype(v[0])>>::column_major(v.data(), 2, 1);
    };
    rng::csr_product(a, view(b), view(out));
    EXPECT_EQ(out, (std::vector<C>{C(1, 2) * C(2, -1), C(0, 3) * C(1, 1)}));
    rng::csr_product_transposed(a, view(b), view(out));
    EXPECT_EQ(out, (std::vector<C>{C(0, 3) * C(2, -1), C(1, 2) * C(1, 1)}));
}

TEST(SparseProduct, Errors) {
    const auto error_of = [](const auto& f) { return support::error_of(rng::ErrorCode::invalid_argument, f); };
    const std::vector<int32_t> offsets{0, 1}, columns{2}, outside{3};
    const std::vector<float> values{1}, b(6, 1.0f);
    std::vector<float> out(2, 7.0f);
    const rng::csr_view<float, int32_t> a{1, 3, offsets, columns, values}, bad{1, 3, offsets, outside, values};
    const auto three = matrix_view<const float>::row_major(b.data(), 3, 2),
               two = matrix_view<const float>::row_major(b.data(), 2, 2);
    const auto to = matrix_view<float>::row_major(out.data(), 1, 2);
    EXPECT_EQ(error_of([&] { rng::csr_product(a, two, to); }), "csr_product: B must have 3 rows for A of 1 x 3, got 2");
    EXPECT_EQ(error_of([&] { rng::csr_product_transposed(a, three, to); }),
              "csr_product_transposed: B must have 1 rows for A of 1 x 3, got 3");
    EXPECT_EQ(error_of([&] { rng::csr_product(a, three, matrix_view<float>::row_major(out.data(), 2, 1)); }),
              "csr_product: out must be 1 x 2, got 2 x 1");
    EXPECT_EQ(error_of([&] { rng::csr_product(bad, three, to); }),
              "csr_product: A must have column indices in [0, 3), index 0 is 3");
    EXPECT_EQ(out, std::vector<float>(2, 7.0f));
}

}  // namespace
