// Sums in a binary tree (docs/svd.md, docs/reduce.md), from the nodes of its leaves or of parts of it.
#pragma once

#include <rng/core/config.hpp>

#include <cstddef>
#include <cstdint>

namespace rng_abi {

/// The sum of elements: of their one or two real numbers.
template <class T, int Count> struct Parts { T part[Count]; };

/// The nodes of a tree that are not yet added up. Node l is the sum of 2^l leaves, and is there if bit l of `leaves` is
/// set. Plain data, which objects of several instruction sets share (kernels.hpp).
template <class Node> struct TreeNodes {
    std::uint64_t leaves = 0;
    Node node[64];
};

}  // namespace rng_abi

RNG_BEGIN_NAMESPACE
namespace detail {

template <class T, int Count> void add_left(rng_abi::Parts<T, Count>& node, const rng_abi::Parts<T, Count>& left) {
    for (int p = 0; p < Count; ++p) node.part[p] = left.part[p] + node.part[p];
}

/// Adds the next node of a tree, from the first leaf on: the sum of 2^level leaves, which begins at a multiple of
/// 2^level. The last node may stand for fewer leaves. add_left(node, left) must make `node` the sum left + node.
/// This file includes no std templates: kernels of each instruction set include it.
template <class Node> void push_node(rng_abi::TreeNodes<Node>& tree, Node node, int level = 0) {
    const int first = level;
    for (; tree.leaves >> level & 1; ++level) add_left(node, tree.node[level]);
    tree.node[level] = static_cast<Node&&>(node);
    tree.leaves += uint64_t{1} << first;
}

/// Returns the sum of all nodes, from the smallest part on; `none` if there is no node. The tree is used up.
template <class Node> [[nodiscard]] Node total_of(rng_abi::TreeNodes<Node>& tree, Node none) {
    bool has_sum = false;
    for (int level = 0; level < 64 && tree.leaves >> level != 0; ++level) {
        if ((tree.leaves >> level & 1) == 0) continue;
        if (has_sum)
            add_left(none, tree.node[level]);
        else
            none = static_cast<Node&&>(tree.node[level]);
        has_sum = true;
    }
    return none;
}

}  // namespace detail
RNG_END_NAMESPACE
