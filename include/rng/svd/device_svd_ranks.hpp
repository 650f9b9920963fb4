// svd_lowrank and pca_lowrank of a matrix whose rows are spread over ranks, where this rank's rows lie in the memory of
// a GPU. They give the bits of one process.
//
//     rng::Generator gen{rng::cuda(0), 42};                                    // the same seed on all ranks
//     const rng::device_dist_rows<float> part{mine, first_row, rows};          // mine: a device_matrix
//     rng::svd_lowrank(part, {.q = 16}, {U_mine, S, V}, ranks, gen, stream);
//
// Each rank calls this svd_lowrank or that of svd_ranks.hpp: in one call some ranks may use GPUs and others CPUs.
// Messages pass through host memory, so the transport need not support GPUs.
// docs/scale-out.md describes which GPU a rank uses, and what the ranks send.
#pragma once

#include "device_svd.hpp"
#include "svd_ranks.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// A dist_rows with this rank's rows in device or managed memory.
template <class T> struct device_dist_rows {
    device_matrix<const T> mine;
    uint64_t first_row = 0, rows = 0;
};

/// A dist_csr with this rank's arrays in device or managed memory.
template <class T, class Index = int64_t> struct device_dist_csr {
    device_csr<T, Index> mine;
    uint64_t first_row = 0, rows = 0;
};

namespace detail {

RNG_API void svd_ranks_on_device(const SvdInput& input, RankRows mine, const DeviceSvdTarget& target, Ranks& ranks,
                                 Generator& generator);

template <class Part, class Options, class C>
void svd_over_device_ranks(const char* call, const Part& a, const Options& options, const DeviceSvd<C>& result,
                           Ranks& ranks, Generator& generator, cuda_stream stream) {
    SvdInput input = svd_input(call, a.mine, options);
    input.a.rows = a.rows;
    svd_ranks_on_device(input, {a.first_row, a.mine.rows}, device_target(result, {}, stream), ranks, generator);
}

}  // namespace detail

/// Computes this rank's part of svd_lowrank of the whole matrix, bit for bit. U of `result` has the rows that the rank
/// has of A; S and V are the same on all ranks. The result is complete on return. Collective: all ranks call it, or
/// svd_lowrank of dist_rows, with the same options. Each has a generator of its own in the same state, on any device.
/// An M of m x n is given by rows, as A is: this rank's. An M of 1 x n is the same on all ranks.
/// Requires:
/// - the generator is on the device of this rank's rows,
/// - A, M and the result are in that device's memory,
/// - the stream is not being captured.
/// The call takes memory of the device's pool, in the order of the stream. It holds the tall matrices and, if A is
/// sparse, both orders of the elements.
/// Throws Error on all ranks, with one message, and no generator advances:
/// - as svd_lowrank of dist_rows does, also for faults of this rank's memory (invalid_argument),
/// - on a failure of CUDA on one rank before the ranks compute (cuda); a device without enough memory is such a
///   failure.
/// On a later failure of CUDA the group ends (Ranks::fail), and ranks that wait throw Error (ranks).
template <class T>
void svd_lowrank(const device_dist_rows<T>& a, const DeviceSvdOptions<T>& options,
                 const DeviceSvd<detail::computed_t<T>>& result, Ranks& ranks, Generator& generator,
                 cuda_stream stream = default_stream()) {
    detail::svd_over_device_ranks("svd_lowrank", a, options, result, ranks, generator, stream);
}
template <class T, class Index>
void svd_lowrank(const device_dist_csr<T, Index>& a, const DeviceSvdOptions<T>& options,
                 const DeviceSvd<detail::computed_t<T>>& result, Ranks& ranks, Generator& generator,
                 cuda_stream stream = default_stream()) {
    detail::svd_over_device_ranks("svd_lowrank", a, options, result, ranks, generator, stream);
}

/// Computes this rank's part of pca_lowrank of the whole matrix, as svd_lowrank does above.
template <class T>
void pca_lowrank(const device_dist_rows<T>& a, const PcaOptions& options,
                 const DeviceSvd<detail::computed_t<T>>& result, Ranks& ranks, Generator& generator,
                 cuda_stream stream = default_stream()) {
    detail::svd_over_device_ranks("pca_lowrank", a, options, result, ranks, generator, stream);
}
template <class T, class Index>
void pca_lowrank(const device_dist_csr<T, Index>& a, const PcaOptions& options,
                 const DeviceSvd<detail::computed_t<T>>& result, Ranks& ranks, Generator& generator,
                 cuda_stream stream = default_stream()) {
    detail::svd_over_device_ranks("pca_lowrank", a, options, result, ranks, generator, stream);
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
