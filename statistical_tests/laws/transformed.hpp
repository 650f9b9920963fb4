// Laws made from other laws: shifted and scaled, symmetric, and by any monotone function.
#pragma once

#include <utility>

#include "continuous.hpp"

namespace rng::stats::detail {

/// The law of loc + scale * Y. Requires scale > 0.
class ScaledLaw final : public ContinuousLaw {
  public:
    ScaledLaw(Continuous base, double loc, double scale)
        : ContinuousLaw(loc + scale * base->lo(), loc + scale * base->hi(), base->moment_limit()),
          base_(std::move(base)),
          loc_(loc),
          scale_(scale) {}

  private:
    [[nodiscard]] double tail(double x) const override { return base_->probability((x - loc_) / scale_); }
    [[nodiscard]] double log_tail(double x) const override { return base_->log_probability((x - loc_) / scale_); }
    [[nodiscard]] double slope(double x) const override { return base_->density((x - loc_) / scale_) / scale_; }
    [[nodiscard]] double inverse(double t) const override { return loc_ + scale_ * base_->quantile(t); }
    [[nodiscard]] double middle() const override { return loc_ + scale_ * base_->mean(); }
    [[nodiscard]] double spread(int k) const override { return std::pow(scale_, k) * base_->central_moment(k); }

    Continuous base_;
    double loc_, scale_;
};

/// The law of Y or -Y with equal probability. Requires positive Y.
class SymmetricLaw final : public ContinuousLaw {
  public:
    explicit SymmetricLaw(Continuous base)
        : ContinuousLaw(-base->hi(), base->hi(), base->moment_limit()), base_(std::move(base)) {}

  private:
    [[nodiscard]] double tail(double x) const override {
        const double t = base_->probability(std::fabs(x)), p = (std::signbit(t) ? -t : 1 - t) / 2;
        return x <= 0 ? p : -p;
    }
    [[nodiscard]] double log_tail(double x) const override {
        const double t = base_->probability(std::fabs(x));
        return (std::signbit(t) ? base_->log_probability(std::fabs(x)) : std::log1p(-t)) - 0.69314718055994531;
    }
    [[nodiscard]] double slope(double x) const override {
        // A power of the least double would be 0, where a density may be infinite or not a number.
        return base_->density(std::fmax(std::fabs(x), 1e-30)) / 2;
    }
    [[nodiscard]] double inverse(double t) const override {
        const double p = std::fabs(t), x = base_->quantile(p <= 0.25 ? -2 * p : 1 - 2 * p);
        return std::signbit(t) ? x : -x;
    }
    [[nodiscard]] double middle() const override { return 0; }
    [[nodiscard]] double spread(int k) const override { return k % 2 == 1 ? 0 : base_->moment_about(0, k, *base_); }

    Continuous base_;
};

/// The law of g(Y). `Function` has forward(y) = g(y), backward(x), its inverse, and slope(x), the magnitude of
/// backward's derivative; and is_rising, true if g rises.
template <class Function> class MappedLaw final : public ContinuousLaw {
  public:
    MappedLaw(Continuous base, Function g, double lo, double hi, double moment_limit)
        : ContinuousLaw(lo, hi, moment_limit), base_(std::move(base)), g_(g) {}

  private:
    [[nodiscard]] double tail(double x) const override {
        const double t = base_->probability(g_.backward(x));
        return g_.is_rising ? t : -t;
    }
    [[nodiscard]] double log_tail(double x) const override { return base_->log_probability(g_.backward(x)); }
    [[nodiscard]] double slope(double x) const override { return base_->density(g_.backward(x)) * g_.slope(x); }
    [[nodiscard]] double inverse(double t) const override { return g_.forward(base_->quantile(g_.is_rising ? t : -t)); }

    Continuous base_;
    Function g_;
};

}  // namespace rng::stats::detail
