// check(): an error of CUDA becomes an Error that names the call. RelaxedCapture: calls beside a capture.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "../core/error.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace detail {

/// What a caller of this library can do about an error, or what the error means for the process; empty for most errors.
inline const char* advice_on(cudaError_t error) {
    switch (error) {
        case cudaErrorStreamCaptureImplicit:
            return "; the default stream waits for a stream that is being captured into a graph, which is forbidden: "
                   "pass a stream made with cudaStreamNonBlocking";
        // CUDA's documentation says of these that no CUDA call of the process works any more.
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
