// The low-rank SVD over backends: its operations in order. Every branch depends on bits that all backends share.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "svd_backend.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// A call: its options, and the ranks that compute it together.
struct SvdPlan {
    const SvdInput& in;  ///< the options; the matrices are in the backends
    SvdShape shape;
    RankCall* ranks = nullptr;          ///< null: one process
    std::vector<std::byte> state = {};  ///< of ranks: the state of their generators when the call began
    bool spread = false;  ///< true if each matrix is the work of one thread; otherwise threads share each matrix
};

/// Computes the SVD of each backend's matrix; the backends write the results. All matrices have the shape and the test
/// matrix of the plan. The generator advances once every matrix is known to be finite. If one is not finite, throws
/// Error (invalid_argument), and nothing is written. in_turn: true if all backends work in the same memory. Several
/// matrices are then multiplied by the test matrix twice: first to check that all are finite, then each before the rest
/// of its work.
template <class T>
void svd_lowrank_at(const SvdPlan& plan, std::span<const std::unique_ptr<SvdBackend<T>>> backends, Generator& generator,
                    bool in_turn = false);

extern template void svd_lowrank_at(const SvdPlan&, std::span<const std::unique_ptr<SvdBackend<float>>>, Generator&,
                                    bool);
extern template void svd_lowrank_at(const SvdPlan&, std::span<const std::unique_ptr<SvdBackend<double>>>, Generator&,
                                    bool);

}  // namespace detail
RNG_END_NAMESPACE
