// Kernels for AVX2 with FMA. See kernels.hpp.
#define RNG_ABI_NAMESPACE v1_avx2
#include "kernels.hpp"
#include "lane_avx2.hpp"
#include "lane_twice.hpp"
#include "wide_philox.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

// Independent chains of wide Philox: measured best on a Xeon of the Emerald Rapids kind. Clang spills more of six chains
// and then, depending on where the stack lies, takes twice the time.
#if defined(__clang__)
inline constexpr int interleave = 3;
#else
inline constexpr int interleave = 6;
#endif

const rng_abi::KernelTable& kernel_table();  // declared for src/isa.cpp, which knows the tags

const rng_abi::KernelTable& kernel_table() {
    static constexpr rng_abi::BlocksFunction blocks[] = {&wide::wide_philox4x32<wide::PhiloxAvx2, 10, interleave>};
    static constexpr rng_abi::KernelTable table{blocks, wide::MapTable<wide::Twice<wide::Avx2>, catalogue>::functions};
    return table;
}

}  // namespace detail
RNG_END_NAMESPACE
