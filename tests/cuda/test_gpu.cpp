// Fills of a GPU's memory as a program with CUDA's runtime makes them: streams, alignments, parts, several devices,
// graphs, refused memory. Skipped without a GPU; scripts/gpu-check.sh runs them on one.
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <cfenv>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "../support/gpu.hpp"
#include "../support/paths.hpp"
#include "rows.hpp"

namespace {

using rng::ErrorCode;
using support::error_of;
using support::ok;
using support::same_bits;

class Gpu : public support::GpuTest {};

/// Memory of the present device.
template <class T> class OnDevice {
  public:
    explicit OnDevice(std::size_t n) : size_(n) { ok(cudaMalloc(&data_, n * sizeof(T))); }
    ~OnDevice() { ok(cudaFree(data_)); }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

    [[nodiscard]] T* data() const { return static_cast<T*>(data_); }
    [[nodiscard]] rng::device_span<T> span() const { return {data(), size_}; }
    [[nodiscard]] std::vector<T> on_host(cudaStream_t s) const {
        std::vector<T> values(size_);
        ok(cudaMemcpyAsync(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost, s));
        ok(cudaStreamSynchronize(s));
        return values;
    }

  private:
    void* data_ = nullptr;
    std::size_t size_;
};

TEST_F(Gpu, SuccessiveFillsOfAStreamAreThoseOfTheCpu) {
    rng::Generator gpu(rng::cuda(0), 42), cpu(42);
    const OnDevice<float> a(100'003);
    const OnDevice<double> b(5001);
    rng::fill(a.span(), rng::normal{0.0f, 1.0f}, gpu, stream);
    rng::fill(b.span(), rng::exponential{2.0}, gpu, stream);
    EXPECT_TRUE(same_bits(a.on_host(stream), rng::sample(rng::normal{0.0f, 1.0f}, 100'003, cpu)));
    EXPECT_TRUE(same_bits(b.on_host(stream), rng::sample(rng::exponential{2.0}, 5001, cpu)));
    EXPECT_EQ(gpu.position(), cpu.position());

    cpu.set_state(gpu.get_state());
    const OnDevice<float> c(17);
    rng::fill(c.span(), rng::uniform<float>{}, gpu, stream);
    EXPECT_TRUE(same_bits(c.on_host(stream), rng::sample(rng::uniform<float>{}, 17, cpu)));
}

TEST_F(Gpu, NeitherAlignmentNorPartsMatter) {
    constexpr std::size_t n = 10'001;
    const rng::Stream<> from(42, 7, 3);
    support::for_each_case_of_kinds(1, [&](const auto& dist, const std::string& name) {
        using T = rng::result_t<std::decay_t<decltype(dist)>>;
        const auto expected = rng::sample(dist, n, from);
        for (const std::size_t cut : {1u, 2u, 5u, 4099u}) {
            const OnDevice<T> whole(n);
            rng::fill(rng::device_span<T>{whole.data(), cut}, dist, from, 0, stream);
            rng::fill(rng::device_span<T>{whole.data() + cut, n - cut}, dist, from, cut, stream);
            ASSERT_TRUE(same_bits(whole.on_host(stream), expected)) << name << " cut at " << cut;
        }
    });
}

TEST_F(Gpu, BytesAreThoseOfTheCpuAtAnyAddress) {
    rng::Generator gpu(rng::cuda(0), 42), cpu(42);
    for (const std::size_t n : {1u, 3u, 1001u, 100'003u})
        for (const std::size_t offset : {0u, 1u, 15u}) {
            const OnDevice<std::byte> memory(n + offset);
            rng::fill_bytes(rng::device_span{memory.data() + offset, n}, gpu, stream);
            std::vector<std::byte> expected(n), made = memory.on_host(stream);
            rng::fill_bytes(expected, cpu);
            made.erase(made.begin(), made.begin() + static_cast<std::ptrdiff_t>(offset));
            ASSERT_TRUE(made == expected) << n << " bytes, offset " << offset;
            EXPECT_EQ(gpu.position(), cpu.position());
        }
    const OnDevice<std::byte> pure(77);
    rng::fill_bytes(pure.span(), rng::Stream<rng::Threefry4x64_20>(42, 7, 3), stream);
    std::vector<std::byte> expected(77);
    rng::fill_bytes(expected, rng::Stream<rng::Threefry4x64_20>(42, 7, 3));
    EXPECT_TRUE(pure.on_host(stream) == expected);
}

TEST_F(Gpu, MatricesOfAnyStrides) {
    struct Layout {
        std::size_t rows, cols;
        std::ptrdiff_t row_stride, col_stride;
    };
    const rng::Stream<> from(42, 7, 3);
    support::for_each_kind([&](const auto& dist, const std::string& name) {
        using T = rng::result_t<std::decay_t<decltype(dist)>>;
        for (const Layout& l : {Layout{301, 203, 203, 1}, {301, 203, 211, 1}, {301, 203, 1, 301}, {301, 3, -4, -1}}) {
            const std::size_t size = 301 * 211;
            const OnDevice<T> memory(size);
            std::vector<T> expected(size);
            ok(cudaMemcpyAsync(memory.data(), expected.data(), size * sizeof(T), cudaMemcpyHostToDevice, stream));
            const std::size_t origin = l.row_stride < 0 ? size - 1 : 0;
            rng::fill(rng::device_matrix<T>{memory.data() + origin, l.rows, l.cols, l.row_stride, l.col_stride}, dist,
                      from, 5, stream);
            rng::fill(rng::matrix_view<T>{expected.data() + origin, l.rows, l.cols, l.row_stride, l.col_stride}, dist,
                      from, 5);
            ASSERT_TRUE(same_bits(memory.on_host(stream), expected)) << name << ", row stride " << l.row_stride;
        }
    });
}

TEST_F(Gpu, DevicesThatShareAnArrayGiveTheArrayOfOne) {
    constexpr std::size_t n = 10'001;
    const rng::Stream<> from(42);
    const std::size_t devices = rng::devices().size() - 1;
    std::vector<float> joined;
    for (std::size_t d = 0; d < devices; ++d) {
        ok(cudaSetDevice(static_cast<int>(d)));
        const std::size_t first = n * d / devices, last = n * (d + 1) / devices;
        const OnDevice<float> part(last - first);
        rng::fill(part.span(), rng::normal<float>{}, from, first);
        const std::vector<float> values = part.on_host(nullptr);
        joined.insert(joined.end(), values.begin(), values.end());
    }
    ok(cudaSetDevice(0));
    EXPECT_TRUE(same_bits(joined, rng::sample(rng::normal<float>{}, n, from)));
}

TEST_F(Gpu, TheCallersRoundingDoesNotMatter) {
    const rng::normal<float> dist{0.1f, 1.7f};
    const auto expected = rng::sample(dist, 1000, rng::Stream<>{42});
    std::fesetround(FE_UPWARD);
    const auto sampled = rng::sample_on(rng::cuda(0), dist, 1000, rng::Stream<>{42});
    const OnDevice<float> filled(1000);
    rng::fill(filled.span(), dist, rng::Stream<>{42}, 0, stream);
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
    std::fesetround(FE_TONEAREST);
    EXPECT_TRUE(same_bits(sampled, expected));
    EXPECT_TRUE(same_bits(filled.on_host(stream), expected));
}

TEST_F(Gpu, WrongMemoryIsRefusedAndNothingMoves) {
    rng::Generator gpu(rng::cuda(0), 42);
    std::vector<float> host(8);
    float* locked = nullptr;
    ok(cudaMallocHost(&locked, 8 * sizeof(float)));
    const OnDevice<float> device(8);
    const rng::normal<float> dist;
    int reads_pageable = 0;
    ok(cudaDeviceGetAttribute(&reads_pageable, cudaDevAttrPageableMemoryAccess, 0));
    if (reads_pageable == 0) {
        EXPECT_EQ(error_of(ErrorCode::invalid_argument,
                           [&] { rng::fill(rng::device_span<float>(host.data(), 8), dist, gpu, stream); }),
                  "fill: normal: the destination must be device or managed memory, got host memory");
    }
    EXPECT_EQ(error_of(ErrorCode::invalid_argument,
                       [&] { rng::fill(rng::device_span<float>(locked, 8), dist, gpu, stream); }),
              "fill: normal: the destination must be device or managed memory, got page-locked host memory");
    auto* const odd = reinterpret_cast<float*>(reinterpret_cast<char*>(device.data()) + 2);
    EXPECT_EQ(
        error_of(ErrorCode::invalid_argument, [&] { rng::fill(rng::device_span<float>(odd, 4), dist, gpu, stream); }),
        "fill: normal: the destination must be at a multiple of 4 bytes");
    rng::Generator cpu(42);
    EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { rng::fill(device.span(), dist, cpu, stream); }),
              "fill: normal: the destination is device memory but the generator is on cpu");
    EXPECT_EQ(gpu.position(), 0u);
    EXPECT_EQ(cpu.position(), 0u);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    ok(cudaFreeHost(locked));

    float* managed = nullptr;
    ok(cudaMallocManaged(&managed, 8 * sizeof(float)));
    rng::fill(rng::device_span<float>(managed, 8), dist, gpu, stream);
    ok(cudaStreamSynchronize(stream));
    EXPECT_TRUE(same_bits(std::vector<float>(managed, managed + 8), rng::sample(dist, 8, cpu)));
    ok(cudaFree(managed));
}

/// The graph of a capture, which ends here.
class Captured {
  public:
    ~Captured() { ok(cudaGraphDestroy(graph)); }
    explicit Captured(cudaStream_t from) { ok(cudaStreamEndCapture(from, &graph)); }
    Captured(const Captured&) = delete;
    Captured& operator=(const Captured&) = delete;
    cudaGraph_t graph = nullptr;
};

/// A graph of two fills, captured from a stream.
class CapturedFills {
  public:
    CapturedFills(rng::device_span<float> a, rng::device_span<float> b, rng::Generator& gen, cudaStream_t stream) {
        ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        rng::fill(a, rng::normal<float>{}, gen, stream);
        rng::fill(b, rng::uniform<float>{}, gen, stream);
        const Captured captured(stream);
        ok(cudaGraphInstantiate(&executable_, captured.graph, 0));
    }
    ~CapturedFills() { ok(cudaGraphExecDestroy(executable_)); }
    CapturedFills(const CapturedFills&) = delete;
    CapturedFills& operator=(const CapturedFills&) = delete;
    void launch(cudaStream_t stream) const { ok(cudaGraphLaunch(executable_, stream)); }

  private:
    cudaGraphExec_t executable_ = nullptr;
};

TEST_F(Gpu, ReplaysOfAGraphContinueTheirOwnChildren) {
    const OnDevice<float> a(1003), b(77);
    rng::Generator gpu(rng::cuda(0), 42), cpu(42);
    for (int graph = 0; graph < 2; ++graph) {  // the second one gets the counters of the first, from 0 on
        const CapturedFills fills(a.span(), b.span(), gpu, stream);
        EXPECT_EQ(gpu.position(), 0u);
        rng::Generator first = cpu.fork(), second = cpu.fork();
        for (int replay = 0; replay < 3; ++replay) {
            fills.launch(stream);
            EXPECT_TRUE(same_bits(a.on_host(stream), rng::sample(rng::normal<float>{}, 1003, first))) << replay;
            EXPECT_TRUE(same_bits(b.on_host(stream), rng::sample(rng::uniform<float>{}, 77, second))) << replay;
        }
    }
    EXPECT_EQ(gpu.get_state(), cpu.get_state());
}

TEST_F(Gpu, GraphsOfEveryCaptureModeReachForkedStreams) {
    const OnDevice<float> a(1003);
    cudaStream_t side = nullptr;
    cudaEvent_t forked = nullptr, joined = nullptr;
    ok(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
    ok(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
    ok(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
    rng::Generator gpu(rng::cuda(0), 42), cpu(42);
    for (const cudaStreamCaptureMode mode :
         {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
        ok(cudaStreamBeginCapture(stream, mode));
        ok(cudaEventRecord(forked, stream));
        ok(cudaStreamWaitEvent(side, forked));
        rng::fill(a.span(), rng::normal<float>{}, gpu, side);
        ok(cudaEventRecord(joined, side));
        ok(cudaStreamWaitEvent(stream, joined));
        const Captured captured(stream);
        cudaGraphExec_t executable = nullptr;
        ok(cudaGraphInstantiate(&executable, captured.graph, 0));
        rng::Generator child = cpu.fork();
        for (int replay = 0; replay < 2; ++replay) {
            ok(cudaGraphLaunch(executable, stream));
            EXPECT_TRUE(same_bits(a.on_host(stream), rng::sample(rng::normal<float>{}, 1003, child))) << mode;
        }
        ok(cudaGraphExecDestroy(executable));
    }
    ok(cudaEventDestroy(joined));
    ok(cudaEventDestroy(forked));
    ok(cudaStreamDestroy(side));
}

TEST_F(Gpu, AnUpdatedGraphContinuesTheChildOfItsNewCapture) {
    const OnDevice<float> a(1003);
    rng::Generator gpu(rng::cuda(0), 42), cpu(42);
    cudaGraphExec_t executable = nullptr;
    for (int capture = 0; capture < 3; ++capture) {
        ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        rng::fill(a.span(), rng::normal<float>{}, gpu, stream);
        const Captured captured(stream);
        if (capture == 0) {
            ok(cudaGraphInstantiate(&executable, captured.graph, 0));
        } else {
            cudaGraphExecUpdateResultInfo info{};
            ok(cudaGraphExecUpdate(executable, captured.graph, &info));
        }
        rng::Generator child = cpu.fork();
        for (int replay = 0; replay < 2; ++replay) {
            ok(cudaGraphLaunch(executable, stream));
            EXPECT_TRUE(same_bits(a.on_host(stream), rng::sample(rng::normal<float>{}, 1003, child))) << capture;
        }
    }
    ok(cudaGraphExecDestroy(executable));
}

/// A function of the driver, as it was in that version of CUDA.
template <class F> F driver_function(const char* name, unsigned version) {
    void* f = nullptr;
    cudaDriverEntryPointQueryResult result{};
    ok(cudaGetDriverEntryPointByVersion(name, &f, version, cudaEnableDefault, &result));
    return reinterpret_cast<F>(f);
}

CUcontext current_context() {
    CUcontext context = nullptr;
    EXPECT_EQ(driver_function<PFN_cuCtxGetCurrent_v4000>("cuCtxGetCurrent", 4000)(&context), CUDA_SUCCESS);
    return context;
}

bool has_context(int device) {
    unsigned flags = 0;
    int active = 0;
    EXPECT_EQ(driver_function<PFN_cuDevicePrimaryCtxGetState_v7000>("cuDevicePrimaryCtxGetState", 7000)(device, &flags,
                                                                                                        &active),
              CUDA_SUCCESS);
    return active != 0;
}

// A context of the driver's interface stays current, and is the one that works.
TEST(GpuContexts, TheCallersOwnStays) {
    if (rng::devices().size() < 2) GTEST_SKIP() << "no GPU on this machine";
    CUcontext own = nullptr;
    ASSERT_EQ(driver_function<PFN_cuCtxCreate_v3020>("cuCtxCreate", 3020)(&own, 0, 0), CUDA_SUCCESS);
    {
        const OnDevice<float> a(1003);
        rng::fill(a.span(), rng::normal<float>{}, rng::Stream<>{42});
        EXPECT_EQ(current_context(), own);
        EXPECT_TRUE(same_bits(a.on_host(nullptr), rng::sample(rng::normal<float>{}, 1003, rng::Stream<>{42})));
        (void)rng::sample_on(rng::cuda(0), rng::normal<float>{}, 100, rng::Stream<>{42});
        EXPECT_EQ(current_context(), own);
    }
    EXPECT_EQ(driver_function<PFN_cuCtxDestroy_v4000>("cuCtxDestroy", 4000)(own), CUDA_SUCCESS);
}

// In a fresh process: nobody has a context on GPU 0, and nobody gets one from work on GPU 1.
TEST(GpuContexts, NoneOnTheDeviceInUse) {
    if (rng::devices().size() < 3) GTEST_SKIP() << "fewer than two GPUs on this machine";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto work = [] {
        const auto values = rng::sample_on(rng::cuda(1), rng::normal<float>{}, 100, rng::Stream<>{42});
        const bool right = same_bits(values, rng::sample(rng::normal<float>{}, 100, rng::Stream<>{42}));
        int device = -1;
        ok(cudaGetDevice(&device));
        std::_Exit(right && device == 0 && current_context() == nullptr && !has_context(0) && has_context(1) ? 0 : 1);
    };
    EXPECT_EXIT(work(), testing::ExitedWithCode(0), "");
}

TEST_F(Gpu, PureFillsInAGraphRepeat) {
    const OnDevice<float> a(100);
    ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    rng::fill(a.span(), rng::normal<float>{}, rng::Stream<>{42}, 0, stream);
    cudaGraph_t graph = nullptr;
    ok(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t executable = nullptr;
    ok(cudaGraphInstantiate(&executable, graph, 0));
    for (int replay = 0; replay < 2; ++replay) {
        ok(cudaGraphLaunch(executable, stream));
        EXPECT_TRUE(same_bits(a.on_host(stream), rng::sample(rng::normal<float>{}, 100, rng::Stream<>{42})));
    }
    ok(cudaGraphExecDestroy(executable));
    ok(cudaGraphDestroy(graph));
}

// In a fresh process, whose first use of a kernel lies in a capture that forbids to load one.
TEST(GpuFirstUse, LiesInACaptureInGlobalMode) {
    if (rng::devices().size() < 2) GTEST_SKIP() << "no GPU on this machine";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto work = [](bool counted) {
        cudaStream_t stream = nullptr;
        ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        const OnDevice<float> a(100);
        rng::Generator gpu(rng::cuda(0), 42), cpu(42);
        ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        if (counted)
            rng::fill(a.span(), rng::exponential<float>{}, gpu, stream);
        else
            rng::fill(a.span(), rng::exponential<float>{}, cpu.fork().stream(), 0, stream);
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t executable = nullptr;
        ok(cudaStreamEndCapture(stream, &graph));
        ok(cudaGraphInstantiate(&executable, graph, 0));
        ok(cudaGraphLaunch(executable, stream));
        const std::vector<float> values = a.on_host(stream);
        rng::Generator child = rng::Generator(42).fork();
        std::_Exit(same_bits(values, rng::sample(rng::exponential<float>{}, 100, child)) ? 0 : 1);
    };
    EXPECT_EXIT(work(false), testing::ExitedWithCode(0), "");
    EXPECT_EXIT(work(true), testing::ExitedWithCode(0), "");
}

// In a process of its own: counters of graphs, and kernels that were loaded, end with the context.
TEST(GpuFirstUse, ComesAgainAfterAReset) {
    if (rng::devices().size() < 2) GTEST_SKIP() << "no GPU on this machine";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto work = [] {
        rng::Matrix<float> matrix(200, 100);
        rng::fill(matrix.values, rng::normal<float>{}, rng::Stream<>{3});
        rng::Generator cpu(42);
        const auto svd = rng::svd_lowrank(std::as_const(matrix).view(), {.q = 90}, cpu);  // of which the GPU rotates
        bool right = true;
        for (int reset = 0; reset < 3; ++reset) {
            {
                cudaStream_t stream = nullptr;
                ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
                const OnDevice<float> a(100);
                rng::Generator gpu(rng::cuda(0), 42), parent(42);
                ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
                rng::fill(a.span(), rng::normal<float>{}, gpu, stream);
                cudaGraph_t graph = nullptr;
                cudaGraphExec_t executable = nullptr;
                ok(cudaStreamEndCapture(stream, &graph));
                ok(cudaGraphInstantiate(&executable, graph, 0));
                rng::Generator child = parent.fork();
                for (int launch = 0; launch < 2; ++launch) {
                    ok(cudaGraphLaunch(executable, stream));
                    right &= same_bits(a.on_host(stream), rng::sample(rng::normal<float>{}, 100, child));
                }
                ok(cudaGraphExecDestroy(executable));
                ok(cudaGraphDestroy(graph));
                const auto got =
                    rng::svd_lowrank_on(rng::cuda(0), std::as_const(matrix).view(), {.q = 90}, rng::Generator(42));
                right &= same_bits(got.V.values, svd.V.values);
            }
            ok(cudaDeviceReset());
        }
        std::_Exit(right && !testing::Test::HasFailure() ? 0 : 1);
    };
    EXPECT_EXIT(work(), testing::ExitedWithCode(0), "");
}

/// The rows of the CPU from a generator or a stream, one after the other.
template <class... From> std::vector<float> expected_rows(std::size_t n, From&&... from) {
    const rows::Lists lists;
    std::vector<float> values(n * 3);
    rng::fill_rows(rng::matrix_view<float>::row_major(values.data(), n, 3), lists.law(), from...);
    return values;
}

TEST_F(Gpu, RowsAreThoseOfTheCpu) {
    constexpr std::size_t n = 100'003;
    const OnDevice<float> memory(n * 3);
    const auto out = rows::Matrix::row_major(memory.data(), n, 3);
    for (const rng::Engine engine : {rng::Engine::philox4x32_10, rng::Engine::threefry4x64_20}) {
        rng::Generator gpu(rng::cuda(0), 42, engine), cpu(rng::cpu(), 42, engine);
        for (int fill = 0; fill < 2; ++fill) {
            rows::fill(out, rows::Lists().law(), gpu, stream);  // the lists are gone before the fill is done
            EXPECT_TRUE(same_bits(memory.on_host(stream), expected_rows(n, cpu)));
            EXPECT_EQ(gpu.position(), cpu.position());
        }
    }
    // Columns one after the other, and the lists where the caller put them.
    const rows::Lists lists;
    const OnDevice<float> mean(3), factor(9);
    ok(cudaMemcpy(mean.data(), lists.mean.data(), 3 * sizeof(float), cudaMemcpyHostToDevice));
    ok(cudaMemcpy(factor.data(), lists.factor.data(), 9 * sizeof(float), cudaMemcpyHostToDevice));
    const rng::Stream<> from(42, 7, 5);
    rows::launch(rows::Matrix::column_major(memory.data(), n, 3), {mean.data(), factor.data(), 3}, from, 11, stream);
    std::vector<float> expected(n * 3);
    rng::fill_rows(rng::matrix_view<float>::column_major(expected.data(), n, 3), lists.law(), from, 11);
    EXPECT_TRUE(same_bits(memory.on_host(stream), expected));
}

// Fills of many streams, whose lists come from one pool. Each stream has a law of its own.
TEST_F(Gpu, ListsOfManyLaunchesStayApart) {
    constexpr std::size_t n = 1000, streams = 8;
    const OnDevice<float> memory(streams * n * 3);
    cudaStream_t all[streams];
    for (cudaStream_t& s : all) ok(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    const auto law_of = [](rows::Lists& lists, std::size_t k) {
        lists.mean[0] = static_cast<float>(k);
        return lists.law();
    };
    std::vector<float> expected(streams * n * 3);
    for (int turn = 0; turn < 20; ++turn)
        for (std::size_t k = 0; k < streams; ++k) {
            rows::Lists lists;
            const auto first = static_cast<uint64_t>(turn) * n;
            rows::fill(rows::Matrix::row_major(memory.data() + k * n * 3, n, 3), law_of(lists, k), rng::Stream<>{k},
                       first, all[k]);
            if (turn == 19)
                rng::fill_rows(rng::matrix_view<float>::row_major(expected.data() + k * n * 3, n, 3), lists.law(),
                               rng::Stream<>{k}, first);
        }
    for (cudaStream_t& s : all) {
        ok(cudaStreamSynchronize(s));
        ok(cudaStreamDestroy(s));
    }
    EXPECT_TRUE(same_bits(memory.on_host(stream), expected));
}

TEST_F(Gpu, AGraphOfRowsKeepsItsLists) {
    constexpr std::size_t n = 1000;
    const OnDevice<float> memory(n * 3);
    rng::Generator gpu(rng::cuda(0), 42), cpu(42);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t launch = nullptr;
    ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    rows::fill(rows::Matrix::row_major(memory.data(), n, 3), rows::Lists().law(), gpu, stream);
    ok(cudaStreamEndCapture(stream, &graph));
    ok(cudaGraphInstantiate(&launch, graph, 0));
    ok(cudaGraphDestroy(graph));
    rng::Generator child = cpu.fork();
    for (int replay = 0; replay < 3; ++replay) {
        // Memory of lists is used again meanwhile, if it is not the graph's.
        rows::Lists other;
        other.mean[1] = 7;
        rows::fill(rows::Matrix::row_major(memory.data(), n, 3), other.law(), rng::Stream<>{1}, 0, stream);
        ok(cudaGraphLaunch(launch, stream));
        EXPECT_TRUE(same_bits(memory.on_host(stream), expected_rows(n, child))) << replay;
    }
    ok(cudaGraphExecDestroy(launch));
}

template <class T> void check_sobol_fills(cudaStream_t stream) {
    for (const uint32_t d : {1u, 7u, 1000u}) {
        const rng::sobol<T> plain(d), scrambled(d, rng::Stream<>{42});
        for (const auto* points : {&plain, &scrambled})
            for (const std::size_t n : {std::size_t{1}, std::size_t{1000}, std::size_t{300'000} / d}) {
                const OnDevice<T> memory(n * d);
                rng::fill(rng::device_matrix<T>::row_major(memory.data(), n, d), *points, 12'345, stream);
                EXPECT_TRUE(same_bits(memory.on_host(stream), rng::sample(*points, n, 12'345))) << n << " x " << d;
                std::vector<T> expected(n * d);
                rng::fill(rng::device_matrix<T>::column_major(memory.data(), n, d), *points, 7, stream);
                rng::fill(rng::matrix_view<T>::column_major(expected.data(), n, d), *points, 7);
                EXPECT_TRUE(same_bits(memory.on_host(stream), expected)) << n << " x " << d << " by columns";
            }
        // By a table that stays on the device.
        const OnDevice<uint64_t> table(plain.table().size());
        const OnDevice<T> memory(1000 * d);
        ok(cudaMemcpy(table.data(), plain.table().data(), plain.table().size_bytes(), cudaMemcpyHostToDevice));
        const auto out = rng::device_matrix<T>::row_major(memory.data(), 1000, d);
        rng::fill(out, rng::sobol_view<T>{table.data(), d}, 99, stream);
        EXPECT_TRUE(same_bits(memory.on_host(stream), rng::sample(plain, 1000, 99))) << d;
    }
}
TEST_F(Gpu, SobolPointsAreThoseOfTheCpu) {
    check_sobol_fills<float>(stream);
    check_sobol_fills<double>(stream);
}

/// A fill by a law whose table lies on the device, in a graph that outlives the Prepared.
template <class D> class GraphOfATable {
  public:
    GraphOfATable(const D& dist, rng::device_span<rng::result_t<D>> out, rng::Generator& gen, cudaStream_t stream) {
        const rng::Prepared law(dist, rng::cuda(0));
        ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        rng::fill(out, law, gen, stream);
        const Captured captured(stream);
        ok(cudaGraphInstantiate(&executable_, captured.graph, 0));
    }
    ~GraphOfATable() { ok(cudaGraphExecDestroy(executable_)); }
    GraphOfATable(const GraphOfATable&) = delete;
    GraphOfATable& operator=(const GraphOfATable&) = delete;
    void launch(cudaStream_t stream) const { ok(cudaGraphLaunch(executable_, stream)); }

  private:
    cudaGraphExec_t executable_ = nullptr;
};

template <class D> void check_table(const D& dist, const D& other, cudaStream_t stream) {
    constexpr std::size_t n = 100'003;
    const OnDevice<rng::result_t<D>> memory(n);
    rng::Generator gpu(rng::cuda(0), 42), cpu(42);
    {
        const rng::Prepared law(dist, rng::cuda(0));
        rng::fill(memory.span(), law, gpu, stream);
        EXPECT_TRUE(same_bits(memory.on_host(stream), rng::sample(dist, n, cpu)));
        rng::fill(memory.span(), law, rng::Stream<>{7}, 3, stream);
    }  // the table is not needed any more, but for the fill that may be in flight
    const rng::Prepared meanwhile(other, rng::cuda(0));
    EXPECT_TRUE(same_bits(memory.on_host(stream), rng::sample(dist, n, rng::Stream<>{7}, 3)));

    const GraphOfATable<D> graph(dist, memory.span(), gpu, stream);
    rng::Generator child = cpu.fork();
    for (int replay = 0; replay < 3; ++replay) {
        const rng::Prepared next(other, rng::cuda(0));  // takes memory of tables that nobody uses
        graph.launch(stream);
        EXPECT_TRUE(same_bits(memory.on_host(stream), rng::sample(dist, n, child))) << replay;
    }
}
TEST_F(Gpu, TablesOfPreparedLaws) {
    check_table(rng::poisson<int32_t>{3.5}, rng::poisson<int32_t>{40.0}, stream);
    check_table(rng::poisson<int64_t>{200.0}, rng::poisson<int64_t>{3.5}, stream);
    check_table(rng::binomial<int32_t>{100, 0.3}, rng::binomial<int32_t>{50, 0.7}, stream);
}

TEST_F(Gpu, MoreThan2To32Values) {
    constexpr uint64_t n = (uint64_t{1} << 32) + 12'345, shown = 1000;
    std::size_t free = 0, total = 0;
    ok(cudaMemGetInfo(&free, &total));
    if (free < n + (std::size_t{1} << 30)) GTEST_SKIP() << "less than 6 GB of free memory on the GPU";
    const rng::Stream<> from(42);
    const OnDevice<uint8_t> a(n);
    rng::fill(a.span(), rng::bernoulli{0.3}, from, 0, stream);
    ok(cudaStreamSynchronize(stream));
    // Pieces around multiples of 2^31 and at both ends, and one of every 2^28.
    for (uint64_t first = 0; first < n; first += uint64_t{1} << 28) {
        for (const uint64_t at : {first, first > shown ? first - shown / 2 : n - shown}) {
            std::vector<uint8_t> values(shown);
            ok(cudaMemcpy(values.data(), a.data() + at, shown, cudaMemcpyDeviceToHost));
            EXPECT_TRUE(same_bits(values, rng::sample(rng::bernoulli{0.3}, shown, from, static_cast<long long>(at))))
                << at;
        }
    }
}

TEST_F(Gpu, ManagedMemoryIsForEveryDevice) {
    if (rng::devices().size() < 3) GTEST_SKIP() << "fewer than two GPUs on this machine";
    float* managed = nullptr;
    ok(cudaMallocManaged(&managed, 1000 * sizeof(float)));
    rng::Generator gpu(rng::cuda(1), 42), cpu(42);
    rng::fill(rng::device_span<float>{managed, 1000}, rng::normal<float>{}, gpu);
    ok(cudaSetDevice(1));
    ok(cudaDeviceSynchronize());
    ok(cudaSetDevice(0));
    EXPECT_TRUE(same_bits(std::vector<float>(managed, managed + 1000), rng::sample(rng::normal<float>{}, 1000, cpu)));
    ok(cudaFree(managed));
}

TEST_F(Gpu, PageableMemoryIsUsedIfTheDeviceReadsIt) {
    int reads = 0;
    ok(cudaDeviceGetAttribute(&reads, cudaDevAttrPageableMemoryAccess, 0));
    if (reads == 0) GTEST_SKIP() << "the GPU of this machine does not read pageable memory";
    std::vector<float> host(1000);
    rng::Generator gpu(rng::cuda(0), 42), cpu(42);
    rng::fill(rng::device_span<float>{host.data(), host.size()}, rng::normal<float>{}, gpu, stream);
    ok(cudaStreamSynchronize(stream));
    EXPECT_TRUE(same_bits(host, rng::sample(rng::normal<float>{}, 1000, cpu)));
}

// The default stream waits for blocking streams, and a capture forbids that.
TEST_F(Gpu, TheDefaultStreamIsRefusedDuringACapture) {
    const OnDevice<float> a(100);
    rng::Generator gpu(rng::cuda(0), 42);
    cudaStream_t blocking = nullptr;
    ok(cudaStreamCreate(&blocking));
    ok(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeRelaxed));
    const std::string text =
        error_of(ErrorCode::cuda, [&] { rng::fill(a.span(), rng::normal<float>{}, gpu, nullptr); });
    EXPECT_NE(text.find("pass a stream made with cudaStreamNonBlocking"), std::string::npos) << text;
    EXPECT_EQ(gpu.position(), 0u);
    cudaGraph_t graph = nullptr;
    (void)cudaStreamEndCapture(blocking, &graph);  // the attempt has invalidated it
    (void)cudaGetLastError();
    if (graph != nullptr) ok(cudaGraphDestroy(graph));
    ok(cudaStreamDestroy(blocking));
}

}  // namespace
