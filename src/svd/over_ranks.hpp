// The low-rank SVD over ranks, for data in any memory: what svd_ranks.cpp does for the host's, and
// src/device/device_svd.cpp for a GPU's. In one call some ranks may do the one, and others the other.
#pragma once

#include <functional>
#include <memory>

#include <rng/svd/svd_ranks.hpp>

#include "rank_part.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// One rank's side of a call, for the q that all ranks have. It may throw an Error on one rank alone.
struct RankSide {
    /// Checks what the rank gives, but not M's shape or sparse arrays, and returns where it lies.
    std::function<std::unique_ptr<RankPlace>(size_t q)> place;
    /// Returns where the results go.
    std::function<SvdOutput(size_t q)> make_room;
};

/// Computes the SVD of the matrix of which input.a has this rank's part and all rows. Collective.
void svd_over_ranks(const SvdInput& input, RankRows mine, const RankSide& side, Ranks& ranks, Generator& generator);

}  // namespace detail
RNG_END_NAMESPACE
