// Laws of gamma and beta prime variables whose shape has a Poisson variable J added: what noncentral laws are made of.
//
// The distribution function of shape a less that of shape a + 1 is x f(x) / a, for the density f of shape a. So one
// function of Boost gives the tail of one shape, and sums of positive terms give those of all others: no digit is lost.
// Both sums are weighted by the masses of J. Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate
// Distributions", chapters 29 and 30.
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <algorithm>

#include "base_laws.hpp"
#include "laws.hpp"
#include "prepared.hpp"
#include "quiet.hpp"

namespace rng::stats::detail {
namespace {

// In long double, whose range holds every term.
struct GammaShapes {
    [[nodiscard]] static long double lower(long double a, long double x) { return boost::math::gamma_p(a, x, quiet); }
    [[nodiscard]] static long double upper(long double a, long double x) { return boost::math::gamma_q(a, x, quiet); }
    [[nodiscard]] static long double density(long double a, long double x) {
        return boost::math::gamma_p_derivative(a, x, quiet);
    }
    /// x f(x) / a of shape a + 1, over that of shape a.
    [[nodiscard]] static long double ratio(long double a, long double x) { return x / (a + 1); }
};
struct BetaPrimeShapes {
    long double b;
    [[nodiscard]] long double lower(long double a, long double x) const {
        return x <= 1 ? boost::math::ibeta(a, b, x / (1 + x), quiet) : boost::math::ibetac(b, a, 1 / (1 + x), quiet);
    }
    [[nodiscard]] long double upper(long double a, long double x) const {
        return x <= 1 ? boost::math::ibetac(a, b, x / (1 + x), quiet) : boost::math::ibeta(b, a, 1 / (1 + x), quiet);
    }
    [[nodiscard]] long double density(long double a, long double x) const {
        const long double derivative = x <= 1 ? boost::math::ibeta_derivative(a, b, x / (1 + x), quiet)
                                              : boost::math::ibeta_derivative(b, a, 1 / (1 + x), quiet);
        return derivative / (1 + x) / (1 + x);
    }
    [[nodiscard]] long double ratio(long double a, long double x) const { return x / (1 + x) * (a + b) / (a + 1); }
};

template <class Shapes> class Mixture final : public ContinuousLaw {
  public:
    Mixture(const Shapes& shapes, double least_shape, double mean, double moment_limit)
        : ContinuousLaw(0, infinity, moment_limit), shapes_(shapes), shape_(least_shape) {
        // The masses up to 60 standard deviations below the mean, and above it down to where none matters.
        const double first = std::max(0.0, std::floor(mean - 60 * std::sqrt(mean)));
        shape_ += first;
        long double mass =
            mean > 0 ? boost::math::gamma_p_derivative(first + 1.0L, static_cast<long double>(mean), quiet) : 1;
        for (double j = first; j <= mean || mass > 1e-330L; ++j) {
            masses_.push_back(mass);
            mass *= mean / (j + 1);
        }
    }

  private:
    static constexpr long double negligible = 1e-1000L;
    [[nodiscard]] long double shape(std::size_t j) const {
        return static_cast<long double>(shape_) + static_cast<long double>(j);
    }
    [[nodiscard]] double tail(double x) const override {
        std::vector<long double> drops;
        long double drop = x / shape(0) * shapes_.density(shape(0), x);
        for (std::size_t j = 0; j < masses_.size(); ++j) {
            drops.push_back(drop);
            const long double ratio = shapes_.ratio(shape(j), x);
            drop *= ratio;
            if (drop < negligible && ratio < 1) break;  // smaller ones would become subnormal, which takes long
        }
        long double p = shapes_.lower(shape(drops.size()), x), below = 0;
        for (std::size_t j = drops.size(); j-- > 0;) {
            p += drops[j];
            below += masses_[j] * p;
        }
        if (below <= 0.5L) return static_cast<double>(below);
        long double q = shapes_.upper(shape(0), x), above = 0;
        for (std::size_t j = 0; j < masses_.size(); ++j) {
            above += masses_[j] * q;
            if (j < drops.size()) q += drops[j];
        }
        return static_cast<double>(-above);
    }
    [[nodiscard]] double slope(double x) const override {
        long double drop = x / shape(0) * shapes_.density(shape(0), x), sum = 0;
        for (std::size_t j = 0; j < masses_.size(); ++j) {
            sum += masses_[j] * drop * shape(j);
            const long double ratio = shapes_.ratio(shape(j), x);
            drop *= ratio;
            if (drop < negligible && ratio < 1) break;
        }
        return static_cast<double>(sum / x);
    }

    Shapes shapes_;
    double shape_;  // of the first mass
    std::vector<long double> masses_;
};

template <class Shapes>
Continuous mixture(const Shapes& shapes, double shape, double mean, double moment_limit, bool prepare) {
    auto exact = std::make_shared<const Mixture<Shapes>>(shapes, shape, mean, moment_limit);
    if (!prepare) return exact;
    return std::make_shared<const PreparedLaw>(exact);
}

}  // namespace

Continuous noncentral_gamma_base(double shape, double mean, bool prepare) {
    return mixture(GammaShapes{}, shape, mean, infinity, prepare);
}
Continuous noncentral_beta_prime_base(double a, double b, double mean, bool prepare) {
    return mixture(BetaPrimeShapes{b}, a, mean, b, prepare);
}

}  // namespace rng::stats::detail
