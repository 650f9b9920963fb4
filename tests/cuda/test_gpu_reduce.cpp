// Reductions of a GPU's memory have the CPU's bits: every type, many leaves, axes, segments, additions by index,
// graphs, streams. Skipped without a GPU; gpu-check.sh runs this file on one.
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <rng/reduce.hpp>
#include <rng/reduce/device_reduce.hpp>
#include <rng/rng.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "../support/gpu.hpp"
#include "../support/paths.hpp"

namespace {

using rng::device_matrix;
using rng::matrix_view;
using std::size_t;
using support::ok;
using support::OnDevice;
using support::same_bits;

class GpuReduce : public support::GpuTest {};

template <class T> using Real = rng::detail::real_t<T>;

template <class T> std::vector<T> numbers(size_t n, uint64_t id) {
    std::vector<T> x(n);
    const auto normals = rng::sample(rng::normal<double>{}, 2 * n, rng::Stream<>{7, id});
    for (size_t k = 0; k < n; ++k) {
        const double scale = std::ldexp(1.0, static_cast<int>(k * 7 % 13) - 6);
        if constexpr (rng::detail::real_parts<T> == 2)
            x[k] = {static_cast<Real<T>>(normals[2 * k] * scale), static_cast<Real<T>>(normals[2 * k + 1])};
        else if constexpr (sizeof(T) == 2)
            x[k] = T(static_cast<float>(normals[2 * k] * scale));
        else
            x[k] = static_cast<T>(normals[2 * k] * scale);
    }
    return x;
}
template <class I> std::vector<I> places(size_t n, size_t targets, uint64_t id) {
    std::vector<I> index(n);
    for (size_t k = 0; k < n; ++k) {
        const double u = rng::at(rng::Stream<>{4, id}, rng::uniform<double>{}, k);
        index[k] = static_cast<I>((k % 3 == 0 ? u * u * u : u) * static_cast<double>(targets));
    }
    return index;
}
template <class T> std::vector<T> one(T x) { return {x}; }

/// What a call writes to n elements of device memory.
template <class T, class Call> std::vector<T> written(size_t n, cudaStream_t stream, const Call& call) {
    const OnDevice<T> out(n);
    call(out.span());
    ok(cudaStreamSynchronize(stream));
    return out.on_host();
}

template <class In, class T> void compare_spans(const std::vector<T>& x, const std::vector<T>& y, cudaStream_t s) {
    using Sum = rng::detail::sum_t<T, In>;
    using Norm = Real<Sum>;
    const OnDevice<T> a(x), b(y);
    const std::string what = std::to_string(x.size()) + " of " + std::to_string(sizeof(T)) + " bytes";
    const auto sum = written<Sum>(1, s, [&](auto out) { rng::sum<In>(a.span(), out, s); });
    EXPECT_TRUE(same_bits(sum, one(rng::sum<In>(x)))) << what;
    const auto mean = written<Sum>(1, s, [&](auto out) { rng::mean<In>(a.span(), out, s); });
    EXPECT_TRUE(same_bits(mean, one(rng::mean<In>(x)))) << what;
    const auto variance = written<Norm>(1, s, [&](auto out) { rng::variance<In>(a.span(), out, 0, s); });
    EXPECT_TRUE(same_bits(variance, one(rng::variance<In>(x, 0)))) << what;
    const auto norm = written<Norm>(1, s, [&](auto out) { rng::norm2<In>(a.span(), out, s); });
    EXPECT_TRUE(same_bits(norm, one(rng::norm2<In>(x)))) << what;
    const auto dot = written<Sum>(1, s, [&](auto out) { rng::dot<In>(a.span(), b.span(), out, s); });
    EXPECT_TRUE(same_bits(dot, one(rng::dot<In>(x, y)))) << what;
    const auto vdot = written<Sum>(1, s, [&](auto out) { rng::vdot<In>(a.span(), b.span(), out, s); });
    EXPECT_TRUE(same_bits(vdot, one(rng::vdot<In>(x, y)))) << what;
}

template <class T> class GpuReduceOf : public support::GpuTest {};
using Elements = testing::Types<float, double, rng::float16, rng::bfloat16, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(GpuReduceOf, Elements);

TYPED_TEST(GpuReduceOf, SpansOfAllLengths) {
    using T = TypeParam;
    for (const size_t n : {1, 2, 127, 128, 129, 1023, 1024, 1025, 16 * 1024, 16 * 1024 + 1, 300'007, 5'000'011}) {
        compare_spans<void>(numbers<T>(n, n), numbers<T>(n, n + 1), this->stream);
        compare_spans<double>(numbers<T>(n, n), numbers<T>(n, n + 1), this->stream);
    }
    const auto none = written<rng::detail::sum_t<T, void>>(1, this->stream, [&](auto out) {
        rng::sum(rng::device_span<T>{nullptr, 0}, out, this->stream);
    });
    EXPECT_TRUE(same_bits(none, one(rng::sum(std::vector<T>{}))));
}

TYPED_TEST(GpuReduceOf, SpansThatBeginAndEndWithin16Bytes) {
    using T = TypeParam;
    using Sum = rng::detail::sum_t<T, void>;
    const std::vector<T> x = numbers<T>(100'010, 1), y = numbers<T>(100'010, 2);
    const OnDevice<T> a(x), b(y);
    for (const size_t first : {0, 1, 2, 3, 5})
        for (const size_t n : {1024, 100'000, 100'001, 100'002}) {
            const auto of = [&](const std::vector<T>& all) { return std::span(all).subspan(first, n); };
            const auto there = [&](const OnDevice<T>& all) { return rng::device_span<T>{all.data() + first, n}; };
            const std::string what = std::to_string(n) + " from " + std::to_string(first);
            const auto sum = written<Sum>(1, this->stream, [&](auto out) { rng::sum(there(a), out, this->stream); });
            EXPECT_TRUE(same_bits(sum, one(rng::sum(of(x))))) << what;
            const auto variance =
                written<Real<Sum>>(1, this->stream, [&](auto out) { rng::variance(there(a), out, 0, this->stream); });
            EXPECT_TRUE(same_bits(variance, one(rng::variance(of(x), 0)))) << what;
            const auto norm =
                written<Real<Sum>>(1, this->stream, [&](auto out) { rng::norm2(there(a), out, this->stream); });
            EXPECT_TRUE(same_bits(norm, one(rng::norm2(of(x))))) << what;
            // One of both at a multiple of 16 bytes.
            const auto dot = written<Sum>(1, this->stream, [&](auto out) {
                rng::dot(there(a), rng::device_span<T>{b.data(), n}, out, this->stream);
            });
            EXPECT_TRUE(same_bits(dot, one(rng::dot(of(x), std::span(y).first(n))))) << what;
        }
}

TYPED_TEST(GpuReduceOf, AxesOfAnyStrides) {
    using T = TypeParam;
    using Sum = rng::detail::sum_t<T, void>;
    for (const auto& [rows, cols] : {std::pair<size_t, size_t>{3, 40'000}, {40'000, 3}, {2500, 300}, {5000, 9}}) {
        const std::vector<T> x = numbers<T>(rows * cols, rows);
        const OnDevice<T> a(x);
        const auto r = static_cast<ptrdiff_t>(rows), c = static_cast<ptrdiff_t>(cols);
        for (const auto& [first, row, col] :
             {std::tuple<size_t, ptrdiff_t, ptrdiff_t>{0, c, 1}, {rows * cols - 1, -c, -1}, {0, 1, r}})
            for (const int axis : {0, 1}) {
                const matrix_view<const T> host{x.data() + first, rows, cols, row, col};
                const device_matrix<const T> there{a.data() + first, rows, cols, row, col};
                const size_t n = axis == 0 ? cols : rows;
                const auto sums =
                    written<Sum>(n, this->stream, [&](auto out) { rng::sum(there, axis, out, this->stream); });
                EXPECT_TRUE(same_bits(sums, rng::sum(host, axis))) << rows << " x " << cols << " along " << axis;
                const auto means =
                    written<Sum>(n, this->stream, [&](auto out) { rng::mean(there, axis, out, this->stream); });
                EXPECT_TRUE(same_bits(means, rng::mean(host, axis))) << rows << " x " << cols << " along " << axis;
                const auto variances = written<Real<Sum>>(
                    n, this->stream, [&](auto out) { rng::variance(there, axis, out, 1, this->stream); });
                EXPECT_TRUE(same_bits(variances, rng::variance(host, axis))) << rows << " x " << cols;
                const auto norms =
                    written<Real<Sum>>(n, this->stream, [&](auto out) { rng::norm2(there, axis, out, this->stream); });
                EXPECT_TRUE(same_bits(norms, rng::norm2(host, axis))) << rows << " x " << cols;
            }
    }
}

TYPED_TEST(GpuReduceOf, SegmentsOfAllLengths) {
    using T = TypeParam;
    using Sum = rng::detail::sum_t<T, void>;
    const std::vector<T> x = numbers<T>(3'000'000, 3);
    std::vector<int64_t> offsets{0, 0, 1, 1000, 2024, 2025, 2'000'000, 2'000'000};
    for (uint64_t k = 0; offsets.back() < 3'000'000; ++k)
        offsets.push_back(std::min<int64_t>(3'000'000, offsets.back() + static_cast<int64_t>(k * 7919 % 5000)));
    std::vector<Sum> expected(offsets.size() - 1);
    rng::segmented_sum(x, offsets, std::span(expected));
    const OnDevice<T> a(x);
    const OnDevice<int64_t> wide(offsets);
    const OnDevice<int32_t> narrow(std::vector<int32_t>(offsets.begin(), offsets.end()));
    EXPECT_TRUE(same_bits(written<Sum>(expected.size(), this->stream,
                                       [&](auto out) { rng::segmented_sum(a.span(), wide.span(), out, this->stream); }),
                          expected));
    EXPECT_TRUE(
        same_bits(written<Sum>(expected.size(), this->stream,
                               [&](auto out) { rng::segmented_sum(a.span(), narrow.span(), out, this->stream); }),
                  expected));
}

TYPED_TEST(GpuReduceOf, AdditionsByIndexOfAnyPlaces) {
    using T = TypeParam;
    using Sum = rng::detail::sum_t<T, void>;
    for (const size_t n : {1, 5000, 300'000})
        for (const size_t targets : {1, 7, 1000, 1'000'000}) {
            const std::vector<int64_t> index = places<int64_t>(n, targets, n + targets);
            const std::vector<T> values = numbers<T>(n, n);
            std::vector<Sum> expected = numbers<Sum>(targets, 1);
            const OnDevice<Sum> out(expected);
            const OnDevice<int64_t> index_there(index);
            const OnDevice<T> values_there(values);
            rng::index_add(expected, index, values, 0.3);
            rng::index_add(out.span(), index_there.span(), values_there.span(), 0.3, this->stream);
            ok(cudaStreamSynchronize(this->stream));
            EXPECT_TRUE(same_bits(out.on_host(), expected)) << n << " to " << targets;
        }
    constexpr size_t terms = 20'000, lines = 33, targets = 500;
    const std::vector<T> values = numbers<T>(terms * lines, 5);
    const std::vector<int32_t> shared = places<int32_t>(terms, targets, 6),
                               each = places<int32_t>(terms * lines, targets, 7);
    std::vector<Sum> expected = numbers<Sum>(targets * lines, 8);
    const OnDevice<Sum> out(expected);
    const OnDevice<T> from(values);
    const OnDevice<int32_t> shared_there(shared), each_there(each);
    const auto to = matrix_view<Sum>::row_major(expected.data(), targets, lines);
    const auto to_there = device_matrix<Sum>::row_major(out.data(), targets, lines);
    rng::index_add(to, 0, shared, matrix_view<const T>::row_major(values.data(), terms, lines));
    rng::index_add(to_there, 0, shared_there.span(), device_matrix<T>::row_major(from.data(), terms, lines), 1,
                   this->stream);
    rng::scatter_add(to, 0, matrix_view<const int32_t>::row_major(each.data(), terms, lines),
                     matrix_view<const T>::row_major(values.data(), terms, lines));
    rng::scatter_add(to_there, 0, device_matrix<int32_t>::row_major(each_there.data(), terms, lines),
                     device_matrix<T>::row_major(from.data(), terms, lines), this->stream);
    ok(cudaStreamSynchronize(this->stream));
    EXPECT_TRUE(same_bits(out.on_host(), expected));
}

/// index_add of numbers on the GPU has the bits of that on the CPU.
template <class T, class I> void compare_additions(const std::vector<I>& index, size_t targets, cudaStream_t s) {
    using Sum = rng::detail::sum_t<T, void>;
    const std::vector<T> values = numbers<T>(index.size(), 11);
    std::vector<Sum> expected = numbers<Sum>(targets, 12);
    const OnDevice<Sum> out(expected);
    const OnDevice<I> there(index);
    const OnDevice<T> from(values);
    rng::index_add(expected, index, values, 0.3);
    rng::index_add(out.span(), there.span(), from.span(), 0.3, s);
    ok(cudaStreamSynchronize(s));
    EXPECT_TRUE(same_bits(out.on_host(), expected))
        << index.size() << " to " << targets << ", " << sizeof(T) << " bytes";
}
/// An index with places[k] lengths[k] times, in ascending order, or mixed.
template <class I> std::vector<I> runs(const std::vector<std::pair<I, size_t>>& lengths, bool mixed) {
    std::vector<I> index;
    for (const auto& [place, length] : lengths) index.insert(index.end(), length, place);
    for (size_t k = index.size(); mixed && k > 1; --k)
        std::swap(index[k - 1],
                  index[rng::at(rng::Stream<>{9}, rng::uniform_int<uint32_t>{0, static_cast<uint32_t>(k - 1)}, k)]);
    return index;
}

TEST_F(GpuReduce, AdditionsByIndexOfAnyDistribution) {
    constexpr size_t n = (size_t{1} << 20) + 3;
    for (const size_t targets : {1, 1000, 1'000'000, 3'000'000})
        for (const int power : {1, 4, 40}) {
            std::vector<int64_t> index(n);
            for (size_t k = 0; k < n; ++k)
                index[k] = static_cast<int64_t>(std::pow(rng::at(rng::Stream<>{4}, rng::uniform<double>{}, k), power) *
                                                static_cast<double>(targets));
            compare_additions<float>(index, targets, stream);
            compare_additions<double>(std::vector<uint32_t>(index.begin(), index.end()), targets, stream);
            std::sort(index.begin(), index.end());
            compare_additions<float>(std::vector<int32_t>(index.begin(), index.end()), targets, stream);
            compare_additions<std::complex<float>>(index, targets, stream);
        }
}

TEST_F(GpuReduce, RunsOfLengthsAroundEachLimit) {
    for (const bool mixed : {false, true}) {
        std::vector<std::pair<int32_t, size_t>> lengths;
        int32_t place = 0;
        for (const size_t length :
             {1, 63, 64, 65, 95, 96, 97, 98, 127, 128, 129, 191, 192, 193, 1023, 1024, 1025, 40'000})
            for (const size_t more : {0, 1, 31}) lengths.emplace_back(place += 2, length + more);
        const std::vector<int32_t> index = runs(lengths, mixed);
        const auto targets = static_cast<size_t>(place + 3);
        compare_additions<float>(index, targets, stream);
        compare_additions<double>(index, targets, stream);
        for (const size_t n : {1, 31, 1023, 1024, 1025, 1119, 1120, 1121, 2048})
            compare_additions<float>(std::vector<int32_t>(index.begin(), index.begin() + static_cast<ptrdiff_t>(n)),
                                     targets, stream);
    }
}

TEST_F(GpuReduce, RowsOfAnyWidth) {
    std::vector<std::pair<int64_t, size_t>> lengths{{0, 5000}, {1, 63}, {2, 64}, {3, 65}, {5, 127}, {6, 128}, {7, 129}};
    for (int64_t place = 10; place < 400; ++place) lengths.emplace_back(place, static_cast<size_t>(place % 3));
    const std::vector<int64_t> index = runs(lengths, true);
    const size_t n = index.size(), targets = 401;
    const OnDevice<int64_t> index_there(index);
    const auto check = [&]<class T>(T, size_t width, int axis) {
        using Sum = rng::detail::sum_t<T, void>;
        const std::vector<T> values = numbers<T>(n * width, width);
        std::vector<Sum> expected = numbers<Sum>(targets * width, 3);
        const OnDevice<Sum> out(expected);
        const OnDevice<T> from(values);
        const size_t rows = axis == 0 ? n : width, cols = axis == 0 ? width : n;
        const size_t out_rows = axis == 0 ? targets : width, out_cols = axis == 0 ? width : targets;
        rng::index_add(matrix_view<Sum>::row_major(expected.data(), out_rows, out_cols), axis, index,
                       matrix_view<const T>::row_major(values.data(), rows, cols), 0.7);
        rng::index_add(device_matrix<Sum>::row_major(out.data(), out_rows, out_cols), axis, index_there.span(),
                       device_matrix<T>::row_major(from.data(), rows, cols), 0.7, stream);
        ok(cudaStreamSynchronize(stream));
        EXPECT_TRUE(same_bits(out.on_host(), expected)) << width << " numbers along axis " << axis;
    };
    for (const int axis : {0, 1}) {
        for (const size_t width : {2, 7, 8, 9, 31, 32, 127, 128, 129, 511, 512, 513, 1024}) check(float{}, width, axis);
        for (const size_t width : {3, 8, 130}) {
            check(double{}, width, axis);
            check(rng::float16{}, width, axis);
            check(std::complex<double>{}, width, axis);
        }
    }
}

TEST_F(GpuReduce, SpecialNumbers) {
    const auto check = [&]<class T>(T) {
        using Limits = std::numeric_limits<T>;
        for (const T big : {Limits::max(), Limits::infinity(), Limits::quiet_NaN(), T{1}})
            for (const T small : {Limits::denorm_min(), -Limits::denorm_min(), T{-0.0}, Limits::min()})
                for (const size_t n : {1, 5000}) {
                    std::vector<T> x(n, small);
                    x[n / 2] = big;
                    compare_spans<void>(x, x, stream);
                    compare_spans<void>(std::vector<T>(n, small), x, stream);
                }
    };
    check(float{});
    check(double{});
    compare_spans<void>(std::vector<float>(1'000'000, 0x1p100f), std::vector<float>(1'000'000, 0x1p-100f), stream);
}

TEST_F(GpuReduce, NormsOfColumnsOfWhichSomeNeedAScale) {
    const auto check = [&]<class T>(T) {
        using Limits = std::numeric_limits<T>;
        constexpr size_t rows = 540'000, cols = 12;  // two levels of merges
        std::vector<T> x = numbers<T>(rows * cols, 1);
        const T scales[] = {1, Limits::max() / 1024, Limits::min(), Limits::denorm_min(), T{0}, Limits::infinity()};
        for (size_t row = 0; row < rows; ++row)
            for (size_t col = 0; col < cols; ++col) x[row * cols + col] *= scales[col % 6];
        const OnDevice<T> there(x);
        const auto norms = written<T>(cols, stream, [&](auto out) {
            rng::norm2(device_matrix<const T>::row_major(there.data(), rows, cols), 0, out, stream);
        });
        EXPECT_TRUE(same_bits(norms, rng::norm2(matrix_view<const T>::row_major(x.data(), rows, cols), 0)));
    };
    check(float{});
    check(double{});
}

TEST_F(GpuReduce, EveryFloat16IsTheHosts) {
    std::vector<rng::float16> x(1 << 16);
    for (size_t i = 0; i < x.size(); ++i) x[i] = rng::float16::from_bits(static_cast<uint32_t>(i));
    const OnDevice<rng::float16> there(x);
    const auto sums = written<float>(x.size(), stream, [&](auto out) {
        rng::sum(device_matrix<const rng::float16>::row_major(there.data(), x.size(), 1), 1, out, stream);
    });
    EXPECT_TRUE(same_bits(sums, rng::sum(matrix_view<const rng::float16>::row_major(x.data(), x.size(), 1), 1)));
}

TEST_F(GpuReduce, Counts) {
    const std::vector<uint32_t> index = places<uint32_t>(3'000'000, 1000, 1);
    const std::vector<float> weights = numbers<float>(index.size(), 2);
    const OnDevice<uint32_t> there(index);
    const OnDevice<float> weights_there(weights);
    EXPECT_EQ(written<int64_t>(1000, stream, [&](auto out) { rng::bincount(there.span(), out, stream); }),
              rng::bincount(index, 1000));
    EXPECT_TRUE(
        same_bits(written<double>(1000, stream,
                                  [&](auto out) { rng::bincount(there.span(), weights_there.span(), out, stream); }),
                  rng::bincount(index, weights, 1000)));
}

TEST_F(GpuReduce, CountsInSharedAndInGlobalMemory) {
    constexpr size_t n = 1'000'003;
    const auto compare = [&]<class I>(const std::vector<I>& index, size_t bins) {
        const OnDevice<I> there(index);
        EXPECT_EQ(written<int64_t>(bins, stream, [&](auto out) { rng::bincount(there.span(), out, stream); }),
                  rng::bincount(index, bins))
            << index.size() << " in " << bins;
    };
    for (const size_t bins : {1, 100, 12'287, 12'288, 12'289, 900'000, 3'000'000}) {
        compare(places<int64_t>(n, bins, 1), bins);
        compare(std::vector<int32_t>(n, static_cast<int32_t>(bins - 1)), bins);
    }
    std::vector<uint32_t> wrong(n, 7);
    wrong[654'321] = 800'000;
    const OnDevice<uint32_t> there(wrong);
    for (const size_t bins : {8, 100'000}) {
        const std::vector<int64_t> before(bins, 9);
        const OnDevice<int64_t> out(before);
        EXPECT_EQ(support::error_of(rng::ErrorCode::invalid_argument,
                                    [&] { rng::bincount(there.span(), out.span(), stream); }),
                  "bincount: index must be in [0, " + std::to_string(bins) + "), got 800000 at 654321");
        EXPECT_EQ(out.on_host(), before);
    }
}

TEST_F(GpuReduce, WrongIndicesAreNamedAndNothingIsWritten) {
    std::vector<int32_t> index = places<int32_t>(100'000, 50, 1);
    index[77'777] = 50, index[88'888] = -1;
    const std::vector<float> before = numbers<float>(50, 2);
    const OnDevice<float> out(before), values(numbers<float>(index.size(), 3));
    const OnDevice<int32_t> there(index);
    const auto refused = [](const auto& call) { return support::error_of(rng::ErrorCode::invalid_argument, call); };
    EXPECT_EQ(refused([&] { rng::index_add(out.span(), there.span(), values.span(), 1, stream); }),
              "index_add: index must be in [0, 50), got 50 at 77777");
    EXPECT_TRUE(same_bits(out.on_host(), before));
    const OnDevice<int64_t> counts(50);
    EXPECT_EQ(refused([&] { rng::bincount(there.span(), counts.span(), stream); }),
              "bincount: index must be in [0, 50), got 50 at 77777");
    EXPECT_EQ(refused([&] {
                  rng::segmented_sum(values.span(), there.span(), {out.data(), index.size() - 1}, stream);
              }).find("segmented_sum: offsets must ascend from 0, got "),
              0u);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    rng::sum(values.span(), {out.data(), 1}, stream);  // the device is still usable
    ok(cudaStreamSynchronize(stream));
    EXPECT_TRUE(same_bits(one(out.on_host()[0]), one(rng::sum(values.on_host()))));
}

TEST_F(GpuReduce, GraphsRepeatSums) {
    const std::vector<float> first = numbers<float>(100'000, 1), second = numbers<float>(100'000, 2);
    const OnDevice<float> x(first), out(1);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t run = nullptr;
    ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    rng::norm2(x.span(), out.span(), stream);
    ok(cudaStreamEndCapture(stream, &graph));
    ok(cudaGraphInstantiate(&run, graph, 0));
    for (const std::vector<float>& values : {first, second, first}) {
        ok(cudaMemcpyAsync(x.data(), values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice, stream));
        ok(cudaGraphLaunch(run, stream));
        ok(cudaStreamSynchronize(stream));
        EXPECT_TRUE(same_bits(out.on_host(), one(rng::norm2(values))));
    }
    ok(cudaGraphExecDestroy(run));
    ok(cudaGraphDestroy(graph));
}

}  // namespace
