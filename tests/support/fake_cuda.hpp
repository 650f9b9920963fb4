// CUDA's runtime for tests without a GPU, linked in place of CUDA's library (target fake_cuda). Two devices whose
// memory is the host's. Calls are recorded and answer what the test says; no kernel runs.
// Contexts follow CUDA's documentation ("Interactions with the CUDA Driver API").
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

// A context is an address in fake_cuda::contexts.
struct CUctx_st {
    int device;
    unsigned long long id;  // of no other context, also none of the past
};

namespace fake_cuda {

inline CUctx_st contexts[] = {{0, 1}, {1, 2}, {0, 3}, {1, 4}};
inline CUcontext const primary[] = {&contexts[0], &contexts[1]};  // of the two devices
inline CUcontext const callers[] = {&contexts[2], &contexts[3]};  // made by the caller with the driver's interface

struct Call {
    std::string name;
    cudaStreamCaptureMode mode;     // of the calling thread
    int device;                     // the current one
    cudaStream_t stream = nullptr;  // of calls that allocate or free in its order
};
struct Launch {
    std::string kernel;  // mangled
    dim3 grid, block;
    void** arguments;
    cudaStream_t stream;
};
struct Memory {
    std::size_t size;
    CUmemorytype type;
    bool managed;
    int device;
    bool allocated = false;  // by a call of CUDA; else a test's own
};

struct Cuda {
    bool made[2] = {false, false};  // the primary contexts
    std::vector<CUcontext> stack;   // of the thread; the last is current
    int device = 0;                 // of the thread, if no context is current
    int kept = 0;                   // primary contexts retained
    CUresult push_result = CUDA_SUCCESS;

    std::map<std::string, cudaError_t> errors;  // what calls answer, by name
    std::map<std::pair<int, cudaDeviceAttr>, int>
        attributes;                                   // of devices; others are 1, shared memory of a block 227 KiB
    std::map<const void*, Memory> memory;             // by its first byte
    std::map<const void*, std::size_t> shared_bytes;  // that a kernel's blocks may ask for, if not 48 KiB
    std::set<cudaStream_t> captured;                  // streams
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    std::vector<std::pair<cudaHostFn_t, void*>> owned;  // by graphs: destructors and their arguments
    std::function<void(const Call&)> during;            // runs in every call
    std::function<void(const Launch&)> launched;

    std::vector<Call> calls;
    std::vector<Launch> launches;
    cudaError_t last = cudaSuccess;

    [[nodiscard]] CUcontext current() const { return stack.empty() ? nullptr : stack.back(); }
    [[nodiscard]] int current_device() const { return current() ? current()->device : device; }
    [[nodiscard]] std::vector<Call> of(const std::string& name) const {
        std::vector<Call> found;
        for (const Call& call : calls)
            if (call.name == name) found.push_back(call);
        return found;
    }
};
inline Cuda cuda;

}  // namespace fake_cuda
