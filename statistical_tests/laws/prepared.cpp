#include "prepared.hpp"

#include <algorithm>
#include <numbers>

namespace rng::stats::detail {

double PreparedLaw::position(double x) const {
    if (from_ == -infinity) return to_ == infinity ? (x - origin_) / unit_ : -std::log((to_ - x) / unit_);
    return std::log(to_ == infinity ? (x - from_) / unit_ : (x - from_) / (to_ - x));
}
double PreparedLaw::value(double y) const {
    if (from_ == -infinity) return to_ == infinity ? origin_ + unit_ * y : to_ - unit_ * std::exp(-y);
    if (to_ == infinity) return from_ + unit_ * std::exp(y);
    return y < 0 ? from_ + (to_ - from_) / (1 + std::exp(-y)) : to_ - (to_ - from_) / (1 + std::exp(y));
}

PreparedLaw::PreparedLaw(Continuous exact, double lo, double hi)
    : ContinuousLaw(*exact), exact_(std::move(exact)), from_(lo), to_(hi), unit_(1) {
    constexpr double least = 1e-300;
    const double median = exact_->quantile(0.5);
    if (from_ == -infinity && to_ == infinity) {
        origin_ = median;
        unit_ = exact_->quantile(-0.25) - exact_->quantile(0.25);
    } else {
        unit_ = from_ == -infinity ? to_ - median : median - from_;
    }
    // Coordinates of numbers that are neither subnormal nor near overflow.
    const double far = std::min(1 / least, unit_ < 1 ? unit_ / least : 1 / least);
    // The next number to a bound that is not 0 is farther away than that.
    const double nearest =
        from_ == -infinity ? -far : std::max(from_ + std::max(least, unit_ * least), std::nextafter(from_, infinity));
    const double farthest = to_ == infinity ? far : std::nextafter(to_, -infinity);
    const double begin = position(std::max(exact_->quantile(least), nearest)), middle = position(median),
                 end = position(std::min(exact_->quantile(-least), farthest));
    if (begin < middle && std::isfinite(begin)) add(begin, middle, false, 0);
    lower_ = pieces_.size();
    if (middle < end && std::isfinite(end)) add(middle, end, true, 0);
    for (const Piece& p : pieces_) ends_.push_back(p.end);
}

double PreparedLaw::Piece::operator()(double y) const {
    const double u = (2 * y - begin - end) / (end - begin);
    double sum = power[terms - 1];
    for (std::size_t i = terms - 1; i-- > 0;) sum = sum * u + power[i];
    return sum;
}

void PreparedLaw::add(double begin, double end, bool is_upper, int depth) {
    const auto exact = [&](double y) {
        const double x = value(y), t = exact_->probability(x);
        // Past the median by a rounding error: the complement is exact enough.
        return std::signbit(t) == is_upper ? exact_->log_probability(x) : std::log1p(-std::fabs(t));
    };
    const auto at = [&](double u) { return begin + (end - begin) * (1 + u) / 2; };
    constexpr auto count = static_cast<std::size_t>(terms);
    std::array<long double, count> values{}, chebyshev{}, power{};
    const auto cosine = [](std::size_t i, std::size_t k) {  // T(k) at node i
        static const auto table = [] {
            std::array<std::array<long double, count>, count> all{};
            for (std::size_t n = 0; n < count; ++n)
                for (std::size_t m = 0; m < count; ++m)
                    all[n][m] = std::cos(static_cast<long double>(m) * (static_cast<long double>(n) + 0.5L) *
                                         std::numbers::pi_v<long double> / terms);
            return all;
        }();
        return table[i][k];
    };
    for (std::size_t i = 0; i < count; ++i) values[i] = exact(at(static_cast<double>(cosine(i, 1))));
    // Chebyshev's coefficients, then those of powers: T(k+1) = 2 u T(k) - T(k-1).
    std::array<long double, count> older{}, old{};
    older[0] = 1, old[1] = 1;
    for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t i = 0; i < count; ++i) chebyshev[k] += values[i] * cosine(i, k);
        chebyshev[k] *= (k == 0 ? 1.0L : 2.0L) / terms;
        const auto polynomial = k == 0 ? older : old;
        for (std::size_t i = 0; i < count; ++i) power[i] += chebyshev[k] * polynomial[i];
        if (k == 0) continue;
        std::array<long double, count> next{};
        for (std::size_t i = 0; i < count; ++i) next[i] = (i > 0 ? 2 * old[i - 1] : 0) - older[i];
        older = old, old = next;
    }
    Piece piece{begin, end, exact(begin), exact(end), {}};
    std::ranges::transform(power, piece.power.begin(), [](long double c) { return static_cast<double>(c); });

    double error = 0;
    for (const double u : {-1.0, -0.97, -0.8, -0.55, -0.3, 0.15, 0.42, 0.7, 0.9, 1.0})
        error += std::fabs(piece(at(u)) - exact(at(u)));
    // The coordinate's own rounding is magnified by the slope. If a tail hardly changes, the rest is noise.
    constexpr double epsilon = std::numeric_limits<double>::epsilon(), hardly = 0.2;
    const double change = std::fabs(piece.at_end - piece.at_begin), reach = std::max(std::fabs(begin), std::fabs(end));
    const double rounding = epsilon * (std::fabs(piece.at_end) + change / (end - begin) * (1 + reach));
    if (error <= 1e-13 + 4 * rounding || change < hardly || depth > 40) {
        pieces_.push_back(piece);
        return;
    }
    add(begin, at(0), is_upper, depth + 1);
    add(at(0), end, is_upper, depth + 1);
}

double PreparedLaw::tail(double x) const {
    const double y = position(x);
    if (pieces_.empty() || !(y >= pieces_.front().begin && y < pieces_.back().end)) return exact_->probability(x);
    const auto i = static_cast<std::size_t>(std::ranges::upper_bound(ends_, y) - ends_.begin());
    const double p = std::min(std::exp(pieces_[i](y)), 0.5);
    return i < lower_ ? p : -p;
}

double PreparedLaw::inverse(double t) const {
    const bool is_upper = std::signbit(t);
    const double target = std::log(std::fabs(t));
    const auto lower = pieces_.begin() + static_cast<std::ptrdiff_t>(lower_);
    const auto first = is_upper ? lower : pieces_.begin(), last = is_upper ? pieces_.end() : lower;
    const auto found = std::partition_point(
        first, last, [&](const Piece& p) { return is_upper ? p.at_end > target : p.at_end < target; });
    if (found == last || (found == first && !is_upper && found->at_begin > target)) {
        // The median's own logarithm may be short of log(1/2) by a rounding error.
        const bool is_median = !is_upper && first != last && target > -0.6931471805599455;
        return is_median ? value((last - 1)->end) : exact_->quantile(t);
    }
    const Piece& piece = *found;
    const double steepness = (piece.at_end - piece.at_begin) / (piece.end - piece.begin);
    double below = piece.begin, above = piece.end;
    double y = std::clamp(below + (target - piece.at_begin) / steepness, below, above);
    for (int i = 0; i < 60 && below < above; ++i) {  // Newton's steps, kept inside a bracket
        const double u = (2 * y - piece.begin - piece.end) / (piece.end - piece.begin);
        double sum = piece.power[terms - 1], slope = 0;
        for (std::size_t k = terms - 1; k-- > 0;) slope = slope * u + sum, sum = sum * u + piece.power[k];
        const double excess = sum - target;
        if (excess == 0) break;
        ((excess < 0) != is_upper ? below : above) = y;
        double next = y - excess / slope * (piece.end - piece.begin) / 2;
        if (!(next >= below && next <= above)) next = below + (above - below) / 2;
        const bool is_settled = std::fabs(next - y) <= 1e-16 * (std::fabs(y) + piece.end - piece.begin);
        y = next;
        if (is_settled) break;
    }
    return value(y);
}

}  // namespace rng::stats::detail
