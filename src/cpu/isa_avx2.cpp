// Kernels for AVX2 with FMA. See kernels.hpp.
#define RNG_ABI_NAMESPACE v1_avx2
#include "../svd/kernels/linalg.hpp"
#include "kernels.hpp"
#include "lane_avx2.hpp"
#include "register_pair.hpp"
#include "vector_avx2.hpp"
#include "wide_engine.hpp"
#include "wide_philox.hpp"
#include "wide_philox64.hpp"
#include "wide_threefry.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

static_assert(lane::Lane<wide::Avx2> && lane::Lane<wide::Unrolled2<wide::Avx2>>);

// Independent chains of the wide engines: measured best on a Xeon of the Emerald Rapids kind.
// With six chains of Philox clang spills more registers. Then, depending on the address of the stack, a fill takes
// twice the time.
#if defined(__clang__)
constexpr int philox_chains = 3;
#else
constexpr int philox_chains = 6;
#endif
constexpr int threefry_chains = 2;
constexpr int philox64_chains = 2;

template <class A> constexpr rng_abi::BlocksFunction blocks_of(type_tag<A>) { return &wide::scalar_blocks<A>; }
template <int R> constexpr rng_abi::BlocksFunction blocks_of(type_tag<PhiloxEngine<uint32_t, R>>) {
    return &wide::wide_blocks<wide::Philox4x32Rounds<wide::Avx2x64, R>, philox_chains>;
}
template <int R> constexpr rng_abi::BlocksFunction blocks_of(type_tag<PhiloxEngine<uint64_t, R>>) {
    return &wide::wide_blocks<wide::Philox4x64Rounds<wide::Avx2x64Product, R>, philox64_chains>;
}
template <int R> constexpr rng_abi::BlocksFunction blocks_of(type_tag<ThreefryEngine<uint32_t, R>>) {
    return &wide::wide_blocks<wide::ThreefryRounds<wide::Avx2x32, uint32_t, R>, threefry_chains>;
}
template <int R> constexpr rng_abi::BlocksFunction blocks_of(type_tag<ThreefryEngine<uint64_t, R>>) {
    return &wide::wide_blocks<wide::ThreefryRounds<wide::Avx2x64, uint64_t, R>, threefry_chains>;
}

constexpr wide::BlocksTable<engines> blocks([](auto algorithm) { return blocks_of(algorithm); });

constexpr rng_abi::LinalgFunctions linalg = wide::Linalg<wide::Avx2>::functions;

}  // namespace

const rng_abi::KernelTable& kernel_table();  // declared for src/isa.cpp, which knows the tags

const rng_abi::KernelTable& kernel_table() {
    static constexpr rng_abi::KernelTable table{
        blocks.functions, wide::MapTable<wide::Unrolled2<wide::Avx2>, catalogue>::functions, &linalg};
    return table;
}

}  // namespace detail
RNG_END_NAMESPACE
