// How the calls of the low-rank SVD refuse an argument.
#pragma once

#include <string>

#include <rng/linalg/svd_lowrank.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

[[noreturn]] inline void refuse(const SvdInput& in, const std::string& what) {
    throw Error(ErrorCode::invalid_argument, std::string(in.call) + ": " + what);
}

[[nodiscard]] inline std::string shape_text(size_t rows, size_t cols) {
    return std::to_string(rows) + " x " + std::to_string(cols);
}

}  // namespace detail
RNG_END_NAMESPACE
