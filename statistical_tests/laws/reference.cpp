#include "reference.hpp"

#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/uniform.hpp>
#include <rng/stats/p_value.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "../p_values/require.hpp"
#include "laws.hpp"
#include "named_laws.hpp"

namespace rng::stats {

namespace {

using namespace detail;
using boost::math::complement;
constexpr double ln10 = std::numbers::ln10;

boost::math::uniform boost_law(const UniformLaw& d) { return {d.lo, d.hi}; }
boost::math::normal boost_law(const NormalLaw& d) { return {d.mean, d.stddev}; }
boost::math::exponential boost_law(const ExponentialLaw& d) { return boost::math::exponential(d.rate); }

template <class Law> inline constexpr bool is_discrete_law = false;
template <> inline constexpr bool is_discrete_law<IntegerLaw> = true;
template <> inline constexpr bool is_discrete_law<TwoValueLaw> = true;
template <> inline constexpr bool is_discrete_law<Counts> = true;

// The bounds of each law. Boost throws outside them.
struct Bounds {
    long double lo, hi;
};
Bounds bounds(const UniformLaw& d) { return {d.lo, d.hi}; }
Bounds bounds(const NormalLaw&) { return {-infinity, infinity}; }
Bounds bounds(const ExponentialLaw&) { return {0, infinity}; }
Bounds bounds(const IntegerLaw& d) { return {d.lo, d.hi}; }
Bounds bounds(const TwoValueLaw& d) { return {d.lo, d.hi}; }
Bounds bounds(const Counts& d) { return {d->least(), d->most()}; }
Bounds bounds(const Continuous& d) { return {d->lo(), d->hi()}; }

// All functions below are called inside the bounds: lo <= x < hi, and lo < x for reals.

template <class Law> double cdf(const Law& d, long double x) {
    return boost::math::cdf(boost_law(d), static_cast<double>(x));
}
template <class Law> double survival(const Law& d, long double x) {
    return boost::math::cdf(complement(boost_law(d), static_cast<double>(x)));
}
long double count(const IntegerLaw& d) { return d.hi - d.lo + 1; }
double cdf(const IntegerLaw& d, long double x) { return static_cast<double>((std::floor(x) - d.lo + 1) / count(d)); }
double survival(const IntegerLaw& d, long double x) { return static_cast<double>((d.hi - std::floor(x)) / count(d)); }
double cdf(const TwoValueLaw& d, long double) { return 1 - d.p; }
double survival(const TwoValueLaw& d, long double) { return d.p; }
double whole(long double x) { return static_cast<double>(std::floor(x)); }
double cdf(const Counts& d, long double x) { return d->cdf(whole(x)); }
double survival(const Counts& d, long double x) { return d->survival(whole(x)); }
double cdf(const Continuous& d, long double x) {
    const double t = d->probability(static_cast<double>(x));
    return std::signbit(t) ? 1 + t : t;
}
double survival(const Continuous& d, long double x) {
    const double t = d->probability(static_cast<double>(x));
    return std::signbit(t) ? -t : 1 - t;
}

template <class Law> double log10_cdf(const Law& d, long double x) {
    return log10_probability(cdf(d, x), survival(d, x));
}
template <class Law> double log10_survival(const Law& d, long double x) {
    return log10_probability(survival(d, x), cdf(d, x));
}
double standardised(const NormalLaw& d, long double x) { return (static_cast<double>(x) - d.mean) / d.stddev; }
double log10_cdf(const NormalLaw& d, long double x) { return log10_normal_cdf(standardised(d, x)); }
double log10_survival(const NormalLaw& d, long double x) { return log10_normal_cdf(-standardised(d, x)); }
double log10_survival(const ExponentialLaw& d, long double x) { return -d.rate * static_cast<double>(x) / ln10; }
double log10_tail(const Continuous& d, double x, bool is_upper) {
    const double t = d->probability(x);
    return (std::signbit(t) == is_upper ? d->log_probability(x) : std::log1p(-std::fabs(t))) / ln10;
}
double log10_cdf(const Continuous& d, long double x) { return log10_tail(d, static_cast<double>(x), false); }
double log10_survival(const Continuous& d, long double x) { return log10_tail(d, static_cast<double>(x), true); }

template <class Law> double density(const Law& d, long double x) {
    return boost::math::pdf(boost_law(d), static_cast<double>(x));
}
double density(const IntegerLaw& d, long double x) {
    return x == std::floor(x) ? static_cast<double>(1 / count(d)) : 0.0;
}
double density(const TwoValueLaw& d, long double x) { return x == d.lo ? 1 - d.p : x == d.hi ? d.p : 0; }
double density(const Counts& d, long double x) { return x == std::floor(x) ? d->mass(whole(x)) : 0; }

double density(const Continuous& d, long double x) { return d->density(static_cast<double>(x)); }

// Requires 0 < p < 1.
template <class Law> long double quantile(const Law& d, double p) { return boost::math::quantile(boost_law(d), p); }
template <class Law> long double upper_quantile(const Law& d, double q) {
    return boost::math::quantile(complement(boost_law(d), q));
}
long double quantile(const IntegerLaw& d, double p) { return d.lo + std::ceil(p * count(d)) - 1; }
long double upper_quantile(const IntegerLaw& d, double q) { return d.hi - std::floor(q * count(d)); }
long double quantile(const TwoValueLaw& d, double p) { return p <= 1 - d.p ? d.lo : d.hi; }
long double upper_quantile(const TwoValueLaw& d, double q) { return d.p <= q ? d.lo : d.hi; }
long double quantile(const Counts& d, double p) { return d->quantile(p); }
long double upper_quantile(const Counts& d, double q) { return d->upper_quantile(q); }

long double quantile(const Continuous& d, double p) { return d->quantile(signed_probability(p, 1 - p)); }
long double upper_quantile(const Continuous& d, double q) { return d->quantile(signed_probability(1 - q, q)); }

double mean(const UniformLaw& d) { return d.lo / 2 + d.hi / 2; }
double mean(const NormalLaw& d) { return d.mean; }
double mean(const ExponentialLaw& d) { return 1 / d.rate; }
double mean(const IntegerLaw& d) { return static_cast<double>((d.lo + d.hi) / 2); }
double mean(const TwoValueLaw& d) { return static_cast<double>(d.lo + (d.hi - d.lo) * d.p); }
double mean(const Counts& d) { return d->mean(); }
double mean(const Continuous& d) { return d->mean(); }

double central_moment(const UniformLaw& d, int k) {
    return k % 2 == 1 ? 0 : std::pow(d.hi / 2 - d.lo / 2, k) / (k + 1);
}
double central_moment(const NormalLaw& d, int k) {
    double product = k % 2 == 1 ? 0 : 1;
    for (int odd = k - 1; odd > 1; odd -= 2) product *= odd;
    return product * std::pow(d.stddev, k);
}
double central_moment(const ExponentialLaw& d, int k) {
    double derangements = 1;  // 1, 0, 1, 2, 9, 44, ...
    for (int i = 1; i <= k; ++i) derangements = i * derangements + (i % 2 == 1 ? -1 : 1);
    return derangements / std::pow(d.rate, k);
}
// Returns the sum of even powers of equidistant numbers about their middle, divided by their count.
double central_moment(const IntegerLaw& d, int k) {
    if (k % 2 == 1) return 0;
    const long double s = count(d) * count(d);
    const long double moments[] = {1, (3 * s - 7) / 20, ((3 * s - 18) * s + 31) / 112,
                                   (((5 * s - 55) * s + 239) * s - 381) / 960};
    return static_cast<double>((s - 1) / 12 * moments[k / 2 - 1]);
}
double central_moment(const TwoValueLaw& d, int k) {
    return std::pow(static_cast<double>(d.hi - d.lo), k) * (d.p * std::pow(1 - d.p, k) + (1 - d.p) * std::pow(-d.p, k));
}
double central_moment(const Counts& d, int k) { return d->central_moment(k); }

double central_moment(const Continuous& d, int k) { return d->central_moment(k); }

}  // namespace

namespace detail {

void require_valid(const char* distribution, const ParameterFault& fault) {
    if (!fault) return;
    const auto limit = std::string(fault.field) + " of " + distribution + " " + fault.limit;
    if (fault.is_integer) {
        const auto value = (fault.value < 0 ? "-" : "") + std::to_string(fault.magnitude);
        require(false, "reference_of", limit.c_str(), value);
    }
    require(false, "reference_of", limit.c_str(), fault.value);
}

Reference normal_reference(const char* distribution, const ParameterFault& fault, double mean, double stddev) {
    require_valid(distribution, fault);
    const auto limit = std::string("stddev of ") + distribution + " must be positive";
    require(stddev > 0, "reference_of", limit.c_str(), stddev);
    return Reference(NormalLaw{mean, stddev});
}

}  // namespace detail

Reference named_reference(const std::string& name, std::span<const Parameter> parameters) {
    return Reference(named_law(name, parameters));
}

bool Reference::is_discrete() const {
    return std::visit([]<class Law>(const Law&) { return is_discrete_law<Law>; }, law_);
}

double Reference::cdf(long double x) const {
    require(!std::isnan(x), "Reference::cdf", "x must be a number", x);
    return std::visit(
        [x](const auto& d) {
            const Bounds b = bounds(d);
            return x < b.lo ? 0 : x >= b.hi ? 1 : stats::cdf(d, x);
        },
        law_);
}

double Reference::survival(long double x) const {
    require(!std::isnan(x), "Reference::survival", "x must be a number", x);
    return std::visit(
        [x](const auto& d) {
            const Bounds b = bounds(d);
            return x < b.lo ? 1 : x >= b.hi ? 0 : stats::survival(d, x);
        },
        law_);
}

double Reference::log10_cdf(long double x) const {
    require(!std::isnan(x), "Reference::log10_cdf", "x must be a number", x);
    return std::visit(
        [x](const auto& d) {
            const Bounds b = bounds(d);
            return x < b.lo ? -infinity : x >= b.hi ? 0 : stats::log10_cdf(d, x);
        },
        law_);
}

double Reference::log10_survival(long double x) const {
    require(!std::isnan(x), "Reference::log10_survival", "x must be a number", x);
    return std::visit(
        [x](const auto& d) {
            const Bounds b = bounds(d);
            return x < b.lo ? 0 : x >= b.hi ? -infinity : stats::log10_survival(d, x);
        },
        law_);
}

double Reference::density(long double x) const {
    require(!std::isnan(x), "Reference::density", "x must be a number", x);
    return std::visit(
        [x](const auto& d) {
            const Bounds b = bounds(d);
            return x < b.lo || x > b.hi || std::isinf(x) ? 0 : stats::density(d, x);
        },
        law_);
}

long double Reference::quantile(double p) const {
    require(p >= 0 && p <= 1, "Reference::quantile", "p must be in [0, 1]", p);
    return std::visit(
        [p](const auto& d) {
            const Bounds b = bounds(d);
            return p == 0 ? b.lo : p == 1 ? b.hi : stats::quantile(d, p);
        },
        law_);
}

long double Reference::upper_quantile(double q) const {
    require(q >= 0 && q <= 1, "Reference::upper_quantile", "q must be in [0, 1]", q);
    return std::visit(
        [q](const auto& d) {
            const Bounds b = bounds(d);
            return q == 0 ? b.hi : q == 1 ? b.lo : stats::upper_quantile(d, q);
        },
        law_);
}

double Reference::mean() const {
    return std::visit([](const auto& d) { return stats::mean(d); }, law_);
}

double Reference::central_moment(int k) const {
    require(k >= 1 && k <= 8, "Reference::central_moment", "k must be in [1, 8]", k);
    return std::visit([k](const auto& d) { return stats::central_moment(d, k); }, law_);
}

}  // namespace rng::stats
