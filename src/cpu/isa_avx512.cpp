// Kernels for AVX-512 (F, DQ, BW, VL; IFMA where the processor has it). See kernels.hpp.
#define RNG_ABI_NAMESPACE v1_avx512
#include "../svd/kernels/linalg.hpp"
#include "kernels.hpp"
#include "lane_avx512.hpp"
#include "register_pair.hpp"
#include "vector_avx2.hpp"
#include "vector_avx512.hpp"
#include "wide_engine.hpp"
#include "wide_philox.hpp"
#include "wide_philox64.hpp"
#include "wide_threefry.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

static_assert(lane::Lane<wide::Avx512> && lane::Lane<wide::Unrolled2<wide::Avx512>>);

// Independent chains of the wide engines: measured best on a Xeon of the Emerald Rapids kind.
#if defined(__clang__)
constexpr int philox_chains = 6;
#else
constexpr int philox_chains = 5;
#endif
constexpr int threefry_chains = 2;
constexpr int philox64_chains = 2;

template <class A> constexpr rng_abi::BlocksFunction blocks_of(type_tag<A>) { return &wide::scalar_blocks<A>; }
template <int R> constexpr rng_abi::BlocksFunction blocks_of(type_tag<PhiloxEngine<uint32_t, R>>) {
    return &wide::wide_blocks<wide::Philox4x32Rounds<wide::Avx512x64, R>, philox_chains>;
}
template <int R> constexpr rng_abi::BlocksFunction blocks_of(type_tag<ThreefryEngine<uint32_t, R>>) {
    return &wide::wide_blocks<wide::ThreefryRounds<wide::Avx512x32, uint32_t, R>, threefry_chains>;
}
template <int R> constexpr rng_abi::BlocksFunction blocks_of(type_tag<ThreefryEngine<uint64_t, R>>) {
    return &wide::wide_blocks<wide::ThreefryRounds<wide::Avx512x64, uint64_t, R>, threefry_chains>;
}
// Without IFMA, Philox4x64 uses the vectors of AVX2.
template <int R> constexpr rng_abi::BlocksFunction blocks_of(type_tag<PhiloxEngine<uint64_t, R>>) {
    return &wide::wide_blocks<wide::Philox4x64Rounds<wide::Avx2x64Product, R>, philox64_chains>;
}

constexpr wide::BlocksTable<engines> blocks([](auto algorithm) { return blocks_of(algorithm); });

template <class A> constexpr rng_abi::BlocksFunction blocks_with_ifma_of(type_tag<A> tag) { return blocks_of(tag); }
template <int R> constexpr rng_abi::BlocksFunction blocks_with_ifma_of(type_tag<PhiloxEngine<uint64_t, R>>) {
    return &wide::wide_blocks<wide::Philox4x64Rounds<wide::Avx512x64Ifma, R>, philox64_chains>;
}

constexpr wide::BlocksTable<engines> blocks_with_ifma([](auto algorithm) { return blocks_with_ifma_of(algorithm); });

constexpr rng_abi::LinalgFunctions linalg = wide::Linalg<wide::Avx512>::functions;

}  // namespace

const rng_abi::KernelTable& kernel_table();  // declared for src/isa.cpp, which knows the tags

const rng_abi::KernelTable& kernel_table() {
    using Maps = wide::MapTable<wide::Unrolled2<wide::Avx512>, catalogue>;
    static constexpr rng_abi::KernelTable table{blocks.functions, Maps::functions, &linalg};
    static constexpr rng_abi::KernelTable table_with_ifma{blocks_with_ifma.functions, Maps::functions, &linalg};
    return __builtin_cpu_supports("avx512ifma") ? table_with_ifma : table;
}

}  // namespace detail
RNG_END_NAMESPACE
