// gap16: distances between successive occurrences of the same value of 16 bits, of all values at once.
//
// Null: the gap that starts at a place is geometric, P(gap > g) = q^g with q = 1 - p, p = 2^-16. In each whole segment
// of N values, gaps that start at the first S = N - G places are counted, each of them as one of 1..G in bins of equal
// width or as longer than G; so each has its full law. Gaps that overlap are correlated as much as the cells of a
// multinomial are, for two values cannot be in one place: for a gap X that starts at i and Y at i + d, of other values,
//     P(X > d + r, Y > h) = q^d (1 - 2p)^min(r, h) q^|r - h|,
// while X <= d leaves Y as it was. Sums of that over all d are the covariance C of the counts, and their deviations x
// give x' C^-1 x, which is chi-square with as many degrees of freedom as there are bins in the limit: the least bin
// expects 4000 in a segment. Source: Knuth, TAOCP 2, section 3.3.2.D, for one value's gaps, which are independent.
//
// Cost: two accesses to 256 KiB and a counter for two bytes. Must fail: the upper 16 bits of minstd at 16 MiB. Sound
// twin: the upper 16 bits of mt19937.
#include "gap16.hpp"

#include <algorithm>
#include <cmath>

#include "test.hpp"

namespace rng::stats {

std::vector<double> gap_covariance(double p, uint64_t width, std::size_t bins, uint64_t starts) {
    // With F(r, h) = P(X > d + r, Y > h) / q^d - q^(r + h), Cov(X <= A, Y <= B) over d is q^d F(A - d, B) for d < A,
    // and 0 for others. F(r, h) = -q^(r + h) (1 - s^min(r, h)), where s = (1 - 2p) / q^2 = 1 - (p / q)^2.
    const double q = 1 - p, log_q = std::log1p(-p), log_s = std::log1p(-(p / q) * (p / q));
    const auto lost = [&](double k) { return -std::expm1(k * log_s); };
    // Sums over k = 1..A - 1 of 1 - s^k and of k times that, at multiples A of the width (row 0 is of A = 1).
    std::vector<double> zeroth(bins + 1), first(bins + 1);
    double sum0 = 0, sum1 = 0;
    for (uint64_t k = 1; k <= width * bins; ++k) {
        const double term = lost(static_cast<double>(k));
        sum0 += term;
        sum1 += static_cast<double>(k) * term;
        if (k % width == 0) {
            zeroth[k / width] = sum0;
            first[k / width] = sum1;
        }
    }
    const auto S = static_cast<double>(starts), w = static_cast<double>(width);
    // Of X <= A and all Y <= B that start after it, divided by -q^(A + B); d = A - k.
    const auto later = [&](std::size_t a, std::size_t b) {
        const double A = static_cast<double>(a) * w, B = static_cast<double>(b) * w, top = A - 1;
        if (a <= b) {
            const double last = lost(A);
            return (S - A) * (zeroth[a] - last) + first[a] - A * last;
        }
        const double beyond = (S - A) * (top - B) + (top * (top + 1) - B * (B + 1)) / 2;
        return (S - A) * zeroth[b] + first[b] + lost(B) * beyond;
    };
    std::vector<double> c(bins * bins);
    for (std::size_t a = 1; a <= bins; ++a)
        for (std::size_t b = 1; b <= bins; ++b) {
            const double tail_a = std::exp(static_cast<double>(a) * w * log_q);
            const double tail_b = std::exp(static_cast<double>(b) * w * log_q);
            const double least = -std::expm1(static_cast<double>(std::min(a, b)) * w * log_q);
            c[(a - 1) * bins + b - 1] =
                S * least * std::min(tail_a, tail_b) - tail_a * tail_b * (later(a, b) + later(b, a));
        }
    return c;
}

double quadratic_form(std::vector<double> c, std::vector<double> x) {
    // Cholesky: c = L L'; then the squared length of L^-1 x.
    const std::size_t n = x.size();
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double value = c[i * n + j];
            for (std::size_t k = 0; k < j; ++k) value -= c[i * n + k] * c[j * n + k];
            c[i * n + j] = i == j ? std::sqrt(value) : value / c[j * n + j];
        }
        for (std::size_t j = 0; j < i; ++j) x[i] -= c[i * n + j] * x[j];
        x[i] /= c[i * n + i];
        sum += x[i] * x[i];
    }
    return sum;
}

namespace tests {
namespace {

constexpr std::size_t values = 65536;
constexpr uint64_t bin_width = 8192, bins = 32, longest = bin_width * bins;
constexpr std::size_t segment_values = segment_bytes / 2, starts = segment_values - longest;

/// Counts gaps of the values from `begin` to `end` that start before `starts`. Positions have `longest` added to them,
/// so 0 is one that is too far back from all. Rows of counters in turn: increments of one do not wait for each other.
RNG_STATS_CLONES void count_gaps(const uint16_t* data, std::size_t begin, std::size_t end, uint32_t* last,
                                 uint32_t (*rows)[bins + 1]) {
    for (std::size_t i = begin; i < end; i += 4)
        for (std::size_t j = 0; j < 4; ++j) {
            const auto now = static_cast<uint32_t>(i + j + longest + 1);
            uint32_t& before = last[data[i + j]];
            const uint32_t bin = (now - before - 1) / bin_width;
            ++rows[j][bin < bins ? bin : bins];
            before = now;
        }
}

RNG_STATS_CLONES void count_late_gaps(const uint16_t* data, uint32_t* last, uint32_t (*rows)[bins + 1]) {
    for (std::size_t i = starts; i < segment_values; i += 4)
        for (std::size_t j = 0; j < 4; ++j) {
            const auto now = static_cast<uint32_t>(i + j + longest + 1);
            uint32_t& before = last[data[i + j]];
            const uint32_t bin = (now - before - 1) / bin_width;
            ++rows[j][bin < bins && before <= starts + longest ? bin : bins];
            before = now;
        }
}

class Gap16 final : public Test {
  public:
    Gap16() : last_(values) { counts.resize(bins + 1); }

    void add(const Segment& segment) override {
        if (segment.data.size() != segment_bytes) return;
        std::ranges::fill(last_, 0);
        uint32_t rows[4][bins + 1] = {};
        const uint16_t* const data = segment.words<uint16_t>().data();
        count_gaps(data, 0, starts, last_.data(), rows);
        count_late_gaps(data, last_.data(), rows);
        for (const auto& row : rows)
            for (std::size_t i = 0; i < bins; ++i) counts[i] += row[i];
        ++counts[bins];  // segments
    }

    void results(Results& results) const override {
        const auto segments = static_cast<double>(counts[bins]);
        if (segments == 0) return;
        static const std::vector<double> covariance = gap_covariance(1.0 / values, bin_width, bins, starts);
        std::vector<double> scaled(covariance), deviations(bins);
        for (double& c : scaled) c *= segments;
        uint64_t up_to = 0;
        for (std::size_t i = 0; i < bins; ++i) {
            up_to += counts[i];
            const double law = -std::expm1(static_cast<double>((i + 1) * bin_width) * std::log1p(-1.0 / values));
            deviations[i] = static_cast<double>(up_to) - segments * static_cast<double>(starts) * law;
        }
        results.add("", chi_square_p_value(quadratic_form(scaled, deviations), bins));
    }

  private:
    std::vector<uint32_t> last_;
};

}  // namespace

std::vector<NamedTest> gap16(const Subject&, Effort) {
    std::vector<NamedTest> made;
    made.push_back({"gap16", std::make_unique<Gap16>()});
    return made;
}

}  // namespace tests
}  // namespace rng::stats
