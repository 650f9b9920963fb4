// avalanche1, avalanche2: what flipping input bits does to the output of a function (a block of counter and key; the
// first block of a seed or a fork).
//
// Null: a random function. Order 1 takes f(x) ^ f(x + a) of every input bit a. Order 2 takes pairs of bits a, b in the
// same place of two words, such as one of the counter and one of the key, which meet in the first rounds:
// f(x) ^ f(x + a + b), the "pair", and f(x) ^ f(x + a) ^ f(x + b) ^ f(x + a + b), the "second" difference. Every
// difference has an output of its own among its terms, so under the null all of them are independent and uniform, and
// each output bit of each difference is set with probability 1/2 (bit_table.hpp); order 1 adds the weights of
// differences.
//
// That holds only if no two points coincide: where x + a is another x, the pair of them counts twice. "random" inputs
// are drawn from Philox4x64-10, keyed by the subject's seed and the unit; it is neither the function under test nor
// need it be sound for the null to hold, since a random function is uniform on any distinct points. "few" inputs are
// what users have: small counters and keys of 32 bits (which ones goes by the seed), all else 0. They are words of a
// code of distance 4 (the extended Hamming code), two of them in two words, so that no two inputs less than four flips
// apart are both used.
//
// Source: Webster and Tavares, "On the design of S-boxes", CRYPTO '85 (strict avalanche criterion); Lai, "Higher order
// derivatives and differential cryptanalysis", 1994. Cost: one evaluation a difference. Must fail: Philox4x32-6 at
// 1e5 evaluations; Threefry4x32-9 at 7e7 (it fails at the first look). Sound twins: Philox4x32-7 and Threefry4x32-20.
#include <rng/core/stream.hpp>

#include <algorithm>
#include <bit>
#include <utility>

#include "../../simd/kernels.hpp"
#include "../../sources/cipher.hpp"
#include "../bits/bit_table.hpp"
#include "../test.hpp"

namespace rng::stats::tests {
namespace {

constexpr std::size_t lanes = 256;
constexpr int least_input_bits = 64;  // with fewer, random inputs would coincide

/// The word of the extended Hamming code of 32 bits and distance 4 with these 26 bits: they keep their order around the
/// parities, which are at the powers of two (Hamming, 1950) and, over all, at bit 0.
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

class Avalanche final : public Test {
  public:
    Avalanche(std::shared_ptr<const BlockFunction> function, int order, uint64_t seed, int word_bits, uint64_t units)
        : function_(std::move(function)),
          in_(static_cast<std::size_t>(function_->input_words())),
          out_(static_cast<std::size_t>(function_->output_words())),
          bits_(static_cast<std::size_t>(function_->input_bits())),
          order_(order),
          units_(units),
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

    [[nodiscard]] uint64_t units() const override { return units_; }

    void add(const Segment& segment) override {
        // A unit of order 1 is shorter, so it is done a few times.
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

    /// Bits at the same place of two words of the subject's size.
    void choose_pairs(int word_bits) {
        const std::size_t word = word_bits == 64 && bits_ % 64 == 0 && bits_ > 64 ? 64 : 32;
        for (std::size_t a = 0; a < bits_; ++a)
            for (std::size_t b = a + word; b < bits_; b += word) pairs_.emplace_back(a, b);
    }

    void draw(uint64_t number) {
        // Blocks of eight words, each to a row of its own.
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
        // Bits that there are not.
        for (std::size_t bit = bits_; bit < 32 * in_; ++bit)
            for (std::size_t l = 0; l < lanes; ++l) inputs_[bit / 32 * lanes + l] &= ~(uint32_t{1} << (bit % 32));
    }

    /// In the first word of counter and key, or of seed and id or tag.
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
                lane_kernels().exclusive_or(output_.data(), base_.data(), output_.size());
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
            lane_kernels().exclusive_or(output_.data(), base_.data(), output_.size());
            count(output_.data(), kind, row);
            for (const std::size_t bit : {a, b})
                lane_kernels().exclusive_or(output_.data(), singles_.data() + bit * out_ * lanes, output_.size());
            count(output_.data(), 2 + kind, row);
        }
    }

    void count(const uint32_t* difference, std::size_t table, std::size_t row) {
        here_.assign(columns(), 0);
        lane_kernels().count_bits(difference, lanes, static_cast<int>(out_), here_.data());
        uint64_t* const to = counts.data() + 1 + (table * rows_ + row) * columns();
        for (std::size_t c = 0; c < here_.size(); ++c) to[c] += here_[c];
    }

    void count_weights(uint64_t* histogram) const {
        uint32_t weights[lanes];
        lane_kernels().weights(output_.data(), lanes, static_cast<int>(out_), weights);
        for (const uint32_t weight : weights) ++histogram[weight];
    }

    std::shared_ptr<const BlockFunction> function_;
    std::size_t in_, out_, bits_;
    int order_;
    uint64_t units_;
    std::vector<uint32_t> inputs_, base_, output_, singles_, here_;
    std::vector<std::pair<std::size_t, std::size_t>> pairs_;
    Stream<Philox4x64_10>::key_type key_;
    std::size_t rows_ = 0, tables_ = 0;
};

std::vector<NamedTest> make(const Subject& subject, Effort effort, int order) {
    const uint64_t units = (effort.tier <= Tier::quick      ? 64
                            : effort.tier == Tier::standard ? 640
                                                            : 6400) *
                           effort.factor;
    std::vector<NamedTest> made;
    for (const auto& function : subject.functions)
        if (function->input_bits() >= least_input_bits)
            made.push_back(
                {"avalanche" + std::to_string(order) + "/" + function->name(),
                 std::make_unique<Avalanche>(function, order, subject.seed, subject.source->word_bits(), units)});
    return made;
}

}  // namespace

std::vector<NamedTest> avalanche1(const Subject& subject, Effort effort) { return make(subject, effort, 1); }
std::vector<NamedTest> avalanche2(const Subject& subject, Effort effort) { return make(subject, effort, 2); }

}  // namespace rng::stats::tests
