// Products by a BLAS, for SvdOptions::fast: their bits depend on the machine.
#pragma once

#include <rng/core/config.hpp>

#include "kernels/abi.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// Returns true if the library was built with a BLAS.
[[nodiscard]] bool has_blas();

/// Computes out (rows x width) = a (rows x terms) times b (terms x width) and returns true.
/// Returns false, and does nothing, if a BLAS cannot read the layout of `a`. A BLAS requires:
/// - values of the computed type,
/// - one stride of 1,
/// - no mean.
[[nodiscard]] bool blas_product(const rng_abi::Operand& a, size_t rows, size_t terms, const float* b, size_t width,
                                float* out);
[[nodiscard]] bool blas_product(const rng_abi::Operand& a, size_t rows, size_t terms, const double* b, size_t width,
                                double* out);

}  // namespace detail
RNG_END_NAMESPACE
