// Kernels without vectors: the reference, and the fallback of every machine. See kernels.hpp.
#define RNG_ABI_NAMESPACE v1_scalar
#include "../svd/kernels/linalg.hpp"
#include "kernels.hpp"
#include "permute.hpp"
#include "sparse_blocks.hpp"
#include "wide_engine.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

static_assert(lane::Lane<lane::Scalar>);

constexpr wide::BlocksTable<engines> blocks([]<class A>(type_tag<A>) { return &wide::scalar_blocks<A>; });

constexpr rng_abi::LinalgFunctions linalg = wide::Linalg<lane::Scalar>::functions;

}  // namespace

const rng_abi::KernelTable& kernel_table();  // declared for src/isa.cpp, which knows the tags

const rng_abi::KernelTable& kernel_table() {
    using Sparse = wide::SparseBlocksTable<void, engines>;
    static constexpr rng_abi::KernelTable table{blocks.functions,
                                                Sparse::children,
                                                Sparse::scattered,
                                                wide::MapTable<lane::Scalar, catalogue>::functions,
                                                &linalg,
                                                &wide::permute<lane::Scalar>,
                                                nullptr};
    return table;
}

}  // namespace detail
RNG_END_NAMESPACE
