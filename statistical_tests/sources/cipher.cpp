#include "cipher.hpp"

#include <charconv>

#include "../simd/kernels.hpp"

namespace rng::stats {

std::string Cipher::name() const {
    return std::string(family == Family::philox ? "philox" : "threefry") + std::to_string(words) + "x" +
           std::to_string(word_bits) + "-" + std::to_string(rounds);
}

void Cipher::evaluate(std::size_t lanes, const uint32_t* inputs, uint32_t* outputs) const {
    lane_kernels().ciphers[family == Family::threefry][words == 4][word_bits == 64](rounds, lanes, inputs, outputs);
}

std::optional<Cipher> cipher_by_name(const std::string& name) {
    for (const Cipher::Family family : {Cipher::Family::philox, Cipher::Family::threefry})
        for (const int words : {2, 4})
            for (const int bits : {32, 64}) {
                Cipher cipher{family, words, bits, 0};
                std::string stem = cipher.name();
                stem.pop_back();
                if (!name.starts_with(stem)) continue;
                const char *const first = name.data() + stem.size(), *const last = name.data() + name.size();
                const auto [end, error] = std::from_chars(first, last, cipher.rounds);
                if (error == std::errc() && end == last && cipher.rounds >= 1 &&
                    cipher.rounds <= Cipher::most_rounds(family) && cipher.name() == name)
                    return cipher;
            }
    return std::nullopt;
}

}  // namespace rng::stats
