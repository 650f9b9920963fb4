// What the distributions of the catalogue should be: distribution functions, both tails, densities, quantiles, moments.
//
//     const stats::Reference law = stats::reference_of(rng::normal{0.0f, 1.0f});
//     law.log10_survival(40);                          // -349.43701
//
// The law is the ideal one, the same for every type of the values: uniform<float16> stands for the reals of [lo, hi),
// though it has 2^11 values there. Tests of values on a grid choose cells whose borders lie on it. Formulas: Johnson,
// Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1994; functions: Boost.Math.
#pragma once

#include <rng/distributions/catalogue.hpp>

#include <variant>

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
struct BernoulliLaw {
    double p;
};

/// Throws Error (invalid_argument) if the distribution's parameters are out of range.
void require_valid(const char* distribution, const ParameterFault& fault);

}  // namespace detail

/// A distribution of real numbers or of integers. Made by reference_of.
///
/// Values are long double, which holds every 64-bit integer on x86-64 and AArch64; laws of real numbers round them to
/// double. Any x is allowed but NaN: far outside, the tails are 0 and 1. Relative error of probabilities, densities
/// and quantiles 1e-14, of logarithms 1e-14 or, near 0, an absolute 1e-16; logarithms do not underflow.
/// All throw Error (invalid_argument) on a NaN, or on what else their line forbids.
class Reference {
  public:
    using Law = std::variant<detail::UniformLaw, detail::NormalLaw, detail::ExponentialLaw, detail::IntegerLaw,
                             detail::BernoulliLaw>;
    explicit Reference(Law law) : law_(law) {}

    /// Whether values are integers: then P(X = x) may be positive.
    [[nodiscard]] bool is_discrete() const;

    [[nodiscard]] double cdf(long double x) const;             ///< P(X <= x)
    [[nodiscard]] double survival(long double x) const;        ///< P(X > x)
    [[nodiscard]] double log10_cdf(long double x) const;       ///< log10 P(X <= x); -infinity if that is 0
    [[nodiscard]] double log10_survival(long double x) const;  ///< log10 P(X > x)

    /// The density at x, or P(X = x) of a discrete law.
    [[nodiscard]] double density(long double x) const;

    /// The least x with P(X <= x) >= p, p in [0, 1]; of p = 0 the lower bound of the law, of p = 1 the upper one.
    [[nodiscard]] long double quantile(double p) const;
    /// The least x with P(X > x) <= q, q in [0, 1]: exact where 1 - q is not.
    [[nodiscard]] long double upper_quantile(double q) const;

    [[nodiscard]] double mean() const;
    /// E (X - E X)^k, k from 1 to 8.
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

/// The normal distributions also refuse a standard deviation of 0: such a law has no density.
[[nodiscard]] Reference normal_reference(const char* distribution, const ParameterFault& fault, double mean,
                                         double stddev);

}  // namespace detail

template <class T> [[nodiscard]] Reference reference_of(const normal<T>& d) {
    return detail::normal_reference(d.name, d.fault(), static_cast<double>(d.mean), static_cast<double>(d.stddev));
}
template <class T> [[nodiscard]] Reference reference_of(const normal_icdf<T>& d) {
    return detail::normal_reference(d.name, d.fault(), static_cast<double>(d.mean), static_cast<double>(d.stddev));
}
/// The law of the real part, and of the imaginary part, which is independent of it.
template <class T> [[nodiscard]] Reference reference_of(const complex_normal<T>& d) {
    return detail::normal_reference(d.name, d.fault(), 0, static_cast<double>(d.stddev) * 0x1.6a09e667f3bcdp-1);
}
template <class T> [[nodiscard]] Reference reference_of(const exponential<T>& d) {
    detail::require_valid(d.name, d.fault());
    return Reference(detail::ExponentialLaw{static_cast<double>(d.rate)});
}
template <class T> [[nodiscard]] Reference reference_of(const uniform_int<T>& d) {
    detail::require_valid(d.name, d.fault());
    return Reference(detail::IntegerLaw{static_cast<long double>(d.lo), static_cast<long double>(d.hi)});
}
/// The probability is p itself; the distribution's is within 2^-33 of it.
[[nodiscard]] inline Reference reference_of(const bernoulli& d) {
    detail::require_valid(d.name, d.fault());
    return Reference(detail::BernoulliLaw{d.p});
}

}  // namespace rng::stats
