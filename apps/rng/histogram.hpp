// A histogram for a terminal, with the moments. Values are pure functions of their index, so it makes two passes over
// them and keeps none: the first finds the range and the mean, the second counts and sums powers about the mean.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "numbers.hpp"

namespace cli {

/// Rows of the drawing.
inline constexpr int histogram_bins = 24;

/// What the drawing shows, free of the type of the values.
struct HistogramFigures {
    uint64_t n = 0;
    std::string least, greatest;  ///< exact, as text
    double lo = 0, hi = 0;        ///< the same, as the edges of the bins
    double mean = 0, stddev = 0, skewness = 0, excess_kurtosis = 0;
    std::vector<uint64_t> counts;
};

/// `columns` is the terminal's width; bars are block characters, or '#' if not `unicode`.
[[nodiscard]] std::string draw(const HistogramFigures& figures, int columns, bool unicode);

/// The width of the terminal on standard output, else 80, and whether the locale's character set is UTF-8.
[[nodiscard]] int terminal_columns();
[[nodiscard]] bool terminal_is_unicode();

template <class T> class Histogram {
  public:
    void first_pass(std::span<const T> values) {
        if (values.empty()) return;
        if (n_ == 0) least_ = greatest_ = values[0];
        for (const T x : values) {
            least_ = x < least_ ? x : least_;
            greatest_ = x > greatest_ ? x : greatest_;
            sum_ += static_cast<long double>(
                x);  // in long double: no value overflows it, and 2^40 of them cost it few bits
        }
        n_ += values.size();
    }

    void between_passes() {
        mean_ = n_ == 0 ? 0 : sum_ / static_cast<long double>(n_);
        range_ = static_cast<long double>(greatest_) - static_cast<long double>(least_);
        counts_.assign(histogram_bins, 0);
    }

    /// In units of the range, so that no fourth power overflows.
    void second_pass(std::span<const T> values) {
        if (!(range_ > 0)) {
            counts_[histogram_bins / 2] += values.size();
            return;
        }
        const long double inverse = 1 / range_, lo = static_cast<long double>(least_);
        double m2 = 0, m3 = 0, m4 = 0;  // of one chunk
        for (const T x : values) {
            const long double exact = static_cast<long double>(x);
            const double d = static_cast<double>((exact - mean_) * inverse);
            const auto bin = static_cast<int>(static_cast<double>((exact - lo) * inverse) * histogram_bins);
            ++counts_[static_cast<size_t>(bin < histogram_bins ? bin : histogram_bins - 1)];
            m2 += d * d;
            m3 += d * d * d;
            m4 += d * d * d * d;
        }
        m2_ += m2;
        m3_ += m3;
        m4_ += m4;
    }

    [[nodiscard]] HistogramFigures figures() const {
        HistogramFigures figures;
        figures.n = n_;
        if (n_ == 0) return figures;
        figures.least = value_text(least_);
        figures.greatest = value_text(greatest_);
        figures.lo = static_cast<double>(least_);
        figures.hi = static_cast<double>(greatest_);
        figures.mean = static_cast<double>(mean_);
        figures.counts = counts_;
        if (m2_ > 0) {
            const long double count = static_cast<long double>(n_), variance = m2_ / count;
            figures.stddev = static_cast<double>(std::sqrt(variance) * range_);
            figures.skewness = static_cast<double>(m3_ / count / (variance * std::sqrt(variance)));
            figures.excess_kurtosis = static_cast<double>(m4_ / count / (variance * variance) - 3);
        }
        return figures;
    }

  private:
    uint64_t n_ = 0;
    T least_{}, greatest_{};
    long double sum_ = 0, mean_ = 0, range_ = 0, m2_ = 0, m3_ = 0, m4_ = 0;
    std::vector<uint64_t> counts_;
};

}  // namespace cli
