// shard: a box of a tensor, such as the part that one of several processes holds. A fill of a shard writes the values
// that the whole tensor has there.
//
//     std::vector<float> rows(128 * 512);                               // rows 256 to 383 of a 1024 x 512 matrix
//     const rng::shard<float> part(rows.data(), {1024, 512}, {256, 0}, {128, 512});
//     rng::fill(part, rng::normal{0.0f, 0.02f}, rng::Stream{42});       // rows[0] is value 256 * 512
//
// Element (i, j, k, ...) of a tensor is the value of its row-major number, whatever the shards are. So tensors do not
// depend on how many processes share them, or along which dimensions. A shard of a one-dimensional tensor is a range.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fill.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// A non-owning view of a box of a tensor. All lists have one number for each dimension.
template <class T> struct shard {
    T* data = nullptr;               ///< the box's first element
    std::vector<size_t> shape;       ///< of the whole tensor
    std::vector<size_t> offsets;     ///< where the box begins in the tensor
    std::vector<size_t> sizes;       ///< of the box
    std::vector<ptrdiff_t> strides;  ///< of the memory, in elements, from one index to the next; may be negative

    /// Views a whole tensor, row-major without gaps.
    shard(T* memory, const std::vector<size_t>& whole)
        : shard(memory, whole, std::vector<size_t>(whole.size()), whole) {}
    /// Views a box that is in memory row-major without gaps.
    shard(T* memory, std::vector<size_t> whole, std::vector<size_t> first, std::vector<size_t> box)
        : data(memory),
          shape(std::move(whole)),
          offsets(std::move(first)),
          sizes(std::move(box)),
          strides(sizes.size()) {
        size_t step = 1;  // may overflow: a fill rejects such a shard
        for (size_t k = sizes.size(); k-- > 0; step *= sizes[k]) strides[k] = static_cast<ptrdiff_t>(step);
    }
    /// Views a box at any strides. Elements must not overlap.
    shard(T* memory, std::vector<size_t> whole, std::vector<size_t> first, std::vector<size_t> box,
          std::vector<ptrdiff_t> steps)
        : data(memory),
          shape(std::move(whole)),
          offsets(std::move(first)),
          sizes(std::move(box)),
          strides(std::move(steps)) {}
    /// Views a whole matrix.
    explicit shard(const matrix_view<T>& m)
        : shard(m.data, {m.rows, m.cols}, {0, 0}, {m.rows, m.cols}, {m.row_stride, m.col_stride}) {}
};

namespace detail {

/// A shard with its type erased.
struct ShardTarget {
    void* data;
    std::vector<size_t> shape, offsets, sizes;
    std::vector<ptrdiff_t> strides;
};
template <class T> [[nodiscard]] ShardTarget erased(const shard<T>& s) {
    return {s.data, s.shape, s.offsets, s.sizes, s.strides};
}

/// Returns the number of elements of the whole tensor. Throws Error (invalid_argument), whose text begins with the
/// call: lists of different lengths, a box that leaves the tensor, null data, 2^64 elements or more.
[[nodiscard]] RNG_API uint64_t checked_shard(const std::string& call, const ShardTarget& target);
/// The request's stream is positioned at value 0 of the whole tensor. Requires a checked target.
RNG_API void fill_shard(const FillRequest& request, ShardTarget target);

template <class T> inline constexpr bool is_view<shard<T>> = true;
/// A fill of a shard has as many values as the whole tensor. Throws Error as checked_shard() does.
template <class T> class ViewTarget<shard<T>> {
  public:
    ViewTarget(const char* name, const shard<T>& s)
        : target_(erased(s)), size_(checked_shard(std::string("fill: ") + name, target_)) {}
    [[nodiscard]] uint64_t size() const { return size_; }
    void fill(const FillRequest& request) const { fill_shard(request, target_); }

  private:
    ShardTarget target_;
    uint64_t size_;
};

}  // namespace detail

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
