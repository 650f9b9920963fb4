// avalanche1, avalanche2: what flipping one or two input bits does to the output of a function. The function is a block
// of counter and key, or the first block of a seed or a fork.
// Null: a random function: the differences of a table are independent and uniform (Webster and Tavares, 1985; Lai,
// 1994).
// Statistic: tables of output bits by flips (bit_table.hpp), for random inputs and for small ones ("few"). avalanche1
// adds the weights of differences. avalanche2 has "pair" and "second" differences.
// Flaw: Philox4x32-6 at 1e5 evaluations; Threefry4x32-9 at 7e7. Control: Philox4x32-7; Threefry4x32-20.
// Cost: one evaluation a difference.
// Derivation: docs/statistics/avalanche.md.
#include <rng/core/stream.hpp>

#include <algorithm>
#include <bit>
#include <utility>

#include "../../sources/cipher.hpp"
#include "../bits/bit_table.hpp"
#include "../bits/tuples.hpp"
#include "../test.hpp"

namespace rng::stats::tests {
namespace {

constexpr std::size_t lanes = 256;
constexpr int least_input_bits = 64;  // with fewer bits, random inputs would coincide

/// Returns the word of the extended Hamming code of 32 bits and distance 4 with these 26 bits (Hamming, 1950). The bits
/// keep their order around the parities, which lie at the powers of two. The overall parity is bit 0.
uint32_t hamming_code(uint32_t data) {
    uint32_t word = 0, positions = 0;
    for (unsigned position = 3; position < 32; ++position) {
        if (std::has_single_bit(position)) continue;
        if (data & 1) {
            word |= uint32_t{1} << position;
            positions ^= position;
        }
        data >>= 1;
    }
    for (unsigned p = 1; p < 32; p *= 2)
        if (positions & p) word |= uint32_t{1} << p;
    return word | static_cast<uint32_t>(std::popcount(word) & 1);
}

/// to[i] ^= from[i] for n words.
RNG_STATS_CLONES void exclusive_or(uint32_t* __restrict to, const uint32_t* __restrict from, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) to[i] ^= from[i];
}

/// Stores the number of bits set in each lane. Word w of lane l is from[w * lanes + l].
RNG_STATS_CLONES void sum_weights(const uint32_t* __restrict from, std::size_t words, uint32_t (&to)[lanes]) {
    std::fill(std::begin(to), std::end(to), 0);
    for (std::size_t w = 0; w < words; ++w)
        for (std::size_t l = 0; l < lanes; ++l) to[l] += hamming_weight(from[w * lanes + l]);
}

class Avalanche final : public Test {
  public:
    Avalanche(std::shared_ptr<const BlockFunction> function, int order, uint64_t seed, int word_bits, uint64_t cases)
        : function_(std::move(function)),
          in_(static_cast<std::size_t>(function_->input_words())),
          out_(static_cast<std::size_t>(function_->output_words())),
          bits_(static_cast<std::size_t>(function_->input_bits())),
          order_(order),
          cases_(cases),
          inputs_(in_ * lanes),
          base_(out_ * lanes),
          output_(out_ * lanes),
          singles_(order == 2 ? bits_ * out_ * lanes : 0) {
        if (order == 2) choose_pairs(word_bits);
        key_ = Stream<Philox4x64_10>(seed).fork("avalanche").fork(function_->name()).key;
        rows_ = order == 1 ? bits_ : pairs_.size();
        tables_ = order == 1 ? 2 : 4;
        counts.resize(1 + tables_ * rows_ * columns() + (order == 1 ? 2 * (columns() + 1) : 0));
    }

    [[nodiscard]] uint64_t cases() const override { return cases_; }

    void add(const Segment& segment) override {
        // A case of order 1 is shorter, so the work is repeated.
        const uint64_t repeats = order_ == 1 ? 4 : 1;
        for (uint64_t i = 0; i < repeats; ++i) {
            const uint64_t number = segment.index * repeats + i;
            draw(number);
            differences(0);
            draw_few(number);
            differences(1);
            counts[0] += lanes;
        }
    }

    void results(Results& results) const override {
        const std::size_t size = rows_ * columns();
        for (std::size_t kind = 0; kind < 2; ++kind) {
            const std::string name = kind == 0 ? "random" : "few";
            const auto table = [&](std::size_t index) {
                return std::span<const uint64_t>(counts).subspan(1 + index * size, size);
            };
            if (order_ == 1) {
                add_bit_table(results, name + " ", table(kind), columns(), counts[0]);
                add_weights(
                    results, name + " weight",
                    std::span<const uint64_t>(counts).subspan(1 + 2 * size + kind * (columns() + 1), columns() + 1));
            } else {
                add_bit_table(results, name + " pair ", table(kind), columns(), counts[0]);
                add_bit_table(results, name + " second ", table(2 + kind), columns(), counts[0]);
            }
        }
    }

  private:
    [[nodiscard]] std::size_t columns() const { return 32 * out_; }

    /// Chooses pairs of bits at the same place of two words of the generator's size.
    void choose_pairs(int word_bits) {
        const std::size_t word = word_bits == 64 && bits_ % 64 == 0 && bits_ > 64 ? 64 : 32;
        for (std::size_t a = 0; a < bits_; ++a)
            for (std::size_t b = a + word; b < bits_; b += word) pairs_.emplace_back(a, b);
    }

    void draw(uint64_t number) {
        // Draws blocks of eight words; each word of a block goes to a separate row.
        static constexpr Cipher cipher{Cipher::Family::philox, 4, 64, 10};
        uint32_t block_in[12 * lanes], block_out[8 * lanes];
        for (std::size_t first = 0; first < in_; first += 8) {
            std::fill(std::begin(block_in), std::end(block_in), 0);
            for (std::size_t l = 0; l < lanes; ++l) {
                block_in[l] = static_cast<uint32_t>(l);
                block_in[lanes + l] = static_cast<uint32_t>(first);
                block_in[2 * lanes + l] = static_cast<uint32_t>(number);
                block_in[3 * lanes + l] = static_cast<uint32_t>(number >> 32);
                for (std::size_t w = 0; w < 4; ++w)
                    block_in[(8 + w) * lanes + l] =
                        static_cast<uint32_t>(key_[static_cast<int>(w / 2)] >> (w % 2 * 32));
            }
            cipher.evaluate(lanes, block_in, block_out);
            std::copy_n(block_out, std::min<std::size_t>(8, in_ - first) * lanes, inputs_.data() + first * lanes);
        }
        // Clears the bits that the function does not have.
        for (std::size_t bit = bits_; bit < 32 * in_; ++bit)
            for (std::size_t l = 0; l < lanes; ++l) inputs_[bit / 32 * lanes + l] &= ~(uint32_t{1} << (bit % 32));
    }

    /// Draws the first word of counter and key, or of seed and id or tag. All other words are 0.
    void draw_few(uint64_t number) {
        std::fill(inputs_.begin(), inputs_.end(), 0);
        const std::size_t second = in_ > out_ ? out_ : std::min<std::size_t>(2, in_ - 1);
        for (std::size_t l = 0; l < lanes; ++l) {
            inputs_[l] = hamming_code(static_cast<uint32_t>(l));
            inputs_[second * lanes + l] = hamming_code(static_cast<uint32_t>(key_[0] + number) & 0x3ffffff);
        }
    }

    void flip(std::size_t bit) {
        uint32_t* const row = inputs_.data() + bit / 32 * lanes;
        const uint32_t mask = uint32_t{1} << (bit % 32);
        for (std::size_t l = 0; l < lanes; ++l) row[l] ^= mask;
    }

    void differences(std::size_t kind) {
        const std::size_t size = rows_ * columns();
        function_->evaluate(lanes, inputs_.data(), base_.data());
        if (order_ == 1) {
            uint64_t* const histogram = counts.data() + 1 + 2 * size + kind * (columns() + 1);
            for (std::size_t bit = 0; bit < bits_; ++bit) {
                flip(bit);
                function_->evaluate(lanes, inputs_.data(), output_.data());
                flip(bit);
                exclusive_or(output_.data(), base_.data(), output_.size());
                count(output_.data(), kind, bit);
                count_weights(histogram);
            }
            return;
        }
        for (std::size_t bit = 0; bit < bits_; ++bit) {
            flip(bit);
            function_->evaluate(lanes, inputs_.data(), singles_.data() + bit * out_ * lanes);
            flip(bit);
        }
        for (std::size_t row = 0; row < rows_; ++row) {
            const auto [a, b] = pairs_[row];
            flip(a);
            flip(b);
            function_->evaluate(lanes, inputs_.data(), output_.data());
            flip(a);
            flip(b);
            exclusive_or(output_.data(), base_.data(), output_.size());
            count(output_.data(), kind, row);
            for (const std::size_t bit : {a, b})
                exclusive_or(output_.data(), singles_.data() + bit * out_ * lanes, output_.size());
            count(output_.data(), 2 + kind, row);
        }
    }

    void count(const uint32_t* difference, std::size_t table, std::size_t row) {
        here_.assign(columns(), 0);
        count_bits(difference, lanes, out_, here_.data());
        uint64_t* const to = counts.data() + 1 + (table * rows_ + row) * columns();
        for (std::size_t c = 0; c < here_.size(); ++c) to[c] += here_[c];
    }

    void count_weights(uint64_t* histogram) const {
        uint32_t weights[lanes];
        sum_weights(output_.data(), out_, weights);
        for (const uint32_t weight : weights) ++histogram[weight];
    }

    std::shared_ptr<const BlockFunction> function_;
    std::size_t in_, out_, bits_;
    int order_;
    uint64_t cases_;
    std::vector<uint32_t> inputs_, base_, output_, singles_, here_;
    std::vector<std::pair<std::size_t, std::size_t>> pairs_;
    Stream<Philox4x64_10>::key_type key_;
    std::size_t rows_ = 0, tables_ = 0;
};

std::vector<NamedTest> make(const GeneratorUnderTest& generator, Effort effort, int order) {
    const uint64_t cases = effort.cases(64, 640, 6400);
    std::vector<NamedTest> made;
    for (const auto& function : generator.functions)
        if (function->input_bits() >= least_input_bits)
            made.push_back(
                {"avalanche" + std::to_string(order) + "/" + function->name(),
                 std::make_unique<Avalanche>(function, order, generator.seed, generator.source->word_bits(), cases)});
    return made;
}

}  // namespace

std::vector<NamedTest> avalanche1(const GeneratorUnderTest& generator, Effort effort) {
    return make(generator, effort, 1);
}
std::vector<NamedTest> avalanche2(const GeneratorUnderTest& generator, Effort effort) {
    return make(generator, effort, 2);
}

}  // namespace rng::stats::tests
