// Arrays of CuPy, Numba, PyTorch and others in CUDA memory, through their `__cuda_array_interface__`. A binding copies
// the dictionary's entries into a cuda_array.
//
//     rng::interop::cuda_array array;
//     array.data = ...;                                  // data[0]
//     array.shape = {60, 40};
//     array.typestr = "<f4";
//     const auto x = rng::interop::as_device_span<float>(array);
//     rng::fill(x, rng::normal{0.0f, 1.0f}, gen, rng::interop::stream_of(array));
//
// A fill in the array's stream needs no synchronisation. The object that owns the memory must outlive the fill.
// Arrays with a mask are not supported.
// Source: nvidia.github.io/numba-cuda/user/cuda_array_interface.html, versions 2 (without a stream) and 3.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "detail/foreign_array.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace interop {

/// The entries of a `__cuda_array_interface__`.
struct cuda_array {
    uintptr_t data = 0;               ///< the address; 0 for an array without elements
    bool is_read_only = false;        ///< true if the memory must not be written; the second part of the entry data
    std::vector<int64_t> shape;       ///< the size of each dimension
    std::vector<int64_t> strides;     ///< in bytes, one for each dimension; empty for None: the array is in C order
    std::string typestr;              ///< the element type, such as "<f4"; PyTorch's bfloat16 is "<V2"
    std::optional<uintptr_t> stream;  ///< empty for None: no work on the array is under way
};

/// Returns the elements of an array in C order. An empty array gives an empty span.
/// Throws Error (invalid_argument) on:
/// - another element type,
/// - a negative size, gaps between elements, another order, strides for other dimensions,
/// - a null or misaligned address,
/// - a read-only array, unless T is const.
template <class T> [[nodiscard]] device_span<T> as_device_span(const cuda_array& array) {
    constexpr auto call = "as_device_span";
    constexpr auto invalid = ErrorCode::invalid_argument;
    const auto is_of = [&](char kind) {
        const std::string type = kind + std::to_string(sizeof(T));
        return array.typestr == '<' + type || (sizeof(T) == 1 && array.typestr == '|' + type);
    };
    if (!is_of(detail::kind_of<T>()) && !(detail::holds_bools<T> && is_of('b')))
        detail::raise_text(invalid, "%s: the array must have typestr %c%c%zu, got %.40s", call,
                           sizeof(T) == 1 ? '|' : '<', detail::kind_of<T>(), sizeof(T), array.typestr.c_str());
    if (array.is_read_only && !std::is_const_v<T>)
        detail::raise_text(invalid, "%s: the array must be writable, got a read-only one; const elements can be read",
                           call);
    if (!array.strides.empty() && array.strides.size() != array.shape.size())
        detail::raise_text(invalid, "%s: there must be %zu strides, as many as dimensions, got %zu", call,
                           array.shape.size(), array.strides.size());
    return detail::as_one_run<T, device_span<T>>({call, reinterpret_cast<void*>(array.data), array.shape,
                                                  array.strides.empty() ? nullptr : array.strides.data(), sizeof(T)});
}

/// Returns the stream in which work on the array is in order: 1 is CUDA's legacy default stream, 2 the thread's own.
/// Without an entry this is true of any stream, and `otherwise` is returned.
/// Throws Error (invalid_argument) for stream 0, which the interface forbids.
[[nodiscard]] inline cuda_stream stream_of(const cuda_array& array, cuda_stream otherwise = default_stream()) {
    if (!array.stream) return otherwise;
    if (*array.stream == 0)
        detail::raise_text(ErrorCode::invalid_argument,
                           "stream_of: the stream must be None, 1, 2 or a cudaStream_t, got 0");
    return reinterpret_cast<cuda_stream>(*array.stream);
}

}  // namespace interop
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
