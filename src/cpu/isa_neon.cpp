// Kernels for AArch64. See kernels.hpp.
#define RNG_ABI_NAMESPACE v1_neon
#include "../reduce/kernels/sums.hpp"
#include "../svd/kernels/linalg.hpp"
#include "count_lanes.hpp"
#include "lane_neon.hpp"
#include "permute.hpp"
#include "philox_columns.hpp"
#include "register_pair.hpp"
#include "row_lanes.hpp"
#include "sobol_lanes.hpp"
#include "sparse_blocks.hpp"
#include "vector_neon.hpp"
#include "wide_blocks.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

static_assert(lane::Lane<wide::Neon> && lane::Lane<wide::Unrolled2<wide::Neon>>);

/// The numbers of chains are guesses: no processor of this kind was measured. Philox4x64 has no vectors: a product of
/// 64-bit words is two scalar instructions, and about ten of vectors.
struct Registers {
    using Vector32 = wide::Neonx32;
    using Vector64 = wide::Neonx64;
    template <int Rounds> using Philox32 = wide::Philox4x32Columns<Vector32, Rounds>;
    template <int Rounds> using SparsePhilox32 = wide::SparsePhiloxColumns<Vector32, Rounds>;
    static constexpr int philox_chains = 4, threefry_chains = 4;
};

constexpr rng_abi::LinalgFunctions linalg = wide::Linalg<wide::Neon>::functions;
constexpr rng_abi::SumFunctions sums = wide::Sums<wide::Neon>::functions;

}  // namespace

const rng_abi::KernelTable& kernel_table();  // src/isa.cpp declares it with its tag

const rng_abi::KernelTable& kernel_table() {
    using Sparse = wide::SparseBlocksTable<Registers, engines>;
    static constexpr rng_abi::KernelTable table{wide::wide_table<Registers>.functions,
                                                Sparse::children,
                                                Sparse::scattered,
                                                kernel_maps.all,
                                                &linalg,
                                                &wide::permute<wide::Neon>,
                                                wide::FinishRowsTable<wide::Neon, rows_of_components>::functions,
                                                &wide::CountLanes<wide::Unrolled2<wide::Neon>, true>::write,
                                                &wide::CountLanes<wide::Unrolled2<wide::Neon>, false>::write,
                                                &wide::sobol_points<wide::Neon, float>,
                                                &wide::sobol_points<wide::Neon, double>,
                                                &sums};
    return table;
}

}  // namespace detail
RNG_END_NAMESPACE
