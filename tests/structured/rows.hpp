// Rows as vectors, for tests of structured results.
#pragma once

#include <rng/matrix_view.hpp>
#include <rng/row_at.hpp>

#include <cstdint>
#include <vector>

namespace support {

template <class D, class E>
std::vector<rng::result_t<D>> row_of(const rng::Stream<E>& stream, const D& dist, uint64_t i) {
    std::vector<rng::result_t<D>> row(dist.row_size());
    rng::row_at(stream, dist, i, row.data());
    return row;
}
template <class T> rng::matrix_view<T> rows_of(std::vector<T>& x, std::size_t cols) {
    return rng::matrix_view<T>::row_major(x.data(), x.size() / cols, cols);
}

}  // namespace support
