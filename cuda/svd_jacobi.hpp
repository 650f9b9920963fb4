// One-sided Jacobi of a small matrix on CUDA: the sizes that a device takes, and the launches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "svd_jacobi_kernels.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

/// The places of Jacobi's buffers in the workspace, in bytes; `bytes` is 0 if the host must do the work.
struct JacobiLayout {
    size_t v, list, sweeps, bytes;  // m begins at 0; the refined v takes the place of the list

    /// With fewer than `least` elements the host is faster: one of its threads takes 0.36 ms for q = 40. For q = 64 it
    /// takes 1.6 ms, and an H200 took 1.0 ms. More than `most` bytes fit no GPU's shared memory.
    [[nodiscard]] static constexpr JacobiLayout of(size_t q, size_t ld, size_t parts, size_t least = 64 * 64) {
        constexpr size_t most = size_t{227} << 10;
        const size_t elements = q * ld * parts;
        if (elements < least || elements * sizeof(double) > most) return {};
        if (ld / (2 * chains) < (parts == 1 ? least_in_registers<1> : least_in_registers<2>)) return {};
        const RoundRobin rounds(static_cast<uint32_t>(q));
        const size_t rotation = parts == 1 ? sizeof(Rotation<1>) : sizeof(Rotation<2>);
        JacobiLayout at{};
        at.v = elements * sizeof(double);
        at.list = 2 * at.v;
        at.sweeps = at.list + std::max(at.v, size_t{most_sweeps} * rounds.rounds() * rounds.pairs() * rotation);
        at.bytes = at.sweeps + sizeof(uint32_t);
        return at;
    }
};

/// True if the device should do the work: the matrix fits its shared memory, and doubles are fast.
template <int Parts, class Device>
[[nodiscard]] bool has_jacobi(const Device& device, const JacobiLayout& at, size_t q, size_t ld) {
    return at.bytes > 0 &&
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

/// Applies SvdBackend::jacobi to m and v, both in the host's memory.
template <int Parts, class Device>
void jacobi(Device& device, const JacobiLayout& at, std::byte* memory, size_t rows, size_t plane, double tolerance,
            double* m, double* v) {
    const auto q = static_cast<uint32_t>(rows), ld = static_cast<uint32_t>(plane);
    const size_t bytes = rows * plane * size_t{Parts} * sizeof(double);
    auto* const on_device = reinterpret_cast<double*>(memory);
    auto* const rotated = reinterpret_cast<double*>(memory + at.v);
    auto* const list = reinterpret_cast<Rotation<Parts>*>(memory + at.list);
    auto* const sweeps = reinterpret_cast<uint32_t*>(memory + at.sweeps);
    device.to_device(on_device, m, bytes);
    with_registers<Parts>(plane, [&](auto in_registers) {
        using Sweeps = JacobiSweeps<Parts, decltype(in_registers)::value>;
        device.launch(Sweeps{on_device, list, sweeps, tolerance, 1.0, q, ld}, 1, 1, Sweeps::shared_bytes(rows, plane));
    });
    using Columns = RotateColumns<Parts>;
    device.launch(Columns{rotated, list, sweeps, q, ld}, plane / Columns::columns, 1, Columns::shared_bytes(rows));
    auto* const refined = reinterpret_cast<double*>(list);
    device.launch(RefineRow<Parts>{rotated, refined, q, ld}, q, 1, RefineRow<Parts>::shared_bytes(rows));
    device.to_host(m, on_device, bytes);
    device.to_host(v, refined, bytes);
}

}  // namespace detail::svd
RNG_END_NAMESPACE
