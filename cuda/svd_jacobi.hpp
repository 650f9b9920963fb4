// One-sided Jacobi of a small matrix on CUDA: the sizes that a device takes, and the launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "svd_jacobi_kernels.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

/// Returns the bytes of m on the device; 0 if the host must do the work. With fewer than `least` elements the host is
/// faster. More than 227 KiB fit no GPU's shared memory.
[[nodiscard]] constexpr size_t jacobi_bytes(size_t q, size_t ld, size_t parts, size_t least = 64 * 64) {
    constexpr size_t most = size_t{227} << 10;
    const size_t elements = q * ld * parts;
    if (elements < least || elements * sizeof(double) > most) return 0;
    if (ld / (2 * chains) < (parts == 1 ? least_in_registers<1> : least_in_registers<2>)) return 0;
    return elements * sizeof(double);
}

/// True if the device should do the work: the matrix, of `bytes`, fits its shared memory, and doubles are fast.
template <int Parts, class Device>
[[nodiscard]] bool has_jacobi(const Device& device, size_t bytes, size_t q, size_t ld) {
    return bytes > 0 &&
           device.most_shared_bytes() >= JacobiSweeps<Parts, most_in_registers<Parts>>::shared_bytes(q, ld) &&
           device.has_fast_doubles();
}

/// Calls f(an integral_constant): the steps of ld columns whose elements stay in registers.
template <int Parts, unsigned InRegisters = least_in_registers<Parts>, class F>
void with_registers(size_t ld, const F& f) {
    if constexpr (InRegisters < most_in_registers<Parts>)
        if (ld / (2 * chains) > InRegisters) return with_registers<Parts, InRegisters + 1>(ld, f);
    f(std::integral_constant<unsigned, InRegisters>{});
}

/// Applies SvdBackend::jacobi to m, which is in the host's memory; `memory` has room for it.
template <int Parts, class Device>
void jacobi(Device& device, std::byte* memory, size_t q, size_t ld, double tolerance, double* m) {
    const size_t bytes = q * ld * size_t{Parts} * sizeof(double);
    auto* const on_device = reinterpret_cast<double*>(memory);
    device.to_device(on_device, m, bytes);
    with_registers<Parts>(ld, [&](auto in_registers) {
        using Sweeps = JacobiSweeps<Parts, decltype(in_registers)::value>;
        const Sweeps sweeps{on_device, tolerance, 1.0, static_cast<uint32_t>(q), static_cast<uint32_t>(ld)};
        device.launch(sweeps, 1, 1, Sweeps::shared_bytes(q, ld));
    });
    device.to_host(m, on_device, bytes);
}

}  // namespace detail::svd
RNG_END_NAMESPACE
