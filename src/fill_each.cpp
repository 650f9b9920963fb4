// Counts whose parameters differ from value to value, for rng/fill_each.hpp.
#include <rng/distributions/bits.hpp>
#include <rng/fill_each.hpp>

#include "cpu/dispatch.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

void fill_counts(const StreamRecord& stream, const uint64_t* trials, const double* p, uint64_t* counts, size_t n) {
    uint64_t words[counts_together];
    fill_values(request(bits<uint64_t>{}, stream), words, n);
    const rng_abi::KernelTable& kernels = rng_cpu::kernels_for(n * sizeof *counts, false);
    (trials == nullptr ? kernels.poisson_counts : kernels.binomial_counts)(trials, p, words, counts, n);
}

}  // namespace detail
RNG_END_NAMESPACE
