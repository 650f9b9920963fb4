// Laws with closed forms, and those of Boost's incomplete gamma and beta functions.
#include "base_laws.hpp"

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <algorithm>
#include <numbers>

#include "laws.hpp"
#include "prepared.hpp"
#include "quiet.hpp"

namespace rng::stats::detail {
namespace {

using std::numbers::ln2, std::numbers::pi, std::numbers::sqrt2;

class ExponentialBase final : public ContinuousLaw {
  public:
    ExponentialBase() : ContinuousLaw(0, infinity) {}

  private:
    [[nodiscard]] double tail(double x) const override { return x <= ln2 ? -std::expm1(-x) : -std::exp(-x); }
    [[nodiscard]] double log_tail(double x) const override { return x <= ln2 ? std::log(-std::expm1(-x)) : -x; }
    [[nodiscard]] double slope(double x) const override { return std::exp(-x); }
    [[nodiscard]] double inverse(double t) const override { return std::signbit(t) ? -std::log(-t) : -std::log1p(-t); }
};

class NormalBase final : public ContinuousLaw {
  public:
    NormalBase() : ContinuousLaw(-infinity, infinity) {}

  private:
    [[nodiscard]] double tail(double x) const override {
        return std::copysign(std::erfc(std::fabs(x) / sqrt2) / 2, -x);
    }
    [[nodiscard]] double log_tail(double x) const override {
        const long double t = std::fabs(static_cast<long double>(x)) / std::numbers::sqrt2_v<long double>;
        return static_cast<double>(std::log(scaled_erfc(t) / 2) - t * t);
    }
    [[nodiscard]] double slope(double x) const override { return std::exp(-x * x / 2) / std::sqrt(2 * pi); }
    [[nodiscard]] double inverse(double t) const override {
        return std::copysign(sqrt2 * boost::math::erfc_inv(2 * std::fabs(t), quiet), std::signbit(t) ? 1.0 : -1.0);
    }
};

class HalfCauchyBase final : public ContinuousLaw {
  public:
    HalfCauchyBase() : ContinuousLaw(0, infinity, 1) {}

  private:
    [[nodiscard]] double tail(double x) const override {
        return x <= 1 ? std::atan(x) * (2 / pi) : -std::atan(1 / x) * (2 / pi);
    }
    [[nodiscard]] double slope(double x) const override { return 2 / pi / (1 + x * x); }
    [[nodiscard]] double inverse(double t) const override {
        const double tangent = std::tan(std::fabs(t) * (pi / 2));
        return std::signbit(t) ? 1 / tangent : tangent;
    }
};

class TriangularBase final : public ContinuousLaw {
  public:
    TriangularBase(double left, double mode, double right)
        : ContinuousLaw(left, right),
          mode_(mode),
          rise_((right - left) * (mode - left)),
          fall_((right - left) * (right - mode)) {}
    /// Returns the moment by the sum of all products of k of the corners.
    [[nodiscard]] double moment_about(double c, int k, const ContinuousLaw&) const override {
        const double a = lo() - c, m = mode_ - c, b = hi() - c;
        double sum = 0;
        for (int i = 0; i <= k; ++i)
            for (int j = 0; i + j <= k; ++j) sum += std::pow(a, i) * std::pow(m, j) * std::pow(b, k - i - j);
        return 2 * sum / ((k + 1) * (k + 2));
    }

  private:
    [[nodiscard]] double tail(double x) const override {
        if (x < mode_) {
            const double p = (x - lo()) * (x - lo()) / rise_;
            return signed_probability(p, 1 - p);
        }
        const double q = (hi() - x) * (hi() - x) / fall_;
        return signed_probability(1 - q, q);
    }
    [[nodiscard]] double slope(double x) const override {
        return x < mode_ ? 2 * (x - lo()) / rise_ : 2 * (hi() - x) / fall_;
    }
    [[nodiscard]] double inverse(double t) const override {
        const double p = std::signbit(t) ? 1 + t : t, q = std::signbit(t) ? -t : 1 - t;
        return p * (hi() - lo()) <= mode_ - lo() ? lo() + std::sqrt(p * rise_) : hi() - std::sqrt(q * fall_);
    }

    double mode_, rise_, fall_;
};

class GammaBase final : public ContinuousLaw {
  public:
    explicit GammaBase(double shape) : ContinuousLaw(0, infinity), shape_(shape) {}

  private:
    [[nodiscard]] double tail(double x) const override {
        const double p = boost::math::gamma_p(shape_, x, quiet);
        return p <= 0.5 ? p : -boost::math::gamma_q(shape_, x, quiet);
    }
    [[nodiscard]] double slope(double x) const override { return boost::math::gamma_p_derivative(shape_, x, quiet); }

    double shape_;
};

class LogGammaBase final : public ContinuousLaw {
  public:
    explicit LogGammaBase(double shape)
        : ContinuousLaw(-infinity, infinity),
          gamma_(shape),
          shape_(shape),
          log_factor_(boost::math::lgamma(shape + 1, quiet)) {}

  private:
    static constexpr double far = -40;  // exp(far) is nothing beside 1: the tail is a power
    [[nodiscard]] bool is_power(double x) const { return x < far && shape_ * x - log_factor_ < -ln2; }
    [[nodiscard]] double tail(double x) const override {
        return is_power(x) ? std::exp(log_tail(x)) : gamma_.probability(std::exp(x));
    }
    [[nodiscard]] double log_tail(double x) const override {
        return is_power(x) ? shape_ * x - log_factor_ : gamma_.log_probability(std::exp(x));
    }
    [[nodiscard]] double slope(double x) const override {
        return x < far ? shape_ * std::exp(shape_ * x - log_factor_) : gamma_.density(std::exp(x)) * std::exp(x);
    }

    GammaBase gamma_;
    double shape_, log_factor_;
};

class BetaPrimeBase final : public ContinuousLaw {
  public:
    BetaPrimeBase(double a, double b) : ContinuousLaw(0, infinity, b), a_(a), b_(b) {}

  private:
    // With the smaller of x / (1 + x) and its complement, no digits are lost.
    [[nodiscard]] double tail(double x) const override {
        using boost::math::ibeta, boost::math::ibetac;
        const double part = x <= 1 ? x / (1 + x) : 1 / (1 + x);
        const double p = x <= 1 ? ibeta(a_, b_, part, quiet) : ibetac(b_, a_, part, quiet);
        return p <= 0.5 ? p : x <= 1 ? -ibetac(a_, b_, part, quiet) : -ibeta(b_, a_, part, quiet);
    }
    [[nodiscard]] double slope(double x) const override {
        const double derivative = x <= 1 ? boost::math::ibeta_derivative(a_, b_, x / (1 + x), quiet)
                                         : boost::math::ibeta_derivative(b_, a_, 1 / (1 + x), quiet);
        return derivative / (1 + x) / (1 + x);
    }

    double a_, b_;
};

template <class Base, class... Parameters> Continuous make(bool prepare, Parameters... parameters) {
    auto exact = std::make_shared<const Base>(parameters...);
    if (!prepare) return exact;
    return std::make_shared<const PreparedLaw>(exact);
}

}  // namespace

long double scaled_erfc(long double t) {
    if (t < 6) return std::exp(t * t) * std::erfc(t);
    long double fraction = t;  // Abramowitz and Stegun, 7.1.14
    for (int k = 60; k > 0; --k) fraction = t + static_cast<long double>(k) / 2 / fraction;
    return std::numbers::inv_sqrtpi_v<long double> / fraction;
}

Continuous exponential_base() { return std::make_shared<const ExponentialBase>(); }
Continuous normal_base() { return std::make_shared<const NormalBase>(); }
Continuous half_cauchy_base() { return std::make_shared<const HalfCauchyBase>(); }
Continuous triangular_base(double left, double mode, double right) {
    return std::make_shared<const TriangularBase>(left, mode, right);
}
Continuous gamma_base(double shape, bool prepare) { return make<GammaBase>(prepare, shape); }
Continuous log_gamma_base(double shape, bool prepare) { return make<LogGammaBase>(prepare, shape); }
Continuous beta_prime_base(double a, double b, bool prepare) { return make<BetaPrimeBase>(prepare, a, b); }

}  // namespace rng::stats::detail
