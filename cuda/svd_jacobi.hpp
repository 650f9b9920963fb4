// One-sided Jacobi of a small matrix on CUDA: which sizes a device takes, and the sweeps until no pair rotates.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "svd_jacobi_kernels.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

/// The places of what Jacobi has in the workspace, in bytes; `bytes` is 0 if the host is to do the work.
struct JacobiLayout {
    size_t v, list, rotated, bytes;  // m begins at 0

    /// With fewer than `least` elements the host is faster. By estimate a sweep of the device takes 0.03 ms for
    /// launches and a copy, and 1 us for each round. That makes 0.8 ms in all for q = 64. One thread of the host
    /// took 1.6 ms there, and 0.36 ms for q = 40. More than `most` bytes fit no GPU's shared memory.
    [[nodiscard]] static constexpr JacobiLayout of(size_t q, size_t ld, size_t parts, size_t least = 64 * 64) {
        constexpr size_t most = size_t{227} << 10;
        const size_t elements = q * ld * parts;
        if (elements < least || elements * sizeof(double) > most) return {};
        const RoundRobin rounds(static_cast<uint32_t>(q));
        JacobiLayout at{};
        at.v = elements * sizeof(double);
        at.list = 2 * at.v;
        at.rotated = at.list + rounds.rounds() * rounds.pairs() * sizeof(Rotation);
        at.bytes = at.rotated + pairs_at_once * sizeof(uint32_t);
        return at;
    }
};

/// True if the device is to do the work: the matrix fits its shared memory, and doubles are fast.
template <int Parts, class Device>
[[nodiscard]] bool has_jacobi(const Device& device, const JacobiLayout& at, size_t q, size_t ld) {
    return at.bytes > 0 && device.most_shared_bytes() >= JacobiSweep<Parts>::shared_bytes(q, ld) &&
           device.has_fast_doubles();
}

/// Does what LinalgFunctions::jacobi does to m and v, both in the host's memory.
template <int Parts, class Device>
void jacobi(Device& device, const JacobiLayout& at, std::byte* memory, size_t rows, size_t plane, double tolerance,
            double* m, double* v) {
    const auto q = static_cast<uint32_t>(rows), ld = static_cast<uint32_t>(plane);
    const size_t bytes = rows * plane * size_t{Parts} * sizeof(double);
    auto* const on_device = reinterpret_cast<double*>(memory);
    auto* const rotations = reinterpret_cast<double*>(memory + at.v);
    auto* const list = reinterpret_cast<Rotation*>(memory + at.list);
    auto* const rotated = reinterpret_cast<uint32_t*>(memory + at.rotated);
    device.to_device(on_device, m, bytes);
    std::array<uint32_t, pairs_at_once> any{1};
    for (uint32_t sweep = 0; sweep < 40 && *std::max_element(any.begin(), any.end()) != 0; ++sweep) {
        device.launch(JacobiSweep<Parts>{on_device, list, rotated, tolerance, 1.0, q, ld}, 1, 1,
                      JacobiSweep<Parts>::shared_bytes(rows, plane));
        device.launch(RotateColumns<Parts>{rotations, list, q, ld, sweep == 0}, plane / RotateColumns<Parts>::columns,
                      1, RotateColumns<Parts>::shared_bytes(rows));
        device.to_host(any.data(), rotated, sizeof any);
    }
    device.to_host(m, on_device, bytes);
    device.to_host(v, rotations, bytes);
}

}  // namespace detail::svd
RNG_END_NAMESPACE
