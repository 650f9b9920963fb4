// Error: what every call throws on bad input. The message names the call, the value and the limit.
#pragma once

#include <stdexcept>
#include <string>

#include "core/config.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

enum class ErrorCode {
    invalid_argument,  ///< a parameter outside its documented range
    end_of_stream,     ///< a draw past block 2^56 - 1
    unsupported,       ///< not built in, or not on this machine
    bad_state,         ///< damaged or foreign generator state
    cuda               ///< a CUDA call failed; the message keeps call, code and text
};

struct RNG_API Error : std::runtime_error {
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    [[nodiscard]] ErrorCode code() const noexcept { return code_; }

  private:
    ErrorCode code_;
};

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
