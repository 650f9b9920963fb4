// exponent: how many zeros a word begins with (the exponent of a float made of the word), and ends with.
// Null: the zeros e of a word are geometric, P(e >= m) = 2^-m (PractRand's FPF test; the pairs are this library's own).
// Statistic: for each end, X^2 of the numbers of zeros ("low"), and the most zeros of any word ("low-most"). Also
// orthonormal pairs of words at 13 distances up to 4096 ("low-pairs"), and the worst distance ("low-lag").
// Flaw: Threefry2x64 with 10 rounds at 16 MiB, whose last bits agree four blocks apart. Control: 20 rounds.
// Cost: 110 bit counts for 64 words; one segment of three.
// Derivation: docs/statistics/exponent.md.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include "../../p_values/chi_square.hpp"
#include "tuples.hpp"
#include "words.hpp"

namespace rng::stats::tests {
namespace {

constexpr uint64_t period = 3;
constexpr std::size_t lags = 13, longest_lag = std::size_t{1} << (lags - 1);
constexpr std::size_t chunk_words = 1024;
constexpr std::size_t planes = 6;  // bits of a code: low and high zeros: one, two, five or more
constexpr std::size_t least_words = 4 * longest_lag;
constexpr uint64_t least_pairs = 1 << 16;  // the rarest cell, of probability 1/16, expects 4096
constexpr std::size_t most_zeros = 64;
constexpr double least_expected = 1000;  // verdicts act far out in the tail
constexpr double log10_2 = std::numbers::ln2 / std::numbers::ln10;

template <class W> RNG_FN void map_codes(const W* words, std::size_t n, uint8_t* to) {
    map_each(words, n, to, [](W w) {
        constexpr int top = 8 * sizeof(W) - 5;
        const auto low = static_cast<uint8_t>(w & 31), high = static_cast<uint8_t>(w >> top);
        return ((low & 1) == 0) | ((low & 3) == 0) << 1 | (high < 16) << 2 | (high < 8) << 3 | (low == 0) << 4 |
               (high == 0) << 5;
    });
}

RNG_STATS_CLONES void codes_of(const uint32_t* words, std::size_t n, uint8_t* to) { map_codes(words, n, to); }
RNG_STATS_CLONES void codes_of(const uint64_t* words, std::size_t n, uint8_t* to) { map_codes(words, n, to); }

/// Stores bit p of each of n codes in plane p, in order. Requires n to be a multiple of 64.
RNG_STATS_CLONES void pack(const uint8_t* codes, std::size_t n, uint64_t* const (&to)[planes]) {
    for (std::size_t i = 0; i < n / 64; ++i) {
        uint64_t bits[planes] = {};
        for (std::size_t j = 0; j < 64; j += 8) {
            uint64_t eight;
            std::memcpy(&eight, codes + 64 * i + j, 8);
            // Moves byte k of eight, which is 0 or 1, to bit 56 + k.
            for (std::size_t p = 0; p < planes; ++p)
                bits[p] |= (eight >> p & 0x0101010101010101) * 0x0102040810204080 >> 56 << j;
        }
        for (std::size_t p = 0; p < planes; ++p) to[p][i] = bits[p];
    }
}

RNG_STATS_CLONES uint64_t count_ones(const uint64_t* plane, std::size_t n) {
    uint64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += static_cast<uint64_t>(std::popcount(plane[i]));
    return sum;
}

/// Counts [e_i >= a] [e_(i + lag) >= b] for (a, b) = (1, 1), (1, 2), (2, 1), (2, 2). The n words of bits lie in a
/// circle, so the beginning is repeated behind n.
RNG_STATS_CLONES void count_pairs(const uint64_t* __restrict one, const uint64_t* __restrict two, std::size_t n,
                                  std::size_t lag, uint64_t* __restrict to) {
    const std::size_t words = lag / 64, bits = lag % 64;
    uint64_t joint[4] = {};
    for (std::size_t i = 0; i < n; ++i) {
        // Shifts in two steps, because a shift by 64 is not allowed.
        const uint64_t b1 = one[i + words] >> bits | one[i + words + 1] << 1 << (63 - bits);
        const uint64_t b2 = two[i + words] >> bits | two[i + words + 1] << 1 << (63 - bits);
        joint[0] += static_cast<uint64_t>(std::popcount(one[i] & b1));
        joint[1] += static_cast<uint64_t>(std::popcount(one[i] & b2));
        joint[2] += static_cast<uint64_t>(std::popcount(two[i] & b1));
        joint[3] += static_cast<uint64_t>(std::popcount(two[i] & b2));
    }
    for (std::size_t k = 0; k < 4; ++k) to[k] += joint[k];
}

template <class W> class Exponent final : public Test {
  public:
    Exponent() : codes_(chunk_words) { counts.resize(1 + 2 * end_counts); }

    void add(const Segment& segment) override {
        if (!is_sampled(segment, period)) return;
        const auto all = segment.words<W>();
        const std::size_t n = all.size() / 64 * 64, groups = n / 64;
        if (n < least_words) return;
        constexpr std::size_t more = longest_lag / 64 + 1;
        for (auto& plane : planes_) plane.resize(groups + more);
        for (std::size_t at = 0; at < n; at += chunk_words) {
            const std::size_t size = std::min(chunk_words, n - at);
            codes_of(all.data() + at, size, codes_.data());
            uint64_t* to[planes];
            for (std::size_t p = 0; p < planes; ++p) to[p] = planes_[p].data() + at / 64;
            pack(codes_.data(), size, to);
        }
        for (auto& plane : planes_)
            std::copy_n(plane.begin(), more, plane.begin() + static_cast<std::ptrdiff_t>(groups));
        counts[0] += n;
        for (std::size_t end = 0; end < 2; ++end) {
            uint64_t* const to = counts.data() + 1 + end * end_counts;
            const auto &one = planes_[2 * end], &two = planes_[2 * end + 1];
            to[1] += count_ones(one.data(), groups);
            to[2] += count_ones(two.data(), groups);
            for (std::size_t i = 0; i < groups; ++i) {
                for (uint64_t rest = planes_[4 + end][i]; rest != 0; rest &= rest - 1) {
                    const W word = all[64 * i + static_cast<std::size_t>(std::countr_zero(rest))];
                    ++to[end == 0 ? std::countr_zero(word) : std::countl_zero(word)];
                }
            }
            for (std::size_t l = 0; l < lags; ++l)
                count_pairs(one.data(), two.data(), groups, std::size_t{1} << l, to + most_zeros + 1 + 4 * l);
        }
    }

    void results(Results& results) const override {
        if (counts[0] < least_pairs) return;
        for (std::size_t end = 0; end < 2; ++end) {
            const std::string name = end == 0 ? "low" : "high";
            const uint64_t* const of_end = counts.data() + 1 + end * end_counts;
            add_zeros(results, name, of_end);
            double total = 0, worst = 0;
            for (std::size_t l = 0; l < lags; ++l) {
                const double squares = pairs(of_end, of_end + most_zeros + 1 + 4 * l);
                total += squares;
                worst = std::max(worst, squares);
            }
            results.add(name + "-pairs", chi_square_p_value(total, 4.0 * lags));
            const double of_one = chi_square_p_value(worst, 4).log10_upper;
            results.add(name + "-lag", largest_of(lags, of_one, of_one));
        }
    }

  private:
    static constexpr std::size_t word_zeros = 8 * sizeof(W);
    // Counts of one end. Places 1 and 2 hold words with at least that many zeros. Places 5, 6, ... hold words with
    // exactly that many zeros. Pairs by lag follow.
    static constexpr std::size_t end_counts = most_zeros + 1 + 4 * lags;

    void add_zeros(Results& results, const std::string& name, const uint64_t* zeros) const {
        // Cells of 0, 1, 2 to 4, 5, 6, ... zeros. word_zeros zeros are as likely as one zero less.
        std::vector<uint64_t> observed = {counts[0] - zeros[1], zeros[1] - zeros[2], zeros[2]};
        std::vector<double> expected = {0.5, 0.25, 0.25 - 0x1p-5};
        std::size_t most = 4;
        for (std::size_t m = 5; m <= word_zeros; ++m) {
            observed[2] -= zeros[m];
            observed.push_back(zeros[m]);
            expected.push_back(std::ldexp(1.0, -static_cast<int>(std::min(m + 1, word_zeros))));
            if (zeros[m] > 0) most = m;
        }
        const auto n = static_cast<double>(counts[0]);
        for (double& e : expected) e *= n;
        results.add(name, chi_square(observed, expected, least_expected).p);
        const double reached = -log10_2 * static_cast<double>(most);
        results.add(
            name + "-most",
            largest_of(n, reached, most == word_zeros ? -std::numeric_limits<double>::infinity() : reached - log10_2));
    }

    /// Returns the sum of the four squares of a lag.
    [[nodiscard]] double pairs(const uint64_t* zeros, const uint64_t* joint) const {
        const auto n = static_cast<double>(counts[0]), one = static_cast<double>(zeros[1]),
                   two = static_cast<double>(zeros[2]);
        const auto j = [&](int i) { return static_cast<double>(joint[i]); };
        const double f11 = 4 * j(0) - 4 * one + n;
        const double f12 = (4 * j(1) - 2 * j(0) - 2 * two + one) * std::sqrt(2.0);
        const double f21 = (4 * j(2) - 2 * j(0) - 2 * two + one) * std::sqrt(2.0);
        const double f22 = (4 * j(3) - 2 * j(1) - 2 * j(2) + j(0)) * 2;
        return (f11 * f11 + f12 * f12 + f21 * f21 + f22 * f22) / n;
    }

    std::vector<uint8_t> codes_;
    std::array<std::vector<uint64_t>, planes> planes_;
};

}  // namespace

std::vector<NamedTest> exponent(const GeneratorUnderTest& generator, Effort) {
    return generator.source->word_bits() == 64 ? one_test<Exponent<uint64_t>>("exponent")
                                               : one_test<Exponent<uint32_t>>("exponent");
}

}  // namespace rng::stats::tests
