// Kernels for AVX2 with FMA. See kernels.hpp.
#define RNG_ABI_NAMESPACE v1_avx2
#include "../reduce/kernels/sums.hpp"
#include "../svd/kernels/linalg.hpp"
#include "count_lanes.hpp"
#include "lane_avx2.hpp"
#include "permute.hpp"
#include "register_pair.hpp"
#include "row_lanes.hpp"
#include "sobol_lanes.hpp"
#include "sparse_blocks.hpp"
#include "vector_avx2.hpp"
#include "wide_blocks.hpp"
#include "wide_philox.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

static_assert(lane::Lane<wide::Avx2> && lane::Lane<wide::Unrolled2<wide::Avx2>>);

/// The numbers of chains that were the fastest on Xeons of the Emerald Rapids generation and later.
struct Registers {
    using Vector32 = wide::Avx2x32;
    using Vector64 = wide::Avx2x64;
    template <int Rounds> using Philox32 = wide::Philox4x32Rounds<Vector64, Rounds>;
    template <int Rounds> using SparsePhilox32 = wide::VectorPhiloxBlocks<Vector64, Rounds>;
    using Philox64Vector = wide::ProductOfHalves<wide::Avx2x64>;
    // With six chains of Philox clang spills more registers. Then, depending on the address of the stack, a fill takes
    // twice the time.
#if defined(__clang__)
    static constexpr int philox_chains = 3;
#else
    static constexpr int philox_chains = 6;
#endif
    static constexpr int philox64_chains = 3, threefry_chains = 4;
};

constexpr rng_abi::LinalgFunctions linalg = wide::Linalg<wide::Avx2>::functions;
constexpr rng_abi::SumFunctions sums = wide::Sums<wide::Avx2>::functions;

}  // namespace

const rng_abi::KernelTable& kernel_table();  // src/isa.cpp declares it with its tag

const rng_abi::KernelTable& kernel_table() {
    using Sparse = wide::SparseBlocksTable<Registers, engines>;
    static constexpr rng_abi::KernelTable table{wide::wide_table<Registers>.functions,
                                                Sparse::children,
                                                Sparse::scattered,
                                                kernel_maps.all,
                                                &linalg,
                                                &wide::permute<wide::Avx2>,
                                                wide::FinishRowsTable<wide::Avx2, rows_of_components>::functions,
                                                &wide::CountLanes<wide::Unrolled2<wide::Avx2>, true>::write,
                                                &wide::CountLanes<wide::Unrolled2<wide::Avx2>, false>::write,
                                                &wide::sobol_points<wide::Avx2, float>,
                                                &wide::sobol_points<wide::Avx2, double>,
                                                &sums};
    return table;
}

}  // namespace detail
RNG_END_NAMESPACE
