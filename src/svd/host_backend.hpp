// The place of a matrix in host memory: products on the threads and the instruction set there are.
#pragma once

#include <memory>

#include "svd_backend.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// Throws Error (invalid_argument) if a sparse matrix is not sound. The input has to outlive the place.
template <class T>
[[nodiscard]] std::unique_ptr<Place<T>> host_place(const SvdInput& input, const TallShape& shape,
                                                   const SvdOutput& output);

extern template std::unique_ptr<Place<float>> host_place(const SvdInput&, const TallShape&, const SvdOutput&);
extern template std::unique_ptr<Place<double>> host_place(const SvdInput&, const TallShape&, const SvdOutput&);

}  // namespace detail
RNG_END_NAMESPACE
