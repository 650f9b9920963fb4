// A histogram for a terminal, with the moments. Values are pure functions of their index, so it makes two passes and
// stores none of them.
// The first pass finds the range and the mean. The second pass counts, and sums powers about the mean.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "numbers.hpp"

namespace cli {

/// The content of the drawing, independent of the type of the values.
struct HistogramFigures {
    uint64_t n = 0;
    std::string least, greatest;  ///< exact, as text
    double mean = 0, stddev = 0, skewness = 0, excess_kurtosis = 0;
    struct Bin {
        std::string from, to;  ///< [from, to), the last one [from, to]; without `to` the value `from` alone
        uint64_t count;
    };
    std::vector<Bin> bins;  ///< none if all values are equal
};

/// Returns four digits.
[[nodiscard]] std::string edge_text(double edge);

/// Returns the drawing. `columns` is the terminal's width; bars are block characters, or '#' if `unicode` is false.
[[nodiscard]] std::string draw(const HistogramFigures& figures, int columns, bool unicode);

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
        counts_.assign(bins_of_a_range, 0);
        if constexpr (std::is_integral_v<T>) {
            const uint64_t range = offset(greatest_);
            width_ = range < most_values ? 1 : range / bins_of_a_range + 1;
            counts_.assign(static_cast<size_t>(range / width_ + 1), 0);
        }
    }

    /// Works in units of the range, so that no fourth power overflows.
    void second_pass(std::span<const T> values) {
        if (!(range_ > 0)) return;
        const long double inverse = 1 / range_, lo = static_cast<long double>(least_);
        double m2 = 0, m3 = 0, m4 = 0;  // of one chunk
        for (const T x : values) {
            const long double exact = static_cast<long double>(x);
            const double d = static_cast<double>((exact - mean_) * inverse);
            if constexpr (std::is_integral_v<T>) {
                ++counts_[static_cast<size_t>(offset(x) / width_)];
            } else {
                const auto bin = static_cast<size_t>(static_cast<double>((exact - lo) * inverse) * bins_of_a_range);
                ++counts_[std::min(bin, counts_.size() - 1)];
            }
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
        figures.mean = static_cast<double>(mean_);
        if (!(range_ > 0)) return figures;
        for (size_t i = 0; i < counts_.size(); ++i) figures.bins.push_back(bin(i));
        if (m2_ > 0) {
            const long double count = static_cast<long double>(n_), variance = m2_ / count;
            figures.stddev = static_cast<double>(std::sqrt(variance) * range_);
            figures.skewness = static_cast<double>(m3_ / count / (variance * std::sqrt(variance)));
            figures.excess_kurtosis = static_cast<double>(m4_ / count / (variance * variance) - 3);
        }
        return figures;
    }

  private:
    // Up to this many different integers have a bin each. A range of more integers, and real values, have 24 bins at
    // most.
    static constexpr uint64_t most_values = 40;
    static constexpr int bins_of_a_range = 24;

    /// Returns how far an integer is above the least one.
    [[nodiscard]] uint64_t offset(T x) const requires std::is_integral_v<T> {
        return static_cast<uint64_t>(x) - static_cast<uint64_t>(least_);
    }

    [[nodiscard]] HistogramFigures::Bin bin(size_t i) const {
        const bool is_last = i + 1 == counts_.size();
        if constexpr (std::is_integral_v<T>) {
            const auto edge = [&](size_t k) {  // modulo 2^64, as offset()
                return value_text(static_cast<T>(static_cast<uint64_t>(least_) + k * width_));
            };
            if (width_ == 1) return {edge(i), "", counts_[i]};
            return {edge(i), is_last ? value_text(greatest_) : edge(i + 1), counts_[i]};
        } else {
            const double lo = static_cast<double>(least_), hi = static_cast<double>(greatest_);
            const double step = hi / bins_of_a_range - lo / bins_of_a_range;  // hi - lo could overflow
            const auto edge = [&](size_t k) { return edge_text(lo + static_cast<double>(k) * step); };
            return {edge(i), is_last ? edge_text(hi) : edge(i + 1), counts_[i]};
        }
    }

    uint64_t n_ = 0, width_ = 1;  // width_ is that of a bin of integers
    T least_{}, greatest_{};
    long double sum_ = 0, mean_ = 0, range_ = 0, m2_ = 0, m3_ = 0, m4_ = 0;
    std::vector<uint64_t> counts_;
};

}  // namespace cli
