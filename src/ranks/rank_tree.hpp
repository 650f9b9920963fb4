// RankTree: sums over ranks in the tree of docs/svd.md and docs/reduce.md. Each rank computes nodes of the tree, and
// the ranks add them up. A node is identified by level and index, so a total has the same bits for any number of ranks
// and any distribution of the rows.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "rank_layout.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

template <class T> class RankTree {
  public:
    /// Writes the values of rows [first, first + rows) of node layout.slabs()[slab].
    using Leaf = std::function<void(size_t slab, size_t first, size_t rows, T* out)>;

    /// The layout must outlive the tree. A total above most_bytes is added up in slices. Small slices are computed
    /// together: at most grains_at_once grains in one call of a leaf. 0 means as many as keep the threads of this
    /// process busy.
    explicit RankTree(const RankLayout& layout, size_t most_bytes = size_t{1} << 20, size_t grains_at_once = 0)
        : layout_(layout), most_bytes_(most_bytes), grains_at_once_(grains_at_once) {}

    /// Writes to `out` on all ranks the sum of all nodes: matrices of rows x width values, added element by element.
    /// Rows are computed in multiples of `grain`. Collective.
    ///
    /// A node is sent to the rank that has its left sibling, level by level, and the total to all ranks. In a large
    /// total each rank adds up the nodes of a slice of its rows, and all slices are sent to all ranks. Slices travel
    /// while the next ones are computed.
    void sum(size_t rows, size_t width, size_t grain, const Leaf& leaf, T* out) const;

  private:
    using Nodes = std::map<std::pair<int, uint64_t>, std::vector<T>>;

    [[nodiscard]] Nodes made(size_t first, size_t rows, size_t width, const Leaf& leaf) const;
    void raise_level(Nodes& nodes, int level) const;
    [[nodiscard]] Nodes complete(Nodes nodes) const;
    void add_by_levels(Nodes nodes, size_t values, T* out) const;
    void add_by_slices(size_t rows, size_t width, size_t grain, const Leaf& leaf, T* out) const;

    const RankLayout& layout_;
    size_t most_bytes_, grains_at_once_;
};

extern template class RankTree<float>;
extern template class RankTree<double>;

}  // namespace detail
RNG_END_NAMESPACE
