// verify: recomputes the golden digests of docs/contract.md on every path that this machine has.
//
//     for (const rng::VerifyRow& row : rng::verify())
//         if (!row.ok()) std::cout << row.distribution << " differs on the path " << row.path << "\n";
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "device.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Returns the 64-bit FNV-1a digest of the bytes in order: the digest of goldens (values as little-endian bytes).
[[nodiscard]] RNG_API uint64_t digest(std::span<const std::byte> bytes);

/// The result of one golden on one path.
struct VerifyRow {
    std::string engine, distribution, dtype, parameters;
    std::string path;  ///< "headers", "scalar", "avx2 x 3 threads", ...
    uint64_t seed, id, position, n;
    uint64_t expected, got;
    /// Returns true if the path gives the golden.
    [[nodiscard]] bool ok() const { return expected == got; }
};

/// The goldens to recompute: `all`, or `quick`, which leaves out the long ones except those of bits and normal. Long
/// goldens have over 2^20 values, which several threads share.
enum class VerifyScope { all, quick };

/// Recomputes the goldens on every path of every device. The paths of the CPU are at() of the headers, and each
/// instruction set with 1 to several threads. The paths of a GPU are the kernels that exist (device_fill.hpp). Rows of
/// svd_lowrank hold U, S and V; the path "headers" has no such rows.
/// Restores the instruction set and the number of threads at its end. Other threads must not fill at the same time.
[[nodiscard]] RNG_API std::vector<VerifyRow> verify(const std::function<void(size_t done, size_t total)>& progress = {},
                                                    VerifyScope scope = VerifyScope::all);
/// Recomputes the goldens on some devices only.
[[nodiscard]] RNG_API std::vector<VerifyRow> verify(const std::vector<Device>& devices,
                                                    const std::function<void(size_t done, size_t total)>& progress = {},
                                                    VerifyScope scope = VerifyScope::all);

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
