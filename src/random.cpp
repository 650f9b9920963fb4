// The blocks of the engines of rng/random.hpp, whose counters have full width.
#include <rng/random.hpp>

#include "cpu/dispatch.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

template <class E>
void write_blocks_of(uint32_t* out, uint64_t count, const uint64_t (&counter)[4], const uint64_t (&key)[4]) {
    constexpr bool narrow = sizeof(typename E::word) == 4;
    const uint64_t first = narrow ? counter[0] | counter[1] << 32 : counter[0];
    const uint64_t id = narrow ? counter[2] | counter[3] << 32 : counter[2];
    // Kernels take a block number, a domain and an id. Nothing may be carried into the id.
    // All counters of 32-bit engines have this form, with the domain in the upper bits of the block number.
    // Counters of 64-bit engines have this form if words 1 and 3 are 0.
    if ((narrow || (counter[1] == 0 && counter[3] == 0)) && first <= ~uint64_t{0} - count) {
        rng_cpu::kernels_for(count * E::words_per_block * sizeof(uint32_t), true)
            .blocks[static_cast<int>(E::number)](out, first, count, 0, id, key);
        return;
    }
    typename E::counter_type c{};
    typename E::key_type k{};
    for (int i = 0; i < c.size(); ++i) c[i] = static_cast<typename E::word>(counter[i]);
    for (int i = 0; i < k.size(); ++i) k[i] = static_cast<typename E::word>(key[i]);
    for (; count > 0; --count, c = counter_plus(c, 1)) {
        const auto block = E::block(c, k);
        for (int i = 0; i < E::words_per_block; ++i) *out++ = E::word_of(block, i);
    }
}

}  // namespace

void write_blocks(Engine engine, uint32_t* out, uint64_t count, const uint64_t (&counter)[4],
                  const uint64_t (&key)[4]) {
    visit_engine(engine, [&](auto tag) { write_blocks_of<typename decltype(tag)::type>(out, count, counter, key); });
}

}  // namespace detail
RNG_END_NAMESPACE
