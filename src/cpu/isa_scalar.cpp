// Kernels without vectors: the reference, and every machine's fallback. See kernels.hpp.
#define RNG_ABI_NAMESPACE v1_scalar
#include "kernels.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

template <class E>
void scalar_blocks(uint32_t* out, uint64_t first, uint64_t count, unsigned domain, uint64_t id, const uint64_t* key) {
    typename E::key_type k;
    for (int i = 0; i < k.size(); ++i) k[i] = static_cast<typename E::word>(key[i]);
    for (uint64_t b = first; b < first + count; ++b) {
        const auto block = E::block(E::counter(b, domain, id), k);
        uint32_t words[E::words_per_block];
        for (int i = 0; i < E::words_per_block; ++i) words[i] = E::word_of(block, i);
        __builtin_memcpy(out, words, sizeof words);  // the destination may be an array of values (src/fill.cpp)
        out += E::words_per_block;
    }
}

}  // namespace wide

namespace detail {

const rng_abi::KernelTable& kernel_table();  // declared for src/isa.cpp, which knows the tags

const rng_abi::KernelTable& kernel_table() {
    static constexpr rng_abi::BlocksFunction blocks[] = {&wide::scalar_blocks<Philox4x32_10>};
    static constexpr rng_abi::KernelTable table{blocks, wide::MapTable<lane::NoVectors, catalogue>::functions};
    return table;
}

}  // namespace detail
RNG_END_NAMESPACE
