// The cases of the low-rank SVD whose results are goldens. They cover every kind of shape, element and corner, and are
// small enough to run on every path. Their matrices come from +, -, *, / and fills only, so they are the same
// everywhere.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <rng/ranks.hpp>
#include <rng/svd/svd_lowrank.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

enum class SvdMatrixKind { normal, graded, rank3, zero, ones, identity, duplicates, large, small, subnormal };
/// The difference of a case from svd_lowrank of a row-major matrix.
enum class SvdVariant { plain, column_major, sparse, sparse_less_row, shards, less_row, less_all, centred, rademacher };

struct SvdCase {
    const char* dtype;  ///< type of the elements: f16, bf16, f32, f64, c64, c128
    SvdMatrixKind kind;
    SvdVariant variant;
    size_t rows, cols, q;
    long long niter;
    uint64_t digest;  ///< FNV-1a 64 of U, S and V, row after row, each real number little-endian
};

inline constexpr uint64_t svd_case_seed = 42;

/// Returns the list, with the frozen digests.
[[nodiscard]] RNG_API std::span<const SvdCase> svd_cases();

/// Returns a text such as "300 x 40 q=8 niter=2 normal plain".
[[nodiscard]] RNG_API std::string to_string(const SvdCase& one);

/// The inputs and outputs of a case in double precision: A minus M; a complex number is two numbers.
struct SvdCaseResult {
    std::vector<double> a, omega, u, s, v;
    uint64_t digest = 0;
    size_t values = 0;  ///< the number of real values in the digest
};
/// The rows [first, first + rows) of a case's matrix, on one of several ranks.
struct SvdCasePart {
    Ranks& ranks;
    size_t first, rows;
};
/// Runs a case on the CPU, with the current settings, or on a GPU. A GPU runs sparse matrices and shards as the dense
/// matrix that has the same bits. Returns only the factors if `matrix` is false. With a part it runs on the CPUs of all
/// ranks, each of which calls this function; all get the whole result.
[[nodiscard]] RNG_API SvdCaseResult run_svd_case(const SvdCase& one, bool matrix = false, Device device = cpu(),
                                                 const SvdCasePart* part = nullptr);

}  // namespace detail
RNG_END_NAMESPACE
