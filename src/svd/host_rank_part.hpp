// The place of a rank whose data lie in host memory.
#pragma once

#include <memory>

#include "rank_part.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// Requires an output whose U has no gaps.
[[nodiscard]] std::unique_ptr<RankPlace> host_rank_place();

}  // namespace detail
RNG_END_NAMESPACE
