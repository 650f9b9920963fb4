// The backend's calls of CUDA, without a GPU: CUDA is played by fake_cuda, and a launch runs the kernel's source on
// the host where a test wants values. test_gpu asks a real CUDA.
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <algorithm>
#include <chrono>
#include <future>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <rng/detail/any_engine.hpp>
#include <rng/detail/device_fill_kernel.hpp>
#include <rng/detail/device_row_fill.hpp>
#include <rng/detail/device_sobol_fill.hpp>
#include "../support/fake_cuda.hpp"
#include "../support/paths.hpp"
#include "rows.hpp"

#define __launch_bounds__(...)  // kernels are functions of the host here
#include "../../cuda/cuda_device.hpp"

namespace {

using fake_cuda::cuda;
using rng::ErrorCode;
using support::error_of;

using Normal = rng::normal<float>;
using NormalFill = rng::detail::SharedFill<Normal, rng::Philox4x32_10>;

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

bool is_on_device(const void* data) {
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    return std::any_of(cuda.memory.begin(), cuda.memory.end(), [address](const auto& its) {
        return address - reinterpret_cast<std::uintptr_t>(its.first) < its.second.size;
    });
}

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

TEST_F(CudaBackend, ADistributionChosenAtRunTimeFillsMemoryOfAnyStrides) {
    Memory memory(60);
    cuda.launched = run_on_host;
    const rng::AnyDistribution law("normal", "f32");
    rng::Generator gpu(rng::cuda(0), 42);
    const auto expected = rng::sample(Normal{}, 100, rng::Stream{42});
    law.fill({memory.span().data, 4, 5, 15, 2}, gpu, stream);
    for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(memory.values()[i / 5 * 15 + i % 5 * 2], expected[i]) << i;
    EXPECT_EQ(memory.values()[1], 0.0f);
    EXPECT_EQ(gpu.position(), 20u);

    law.fill(rng::device_matrix<void>::row_major(memory.span().data, 1, 60), rng::AnyStream(42), 7, stream);
    for (std::size_t i = 0; i < 60; ++i) EXPECT_EQ(memory.values()[i], expected[7 + i]) << i;
    ASSERT_EQ(cuda.launches.size(), 2u);
    for (const auto& launch : cuda.launches) EXPECT_EQ(launch.stream, stream);

    const auto whole = rng::device_matrix<void>::row_major(memory.span().data, 12, 5);
    error_of(ErrorCode::end_of_stream, [&] { law.fill(whole, rng::AnyStream(42), uint64_t{1} << 60); });
    rng::Generator cpu(42);
    EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { law.fill(whole, cpu); }),
              "fill: normal: the destination is device memory but the generator is on cpu");
    EXPECT_EQ(cpu.position(), 0u);
    EXPECT_EQ(cuda.launches.size(), 2u);
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
    using Fill = rng::detail::SharedFill<rng::uniform<float>, rng::Philox4x32_10>;
    constexpr unsigned room = 1u << 30;
    cuda.attributes[{1, cudaDevAttrMultiProcessorCount}] = room;
    auto* const data = reinterpret_cast<float*>(uint64_t{1} << 40);  // never touched
    cuda.memory[data] = {std::size_t{1} << 50, CU_MEMORYTYPE_DEVICE, false, 1};
    uint64_t n = 0;
    cuda.launched = [&](const fake_cuda::Launch& launch) {
        const auto& fill = *static_cast<const Fill*>(launch.arguments[0]);
        const auto p = fill.placement();
        EXPECT_EQ(fill.n, n);
        EXPECT_EQ(p.index(p.segment), 0u);
        EXPECT_EQ(p.segments_end - p.segment, n / Fill::item_values);
        const uint64_t threads = uint64_t{launch.grid.x} * launch.block.x, units = n / Fill::item_values + 2;
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

// ---- Kernels of reductions and svd_lowrank

/// Kernels that no other test loads.
template <int> struct EmptyKernel {
    static constexpr unsigned threads = 32, resident = 1;
    void operator()() const {}
};

// The attribute is the kernel's, and not the launch's.
TEST_F(CudaBackend, SharedMemoryOfOneThreadIsNotTakenAwayByAnother) {
    cuda.attributes[{0, cudaDevAttrMaxSharedMemoryPerBlockOptin}] = 227 << 10;
    rng::detail::CudaDevice mine("svd_lowrank", rng::cuda(0), stream), other("svd_lowrank", rng::cuda(0), stream);
    bool between = true;
    cuda.during = [&](const fake_cuda::Call& call) {
        if (call.name == "cudaLaunchKernel" && std::exchange(between, false))
            other.launch(EmptyKernel<0>{}, 1, 1, 60 << 10);
    };
    mine.launch(EmptyKernel<0>{}, 1, 1, 100 << 10);
    EXPECT_EQ(cuda.launches.size(), 2u);
    EXPECT_EQ(error_of(ErrorCode::cuda, [&] { mine.launch(EmptyKernel<0>{}, 1, 1, 228 << 10); }),
              "cudaLaunchKernel: name (1): text");
}

// Loading is what a capture in global mode forbids.
TEST_F(CudaBackend, AKernelIsLoadedOncePerContextAndOutsideOfCaptures) {
    const auto launch = [](int device) {
        cuda.calls.clear();
        const rng::detail::CurrentDevice current(device);
        rng::detail::CudaDevice("sum", rng::cuda(device), stream).launch(EmptyKernel<1>{}, 1, 1);
        const auto loads = cuda.of("cudaFuncGetAttributes");
        for (const auto& call : loads) EXPECT_EQ(call.mode, cudaStreamCaptureModeRelaxed);
        EXPECT_EQ(cuda.mode, cudaStreamCaptureModeGlobal);
        return loads.size();
    };
    cuda.captured.insert(stream);
    for (const int device : {0, 1}) {
        EXPECT_EQ(launch(device), 1u) << device;
        EXPECT_EQ(launch(device), 0u) << device;
    }
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_EQ(launch(0), 1u);
    EXPECT_EQ(launch(1), 0u);
}

// ---- Tables of prepared distributions

using Poisson = rng::poisson<int32_t>;
using PoissonFill = rng::detail::SharedFill<Poisson, rng::Philox4x32_10>;

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

// cudaDeviceReset() ends all memory of the device: what graphs gave back before it is not used again, and not freed.
TEST_F(CudaBackend, NothingOfBeforeAResetIsUsedAfterIt) {
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);  // other tests have given back tables as well
    Counts counts(100);
    const uint64_t* counter = nullptr;
    cuda.captured.insert(stream);
    cuda.launched = [&](const fake_cuda::Launch& launch) {
        if (launch.kernel.find("fill_kernel") != std::string::npos)
            counter = static_cast<const PoissonFill*>(launch.arguments[0])->replay;
    };
    for (int reset = 0; reset < 3; ++reset) {
        const auto capture = [&] {
            cuda.calls.clear();
            rng::Generator gpu(rng::cuda(0), 42);
            rng::fill(counts.span(), rng::Prepared(Poisson{3.5}, rng::cuda(0)), gpu, stream);
            EXPECT_TRUE(is_on_device(counter)) << reset;
            destroy_graphs();
            return counter;
        };
        const uint64_t* const first = capture();
        EXPECT_EQ(cuda.of("cudaFree").size(), 0u) << "a table of before the reset";
        EXPECT_EQ(capture(), first) << "the counter of a graph that is gone";
        EXPECT_EQ(cuda.of("cudaFree").size(), 1u) << "the table of a graph that is gone";
        EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    }
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

// ---- Rows, whose lists travel with the launch

/// Works over the fill of a launched kernel of rows, if it is one.
template <class F> void with_rows(const fake_cuda::Launch& launch, const F& f) {
    if (launch.kernel.find("rows_kernel") == std::string::npos) return;
    const uint64_t threads = uint64_t{launch.grid.x} * launch.block.x;
    if (launch.kernel.find("AnyEngine") == std::string::npos)
        f(*static_cast<const rng::detail::DeviceRowFill<rows::Law, rng::Philox4x32_10>*>(launch.arguments[0]), threads);
    else
        f(*static_cast<const rng::detail::DeviceRowFill<rows::Law, rng::detail::AnyEngine>*>(launch.arguments[0]),
          threads);
}
void run_rows(const fake_cuda::Launch& launch) {
    with_rows(launch, [](const auto& fill, uint64_t threads) {
        for (uint64_t t = 0; t < threads; ++t) rng::detail::write_rows(fill, t, threads);
    });
}
/// The rows of the CPU, in the order of the rows.
template <class... From> std::vector<float> expected_rows(std::size_t n, From&&... from) {
    const rows::Lists lists;
    std::vector<float> values(n * 3);
    rng::fill_rows(rng::matrix_view<float>::row_major(values.data(), n, 3), lists.law(), from...);
    return values;
}
rows::Matrix matrix_of(Memory& memory) {
    return rows::Matrix::row_major(memory.span().data, memory.values().size() / 3, 3);
}

TEST_F(CudaBackend, RowsOfAGeneratorAreThoseOfTheCpu) {
    cuda.launched = run_rows;
    const rows::Lists lists;
    Memory memory(3 * 301);
    for (const rng::Engine engine : {rng::Engine::philox4x32_10, rng::Engine::threefry4x64_20}) {
        rng::Generator gpu(rng::cuda(0), 42, engine), cpu(rng::cpu(), 42, engine);
        gpu.skip_words(3);
        cpu.skip_words(3);
        for (int fill = 0; fill < 2; ++fill) {
            rows::fill(matrix_of(memory), lists.law(), gpu, stream);
            EXPECT_TRUE(support::same_bits(memory.values(), expected_rows(301, cpu))) << fill;
            EXPECT_EQ(cuda.launches.back().stream, stream);
            EXPECT_EQ(gpu.position(), cpu.position());
        }
    }
    rows::fill(matrix_of(memory), lists.law(), rng::Stream<>(42, 7, 5), 11, stream);
    EXPECT_TRUE(support::same_bits(memory.values(), expected_rows(301, rng::Stream<>(42, 7, 5), 11)));
    rng::default_generator(rng::cuda(0)).manual_seed(42);
    rows::fill_by_default(matrix_of(memory), lists.law(), stream);
    EXPECT_TRUE(support::same_bits(memory.values(), expected_rows(301, rng::Generator{42})));
    // launch_rows takes the lists where they are, and asks nobody.
    cuda.calls.clear();
    rows::launch(matrix_of(memory), lists.law(), rng::Stream<>(42, 7, 5), 11, stream);
    EXPECT_TRUE(support::same_bits(memory.values(), expected_rows(301, rng::Stream<>(42, 7, 5), 11)));
    EXPECT_EQ(cuda.calls.size(), 1u);
}

// The launch waits for the copy alone. The stream frees the lists after it.
TEST_F(CudaBackend, TheListsOfALaunchAreFreedInTheOrderOfTheStream) {
    const rows::Lists lists;
    Memory memory(3 * 10);
    rng::Generator gpu(rng::cuda(0), 42);
    bool there = false;
    cuda.launched = [&there](const fake_cuda::Launch& launch) {
        with_rows(launch, [&there](const auto& fill, uint64_t) {
            there = is_on_device(fill.dist.mean.data) && is_on_device(fill.dist.factor.data + 8);
        });
    };
    const std::size_t before = cuda.memory.size();
    rows::fill(matrix_of(memory), lists.law(), gpu, stream);
    EXPECT_TRUE(there) << "the kernel reads memory of the device";
    EXPECT_EQ(cuda.memory.size(), before);
    std::vector<std::string> order;
    for (const auto& call : cuda.calls)
        if (call.name != "cudaStreamIsCapturing" && call.name.find("Get") == std::string::npos &&
            call.name.find("Exchange") == std::string::npos && call.name.find("Occupancy") == std::string::npos)
            order.push_back(call.name);
    EXPECT_EQ(order, (std::vector<std::string>{"cudaStreamCreateWithFlags", "cudaMallocAsync", "cudaMemcpyAsync",
                                               "cudaStreamSynchronize", "cudaStreamDestroy", "cudaLaunchKernel",
                                               "cudaFreeAsync"}));
    EXPECT_EQ(cuda.of("cudaFreeAsync").back().stream, stream);
    EXPECT_NE(cuda.of("cudaMallocAsync").back().stream, stream);
    EXPECT_EQ(cuda.of("cudaMallocAsync").back().mode, cudaStreamCaptureModeRelaxed);
    // A launch that fails leaves nothing, and the generator where it was.
    for (const char* call : {"cudaMemcpyAsync", "cudaLaunchKernel"}) {
        cuda.errors = {{call, cudaErrorUnknown}};
        EXPECT_EQ(error_of(ErrorCode::cuda, [&] { rows::fill(matrix_of(memory), lists.law(), gpu, stream); }),
                  std::string(call) + ": name (999): text");
        EXPECT_EQ(gpu.position(), 40u);
        EXPECT_EQ(cuda.memory.size(), before) << call;
    }
}

// A device without pools keeps the lists until the next ones are made.
TEST_F(CudaBackend, DevicesWithoutPoolsTakeTablesForLists) {
    cuda.attributes[{1, cudaDevAttrMemoryPoolsSupported}] = 0;
    cuda.launched = run_rows;
    const rows::Lists lists;
    Memory memory(3 * 10, 1);
    rng::Generator gpu(rng::cuda(1), 42), cpu(42);
    for (int fill = 0; fill < 3; ++fill) {
        rows::fill(matrix_of(memory), lists.law(), gpu, stream);
        EXPECT_TRUE(support::same_bits(memory.values(), expected_rows(10, cpu))) << fill;
        EXPECT_EQ(cuda.of("cudaMalloc").size(), 1u);
        EXPECT_TRUE(fill == 0 || cuda.of("cudaFree").size() == 1) << "that of the fill before";
        EXPECT_EQ(cuda.of("cudaLaunchKernel").back().device, 1);
        EXPECT_TRUE(cuda.of("cudaMallocAsync").empty());
        cuda.calls.clear();
    }
}

// A graph keeps the lists of a captured fill, and its launches continue a child.
TEST_F(CudaBackend, AGraphKeepsTheListsOfItsRows) {
    const void* mean = nullptr;
    uint64_t run = 0;
    cuda.captured.insert(stream);
    cuda.launched = [&](const fake_cuda::Launch& launch) {
        with_rows(launch, [&](const auto& captured, uint64_t threads) {
            mean = captured.dist.mean.data;
            EXPECT_EQ(captured.replay == nullptr ? 0 : *captured.replay, 0u);
            auto fill = captured;
            if (fill.replay != nullptr) fill.replay = &run;
            for (uint64_t t = 0; t < threads; ++t) rng::detail::write_rows(fill, t, threads);
        });
    };
    Memory memory(3 * 10);
    for (const rng::Engine engine : {rng::Engine::philox4x32_10, rng::Engine::threefry4x64_20}) {
        rng::Generator gpu(rng::cuda(0), 42, engine), cpu(rng::cpu(), 42, engine);
        rng::Generator children[] = {cpu.fork(), cpu.fork()};
        for (auto& child : children) {  // the second capture shows the second launch of its graph
            const rows::Lists lists;
            rows::fill(matrix_of(memory), lists.law(), gpu, stream);
            for (uint64_t i = 0; i < run; ++i) (void)expected_rows(10, child);
            EXPECT_TRUE(support::same_bits(memory.values(), expected_rows(10, child))) << run;
            EXPECT_TRUE(is_on_device(mean)) << "the launch is over, and the graph may run";
            ++run;
        }
        EXPECT_EQ(gpu.position(), 0u);
        run = 0;
    }
    EXPECT_EQ(cuda.owned.size(), 8u) << "lists and a counter for each of four captures";
    rows::fill(matrix_of(memory), rows::Lists().law(), rng::Stream<>{42}, 0, stream);
    EXPECT_EQ(cuda.owned.size(), 9u) << "lists alone";
    EXPECT_TRUE(cuda.of("cudaMallocAsync").empty());
    const void* const last = mean;
    cuda.calls.clear();
    destroy_graphs();
    EXPECT_TRUE(cuda.calls.empty()) << "the destructor of a graph calls CUDA";
    cuda.captured.clear();
    cuda.attributes[{0, cudaDevAttrMemoryPoolsSupported}] = 0;
    rows::fill(matrix_of(memory), rows::Lists().law(), rng::Stream<>{42}, 0, stream);
    EXPECT_EQ(cuda.of("cudaFree").size(), 5u);
    EXPECT_FALSE(is_on_device(last));
}

TEST_F(CudaBackend, RowsOnTheHostAreTheSameByNvcc) {
    const std::vector<float> list{0.5f, 1, 2.5f}, ones(3, 1);
    const auto expect = [](const auto& law, const auto& made) {
        auto rows = made;
        for (size_t i = 0; i < 40; ++i) rng::row_at(rng::Stream{42}, law, i, rows.data() + i * law.row_size());
        EXPECT_EQ(made, rows);
    };
    expect(rng::dirichlet(list), rows::shares_on_host(list, 40, 42));
    expect(rng::dirichlet(ones), rows::shares_on_host(ones, 40, 42));
    expect(rng::multinomial(1000, list), rows::counts_on_host(list, 40, 42));
}

TEST_F(CudaBackend, RowsAreRefusedBeforeAnythingIsDone) {
    const rows::Lists lists;
    rows::Lists wrong;
    wrong.factor[4] = 1e38f;
    Memory memory(3 * 10), other(3 * 10, 1);
    const rows::Matrix out = matrix_of(memory);
    const rows::Matrix shifted{reinterpret_cast<float*>(reinterpret_cast<char*>(out.data) + 2), 9, 3, 3, 1};
    rng::Generator gpu(rng::cuda(0), 42), cpu(42);
    const auto refusal = [&](const rows::Matrix& to, const rows::Law& law, rng::Generator& from) {
        return error_of(ErrorCode::invalid_argument, [&] { rows::fill(to, law, from, stream); });
    };
    const std::string call = "fill_rows: multivariate_normal: ";
    EXPECT_EQ(refusal(out, wrong.law(), gpu),
              call + "factor[4] must be 0 or of magnitude 2^-76 to 2^90, got 9.99999968e+37");
    EXPECT_EQ(refusal({out.data, 15, 2, 2, 1}, lists.law(), gpu),
              call + "the matrix must have 3 columns, one for each element of a row, got 2");
    EXPECT_EQ(refusal({nullptr, 10, 3, 3, 1}, lists.law(), gpu),
              call + "the destination is null but 30 values were asked for");
    EXPECT_EQ(refusal(shifted, lists.law(), gpu), call + "the destination must be at a multiple of 4 bytes");
    EXPECT_EQ(refusal(matrix_of(other), lists.law(), gpu),
              call + "the destination is memory of cuda:1 but the generator is on cuda:0");
    EXPECT_EQ(refusal(out, lists.law(), cpu), call + "the destination is device memory but the generator is on cpu");
    EXPECT_EQ(error_of(ErrorCode::invalid_argument,
                       [&] { rng::fill_rows(rng::matrix_view<float>::row_major(out.data, 10, 3), lists.law(), gpu); }),
              call +
                  "the destination is host memory but the generator is on cuda:0; for device memory pass a "
                  "device_matrix, include <rng/device_fill_rows.hpp> and compile the call by nvcc");
    EXPECT_EQ(error_of(ErrorCode::end_of_stream,
                       [&] { rows::fill(out, lists.law(), rng::Stream<>{42}, uint64_t{1} << 56, stream); }),
              "fill_rows: index 72057594037927936 leads past the end of the stream (a stream has 2^56 blocks)");
    rows::fill({nullptr, 0, 3, 3, 1}, lists.law(), gpu, stream);  // nothing to do
    EXPECT_EQ(gpu.position(), 0u);
    EXPECT_TRUE(cuda.launches.empty());
    EXPECT_TRUE(cuda.of("cudaMallocAsync").empty());
}

// ---- Sobol points, whose direction numbers travel with the launch

template <class T> class SobolOnDevice {
  public:
    explicit SobolOnDevice(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols), values_(rows * cols) {
        cuda.memory[values_.data()] = {values_.size() * sizeof(T), CU_MEMORYTYPE_DEVICE, false, 0};
        cuda.launched = [this](const fake_cuda::Launch& launch) {
            const auto& fill = *static_cast<const rng::detail::DeviceSobolFill<T>*>(launch.arguments[0]);
            table = fill.points.table;
            on_device = is_on_device(table);
            const uint64_t threads = uint64_t{launch.grid.x} * launch.block.x;
            EXPECT_GE(threads, fill.walkers());
            for (uint64_t t = 0; t < threads; ++t) rng::detail::write_points(fill, t, threads);
        };
    }
    ~SobolOnDevice() { cuda.memory.erase(values_.data()); }
    SobolOnDevice(const SobolOnDevice&) = delete;
    SobolOnDevice& operator=(const SobolOnDevice&) = delete;
    [[nodiscard]] rng::device_matrix<T> matrix() {
        return rng::device_matrix<T>::row_major(values_.data(), rows_, cols_);
    }
    [[nodiscard]] const std::vector<T>& values() const { return values_; }

    const void* table = nullptr;
    bool on_device = false;

  private:
    std::size_t rows_, cols_;
    std::vector<T> values_;
};

template <class T> void check_sobol_fills() {
    SobolOnDevice<T> memory(1000, 7);
    const std::size_t before = cuda.memory.size();
    for (const auto& points : {rng::sobol<T>(7), rng::sobol<T>(7, rng::Stream<>{42})}) {
        rng::fill(memory.matrix(), points, 123, stream);
        EXPECT_TRUE(support::same_bits(memory.values(), rng::sample(points, 1000, 123)));
        EXPECT_TRUE(memory.on_device);
        EXPECT_EQ(cuda.of("cudaFreeAsync").back().stream, stream);
        EXPECT_EQ(cuda.memory.size(), before);
        // By a table that is there already.
        cuda.calls.clear();
        rng::fill(memory.matrix(), points.view(), 5, stream);
        EXPECT_TRUE(support::same_bits(memory.values(), rng::sample(points, 1000, 5)));
        EXPECT_EQ(memory.table, points.table().data());
        EXPECT_TRUE(cuda.of("cudaMallocAsync").empty());
    }
    cuda.captured.insert(stream);
    rng::fill(memory.matrix(), rng::sobol<T>(7), 0, stream);
    EXPECT_EQ(cuda.owned.size(), 1u) << "the graph keeps the table";
    EXPECT_TRUE(is_on_device(memory.table));
    cuda.captured.clear();
}
TEST_F(CudaBackend, SobolPointsAreThoseOfTheCpu) {
    check_sobol_fills<float>();
    destroy_graphs();
    check_sobol_fills<double>();
}

TEST_F(CudaBackend, SobolPointsAreRefusedBeforeAnythingIsDone) {
    SobolOnDevice<float> memory(10, 3);
    const rng::sobol<float> points(3);
    const auto refusal = [](const rng::device_matrix<float>& out, const auto& of, uint64_t first) {
        return error_of(ErrorCode::invalid_argument, [&] { rng::fill(out, of, first, stream); });
    };
    EXPECT_EQ(refusal({memory.matrix().data, 15, 2, 2, 1}, points, 0),
              "fill: sobol: the matrix must have a column for each of the 3 dimensions, got 2");
    EXPECT_EQ(refusal(memory.matrix(), points, (uint64_t{1} << 63) - 9), error_of(ErrorCode::invalid_argument, [&] {
                                                                             (void)rng::sample(points, 10,
                                                                                               (uint64_t{1} << 63) - 9);
                                                                         }).replace(0, 6, "fill"));
    EXPECT_EQ(refusal(memory.matrix(), rng::sobol_view<float>{}, 0), "sobol: dimensions must be in [1, 21201], got 0");
    std::vector<float> host(30);
    cuda.attributes[{0, cudaDevAttrPageableMemoryAccess}] = 0;
    EXPECT_EQ(refusal(rng::device_matrix<float>::row_major(host.data(), 10, 3), points, 0),
              "fill: sobol: the destination must be device or managed memory, got host memory");
    EXPECT_TRUE(cuda.launches.empty());
    EXPECT_TRUE(cuda.of("cudaMallocAsync").empty());
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
