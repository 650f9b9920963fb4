#include "historic.hpp"

#include <random>

#include "entries.hpp"

namespace rng::stats::zoo_entries {

using namespace zoo;

namespace {

/// Of the standard library, whose seeds have 32 bits.
template <class G> Subject standard(uint64_t seed) {
    Subject subject{std::make_shared<UrbgSource<G>>(G(static_cast<typename G::result_type>(seed)),
                                                    "generator, seed " + std::to_string(seed))};
    subject.seed = seed;
    return subject;
}

}  // namespace

std::vector<ZooEntry> historic() {
    const Tier bytes = Tier::quick;
    return {
        {"lagged-55-24", "x(n) = x(n - 55) + x(n - 24): low bits linear, sums of three words fixed",
         "Mitchell, Moore, 1958 (Knuth, TAOCP 2, 3.2.2)", not_measured(), "linear-complexity", bytes, 1 * MiB,
         words_of<Lagged55>, "lagged products, high half", words_of<Lagged55Products>},
        {"lagged-607-273", "x(n) = x(n - 607) + x(n - 273)", "Marsaglia, 1985", not_measured(), "linear-complexity",
         bytes, 1 * MiB, words_of<Lagged607>, "lagged products, high half", words_of<Lagged607Products>},
        {"ranlux24-base", "subtraction with borrow, lags 24 and 10: a linear congruential generator in disguise",
         "Marsaglia, Zaman, 1991; Tezuka, L'Ecuyer, Couture, 1993", not_measured(), "linear-complexity, birthday",
         bytes, 16 * MiB, standard<std::ranlux24_base>, "ranlux24: 223 values in, 23 out", standard<std::ranlux24>},
        {"ranlux48-base", "the same with 48 bits, lags 12 and 5", "Luescher, 1994", not_measured(),
         "linear-complexity, birthday", bytes, 16 * MiB, standard<std::ranlux48_base>,
         "ranlux48: 389 values in, 11 out", standard<std::ranlux48>},
        {"knuth-b", "minstd, its values shuffled through a table of 256", "Bays, Durham, 1976", not_measured(),
         "birthday, gap16", bytes, 64 * MiB, standard<std::knuth_b>, "mrg32k3a's kind: ranlux48",
         standard<std::ranlux48>},
        {"middle-square", "the middle 32 bits of the square: soon in a short cycle", "von Neumann, 1951",
         not_measured(), "hamming8", bytes, 4 * MiB, words_of<MiddleSquare>, "middle square with a Weyl sequence",
         words_of<MiddleSquareWeyl>},
        {"rc4-second-byte", "0 twice as often as other bytes", "Mantin, Shamir, 2001", not_measured(), "hamming8",
         bytes, 64 * KiB, words_of<Rc4<1>>, "rc4, byte 769", words_of<Rc4<768>>},
        {"hash32", "a permutation of a 32-bit counter: no word comes twice", "Appleby, 2011 (MurmurHash3)",
         not_measured(), "collisions, birthday", bytes, 16 * MiB, words_of<Hash32>, "splitmix64, high half",
         words_of<Slice<SplitMix64, 32, 32>>},
    };
}

}  // namespace rng::stats::zoo_entries
