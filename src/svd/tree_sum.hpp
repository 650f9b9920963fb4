// Sums in the order of docs/svd.md, computed from the sums of parts.
#pragma once

#include <utility>
#include <vector>

#include <rng/core/config.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// Adds nodes of a binary tree, given from the first leaf on. Each node is the sum of 2^level leaves and begins at a
/// multiple of 2^level.
/// The last node may stand for fewer leaves.
template <class T> class TreeSum {
  public:
    explicit TreeSum(size_t n) : n_(n) {}
    void push(std::vector<T> node, size_t level = 0) {
        const size_t first = level;
        for (; leaves_ >> level & 1; ++level) add(levels_[level], node);
        if (levels_.size() <= level) levels_.resize(level + 1);
        levels_[level] = std::move(node);
        leaves_ += size_t{1} << first;
    }
    [[nodiscard]] std::vector<T> total() {
        std::vector<T> sum;
        for (size_t level = 0; leaves_ >> level != 0; ++level)
            if (leaves_ >> level & 1) {
                if (!sum.empty()) add(levels_[level], sum);
                if (sum.empty()) sum = std::move(levels_[level]);
            }
        if (sum.empty()) sum.resize(n_);
        return sum;
    }

  private:
    static void add(const std::vector<T>& left, std::vector<T>& right) {
        for (size_t i = 0; i < right.size(); ++i) right[i] = left[i] + right[i];
    }
    size_t n_, leaves_ = 0;
    std::vector<std::vector<T>> levels_;
};

}  // namespace detail
RNG_END_NAMESPACE
