// The low-rank SVD over ranks, for data in any memory: the common part of svd_ranks.cpp, for host memory, and of
// src/device/device_svd.cpp, for that of a GPU. In one call some ranks may use one of them, and others the other.
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

    /// Throws Error (invalid_argument) if the arrays of a sparse matrix are not valid. It need not find an element that
    /// occurs twice.
    virtual void check_sparse(const char* call, const MatrixDescription& matrix) = 0;
    /// Returns rows [first, first + rows) of a matrix of elements of `bytes` bytes: row after row, without gaps.
    [[nodiscard]] virtual std::vector<std::byte> packed(const DenseDescription& from, size_t first, size_t rows,
                                                        size_t bytes) = 0;
    /// Returns an array as the host reads it, valid as long as this object.
    [[nodiscard]] virtual const std::byte* on_host(const void* array, size_t bytes) = 0;
    /// Returns the bytes in this memory, valid as long as this object.
    [[nodiscard]] virtual const void* kept(std::vector<std::byte> bytes) = 0;
    /// Creates a backend of float, or of double; it must not outlive this object. has_mean: true if some rank has an M,
    /// or will have one.
    virtual void make(const BackendInput& in, bool has_mean, std::unique_ptr<SvdBackend<float>>& to) = 0;
    virtual void make(const BackendInput& in, bool has_mean, std::unique_ptr<SvdBackend<double>>& to) = 0;
    /// Waits until everything that a backend wrote is complete.
    virtual void wait() = 0;
};

/// One rank's side of a call, for the q of the result, which all ranks have alike. It may throw an Error on one rank
/// alone.
struct RankSide {
    /// Checks the rank's arguments, except M's shape and the sparse arrays, and returns the place of its data.
    std::function<std::unique_ptr<RankPlace>(size_t q)> place;
    /// Returns the memory of the results.
    std::function<SvdOutput(size_t q)> make_room;
};

/// Computes the SVD of a matrix. input.a has this rank's part, and the number of rows of the whole matrix. Collective.
void svd_over_ranks(const SvdInput& input, RankRows mine, const RankSide& side, Ranks& ranks, Generator& generator);

}  // namespace detail
RNG_END_NAMESPACE
