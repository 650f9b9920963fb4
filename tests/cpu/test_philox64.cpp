// Philox4x64 on AVX-512 without IFMA. Tests of fills see the other table on most processors.
#include <gtest/gtest.h>
#include <rng/core/engine.hpp>
#include <rng/isa.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

void philox64_without_ifma(uint32_t* out, uint64_t first, uint64_t count, uint64_t id, const uint64_t* key);

namespace {

using E = rng::Philox4x64_10;

std::vector<uint32_t> one_by_one(uint64_t first, uint64_t count, uint64_t id, const uint64_t* key) {
    std::vector<uint32_t> words;
    for (uint64_t b = first; b < first + count; ++b) {
        const auto block = E::algorithm::block(E::algorithm::counter(b, 0, id), {{key[0], key[1]}});
        for (int w = 0; w < 8; ++w) words.push_back(E::algorithm::word_of(block, w));
    }
    return words;
}

TEST(Philox64, WithoutIfmaEqualsBlocks) {
    const auto isas = rng::available_isas();
    if (std::find(isas.begin(), isas.end(), rng::Isa::avx512) == isas.end()) GTEST_SKIP() << "no AVX-512";
    constexpr uint64_t ones = ~uint64_t{0}, low = 0xffffffffu, most = 300;
    for (const uint64_t first : {uint64_t{0}, low - 20, (low << 8) + 1, (uint64_t{1} << 56) - most})
        for (const uint64_t id : {uint64_t{0}, low, ~low, ones, uint64_t{0x0123456789abcdefu}})
            for (const uint64_t word : {uint64_t{0}, low, ~low, ones, uint64_t{0xfedcba9876543210u}}) {
                const uint64_t key[] = {word, ones - word};
                const auto expected = one_by_one(first, most, id, key);
                for (uint64_t n = 1; n <= most; n += n < 70 ? 1 : 46) {
                    std::vector<uint32_t> words(8 * n + 1, 0x5a5a5a5au);
                    philox64_without_ifma(words.data(), first, n, id, key);
                    ASSERT_EQ(words[8 * n], 0x5a5a5a5au) << n << " blocks: wrote past their end";
                    ASSERT_EQ(std::memcmp(words.data(), expected.data(), 32 * n), 0)
                        << n << " blocks from " << first << ", id " << id << ", key " << word;
                }
            }
}

}  // namespace
