// Laws by integrals of smooth densities: inverse Gaussian, exponentially modified normal, truncated normal, von Mises.
#include <boost/math/quadrature/gauss.hpp>

#include <algorithm>
#include <numbers>
#include <vector>

#include "base_laws.hpp"
#include "laws.hpp"
#include "prepared.hpp"

namespace rng::stats::detail {
namespace {

using std::numbers::pi;
using Gauss = boost::math::quadrature::gauss<double, 20>;
constexpr long double root2 = std::numbers::sqrt2_v<long double>;

// Both terms of the distribution function have the factor exp(-a^2 / 2), so no term overflows. Their difference loses
// digits in a skew law's upper tail, which long double has to spare.
class InverseGaussian final : public ContinuousLaw {
  public:
    InverseGaussian(double mean, double lambda) : ContinuousLaw(0, infinity), mean_(mean), lambda_(lambda) {}

  private:
    [[nodiscard]] double tail(double x) const override {
        const long double root = std::sqrt(lambda_ / x / 2);
        const long double a = root * (x - mean_) / mean_, b = root * (x + mean_) / mean_;
        const long double factor = std::exp(-a * a) / 2;
        const long double near = factor * scaled_erfc(std::fabs(a)), far = factor * scaled_erfc(b);
        const long double p = a < 0 ? near + far : 1 - near + far, q = a < 0 ? 1 - near - far : near - far;
        return signed_probability(static_cast<double>(p), static_cast<double>(q));
    }
    [[nodiscard]] double slope(double x) const override {
        const auto z = static_cast<double>((x - mean_) / mean_);
        return static_cast<double>(std::sqrt(lambda_ / (2 * std::numbers::pi_v<long double> * x)) / x *
                                   std::exp(-lambda_ / (2 * x) * z * z));
    }

    long double mean_, lambda_;
};

// G(x) = exp(a^2 / 2 - a x) Phi(x - a) for the rate a = 1 / shape is the density over a, and Phi(x) - G(x) the
// distribution function; both have the factor exp(-x^2 / 2) where no term must overflow.
class ExponentiallyModifiedNormal final : public ContinuousLaw {
  public:
    explicit ExponentiallyModifiedNormal(double shape) : ContinuousLaw(-infinity, infinity), rate_(1 / shape) {}

  private:
    [[nodiscard]] double tail(double x) const override {
        const long double factor = std::exp(-static_cast<long double>(x) * x / 2) / 2, g = over_rate(x);
        const long double near = factor * scaled_erfc(std::fabs(x) / root2);
        const long double p = x < 0 ? near - g : 1 - near - g, q = x < 0 ? 1 - near + g : near + g;
        return signed_probability(static_cast<double>(p), static_cast<double>(q));
    }
    [[nodiscard]] double slope(double x) const override { return static_cast<double>(rate_ * over_rate(x)); }
    [[nodiscard]] long double over_rate(long double x) const {
        const long double far = std::exp(-x * x / 2) / 2 * scaled_erfc(std::fabs(x - rate_) / root2);
        return x < rate_ ? far : std::exp(rate_ * (rate_ / 2 - x)) - far;
    }

    long double rate_;
};

/// Returns the integral of exp((r^2 - t^2) / 2) over [u, v], where r is the point of [u, v] that is nearest to 0.
long double scaled_mass(long double u, long double v, long double& r) {
    if (v < 0) {
        const long double mass = scaled_mass(-v, -u, r);
        r = -r;
        return mass;
    }
    r = std::max(u, 0.0L);
    constexpr long double half_width = 1.2533141373155002512L;  // sqrt(pi / 2)
    if (v - u < 1) {
        const auto density = [&](double s) {
            const long double t = u + s;
            return static_cast<double>(std::exp((r - t) * (r + t) / 2));
        };
        return Gauss::integrate(density, 0.0, static_cast<double>(v - u));
    }
    if (u < 0) return half_width * (std::erf(v / root2) - std::erf(u / root2));
    if (std::isinf(v)) return half_width * scaled_erfc(u / root2);
    return half_width * (scaled_erfc(u / root2) - std::exp((u - v) * (u + v) / 2) * scaled_erfc(v / root2));
}

class Truncated final : public ContinuousLaw {
  public:
    Truncated(double lo, double hi) : ContinuousLaw(lo, hi), mass_(scaled_mass(lo, hi, top_)) {}

  private:
    [[nodiscard]] double part(double from, double to) const {
        long double r = 0;
        const long double mass = scaled_mass(from, to, r);
        return static_cast<double>(mass * std::exp((top_ - r) * (top_ + r) / 2) / mass_);
    }
    [[nodiscard]] double tail(double x) const override {
        const double p = part(lo(), x);
        return p <= 0.5 ? p : -part(x, hi());
    }
    [[nodiscard]] double slope(double x) const override {
        return static_cast<double>(std::exp((top_ - x) * (top_ + x) / 2) / mass_);
    }

    long double top_ = 0, mass_;
};

// The density is integrated over cells of half its width around its top, from either bound.
class VonMises final : public ContinuousLaw {
  public:
    VonMises(double mu, double kappa) : ContinuousLaw(-pi, pi), mu_(mu), kappa_(kappa) {
        const double step = 0.5 / std::sqrt(std::max(kappa, 1.0));
        border_ = {lo(), hi()};
        for (int turn = -1; turn <= 1; ++turn)
            for (int j = -80; j <= 80; ++j) {
                const double x = mu + 2 * pi * turn + j * step;
                if (x > lo() && x < hi()) border_.push_back(x);
            }
        std::ranges::sort(border_);
        const std::size_t n = border_.size();
        below_.resize(n), above_.resize(n);
        for (std::size_t i = 1; i < n; ++i) below_[i] = below_[i - 1] + between_borders(border_[i - 1], border_[i]);
        for (std::size_t i = n - 1; i-- > 0;) above_[i] = above_[i + 1] + between_borders(border_[i], border_[i + 1]);
    }
    [[nodiscard]] double moment_about(double c, int k, const ContinuousLaw&) const override {
        double sum = 0;
        for (std::size_t i = 1; i < border_.size(); ++i)
            sum +=
                Gauss::integrate([&](double x) { return std::pow(x - c, k) * weight(x); }, border_[i - 1], border_[i]);
        return sum / below_.back();
    }

  private:
    [[nodiscard]] double weight(double x) const {
        const double s = std::sin((x - mu_) / 2);
        return std::exp(-2 * kappa_ * s * s);
    }
    [[nodiscard]] double between_borders(double from, double to) const {
        return Gauss::integrate([this](double x) { return weight(x); }, from, to);
    }
    [[nodiscard]] double tail(double x) const override {
        const auto next = static_cast<std::size_t>(std::ranges::upper_bound(border_, x) - border_.begin());
        const double p = (below_[next - 1] + between_borders(border_[next - 1], x)) / below_.back();
        return p <= 0.5 ? p : -(above_[next] + between_borders(x, border_[next])) / below_.back();
    }
    [[nodiscard]] double slope(double x) const override { return weight(x) / below_.back(); }

    double mu_, kappa_;
    std::vector<double> border_, below_, above_;
};

Continuous prepared(bool prepare, const Continuous& exact) {
    return prepare ? std::make_shared<const PreparedLaw>(exact) : exact;
}

}  // namespace

Continuous inverse_gaussian_base(double mean, double lambda, bool prepare) {
    return prepared(prepare, std::make_shared<const InverseGaussian>(mean, lambda));
}
Continuous exponentially_modified_normal_base(double shape, bool prepare) {
    // The coordinate of a table counts in widths of the whole law, which is too coarse for a far narrower lower tail.
    const bool has_narrow_tail = shape > 100;
    return prepared(prepare && !has_narrow_tail, std::make_shared<const ExponentiallyModifiedNormal>(shape));
}
Continuous truncated_base(double lo, double hi, bool prepare) {
    const auto exact = std::make_shared<const Truncated>(lo, hi);
    if (!prepare) return exact;
    constexpr double far = 39;  // the tail beyond is below 1e-330
    return std::make_shared<const PreparedLaw>(exact, lo < -far ? -infinity : lo, hi > far ? infinity : hi);
}
Continuous von_mises_base(double mu, double kappa, bool prepare) {
    return prepared(prepare, std::make_shared<const VonMises>(mu, kappa));
}

}  // namespace rng::stats::detail
