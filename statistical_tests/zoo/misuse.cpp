#include "misuse.hpp"

#include "entries.hpp"

namespace rng::stats::zoo_entries {

using namespace zoo;

std::vector<ZooEntry> misuse() {
    const Tier bytes = Tier::quick;
    return {
        {"counter-16", "philox4x32-10 with a counter of 16 bits: 1 MiB again and again", "", fails_at(2 * MiB),
         "freq16, hamming8", bytes, 8 * MiB, words_of<ShortCounter<16>>, "a counter of 56 bits",
         words_of<ShortCounter<56>>},
        {"counter-20", "the same with 20 bits: 16 MiB again and again", "", fails_at(32 * MiB), "freq16, hamming8",
         bytes, 128 * MiB, words_of<ShortCounter<20>>, "a counter of 56 bits", words_of<ShortCounter<56>>},
        {"leaning-bit", "bit 13 is 1 with probability 0.5098", "", not_measured(), "hamming32", bytes, 32 * MiB,
         words_of<LeaningBit<20>>, "bit 13 is fair", words_of<LeaningBit<0>>},
        {"stuck-bit", "bit 13 is 1", "", not_measured(), "freq16, xor-lags", bytes, 8 * KiB, words_of<LeaningBit<512>>,
         "bit 13 is fair", words_of<LeaningBit<0>>},
        {"repeated-word", "one word in 1024 is the one before it again", "", not_measured(), "equal-words", bytes,
         1 * MiB, words_of<RepeatedWord<1024>>, "no word is", words_of<RepeatedWord<0>>},
        {"late-tile", "each tile of 2048 words begins with the last block of the one before", "", not_measured(),
         "birthday, equal-words", bytes, 1 * MiB, words_of<LateTile<2048>>, "tiles meet", words_of<LateTile<0>>},
    };
}

}  // namespace rng::stats::zoo_entries
