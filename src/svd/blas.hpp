// Products by a BLAS, for SvdOptions::fast: of this machine only.
#pragma once

#include <rng/core/config.hpp>

#include "kernels/abi.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// True if the library was built with one.
[[nodiscard]] bool has_blas();

/// out (rows x width) = a (rows x terms) times b (terms x width). False, and nothing is done, if a is not of a layout
/// that a BLAS reads: values as they are computed, one of the strides 1, no mean.
[[nodiscard]] bool blas_product(const rng_abi::Operand& a, size_t rows, size_t terms, const float* b, size_t width,
                                float* out);
[[nodiscard]] bool blas_product(const rng_abi::Operand& a, size_t rows, size_t terms, const double* b, size_t width,
                                double* out);

}  // namespace detail
RNG_END_NAMESPACE
