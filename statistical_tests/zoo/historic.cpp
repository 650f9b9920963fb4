#include "historic.hpp"

#include "entries.hpp"

namespace rng::stats::zoo_entries {

using namespace zoo;

std::vector<ZooEntry> historic() {
    const Tier bytes = Tier::quick;
    return {
        {"lagged-55-24", "x(n) = x(n - 55) + x(n - 24): low bits linear, sums of three words fixed",
         "Mitchell, Moore, 1958 (Knuth, TAOCP 2, 3.2.2)", not_measured(), "complexity", bytes, 1 * MiB,
         words_of<Lagged55>, "lagged products, high half", words_of<Lagged55Products>},
        {"lagged-607-273", "x(n) = x(n - 607) + x(n - 273)", "Marsaglia, 1985", not_measured(), "complexity", bytes,
         1 * MiB, words_of<Lagged607>, "lagged products, high half", words_of<Lagged607Products>},
        {"middle-square", "the middle 32 bits of the square: soon in a short cycle", "von Neumann, 1951",
         not_measured(), "hamming8", bytes, 4 * MiB, words_of<MiddleSquare>, "middle square with a Weyl sequence",
         words_of<MiddleSquareWeyl>},
        {"rc4-second-byte", "0 twice as often as other bytes", "Mantin, Shamir, 2001", not_measured(), "freq16", bytes,
         64 * KiB, words_of<Rc4<1>>, "rc4, byte 769", words_of<Rc4<768>>},
        {"hash32", "a permutation of a 32-bit counter: no word comes twice", "Appleby, 2011 (MurmurHash3)",
         not_measured(), "equal-words", bytes, 4 * MiB, words_of<Hash32>, "splitmix64, high half",
         words_of<Slice<SplitMix64, 32, 32>>},
    };
}

}  // namespace rng::stats::zoo_entries
