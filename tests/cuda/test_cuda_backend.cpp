// The backend's calls of CUDA, without a GPU: CUDA is played by fake_cuda, and a launch runs the kernel's source on
// the host where a test wants values. test_gpu asks a real CUDA.
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <chrono>
#include <future>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <rng/detail/device_fill_kernel.hpp>
#include "../support/fake_cuda.hpp"
#include "../support/paths.hpp"

namespace {

using fake_cuda::cuda;
using rng::ErrorCode;
using support::error_of;

using Normal = rng::normal<float>;
using NormalFill = rng::detail::DeviceFill<Normal, rng::Philox4x32_10>;

cudaStream_t const stream = reinterpret_cast<cudaStream_t>(&cuda);

class CudaBackend : public testing::Test {
  protected:
    void SetUp() override { cuda = {}; }
    void TearDown() override { destroy_graphs(); }

    /// What CUDA does on a thread of its own when a graph's last copy is gone.
    static void destroy_graphs() {
        for (const auto& [destroy, owned] : std::exchange(cuda.owned, {})) destroy(owned);
    }
};

/// Memory of the host that CUDA takes for its own.
class Memory {
  public:
    Memory(std::size_t n, CUmemorytype type, bool managed, int device) : values_(n) {
        if (type != 0) cuda.memory[values_.data()] = {n * sizeof(float), type, managed, device};
    }
    explicit Memory(std::size_t n, int device = 0) : Memory(n, CU_MEMORYTYPE_DEVICE, false, device) {}
    [[nodiscard]] rng::device_span<float> span() { return {values_.data(), values_.size()}; }
    [[nodiscard]] const std::vector<float>& values() const { return values_; }

  private:
    std::vector<float> values_;
};

/// Runs the launched kernel, if it is a fill of normal values.
void run_on_host(const fake_cuda::Launch& launch) {
    if (launch.kernel.find("fill_kernel") == std::string::npos) return;
    const auto& fill = *static_cast<const NormalFill*>(launch.arguments[0]);
    const uint64_t threads = uint64_t{launch.grid.x} * launch.block.x;
    for (uint64_t t = 0; t < threads; ++t) rng::detail::fill_thread(fill, t, threads);
}

TEST_F(CudaBackend, AFillIsOneLaunchWithTheBitsOfTheCpu) {
    Memory memory(10'003);
    cuda.launched = run_on_host;
    rng::Generator gpu(rng::cuda(0), 42), cpu(42);
    for (int fill = 0; fill < 3; ++fill) {
        rng::fill(memory.span(), Normal{}, gpu, stream);
        EXPECT_TRUE(support::same_bits(memory.values(), rng::sample(Normal{}, 10'003, cpu))) << fill;
    }
    ASSERT_EQ(cuda.launches.size(), 3u);
    for (const auto& launch : cuda.launches) EXPECT_EQ(launch.stream, stream);
    EXPECT_TRUE(cuda.of("cudaMalloc").empty());
    EXPECT_TRUE(cuda.of("cudaStreamSynchronize").empty());
    EXPECT_EQ(gpu.position(), cpu.position());
}

TEST_F(CudaBackend, AFailedLaunchLeavesTheGenerator) {
    Memory memory(100);
    rng::Generator gpu(rng::cuda(0), 42);
    cuda.errors["cudaLaunchKernel"] = cudaErrorLaunchOutOfResources;
    EXPECT_EQ(error_of(ErrorCode::cuda, [&] { rng::fill(memory.span(), Normal{}, gpu, stream); }),
              "cudaLaunchKernel: name (701): text");
    EXPECT_EQ(gpu.position(), 0u);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

// More than 2^32 values, and more units than an unsigned holds: no count is cut off. The device has room for 2^30
// blocks. No other test of this program fills such values, and the room is asked for once.
TEST_F(CudaBackend, HugeFillsCoverEveryUnit) {
    using Fill = rng::detail::DeviceFill<rng::uniform<float>, rng::Philox4x32_10>;
    constexpr unsigned room = 1u << 30;
    cuda.attributes[{1, cudaDevAttrMultiProcessorCount}] = room;
    auto* const data = reinterpret_cast<float*>(uint64_t{1} << 40);  // never touched
    cuda.memory[data] = {std::size_t{1} << 50, CU_MEMORYTYPE_DEVICE, false, 1};
    uint64_t n = 0;
    cuda.launched = [&](const fake_cuda::Launch& launch) {
        const auto& fill = *static_cast<const Fill*>(launch.arguments[0]);
        const auto p = fill.placement();
        EXPECT_EQ(fill.n, n);
        EXPECT_EQ(p.index(p.piece), 0u);
        EXPECT_EQ(p.pieces_end - p.piece, n / Fill::unit_values);
        const uint64_t threads = uint64_t{launch.grid.x} * launch.block.x, units = n / Fill::unit_values + 2;
        if (units > uint64_t{room} * launch.block.x) {
            EXPECT_EQ(launch.grid.x, room);
        } else {
            EXPECT_GE(threads, units);
            EXPECT_LT(threads, units + launch.block.x);
        }
    };
    for (const unsigned power : {32u, 33u, 36u, 42u}) {
        n = (uint64_t{1} << power) + 7;
        rng::fill(rng::device_span<float>{data, n}, rng::uniform<float>{}, rng::Stream<>{42}, 0, stream);
    }
    EXPECT_EQ(cuda.launches.size(), 4u);
}

// A graph's destructor runs on CUDA's thread, which must not wait for a thread that is inside a call of CUDA.
TEST_F(CudaBackend, NoCallOfACaptureHoldsTheLockOfCounters) {
    const std::set<std::string> wanted = {"cudaMalloc",           "cudaStreamCreateWithFlags", "cudaMemsetAsync",
                                          "cudaUserObjectCreate", "cudaGraphRetainUserObject", "cudaStreamSynchronize",
                                          "cudaStreamDestroy",    "cudaLaunchKernel"};
    Memory memory(100);
    rng::Generator gpu(rng::cuda(0), 42);
    cuda.captured.insert(stream);
    std::set<std::string> seen, blocked;
    std::vector<std::thread> threads;
    cuda.during = [&](const fake_cuda::Call& call) {
        if (cuda.owned.empty() || !wanted.contains(call.name) || !seen.insert(call.name).second) return;
        const auto [destroy, owned] = cuda.owned.front();
        cuda.owned.erase(cuda.owned.begin());
        std::promise<void> done;
        std::future<void> finished = done.get_future();
        threads.emplace_back([run = destroy, its = owned, done = std::move(done)]() mutable {
            run(its);
            done.set_value();
        });
        if (finished.wait_for(std::chrono::seconds(2)) != std::future_status::ready) blocked.insert(call.name);
    };
    // So many captures that the counters run out, which allocates more.
    for (int i = 0; i < 1100; ++i) rng::fill(memory.span(), Normal{}, gpu, stream);
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(seen, wanted);
    EXPECT_EQ(blocked, std::set<std::string>{});
}

// Calls that a capture in global mode forbids: the first use loads a kernel, a counter is allocated and set.
TEST_F(CudaBackend, ACaptureIsRelaxedForItsPreparations) {
    const auto expect_relaxed = [](const std::vector<std::string>& names) {
        for (const std::string& name : names) {
            EXPECT_FALSE(cuda.of(name).empty()) << name;
            for (const auto& call : cuda.of(name)) EXPECT_EQ(call.mode, cudaStreamCaptureModeRelaxed) << name;
        }
        EXPECT_EQ(cuda.mode, cudaStreamCaptureModeGlobal);
    };
    std::vector<double> values(100);
    cuda.memory[values.data()] = {values.size() * sizeof(double), CU_MEMORYTYPE_DEVICE, false, 1};
    const rng::device_span<double> span{values.data(), values.size()};
    cuda.captured.insert(stream);
    // A pure fill, whose kernel no other test of this program uses.
    rng::fill(span, rng::exponential<double>{}, rng::Stream<>{42}, 0, stream);
    expect_relaxed({"cudaOccupancyMaxActiveBlocksPerMultiprocessor"});
    // A counted one.
    cuda.calls.clear();
    rng::Generator gpu(rng::cuda(1), 42);
    rng::fill(span, rng::normal_icdf<double>{}, gpu, stream);
    expect_relaxed({"cudaOccupancyMaxActiveBlocksPerMultiprocessor", "cudaMalloc", "cudaStreamCreateWithFlags",
                    "cudaMemsetAsync", "cudaStreamSynchronize"});
}

TEST_F(CudaBackend, ACapturedFillCountsItsReplays) {
    Memory memory(100);
    std::vector<uint64_t> replays;
    cuda.launched = [&](const fake_cuda::Launch& launch) {
        if (launch.kernel.find("advance_replay") == std::string::npos)
            replays.push_back(*static_cast<const NormalFill*>(launch.arguments[0])->replay);
    };
    cuda.captured.insert(stream);
    rng::Generator gpu(rng::cuda(0), 42);
    rng::fill(memory.span(), Normal{}, gpu, stream);
    EXPECT_EQ(replays, std::vector<uint64_t>{0});
    ASSERT_EQ(cuda.launches.size(), 2u);
    EXPECT_NE(cuda.launches[1].kernel.find("advance_replay"), std::string::npos);
    EXPECT_EQ(gpu.position(), 0u);
    EXPECT_EQ(cuda.owned.size(), 1u);
    // A graph that does not take the counter leaves none behind.
    cuda.errors["cudaGraphRetainUserObject"] = cudaErrorInvalidValue;
    EXPECT_EQ(error_of(ErrorCode::cuda, [&] { rng::fill(memory.span(), Normal{}, gpu, stream); }),
              "cudaGraphRetainUserObject: name (1): text");
    EXPECT_EQ(cuda.owned.size(), 1u);
    EXPECT_EQ(cuda.mode, cudaStreamCaptureModeGlobal);
}

// ---- Tables of prepared distributions

using Poisson = rng::poisson<int32_t>;
using PoissonFill = rng::detail::DeviceFill<Poisson, rng::Philox4x32_10>;

/// Memory for counts, on device 0.
struct Counts {
    explicit Counts(std::size_t n) : values(n) {
        cuda.memory[values.data()] = {n * sizeof(int32_t), CU_MEMORYTYPE_DEVICE, false, 0};
    }
    [[nodiscard]] rng::device_span<int32_t> span() { return {values.data(), values.size()}; }
    std::vector<int32_t> values;
};

TEST_F(CudaBackend, ATableLiesInTheMemoryOfTheDevice) {
    const rng::Prepared law(Poisson{3.5}, rng::cuda(0));
    ASSERT_EQ(cuda.of("cudaMalloc").size(), 1u);
    ASSERT_EQ(cuda.of("cudaMemcpyAsync").size(), 1u);
    const void* table = nullptr;
    cuda.launched = [&](const fake_cuda::Launch& launch) {
        const auto& fill = *static_cast<const PoissonFill*>(launch.arguments[0]);
        table = fill.map.table;
        const uint64_t threads = uint64_t{launch.grid.x} * launch.block.x;
        for (uint64_t t = 0; t < threads; ++t) rng::detail::fill_thread(fill, t, threads);
    };
    Counts counts(1000);
    rng::Generator gpu(rng::cuda(0), 42), cpu(42);
    rng::fill(counts.span(), law, gpu, stream);
    EXPECT_TRUE(cuda.memory.contains(const_cast<void*>(table)));
    EXPECT_EQ(counts.values, rng::sample(Poisson{3.5}, 1000, cpu));
    rng::fill(counts.span(), law, rng::Stream<>{7}, 3, stream);
    EXPECT_EQ(counts.values, rng::sample(Poisson{3.5}, 1000, rng::Stream<>{7}, 3));
    // Without a device the kernel gets no table; host memory would be none of its own.
    rng::fill(counts.span(), rng::Prepared(Poisson{3.5}), rng::Stream<>{7}, 3, stream);
    EXPECT_EQ(table, nullptr);
    EXPECT_EQ(counts.values, rng::sample(Poisson{3.5}, 1000, rng::Stream<>{7}, 3));
}

TEST_F(CudaBackend, AGraphKeepsTheTablesOfItsFills) {
    const auto is_there = [](const void* table) { return cuda.memory.contains(const_cast<void*>(table)); };
    Counts counts(100);
    cuda.captured.insert(stream);
    std::vector<const void*> tables;
    cuda.launched = [&](const fake_cuda::Launch& launch) {
        if (launch.kernel.find("fill_kernel") != std::string::npos)
            tables.push_back(static_cast<const PoissonFill*>(launch.arguments[0])->map.table);
    };
    {
        const rng::Prepared law(Poisson{3.5}, rng::cuda(0));
        for (const auto& call : cuda.of("cudaMalloc")) EXPECT_EQ(call.mode, cudaStreamCaptureModeRelaxed);
        rng::fill(counts.span(), law, rng::Stream<>{42}, 0, stream);
        EXPECT_EQ(cuda.owned.size(), 1u) << "the table";
        rng::Generator gpu(rng::cuda(0), 42);
        rng::fill(counts.span(), law, gpu, stream);
        EXPECT_EQ(cuda.owned.size(), 3u) << "the table again, and a counter";
    }
    ASSERT_EQ(tables.size(), 2u);
    const rng::Prepared second(Poisson{7.5}, rng::cuda(0));
    EXPECT_TRUE(is_there(tables[0])) << "the graph may still run";
    cuda.calls.clear();
    destroy_graphs();
    EXPECT_TRUE(cuda.calls.empty()) << "the destructor of a graph calls CUDA";
    const rng::Prepared third(Poisson{9.5}, rng::cuda(0));
    EXPECT_FALSE(is_there(tables[0])) << "the memory of unused tables is freed";
    EXPECT_EQ(cuda.of("cudaFree").size(), 1u);
}

TEST_F(CudaBackend, ATableIsOfOneDevice) {
    const rng::Prepared law(Poisson{3.5}, rng::cuda(1));
    Counts counts(100);
    EXPECT_EQ(
        error_of(ErrorCode::invalid_argument, [&] { rng::fill(counts.span(), law, rng::Stream<>{42}, 0, stream); }),
        "fill: poisson: the table of the Prepared is on cuda:1 but the destination is memory of cuda:0");
    EXPECT_TRUE(cuda.launches.empty());
    cuda.calls.clear();
    const rng::Prepared of_great_mean(Poisson{1e6}, rng::cuda(1));  // a polynomial, which has no table
    rng::fill(counts.span(), of_great_mean, rng::Stream<>{42}, 0, stream);
    EXPECT_TRUE(cuda.of("cudaMalloc").empty());
    EXPECT_EQ(cuda.launches.size(), 1u);
}

// Every GPU can use managed memory. Without a generator, the device that allocated it does the work.
TEST_F(CudaBackend, ManagedMemoryBelongsToEveryDevice) {
    cuda.launched = run_on_host;
    for (const int device : {0, 1}) {
        Memory managed(100, CU_MEMORYTYPE_DEVICE, true, 0);
        rng::Generator gpu(rng::cuda(device), 42), cpu(42);
        rng::fill(managed.span(), Normal{}, gpu, stream);
        EXPECT_TRUE(support::same_bits(managed.values(), rng::sample(Normal{}, 100, cpu)));
        EXPECT_EQ(cuda.of("cudaLaunchKernel").back().device, device);
        rng::fill(managed.span(), Normal{}, rng::Stream<>{42}, 0, stream);
        EXPECT_EQ(cuda.of("cudaLaunchKernel").back().device, 0);
    }
    Memory other(100, 1);
    rng::Generator gpu(rng::cuda(0), 42);
    EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { rng::fill(other.span(), Normal{}, gpu, stream); }),
              "fill: normal: the destination is memory of cuda:1 but the generator is on cuda:0");
}

// Memory of malloc() is for devices that say so.
TEST_F(CudaBackend, PageableMemoryIsForDevicesThatReadIt) {
    constexpr auto reads_pageable = cudaDevAttrPageableMemoryAccess;
    cuda.attributes = {{{0, reads_pageable}, 0}, {{1, reads_pageable}, 1}};
    cuda.launched = run_on_host;
    Memory host(100, CUmemorytype{}, false, 0), locked(100, CU_MEMORYTYPE_HOST, false, 0);
    const auto refusal = [](Memory& memory, int device) {
        rng::Generator gpu(rng::cuda(device), 42);
        const std::string text =
            error_of(ErrorCode::invalid_argument, [&] { rng::fill(memory.span(), Normal{}, gpu, stream); });
        EXPECT_EQ(gpu.position(), 0u);
        return text;
    };
    EXPECT_EQ(refusal(host, 0), "fill: normal: the destination must be device or managed memory, got host memory");
    for (const int device : {0, 1})
        EXPECT_EQ(refusal(locked, device),
                  "fill: normal: the destination must be device or managed memory, got page-locked host memory");
    rng::Generator gpu(rng::cuda(1), 42), cpu(42);
    rng::fill(host.span(), Normal{}, gpu, stream);
    EXPECT_TRUE(support::same_bits(host.values(), rng::sample(Normal{}, 100, cpu)));
    // Without a generator, the thread's current device does the work if it can.
    EXPECT_EQ(
        error_of(ErrorCode::invalid_argument, [&] { rng::fill(host.span(), Normal{}, rng::Stream<>{42}, 0, stream); }),
        "fill: normal: the destination must be device or managed memory, got host memory");
    cuda.device = 1;
    rng::fill(host.span(), Normal{}, rng::Stream<>{42}, 0, stream);
    EXPECT_EQ(cuda.of("cudaLaunchKernel").back().device, 1);
}

TEST_F(CudaBackend, MemoryOfASvdMayBeManagedByAnotherDevice) {
    Memory all(1 << 16, CU_MEMORYTYPE_DEVICE, true, 0), other(1 << 16, 0);
    const auto refusal = [](Memory& memory) {
        rng::Generator gpu(rng::cuda(1), 42);
        float* const p = memory.span().data;
        const auto a = rng::device_matrix<const float>::row_major(p, 40, 20);
        const rng::DeviceSvd<float> out{
            rng::device_matrix<float>::row_major(p, 40, 6), {p, 6}, rng::device_matrix<float>::row_major(p, 20, 6)};
        auto* const work = reinterpret_cast<std::byte*>((reinterpret_cast<uintptr_t>(p) + 255) / 256 * 256);
        try {
            rng::svd_lowrank(a, rng::DeviceSvdOptions<float>{.q = 6}, out, {work, 200'000}, gpu, stream);
        } catch (const rng::Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    cuda.captured.insert(stream);  // refused after the memory was accepted
    EXPECT_NE(refusal(all).find("is being captured"), std::string::npos) << refusal(all);
    EXPECT_NE(refusal(other).find("is memory of cuda:0 but the generator is on cuda:1"), std::string::npos);
}

TEST_F(CudaBackend, ErrorsSayWhatToDo) {
    Memory memory(100);
    rng::Generator gpu(rng::cuda(0), 42);
    const auto text = [&](const char* call, cudaError_t error) {
        cuda.errors = {{call, error}};
        return error_of(ErrorCode::cuda, [&] { rng::fill(memory.span(), Normal{}, gpu, nullptr); });
    };
    EXPECT_EQ(text("cudaStreamIsCapturing", cudaErrorStreamCaptureImplicit),
              "cudaStreamIsCapturing: name (906): text; the default stream waits for a stream that is being captured "
              "into a graph, which is forbidden: pass a stream made with cudaStreamNonBlocking");
    EXPECT_EQ(
        text("cudaLaunchKernel", cudaErrorIllegalAddress),
        "cudaLaunchKernel: name (700): text; the error is of earlier work on the GPU, perhaps of another library, "
        "and stays until the process ends");
    EXPECT_EQ(text("cudaLaunchKernel", cudaErrorInvalidValue), "cudaLaunchKernel: name (1): text");
    EXPECT_EQ(gpu.position(), 0u);
    cuda.errors.clear();
    rng::fill(memory.span(), Normal{}, gpu, nullptr);
    EXPECT_EQ(gpu.position(), 100u);
}

}  // namespace
