#include "reduction_peers.hpp"

namespace bench {

template <class T> T plain_sum(const T* x, std::size_t n) {
    constexpr std::size_t lanes = 8 * 32 / sizeof(T);
    T sum[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes)
        for (std::size_t j = 0; j < lanes; ++j) sum[j] += x[i + j];
    T total = 0;
    for (std::size_t j = 0; j < lanes; ++j) total += sum[j];
    for (; i < n; ++i) total += x[i];
    return total;
}
template float plain_sum(const float*, std::size_t);
template double plain_sum(const double*, std::size_t);

template <class T> void plain_index_add(T* out, const std::int64_t* index, const T* values, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) out[index[k]] += values[k];
}
template void plain_index_add(float*, const std::int64_t*, const float*, std::size_t);
template void plain_index_add(double*, const std::int64_t*, const double*, std::size_t);

void plain_count(std::int64_t* counts, const std::int64_t* index, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) ++counts[index[k]];
}

}  // namespace bench
