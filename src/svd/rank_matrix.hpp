// The rows of A that a rank owns, minus M: a HostMatrix for each node of the tree that the rank computes.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "../ranks/rank_layout.hpp"
#include "host_matrix.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// How M lies on the ranks: nowhere, as one row that all have, or as a row for each row of A.
enum class RankMean { none, one_row, by_rows };

/// Returns what all ranks have, by the rows of A and M on this one. Throws Error (invalid_argument) on all ranks if
/// they have it in different ways, or different rows. Collective.
[[nodiscard]] RankMean rank_mean(RankCall& call, const MatrixDescription& a, size_t rows);

template <class T> class RankMatrix {
  public:
    /// A piece of A: the rows of node layout.pieces()[k], the first of which is row `first` of those of this rank.
    struct Piece {
        MatrixDescription description;
        std::vector<std::byte> offsets, indices, values, mean;  // what of it is not in the caller's memory
        size_t first = 0;
        std::unique_ptr<HostMatrix<T>> matrix;
    };

    /// `mine` are the rows given to this rank: one part, or compressed rows, and its rows of M. Most of them are read
    /// in place. Collective: rows that another rank owns move there. Throws Error on all ranks.
    RankMatrix(const RankLayout& layout, const MatrixDescription& mine, RankMean mean);

    [[nodiscard]] std::list<Piece>& pieces() { return pieces_; }

  private:
    void add_in_place(const RankNode& node);
    void add_joined(const RankNode& node);
    [[nodiscard]] Piece& new_piece(const RankNode& node);
    [[nodiscard]] bool is_sparse() const { return mine_.sparse.index_bytes != 0; }
    [[nodiscard]] size_t element_bytes() const {
        return mine_.stored_bytes() * static_cast<size_t>(mine_.real_parts());
    }
    /// Offset `row` of the compressed rows.
    [[nodiscard]] uint64_t offset(size_t row) const;
    [[nodiscard]] size_t index_bytes() const { return static_cast<size_t>(mine_.sparse.index_bytes); }
    void set_rows(Piece& piece, std::span<const uint64_t> counts, const void* indices, const void* values);

    const RankLayout& layout_;
    const MatrixDescription& mine_;
    RankMean mean_;
    std::vector<std::byte> tail_, tail_mean_;  // rows of other ranks
    std::vector<uint64_t> tail_counts_;        // of the elements of each row, if A is sparse
    std::list<Piece> pieces_;                  // a HostMatrix points to its description
};

extern template class RankMatrix<float>;
extern template class RankMatrix<double>;

}  // namespace detail
RNG_END_NAMESPACE
