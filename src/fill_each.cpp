// Counts whose parameters differ from value to value, for rng/fill_each.hpp.
#include <rng/distributions/bits.hpp>
#include <rng/fill_each.hpp>

#include "cpu/dispatch.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

void fill_counts(const StreamRecord& stream, const uint64_t* trials, const double* p, uint64_t* counts, size_t n) {
    constexpr bits<uint64_t> slots;
    constexpr size_t together = 512;
    uint64_t words[together];
    const rng_abi::KernelTable& kernels = rng_cpu::kernels_for(n * sizeof *counts, false);
    StreamRecord from = stream;
    for (size_t first = 0; first < n; first += together, from.position += together * slots.slot_words) {
        const size_t now = n - first < together ? n - first : together;
        fill_values(request(slots, from), words, now);
        if (trials == nullptr)
            kernels.poisson_counts(nullptr, p + first, words, counts + first, now);
        else
            kernels.binomial_counts(trials + first, p + first, words, counts + first, now);
    }
}

}  // namespace detail
RNG_END_NAMESPACE
