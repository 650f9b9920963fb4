#include "scores.hpp"

#include <algorithm>
#include <cmath>

#include "require.hpp"

namespace rng::stats {
namespace {

/// K(s) = ln E exp(s X) with its first two derivatives.
struct Cumulants {
    double k, mean, variance;
};

Cumulants cumulants(std::span<const double> probabilities, std::span<const double> scores, double s) {
    double greatest = -HUGE_VAL;
    for (const double x : scores) greatest = std::max(greatest, s * x);
    double sum = 0, sum_x = 0, sum_xx = 0;
    for (std::size_t c = 0; c < scores.size(); ++c) {
        const double w = probabilities[c] * std::exp(s * scores[c] - greatest);
        sum += w;
        sum_x += w * scores[c];
        sum_xx += w * scores[c] * scores[c];
    }
    const double mean = sum_x / sum;
    return {greatest + std::log(sum), mean, std::max(sum_xx / sum - mean * mean, 0.0)};
}

/// Returns s mean - K(s). For small s the result is of the order of s^2. A difference of terms of the order of 1 would
/// lose the result in rounding; w multiplies the result by n.
double rate(std::span<const double> probabilities, std::span<const double> scores, const Cumulants& null,
            const Cumulants& at, double mean, double s) {
    double farthest = 0;
    for (const double x : scores) farthest = std::max(farthest, std::fabs(s * (x - mean)));
    if (farthest > 0.5) return s * mean - at.k;
    // -ln E exp(y), y = s (X - mean): E (exp(y) - 1) = s (E X - mean) + E (exp(y) - 1 - y).
    double beyond = 0;
    for (std::size_t c = 0; c < scores.size(); ++c) {
        const double y = s * (scores[c] - mean);
        double tail = 1;  // y^2 / 2 (1 + y / 3 (1 + y / 4 (1 + ...)))
        for (int k = 16; k > 2; --k) tail = 1 + y / k * tail;
        beyond += probabilities[c] * y * y / 2 * tail;
    }
    return -std::log1p(s * (null.mean - mean) + beyond);
}

}  // namespace

PValue score_p_value(std::span<const uint64_t> counts, std::span<const double> probabilities,
                     std::span<const double> scores) {
    detail::require(counts.size() == scores.size() && counts.size() == probabilities.size(), "score_p_value",
                    "counts, probabilities and scores must have one length", counts.size());
    double n = 0, sum = 0;
    for (std::size_t c = 0; c < counts.size(); ++c) {
        n += static_cast<double>(counts[c]);
        sum += static_cast<double>(counts[c]) * scores[c];
    }
    const Cumulants null = cumulants(probabilities, scores, 0);
    if (n == 0 || null.variance == 0) return {};
    const double mean = sum / n, root = std::sqrt(n);

    // Newton's steps for K'(s) = mean; K' rises, so steps that overshoot are halved. The search ends once s has moved a
    // sum by far more than any observation could. Then s still gives an upper bound of the tail.
    double low = -HUGE_VAL, high = HUGE_VAL, s = 0;
    Cumulants at = null;
    for (int i = 0; i < 200; ++i) {
        (at.mean < mean ? low : high) = s;
        double next = at.variance > 0 ? s + (mean - at.mean) / at.variance : s;
        if (std::isfinite(low) && std::isfinite(high) && !(next > low && next < high)) next = (low + high) / 2;
        const double most = 4 * std::fabs(s) + 1 / std::sqrt(null.variance);
        next = std::clamp(next, -most, most);
        if (std::fabs(next - s) <= 1e-13 * std::fabs(s) || std::fabs(next * std::sqrt(null.variance)) > 1e6) break;
        s = next;
        at = cumulants(probabilities, scores, s);
        if (std::fabs(at.mean - mean) <= 1e-14 * std::sqrt(at.variance)) break;
    }

    const double w = std::copysign(std::sqrt(2 * n * std::max(rate(probabilities, scores, null, at, mean, s), 0.0)), s);
    const double v = s * root * std::sqrt(at.variance);
    if (std::fabs(w) < 1e-2) {  // the limit of the formula below, whose terms cancel; it is off by w / n
        double skewness = 0;
        for (std::size_t c = 0; c < scores.size(); ++c)
            skewness += probabilities[c] * std::pow((scores[c] - null.mean) / std::sqrt(null.variance), 3);
        return normal_p_value((mean - null.mean) / std::sqrt(null.variance) * root + skewness / (6 * root));
    }
    if (!(v / w > 0)) return normal_p_value(w);  // all observations in one cell: the bound alone
    return normal_p_value(w + std::log(v / w) / w);
}

std::vector<std::vector<double>> orthonormal_polynomials(std::span<const double> x,
                                                         std::span<const double> probabilities, int most) {
    const std::size_t cells = x.size();
    detail::require(cells == probabilities.size(), "orthonormal_polynomials",
                    "x and probabilities must have one length", cells);
    const auto product = [&](const std::vector<double>& a, const std::vector<double>& b) {
        double sum = 0;
        for (std::size_t c = 0; c < cells; ++c) sum += probabilities[c] * a[c] * b[c];
        return sum;
    };
    // x is first brought to the order of 1. Then each polynomial is x times the one before, made orthogonal to all
    // others (twice, because of rounding).
    double mean = 0, variance = 0;
    for (std::size_t c = 0; c < cells; ++c) mean += probabilities[c] * x[c];
    for (std::size_t c = 0; c < cells; ++c) variance += probabilities[c] * (x[c] - mean) * (x[c] - mean);
    std::vector<std::vector<double>> all{std::vector<double>(cells, 1.0)};
    while (variance > 0 && static_cast<int>(all.size()) <= most) {
        std::vector<double> next(cells);
        for (std::size_t c = 0; c < cells; ++c) next[c] = (x[c] - mean) / std::sqrt(variance) * all.back()[c];
        const double before = product(next, next);
        for (int round = 0; round < 2; ++round)
            for (const auto& other : all) {
                const double share = product(next, other);
                for (std::size_t c = 0; c < cells; ++c) next[c] -= share * other[c];
            }
        const double length = product(next, next);
        if (!(length > 1e-9 * before)) break;  // x has no more different values than this
        for (double& value : next) value /= std::sqrt(length);
        all.push_back(std::move(next));
    }
    all.erase(all.begin());
    return all;
}

}  // namespace rng::stats
