// The backend of the low-rank SVD in host memory.
#pragma once

#include <memory>

#include "over_ranks.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// Throws Error (invalid_argument) if a sparse matrix is not valid. Over ranks, U of the output has no gaps.
template <class T> [[nodiscard]] std::unique_ptr<SvdBackend<T>> host_backend(const BackendInput& in);

extern template std::unique_ptr<SvdBackend<float>> host_backend(const BackendInput&);
extern template std::unique_ptr<SvdBackend<double>> host_backend(const BackendInput&);

/// Returns the place of a rank whose data lie in host memory.
[[nodiscard]] std::unique_ptr<RankPlace> host_rank_place();

}  // namespace detail
RNG_END_NAMESPACE
