// What sums and additions by index are measured against, compiled as a user of fast loops would compile them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

/// A sum by eight vectors of accumulators.
template <class T> T plain_sum(const T* x, std::size_t n);
/// out[index[k]] += values[k].
template <class T> void plain_index_add(T* out, const std::int64_t* index, const T* values, std::size_t n);
/// ++counts[index[k]].
void plain_count(std::int64_t* counts, const std::int64_t* index, std::size_t n);

}  // namespace bench
