// gap16: distances between successive occurrences of the same value of 16 bits, of all values at once.
// Null: gaps are geometric; the covariance of their counts is exact (Knuth, TAOCP 2, section 3.3.2.D, for one value's
// gaps).
// Statistic: x' C^-1 x over 32 bins (chi-square); squared deviations of single lengths up to 65536 ("each"); the least
// of their exact Poisson p-values ("max").
// Flaw: the upper 16 bits of minstd at 16 MiB. Control: the upper 16 bits of mt19937.
// Cost: two accesses to the second cache for two bytes, so one segment of three.
// Derivation: docs/statistics/gap16.md.
#include "gap16.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "words.hpp"

namespace rng::stats {

std::vector<double> gap_covariance(double p, uint64_t width, std::size_t bins, uint64_t starts) {
    // F(r, h) = P(X > d + r, Y > h) / q^d - q^(r + h) = -q^(r + h) (1 - s^min(r, h)), s = (1 - 2p) / q^2 = 1 - (p /
    // q)^2.
    // Cov(X <= A, Y <= B) at distance d is q^d F(A - d, B) for d < A, else 0 (docs/statistics/gap16.md).
    const double q = 1 - p, log_q = std::log1p(-p), log_s = std::log1p(-(p / q) * (p / q));
    const auto lost = [&](double k) { return -std::expm1(k * log_s); };
    // Sums over k = 1..A of 1 - s^k and of k (1 - s^k), at multiples A of the width. Entry 0 is the empty sum.
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
    // Sum over d of Cov(X <= A, Y <= B) for all Y that start after X, divided by -q^(A + B). Here d = A - k.
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
    // Cholesky: c = L L'. The result is the squared length of L^-1 x.
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

constexpr uint64_t period = 3;
constexpr std::size_t values = 65536;
constexpr uint64_t bin_width = 8192, bins = 32, longest = bin_width * bins;
constexpr std::size_t segment_values = segment_bytes / 2, starts = segment_values - longest;

// Gaps up to 65536 are counted by their length, and all gaps in cells of 1024 lengths. Longer gaps take several cells
// in turns: a single cell would run over, and wait for itself.
constexpr uint32_t single = 65536, step = 1024, coarse = longest / step, rests = 16;

template <class Single, class Coarse> struct Counts {
    Single* single;  ///< single + rests
    Coarse* coarse;  ///< coarse + rests
};

/// Counts gaps that end from `begin` to `end` (multiples of 4 apart) and start before `starts`. If `late`, gaps that
/// start later are counted as longer than all. Positions are stored plus longest + 1, so that 0 is too far back from
/// every place.
template <bool late, class Single, class Coarse>
RNG_FN void count_gaps(const uint16_t* data, std::size_t begin, std::size_t end, uint32_t* last,
                       Counts<Single, Coarse> counts) {
    for (std::size_t i = begin; i < end; i += 4) {
        uint64_t four;
        std::memcpy(&four, data + i, 8);
        for (std::size_t j = 0; j < 4; ++j) {
            const auto now = static_cast<uint32_t>(i + j + longest + 1), turn = now % rests;
            uint32_t& before = last[four >> 16 * j & 0xffff];
            uint32_t less = now - before - 1;
            if constexpr (late) less |= before > starts + longest ? ~0u : 0;
            ++counts.single[std::min(less, single + turn)];
            ++counts.coarse[std::min(less / step, coarse + turn)];
            before = now;
        }
    }
}

RNG_STATS_CLONES void count_gaps(const uint16_t* data, uint32_t* last, Counts<uint8_t, uint16_t> counts) {
    count_gaps<false>(data, 0, starts, last, counts);
    count_gaps<true>(data, starts, segment_values, last, counts);
}

class Gap16 final : public Test {
  public:
    Gap16() : last_(values), single_(single + rests), coarse_(coarse + rests) { counts.resize(1 + single + coarse); }

    void add(const Segment& segment) override {
        if (segment.data.size() != segment_bytes || !is_sampled(segment, period)) return;
        const uint16_t* const data = segment.words<uint16_t>().data();
        std::ranges::fill(last_, 0);
        std::ranges::fill(single_, 0);
        std::ranges::fill(coarse_, 0);
        count_gaps(data, last_.data(), {single_.data(), coarse_.data()});
        // The sums show if a counter ran over. Sound values give a cell 28 of 255, or 24,000 of 65,535.
        const auto sum = [](auto from, std::size_t n) { return std::accumulate(from, from + n, uint64_t{0}); };
        if (sum(coarse_.begin(), coarse_.size()) == segment_values &&
            sum(single_.begin(), single) == sum(coarse_.begin(), single / step)) {
            add_counts(single_.data(), coarse_.data());
        } else {
            std::vector<uint64_t> singles(single + rests), coarses(coarse + rests);
            const Counts<uint64_t, uint64_t> wide{singles.data(), coarses.data()};
            std::ranges::fill(last_, 0);
            count_gaps<false>(data, 0, starts, last_.data(), wide);
            count_gaps<true>(data, starts, segment_values, last_.data(), wide);
            add_counts(singles.data(), coarses.data());
        }
        ++counts[0];
    }

    void results(Results& results) const override {
        const auto segments = static_cast<double>(counts[0]);
        if (segments == 0) return;
        results.add("", spread(segments));
        single_gaps(results, segments * static_cast<double>(starts));
    }

  private:
    // Places in `counts`: segments, gaps of each length up to `single`, gaps in cells.
    template <class Single, class Coarse> void add_counts(const Single* singles, const Coarse* coarses) {
        for (std::size_t i = 0; i < single; ++i) counts[1 + i] += singles[i];
        for (std::size_t i = 0; i < coarse; ++i) counts[1 + single + i] += coarses[i];
    }

    [[nodiscard]] PValue spread(double segments) const {
        static const std::vector<double> covariance = gap_covariance(1.0 / values, bin_width, bins, starts);
        std::vector<double> scaled(covariance), deviations(bins);
        for (double& c : scaled) c *= segments;
        uint64_t up_to = 0;
        std::size_t cell = 0;
        for (std::size_t i = 0; i < bins; ++i) {
            const uint64_t end = (i + 1) * bin_width;
            for (; cell < end / step; ++cell) up_to += counts[1 + single + cell];
            const double law = -std::expm1(static_cast<double>(end) * std::log1p(-1.0 / values));
            deviations[i] = static_cast<double>(up_to) - segments * static_cast<double>(starts) * law;
        }
        return chi_square_p_value(quadratic_form(scaled, deviations), bins);
    }

    /// Counts of gaps of one length each are independent and Poisson, except for terms of relative order 1 / 65536.
    void single_gaps(Results& results, double gaps) const {
        double squares = 0, variance = 0, least = 0;
        for (std::size_t i = 0; i < single; ++i) {
            const double expected = gaps / values * std::exp(static_cast<double>(i) * std::log1p(-1.0 / values));
            const double deviation = static_cast<double>(counts[1 + i]) - expected,
                         square = deviation * deviation / expected;
            squares += square;
            variance += 2 + 1 / expected;
            // Below three standard deviations, a p-value is not the least that is significant.
            if (square > 9) least = std::min(least, poisson_p_value(counts[1 + i], expected).log10_two_sided());
        }
        // Gamma distribution with the mean and the variance of the sum.
        const double scale = variance / single;
        results.add("each", gamma_p_value(squares / scale, single / scale));
        results.add("max", least_of_all(gaps, least));
    }

    /// Returns the p-value of the least of all lengths' two-sided p-values. Counts are discrete, so each length has its
    /// own probability of so small a p-value: that of its critical counts.
    static PValue least_of_all(double gaps, double log10_least) {
        if (log10_least < -30) return {0, std::min(0.0, log10_least + std::log10(double{single}))};
        constexpr std::size_t alike = 64;  // neighbours' means are so near that they share the middle one
        const double log10_tail = log10_least - std::log10(2.0) + 1e-9;  // the observed count is to be critical
        const double z = std::sqrt(-2 * std::log(10.0) * log10_tail);
        double log_none = 0;
        uint64_t high = 0, low = 0;
        for (std::size_t from = 0; from < single; from += alike) {
            const double mean =
                gaps / values * std::exp((static_cast<double>(from) + 0.5 * (alike - 1)) * std::log1p(-1.0 / values));
            if (from == 0) {  // close enough to continue from; the other means change slowly
                high = static_cast<uint64_t>(mean + z * std::sqrt(mean)) + 1;
                low = static_cast<uint64_t>(std::max(0.0, mean - z * std::sqrt(mean)));
            }
            const auto is_high = [&](uint64_t k) { return poisson_p_value(k, mean).log10_upper <= log10_tail; };
            const auto is_low = [&](uint64_t k) { return poisson_p_value(k, mean).log10_lower <= log10_tail; };
            while (!is_high(high)) ++high;
            while (high > 1 && is_high(high - 1)) --high;
            while (is_low(low)) ++low;  // the least count that is not critical
            while (low > 0 && !is_low(low - 1)) --low;
            const double beyond =
                poisson_p_value(high, mean).upper() + (low > 0 ? poisson_p_value(low - 1, mean).lower() : 0);
            log_none += alike * std::log1p(-std::min(beyond, 1 - 1e-16));
        }
        return {log_none / std::log(10.0), std::log10(-std::expm1(log_none))};
    }

    std::vector<uint32_t> last_;
    std::vector<uint8_t> single_;
    std::vector<uint16_t> coarse_;
};

}  // namespace

std::vector<NamedTest> gap16(const GeneratorUnderTest&, Effort) { return one_test<Gap16>("gap16"); }

}  // namespace tests
}  // namespace rng::stats
