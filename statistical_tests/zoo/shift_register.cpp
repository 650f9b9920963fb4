#include "shift_register.hpp"

#include "entries.hpp"
#include "historic.hpp"

namespace rng::stats::zoo_entries {

using namespace zoo;

std::vector<ZooEntry> shift_register() {
    const Tier bytes = Tier::quick;
    return {
        {"xorshift32", "32 bits of state, linear", "Marsaglia, 2003", fails_at(64 * KiB), "rank, complexity, xor-lags",
         bytes, 256 * KiB, words_of<Xorshift32>, "xoshiro128**", words_of<XoshiroStarStar<uint32_t>>},
        {"xorshift64", "64 bits of state, linear", "Marsaglia, 2003", fails_at(64 * KiB), "rank, complexity", bytes,
         256 * KiB, words_of<Xorshift64>, "xoshiro256**", words_of<XoshiroStarStar<uint64_t>>},
        {"xorshift128", "128 bits of state, linear", "Marsaglia, 2003", fails_at(512 * KiB), "rank, complexity", bytes,
         2 * MiB, words_of<Xorshift128>, "xoshiro128**", words_of<XoshiroStarStar<uint32_t>>},
        {"xorwow", "160 bits of state, linear but for a Weyl sequence", "Marsaglia, 2003; cuRAND's XORWOW",
         fails_at(512 * KiB), "complexity, rank", bytes, 2 * MiB, words_of<Xorwow>, "xorwow behind a mixer",
         words_of<Mixed<Xorwow>>},
        {"xoroshiro128plus", "the lowest bit is linear", "Blackman, Vigna, 2018", fails_at(32 * MiB), "complexity",
         bytes, 128 * MiB, words_of<Xoroshiro128Plus>, "xoroshiro128**", words_of<Xoroshiro128StarStar>},
        {"mt19937", "19,937 bits of state, linear", "Matsumoto, Nishimura, 1998", clean_to(1 * GiB), "complexity",
         bytes, 1 * MiB, words_of<Mt19937>, "mt19937 behind a mixer", words_of<Mixed<Mt19937>>},
        {"well512a", "512 bits of state, linear", "Panneton, L'Ecuyer, Matsumoto, 2006", not_measured(),
         "complexity, rank", bytes, 1 * MiB, words_of<Well512a>, "well512a behind a mixer", words_of<Mixed<Well512a>>},
        {"taus88", "88 bits of state, linear", "L'Ecuyer, 1996", not_measured(), "complexity, rank", bytes, 1 * MiB,
         words_of<Taus88>, "taus88 behind a mixer", words_of<Mixed<Taus88>>},
        {"r250", "x(n) = x(n - 250) ^ x(n - 103)", "Kirkpatrick, Stoll, 1981; Ferrenberg et al., 1992", not_measured(),
         "complexity, rank", bytes, 1 * MiB, words_of<R250>, "lagged products (607, 273), high half",
         words_of<Lagged607Products>},
    };
}

}  // namespace rng::stats::zoo_entries
