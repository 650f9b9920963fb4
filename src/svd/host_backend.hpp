// The backend of the low-rank SVD in host memory.
#pragma once

#include <memory>

#include "svd_backend.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// Throws Error (invalid_argument) if a sparse matrix is not sound. The input must outlive the backend.
template <class T>
[[nodiscard]] std::unique_ptr<SvdBackend<T>> host_backend(const SvdInput& input, const SvdShape& shape,
                                                          const SvdOutput& output);

extern template std::unique_ptr<SvdBackend<float>> host_backend(const SvdInput&, const SvdShape&, const SvdOutput&);
extern template std::unique_ptr<SvdBackend<double>> host_backend(const SvdInput&, const SvdShape&, const SvdOutput&);

}  // namespace detail
RNG_END_NAMESPACE
