// rank: ranks of square matrices of bits, 256, 512, 1024 and (once in a while) 4096 wide. Matrices are filled from all
// bits, or from the lowest or the highest bit of each word.
// Null: exact law of the rank (binary_rank.hpp). All sizes have the same law, to 2^-256, and are pooled.
// Statistic: the largest deficiency ("max"), and the number of matrices that lack two or more ("2+", binomial).
// Flaw: xorshift128, whose bits are linear functions of 128, at 8 KiB. Control: ranlux48, which is not linear.
// Cost: 7 ms in one segment of 32, and 37 ms for 4096 in one of 1024.
// Derivation: docs/statistics/rank.md.
#include <array>
#include <cmath>
#include <string>

#include "binary_rank.hpp"
#include "words.hpp"

namespace rng::stats::tests {
namespace {

constexpr uint64_t period = 32, large_period = 1024;
constexpr int large = 4096;

// The greatest numbers of matrices of a size that a segment gives.
struct Size {
    int n;
    std::size_t of_bits, of_lane;
};
constexpr Size sizes[] = {{256, 16, 4}, {512, 8, 2}, {1024, 2, 1}, {large, 1, 0}};

struct Lane {
    const char* name;
    int bit;  // as pack_lane() takes it
};
constexpr Lane lanes[] = {{"low", 0}, {"high", -1}};

class Rank final : public Test {
  public:
    Rank() { counts.resize(kinds * kind_counts); }

    void add(const Segment& segment) override {
        for (const auto& [n, of_bits, of_lane] : sizes) {
            const bool is_whole = segment.data.size() == segment_bytes;
            if (n == large ? !is_whole || !is_sampled(segment, large_period) : !is_sampled(segment, period)) continue;
            const std::size_t bits = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
            matrix_.resize(bits / 64);
            for (std::size_t i = 0; i < of_bits && (i + 1) * bits <= segment.data.size() * 8; ++i) {
                const auto from = segment.words<uint64_t>().subspan(i * bits / 64, bits / 64);
                std::ranges::copy(from, matrix_.begin());
                count(0, n);
            }
            for (std::size_t lane = 0; lane < std::size(lanes); ++lane)
                for (std::size_t i = 0; i < of_lane && (i + 1) * bits <= word_count(segment); ++i) {
                    pack_lane(segment, lanes[lane].bit, i * bits, matrix_);
                    count(1 + lane, n);
                }
        }
    }

    void results(Results& results) const override {
        for (std::size_t kind = 0; kind < kinds; ++kind) add_results(kind, results);
    }

  private:
    static constexpr std::size_t kinds = 1 + std::size(lanes);
    // For each kind and size: how many matrices had each deficiency, 0 to n.
    static constexpr std::size_t kind_counts = 256 + 512 + 1024 + large + std::size(sizes);

    [[nodiscard]] static std::size_t index_of(std::size_t kind, int n) {
        std::size_t index = kind * kind_counts;
        for (const Size& size : sizes) {
            if (size.n == n) break;
            index += static_cast<std::size_t>(size.n) + 1;
        }
        return index;
    }
    void count(std::size_t kind, int n) {
        ++counts[index_of(kind, n) + static_cast<std::size_t>(n - binary_rank(matrix_, n))];
    }

    void add_results(std::size_t kind, Results& results) const {
        uint64_t in_all = 0, two_or_more = 0;
        int largest = 0;
        std::array<uint64_t, std::size(sizes)> matrices{};
        for (std::size_t s = 0; s < std::size(sizes); ++s) {
            const uint64_t* const count = counts.data() + index_of(kind, sizes[s].n);
            for (int d = 0; d <= sizes[s].n; ++d) {
                matrices[s] += count[d];
                if (d >= 2) two_or_more += count[d];
                if (count[d] != 0) largest = std::max(largest, d);
            }
            in_all += matrices[s];
        }
        if (in_all == 0) return;
        // ln P(largest < d) = sum of matrices * ln(1 - tail). If tails are tiny, the complement is their sum.
        const auto tails = [&](int d) {
            double log_below = 0, log10_sum = -std::numeric_limits<double>::infinity();
            for (std::size_t s = 0; s < std::size(sizes); ++s) {
                if (matrices[s] == 0) continue;
                const double log10_tail = log10_deficiency_tail(d, sizes[s].n), m = static_cast<double>(matrices[s]);
                log_below +=
                    m * (d == 0 ? -std::numeric_limits<double>::infinity() : std::log1p(-std::pow(10.0, log10_tail)));
                const double term = log10_tail + std::log10(m), larger = std::max(log10_sum, term);
                if (std::isfinite(term))
                    log10_sum = larger + std::log10(std::pow(10.0, log10_sum - larger) + std::pow(10.0, term - larger));
            }
            return std::pair(log_below, log10_sum);
        };
        const auto [below, sum] = tails(largest);
        const double log10_upper = below > -1e-13 ? sum : std::log10(-std::expm1(below));
        const double log10_lower = tails(largest + 1).first / std::log(10.0);
        const std::string name = kind == 0 ? "bits" : lanes[kind - 1].name;
        results.add(name + ":max", {log10_lower, std::min(log10_upper, 0.0)});
        results.add(name + ":2+", binomial_p_value(two_or_more, in_all, std::pow(10.0, log10_deficiency_tail(2, 256))));
    }

    std::vector<uint64_t> matrix_;
};

}  // namespace

std::vector<NamedTest> rank(const GeneratorUnderTest&, Effort) { return one_test<Rank>("rank"); }

}  // namespace rng::stats::tests
