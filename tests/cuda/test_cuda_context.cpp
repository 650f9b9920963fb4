// The backend's calls make no context that the caller did not want, and leave current what was. CUDA is played here, as
// its documentation says of contexts ("Interactions with the CUDA Driver API"); test_gpu asks a real one.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "../../cuda/runtime.hpp"

// A context is an address in this array: the primary ones of two devices, then those of the caller's making.
struct CUctx_st {
    int device;
};

namespace {

CUctx_st contexts[] = {{0}, {1}, {0}, {1}};
CUcontext const primary[] = {&contexts[0], &contexts[1]};
CUcontext const callers[] = {&contexts[2], &contexts[3]};

struct Cuda {
    bool made[2] = {false, false};  // the primary contexts
    std::vector<CUcontext> stack;   // of the thread; the last is current
    int device = 0;                 // of the thread, where no context is current
    int kept = 0;                   // primary contexts retained
    CUresult push_result = CUDA_SUCCESS;

    [[nodiscard]] CUcontext current() const { return stack.empty() ? nullptr : stack.back(); }
} cuda;

CUresult retain(CUcontext* context, CUdevice device) {
    cuda.made[device] = true;
    ++cuda.kept;
    *context = primary[device];
    return CUDA_SUCCESS;
}
CUresult push(CUcontext context) {
    if (cuda.push_result == CUDA_SUCCESS) cuda.stack.push_back(context);
    return cuda.push_result;
}
CUresult pop(CUcontext* context) {
    *context = cuda.current();
    cuda.stack.pop_back();
    return CUDA_SUCCESS;
}
CUresult pointer_attributes(unsigned n, CUpointer_attribute* attributes, void** values, CUdeviceptr) {
    for (unsigned i = 0; i < n; ++i) {
        if (attributes[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE) {
            const unsigned type = CU_MEMORYTYPE_DEVICE;
            std::memcpy(values[i], &type, sizeof type);
        }
        if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) *static_cast<int*>(values[i]) = 1;
    }
    return CUDA_SUCCESS;
}

}  // namespace

// The runtime's functions, in place of CUDA's library.
extern "C" {
cudaError_t cudaGetDevice(int* device) {
    *device = cuda.current() ? cuda.current()->device : cuda.device;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
    cuda.device = device;
    cuda.made[device] = true;  // since CUDA 12
    if (cuda.stack.empty()) cuda.stack.push_back(nullptr);
    cuda.stack.back() = primary[device];
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void*) {
    int device = 0;
    (void)cudaGetDevice(&device);
    if (cuda.stack.empty()) (void)cudaSetDevice(device);
    *attributes = {};
    return cudaSuccess;
}
cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult*) {
    const std::string name = symbol;
    *function = name == "cuDevicePrimaryCtxRetain" ? reinterpret_cast<void*>(&retain)
                : name == "cuCtxPushCurrent"       ? reinterpret_cast<void*>(&push)
                : name == "cuCtxPopCurrent"        ? reinterpret_cast<void*>(&pop)
                : name == "cuPointerGetAttributes" ? reinterpret_cast<void*>(&pointer_attributes)
                                                   : nullptr;
    return cudaSuccess;
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorName(cudaError_t) { return "name"; }
const char* cudaGetErrorString(cudaError_t) { return "text"; }
cudaError_t cudaMalloc(void**, size_t) { return cudaErrorMemoryAllocation; }
cudaError_t cudaFree(void*) { return cudaSuccess; }
}

namespace {

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
