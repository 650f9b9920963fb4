// check(): an error of CUDA becomes an Error that names the call.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "../core/error.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace detail {

/// Throws on an error. Also clears the error, so that CUDA does not report it to the next caller.
inline void check(const char* call, cudaError_t error) {
    if (error == cudaSuccess) return;
    (void)cudaGetLastError();
    detail::refuse(call,
                   std::string(cudaGetErrorName(error)) + " (" + std::to_string(static_cast<int>(error)) +
                       "): " + cudaGetErrorString(error),
                   ErrorCode::cuda);
}

}  // namespace detail
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
