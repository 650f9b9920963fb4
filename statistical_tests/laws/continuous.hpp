// A law of a real random variable, by one number: the probability of the nearer tail.
//
// A double t in [-1/2, 1/2] stands for a probability, as in ValueLaw: t itself with the sign plus, 1 + t with minus.
// So both tails keep full precision, and a law is one function, its inverse and its density.
// Oracle: for a standard normal law probability(-40) = 3.6558935409150297e-350 does not fit into a double; its
// logarithm -804.60844 does.
#pragma once

#include <cmath>
#include <limits>
#include <memory>

namespace rng::stats::detail {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Returns true if t stands for a smaller probability than u.
inline bool is_less_probable(double t, double u) {
    return std::signbit(t) != std::signbit(u) ? std::signbit(u) : t < u;
}

/// A continuous law. Its values lie between two bounds; its moments exist for orders below moment_limit().
class ContinuousLaw {
  public:
    virtual ~ContinuousLaw() = default;

    [[nodiscard]] double lo() const { return lo_; }
    [[nodiscard]] double hi() const { return hi_; }
    [[nodiscard]] double moment_limit() const { return moment_limit_; }

    /// Returns P(X <= x) as a probability with a sign: 0 at and below lo(), -0 at and above hi().
    [[nodiscard]] double probability(double x) const { return !(x > lo_) ? 0.0 : !(x < hi_) ? -0.0 : tail(x); }
    /// Returns the logarithm of the magnitude of probability(x). Laws with a closed form do not underflow.
    [[nodiscard]] double log_probability(double x) const { return x > lo_ && x < hi_ ? log_tail(x) : -infinity; }
    /// Returns the density at x; 0 at the bounds and outside.
    [[nodiscard]] double density(double x) const { return x > lo_ && x < hi_ ? slope(x) : 0; }
    /// Returns the x whose probability t stands for; a bound for 0 and -0.
    [[nodiscard]] double quantile(double t) const { return t != 0 ? inverse(t) : std::signbit(t) ? hi_ : lo_; }

    /// Return moments; NaN if they do not exist.
    [[nodiscard]] double mean() const { return moment_limit_ > 1 ? middle() : nan; }
    [[nodiscard]] double central_moment(int k) const { return k < moment_limit_ ? spread(k) : nan; }

    /// Returns E (X - c)^k as an integral over the quantiles of `law`, which is this law or a faster one.
    [[nodiscard]] virtual double moment_about(double c, int k, const ContinuousLaw& law) const;

  protected:
    ContinuousLaw(double lo, double hi, double moment_limit = infinity)
        : lo_(lo), hi_(hi), moment_limit_(moment_limit) {}
    ContinuousLaw(const ContinuousLaw&) = default;
    ContinuousLaw& operator=(const ContinuousLaw&) = default;

  private:
    static constexpr double nan = std::numeric_limits<double>::quiet_NaN();

    // Called between the bounds only, and with t other than 0.
    [[nodiscard]] virtual double tail(double x) const = 0;
    [[nodiscard]] virtual double log_tail(double x) const { return std::log(std::fabs(tail(x))); }
    [[nodiscard]] virtual double slope(double x) const = 0;
    /// Bisects all doubles between the bounds: slow, and right for any law.
    [[nodiscard]] virtual double inverse(double t) const;
    [[nodiscard]] virtual double middle() const { return moment_about(0, 1, *this); }
    [[nodiscard]] virtual double spread(int k) const { return moment_about(mean(), k, *this); }

    double lo_, hi_, moment_limit_;
};
using Continuous = std::shared_ptr<const ContinuousLaw>;

}  // namespace rng::stats::detail
