// Quantiles by bisection, and moments by integration over the quantiles.
#include "continuous.hpp"

#include <boost/math/quadrature/gauss.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace rng::stats::detail {
namespace {

/// Doubles in their order, as integers.
int64_t number_of(double x) {
    const auto bits = std::bit_cast<int64_t>(x);
    return bits < 0 ? INT64_MIN - bits : bits;
}
double double_of(int64_t number) { return std::bit_cast<double>(number < 0 ? INT64_MIN - number : number); }

}  // namespace

double ContinuousLaw::inverse(double t) const {
    constexpr double most = std::numeric_limits<double>::max();
    int64_t below = number_of(std::max(lo_, -most)), above = number_of(std::min(hi_, most));
    while (below / 2 + 1 < above / 2) {
        const int64_t at = below / 2 + above / 2;
        (is_less_probable(probability(double_of(at)), t) ? below : above) = at;
    }
    while (below + 1 < above) {
        const int64_t at = below + 1;
        if (!is_less_probable(probability(double_of(at)), t)) return double_of(at);
        below = at;
    }
    return double_of(above);
}

// With the probability exp(-s) / 2 of either tail, the integrand is smooth in s, and powers of x become exponentials.
double ContinuousLaw::moment_about(double c, int k, const ContinuousLaw& law) const {
    const auto integrand = [&](double s) {
        const double p = std::exp(-s) / 2;
        return p * (std::pow(law.quantile(p) - c, k) + std::pow(law.quantile(-p) - c, k));
    };
    constexpr double end = 700;  // beyond, probabilities underflow
    double sum = 0, size = 0;
    for (double s = 0; s < end; ++s) {
        const double part = boost::math::quadrature::gauss<double, 20>::integrate(integrand, s, s + 1);
        sum += part;
        size = std::max(size, std::fabs(part));
        if (s > 30 && std::fabs(part) <= 1e-18 * size) break;
    }
    return sum;
}

}  // namespace rng::stats::detail
