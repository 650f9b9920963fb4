// svd_lowrank and pca_lowrank of a matrix whose rows are spread over ranks, with the bits of one process.
//
//     rng::Generator gen{42};                                           // the same seed on all ranks
//     const rng::dist_rows<float> part{mine, first_row, rows};          // this rank's rows of a matrix of `rows` rows
//     auto [U_mine, S, V] = rng::svd_lowrank(part, {.q = 16}, ranks, gen);   // U_mine: the rows of U beside A's
//
// Any number of ranks and any cuts give the same bits, those of svd_lowrank of the whole matrix. Ranks may have
// different instruction sets and numbers of threads. A rank may have no rows.
// docs/scale-out.md describes what the ranks send, and what it costs.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "../ranks.hpp"
#include "svd_lowrank.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The rows [first_row, first_row + mine.rows) of a matrix of `rows` rows, any strides. The ranks have their rows in
/// the order of the ranks, without gaps. A rank without rows gives the number of columns too; its first_row does not
/// matter.
template <class T> struct dist_rows {
    matrix_view<const T> mine;
    uint64_t first_row = 0, rows = 0;
};

/// A rank's rows of a sparse matrix in compressed rows, as in dist_rows. Offsets and values are those of this rank's
/// rows.
template <class T, class Index = int64_t> struct dist_csr {
    csr_view<T, Index> mine;
    uint64_t first_row = 0, rows = 0;
};

/// The result for a rank: the rows of U that correspond to its rows of A (x q). S (q values, descending) and V (n x q)
/// are the same on all.
template <class T> struct DistSvd {
    Matrix<T> U_mine;
    std::vector<detail::real_t<T>> S;
    Matrix<T> V;
};

/// Returns ranks + 1 cuts that divide `rows` rows into even parts: rank r has the rows [cuts[r], cuts[r + 1]). Cuts are
/// multiples of 128 times a power of two, so that no row has to move, and each rank has few nodes to send.
/// Throws Error (invalid_argument) if `ranks` is below 1.
[[nodiscard]] RNG_API std::vector<uint64_t> aligned_rows(uint64_t rows, int ranks);

namespace detail {

/// The rows that this rank was given.
struct RankRows {
    uint64_t first, count;
};

/// Computes the SVD. input.a is this rank's part of the matrix, but with the number of rows of the whole. make_room(q)
/// returns where the results go, U and V without gaps.
RNG_API void run_svd_ranks(const SvdInput& input, RankRows mine, const std::function<SvdOutput(size_t)>& make_room,
                           Ranks& ranks, Generator& generator);

template <class T, class Part, class Options>
[[nodiscard]] DistSvd<computed_t<T>> svd_over_ranks(const char* call, const Part& a, const Options& options,
                                                    Ranks& ranks, Generator& generator) {
    SvdInput input = svd_input(call, a.mine);
    input.a.rows = a.rows;
    set_options(input, options);
    DistSvd<computed_t<T>> result;
    const auto make_room = [&](size_t q) {
        result = {Matrix<computed_t<T>>(a.mine.rows, q), std::vector<real_t<T>>(q),
                  Matrix<computed_t<T>>(a.mine.cols, q)};
        const auto pitch = static_cast<ptrdiff_t>(q);
        return SvdOutput{result.U_mine.values.data(), pitch, 1, result.S.data(), result.V.values.data(), pitch, 1};
    };
    run_svd_ranks(input, {a.first_row, a.mine.rows}, make_room, ranks, generator);
    return result;
}

}  // namespace detail

/// Returns this rank's part of svd_lowrank of the whole matrix, bit for bit. Collective: all ranks call it with the
/// same options, and each with a generator of its own in the same state. All generators advance alike. An M of m x n is
/// given by rows, as A is: this rank's. An M of 1 x n is the same on all ranks. Throws Error on all ranks, with one
/// text, and changes nothing:
/// - as svd_lowrank does (invalid_argument), also if only one rank's part is wrong; the message names that rank,
/// - if options, shapes, types, seeds, states of generators or versions differ (invalid_argument); the message says
///   which,
/// - if rows are on no rank or on two (invalid_argument), and for `fast` (unsupported),
/// - if a rank does not have enough memory for its part (ranks).
/// If a rank fails later, the group ends (Ranks::fail) and those that wait throw Error (ranks).
template <class T>
[[nodiscard]] DistSvd<detail::computed_t<T>> svd_lowrank(const dist_rows<T>& a, const SvdOptions<T>& options,
                                                         Ranks& ranks, Generator& generator) {
    return detail::svd_over_ranks<T>("svd_lowrank", a, options, ranks, generator);
}
template <class T, class Index>
[[nodiscard]] DistSvd<detail::computed_t<T>> svd_lowrank(const dist_csr<T, Index>& a, const SvdOptions<T>& options,
                                                         Ranks& ranks, Generator& generator) {
    return detail::svd_over_ranks<T>("svd_lowrank", a, options, ranks, generator);
}

/// Returns this rank's part of pca_lowrank of the whole matrix, as svd_lowrank does above.
template <class T>
[[nodiscard]] DistSvd<detail::computed_t<T>> pca_lowrank(const dist_rows<T>& a, const PcaOptions& options, Ranks& ranks,
                                                         Generator& generator) {
    return detail::svd_over_ranks<T>("pca_lowrank", a, options, ranks, generator);
}
template <class T, class Index>
[[nodiscard]] DistSvd<detail::computed_t<T>> pca_lowrank(const dist_csr<T, Index>& a, const PcaOptions& options,
                                                         Ranks& ranks, Generator& generator) {
    return detail::svd_over_ranks<T>("pca_lowrank", a, options, ranks, generator);
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
