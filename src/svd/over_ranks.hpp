// The low-rank SVD over ranks, for data in any memory: what svd_ranks.cpp does for the host's, and
// src/device/device_svd.cpp for a GPU's. In one call some ranks may do the one, and others the other.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include <rng/svd/svd_ranks.hpp>

#include "svd_backend.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// The memory in which a rank has its data: the host's (host_backend.cpp) or a GPU's (cuda/svd_backend.hpp).
class RankPlace {
  public:
    RankPlace() = default;
    RankPlace(const RankPlace&) = delete;
    RankPlace& operator=(const RankPlace&) = delete;
    virtual ~RankPlace() = default;

    /// Throws Error (invalid_argument) if the arrays of a sparse matrix are not valid. Need not see an element that is
    /// there twice.
    virtual void check_sparse(const char* call, const MatrixDescription& matrix) = 0;
    /// Returns rows [first, first + rows) of a matrix of elements of `bytes` bytes: row after row, without gaps.
    [[nodiscard]] virtual std::vector<std::byte> packed(const DenseDescription& from, size_t first, size_t rows,
                                                        size_t bytes) = 0;
    /// Returns an array as the host reads it, valid as long as this object.
    [[nodiscard]] virtual const std::byte* on_host(const void* array, size_t bytes) = 0;
    /// Returns the bytes in this memory, valid as long as this object.
    [[nodiscard]] virtual const void* kept(std::vector<std::byte> bytes) = 0;
    /// Makes a backend of float, or of double; it must not outlive this object. has_mean: true if there is an M on some
    /// rank, or will be.
    virtual void make(const BackendInput& in, bool has_mean, std::unique_ptr<SvdBackend<float>>& to) = 0;
    virtual void make(const BackendInput& in, bool has_mean, std::unique_ptr<SvdBackend<double>>& to) = 0;
    /// Waits until all that a backend wrote is there.
    virtual void wait() = 0;
};

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
