// SummedCounts: a law of counts that has no distribution function but the sum of its masses.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "../p_values/require.hpp"
#include "counts.hpp"

namespace rng::stats::detail {

/// Moments of counts go up to this order.
inline constexpr int orders = 8;

/// A law with known masses, whose sums are its probabilities. Requires a mass that falls on both sides of the mode.
template <class Mass> class SummedCounts final : public CountLaw {
  public:
    SummedCounts(const Mass& mass, double least, double mode, double most) : mass_(mass), least_(least), most_(most) {
        constexpr double negligible = 1e-40;
        first_ = mode;
        double last = mode;
        while (first_ > least && mass(first_ - 1) > negligible) --first_;
        while (last < most && mass(last + 1) > negligible) ++last;
        require(last - first_ < 1 << 23, "law_of", "the law must have less than 2^23 values that matter",
                last - first_);
        double below = 0, above = 0;
        for (double k = first_; k <= last; ++k) up_to_.push_back(below += mass(k));
        for (double k = last; k >= first_; --k) above_.push_back(above), above += mass(k);
        std::reverse(above_.begin(), above_.end());
        for (double k = first_; k <= last; ++k) mean_ += (k - mode) * mass(k);
        mean_ += mode;
        for (std::size_t order = 2; order < moments_.size(); ++order)
            for (double k = first_; k <= last; ++k)
                moments_[order] += std::pow(k - mean_, static_cast<int>(order)) * mass(k);
    }
    [[nodiscard]] double least() const override { return least_; }
    [[nodiscard]] double most() const override { return most_; }
    [[nodiscard]] double cdf(double k) const override {
        return k < first_ ? 0 : k >= last() ? 1 : up_to_[static_cast<std::size_t>(k - first_)];
    }
    [[nodiscard]] double survival(double k) const override {
        return k < first_ ? 1 : k >= last() ? 0 : above_[static_cast<std::size_t>(k - first_)];
    }
    [[nodiscard]] double mass(double k) const override { return k < least_ || k > most_ ? 0 : mass_(k); }
    [[nodiscard]] double quantile(double p) const override {
        return first_ + static_cast<double>(std::lower_bound(up_to_.begin(), up_to_.end() - 1, p) - up_to_.begin());
    }
    [[nodiscard]] double upper_quantile(double q) const override {
        const auto found = std::partition_point(above_.begin(), above_.end(), [q](double x) { return x > q; });
        return first_ + static_cast<double>(found - above_.begin());
    }
    [[nodiscard]] double mean() const override { return mean_; }
    [[nodiscard]] double central_moment(int k) const override { return moments_[static_cast<std::size_t>(k)]; }

  private:
    [[nodiscard]] double last() const { return first_ + static_cast<double>(up_to_.size() - 1); }

    Mass mass_;
    double least_, most_, first_ = 0, mean_ = 0;
    std::vector<double> up_to_, above_;  // the probabilities of values up to first_ + i, and above that
    std::array<double, orders + 1> moments_{1, 0};
};

}  // namespace rng::stats::detail
