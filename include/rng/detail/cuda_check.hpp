// check(): throws an Error that names the CUDA call that failed. RelaxedCapture: allows calls that a capture forbids.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "../core/error.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace detail {

/// Returns what the caller can do about an error, or what it means for the process; an empty text for most errors.
inline const char* advice_on(cudaError_t error) {
    switch (error) {
        case cudaErrorStreamCaptureImplicit:
            return "; the default stream waits for a stream that is being captured into a graph, which is forbidden: "
                   "pass a stream made with cudaStreamNonBlocking";
        // After one of these, by CUDA's documentation, every CUDA call of the process fails.
        case cudaErrorIllegalAddress:
        case cudaErrorLaunchTimeout:
        case cudaErrorHardwareStackError:
        case cudaErrorIllegalInstruction:
        case cudaErrorMisalignedAddress:
        case cudaErrorInvalidAddressSpace:
        case cudaErrorInvalidPc:
        case cudaErrorLaunchFailure:
        case cudaErrorAssert:
            return "; the error is of earlier work on the GPU, perhaps of another library, and stays until the process "
                   "ends";
        default: return "";
    }
}

/// Throws on an error. Also clears the error, so that CUDA does not report it to the next caller.
inline void check(const char* call, cudaError_t error) {
    if (error == cudaSuccess) return;
    (void)cudaGetLastError();
    detail::refuse(call,
                   std::string(cudaGetErrorName(error)) + " (" + std::to_string(static_cast<int>(error)) +
                       "): " + cudaGetErrorString(error) + advice_on(error),
                   ErrorCode::cuda);
}

/// Lets this thread make calls that a capture in "global" mode forbids: loading a kernel, allocating memory. These
/// calls do not touch the capture.
class RelaxedCapture {
  public:
    RelaxedCapture() { check("cudaThreadExchangeStreamCaptureMode", cudaThreadExchangeStreamCaptureMode(&mode_)); }
    ~RelaxedCapture() { (void)cudaThreadExchangeStreamCaptureMode(&mode_); }
    RelaxedCapture(const RelaxedCapture&) = delete;
    RelaxedCapture& operator=(const RelaxedCapture&) = delete;

  private:
    cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace detail
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
