// Integers: the cell of each lies between its neighbours' probabilities.
#include <rng/core/error.hpp>

#include "../p_values/require.hpp"
#include "laws.hpp"

namespace rng::stats {
namespace {

using namespace detail;

class IntegerValues final : public ValueLaw {
  public:
    IntegerValues(long double lo, long double hi, long double origin)
        : lo_(static_cast<double>(lo - origin)),
          hi_(static_cast<double>(hi - origin)),
          count_(static_cast<double>(hi - lo + 1)),
          origin_(origin) {
        require(std::floor(lo) == lo && std::floor(hi) == hi && lo <= hi, "integer_law",
                "lo and hi must be whole and lo at most hi", hi);
    }
    void probabilities(std::span<const double> values, std::span<const uint64_t> random,
                       std::span<double> to) const override {
        each(values, random, to, [this](double v, double u) {
            if (!(v >= lo_ && v <= hi_) || v != std::floor(v)) return no_probability;
            // Above 2^53 the greatest values are rounded up, at most to hi + 1.
            const double below = v - lo_, above = std::fmax(hi_ - v, 0);
            return signed_probability((below + u) / count_, (above + (1 - u)) / count_);
        });
    }
    [[nodiscard]] Outlaw reason(double v) const override {
        return reason_of(v, v < lo_ ? Outlaw::below : v > hi_ ? Outlaw::above : Outlaw::off_grid);
    }
    [[nodiscard]] double quantile(double t) const override {
        return std::signbit(t) ? hi_ - std::floor(-t * count_) : lo_ + std::floor(t * count_);
    }
    [[nodiscard]] int tail_bits() const override { return all_tails; }
    [[nodiscard]] long double origin() const override { return origin_; }

  private:
    double lo_, hi_, count_;
    long double origin_;
};

class TwoValues final : public ValueLaw {
  public:
    TwoValues(double p, double lo, double hi) : p_(p), lo_(lo), hi_(hi) {
        require(p >= 0 && p <= 1, "two_value_law", "p must be in [0, 1]", p);
        require(lo < hi, "two_value_law", "lo must be below hi", lo);
    }
    void probabilities(std::span<const double> values, std::span<const uint64_t> random,
                       std::span<double> to) const override {
        each(values, random, to, [this](double v, double u) {
            if (v == lo_ && p_ < 1) return signed_probability(u * (1 - p_), p_ + (1 - u) * (1 - p_));
            if (v == hi_ && p_ > 0) return signed_probability(1 - p_ + u * p_, (1 - u) * p_);
            return no_probability;
        });
    }
    [[nodiscard]] Outlaw reason(double v) const override {
        return reason_of(v, v < lo_ ? Outlaw::below : v > hi_ ? Outlaw::above : Outlaw::off_grid);
    }
    [[nodiscard]] double quantile(double t) const override {
        return (std::signbit(t) ? -t <= p_ : t > 1 - p_) ? hi_ : lo_;
    }
    [[nodiscard]] int tail_bits() const override { return all_tails; }

  private:
    double p_, lo_, hi_;
};

}  // namespace

Law integer_law(long double lo, long double hi, long double origin) {
    return std::make_shared<IntegerValues>(lo, hi, origin);
}
Law two_value_law(double p, double lo, double hi) { return std::make_shared<TwoValues>(p, lo, hi); }

}  // namespace rng::stats
