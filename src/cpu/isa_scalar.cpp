// Kernels without vectors: the reference, and the fallback on every machine. See kernels.hpp.
#define RNG_ABI_NAMESPACE v1_scalar
#include <rng/distributions/binomial.hpp>
#include <rng/distributions/poisson.hpp>

#include "../reduce/kernels/sums.hpp"
#include "../svd/kernels/linalg.hpp"
#include "permute.hpp"
#include "sparse_blocks.hpp"
#include "wide_engine.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

static_assert(lane::Lane<lane::Scalar>);

constexpr wide::BlocksTable<engines> blocks([]<class A>(type_tag<A>) { return &wide::scalar_blocks<A>; });

/// rng_abi::CountsFunction, count by count.
void binomial_counts(const uint64_t* trials, const double* p, const uint64_t* words, uint64_t* counts, size_t n) {
    for (size_t i = 0; i < n; ++i)
        counts[i] = binomial<int64_t>{static_cast<int64_t>(trials[i]), p[i]}.map()(lane::u64<lane::Scalar>(words[i])).v;
}
void poisson_counts(const uint64_t*, const double* mean, const uint64_t* words, uint64_t* counts, size_t n) {
    for (size_t i = 0; i < n; ++i) counts[i] = poisson<int64_t>{mean[i]}.map()(lane::u64<lane::Scalar>(words[i])).v;
}

constexpr rng_abi::LinalgFunctions linalg = wide::Linalg<lane::Scalar>::functions;
constexpr rng_abi::SumFunctions sums = wide::Sums<lane::Scalar>::functions;

}  // namespace

const rng_abi::KernelTable& kernel_table();  // src/isa.cpp declares it with its tag

const rng_abi::KernelTable& kernel_table() {
    using Sparse = wide::SparseBlocksTable<void, engines>;
    static constexpr rng_abi::KernelTable table{
        blocks.functions, Sparse::children, Sparse::scattered, kernel_maps.all, &linalg, &wide::permute<lane::Scalar>,
        nullptr,          &binomial_counts, &poisson_counts,   nullptr,         nullptr, &sums};
    return table;
}

}  // namespace detail
RNG_END_NAMESPACE
