// verify: recomputes the golden digests of docs/contract.md on every path that this machine has.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "device.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// FNV-1a, 64 bits, over bytes in order: the digest of goldens (values as little-endian bytes).
[[nodiscard]] RNG_API uint64_t digest(std::span<const std::byte> bytes);

struct VerifyRow {
    std::string engine, distribution, dtype, parameters;
    std::string path;  ///< "headers", "scalar", "avx2 x 3 threads", ...
    uint64_t seed, id, position, n;
    uint64_t expected, got;
    [[nodiscard]] bool ok() const { return expected == got; }
};

/// Which goldens: all of them; or quickly, without most of the long ones (over 2^20 values, which several threads
/// share): those of bits and of normal remain.
enum class VerifyScope { all, quick };

/// The goldens on every path of every device: on the CPU the headers' at() and each instruction set with 1 to several
/// threads; on a GPU the kernels there are (device_fill.hpp). Rows of svd_lowrank hold U, S and V; headers have none.
/// Restores the instruction set and the number of threads at its end; other threads should not fill meanwhile.
[[nodiscard]] RNG_API std::vector<VerifyRow> verify(const std::function<void(size_t done, size_t total)>& progress = {},
                                                    VerifyScope scope = VerifyScope::all);
/// The same of some devices.
[[nodiscard]] RNG_API std::vector<VerifyRow> verify(const std::vector<Device>& devices,
                                                    const std::function<void(size_t done, size_t total)>& progress = {},
                                                    VerifyScope scope = VerifyScope::all);

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
