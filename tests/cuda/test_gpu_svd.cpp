// svd_lowrank of a GPU's memory, called as by a program with CUDA's runtime: streams, strides, workspaces, refused
// memory.
// test_device_svd.cpp has shapes, types and options. Skipped without a GPU; gpu-check.sh runs this file on one.
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../support/gpu.hpp"
#include "../support/paths.hpp"

namespace {

using rng::ErrorCode;
using support::error_of;
using support::ok;
using support::OnDevice;
using support::same_bits;

class GpuSvd : public support::GpuTest {};

template <class T> T as(double re, double im) {
    if constexpr (rng::detail::SvdElement<T>::is_complex)
        return {static_cast<rng::detail::real_t<T>>(re), static_cast<rng::detail::real_t<T>>(im)};
    else
        return static_cast<T>(re);
}

/// A, U and V lie by columns with gaps, or by rows backwards; two calls follow each other on a stream.
template <class T> void compare_strides(cudaStream_t stream, bool by_columns) {
    constexpr std::size_t m = 700, n = 90, q = 11;
    const auto pitch = static_cast<std::ptrdiff_t>(by_columns ? m + 3 : n + 3);
    const auto random = rng::sample(rng::normal<double>{}, 2 * static_cast<std::size_t>(pitch) * (by_columns ? n : m),
                                    rng::Stream<>{3});
    std::vector<T> values(random.size() / 2);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = as<T>(random[2 * i], random[2 * i + 1]);
    const OnDevice<T> a(values);
    const auto last = static_cast<std::ptrdiff_t>(m - 1) * pitch;
    const std::ptrdiff_t begin = by_columns ? 0 : last, row = by_columns ? 1 : -pitch, col = by_columns ? pitch : 1;
    const rng::matrix_view<const T> host{values.data() + begin, m, n, row, col};
    const rng::device_matrix<const T> device{a.data() + begin, m, n, row, col};

    constexpr std::ptrdiff_t u_pitch = m + 2, v_pitch = n + 1;
    const OnDevice<T> u(static_cast<std::size_t>(u_pitch) * q), v(static_cast<std::size_t>(v_pitch) * q);
    const OnDevice<rng::detail::real_t<T>> s(q);
    const rng::DeviceSvdOptions<T> options{.q = q};
    const OnDevice<std::byte> work(rng::svd_lowrank_workspace(device, options));
    rng::Generator gpu(rng::cuda(0), 42), cpu(42);
    for (int call = 0; call < 2; ++call) {
        rng::svd_lowrank(device, options, {{u.data(), m, q, 1, u_pitch}, s.span(), {v.data(), n, q, 1, v_pitch}},
                         work.span(), gpu, stream);
        const auto expected = rng::svd_lowrank(host, rng::SvdOptions<T>{.q = q}, cpu);
        EXPECT_TRUE(same_bits(s.on_host(), expected.S)) << call;
        const auto check = [&](const OnDevice<T>& on_device, std::ptrdiff_t gap, const rng::Matrix<T>& wanted) {
            const std::vector<T> got = on_device.on_host();
            rng::Matrix<T> packed(wanted.rows, q);
            for (std::size_t i = 0; i < wanted.rows; ++i)
                for (std::size_t j = 0; j < q; ++j) packed(i, j) = got[i + j * static_cast<std::size_t>(gap)];
            EXPECT_TRUE(same_bits(packed.values, wanted.values)) << call;
            std::vector<unsigned char> untouched(sizeof(T), 0xff);
            EXPECT_EQ(std::memcmp(&got[wanted.rows], untouched.data(), sizeof(T)), 0) << "a gap was written";
        };
        check(u, u_pitch, expected.U);
        check(v, v_pitch, expected.V);
    }
    EXPECT_EQ(gpu.position(), cpu.position());
}

TEST_F(GpuSvd, StridesAndStreams) {
    for (const bool by_columns : {false, true}) {
        compare_strides<float>(stream, by_columns);
        compare_strides<double>(stream, by_columns);
        compare_strides<std::complex<float>>(stream, by_columns);
        compare_strides<std::complex<double>>(stream, by_columns);
    }
}

/// Sums that are shared out among many blocks of threads, and merged over several levels.
TEST_F(GpuSvd, LongSums) {
    constexpr std::size_t m = 300'000, n = 24;
    rng::Matrix<float> a(m, n);
    rng::fill(a.values, rng::normal<float>{}, rng::Stream<>{5});
    const rng::Generator from(42);
    rng::Generator g = from.clone(), h = from.clone();
    for (const long long q : {4LL, 24LL}) {
        const rng::SvdOptions<float> options{.q = q, .niter = 1};
        EXPECT_TRUE(same_bits(rng::svd_lowrank_on(rng::cuda(0), a.view(), options, from).V.values,
                              rng::svd_lowrank(a.view(), options, g).V.values));
        const auto wide = rng::matrix_view<const float>::column_major(a.values.data(), n, m);
        EXPECT_TRUE(same_bits(rng::svd_lowrank_on(rng::cuda(0), wide, options, from).U.values,
                              rng::svd_lowrank(wide, options, h).U.values));
        g = from.clone();
        h = from.clone();
    }
}

/// Small matrices on both sides of what a GPU's shared memory holds, and of the size from which the GPU rotates them.
/// Rows of a low rank become short while they are rotated.
template <class T> void compare_broad(std::size_t rank, const std::vector<long long>& sketches) {
    constexpr std::size_t m = 400, n = 250;
    const auto random = rng::sample(rng::normal<double>{}, 2 * (m * n + rank * (m + n)), rng::Stream<>{13});
    rng::Matrix<T> a(m, n);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const std::size_t e = 2 * (i * n + j);
            double re = rank == 0 ? random[e] : 0, im = rank == 0 ? random[e + 1] : 0;
            for (std::size_t k = 0; k < rank; ++k) {
                const double* const left = &random[2 * (m * n + i * rank + k)];
                const double* const right = &random[2 * (m * n + m * rank + j * rank + k)];
                re += left[0] * right[0] - left[1] * right[1];
                im += left[0] * right[1] + left[1] * right[0];
            }
            a(i, j) = as<T>(re, im);
        }
    const rng::Generator from(42);
    for (const long long q : sketches) {
        rng::Generator g = from.clone();
        const rng::SvdOptions<T> options{.q = q, .niter = 0};
        const auto got = rng::svd_lowrank_on(rng::cuda(0), std::as_const(a).view(), options, from);
        const auto expected = rng::svd_lowrank(std::as_const(a).view(), options, g);
        EXPECT_TRUE(same_bits(got.S, expected.S)) << q;
        EXPECT_TRUE(same_bits(got.U.values, expected.U.values)) << q;
        EXPECT_TRUE(same_bits(got.V.values, expected.V.values)) << q;
    }
}
TEST_F(GpuSvd, BroadSketches) {
    const std::vector<long long> all{43, 63, 64, 71, 100, 113, 128, 161, 250};
    for (const std::size_t rank : {std::size_t{0}, std::size_t{30}}) {
        compare_broad<float>(rank, all);
        compare_broad<double>(rank, all);
        compare_broad<std::complex<float>>(rank, all);
        compare_broad<std::complex<double>>(rank, all);
    }
}
/// So small that compute-sanitizer comes to an end.
TEST_F(GpuSvd, BroadSketch72) {
    compare_broad<float>(0, {72});
    compare_broad<std::complex<float>>(30, {72});
}

/// Kernels that ask for other sizes of shared memory at the same time.
TEST_F(GpuSvd, ThreadsWithOtherSketches) {
    rng::Matrix<float> a(700, 300);
    rng::fill(a.values, rng::normal<float>{}, rng::Stream<>{3});
    const rng::Generator from(42);
    const auto run = [&](long long q, std::string& fault) {
        try {
            const rng::SvdOptions<float> options{.q = q};
            rng::Generator g = from.clone();
            const auto expected = rng::svd_lowrank(std::as_const(a).view(), options, g);
            for (int call = 0; call < 12; ++call) {
                const auto got = rng::svd_lowrank_on(rng::cuda(0), std::as_const(a).view(), options, from);
                if (!same_bits(got.V.values, expected.V.values)) fault = "other bits than on the CPU";
            }
        } catch (const rng::Error& error) {
            fault = error.what();
        }
    };
    const std::vector<long long> sketches{128, 100, 64, 128, 90, 110};
    std::vector<std::string> faults(sketches.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < sketches.size(); ++i) threads.emplace_back([&, i] { run(sketches[i], faults[i]); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(faults, std::vector<std::string>(sketches.size()));
}

/// A sparse matrix whose first row and first column are full, with another order of columns in each row.
template <class T> struct Sparse {
    std::size_t rows, cols;
    std::vector<std::int64_t> offsets{0}, columns{};
    std::vector<T> values{};

    Sparse(std::size_t m, std::size_t n) : rows(m), cols(n) {
        const rng::Stream<> stream{11};
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = n; j-- > 0;)
                if (i == 0 || j == 0 || (i * 7919 + j * 104729) % 997 == 0)
                    columns.push_back(static_cast<std::int64_t>(j));
            offsets.push_back(static_cast<std::int64_t>(columns.size()));
        }
        const auto random = rng::sample(rng::normal<double>{}, 2 * columns.size(), stream);
        for (std::size_t k = 0; k < columns.size(); ++k) values.push_back(as<T>(random[2 * k], random[2 * k + 1]));
    }
    [[nodiscard]] rng::csr_view<T> view() const { return {rows, cols, offsets, columns, values}; }
};

/// svd_lowrank of a sparse matrix in device memory.
template <class T> class SparseCall {
  public:
    SparseCall(const Sparse<T>& a, long long q)
        : offsets_(a.offsets),
          columns_(a.columns),
          values_(a.values),
          matrix_{a.rows, a.cols, view(offsets_), view(columns_), view(values_)},
          options_{.q = q, .niter = 1},
          u_(a.rows * q_()),
          v_(a.cols * q_()),
          s_(q_()),
          work_(rng::svd_lowrank_workspace(matrix_, options_)) {}
    [[nodiscard]] rng::LowRankSvd<T> operator()(rng::Generator& gpu, cudaStream_t stream) const {
        rng::svd_lowrank(matrix_, options_,
                         {rng::device_matrix<T>::row_major(u_.data(), matrix_.rows, q_()), s_.span(),
                          rng::device_matrix<T>::row_major(v_.data(), matrix_.cols, q_())},
                         work_.span(), gpu, stream);
        rng::LowRankSvd<T> result{{matrix_.rows, q_()}, s_.on_host(), {matrix_.cols, q_()}};
        result.U.values = u_.on_host();
        result.V.values = v_.on_host();
        return result;
    }

  private:
    template <class V> static rng::device_span<const V> view(const OnDevice<V>& memory) {
        return {memory.data(), memory.span().size};
    }
    [[nodiscard]] std::size_t q_() const { return static_cast<std::size_t>(*options_.q); }
    OnDevice<std::int64_t> offsets_, columns_;
    OnDevice<T> values_;
    rng::device_csr<T> matrix_;
    rng::DeviceSvdOptions<T> options_;
    OnDevice<T> u_, v_;
    OnDevice<rng::detail::real_t<T>> s_;
    OnDevice<std::byte> work_;
};

template <class T> void compare_sparse(cudaStream_t stream) {
    for (const auto& [m, n] : {std::pair<std::size_t, std::size_t>{40'000, 300}, {300, 40'000}, {3'000, 3'000}}) {
        const Sparse<T> a(m, n);
        rng::Generator gpu(rng::cuda(0), 42), cpu(42);
        const rng::LowRankSvd<T> got = SparseCall<T>(a, 11)(gpu, stream);
        const auto expected = rng::svd_lowrank(a.view(), {.q = 11, .niter = 1}, cpu);
        EXPECT_TRUE(same_bits(got.S, expected.S)) << m << " x " << n;
        EXPECT_TRUE(same_bits(got.U.values, expected.U.values)) << m << " x " << n;
        EXPECT_TRUE(same_bits(got.V.values, expected.V.values)) << m << " x " << n;
        EXPECT_EQ(gpu.position(), cpu.position());
    }
}
TEST_F(GpuSvd, SparseMatrices) {
    compare_sparse<float>(stream);
    compare_sparse<double>(stream);
    compare_sparse<std::complex<float>>(stream);
    compare_sparse<std::complex<double>>(stream);
}

/// Arrays that no matrix has: the CPU's message, no fault of a kernel, and the next call works.
TEST_F(GpuSvd, SparseFaultsAreToldWithoutFaults) {
    const Sparse<float> valid(900, 700);
    rng::Generator gpu(rng::cuda(0), 42), cpu(42);
    const auto compare = [&](const auto& spoil) {
        Sparse<float> a = valid;
        spoil(a);
        const auto message = [&](const auto& call) { return error_of(ErrorCode::invalid_argument, call); };
        EXPECT_EQ(message([&] { (void)SparseCall<float>(a, 4)(gpu, stream); }),
                  message([&] { (void)rng::svd_lowrank(a.view(), {.q = 4}, cpu); }));
        EXPECT_EQ(gpu.position(), 0u);
        EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    };
    compare([](Sparse<float>& a) { a.columns[1234] = std::int64_t{1} << 40; });
    compare([](Sparse<float>& a) { a.columns[77] = -1; });
    compare([](Sparse<float>& a) { a.offsets[400] = std::numeric_limits<std::int64_t>::max(); });
    compare([](Sparse<float>& a) { a.offsets[400] = std::numeric_limits<std::int64_t>::min(); });
    compare([](Sparse<float>& a) { a.columns[800] = a.columns[801]; });
    compare([](Sparse<float>& a) { a.values[999] = std::numeric_limits<float>::quiet_NaN(); });
    rng::Generator host = cpu.clone();
    EXPECT_TRUE(same_bits(SparseCall<float>(valid, 4)(gpu, stream).V.values,
                          rng::svd_lowrank(valid.view(), {.q = 4, .niter = 1}, host).V.values));
}

/// A batch and its results with gaps; the workspace is that of one matrix.
TEST_F(GpuSvd, Batches) {
    constexpr std::size_t m = 200, n = 50, q = 7, size = 4;
    constexpr std::ptrdiff_t step = m * n + 5, u_step = m * q + 1, s_step = q + 2, v_step = n * q + 3;
    std::vector<float> values(size * static_cast<std::size_t>(step));
    rng::fill(values, rng::normal<float>{}, rng::Stream<>{5});
    const OnDevice<float> a(values), u(size * u_step), s(size * s_step), v(size * v_step);
    const rng::device_batch<const float> batch{rng::device_matrix<const float>::row_major(a.data(), m, n), size, step};
    const OnDevice<std::byte> work(rng::svd_lowrank_workspace(batch, {.q = q}));
    rng::Generator gpu(rng::cuda(0), 42), cpu(42);
    rng::svd_lowrank(batch, {.q = q},
                     {{rng::device_matrix<float>::row_major(u.data(), m, q),
                       {s.data(), q},
                       rng::device_matrix<float>::row_major(v.data(), n, q)},
                      u_step,
                      s_step,
                      v_step},
                     work.span(), gpu, stream);
    const auto expected = rng::svd_lowrank(
        rng::batch_view<const float>{rng::matrix_view<const float>::row_major(values.data(), m, n), size, step},
        {.q = q}, cpu);
    const auto part = [](const OnDevice<float>& memory, std::size_t i, std::ptrdiff_t stride, std::size_t count) {
        const std::vector<float> all = memory.on_host();
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i) * stride;
        return std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(count));
    };
    for (std::size_t i = 0; i < size; ++i) {
        EXPECT_TRUE(same_bits(part(u, i, u_step, m * q), expected[i].U.values)) << i;
        EXPECT_TRUE(same_bits(part(s, i, s_step, q), expected[i].S)) << i;
        EXPECT_TRUE(same_bits(part(v, i, v_step, n * q), expected[i].V.values)) << i;
    }
    EXPECT_EQ(gpu.position(), cpu.position());
}

TEST_F(GpuSvd, EveryEngine) {
    rng::Matrix<std::complex<float>> a(200, 30);
    for (std::size_t i = 0; i < a.values.size(); ++i)
        a.values[i] = {static_cast<float>(i % 7), static_cast<float>(i % 5)};
    rng::for_each_engine([&](auto tag) {  // of low rank: columns are replaced as well
        const rng::Generator from(rng::cpu(), 42, decltype(tag)::type::number);
        rng::Generator g = from.clone();
        EXPECT_TRUE(same_bits(rng::svd_lowrank_on(rng::cuda(0), std::as_const(a).view(), {.q = 20}, from).U.values,
                              rng::svd_lowrank(std::as_const(a).view(), {.q = 20}, g).U.values));
    });
}

TEST_F(GpuSvd, WhatIsWrongIsFoundBeforeAnythingMoves) {
    constexpr std::size_t m = 20, n = 10, q = 3;
    rng::Generator gpu(rng::cuda(0), 42);
    const OnDevice<float> a(std::vector<float>(m * n, 1.0f)), u(m * q), s(q), v(n * q);
    const auto device = rng::device_matrix<const float>::row_major(a.data(), m, n);
    const rng::DeviceSvdOptions<float> options{.q = q};
    const std::size_t bytes = rng::svd_lowrank_workspace(device, options);
    const OnDevice<std::byte> work(bytes + 256);
    std::vector<float> host(m * n);
    const auto refused = [&](const rng::device_matrix<const float>& matrix, float* to, rng::device_span<std::byte> w) {
        return error_of(ErrorCode::invalid_argument, [&] {
            rng::svd_lowrank(matrix, options,
                             {rng::device_matrix<float>::row_major(to, m, q), s.span(),
                              rng::device_matrix<float>::row_major(v.data(), n, q)},
                             w, gpu, stream);
        });
    };
    int reads_pageable = 0;
    ok(cudaDeviceGetAttribute(&reads_pageable, cudaDevAttrPageableMemoryAccess, 0));
    if (reads_pageable == 0) {
        EXPECT_EQ(refused(rng::device_matrix<const float>::row_major(host.data(), m, n), u.data(), work.span()),
                  "svd_lowrank: A must be device or managed memory, got host memory");
    }
    EXPECT_EQ(refused(device, nullptr, work.span()), "svd_lowrank: U is null but has elements");
    EXPECT_EQ(
        refused(device, u.data(), {work.data(), bytes - 1}),
        "svd_lowrank: the workspace must have " + std::to_string(bytes) + " bytes, got " + std::to_string(bytes - 1));
    EXPECT_EQ(refused(device, u.data(), {work.data() + 16, bytes}),
              "svd_lowrank: the workspace must be at a multiple of 256 bytes");
    ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    EXPECT_EQ(refused(device, u.data(), work.span()),
              "svd_lowrank: the stream is being captured into a graph, which cannot hold work of the host");
    cudaGraph_t graph = nullptr;
    ok(cudaStreamEndCapture(stream, &graph));
    ok(cudaGraphDestroy(graph));
    std::vector<float> bad(m * n, 1.0f);
    bad[4 * n + 7] = std::numeric_limits<float>::infinity();
    const OnDevice<float> infinite(bad);
    EXPECT_EQ(refused(rng::device_matrix<const float>::row_major(infinite.data(), m, n), u.data(), work.span()),
              "svd_lowrank: A must be finite, got infinity at (4, 7)");
    EXPECT_EQ(gpu.position(), 0u);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    rng::svd_lowrank(device, options,
                     {rng::device_matrix<float>::row_major(u.data(), m, q), s.span(),
                      rng::device_matrix<float>::row_major(v.data(), n, q)},
                     work.span(), gpu, stream);
    EXPECT_NE(gpu.position(), 0u);
}

}  // namespace
