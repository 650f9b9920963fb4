// Reference distributions: known answers of both tails, and for each distribution of the catalogue agreement of what is
// said of it: tails, quantiles, densities, moments.
//
// Numbers: mpmath 1.4.1 with 40 digits.
//
#include <gtest/gtest.h>
#include <rng/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "statistical_tests/laws/reference.hpp"

namespace {

using rng::stats::Reference;
using rng::stats::reference_of;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double tiny = 0x1p-70;

void expect_relative(double value, double expected, double error = 1e-13) {
    EXPECT_NEAR(value, expected, error * std::abs(expected));
}

template <class F> std::string message_of(const F& f) {
    try {
        f();
    } catch (const rng::Error& error) {
        EXPECT_EQ(error.code(), rng::ErrorCode::invalid_argument);
        return error.what();
    }
    return "no Error was thrown";
}

/// A law that is no default of its distribution: the formulas must not forget a parameter.
template <class D> D with_parameters() {
    if constexpr (requires(D d) { d.stddev, d.mean; })
        return {-3, 2};
    else if constexpr (requires(D d) { d.stddev; })
        return {2};
    else if constexpr (requires(D d) { d.rate; })
        return {0.25};
    else if constexpr (requires(D d) { d.trials; })
        return {30, 0.375};
    else if constexpr (requires(D d) { d.p; })
        return {0.375};
    else if constexpr (requires(D d) { d.lo; })
        return std::is_floating_point_v<decltype(D{}.lo)> ? D{2, 6} : D{2, 101};
    else
        return {};
}

/// Calls f(reference, description) for each distribution of the catalogue, with two sets of parameters.
template <class F> void for_each_reference(const F& f) {
    rng::for_each_distribution([&](auto tag) {
        using D = typename decltype(tag)::type;
        const auto name = std::string(D::name) + " " + rng::dtype_name<rng::result_t<D>>();
        f(reference_of(D{}), name);
        f(reference_of(with_parameters<D>()), name + " with parameters");
    });
}

TEST(Reference, Uniform) {
    const Reference law = reference_of(rng::uniform<float>{2, 6});
    EXPECT_EQ(law.cdf(3), 0.25);
    EXPECT_EQ(law.survival(3), 0.75);
    EXPECT_EQ(law.density(3), 0.25);
    EXPECT_EQ(law.quantile(0.75), 5);
    EXPECT_EQ(law.upper_quantile(0.25), 5);
    EXPECT_EQ(law.cdf(1), 0);
    EXPECT_EQ(law.cdf(7), 1);
    EXPECT_EQ(law.log10_cdf(2), -infinity);
    EXPECT_EQ(law.density(7), 0);
    expect_relative(reference_of(rng::uniform_dense<double>{}).log10_cdf(1e-300), -300);
    expect_relative(reference_of(rng::uniform<double>{}).log10_survival(1e-300), -1e-300 / std::log(10.0));
}

TEST(Reference, Normal) {
    const Reference law = reference_of(rng::normal<double>{});
    expect_relative(law.log10_survival(40), -349.43700645934584);
    expect_relative(law.log10_cdf(40), 0);
    expect_relative(law.log10_cdf(8), -2.7017288495439213e-16);
    expect_relative(law.log10_cdf(-1000), -217150.64004199439);
    expect_relative(law.density(1.5), 0.12951759566589173);
    expect_relative(static_cast<double>(law.quantile(0.975)), 1.9599639845400542);
    expect_relative(static_cast<double>(law.upper_quantile(1e-300)), 37.047096299361199);
    expect_relative(static_cast<double>(law.quantile(1e-300)), -37.047096299361199);
    EXPECT_EQ(law.cdf(infinity), 1);
    EXPECT_EQ(law.survival(infinity), 0);
    EXPECT_EQ(law.density(-infinity), 0);
    EXPECT_EQ(law.quantile(1), infinity);
    expect_relative(reference_of(rng::normal<rng::float16>{1, 0.5f}).log10_cdf(-1.5), -6.5426456723906545);
    expect_relative(reference_of(rng::normal_icdf<float>{1, 0.5f}).log10_cdf(-1.5), -6.5426456723906545);
    // Each part of a complex normal with E |z|^2 = 1 has the variance 1/2.
    expect_relative(reference_of(rng::complex_normal<float>{}).log10_survival(3), -4.9568245087959372);
}

TEST(Reference, Exponential) {
    const Reference law = reference_of(rng::exponential<double>{0.5});
    expect_relative(law.log10_cdf(3), -0.1096517386886891);
    expect_relative(law.log10_survival(8000), -1737.1779276130073);
    expect_relative(law.log10_cdf(2 * tiny), -21.072099696478684);
    EXPECT_EQ(law.survival(-1), 1);
    EXPECT_EQ(law.log10_cdf(0), -infinity);
    EXPECT_EQ(law.mean(), 2);
    expect_relative(static_cast<double>(law.upper_quantile(1e-300)), 600 * std::log(10.0));
}

TEST(Reference, IntegersAreExactToTheLast) {
    const Reference die = reference_of(rng::uniform_int<int8_t>{1, 6});
    EXPECT_EQ(die.cdf(0.5), 0);
    EXPECT_EQ(die.cdf(2.5), 1.0 / 3);
    EXPECT_EQ(die.survival(2), 2.0 / 3);
    EXPECT_EQ(die.density(6), 1.0 / 6);
    EXPECT_EQ(die.density(2.5), 0);
    EXPECT_EQ(die.quantile(0.5), 3);
    EXPECT_EQ(die.quantile(0.51), 4);
    EXPECT_EQ(die.upper_quantile(0.5), 3);
    EXPECT_EQ(die.upper_quantile(0.49), 4);
    const Reference words = reference_of(rng::bits<uint64_t>{});
    constexpr auto last = std::numeric_limits<uint64_t>::max();
    EXPECT_EQ(words.cdf(0), 0x1p-64);
    EXPECT_EQ(words.survival(last - 1), 0x1p-64);
    EXPECT_EQ(words.survival(last), 0);
    EXPECT_EQ(words.upper_quantile(0x1p-63), static_cast<long double>(last - 2));
    const Reference all = reference_of(rng::uniform_int<int64_t>{INT64_MIN, INT64_MAX});
    EXPECT_EQ(all.survival(INT64_MAX - 3), 3 * 0x1p-64);
    EXPECT_EQ(all.cdf(INT64_MIN + 2), 3 * 0x1p-64);
}

TEST(Reference, Bernoulli) {
    const Reference law = reference_of(rng::bernoulli{0.375});
    EXPECT_EQ(law.cdf(0), 0.625);
    EXPECT_EQ(law.survival(0.5), 0.375);
    EXPECT_EQ(law.density(1), 0.375);
    EXPECT_EQ(law.density(0.5), 0);
    EXPECT_EQ(law.quantile(0.625), 0);
    EXPECT_EQ(law.quantile(0.626), 1);
    expect_relative(reference_of(rng::bernoulli{1e-300}).log10_survival(0), -300);
    EXPECT_EQ(reference_of(rng::bernoulli{0}).log10_survival(0), -infinity);
    EXPECT_EQ(reference_of(rng::bernoulli{1}).cdf(0), 0);
}

// Numbers: mpmath 1.4.1 with 40 digits, from sums of masses.
TEST(Reference, Counts) {
    const Reference poisson = reference_of(rng::poisson{3.5});
    expect_relative(poisson.survival(20), 1.869183620178483e-10);
    expect_relative(poisson.cdf(2.5L), 0.32084719886213407);
    EXPECT_EQ(poisson.quantile(0.3208), 2);
    EXPECT_EQ(poisson.quantile(0.3209), 3);
    EXPECT_EQ(poisson.density(2.5L), 0);
    const Reference binomial = reference_of(rng::binomial{1000, 0.3});
    EXPECT_NEAR(binomial.cdf(250) / 0.00025980303652893069, 1, 1e-12);
    EXPECT_NEAR(binomial.survival(340) / 0.0028378627186379949, 1, 1e-12);
    EXPECT_EQ(binomial.survival(1000), 0);
    const Reference geometric = reference_of(rng::geometric{0.25});
    expect_relative(geometric.survival(50), 4.2474124232020322e-7);
    EXPECT_EQ(geometric.cdf(0), 0.25);
    const Reference hypergeometric = reference_of(rng::hypergeometric{40, 60, 30});
    expect_relative(hypergeometric.survival(18), 0.0019627926795303705, 1e-12);
    expect_relative(hypergeometric.cdf(7), 0.020967732582161028, 1e-12);
    const Reference negative_binomial = reference_of(rng::negative_binomial{2.5, 0.25});
    expect_relative(negative_binomial.survival(60), 1.1866562237703433e-6, 1e-12);
    const Reference zipf = reference_of(rng::zipf<int32_t>{1.5, 1000});
    expect_relative(zipf.survival(900), 0.0013410012830787023, 1e-12);
    expect_relative(reference_of(rng::zipf<int64_t>{2}).mean(), 19.313138094933053, 1e-12);
    const Reference log_series = reference_of(rng::log_series{0.9});
    expect_relative(log_series.survival(100), 9.4995620001508832e-7, 1e-12);
    const Reference sign = reference_of(rng::rademacher{});
    EXPECT_EQ(sign.cdf(-1), 0.5);
    EXPECT_EQ(sign.mean(), 0);
    EXPECT_EQ(sign.central_moment(4), 1);
    EXPECT_EQ(reference_of(rng::poisson{0}).quantile(0.5), 0);
    EXPECT_EQ(reference_of(rng::binomial{7, 1.0}).mean(), 7);
}

// ---- the whole catalogue

TEST(Catalogue, TailsAddUpToOne) {
    for_each_reference([](const Reference& law, const std::string& name) {
        for (const double p : {1e-3, 0.2, 0.5, 0.9, 0.9999}) {
            const long double x = law.quantile(p);
            EXPECT_NEAR(law.cdf(x) + law.survival(x), 1, 1e-15) << name;
            if (law.cdf(x) > 0) {
                EXPECT_NEAR(law.log10_cdf(x), std::log10(law.cdf(x)), 1e-13) << name;
            }
            if (law.survival(x) > 0) {
                EXPECT_NEAR(law.log10_survival(x), std::log10(law.survival(x)), 1e-12) << name;
            }
        }
    });
}

TEST(Catalogue, QuantilesInvert) {
    for_each_reference([](const Reference& law, const std::string& name) {
        for (const double p : {1e-12, 1e-3, 0.2, 0.5, 0.9}) {
            const long double low = law.quantile(p), high = law.upper_quantile(p);
            if (law.is_discrete()) {
                EXPECT_GE(law.cdf(low), p * (1 - 1e-15)) << name;
                EXPECT_LT(law.cdf(low - 1), p * (1 + 1e-15)) << name;
                EXPECT_LE(law.survival(high), p * (1 + 1e-15)) << name;
                EXPECT_GT(law.survival(high - 1), p * (1 - 1e-15)) << name;
            } else {
                EXPECT_NEAR(law.cdf(low), p, 1e-14) << name;
                EXPECT_NEAR(law.survival(high), p, 1e-14) << name;
            }
        }
        EXPECT_EQ(law.cdf(law.quantile(1)), 1) << name;
    });
}

TEST(Catalogue, DensitiesAddUpToTheDistributionFunction) {
    for_each_reference([](const Reference& law, const std::string& name) {
        long double low = law.quantile(0.3), high = law.quantile(0.6);
        if (law.is_discrete()) {
            high = std::min(high, low + 100);
            double sum = 0;
            for (long double x = low + 1; x <= high; ++x) sum += law.density(x);
            EXPECT_NEAR(sum, law.cdf(high) - law.cdf(low), 1e-14) << name;
        } else {
            // Simpson's rule. A density with a corner has it at the median, for these parameters.
            const auto integral = [&](long double begin, long double end) {
                constexpr int steps = 1000;
                const long double h = (end - begin) / steps;
                double sum = 0;
                for (int i = 0; i <= steps; ++i)
                    sum += (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2) * law.density(begin + i * h);
                return sum * static_cast<double>(h) / 3;
            };
            const long double middle = law.quantile(0.5);
            EXPECT_NEAR(integral(low, middle) + integral(middle, high), 0.3, 1e-12) << name;
        }
    });
}

/// The central moments of powers 1 to 8, of a law of not too many integers, by its distribution function.
std::vector<double> summed_moments(const Reference& law, long double least, long double most, double scale) {
    std::vector<double> moments(9);
    const long double middle = law.quantile(0.5), centre = law.mean();
    for (long double x = least; x <= most; ++x) {
        const double mass = x < middle ? law.cdf(x) - law.cdf(x - 1) : law.survival(x - 1) - law.survival(x);
        const double z = static_cast<double>(x - centre) / scale;
        for (std::size_t k = 1; k <= 8; ++k) moments[k] += mass * std::pow(z, k);
    }
    return moments;
}

// Moments, by integrating over probabilities: E g(X) is the integral of g(quantile(p)). A moment that the last steps
// decide, because a tail is heavy, is left out. Laws of not too many integers are summed.
TEST(Catalogue, Moments) {
    for_each_reference([](const Reference& law, const std::string& name) {
        constexpr int steps = 20000;
        const double scale = std::sqrt(law.central_moment(2)), centre = law.mean();
        if (!std::isfinite(scale)) return;
        // The steps end long before the tail does, which decides. MomentsOfCountsExactly has a zipf that ends.
        if (name.starts_with("zipf")) return;
        if (law.is_discrete()) {
            const long double least = law.quantile(1e-40), most = law.upper_quantile(1e-40);
            if (most - least < 1e5L) {
                const std::vector<double> sums = summed_moments(law, least, most, scale);
                for (int k = 1; k <= 8; ++k) {
                    const double expected = law.central_moment(k) / std::pow(scale, k);
                    EXPECT_NEAR(sums[static_cast<std::size_t>(k)], expected, 1e-9 * (1 + std::abs(expected)))
                        << name << ", power " << k;
                }
                return;
            }
        }
        std::vector<double> moments(9), greatest(9);
        for (int i = 0; i < steps; ++i) {
            // Midpoints, denser towards both ends: p = t^2 (3 - 2t).
            const double t = (i + 0.5) / steps, p = t * t * (3 - 2 * t), q = (1 - t) * (1 - t) * (1 + 2 * t);
            const long double x = p < 0.5 ? law.quantile(p) : law.upper_quantile(q);
            const double z = static_cast<double>(x - static_cast<long double>(centre)) / scale;
            for (std::size_t k = 1; k <= 8; ++k) {
                const double term = std::pow(z, k) * 6 * t * (1 - t) / steps;
                moments[k] += term;
                greatest[k] = std::max(greatest[k], std::abs(term));
            }
        }
        for (int k = 1; k <= 8; ++k) {
            const double expected = law.central_moment(k) / std::pow(scale, k);
            const auto i = static_cast<std::size_t>(k);
            if (!std::isfinite(expected) || greatest[i] > 0.01 * (1 + std::abs(expected))) {
                EXPECT_GT(k, 2) << name;
                continue;
            }
            EXPECT_NEAR(moments[i], expected, 2e-3 * (1 + std::abs(expected))) << name << ", power " << k;
        }
    });
}

TEST(Catalogue, MomentsOfIntegersExactly) {
    const Reference die = reference_of(rng::uniform_int<int32_t>{-2, 4});
    for (int k = 1; k <= 8; ++k) {
        double sum = 0;
        for (int x = -2; x <= 4; ++x) sum += std::pow(x - 1, k) / 7;
        EXPECT_NEAR(die.central_moment(k), sum, 1e-12 * (1 + sum)) << k;
    }
}

TEST(Catalogue, MomentsOfCountsExactly) {
    const auto check = [](const Reference& law, int most) {
        for (int k = 2; k <= 8; ++k) {
            long double sum = 0;
            for (int x = 0; x <= most; ++x)
                sum += law.density(x) * std::pow(x - static_cast<long double>(law.mean()), k);
            EXPECT_NEAR(law.central_moment(k) / static_cast<double>(sum), 1, 1e-10) << k;
        }
    };
    check(reference_of(rng::poisson{3.5}), 100);
    check(reference_of(rng::binomial{20, 0.3}), 20);
    check(reference_of(rng::geometric{0.25}), 1000);
    check(reference_of(rng::hypergeometric{40, 60, 30}), 30);
    check(reference_of(rng::negative_binomial{2.5, 0.25}), 1000);
    check(reference_of(rng::zipf{1.5, 1000}), 1000);
    check(reference_of(rng::log_series{0.9}), 2000);
}

TEST(Catalogue, RefusesWhatTheDistributionsRefuse) {
    EXPECT_EQ(message_of([] {
                  (void)reference_of(rng::normal<float>{0, 0});
              }),
              "reference_of: stddev of normal must be positive, got 0");
    EXPECT_EQ(message_of([] { (void)reference_of(rng::exponential<double>{-1}); }),
              "reference_of: rate of exponential must be in [2^-1000, 2^900], got -1");
    EXPECT_EQ(message_of([] {
                  (void)reference_of(rng::uniform_int<int32_t>{6, 1});
              }),
              "reference_of: hi of uniform_int must be at least lo, got 1");
    EXPECT_EQ(message_of([] { (void)reference_of(rng::poisson<int64_t>{0x1p41}); }),
              "law_of: the variance must be at most 2^40, got 2.19902e+12");
    const Reference law = reference_of(rng::normal<float>{});
    EXPECT_EQ(message_of([&] { (void)law.cdf(std::nan("")); }), "Reference::cdf: x must be a number, got nan");
    EXPECT_EQ(message_of([&] { (void)law.quantile(1.5); }), "Reference::quantile: p must be in [0, 1], got 1.5");
    EXPECT_EQ(message_of([&] { (void)law.central_moment(9); }),
              "Reference::central_moment: k must be in [1, 8], got 9");
}

}  // namespace
