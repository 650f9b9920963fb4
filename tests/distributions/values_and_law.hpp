// Values of a distribution beside its law: fit by two tests, and tails, each a p-value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <rng/stats/p_value.hpp>

#include "statistical_tests/laws/reference.hpp"
#include "statistical_tests/p_values/chi_square.hpp"
#include "statistical_tests/p_values/kolmogorov_smirnov.hpp"

namespace support {

/// How values fit their law: each a p-value.
struct Fit {
    double kolmogorov_smirnov;
    double chi_square;  // of 256 cells of equal probability

    [[nodiscard]] double least() const { return std::min(kolmogorov_smirnov, chi_square); }
    [[nodiscard]] double greatest() const { return std::max(kolmogorov_smirnov, chi_square); }
};
/// Values taken to [0, 1] by their distribution function.
template <class D> std::vector<double> ranks(const D& dist, const std::vector<rng::result_t<D>>& values) {
    const rng::stats::Reference reference = rng::stats::reference_of(dist);
    std::vector<double> u;
    u.reserve(values.size());
    for (const auto x : values) u.push_back(reference.cdf(x));
    return u;
}
inline Fit fit(std::vector<double> u) {
    constexpr std::size_t cells = 256;
    std::vector<uint64_t> counts(cells);
    for (const double x : u) ++counts[std::min(static_cast<std::size_t>(x * cells), cells - 1)];
    std::sort(u.begin(), u.end());
    constexpr double step = 0x1p-23;  // how far f32 uniforms, in steps of 2^-24, may move the distribution function
    const double d = std::max(0.0, rng::stats::kolmogorov_smirnov(u).d() - step);
    const std::vector<double> expected(cells, static_cast<double>(u.size()) / cells);
    return {rng::stats::ks_two_sided_p_value(d, u.size()).upper(), rng::stats::chi_square(counts, expected).p.upper()};
}
template <class D> Fit fit(const D& dist, const std::vector<rng::result_t<D>>& values) {
    return fit(ranks(dist, values));
}

/// Values beyond the quantiles of 1e-3, 1e-4 and 1e-5 on either side. The f32 uniforms' steps move the last quantile by
/// 0.6 per cent, less than a factor of two of any tail here.
template <class D> double tails(const D& dist, const std::vector<rng::result_t<D>>& values) {
    const rng::stats::Reference reference = rng::stats::reference_of(dist);
    double least = 1;
    for (const double p : {1e-3, 1e-4, 1e-5}) {
        const auto low = static_cast<double>(reference.quantile(p));
        const auto high = static_cast<double>(reference.upper_quantile(p));
        std::size_t below = 0, above = 0;
        for (const auto x : values) below += static_cast<double>(x)<low, above += static_cast<double>(x)> high;
        for (const std::size_t count : {below, above})
            least = std::min(least, rng::stats::binomial_p_value(count, values.size(), p).two_sided());
    }
    return std::min(1.0, 6 * least);
}

}  // namespace support
