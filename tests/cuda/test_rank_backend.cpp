// The calls of CUDA that svd_lowrank over ranks makes for a rank that is a GPU, without one: CUDA is played by
// fake_cuda, and only one thread calls it. tests/parity has the kernels; test_gpu_ranks asks a real CUDA.
#include <gtest/gtest.h>
#include <rng/rng.hpp>
#include <rng/svd/device_svd_ranks.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../support/fake_cuda.hpp"
#include "../support/ranks.hpp"

namespace {

using fake_cuda::cuda;
using rng::ErrorCode;

cudaStream_t const stream = reinterpret_cast<cudaStream_t>(&cuda);
constexpr std::size_t rows = 150, cols = 6, q = 3;

/// Memory of the host that CUDA takes for that of a device.
template <class T> class Memory {
  public:
    explicit Memory(std::size_t n, int device = 1, CUmemorytype type = CU_MEMORYTYPE_DEVICE) : values_(n) {
        if (type != 0) cuda.memory[values_.data()] = {n * sizeof(T), type, false, device};
    }
    [[nodiscard]] T* data() { return values_.data(); }

  private:
    std::vector<T> values_;
};

/// The call of the rank that is a GPU: all of it on cuda:1.
struct Call {
    Memory<float> a{rows * cols}, u{rows * q}, s{q}, v{cols * q};
    rng::Generator generator{rng::cuda(1), 42};
    rng::device_dist_rows<float> part{rng::device_matrix<const float>::row_major(a.data(), rows, cols), rows, 2 * rows};
    rng::DeviceSvdOptions<float> options{.q = q};
    rng::DeviceSvd<float> result{rng::device_matrix<float>::row_major(u.data(), rows, q),
                                 {s.data(), q},
                                 rng::device_matrix<float>::row_major(v.data(), cols, q)};
};

class RankBackend : public testing::Test {
  protected:
    void SetUp() override {
        cuda = {};
        for (const int device : {0, 1}) cuda.attributes[{device, cudaDevAttrPageableMemoryAccess}] = 0;
    }
    using Expect = void(int, const std::string&, ErrorCode, const std::function<void(rng::Ranks&)>&);

    /// Calls svd_lowrank on two ranks, of which rank 1 is a GPU, after spoil(its call). Both must throw `text`; no
    /// generator moves, no memory stays, and the caller's device is current again.
    static void expect_refused(const std::string& text, ErrorCode code, const std::function<void(Call&)>& spoil,
                               Expect& expect = support::expect_agreed_error) {
        std::vector<float> host(rows * cols, 1.0f);
        Call call;
        spoil(call);
        const std::size_t before = cuda.memory.size();
        expect(2, text, code, [&](rng::Ranks& ranks) {
            if (ranks.rank() == 1) {
                const std::uint64_t position = call.generator.position();
                try {
                    rng::svd_lowrank(call.part, call.options, call.result, ranks, call.generator, stream);
                } catch (const rng::Error&) {
                    EXPECT_EQ(call.generator.position(), position) << text;
                    EXPECT_EQ(cuda.current_device(), 0) << text;
                    throw;
                }
                return;
            }
            rng::Generator generator(42);
            const auto mine = rng::matrix_view<const float>::row_major(host.data(), rows, cols);
            try {
                (void)rng::svd_lowrank(rng::dist_rows<float>{mine, 0, 2 * rows}, {.q = q}, ranks, generator);
            } catch (const rng::Error&) {
                EXPECT_EQ(generator.position(), 0u) << text;
                throw;
            }
        });
        EXPECT_EQ(cuda.memory.size(), before) << text;
    }
};

const std::string rank_1 = "svd_lowrank: rank 1: ";

TEST_F(RankBackend, WhatIsWrongOnOneRankIsToldOnAll) {
    const auto refused = [](const std::string& text, const std::function<void(Call&)>& spoil) {
        expect_refused(rank_1 + text, ErrorCode::invalid_argument, spoil);
    };
    Memory<float> elsewhere(rows * cols, 0), of_host(rows * cols, 0, CUmemorytype{});
    refused("the matrix is in device memory but the generator is on cpu",
            [](Call& c) { c.generator = rng::Generator(42); });
    refused("A is memory of cuda:0 but the generator is on cuda:1",
            [&](Call& c) { c.part.mine.data = elsewhere.data(); });
    refused("A must be device or managed memory, got host memory", [&](Call& c) { c.part.mine.data = of_host.data(); });
    refused("A is null but has elements", [](Call& c) { c.part.mine.data = nullptr; });
    refused("U must be 150 x 3, got 6 x 3", [](Call& c) { c.result.U = c.result.V; });
    refused("V must be 6 x 3, got 150 x 3", [](Call& c) { c.result.V = c.result.U; });
    refused("S must have 3 values, got 2", [](Call& c) { c.result.S.size = 2; });
    refused("U is memory of cuda:0 but the generator is on cuda:1",
            [&](Call& c) { c.result.U.data = elsewhere.data(); });
    refused("M is memory of cuda:0 but the generator is on cuda:1",
            [&](Call& c) { c.options.M = rng::device_matrix<const float>::row_major(elsewhere.data(), rows, cols); });
    refused("M must be 150 x 6, 1 x 6 or 150 x 1 (its rows of this rank, or one for all), got 149 x 6",
            [&](Call& c) { c.options.M = rng::device_matrix<const float>::row_major(c.a.data(), rows - 1, cols); });
    EXPECT_TRUE(cuda.launches.empty());
    cuda.captured.insert(stream);
    refused("the stream is being captured into a graph, which cannot hold work of the host", [](Call&) {});
    EXPECT_TRUE(cuda.launches.empty());
}

// What all ranks must give alike does not hold the device.
TEST_F(RankBackend, WhatDiffersBetweenRanksIsNamed) {
    const auto refused = [](const std::string& text, const std::function<void(Call&)>& spoil) {
        expect_refused("svd_lowrank: " + text, ErrorCode::invalid_argument, spoil);
    };
    refused("q must be the same on all ranks, got 3 on rank 0 and 2 on rank 1", [](Call& c) { c.options.q = 2; });
    refused("the generator's position must be the same on all ranks, got 0 on rank 0 and 3 on rank 1",
            [](Call& c) { c.generator.skip_words(3); });
    refused("rows [140, 150) are on rank 0 and on rank 1: the ranks have their rows in the order of the ranks",
            [](Call& c) { c.part.first_row = 140; });
    refused("M is given on rank 1 and is not on rank 0", [](Call& c) { c.options.M = c.part.mine; });
    EXPECT_TRUE(cuda.launches.empty());
}

TEST_F(RankBackend, AFailureOfCudaBeforeTheWorkIsToldOnAll) {
    cuda.errors["cudaMallocAsync"] = cudaErrorMemoryAllocation;
    expect_refused(rank_1 + "cudaMallocAsync: name (2): text", ErrorCode::cuda, [](Call&) {});
    // The first rows of rank 1 go to rank 0: they are packed by a kernel.
    cuda.errors = {{"cudaLaunchKernel", cudaErrorInvalidConfiguration}};
    expect_refused(rank_1 + "cudaLaunchKernel: name (9): text", ErrorCode::cuda, [](Call&) {});
    cuda.errors = {{"cudaStreamSynchronize", cudaErrorIllegalInstruction}};
    expect_refused(rank_1 +
                       "cudaStreamSynchronize: name (715): text; the error is of earlier work on the GPU, perhaps "
                       "of another library, and stays until the process ends",
                   ErrorCode::cuda, [](Call&) {});
}

// Between two agreements nobody can be told: the group ends, and nobody waits for ever.
TEST_F(RankBackend, AFailureOfCudaDuringTheWorkEndsTheGroup) {
    // The first kernel packs rows. Then come the test matrix, its places, a product and the search of its largest
    // value.
    for (std::size_t failing = 2; failing <= 6; ++failing) {
        SetUp();
        std::size_t launches = 0;
        cuda.during = [&](const fake_cuda::Call& call) {
            if (call.name != "cudaLaunchKernel") return;
            EXPECT_EQ(call.device, 1);
            if (++launches == failing) cuda.errors["cudaLaunchKernel"] = cudaErrorLaunchFailure;
        };
        expect_refused(
            rank_1 +
                "cudaLaunchKernel: name (719): text; the error is of earlier work on the GPU, perhaps of "
                "another library, and stays until the process ends",
            ErrorCode::ranks, [](Call&) {}, support::expect_one_error);
        EXPECT_EQ(launches, failing);
        for (const fake_cuda::Call& call : cuda.of("cudaMallocAsync")) EXPECT_EQ(call.stream, stream);
        EXPECT_EQ(cuda.of("cudaMallocAsync").size(), cuda.of("cudaFreeAsync").size());
    }
}

}  // namespace
