// The ideal laws of the catalogue's distributions: distribution functions, both tails, densities, quantiles, moments.
//
//     const stats::Reference law = stats::reference_of(rng::normal{0.0f, 1.0f});
//     law.log10_survival(40);                          // -349.43701
//
// A law is the same for every type of the values: uniform<float16> stands for the reals of [lo, hi), though it has 2^11
// values there. Tests of values on a grid choose cells whose borders lie on the grid. Formulas: Johnson, Kotz,
// Balakrishnan, "Continuous Univariate Distributions", Wiley 1994; functions: Boost.Math.
#pragma once

#include <rng/distributions/catalogue.hpp>
#include <rng/stats/value_law.hpp>

#include <string>
#include <variant>

#include "continuous.hpp"
#include "counts.hpp"

namespace rng::stats {

namespace detail {

struct UniformLaw {
    double lo, hi;
};
struct NormalLaw {
    double mean, stddev;
};
struct ExponentialLaw {
    double rate;
};
struct IntegerLaw {  // lo ... hi, both included
    long double lo, hi;
};
struct TwoValueLaw {  // hi with probability p, else lo
    double p;
    long double lo, hi;
};

/// Throws Error (invalid_argument) if the distribution's parameters are out of range.
void require_valid(const char* distribution, const ParameterFault& fault);

}  // namespace detail

/// A distribution of real numbers or of integers. Made by reference_of.
///
/// Values are long double, which holds every 64-bit integer on x86-64 and AArch64; laws of real numbers round them to
/// double. Any x but NaN is allowed: far outside, the tails are 0 and 1. Probabilities, densities and quantiles have a
/// relative error of 1e-14, of laws with a table (prepared.hpp) 1e-11. Logarithms have a relative error of 1e-14 or,
/// near 0, an absolute error of 1e-16; they do not underflow. All functions throw Error (invalid_argument) on a NaN, or
/// on arguments that their own line forbids.
class Reference {
  public:
    using Law = std::variant<detail::UniformLaw, detail::NormalLaw, detail::ExponentialLaw, detail::IntegerLaw,
                             detail::TwoValueLaw, detail::Counts, detail::Continuous>;
    explicit Reference(Law law) : law_(law) {}

    /// True if values are integers: then P(X = x) may be positive.
    [[nodiscard]] bool is_discrete() const;

    [[nodiscard]] double cdf(long double x) const;             ///< P(X <= x)
    [[nodiscard]] double survival(long double x) const;        ///< P(X > x)
    [[nodiscard]] double log10_cdf(long double x) const;       ///< log10 P(X <= x); -infinity if that is 0
    [[nodiscard]] double log10_survival(long double x) const;  ///< log10 P(X > x)

    /// Returns the density at x, or P(X = x) for a discrete law.
    [[nodiscard]] double density(long double x) const;

    /// Returns the least x with P(X <= x) >= p; the law's lower bound for p = 0, its upper bound for p = 1. Requires p
    /// in [0, 1].
    [[nodiscard]] long double quantile(double p) const;
    /// Returns the least x with P(X > x) <= q. The result is exact for small q, for which 1 - q is not. Requires q in
    /// [0, 1].
    [[nodiscard]] long double upper_quantile(double q) const;

    /// Return moments; NaN if they do not exist. `k` is from 1 to 8.
    [[nodiscard]] double mean() const;
    [[nodiscard]] double central_moment(int k) const;

  private:
    Law law_;
};

template <class T> [[nodiscard]] Reference reference_of(const bits<T>&) {
    return Reference(detail::IntegerLaw{0, static_cast<long double>(rng::detail::greatest<T>)});
}
template <class T> [[nodiscard]] Reference reference_of(const uniform<T>& d) {
    detail::require_valid(d.name, d.fault());
    return Reference(detail::UniformLaw{static_cast<double>(d.lo), static_cast<double>(d.hi)});
}
template <class T> [[nodiscard]] Reference reference_of(const uniform_open<T>& d) {
    detail::require_valid(d.name, d.fault());
    return Reference(detail::UniformLaw{static_cast<double>(d.lo), static_cast<double>(d.hi)});
}
template <class T> [[nodiscard]] Reference reference_of(const uniform_open_closed<T>& d) {
    detail::require_valid(d.name, d.fault());
    return Reference(detail::UniformLaw{static_cast<double>(d.lo), static_cast<double>(d.hi)});
}
template <class T> [[nodiscard]] Reference reference_of(const uniform_dense<T>&) {
    return Reference(detail::UniformLaw{0, 1});
}

namespace detail {

/// Returns the law of a normal distribution. Throws Error (invalid_argument) also if the standard deviation is 0: such
/// a law has no density.
[[nodiscard]] Reference normal_reference(const char* distribution, const ParameterFault& fault, double mean,
                                         double stddev);

}  // namespace detail

template <class T> [[nodiscard]] Reference reference_of(const normal<T>& d) {
    return detail::normal_reference(d.name, d.fault(), static_cast<double>(d.mean), static_cast<double>(d.stddev));
}
template <class T> [[nodiscard]] Reference reference_of(const normal_icdf<T>& d) {
    return detail::normal_reference(d.name, d.fault(), static_cast<double>(d.mean), static_cast<double>(d.stddev));
}
/// Returns the law of the real part, and of the imaginary part, which is independent of the real part.
template <class T> [[nodiscard]] Reference reference_of(const complex_normal<T>& d) {
    return detail::normal_reference(d.name, d.fault(), 0, static_cast<double>(d.stddev) * 0x1.6a09e667f3bcdp-1);
}
/// Return the law of each coordinate of a direction (rng/stats/coordinates.hpp).
template <class T> [[nodiscard]] Reference reference_of(const unit_vector2<T>&) {
    return Reference(detail::UniformLaw{0, 1});
}
template <class T> [[nodiscard]] Reference reference_of(const unit_vector3<T>&) {
    return Reference(detail::UniformLaw{0, 1});
}
template <class T> [[nodiscard]] Reference reference_of(const unit_vector4<T>&) {
    return Reference(detail::UniformLaw{0, 1});
}
template <class T> [[nodiscard]] Reference reference_of(const exponential<T>& d) {
    detail::require_valid(d.name, d.fault());
    return Reference(detail::ExponentialLaw{static_cast<double>(d.rate)});
}
template <class T> [[nodiscard]] Reference reference_of(const uniform_int<T>& d) {
    detail::require_valid(d.name, d.fault());
    return Reference(detail::IntegerLaw{static_cast<long double>(d.lo), static_cast<long double>(d.hi)});
}
/// Returns the law with probability p itself; the distribution's probability is within 2^-33 of p.
[[nodiscard]] inline Reference reference_of(const bernoulli& d) {
    detail::require_valid(d.name, d.fault());
    return Reference(detail::TwoValueLaw{d.p, 0, 1});
}
[[nodiscard]] inline Reference reference_of(const rademacher&) { return Reference(detail::TwoValueLaw{0.5, -1, 1}); }

/// Returns the law of a distribution of real numbers by its name. Parameters are not checked.
[[nodiscard]] Reference named_reference(const std::string& name, std::span<const Parameter> parameters);

/// Returns the law of any other distribution of real numbers. Throws Error (invalid_argument) if its name has none.
template <detail::NamedReal D> [[nodiscard]] Reference reference_of(const D& d) {
    detail::require_valid(D::name, d.fault());
    return named_reference(D::name, detail::parameters_of(d));
}
/// Returns the law of any other distribution of counts. Throws Error (invalid_argument) if its variance is above 2^40.
template <detail::NamedCount D> [[nodiscard]] Reference reference_of(const D& d) {
    detail::require_valid(D::name, d.fault());
    return Reference(detail::named_counts(D::name, detail::parameters_of(d)));
}

}  // namespace rng::stats
