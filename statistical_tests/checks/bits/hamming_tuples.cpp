// hamming8, hamming32, hamming64, low8, low1, high1, mod3: 8-tuples of Hamming weights of bytes, of words and of parts
// of words; of bytes modulo 3.
// Null: independent symbols of known probabilities; coefficients of tuples are uncorrelated (tuples.hpp).
// Statistic: sums of squared coefficients ("w<=1" to "w<=8") and the largest coefficient ("max").
// Flaw: Philox4x32-3 (hamming8, 8 KiB), Philox4x64-4 (hamming64, 128 KiB), Philox4x32-5 and Threefry4x32-7 (lanes, 2
// MiB). For mod3 16 streams in turns, counters 1000 blocks apart, at 512 KiB. Control: all rounds; streams of their
// own. Cost: about a cycle a byte if a byte is a symbol, half of it in increments. Derivation:
// docs/statistics/tuples.md.
#include "tuples.hpp"

namespace rng::stats::tests {
namespace {

constexpr uint8_t symbol_in(uint32_t weight, uint32_t least, uint32_t most) {
    return static_cast<uint8_t>((weight >= least) + (weight > most));
}

// The bands of WeightBand::of. They are constants, so that a loop over bytes compares bytes.
constexpr uint32_t band8[] = {4, 4}, band32[] = {15, 17}, band64[] = {31, 33};

RNG_STATS_CLONES void weights_of_8(const std::byte* data, std::size_t n, uint8_t* to) {
    map_each(reinterpret_cast<const uint8_t*>(data), n, to,
             [](uint8_t x) { return symbol_in(hamming_weight(x), band8[0], band8[1]); });
}
RNG_STATS_CLONES void weights_of_32(const std::byte* data, std::size_t n, uint8_t* to) {
    map_each(reinterpret_cast<const uint32_t*>(data), n, to,
             [](uint32_t x) { return symbol_in(hamming_weight(x), band32[0], band32[1]); });
}
RNG_STATS_CLONES void weights_of_64(const std::byte* data, std::size_t n, uint8_t* to) {
    map_each(reinterpret_cast<const uint64_t*>(data), n, to,
             [](uint64_t x) { return symbol_in(static_cast<uint32_t>(hamming_weight(x)), band64[0], band64[1]); });
}

// 4 and 16 are 1 modulo 3. So a byte equals the sum of its digits modulo 3, of base 16, then 4, then 4 again.
RNG_STATS_CLONES void mod_3(const std::byte* data, std::size_t n, uint8_t* to) {
    map_each(reinterpret_cast<const uint8_t*>(data), n, to, [](uint8_t x) {
        const auto fours = static_cast<uint8_t>((x & 0x33) + ((x >> 2) & 0x33));  // digits up to 6
        const auto sum = static_cast<uint8_t>((fours & 15) + (fours >> 4));       // up to 12
        const auto small = static_cast<uint8_t>((sum & 3) + (sum >> 2));          // up to 5
        return static_cast<uint8_t>(small >= 3 ? small - 3 : small);
    });
}

// Lanes: the low 8 bits of words W; the lowest or the highest bit of 8 words each, taken as a byte.
template <class W> void low_8(const std::byte* data, std::size_t n, uint8_t* to) {
    map_each(reinterpret_cast<const W*>(data), n, to,
             [](W x) { return symbol_in(hamming_weight(static_cast<uint8_t>(x)), band8[0], band8[1]); });
}
template <class W, int Shift> void one_bit(const std::byte* data, std::size_t n, uint8_t* to) {
    const W* const words = reinterpret_cast<const W*>(data);
    for (std::size_t i = 0; i < n; ++i) {
        uint32_t weight = 0;
        for (std::size_t j = 0; j < 8; ++j) weight += static_cast<uint32_t>(words[8 * i + j] >> Shift) & 1;
        to[i] = symbol_in(weight, band8[0], band8[1]);
    }
}
template <class W> constexpr int top = 8 * sizeof(W) - 1;

void put(std::vector<NamedTest>& made, const char* name, Tuples::Map map, std::size_t bytes, uint64_t bits) {
    made.push_back({name, std::make_unique<Tuples>(map, bytes, WeightBand::of(bits).law)});
}

template <class W> void put_lanes(std::vector<NamedTest>& made) {
    if (sizeof(W) > 1) put(made, "low8", low_8<W>, sizeof(W), 8);  // for 8-bit words low8 is hamming8
    put(made, "low1", one_bit<W, 0>, 8 * sizeof(W), 8);
    put(made, "high1", one_bit<W, top<W>>, 8 * sizeof(W), 8);
}

}  // namespace

std::vector<NamedTest> hamming8(const GeneratorUnderTest&, Effort) {
    std::vector<NamedTest> made;
    put(made, "hamming8", weights_of_8, 1, 8);
    return made;
}

std::vector<NamedTest> hamming_words(const GeneratorUnderTest&, Effort) {
    std::vector<NamedTest> made;
    put(made, "hamming32", weights_of_32, 4, 32);
    put(made, "hamming64", weights_of_64, 8, 64);
    return made;
}

std::vector<NamedTest> subwords(const GeneratorUnderTest& generator, Effort) {
    std::vector<NamedTest> made;
    switch (generator.source->word_bits()) {
        case 8: put_lanes<uint8_t>(made); break;
        case 16: put_lanes<uint16_t>(made); break;
        case 32: put_lanes<uint32_t>(made); break;
        default: put_lanes<uint64_t>(made);
    }
    return made;
}

std::vector<NamedTest> mod3(const GeneratorUnderTest&, Effort) {
    // 86 of 256 values are 0 modulo 3, 85 are 1 and 85 are 2.
    constexpr SymbolLaw law{{86.0 / 256, 85.0 / 256, 85.0 / 256}};
    return one_test<Tuples>("mod3", mod_3, 1, law);
}

}  // namespace rng::stats::tests
