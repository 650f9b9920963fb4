#include "linear.hpp"

#include "entries.hpp"

namespace rng::stats::zoo_entries {

using namespace zoo;

std::vector<ZooEntry> linear() {
    using Lcg128High32 = Slice<Lcg128High, 32, 32>;
    const Tier bytes = Tier::quick;
    return {
        {"randu", "modulus 2^31, multiplier 65539: the low bits are constant, triples lie on 15 planes",
         "IBM, 1968; Marsaglia, 1968", fails_at(1 * KiB), "hamming8, rank", bytes, 8 * KiB, words_of<Randu>,
         "modulus 2^128, high half", words_of<Lcg128High32>},
        {"randu-top16", "the same, upper 16 bits alone: the planes", "Marsaglia, 1968", not_measured(),
         "birthday, permutations", bytes, 16 * MiB, words_of<Slice<Randu, 15, 16>>, "modulus 2^128, top 16 bits",
         words_of<Slice<Lcg128High, 48, 16>>},
        {"minstd", "modulus 2^31 - 1, multiplier 48271, as it comes: bit 31 is 0", "Park, Miller, 1988",
         fails_at(2 * KiB), "freq16, hamming32", bytes, 8 * KiB, words_of<Slice<Minstd, 0, 32>>, "mrg32k3a",
         words_of<Mrg32k3a>},
        {"minstd-31", "the same, its 31 bits packed", "Park, Miller, 1988", not_measured(), "birthday", bytes, 1 * MiB,
         words_of<Minstd>, "mrg32k3a, 31 bits", words_of<Slice<Mrg32k3a, 1, 31>>},
        {"minstd-top16", "the same, upper 16 bits alone", "Park, Miller, 1988", fails_at(16 * MiB), "gap16, birthday",
         bytes, 64 * MiB, words_of<Slice<Minstd, 15, 16>>, "mrg32k3a, top 16 bits", words_of<Slice<Mrg32k3a, 16, 16>>},
        {"lcg64-low", "modulus 2^64, low half: bit k has the period 2^(k + 1)", "Knuth, MMIX", fails_at(4 * KiB),
         "complexity, xor-lags", bytes, 16 * KiB, words_of<Slice<Lcg64, 0, 32>>, "pcg32", words_of<Pcg32>},
        {"lcg64", "modulus 2^64, all of it", "Knuth, MMIX", fails_at(16 * KiB), "complexity", bytes, 64 * KiB,
         words_of<Lcg64>, "modulus 2^128, high half", words_of<Lcg128High>},
        {"lcg64-high", "modulus 2^64, high half: every 2^16th word has 48 bits of state", "Knuth, MMIX",
         fails_at(32 * MiB), "birthday-decimated", bytes, 128 * MiB, words_of<Slice<Lcg64, 32, 32>>,
         "modulus 2^128, high half", words_of<Lcg128High32>},
        {"mrand48", "modulus 2^48, the upper 32 bits", "POSIX", not_measured(), "birthday-decimated, complexity", bytes,
         16 * MiB, words_of<Mrand48>, "modulus 2^128, high half", words_of<Lcg128High32>},
        {"rand-type0", "modulus 2^31, all of it", "ISO C, 7.22.2; glibc's rand() with TYPE_0", not_measured(),
         "complexity", bytes, 64 * KiB, words_of<RandType0>, "modulus 2^128, high half",
         words_of<Slice<Lcg128High, 33, 31>>},
        {"microsoft-rand", "modulus 2^32, bits 16 to 30", "Microsoft C", not_measured(), "complexity, birthday", bytes,
         4 * MiB, words_of<MicrosoftRand>, "modulus 2^128, bits 111 to 125", words_of<Slice<Lcg128High, 47, 15>>},
        {"ranqd1", "modulus 2^32, all of it", "Press et al., 1992", not_measured(), "complexity", bytes, 64 * KiB,
         words_of<Ranqd1>, "pcg32", words_of<Pcg32>},
        {"ranqd1-top8", "the same, upper 8 bits alone", "Press et al., 1992", not_measured(), "hamming8, birthday",
         bytes, 16 * MiB, words_of<Slice<Ranqd1, 24, 8>>, "pcg32, top 8 bits", words_of<Slice<Pcg32, 24, 8>>},
        {"wichmann-hill", "three moduli near 30,000: a period of 7e12, steps of 2^-45", "Wichmann, Hill, AS 183, 1982",
         not_measured(), "birthday", bytes, 128 * MiB, words_of<WichmannHill>, "mrg32k3a", words_of<Mrg32k3a>},
    };
}

}  // namespace rng::stats::zoo_entries
