// The sort of additions by index: CUB's, whose code is compiled here alone. The result of a stable sort is unique, so
// another one would give the same bits.
#define CUB_WRAPPED_NAMESPACE rng_cuda_sort  // a program may have another CUB
#include <cub/device/device_radix_sort.cuh>

#include "cuda_device.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Sorts, or, without workspace, sets `bytes` to its size.
void sort(uint32_t* (&keys)[2], uint32_t* (&values)[2], uint32_t n, int bits, void* workspace, size_t& bytes,
          cuda_stream stream) {
    namespace cub = rng_cuda_sort::cub;
    cub::DoubleBuffer<uint32_t> key_buffers(keys[0], keys[1]), value_buffers(values[0], values[1]);
    check("cub::DeviceRadixSort::SortPairs",
          cub::DeviceRadixSort::SortPairs(workspace, bytes, key_buffers, value_buffers, n, 0, bits, stream));
    if (key_buffers.selector != 0) std::swap(keys[0], keys[1]);
    if (value_buffers.selector != 0) std::swap(values[0], values[1]);
}

}  // namespace

size_t pair_sort_workspace(uint32_t n, int bits) {
    uint32_t *keys[2]{}, *values[2]{};
    size_t bytes = 0;
    sort(keys, values, n, bits, nullptr, bytes, nullptr);
    return bytes;
}

void sort_pairs(uint32_t* (&keys)[2], uint32_t* (&values)[2], uint32_t n, int bits, void* workspace, size_t bytes,
                cuda_stream stream) {
    sort(keys, values, n, bits, workspace, bytes, stream);
}

}  // namespace detail
RNG_END_NAMESPACE
