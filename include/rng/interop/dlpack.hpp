// Tensors of other libraries, by DLPack: a DLTensor as a span or matrix of this library, without a copy. No DLPack
// header is needed: the functions take the DLTensor of any dlpack.h since 0.6.
//
//     rng::Generator generator(rng::interop::device_of(tensor), 42);
//     if (generator.device() == rng::cpu())
//         rng::fill(rng::interop::as_span<float>(tensor), rng::normal{0.0f, 1.0f}, generator);
//     else
//         rng::fill(rng::interop::as_device_span<float>(tensor), rng::normal{0.0f, 1.0f}, generator, stream);
//
// A DLManagedTensor and a DLManagedTensorVersioned are taken too; the caller deletes them.
// Code that requests the tensor of a Python object must name the CUDA stream of the fill: __dlpack__(stream=...).
// Elements have the tensor's type: float is 32 bits of code 2. uint8_t also takes truth values, for bernoulli.
// Source: dmlc.github.io/dlpack/latest/c_api.html, version 1.1.
#pragma once

#include <concepts>
#include <cstdint>

#include "detail/foreign_array.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace interop {

/// A DLTensor.
template <class A>
concept dl_tensor = requires(const A& t, const int64_t* numbers) {
    static_cast<char*>(t.data) + t.byte_offset;
    static_cast<int>(t.device.device_type) + t.device.device_id;
    t.dtype.code + t.dtype.bits + t.dtype.lanes;
    t.ndim + *(numbers = t.shape) + *(numbers = t.strides);
};
/// A DLTensor, or a managed tensor that contains one.
template <class A>
concept dl_tensor_or_managed = dl_tensor<A> || requires(const A& a) {
    { a.dl_tensor } -> dl_tensor;
};

namespace detail {

/// DLPack's codes of types and devices.
inline constexpr int dl_bool = 6, dl_cpu = 1, dl_cuda = 2, dl_cuda_host = 3, dl_cuda_managed = 13;
[[nodiscard]] constexpr int dl_code(char kind) {
    return kind == 'i' ? 0 : kind == 'u' ? 1 : kind == 'f' ? 2 : kind == 'V' ? 4 : 5;
}

/// Returns the DLTensor. Throws Error if its version is unknown, or if it is read-only and will be written.
template <class A> [[nodiscard]] const auto& tensor_in(const char* call, const A& a, [[maybe_unused]] bool is_written) {
    if constexpr (requires { a.dl_tensor; }) {
        if constexpr (requires { a.version.major; }) {
            if (a.version.major != 1)
                raise_text(ErrorCode::unsupported, "%s: DLPack must have version 1, got version %u", call,
                           static_cast<unsigned>(a.version.major));
            if (is_written && a.flags % 2 != 0)
                raise_text(ErrorCode::invalid_argument,
                           "%s: the tensor must be writable, got a read-only one; const elements can be read", call);
        }
        return a.dl_tensor;
    } else {
        return a;
    }
}

template <dl_tensor Tensor> [[nodiscard]] Device device_of(const char* call, const Tensor& t) {
    const int type = static_cast<int>(t.device.device_type);
    if (type == dl_cpu || type == dl_cuda_host) return cpu();
    if (type == dl_cuda || type == dl_cuda_managed) return cuda(static_cast<int>(t.device.device_id));
    raise_text(ErrorCode::unsupported,
               "%s: the device type must be 1 (CPU), 2 (CUDA), 3 (CUDA, pinned) or 13 (CUDA, managed), got %d", call,
               type);
}

/// Returns the description of a tensor of elements T on a device of this type.
template <class T, class A> [[nodiscard]] ForeignArray described(const char* call, const A& given, DeviceType place) {
    constexpr auto invalid = ErrorCode::invalid_argument;
    const auto& t = tensor_in(call, given, !std::is_const_v<T>);
    constexpr int code = dl_code(kind_of<T>()), bits = 8 * static_cast<int>(sizeof(T));
    if (!(t.dtype.code == code || (holds_bools<T> && t.dtype.code == dl_bool)) || t.dtype.bits != bits ||
        t.dtype.lanes != 1)
        raise_text(invalid,
                   "%s: the tensor must have elements of code %d, bits %d, lanes 1, got code %d, bits %d, lanes %d",
                   call, code, bits, int{t.dtype.code}, int{t.dtype.bits}, int{t.dtype.lanes});
    if (device_of(call, t).type != place)
        raise_text(
            invalid, "%s: the tensor must be in %s, got device type %d", call,
            place == DeviceType::cpu ? "host memory (device type 1 or 3)" : "memory of a GPU (device type 2 or 13)",
            static_cast<int>(t.device.device_type));
    if (t.ndim < 0) raise_text(invalid, "%s: ndim must be at least 0, got %d", call, static_cast<int>(t.ndim));
    if (t.ndim > 0 && t.shape == nullptr)
        raise_text(invalid, "%s: the shape must not be null for ndim %d", call, static_cast<int>(t.ndim));
    char* const base = static_cast<char*>(t.data);
    if (base && t.byte_offset > UINTPTR_MAX - reinterpret_cast<uintptr_t>(base))
        raise_text(invalid, "%s: byte_offset must lead to an address, got %llu", call,
                   static_cast<unsigned long long>(t.byte_offset));
    return {call, base ? base + t.byte_offset : nullptr, {t.shape, static_cast<size_t>(t.ndim)}, t.strides, 1};
}

}  // namespace detail

/// Returns the device of a tensor's memory: the CPU also for pinned memory, a GPU also for managed memory.
/// Throws Error (unsupported) for other devices.
template <dl_tensor_or_managed A> [[nodiscard]] Device device_of(const A& tensor) {
    return detail::device_of("device_of", detail::tensor_in("device_of", tensor, false));
}

/// Returns the elements of a tensor in host memory, in C order. An empty tensor gives an empty span.
/// Throws Error (invalid_argument) on:
/// - another element type or another device,
/// - a negative size, gaps between elements, another order,
/// - a null or misaligned address,
/// - a read-only tensor, unless T is const.
template <class T, dl_tensor_or_managed A> [[nodiscard]] std::span<T> as_span(const A& tensor) {
    return detail::as_one_run<T, std::span<T>>(detail::described<T>("as_span", tensor, DeviceType::cpu));
}
/// Returns the elements of a tensor in device or managed memory, in C order. Throws Error as as_span does.
template <class T, dl_tensor_or_managed A> [[nodiscard]] device_span<T> as_device_span(const A& tensor) {
    return detail::as_one_run<T, device_span<T>>(detail::described<T>("as_device_span", tensor, DeviceType::cuda));
}

/// Returns a tensor of two dimensions in host memory, at any strides.
/// Throws Error as as_span does, except for gaps and order. Also throws for another number of dimensions, and for
/// elements that share an address (a stride of 0) unless T is const.
template <class T, dl_tensor_or_managed A> [[nodiscard]] matrix_view<T> as_matrix(const A& tensor) {
    const auto a = detail::described<T>("as_matrix", tensor, DeviceType::cpu);
    if (a.shape.size() != 2)
        detail::raise_text(ErrorCode::invalid_argument, "as_matrix: ndim must be 2, got %zu", a.shape.size());
    const size_t n = detail::checked_elements(a, sizeof(T), alignof(T));
    const auto rows = static_cast<size_t>(a.shape[0]), cols = static_cast<size_t>(a.shape[1]);
    T* const data = static_cast<T*>(a.data);
    if (n == 0 || a.strides == nullptr) return matrix_view<T>::row_major(data, rows, cols);
    for (size_t i = 0; i < 2; ++i)
        if (!std::is_const_v<T> && a.strides[i] == 0 && a.shape[i] > 1)
            detail::raise_text(ErrorCode::invalid_argument, "as_matrix: strides[%zu] must not be 0 for %lld elements",
                               i, static_cast<long long>(a.shape[i]));
    // The stride of a dimension of size 1 may be any number, and products with it must not overflow.
    const auto stride = [&a](size_t i, size_t dense) {
        return a.shape[i] == 1 ? static_cast<ptrdiff_t>(dense) : static_cast<ptrdiff_t>(a.strides[i]);
    };
    return {data, rows, cols, stride(0, cols), stride(1, 1)};
}

}  // namespace interop
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
