// The backend's calls make no context that the caller did not want, and leave current what was. CUDA is played here, as
// its documentation says of contexts ("Interactions with the CUDA Driver API"); test_gpu asks a real one.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../../cuda/runtime.hpp"
#include "../support/fake_cuda.hpp"

namespace {

using fake_cuda::callers;
using fake_cuda::cuda;
using fake_cuda::primary;
using rng::detail::CurrentDevice;

int device_in_use() {
    int device = -1;
    (void)cudaGetDevice(&device);
    return device;
}

class CudaContext : public testing::Test {
  protected:
    void SetUp() override { cuda = {}; }
};

TEST_F(CudaContext, NothingIsMadeWhereNothingChanges) {
    for (const int device : {0, 1}) {
        cuda = {};
        cuda.device = device;
        {
            const CurrentDevice current(device);
            EXPECT_EQ(device_in_use(), device);
        }
        EXPECT_EQ(cuda.current(), nullptr);
        EXPECT_FALSE(cuda.made[0] || cuda.made[1]) << device;
    }
}

// A context of cuCtxCreate, or a green one, is the caller's choice: the work goes there.
TEST_F(CudaContext, TheCallersOwnContextStays) {
    for (const int its : {0, 1})
        for (const int wanted : {0, 1}) {
            cuda = {};
            cuda.stack = {callers[its]};
            {
                const CurrentDevice current(wanted);
                EXPECT_EQ(cuda.current(), its == wanted ? callers[its] : primary[wanted]);
            }
            EXPECT_EQ(cuda.stack, std::vector<CUcontext>{callers[its]}) << its << ' ' << wanted;
            EXPECT_FALSE(cuda.made[its]) << its << ' ' << wanted;
        }
}

// A program that uses GPU 1 alone gets no context on GPU 0, which every thread has as its device at first.
TEST_F(CudaContext, NoneIsMadeOnTheDeviceInUse) {
    {
        const CurrentDevice current(1);
        EXPECT_EQ(cuda.current(), primary[1]);
        {
            const CurrentDevice inner(1);
            EXPECT_EQ(device_in_use(), 1);
        }
        {
            const CurrentDevice inner(0);
            EXPECT_EQ(device_in_use(), 0);
        }
        EXPECT_EQ(device_in_use(), 1);
        cuda.made[0] = false;  // the inner scope asked for that one
    }
    EXPECT_EQ(cuda.current(), nullptr);
    EXPECT_EQ(device_in_use(), 0);
    { const CurrentDevice current(1); }
    EXPECT_FALSE(cuda.made[0]);
}

TEST_F(CudaContext, AskingWhoseMemoryItIsMakesNone) {
    cuda.memory[&cuda] = {1, CU_MEMORYTYPE_DEVICE, false, 1};
    const auto memory = rng::detail::pointed_to(&cuda);
    EXPECT_EQ(memory.type, CU_MEMORYTYPE_DEVICE);
    EXPECT_EQ(memory.device, 1);
    EXPECT_EQ(memory.managed, 0u);
    EXPECT_EQ(cuda.current(), nullptr);
    EXPECT_FALSE(cuda.made[0] || cuda.made[1]);
}

TEST_F(CudaContext, AFailureChangesNothing) {
    cuda.stack = {callers[0]};
    cuda.push_result = CUDA_ERROR_INVALID_CONTEXT;
    try {
        const CurrentDevice current(1);
        ADD_FAILURE() << "nothing was thrown";
    } catch (const rng::Error& error) {
        EXPECT_EQ(error.code(), rng::ErrorCode::cuda);
        EXPECT_STREQ(error.what(), "cuCtxPushCurrent: name (201): text");
    }
    EXPECT_EQ(cuda.stack, std::vector<CUcontext>{callers[0]});
}

TEST_F(CudaContext, PrimaryContextsAreKeptOnce) {
    for (int i = 0; i < 5; ++i) const CurrentDevice current(1);
    EXPECT_LE(cuda.kept, 1);
}

}  // namespace
