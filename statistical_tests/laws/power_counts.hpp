// PowerCounts: the law of zipf. Sums of powers of many integers are integrals and a few derivatives at their ends: the
// formula of Euler and Maclaurin (Abramowitz, Stegun, 23.1.30).
#pragma once

#include <array>
#include <cmath>

#include "counts.hpp"

namespace rng::stats::detail {

/// The sum of x^-s over the integers of [first, last], first >= 1. An s below 0 is allowed.
inline double sum_of_powers(double s, double first, double last) {
    double sum = 0;
    const double direct = std::fmin(last, std::fmax(first + 31, std::floor(64 + 4 * std::fabs(s))));
    for (double x = direct; x >= first; --x) sum += std::pow(x, -s);
    if (direct >= last) return sum;
    const double m = direct + 1, n = last, log = std::log(n / m), b = 1 - s;
    const double integral =
        std::fabs(b * log) < 1e-12 ? std::pow(m, b) * log : std::pow(m, b) * std::expm1(b * log) / b;
    const auto ends = [s](double x) {  // the derivatives of orders 1, 3 and 5, with Bernoulli's numbers
        const double d1 = -s * std::pow(x, -s - 1), d3 = d1 * (s + 1) * (s + 2) / (x * x);
        const double d5 = d3 * (s + 3) * (s + 4) / (x * x);
        return d1 / 12 - d3 / 720 + d5 / 30240;
    };
    return sum + (integral + (std::pow(m, -s) + std::pow(n, -s)) / 2 + (ends(n) - ends(m)));
}

/// Integers k of [1, most] with probabilities proportional to k^-a.
class PowerCounts final : public CountLaw {
  public:
    PowerCounts(double a, double most) : a_(a), most_(most), sum_(sum_of_powers(a, 1, most)) {
        mean_ = sum_of_powers(a - 1, 1, most) / sum_;
    }
    [[nodiscard]] double least() const override { return 1; }
    [[nodiscard]] double most() const override { return most_; }
    [[nodiscard]] double cdf(double k) const override { return k >= most_ ? 1 : sum_of_powers(a_, 1, k) / sum_; }
    [[nodiscard]] double survival(double k) const override {
        return k >= most_ ? 0 : sum_of_powers(a_, k + 1, most_) / sum_;
    }
    [[nodiscard]] double mass(double k) const override { return k < 1 || k > most_ ? 0 : std::pow(k, -a_) / sum_; }
    [[nodiscard]] double quantile(double p) const override {
        return least_with([&](double k) { return cdf(k) >= p; });
    }
    [[nodiscard]] double upper_quantile(double q) const override {
        return least_with([&](double k) { return survival(k) <= q; });
    }
    [[nodiscard]] double mean() const override { return mean_; }
    [[nodiscard]] double central_moment(int k) const override {
        const double direct = std::fmin(most_, 1 << 16);
        double sum = 0, choose = 1, power = 1;
        for (double x = direct; x >= 1; --x) sum += std::pow(x - mean_, k) * mass(x);
        if (direct < most_)
            for (int i = k; i >= 0; --i) {  // x^i (-mean)^(k - i)
                sum += choose * power * sum_of_powers(a_ - i, direct + 1, most_) / sum_;
                choose = choose * i / (k - i + 1);
                power *= -mean_;
            }
        return sum;
    }

  private:
    template <class F> [[nodiscard]] double least_with(F is_enough) const {
        double low = 0, high = most_;
        while (high - low > 1) {
            const double middle = std::floor((low + high) / 2);
            (is_enough(middle) ? high : low) = middle;
        }
        return high;
    }

    double a_, most_, sum_, mean_;
};

}  // namespace rng::stats::detail
