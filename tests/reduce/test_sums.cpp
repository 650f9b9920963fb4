// Sums: the documented order on every path, any strides and threads; errors against exact sums; special numbers;
// messages.
#include <gtest/gtest.h>
#include <rng/reduce.hpp>
#include <rng/rng.hpp>

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "../support/exact_sum.hpp"
#include "../support/paths.hpp"

namespace {

const std::vector<int> threads{1, 2, 3, 7};

using rng::matrix_view;
using std::size_t;
using Complex = std::complex<double>;

template <class T> using Real = rng::detail::real_t<T>;
template <class T> constexpr bool is_complex = rng::detail::real_parts<T> == 2;
template <class T> constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T> constexpr T nan_of = std::numeric_limits<T>::quiet_NaN();

template <class T> auto bits(T x) {
    if constexpr (is_complex<T>)
        return std::pair(bits(x.real()), bits(x.imag()));
    else
        return std::bit_cast<std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>(x);
}
template <class T> auto bits(const std::vector<T>& values) {
    std::vector<decltype(bits(T{}))> all;
    for (const T& x : values) all.push_back(bits(x));
    return all;
}

// The order of docs/reduce.md as plain code: `term(k, s)` is the sum s with term k.
template <class T, class Term> T leaf(size_t first, size_t last, const Term& term) {
    std::vector<T> lanes(128, T{0});
    for (size_t k = first; k < last; ++k) lanes[(k - first) % 128] = term(k, lanes[(k - first) % 128]);
    while (lanes.size() > 1) {
        const size_t half = lanes.size() / 2;
        for (size_t j = 0; j < half; ++j) lanes[j] = lanes[j] + lanes[j + half];
        lanes.resize(half);
    }
    return lanes[0] + T{0};
}
template <class T, class Term> T tree(size_t first, size_t last, const Term& term) {
    if (first == last) return T{0};
    if (last - first <= 1024) return leaf<T>(first, last, term);
    size_t size = 1024;
    while (2 * size < last - first) size *= 2;
    const T left = tree<T>(first, first + size, term), right = tree<T>(first + size, last, term);
    return left + right;
}
template <class T> T plain_sum(const std::vector<T>& x) {
    if constexpr (is_complex<T>) {
        return {tree<Real<T>>(0, x.size(), [&](size_t k, Real<T> s) { return s + x[k].real(); }),
                tree<Real<T>>(0, x.size(), [&](size_t k, Real<T> s) { return s + x[k].imag(); })};
    } else {
        return tree<T>(0, x.size(), [&](size_t k, T s) { return s + x[k]; });
    }
}
template <class T> T plain_dot(const std::vector<T>& x, const std::vector<T>& y, bool conjugate = false) {
    if constexpr (is_complex<T>) {
        using R = Real<T>;
        const auto real_dot = [&](const auto& a, const auto& b) {
            return tree<R>(0, x.size(), [&](size_t k, R s) { return std::fma(a(x[k]), b(y[k]), s); });
        };
        const auto re = [](const T& z) { return z.real(); };
        const auto im = [](const T& z) { return z.imag(); };
        const R rr = real_dot(re, re), ii = real_dot(im, im), ri = real_dot(re, im), ir = real_dot(im, re);
        return conjugate ? T(rr + ii, ri - ir) : T(rr - ii, ri + ir);
    } else {
        return tree<T>(0, x.size(), [&](size_t k, T s) { return std::fma(x[k], y[k], s); });
    }
}
template <class T> Real<T> plain_variance(const std::vector<T>& x, double correction) {
    using R = Real<T>;
    const auto n = static_cast<R>(x.size());
    const auto part = [&](const auto& of) {
        const R mean = tree<R>(0, x.size(), [&](size_t k, R s) { return s + of(x[k]); }) / n;
        const R d = tree<R>(0, x.size(), [&](size_t k, R s) { return s + (of(x[k]) - mean); });
        const R squares = tree<R>(0, x.size(), [&](size_t k, R s) {
            const R deviation = of(x[k]) - mean;
            return std::fma(deviation, deviation, s);
        });
        const R square = d * d;
        const R spread = squares - square / n;
        return spread < 0 ? R{0} : spread;
    };
    const auto divisor = static_cast<R>(static_cast<double>(x.size()) - correction);
    if constexpr (is_complex<T>)
        return (part([](const T& z) { return z.real(); }) + part([](const T& z) { return z.imag(); })) / divisor;
    else
        return part([](T v) { return v; }) / divisor;
}

/// Normal numbers of widely different magnitudes.
template <class T> std::vector<T> numbers(size_t n, uint64_t id) {
    std::vector<T> x(n);
    const auto normals = rng::sample(rng::normal<double>{}, 2 * n, rng::Stream<>{7, id});
    for (size_t k = 0; k < n; ++k) {
        const double scale = std::exp2(static_cast<double>(k * 7 % 23) - 11);
        if constexpr (is_complex<T>)
            x[k] = {static_cast<Real<T>>(normals[2 * k] * scale), static_cast<Real<T>>(normals[2 * k + 1])};
        else
            x[k] = static_cast<T>(normals[2 * k] * scale);
    }
    return x;
}

template <class T> struct Sums : testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, Complex>;
TYPED_TEST_SUITE(Sums, Types);

TYPED_TEST(Sums, HaveTheDocumentedOrderOnEveryPath) {
    using T = TypeParam;
    for (const size_t n :
         {0, 1, 2, 5, 127, 128, 129, 1000, 1023, 1024, 1025, 2048, 3000, 5 * 1024, 33000, 70001, 140001}) {
        const std::vector<T> x = numbers<T>(n, n), y = numbers<T>(n, n + 1);
        const T sum = plain_sum(x), dot = plain_dot(x, y), vdot = plain_dot(x, y, true);
        support::on_every_path(threads, [&](const std::string& path) {
            EXPECT_EQ(bits(rng::sum(x)), bits(sum)) << path << " n " << n;
            EXPECT_EQ(bits(rng::dot(x, y)), bits(dot)) << path << " n " << n;
            EXPECT_EQ(bits(rng::vdot(x, y)), bits(is_complex<T> ? vdot : dot)) << path << " n " << n;
            if (n > 2) {
                EXPECT_EQ(bits(rng::mean(x)), bits(sum / static_cast<Real<T>>(n))) << path << " n " << n;
                EXPECT_EQ(bits(rng::variance(x)), bits(plain_variance(x, 1))) << path << " n " << n;
                EXPECT_EQ(bits(rng::variance(x, 0)), bits(plain_variance(x, 0))) << path << " n " << n;
            }
        });
    }
}

TYPED_TEST(Sums, AlongAnAxisAreThoseOfSpans) {
    using T = TypeParam;
    for (const auto& [rows, cols] :
         {std::pair<size_t, size_t>{1, 1}, {3, 1500}, {1500, 3}, {2100, 21}, {0, 4}, {4, 0}}) {
        const std::vector<T> x = numbers<T>(rows * cols, rows);
        const auto view = matrix_view<const T>::row_major(x.data(), rows, cols);
        const matrix_view<const T> backwards{x.data() + (x.empty() ? 0 : x.size() - 1), rows, cols,
                                             -static_cast<ptrdiff_t>(cols), -1};
        const matrix_view<const T> across{x.data(), cols, rows, 1, static_cast<ptrdiff_t>(cols)};
        for (const auto& a : {view, backwards, across}) {
            std::vector<std::vector<T>> lines[2] = {std::vector<std::vector<T>>(a.cols),
                                                    std::vector<std::vector<T>>(a.rows)};
            for (size_t i = 0; i < a.rows; ++i)
                for (size_t j = 0; j < a.cols; ++j) lines[0][j].push_back(a(i, j)), lines[1][i].push_back(a(i, j));
            support::on_every_path(threads, [&](const std::string& path) {
                for (const int axis : {0, 1}) {
                    const auto& each = lines[axis];
                    std::vector<T> sums, means;
                    std::vector<Real<T>> variances, norms;
                    for (const auto& line : each) sums.push_back(rng::sum(line)), norms.push_back(rng::norm2(line));
                    EXPECT_EQ(bits(rng::sum(a, axis)), bits(sums)) << path << " axis " << axis;
                    EXPECT_EQ(bits(rng::norm2(a, axis)), bits(norms)) << path << " axis " << axis;
                    if (each.empty() || each[0].size() < 2) continue;
                    for (const auto& line : each)
                        means.push_back(rng::mean(line)), variances.push_back(rng::variance(line));
                    EXPECT_EQ(bits(rng::mean(a, axis)), bits(means)) << path << " axis " << axis;
                    EXPECT_EQ(bits(rng::variance(a, axis)), bits(variances)) << path << " axis " << axis;
                }
            });
        }
    }
}

TYPED_TEST(Sums, OfSegmentsAreThoseOfSpans) {
    using T = TypeParam;
    const std::vector<T> x = numbers<T>(300'000, 3);
    const std::vector<int64_t> offsets{0, 0, 1, 1000, 2024, 2025, 290'000, 290'000, 300'000};
    std::vector<T> expected, sums(offsets.size() - 1);
    for (size_t k = 0; k + 1 < offsets.size(); ++k)
        expected.push_back(rng::sum(
            std::span(x).subspan(static_cast<size_t>(offsets[k]), static_cast<size_t>(offsets[k + 1] - offsets[k]))));
    const std::vector<int32_t> narrow(offsets.begin(), offsets.end());
    support::on_every_path(threads, [&](const std::string& path) {
        rng::segmented_sum(x, offsets, std::span(sums));
        EXPECT_EQ(bits(sums), bits(expected)) << path;
        rng::segmented_sum(x, narrow, std::span(sums));
        EXPECT_EQ(bits(sums), bits(expected)) << path;
    });
}

TYPED_TEST(Sums, AreWithinTheBound) {
    using R = Real<TypeParam>;
    const double u = std::numeric_limits<R>::epsilon() / 2;
    for (const size_t n : {10, 1000, 100'000, 1'000'000}) {
        const std::vector<R> x = numbers<R>(n, 5 * n), y = numbers<R>(n, 6 * n);
        support::ExactSum sum, size, dot, dot_size;
        for (size_t k = 0; k < n; ++k) {
            sum.add(x[k]), size.add(std::fabs(x[k]));
            dot.add_product(x[k], y[k]), dot_size.add(std::fabs(static_cast<double>(x[k]) * static_cast<double>(y[k])));
        }
        const double bound = (std::max(0.0, std::log2(static_cast<double>(n) / 1024)) + 10) * u;
        EXPECT_LE(std::fabs(static_cast<double>(rng::sum(x) - sum.value())), bound * static_cast<double>(size.value()));
        EXPECT_LE(std::fabs(static_cast<double>(rng::dot(x, y) - dot.value())),
                  (bound + 2 * u) * static_cast<double>(dot_size.value()));
        if (n >= 1000) {  // a sum that rounds more than the tree would fail: a plain loop does
            R loop = 0;
            for (const R v : x) loop += std::fabs(v);
            std::vector<R> magnitudes(x);
            for (R& v : magnitudes) v = std::fabs(v);
            EXPECT_LT(std::fabs(static_cast<double>(rng::sum(magnitudes) - size.value())),
                      std::fabs(static_cast<double>(loop - size.value())));
        }
    }
}

TEST(SumsInDouble, AddNumbersOfFloat) {
    const std::vector<float> x = numbers<float>(10'000, 1), y = numbers<float>(10'000, 2);
    const std::vector<double> wide_x(x.begin(), x.end()), wide_y(y.begin(), y.end());
    const auto view = matrix_view<const float>::row_major(x.data(), 100, 100);
    const auto wide = matrix_view<const double>::row_major(wide_x.data(), 100, 100);
    support::on_every_path(threads, [&](const std::string& path) {
        EXPECT_EQ(rng::sum<double>(x), rng::sum(wide_x)) << path;
        EXPECT_EQ(rng::dot<double>(x, y), rng::dot(wide_x, wide_y)) << path;
        EXPECT_EQ(rng::variance<double>(x), rng::variance(wide_x)) << path;
        EXPECT_EQ(rng::norm2<double>(x), rng::norm2(wide_x)) << path;
        EXPECT_EQ(rng::mean<double>(view, 0), rng::mean(wide, 0)) << path;
    });
    const std::vector<std::complex<float>> z = numbers<std::complex<float>>(3000, 1);
    const std::vector<Complex> wide_z(z.begin(), z.end());
    EXPECT_EQ(rng::sum<double>(z), rng::sum(wide_z));
    EXPECT_EQ(rng::vdot<double>(z, z), rng::vdot(wide_z, wide_z));
}

TEST(SumsOfHalves, AreAddedInFloat) {
    const std::vector<float> x = numbers<float>(5000, 1);
    const auto check = [&]<class H>(H) {
        std::vector<H> halves;
        std::vector<float> same;
        for (const float v : x) halves.push_back(H(v)), same.push_back(static_cast<float>(halves.back()));
        support::on_every_path(threads, [&](const std::string& path) {
            static_assert(std::is_same_v<decltype(rng::sum(halves)), float>);
            EXPECT_EQ(rng::sum(halves), rng::sum(same)) << path;
            EXPECT_EQ(rng::sum<double>(halves), rng::sum<double>(same)) << path;
            EXPECT_EQ(rng::dot(halves, halves), rng::dot(same, same)) << path;
            EXPECT_EQ(rng::variance(halves), rng::variance(same)) << path;
        });
    };
    check(rng::float16{});
    check(rng::bfloat16{});
}

TEST(SumsOf, ComplexNumbersOfThisLibraryAreThoseOfStd) {
    std::vector<std::complex<float>> theirs = numbers<std::complex<float>>(2000, 4);
    std::vector<rng::complex<float>> ours;
    for (const auto& z : theirs) ours.push_back({z.real(), z.imag()});
    EXPECT_EQ(rng::sum(ours).re, rng::sum(theirs).real());
    EXPECT_EQ(rng::vdot(ours, ours).im, rng::vdot(theirs, theirs).imag());
}

template <class T> struct SpecialNumbers : testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(SpecialNumbers, Reals);

TYPED_TEST(SpecialNumbers, PropagateAndNaNIsOne) {
    using T = TypeParam;
    support::on_every_path(threads, [&](const std::string& path) {
        for (const size_t n : {1, 100, 3000}) {
            std::vector<T> x(n, T{-0.0});
            EXPECT_EQ(bits(rng::sum(x)), bits(T{0})) << path;
            EXPECT_EQ(bits(rng::norm2(x)), bits(T{0})) << path;
            x[n / 2] = infinity<T>;
            EXPECT_EQ(rng::sum(x), infinity<T>) << path;
            EXPECT_EQ(rng::norm2(x), infinity<T>) << path;
            x[0] = -infinity<T>;
            EXPECT_EQ(bits(rng::sum(x)), n == 1 ? bits(-infinity<T>) : bits(nan_of<T>)) << path;
            x[0] = std::bit_cast<T>(bits(-nan_of<T>) | 5u);
            EXPECT_EQ(bits(rng::sum(x)), bits(nan_of<T>)) << path;
            EXPECT_EQ(bits(rng::norm2(x)), bits(nan_of<T>)) << path;
            EXPECT_EQ(bits(rng::dot(x, x)), bits(nan_of<T>)) << path;
            EXPECT_EQ(bits(rng::mean(x)), bits(nan_of<T>)) << path;
            EXPECT_EQ(bits(rng::variance(x, 0)), bits(nan_of<T>)) << path;
        }
    });
    EXPECT_EQ(bits(rng::sum(std::vector<T>{})), bits(T{0}));
    EXPECT_EQ(bits(rng::norm2(std::vector<T>{})), bits(T{0}));
}

TYPED_TEST(SpecialNumbers, NormsNeitherOverflowNorUnderflow) {
    using T = TypeParam;
    using Limits = std::numeric_limits<T>;
    support::on_every_path(threads, [&](const std::string& path) {
        for (const int e : {Limits::max_exponent - 3, Limits::max_exponent / 2, 0, Limits::min_exponent / 2,
                            Limits::min_exponent, Limits::min_exponent - Limits::digits + 4}) {
            std::vector<T> x(2000, std::scalbn(T{3}, e)), plain(2000, T{3});
            for (size_t k = 0; k < x.size(); k += 3) x[k] = std::scalbn(T{-4}, e), plain[k] = T{-4};
            x.resize(2), plain.resize(2);
            EXPECT_EQ(rng::norm2(x), std::scalbn(T{5}, e)) << path << " e " << e;
        }
        std::vector<T> large(3000, Limits::max());
        EXPECT_EQ(rng::norm2(large), infinity<T>) << path;
        EXPECT_EQ(rng::norm2(std::vector<T>(4, Limits::max() / 4)), Limits::max() / 2) << path;
        EXPECT_EQ(rng::norm2(std::vector<T>(4, Limits::denorm_min())), 2 * Limits::denorm_min()) << path;
        std::vector<std::complex<T>> z(
            1, {std::scalbn(T{3}, Limits::max_exponent - 3), std::scalbn(T{4}, Limits::max_exponent - 3)});
        EXPECT_EQ(rng::norm2(z), std::scalbn(T{5}, Limits::max_exponent - 3)) << path;
    });
}

TYPED_TEST(SpecialNumbers, SubnormalsCountUnderCallersThatFlushThem) {
#if defined(__SSE2__)
    using T = TypeParam;
    const std::vector<T> x(5000, std::numeric_limits<T>::denorm_min());
    const T sum = rng::sum(x);
    EXPECT_EQ(sum, 5000 * std::numeric_limits<T>::denorm_min());
    const std::vector<T> y = numbers<T>(5000, 9);
    const T plain = rng::sum(y);
    support::on_every_path(threads, [&](const std::string& path) {
        const unsigned before = _mm_getcsr();
        _mm_setcsr(before | 0x8040u | 0x6000u);  // flush to zero, denormals are zero, round towards zero
        const T flushed = rng::sum(x), truncated = rng::sum(y);
        const unsigned after = _mm_getcsr();
        _mm_setcsr(before);
        EXPECT_EQ(bits(flushed), bits(sum)) << path;
        EXPECT_EQ(bits(truncated), bits(plain)) << path;
        EXPECT_EQ(after & 0xffc0u, (before | 0x8040u | 0x6000u) & 0xffc0u) << path;
    });
#else
    GTEST_SKIP() << "no MXCSR on this machine";
#endif
}

TEST(Variance, OfNumbersFarFromZeroKeepsItsBits) {
    std::vector<float> x(4096);
    for (size_t k = 0; k < x.size(); ++k) x[k] = 1e6f + static_cast<float>(k % 16);
    EXPECT_NEAR(rng::variance(x, 0), 21.25, 21.25 * 1e-5);  // of 0, 1, ..., 15
    EXPECT_NEAR(rng::variance<double>(x, 0), 21.25, 21.25 * 1e-12);
}

// The mean of equal numbers is rounded, and so is the square of the sum of deviations: above the sum of squares here.
TEST(Variance, OfEqualNumbersIsNotNegative) {
    const std::pair<size_t, float> cases[] = {{5581, 0x1.d39918p+7f}, {7899, 0x1.af9c48p+6f}, {6397, 0x1.f2a7b8p+4f}};
    for (const auto& [n, c] : cases) {
        const std::vector<float> x(n, c);
        EXPECT_EQ(bits(rng::variance(x)), bits(0.0f)) << n << " times " << c;
        const std::vector<std::complex<float>> z(n, {c, c});
        EXPECT_EQ(bits(rng::variance(z)), bits(0.0f)) << n << " times " << c;
    }
}

// The stride reaches no element. UndefinedBehaviorSanitizer sees it multiplied.
TEST(Sums, TheStrideOfASingleRowOrColumnMayBeAnyNumber) {
    constexpr auto far = std::numeric_limits<std::ptrdiff_t>::max();
    const std::vector<float> x{1, 2, 4};
    const matrix_view<const float> row{x.data(), 1, 3, far, 1}, column{x.data(), 3, 1, 1, -far};
    EXPECT_EQ(rng::sum(row, 0), x);
    EXPECT_EQ(rng::sum(row, 1), std::vector<float>{7});
    EXPECT_EQ(rng::sum(column, 0), std::vector<float>{7});
    EXPECT_EQ(rng::sum(column, 1), x);
    EXPECT_EQ(rng::variance(column, 0), rng::variance(matrix_view<const float>::row_major(x.data(), 3, 1), 0));
}

TEST(SumErrors, NameTheCallTheValueAndTheLimit) {
    const auto error_of = [](const auto& f) { return support::error_of(rng::ErrorCode::invalid_argument, f); };
    const std::vector<float> x{1, 2, 3}, y{1, 2}, none;
    const auto view = matrix_view<const float>::row_major(x.data(), 1, 3);
    std::vector<float> out(2);
    EXPECT_EQ(error_of([&] { (void)rng::mean(none); }), "mean: x must have at least 1 term, got 0");
    EXPECT_EQ(error_of([&] { (void)rng::variance(std::vector<float>{1}); }),
              "variance: x must have more than 1 terms, its correction, got 1");
    EXPECT_EQ(error_of([&] { (void)rng::variance(x, -1); }), "variance: correction must be at least 0, got -1");
    EXPECT_EQ(error_of([&] { (void)rng::variance(x, std::nan("")); }),
              "variance: correction must be at least 0, got nan");
    EXPECT_EQ(error_of([&] { (void)rng::dot(x, y); }), "dot: x and y must have the same size, got 3 and 2");
    EXPECT_EQ(error_of([&] { (void)rng::sum(view, 2); }), "sum: axis must be 0 or 1, got 2");
    EXPECT_EQ(error_of([&] { rng::sum(view, 0, std::span(out)); }),
              "sum: out must have 3 elements, one for each column, got 2");
    EXPECT_EQ(error_of([&] { (void)rng::sum(std::span<const float>(static_cast<const float*>(nullptr), 3)); }),
              "sum: x must not be null, for 3 elements");
    EXPECT_EQ(error_of([&] {
                  (void)rng::sum(matrix_view<const float>{nullptr, 2, 3, 3, 1}, 0);
              }),
              "sum: x must not be null, for 2 x 3 elements");
    for (const auto& [offsets, message] :
         {std::pair<std::vector<int32_t>, std::string>{{0, 1}, "offsets must have 3 elements for 2 results, got 2"},
          {{1, 2, 3}, "offsets must ascend from 0, got 1 after 0 at 0"},
          {{0, 2, 1}, "offsets must ascend from 0, got 1 after 2 at 2"},
          {{0, 2, 4}, "the last offset must be the size of x, 3, got 4"}}) {
        out = {7, 8};
        EXPECT_EQ(error_of([&, &o = offsets] { rng::segmented_sum(x, o, std::span(out)); }),
                  "segmented_sum: " + message);
        EXPECT_EQ(out, (std::vector<float>{7, 8}));
    }
}

TEST(SumsSlow, OfMoreThan32BitsOfElements) {
    const size_t n = (size_t{1} << 32) + 1;
    std::vector<rng::float16> x(n, rng::float16(1.0f));
    x.back() = rng::float16(3.0f);
    EXPECT_EQ(rng::sum<double>(x), static_cast<double>(n) + 2);
}

}  // namespace
