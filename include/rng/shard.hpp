// shard: a box of a tensor, as one of several processes holds it. Its fill writes the values that the whole tensor has
// there.
//
//     std::vector<float> rows(128 * 512);                               // rows 256 to 383 of a 1024 x 512 matrix
//     const rng::shard<float> part(rows.data(), {1024, 512}, {256, 0}, {128, 512});
//     rng::fill(part, rng::normal{0.0f, 0.02f}, rng::Stream{42});       // rows[0] is value 256 * 512
//
// Element (i, j, k, ...) of a tensor is the value of its row-major number, whatever the shards are. So tensors do not
// depend on how many processes share them, or along which dimensions. A tensor of one dimension is a range.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fill.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// A box of a tensor in memory that belongs to somebody else. All lists have one number for each dimension.
template <class T> struct shard {
    T* data = nullptr;               ///< the box's first element
    std::vector<size_t> shape;       ///< of the whole tensor
    std::vector<size_t> offsets;     ///< where the box begins in the tensor
    std::vector<size_t> sizes;       ///< of the box
    std::vector<ptrdiff_t> strides;  ///< of the memory, in elements, from one index to the next; may be negative

    /// All of a tensor, row-major without gaps.
    shard(T* memory, const std::vector<size_t>& whole)
        : shard(memory, whole, std::vector<size_t>(whole.size()), whole) {}
    /// A box that lies in memory row-major without gaps.
    shard(T* memory, std::vector<size_t> whole, std::vector<size_t> first, std::vector<size_t> box)
        : data(memory),
          shape(std::move(whole)),
          offsets(std::move(first)),
          sizes(std::move(box)),
          strides(sizes.size()) {
        size_t step = 1;  // it may overflow: a fill refuses such a shard
        for (size_t k = sizes.size(); k-- > 0; step *= sizes[k]) strides[k] = static_cast<ptrdiff_t>(step);
    }
    /// A box at any strides. Elements must not overlap.
    shard(T* memory, std::vector<size_t> whole, std::vector<size_t> first, std::vector<size_t> box,
          std::vector<ptrdiff_t> steps)
        : data(memory),
          shape(std::move(whole)),
          offsets(std::move(first)),
          sizes(std::move(box)),
          strides(std::move(steps)) {}
    /// All of a matrix.
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

/// Returns the number of elements of the whole tensor. Throws Error (invalid_argument) that begins with the call: lists
/// of different lengths, a box that leaves the tensor, null data, 2^64 elements or more.
[[nodiscard]] RNG_API uint64_t checked_shard(const std::string& call, const ShardTarget& target);
/// The request's stream is positioned at value 0 of the whole tensor. Requires a checked target.
RNG_API void fill_shard(const FillRequest& request, ShardTarget target);

}  // namespace detail

/// Fills a shard: the element of row-major number i in the whole tensor is at(stream, dist, i). Pure.
/// Throws Error: parameters out of range, null data, a box that leaves the tensor, lists of different lengths.
/// Throws Error (end_of_stream) if the tensor does not fit into the stream.
template <class T, distribution D, class E> void fill(const shard<T>& out, const D& dist, const Stream<E>& stream) {
    static_assert(detail::is_stored_as<T, result_t<D>>, "fill: the shard is not of the distribution's type");
    detail::ShardTarget target = detail::erased(out);
    const uint64_t n = detail::checked_shard(std::string("fill: ") + detail::name_of<D>(), target);
    detail::fill_shard(detail::unchecked_request(detail::canonical(dist), detail::positioned<D>(stream, 0, n)),
                       std::move(target));
}
/// Fills a shard and moves the generator on past the whole tensor. So generators of all processes stay alike.
template <class T, distribution D>
void fill(const shard<T>& out, const D& dist, Generator& generator = default_generator()) {
    static_assert(detail::is_stored_as<T, result_t<D>>, "fill: the shard is not of the distribution's type");
    detail::validate("fill", dist);
    detail::require_cpu(detail::name_of<D>(), generator.device());
    detail::ShardTarget target = detail::erased(out);
    const uint64_t n = detail::checked_shard(std::string("fill: ") + detail::name_of<D>(), target);
    if (n > 0)
        detail::fill_shard(detail::request(detail::canonical(dist), generator.claim("fill", n, D::slot_words)),
                           std::move(target));
}
/// Fills from a temporary generator: fill(part, dist, generator.fork(7)).
template <class T, distribution D> void fill(const shard<T>& out, const D& dist, Generator&& generator) {
    fill(out, dist, generator);
}

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
