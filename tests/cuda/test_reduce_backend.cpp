// The calls of CUDA that reductions of device memory make, without a GPU: CUDA is played by fake_cuda. tests/parity has
// their kernels; test_gpu_reduce asks a real CUDA.
#include <gtest/gtest.h>
#include <rng/reduce/device_reduce.hpp>
#include <rng/rng.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "../../cuda/scatter_kernels.hpp"
#include "../support/fake_cuda.hpp"
#include "../support/paths.hpp"

namespace {

using fake_cuda::cuda;
using rng::device_matrix;
using rng::device_span;
using rng::ErrorCode;
using support::error_of;

cudaStream_t const stream = reinterpret_cast<cudaStream_t>(&cuda);

/// Memory of the host that CUDA takes for that of a device.
template <class T> class Memory {
  public:
    explicit Memory(std::size_t n, int device = 0, CUmemorytype type = CU_MEMORYTYPE_DEVICE) : values_(n) {
        if (type != 0) cuda.memory[values_.data()] = {n * sizeof(T), type, false, device};
    }
    [[nodiscard]] device_span<T> span() { return {values_.data(), values_.size()}; }
    [[nodiscard]] std::vector<T>& values() { return values_; }

  private:
    std::vector<T> values_;
};

class ReduceBackend : public testing::Test {
  protected:
    void SetUp() override { cuda = {}; }
    /// Indices descend or ascend; searches find nothing, or the thing with this number, which a first look sees too.
    static void let_searches_find(bool is_found, std::uint64_t index = 0, bool descends = true) {
        cuda.launched = [=](const fake_cuda::Launch& launch) {
            namespace gpu = rng::detail::gpu;
            const rng::detail::gpu::IndexFlags flags{is_found, descends};
            const auto is = [&](const char* name) { return launch.kernel.find(name) != std::string::npos; };
            const auto* const kernel = launch.arguments[0];
            if (is("PreparePlacesIj")) *static_cast<const gpu::PreparePlaces<std::uint32_t>*>(kernel)->flags = flags;
            if (is("PreparePlacesIm")) *static_cast<const gpu::PreparePlaces<std::uint64_t>*>(kernel)->flags = flags;
            if (is("CountPlacesIj")) *static_cast<const gpu::CountPlaces<std::uint32_t>*>(kernel)->flags = flags;
            if (is("CountPlacesIm")) *static_cast<const gpu::CountPlaces<std::uint64_t>*>(kernel)->flags = flags;
            if (launch.kernel.find("ReduceLargest") == std::string::npos) return;
            const auto& search = *static_cast<const rng::detail::gpu::ReduceLargest*>(launch.arguments[0]);
            search.found[0] = {is_found ? 1u : 0u, index, 0, 0};
        };
    }
    /// The memory of calls is given back.
    static void expect_no_leak(std::size_t ours) { EXPECT_EQ(cuda.memory.size(), ours); }
    static std::size_t launches_of(const std::string& kernel) {
        std::size_t n = 0;
        for (const auto& launch : cuda.launches) n += launch.kernel.find(kernel) != std::string::npos ? 1 : 0;
        return n;
    }
};

TEST_F(ReduceBackend, ASumWaitsForNothingAndTakesItsMemoryInTheOrderOfTheStream) {
    Memory<float> x(3'000'000), out(1);
    rng::sum(x.span(), out.span(), stream);
    ASSERT_EQ(cuda.of("cudaMallocAsync").size(), 1u);
    EXPECT_EQ(cuda.of("cudaMallocAsync")[0].stream, stream);
    ASSERT_EQ(cuda.of("cudaFreeAsync").size(), 1u);
    EXPECT_EQ(cuda.of("cudaFreeAsync")[0].stream, stream);
    EXPECT_TRUE(cuda.of("cudaStreamSynchronize").empty());
    EXPECT_TRUE(cuda.of("cudaMemcpyAsync").empty());
    // A warp for each of 2930 leaves; their sums 512 at a time; the result.
    EXPECT_EQ(launches_of("AddLeaves"), 1u);
    EXPECT_EQ(launches_of("MergeLeaves"), 2u);
    EXPECT_EQ(launches_of("FinishSums"), 1u);
    EXPECT_EQ(cuda.launches[0].grid.x, 367u);
    for (const auto& launch : cuda.launches) EXPECT_EQ(launch.stream, stream);
    expect_no_leak(2);
}

TEST_F(ReduceBackend, ColumnsAreReadInRowsAndOtherMatricesAlongTheirTerms) {
    Memory<float> x(3000 * 40), out(3000);
    const auto kernel_of = [&](std::size_t rows, std::size_t cols, std::ptrdiff_t row, std::ptrdiff_t col) {
        cuda.launches.clear();
        rng::sum(device_matrix<const float>{x.span().data, rows, cols, row, col}, 0, {out.span().data, cols}, stream);
        return cuda.launches[0].kernel.find("AddColumns") != std::string::npos;
    };
    EXPECT_TRUE(kernel_of(3000, 40, 40, 1));
    EXPECT_EQ(cuda.launches[0].grid.x, 6u);  // 3 leaves, of twice 32 columns
    EXPECT_TRUE(kernel_of(3000, 8, 8, 1));
    EXPECT_FALSE(kernel_of(3000, 7, 7, 1));
    EXPECT_FALSE(kernel_of(40, 3000, 1, 40));
}

TEST_F(ReduceBackend, ANormThatNeedsNoScaleTakesAFewBlocksMore) {
    Memory<float> x(16'000'000), out(1);
    rng::norm2(x.span(), out.span(), stream);
    ASSERT_EQ(launches_of("AddLeaves"), 2u);
    EXPECT_EQ(cuda.launches[0].grid.x, 1954u);  // 15,625 leaves, 8 in a block
    EXPECT_EQ(launches_of("MergeLeaves"), 4u);
    EXPECT_EQ(cuda.launches[3].grid.x, 1024u);
    EXPECT_EQ(cuda.launches.size(), 7u);
}

TEST_F(ReduceBackend, TheDeviceOfTheResultDoesTheWork) {
    Memory<double> x(100, 1), out(1, 1), other(1, 0);
    rng::norm2(x.span(), out.span(), stream);
    EXPECT_EQ(cuda.of("cudaLaunchKernel").back().device, 1);
    EXPECT_EQ(cuda.current_device(), 0);
    const auto refused = [](const auto& call) { return error_of(ErrorCode::invalid_argument, call); };
    EXPECT_EQ(refused([&] { rng::norm2(x.span(), other.span(), stream); }),
              "norm2: x is memory of cuda:1 but out is memory of cuda:0");
    Memory<double> host(100, 0, CUmemorytype{});
    cuda.attributes[{0, cudaDevAttrPageableMemoryAccess}] = 0;
    cuda.attributes[{1, cudaDevAttrPageableMemoryAccess}] = 0;
    EXPECT_EQ(refused([&] { rng::dot(x.span(), host.span(), out.span(), stream); }),
              "dot: y must be device or managed memory, got host memory");
    EXPECT_EQ(refused([&] {
                  rng::sum(x.span(), {host.span().data, 1}, stream);
              }),
              "sum: out must be device or managed memory, got host memory");
    auto* const odd = reinterpret_cast<double*>(reinterpret_cast<char*>(x.span().data) + 4);
    EXPECT_EQ(refused([&] {
                  rng::sum(device_span{odd, 3}, out.span(), stream);
              }),
              "sum: x must be at a multiple of 8 bytes");
}

TEST_F(ReduceBackend, CapturedStreamsTakeSumsAndNoChecks) {
    Memory<float> x(5000), out(1), places(10);
    Memory<std::int32_t> index(5000), offsets(2);
    Memory<std::int64_t> counts(10);
    cuda.captured.insert(stream);
    rng::variance(x.span(), out.span(), 1, stream);
    EXPECT_TRUE(cuda.of("cudaStreamSynchronize").empty());
    const std::size_t launches = cuda.launches.size();
    EXPECT_GT(launches, 0u);
    const auto refused = [](const auto& call) { return error_of(ErrorCode::invalid_argument, call); };
    EXPECT_EQ(refused([&] { rng::index_add(places.span(), index.span(), x.span(), 1, stream); }),
              "index_add: the stream is being captured into a graph, which cannot hold the check of the index");
    EXPECT_EQ(refused([&] { rng::bincount(index.span(), counts.span(), stream); }),
              "bincount: the stream is being captured into a graph, which cannot hold the check of the index");
    EXPECT_EQ(refused([&] { rng::segmented_sum(x.span(), offsets.span(), out.span(), stream); }),
              "segmented_sum: the stream is being captured into a graph, which cannot hold the check of the offsets");
    cuda.attributes[{0, cudaDevAttrMemoryPoolsSupported}] = 0;
    EXPECT_EQ(error_of(ErrorCode::unsupported, [&] { rng::sum(x.span(), out.span(), stream); }),
              "sum: the stream is being captured into a graph, and cuda:0 has no memory pool for it");
    EXPECT_EQ(cuda.launches.size(), launches);
    EXPECT_TRUE(cuda.of("cudaMalloc").empty());
}

TEST_F(ReduceBackend, ADeviceWithoutPoolsAllocatesAndFrees) {
    Memory<float> x(5000), out(1);
    cuda.attributes[{0, cudaDevAttrMemoryPoolsSupported}] = 0;
    rng::sum<>(x.span(), out.span(), stream);
    EXPECT_EQ(cuda.of("cudaMalloc").size(), 1u);
    EXPECT_EQ(cuda.of("cudaFree").size(), 1u);
    EXPECT_TRUE(cuda.of("cudaMallocAsync").empty());
    expect_no_leak(2);
}

TEST_F(ReduceBackend, AFailureOfCudaIsAnErrorAndFreesTheMemory) {
    Memory<float> x(5000), out(1);
    cuda.errors["cudaLaunchKernel"] = cudaErrorLaunchOutOfResources;
    EXPECT_EQ(error_of(ErrorCode::cuda, [&] { rng::sum(x.span(), out.span(), stream); }),
              "cudaLaunchKernel: name (701): text");
    EXPECT_EQ(cuda.of("cudaFreeAsync").size(), 1u);
    expect_no_leak(2);
    cuda.errors = {{"cudaMallocAsync", cudaErrorMemoryAllocation}};
    EXPECT_EQ(error_of(ErrorCode::cuda, [&] { rng::sum(x.span(), out.span(), stream); }),
              "cudaMallocAsync: name (2): text");
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(ReduceBackend, AnIndexIsCheckedBeforeAnythingIsWritten) {
    Memory<float> values(4), out(3);
    Memory<std::int64_t> index(4), counts(3);
    Memory<double> sums(3);
    index.values() = {0, 1, 7, -5};
    counts.values() = {9, 9, 9};
    sums.values() = {9, 9, 9};
    let_searches_find(true, 2);
    const auto refused = [](const auto& call) { return error_of(ErrorCode::invalid_argument, call); };
    EXPECT_EQ(refused([&] { rng::index_add(out.span(), index.span(), values.span(), 1, stream); }),
              "index_add: index must be in [0, 3), got 7 at 2");
    EXPECT_EQ(refused([&] { rng::bincount(index.span(), counts.span(), stream); }),
              "bincount: index must be in [0, 3), got 7 at 2");
    let_searches_find(true, 3);
    EXPECT_EQ(refused([&] { rng::bincount(index.span(), values.span(), sums.span(), stream); }),
              "bincount: index must be in [0, 3), got -5 at 3");
    EXPECT_EQ(refused([&] {
                  rng::scatter_add(device_matrix<float>{out.span().data, 3, 1, 1, 1}, 0,
                                   device_matrix<std::int64_t>{index.span().data, 2, 2, 2, 1},
                                   device_matrix<float>{values.span().data, 2, 2, 2, 1}, stream);
              }),
              "scatter_add: out and values must have the same number of columns, got 1 and 2");
    let_searches_find(true, 1);
    EXPECT_EQ(refused([&] {
                  rng::scatter_add(device_matrix<float>{out.span().data, 3, 1, 1, 1}, 1,
                                   device_matrix<std::int64_t>{index.span().data, 3, 1, 1, 1},
                                   device_matrix<float>{values.span().data, 3, 1, 1, 1}, stream);
              }),
              "scatter_add: index must be in [0, 1), got 1 in line 1 at 0");
    // What looks at the index, and writes to memory of the call's own; then the search for the first wrong one.
    EXPECT_EQ(launches_of("PreparePlaces"), 3u);
    EXPECT_EQ(launches_of("CountPlaces"), 1u);
    EXPECT_EQ(launches_of("SearchFault"), 4u);
    EXPECT_EQ(launches_of("ReduceLargest"), cuda.launches.size() / 3);  // and nothing else
    EXPECT_EQ(out.values(), std::vector<float>(3));
    EXPECT_EQ(counts.values()[0], 9);
    EXPECT_EQ(sums.values()[0], 9);
    expect_no_leak(5);
}

TEST_F(ReduceBackend, OffsetsAreCheckedBeforeAnythingIsWritten) {
    Memory<float> x(10), out(2);
    Memory<std::int32_t> offsets(3);
    const auto refused = [&](const std::vector<std::int32_t>& wrong, std::uint64_t found) {
        offsets.values() = wrong;
        cuda.memory[offsets.span().data] = {12, CU_MEMORYTYPE_DEVICE, false, 0};
        let_searches_find(true, found);
        return error_of(ErrorCode::invalid_argument,
                        [&] { rng::segmented_sum(x.span(), offsets.span(), out.span(), stream); });
    };
    EXPECT_EQ(refused({1, 2, 10}, 0), "segmented_sum: offsets must ascend from 0, got 1 after 0 at 0");
    EXPECT_EQ(refused({0, 5, 3}, 2), "segmented_sum: offsets must ascend from 0, got 3 after 5 at 2");
    EXPECT_EQ(refused({0, 5, 9}, 2), "segmented_sum: the last offset must be the size of x, 10, got 9");
    EXPECT_EQ(launches_of("AddLeaves"), 0u);
}

TEST_F(ReduceBackend, AdditionsAndCountsFollowTheCheckInTheStream) {
    Memory<float> values(1000), out(300);
    Memory<std::uint32_t> index(1000);
    Memory<std::int64_t> counts(300);
    let_searches_find(false);
    rng::index_add(out.span(), index.span(), values.span(), 0.5, stream);
    EXPECT_EQ(launches_of("PreparePlaces"), 1u);
    EXPECT_EQ(launches_of("MultiplyTerms"), 1u);
    EXPECT_GT(launches_of("RadixSort"), 0u);
    EXPECT_EQ(launches_of("AddShortRuns"), 1u);
    EXPECT_EQ(launches_of("AddLongRuns"), 1u);
    EXPECT_EQ(cuda.of("cudaStreamSynchronize").size(), 1u);
    const std::size_t sorts = launches_of("RadixSort");
    let_searches_find(false, 0, false);
    rng::index_add(out.span(), index.span(), values.span(), 0.5, stream);
    EXPECT_EQ(launches_of("AddShortRuns"), 2u);
    EXPECT_EQ(launches_of("RadixSort"), sorts);  // the index ascends
    const std::size_t zeroed = cuda.of("cudaMemsetAsync").size();
    counts.values()[5] = 9;
    rng::bincount(index.span(), counts.span(), stream);
    EXPECT_EQ(cuda.of("cudaMemsetAsync").size(), zeroed + 2);  // what is found of the index, and the counts
    EXPECT_EQ(counts.values()[5], 0);
    EXPECT_EQ(launches_of("CountPlaces"), 1u);
    EXPECT_EQ(launches_of("SearchFault"), 0u);
    for (const auto& launch : cuda.launches) EXPECT_EQ(launch.stream, stream);
    expect_no_leak(4);
}

}  // namespace
