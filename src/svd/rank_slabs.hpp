// The rows of A that a rank owns, with their M: a description of each node of the tree that the rank computes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "over_ranks.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// How the ranks have M: not at all, as one row that all have, or as a row for each row of A.
enum class RankMean { none, one_row, by_rows };

/// Returns how all ranks have M, from the rows of A and M on this one. Throws Error (invalid_argument) on all ranks if
/// they have it in different ways, or have different rows. Collective.
[[nodiscard]] RankMean rank_mean(RankCall& call, RankPlace& place, const MatrixDescription& a, size_t rows);

class RankSlabs {
  public:
    /// `mine` describes the rows given to this rank: one part, or compressed rows, and its rows of M. Most of them are
    /// read in place. Collective: rows that another rank owns move there, through host memory. Throws Error on all
    /// ranks.
    RankSlabs(const RankLayout& layout, const MatrixDescription& mine, RankMean mean, RankPlace& place);

    [[nodiscard]] const std::vector<MatrixDescription>& all() const { return slabs_; }

  private:
    void add_in_place(const RankNode& node);
    void add_joined(const RankNode& node);
    [[nodiscard]] MatrixDescription& new_slab(const RankNode& node);
    [[nodiscard]] bool is_sparse() const { return mine_.sparse.index_bytes != 0; }
    [[nodiscard]] size_t element_bytes() const {
        return mine_.stored_bytes() * static_cast<size_t>(mine_.real_parts());
    }
    [[nodiscard]] size_t index_bytes() const { return static_cast<size_t>(mine_.sparse.index_bytes); }
    /// Returns offset `row` of the compressed rows.
    [[nodiscard]] uint64_t offset(size_t row) const;
    /// Returns the number of elements of each of these rows.
    [[nodiscard]] std::vector<uint64_t> counts_of(size_t first, size_t rows) const;
    /// Returns indices, or values, of elements [first, first + n) as the host reads them.
    [[nodiscard]] const std::byte* elements(const void* array, uint64_t first, uint64_t n, size_t bytes) const;
    [[nodiscard]] std::vector<std::byte> head() const;
    [[nodiscard]] SparseDescription rows_of(std::span<const uint64_t> counts, const void* indices,
                                            const void* values) const;
    [[nodiscard]] DenseDescription joined(const DenseDescription& own, size_t first, size_t rows,
                                          const std::vector<std::byte>& tail) const;

    const RankLayout& layout_;
    const MatrixDescription& mine_;
    RankMean mean_;
    RankPlace& place_;
    const std::byte* offsets_ = nullptr;       // of compressed rows, as the host reads them
    std::vector<std::byte> tail_, tail_mean_;  // rows of other ranks
    std::vector<uint64_t> tail_counts_;        // of the elements of each row, if A is sparse
    std::vector<MatrixDescription> slabs_;
};

}  // namespace detail
RNG_END_NAMESPACE
