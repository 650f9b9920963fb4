// Laws of counts: poisson, binomial, geometric, hypergeometric; both tails, masses, quantiles, moments.
//
// Distribution functions: Boost.Math; masses: saddle points (Loader, 2000). Moments: from cumulants, which Kendall and
// Stuart, "The Advanced Theory of Statistics", vol. 1, chapters 3 and 5, have.
// Oracle: P(X > 20) of the Poisson law of mean 3.5 is 1.8691836e-10.
#pragma once

#include <rng/stats/value_law.hpp>

#include <memory>
#include <span>
#include <string>

namespace rng::stats::detail {

/// A law of integers from least() to most(), which may be infinity.
class CountLaw {
  public:
    virtual ~CountLaw() = default;
    [[nodiscard]] virtual double least() const { return 0; }
    [[nodiscard]] virtual double most() const = 0;
    // Requires an integer k in [least(), most()].
    [[nodiscard]] virtual double cdf(double k) const = 0;       ///< P(X <= k)
    [[nodiscard]] virtual double survival(double k) const = 0;  ///< P(X > k)
    [[nodiscard]] virtual double mass(double k) const = 0;      ///< P(X = k)
    /// Returns the least k with cdf(k) >= p. Requires p in (0, 1).
    [[nodiscard]] virtual double quantile(double p) const = 0;
    /// Returns the least k with survival(k) <= q. Requires q in (0, 1).
    [[nodiscard]] virtual double upper_quantile(double q) const = 0;
    [[nodiscard]] virtual double mean() const = 0;
    [[nodiscard]] virtual double central_moment(int k) const = 0;  ///< k from 1 to 8
};
using Counts = std::shared_ptr<const CountLaw>;

/// Returns the law of a catalogue's distribution of counts, by its name. Throws Error (invalid_argument) if the name
/// has none, or if the variance is above 2^40: Boost's functions lose their digits there.
[[nodiscard]] Counts named_counts(const std::string& name, std::span<const Parameter> parameters);

}  // namespace rng::stats::detail
