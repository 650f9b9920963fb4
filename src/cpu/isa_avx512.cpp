// Kernels for AVX-512 (F, DQ, BW, VL; IFMA where the processor has it). See kernels.hpp.
#define RNG_ABI_NAMESPACE v1_avx512
#include "../reduce/kernels/sums.hpp"
#include "../svd/kernels/linalg.hpp"
#include "count_lanes.hpp"
#include "lane_avx512.hpp"
#include "permute.hpp"
#include "register_pair.hpp"
#include "row_lanes.hpp"
#include "sobol_lanes.hpp"
#include "sparse_blocks.hpp"
#include "vector_avx512.hpp"
#include "wide_blocks.hpp"
#include "wide_philox.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

static_assert(lane::Lane<wide::Avx512> && lane::Lane<wide::Unrolled2<wide::Avx512>>);

/// The numbers of chains that were the fastest on Xeons of the Emerald Rapids generation and later.
struct Registers {
    using Vector32 = wide::Avx512x32;
    using Vector64 = wide::Avx512x64;
    template <int Rounds> using Philox32 = wide::Philox4x32Rounds<Vector64, Rounds>;
    template <int Rounds> using SparsePhilox32 = wide::VectorPhiloxBlocks<Vector64, Rounds>;
    using Philox64Vector = wide::ProductOfHalves<wide::Avx512x64>;
#if defined(__clang__)
    static constexpr int philox_chains = 6;
#else
    static constexpr int philox_chains = 5;
#endif
    static constexpr int philox64_chains = 4, threefry_chains = 2;
};
struct RegistersWithIfma : Registers {
    using Philox64Vector = wide::Avx512x64Ifma;
};

constexpr rng_abi::LinalgFunctions linalg = wide::Linalg<wide::Avx512>::functions;
constexpr rng_abi::SumFunctions sums = wide::Sums<wide::Avx512>::functions;

/// The kernels whose blocks are computed in these registers.
template <class R>
constexpr rng_abi::KernelTable table{wide::wide_table<R>.functions,
                                     wide::SparseBlocksTable<Registers, engines>::children,
                                     wide::SparseBlocksTable<Registers, engines>::scattered,
                                     kernel_maps.all,
                                     &linalg,
                                     &wide::permute<wide::Avx512>,
                                     wide::FinishRowsTable<wide::Avx512, rows_of_components>::functions,
                                     &wide::CountLanes<wide::Unrolled2<wide::Avx512>, true>::write,
                                     &wide::CountLanes<wide::Unrolled2<wide::Avx512>, false>::write,
                                     &wide::sobol_points<wide::Avx512, float>,
                                     &wide::sobol_points<wide::Avx512, double>,
                                     &sums};

}  // namespace

const rng_abi::KernelTable& kernel_table();  // src/isa.cpp declares it with its tag

const rng_abi::KernelTable& kernel_table() {
    return __builtin_cpu_supports("avx512ifma") ? table<RegistersWithIfma> : table<Registers>;
}

}  // namespace detail
RNG_END_NAMESPACE
