#include "counts.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/geometric.hpp>
#include <boost/math/distributions/negative_binomial.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <rng/core/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "../p_values/require.hpp"
#include "continuous.hpp"
#include "laws.hpp"
#include "power_counts.hpp"
#include "summed_counts.hpp"

namespace rng::stats {
namespace detail {
namespace {

using Policy =
    boost::math::policies::policy<boost::math::policies::overflow_error<boost::math::policies::ignore_error>>;

/// ln k! less Stirling's approximation of it. Requires k >= 1.
double stirling_error(double k) {
    if (k < 16) return std::lgamma(k + 1) - (k + 0.5) * std::log(k) + k - 0.5 * std::log(2 * std::numbers::pi);
    const double r = 1 / k, s = r * r;
    return r * (1 / 12.0 - s * (1 / 360.0 - s * (1 / 1260.0 - s * (1 / 1680.0 - s / 1188))));
}
/// x ln(x / mean) + mean - x, without cancellation.
double deviance(double x, double mean) {
    const double v = (x - mean) / (x + mean);
    if (std::fabs(v) > 0.1) return x * std::log(x / mean) + mean - x;
    double sum = (x - mean) * v, term = 2 * x * v;
    for (int i = 3; i < 40; i += 2) sum += (term *= v * v) / i;
    return sum;
}
// The masses, right for any number of trials: Loader, "Fast and accurate computation of binomial probabilities", 2000.
double poisson_mass(double mean, double k) {
    if (k == 0) return std::exp(-mean);
    return std::exp(-stirling_error(k) - deviance(k, mean)) / std::sqrt(2 * std::numbers::pi * k);
}
double binomial_mass(double n, double p, double k) {
    if (k == 0) return std::exp(n * std::log1p(-p));
    if (k == n) return std::exp(n * std::log(p));
    const double rest = n - k;
    return std::exp(stirling_error(n) - stirling_error(k) - stirling_error(rest) - deviance(k, n * p) -
                    deviance(rest, n * (1 - p))) *
           std::sqrt(n / k / rest / (2 * std::numbers::pi));
}

using Cumulants = std::array<double, orders + 1>;  // number 0 is not used

/// The cumulants of a law whose cumulant generating function has a derivative y with y' = y + b y^2, times n.
Cumulants cumulants(double y, double b, double n) {
    std::array<double, orders + 2> terms{};  // of powers of y
    terms[1] = 1;
    Cumulants found{};
    for (int order = 1; order <= orders; ++order) {
        double power = 1;
        for (std::size_t i = 0; i <= orders; ++i, power *= y)
            found[static_cast<std::size_t>(order)] += n * terms[i] * power;
        std::array<double, orders + 2> next{};
        for (std::size_t i = 1; i <= orders; ++i) {
            next[i] += static_cast<double>(i) * terms[i];
            next[i + 1] += static_cast<double>(i) * terms[i] * b;
        }
        terms = next;
    }
    return found;
}

double choose(int n, int k) {
    double result = 1;
    for (int i = 1; i <= k; ++i) result = result * (n - k + i) / i;
    return result;
}

template <class Boost, class Mass> class BoostCounts final : public CountLaw {
  public:
    BoostCounts(const Boost& law, const Mass& mass, double most, const Cumulants& cumulants)
        : law_(law), mass_(mass), most_(most), cumulants_(cumulants) {}
    [[nodiscard]] double most() const override { return most_; }
    [[nodiscard]] double cdf(double k) const override { return boost::math::cdf(law_, k); }
    [[nodiscard]] double survival(double k) const override {
        return k >= most_ ? 0 : boost::math::cdf(boost::math::complement(law_, k));
    }
    [[nodiscard]] double mass(double k) const override { return k > most_ ? 0 : mass_(k); }
    [[nodiscard]] double quantile(double p) const override {
        return least_with([&](double k) { return cdf(k) >= p; });
    }
    [[nodiscard]] double upper_quantile(double q) const override {
        return least_with([&](double k) { return survival(k) <= q; });
    }
    [[nodiscard]] double mean() const override { return cumulants_[1]; }
    [[nodiscard]] double central_moment(int k) const override {
        std::array<double, orders + 1> moments{1, 0};
        for (int n = 2; n <= k; ++n)
            for (int i = 2; i <= n; ++i)
                moments[static_cast<std::size_t>(n)] += choose(n - 1, i - 1) * cumulants_[static_cast<std::size_t>(i)] *
                                                        moments[static_cast<std::size_t>(n - i)];
        return moments[static_cast<std::size_t>(k)];
    }

  private:
    /// Returns the least k that is enough: from the mean outwards, then by halves.
    template <class F> double least_with(F is_enough) const {
        double step = std::floor(std::sqrt(cumulants_[2])) + 1, low = std::floor(cumulants_[1]), high = low;
        for (; low >= 0 && is_enough(low); low -= step, step *= 2) high = low;
        low = std::fmax(low, -1);
        for (; high < most_ && !is_enough(high); high += step, step *= 2) low = high;
        high = std::fmin(high, most_);
        while (high - low > 1) {
            const double middle = std::floor((low + high) / 2);
            (is_enough(middle) ? high : low) = middle;
        }
        return high;
    }

    Boost law_;
    Mass mass_;
    double most_;
    Cumulants cumulants_;
};
template <class Boost, class Mass>
Counts counts(const Boost& law, const Mass& mass, double most, const Cumulants& cumulants) {
    require(cumulants[2] <= 0x1p40, "law_of", "the variance must be at most 2^40", cumulants[2]);
    return std::make_shared<BoostCounts<Boost, Mass>>(law, mass, most, cumulants);
}

/// The constant `value`.
class OneCount final : public CountLaw {
  public:
    explicit OneCount(double value) : value_(value) {}
    [[nodiscard]] double least() const override { return value_; }
    [[nodiscard]] double most() const override { return value_; }
    [[nodiscard]] double cdf(double k) const override { return k < value_ ? 0 : 1; }
    [[nodiscard]] double survival(double k) const override { return k < value_ ? 1 : 0; }
    [[nodiscard]] double mass(double k) const override { return k == value_ ? 1 : 0; }
    [[nodiscard]] double quantile(double) const override { return value_; }
    [[nodiscard]] double upper_quantile(double) const override { return value_; }
    [[nodiscard]] double mean() const override { return value_; }
    [[nodiscard]] double central_moment(int) const override { return 0; }

  private:
    double value_;
};

Counts poisson_law(double mean) {
    if (mean == 0) return std::make_shared<OneCount>(0);
    Cumulants all;
    all.fill(mean);
    return counts(
        boost::math::poisson_distribution<double, Policy>(mean), [mean](double k) { return poisson_mass(mean, k); },
        infinity, all);
}
Counts binomial_law(double trials, double p) {
    if (trials == 0 || p == 0) return std::make_shared<OneCount>(0);
    if (p == 1) return std::make_shared<OneCount>(trials);
    return counts(
        boost::math::binomial_distribution<double, Policy>(trials, p),
        [trials, p](double k) { return binomial_mass(trials, p, k); }, trials, cumulants(p, -1, trials));
}
Counts geometric_law(double p) {
    if (p == 1) return std::make_shared<OneCount>(0);
    return counts(
        boost::math::geometric_distribution<double, Policy>(p),
        [p](double k) { return p * std::exp(k * std::log1p(-p)); }, infinity, cumulants((1 - p) / p, 1, 1));
}
Counts hypergeometric_law(double good, double bad, double draws) {
    const double least = std::fmax(0, draws - bad), most = std::fmin(good, draws), all = good + bad;
    if (least == most) return std::make_shared<OneCount>(least);
    // Loader: of the binomial variables of good, bad and all items, with any probability.
    const double p = draws / all, whole = binomial_mass(all, p, draws);
    const auto mass = [=](double k) { return binomial_mass(good, p, k) * binomial_mass(bad, p, draws - k) / whole; };
    const double mode = std::floor((good + 1) * (draws + 1) / (all + 2));
    return std::make_shared<SummedCounts<decltype(mass)>>(mass, least, mode, most);
}
Counts negative_binomial_law(double r, double p) {
    if (p == 1) return std::make_shared<OneCount>(0);
    return counts(
        boost::math::negative_binomial_distribution<double, Policy>(r, p),
        [r, p](double k) { return r / (r + k) * binomial_mass(r + k, p, r); }, infinity, cumulants((1 - p) / p, 1, r));
}
Counts zipf_law(double a, double most) { return std::make_shared<PowerCounts>(a, most); }
Counts log_series_law(double p) {
    const auto mass = [p, scale = -1 / std::log1p(-p)](double k) { return std::exp(k * std::log(p)) * scale / k; };
    return std::make_shared<SummedCounts<decltype(mass)>>(mass, 1, 1, infinity);
}

struct Row {
    const char* name;
    std::array<const char*, 3> parameters;
    Counts (*make)(const double*);
};
constexpr Row rows[] = {
    {"poisson", {"mean"}, [](const double* p) { return poisson_law(p[0]); }},
    {"binomial", {"trials", "p"}, [](const double* p) { return binomial_law(p[0], p[1]); }},
    {"geometric", {"p"}, [](const double* p) { return geometric_law(p[0]); }},
    {"hypergeometric", {"good", "bad", "draws"}, [](const double* p) { return hypergeometric_law(p[0], p[1], p[2]); }},
    {"negative_binomial", {"r", "p"}, [](const double* p) { return negative_binomial_law(p[0], p[1]); }},
    {"zipf", {"a", "most"}, [](const double* p) { return zipf_law(p[0], p[1]); }},
    {"log_series", {"p"}, [](const double* p) { return log_series_law(p[0]); }},
};

/// Counts as values. The probabilities of up to 2^20 values are computed once, from sums of masses.
class CountValues final : public ValueLaw {
  public:
    explicit CountValues(Counts law) : law_(std::move(law)) {
        constexpr double tail = 1e-30, most = 1 << 20;
        first_ = law_->quantile(tail);
        const double last = law_->upper_quantile(tail);
        if (last - first_ > most) return;
        for (double k = first_; k <= last; ++k) cells_.push_back({0, law_->mass(k), 0});
        double below = first_ > law_->least() ? law_->cdf(first_ - 1) : 0, above = law_->survival(last);
        for (std::size_t i = 0, end = cells_.size(); i < end; ++i) {
            cells_[i].below = below;
            cells_[end - 1 - i].above = above;
            below += cells_[i].mass;
            above += cells_[end - 1 - i].mass;
        }
    }
    void probabilities(std::span<const double> values, std::span<const uint64_t> random,
                       std::span<double> to) const override {
        each(values, random, to, [this](double v, double u) {
            if (!(v >= law_->least() && v <= law_->most()) || v != std::floor(v)) return no_probability;
            const double place = v - first_;
            const Cell c = place >= 0 && place < static_cast<double>(cells_.size())
                               ? cells_[static_cast<std::size_t>(place)]
                               : Cell{v > law_->least() ? law_->cdf(v - 1) : 0, law_->mass(v), law_->survival(v)};
            return signed_probability(c.below + u * c.mass, c.above + (1 - u) * c.mass);
        });
    }
    [[nodiscard]] Outlaw reason(double v) const override {
        return reason_of(v, v < law_->least() ? Outlaw::below : v > law_->most() ? Outlaw::above : Outlaw::off_grid);
    }
    [[nodiscard]] double quantile(double t) const override {
        if (t == 0) return std::signbit(t) ? law_->most() : law_->least();
        const auto found = std::partition_point(cells_.begin(), cells_.end(), [t](const Cell& c) {
            return std::signbit(t) ? c.above > -t : c.below + c.mass < t;
        });
        if (found != cells_.end()) return first_ + static_cast<double>(found - cells_.begin());
        return std::signbit(t) ? law_->upper_quantile(-t) : law_->quantile(t);
    }
    [[nodiscard]] int tail_bits() const override { return 48; }

  private:
    struct Cell {
        double below, mass, above;  // probabilities of smaller values, of this one, of greater ones
    };

    Counts law_;
    double first_;
    std::vector<Cell> cells_;
};

}  // namespace

Counts named_counts(const std::string& name, std::span<const Parameter> parameters) {
    for (const Row& row : rows) {
        if (name != row.name) continue;
        std::array<double, 3> values{};
        for (const Parameter& given : parameters)
            for (std::size_t i = 0; i < values.size() && row.parameters[i]; ++i)
                if (given.name == row.parameters[i]) values[i] = given.value;
        return row.make(values.data());
    }
    rng::detail::refuse("law_of", "no law of counts is named " + name);
}

}  // namespace detail

Law named_count_law(const std::string& name, std::span<const Parameter> parameters) {
    return std::make_shared<detail::CountValues>(detail::named_counts(name, parameters));
}

}  // namespace rng::stats
