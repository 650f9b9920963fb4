// Goodness of fit: known answers, closed forms, agreement of independent formulas, the null distributions.
//
// Numbers without another source: mpmath 1.4.1, by the definitions (sums over the binomial distribution, Smirnov's sum,
// Durbin's matrix, Anderson and Darling's series) with 30 digits or more.
//
#include <gtest/gtest.h>
#include <rng/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "statistical_tests/p_values/anderson_darling.hpp"
#include "statistical_tests/p_values/chi_square.hpp"
#include "statistical_tests/p_values/kolmogorov_smirnov.hpp"

namespace {

namespace stats = rng::stats;
using stats::PValue;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Both logarithms, to `digits` significant ones.
testing::AssertionResult near(const PValue& p, double log10_lower, double log10_upper, double digits = 12) {
    const auto differs = [&](double a, double b) {
        return a != b && !(std::abs(a - b) <= std::pow(10.0, -digits) * std::abs(b) + 1e-200);
    };
    if (!differs(p.log10_lower, log10_lower) && !differs(p.log10_upper, log10_upper))
        return testing::AssertionSuccess();
    return testing::AssertionFailure() << testing::PrintToString(p.log10_lower) << ", "
                                       << testing::PrintToString(p.log10_upper) << " where " << log10_lower << ", "
                                       << log10_upper << " are expected";
}

/// The message of the Error that f() throws.
template <class F> std::string message_of(const F& f) {
    try {
        f();
    } catch (const rng::Error& error) {
        return error.what();
    }
    return "no Error was thrown";
}

std::vector<double> sorted_uniforms(std::mt19937_64& entropy, std::size_t n) {
    std::vector<double> u(n);
    for (double& x : u) x = (static_cast<double>(entropy() >> 12) + 0.5) * 0x1p-52;
    std::sort(u.begin(), u.end());
    return u;
}

// ---- p-values

TEST(PValue, BothEndsAreExact) {
    const PValue p = stats::normal_p_value(40);
    EXPECT_EQ(p.log10_lower, 0);
    EXPECT_TRUE(near(p, 0, -349.43700645934584));
    EXPECT_NEAR(p.log10_two_sided(), -349.43700645934584 + std::log10(2), 1e-12);
    EXPECT_EQ(p.two_sided(), 0);
    const PValue near_one{std::log1p(-1e-20) / std::log(10.0), -20};
    EXPECT_NEAR(near_one.log10_lower * 1e21, -4.3429448190325182, 1e-14);
    EXPECT_DOUBLE_EQ(near_one.two_sided(), 2e-20);
    EXPECT_EQ((PValue{std::log10(0.7), std::log10(0.6)}).two_sided(), 1);
}

TEST(PValue, Randomised) {
    const PValue coin = stats::binomial_p_value(1, 2, 0.5);  // tails 3/4, of which 1/2 is the count's own probability
    EXPECT_NEAR(coin.randomised(0), 0.25, 1e-15);
    EXPECT_NEAR(coin.randomised(0.5), 0.5, 1e-15);
    EXPECT_NEAR(coin.randomised(1), 0.75, 1e-15);
    EXPECT_EQ(message_of([&] { (void)coin.randomised(1.5); }), "PValue::randomised: u must be in [0, 1], got 1.5");
}

TEST(PValue, Normal) {
    EXPECT_TRUE(near(stats::normal_p_value(0.5), -0.16023139227784902, -0.51069198926524077));
    EXPECT_TRUE(near(stats::normal_p_value(-3), -2.8696990359293691, -0.00058664931379006669));
    EXPECT_TRUE(near(stats::normal_p_value(8), -2.7017288495439213e-16, -15.206142551017155));
    EXPECT_TRUE(near(stats::normal_p_value(38), 0, -315.53978970396251));
    EXPECT_TRUE(near(stats::normal_p_value(-1000), -217150.64004199439, 0));
    EXPECT_TRUE(near(stats::normal_p_value(infinity), 0, -infinity));
    const double joint = 25 * std::sqrt(2.0);  // of erfc and its asymptotic series
    EXPECT_NEAR(stats::normal_p_value(joint * (1 - 1e-15)).log10_upper,
                stats::normal_p_value(joint * (1 + 1e-15)).log10_upper, 1e-11);
}

TEST(PValue, Gamma) {
    EXPECT_TRUE(near(stats::gamma_p_value(0.72, 0.5), -0.11358787257007537, -0.63800913588542587));
    EXPECT_TRUE(near(stats::gamma_p_value(800, 1), 0, -347.43558552260146));
    EXPECT_TRUE(near(stats::gamma_p_value(5000, 100), 0, -1961.2356992291252));
    EXPECT_TRUE(near(stats::gamma_p_value(1, 300), -614.9186523007803, 0));
    EXPECT_TRUE(near(stats::gamma_p_value(1e-3, 50), -214.48350065129559, 0));
    EXPECT_TRUE(near(stats::gamma_p_value(32768, 32768), -0.30039237941351234, -0.30166854941731996));
    EXPECT_TRUE(near(stats::gamma_p_value(33500, 32768), -1.2860588777967421e-5, -4.528529889851742, 10));
    EXPECT_TRUE(near(stats::gamma_p_value(45000, 32768), 0, -800.31491408396247));
    EXPECT_TRUE(near(stats::gamma_p_value(0, 3), -infinity, 0));
    // So little below so large a shape: the first term of the series is all of it.
    EXPECT_TRUE(near(stats::gamma_p_value(0, 32767.5), -infinity, 0));
    for (const double a : {199.0, 201.0, 32767.5, 1e6})
        for (const double x : {1e-300, 1e-100, 1e-12})
            EXPECT_TRUE(near(stats::gamma_p_value(x, a), (a * std::log(x) - std::lgamma(a + 1)) / std::log(10.0), 0));
    EXPECT_TRUE(near(stats::chi_square_p_value(1.44, 1), -0.11358787257007537, -0.63800913588542587));
}

TEST(PValue, Binomial) {
    EXPECT_TRUE(near(stats::binomial_p_value(7, 10, 0.25), -0.00018061806829257542, -2.4552244105655502));
    EXPECT_TRUE(near(stats::binomial_p_value(0, 10, 0.25), -1.2493873660829995, 0));
    EXPECT_TRUE(near(stats::binomial_p_value(10, 10, 0.25), 0, -6.0205999132796239));
    EXPECT_TRUE(near(stats::binomial_p_value(3000, 5000, 0.25), 0, -596.46081084199718));
    EXPECT_TRUE(near(stats::binomial_p_value(4990, 5000, 0.25), 0, -2975.1024280810762));
    EXPECT_TRUE(near(stats::binomial_p_value(5000, 5000, 0.25), 0, -3010.299956639812));
    EXPECT_TRUE(near(stats::binomial_p_value(0, 5000, 0.25), -624.69368304149977, 0));
    EXPECT_TRUE(near(stats::binomial_p_value(2000, 5000, 0.75), -596.46081084199718, 0));
    EXPECT_TRUE(near(stats::binomial_p_value(3, 3, 0), 0, -infinity));
}

TEST(PValue, Poisson) {
    EXPECT_TRUE(near(stats::poisson_p_value(3, 2.5), -0.12057371591064723, -0.3408572053321452));
    EXPECT_TRUE(near(stats::poisson_p_value(0, 2.5), -1.0857362047581296, 0));
    EXPECT_TRUE(near(stats::poisson_p_value(400, 2.5), 0, -710.71343090929672));
    // With a tiny mean the answer is its first term, 1e-12^2000 / 2000!, whose logarithm is a sum.
    EXPECT_TRUE(near(stats::poisson_p_value(2000, 1e-12), 0, -2000 * 12 - 5735.520650549068));
    EXPECT_TRUE(near(stats::poisson_p_value(0, 1000), -434.29448190325183, 0));
    EXPECT_TRUE(near(stats::poisson_p_value(1000, 1000), -0.29378645640261516, -0.29739264158958963));
}

// The larger of two dice is 5 or more with probability 20/36, and at most 5 with 25/36.
TEST(PValue, LargestOf) {
    const stats::PValue dice = stats::largest_of(2, std::log10(2.0 / 6), std::log10(1.0 / 6));
    EXPECT_NEAR(dice.upper(), 20.0 / 36, 1e-15);
    EXPECT_NEAR(dice.lower(), 25.0 / 36, 1e-15);
    EXPECT_NEAR(stats::largest_of(1000, -20, -20).log10_upper, -17, 1e-12);
    EXPECT_NEAR(stats::largest_of(1000, -5000, -5000).log10_upper, -4997, 1e-9);
    EXPECT_NEAR(stats::largest_of(1e6, -29.9999, -29.9999).log10_upper,
                stats::largest_of(1e6, -30.0001, -30.0001).log10_upper, 3e-4);
    constexpr double nothing = -std::numeric_limits<double>::infinity();
    const stats::PValue never = stats::largest_of(7, nothing, nothing);
    EXPECT_EQ(never.log10_upper, nothing);
    EXPECT_EQ(never.log10_lower, 0);
    EXPECT_EQ(stats::largest_of(7, 0, 0).log10_upper, 0);
    EXPECT_EQ(stats::largest_of(1e6, -1e-17, -1e-17).log10_upper, 0);
    EXPECT_EQ(message_of([] { (void)stats::largest_of(0, -1, -1); }),
              "largest_of: m must be positive and finite, got 0");
}

TEST(PValue, RefusesWhatIsOutOfRange) {
    EXPECT_EQ(message_of([] { (void)stats::chi_square_p_value(-1, 3); }),
              "chi_square_p_value: x must be at least 0, got -1");
    EXPECT_EQ(message_of([] { (void)stats::binomial_p_value(5, 4, 0.5); }),
              "binomial_p_value: count must be at most n, got 5");
    EXPECT_EQ(message_of([] { (void)stats::poisson_p_value(5, 0); }),
              "poisson_p_value: mean must be positive and finite, got 0");
    EXPECT_EQ(message_of([] { (void)stats::normal_p_value(std::nan("")); }),
              "normal_p_value: z must be a number, got nan");
}

// ---- Kolmogorov-Smirnov

TEST(KolmogorovSmirnov, Distances) {
    const std::vector<double> u{0.1, 0.2, 0.9};
    const auto result = stats::kolmogorov_smirnov(u);
    EXPECT_DOUBLE_EQ(result.d_plus, 2.0 / 3 - 0.2);
    EXPECT_DOUBLE_EQ(result.d_minus, 0.9 - 2.0 / 3);
    EXPECT_EQ(result.d(), result.d_plus);
    EXPECT_EQ(result.n, 3u);
    EXPECT_EQ(message_of([] { (void)stats::kolmogorov_smirnov({}); }),
              "kolmogorov_smirnov: there must be at least one value, got 0");
    EXPECT_EQ(message_of([] {
                  (void)stats::kolmogorov_smirnov(std::vector<double>{0.3, 0.2});
              }),
              "kolmogorov_smirnov: values must ascend, got 0.2");
    EXPECT_EQ(message_of([] { (void)stats::kolmogorov_smirnov(std::vector<double>{1.25}); }),
              "kolmogorov_smirnov: values must be in [0, 1], got 1.25");
}

TEST(KolmogorovSmirnov, ClosedForms) {
    for (double d = 0.01; d < 1; d += 0.01) {
        EXPECT_NEAR(stats::ks_one_sided_p_value(d, 1).upper(), 1 - d, 1e-15) << d;
        if (d > 0.5) {
            EXPECT_NEAR(stats::ks_two_sided_p_value(d, 1).upper(), 2 * (1 - d), 1e-15) << d;
        }
        // n = 2: P(D < d) = 2 (2d - 1/2)^2 up to d = 1/2, 1 - 2 (1 - d)^2 above.
        const double e = 1 - d, two = d <= 0.25 ? 0 : d <= 0.5 ? 2 * (2 * d - 0.5) * (2 * d - 0.5) : 1 - 2 * e * e;
        EXPECT_NEAR(stats::ks_two_sided_p_value(d, 2).lower(), two, 1e-15) << d;
    }
    // Up to d = 1 / n: n! (2d - 1/n)^n.
    EXPECT_NEAR(stats::ks_two_sided_p_value(0.09, 10).log10_lower, std::log10(3628800 * std::pow(0.08, 10)), 1e-12);
    EXPECT_TRUE(near(stats::ks_two_sided_p_value(0.05, 10), -infinity, 0));
    EXPECT_TRUE(near(stats::ks_two_sided_p_value(1, 10), 0, -infinity));
}

TEST(KolmogorovSmirnov, OneSidedKnownAnswers) {
    EXPECT_TRUE(near(stats::ks_one_sided_p_value(0.3, 2), -0.40893539297350081, -0.21467016498923295));
    EXPECT_TRUE(near(stats::ks_one_sided_p_value(0.274, 10), -0.089698538774187299, -0.72907656150523365));
    EXPECT_TRUE(near(stats::ks_one_sided_p_value(0.1, 50), -0.18369705443782475, -0.4622979662509864));
    EXPECT_TRUE(near(stats::ks_one_sided_p_value(0.5, 100), -2.634307502625969e-24, -23.217117842535487));
    EXPECT_TRUE(near(stats::ks_one_sided_p_value(0.02, 1000), -0.25447629599873799, -0.35317983662614129, 11));
    EXPECT_TRUE(near(stats::ks_one_sided_p_value(0.0005, 1000), -3.0841541164060031, -0.00035793910855825668));
    EXPECT_TRUE(near(stats::ks_one_sided_p_value(0.7, 1000), 0, -491.24060145075099));
    EXPECT_TRUE(near(stats::ks_one_sided_p_value(0.01, 5000), -0.19752948048034212, -0.43718014452989004, 11));
}

TEST(KolmogorovSmirnov, TwoSidedKnownAnswers) {
    EXPECT_NEAR(stats::ks_two_sided_p_value(0.274, 10).lower(), 0.6284796154565045, 1e-15);  // Marsaglia, Tsang, Wang
    EXPECT_TRUE(near(stats::ks_two_sided_p_value(0.1, 20), -1.6244295561696763, -0.010436686740776601));
    EXPECT_TRUE(near(stats::ks_two_sided_p_value(0.01, 100), -42.02999634528421, -4.0531060384218921e-43));
    EXPECT_TRUE(near(stats::ks_two_sided_p_value(0.1, 100), -0.12650080848795862, -0.59740720618945706, 11));
    EXPECT_TRUE(near(stats::ks_two_sided_p_value(0.19, 100), -0.00053624712410309574, -2.9086874311988655, 10));
    EXPECT_TRUE(near(stats::ks_two_sided_p_value(0.05, 500), -0.075029825193435996, -0.79952532586341313, 11));
    EXPECT_TRUE(near(stats::ks_two_sided_p_value(0.4, 40), -1.1906669270453195e-6, -5.5619946161641753));
    EXPECT_TRUE(near(stats::ks_two_sided_p_value(0.005, 1000), -18.984592703379164, -4.4997833864289721e-20, 11));
    EXPECT_NEAR(stats::ks_two_sided_p_value(0.025, 2500).lower(), 0.91359921762240511,
                0.06 / (2500.0 * 2500));  // the expansion
}

// Methods agree at the limits where one takes over from another.
TEST(KolmogorovSmirnov, Joints) {
    const auto upper = [](double d, uint64_t n) { return stats::ks_two_sided_p_value(d, n).log10_upper; };
    for (const uint64_t n : {20u, 300u, 2000u}) {  // n d^2 = 4
        const double d = 2 / std::sqrt(static_cast<double>(n));
        EXPECT_NEAR(upper(d * (1 - 1e-13), n), upper(d * (1 + 1e-13), n), 1e-9) << n;
    }
    const double d = 1.4, lower_joint = std::pow(d / 1e6, 2.0 / 3);  // n d^(3/2) = 1.4
    EXPECT_NEAR(stats::ks_two_sided_p_value(lower_joint * (1 - 1e-12), 1'000'000).log10_lower,
                stats::ks_two_sided_p_value(lower_joint * (1 + 1e-12), 1'000'000).log10_lower, 1e-4);
    const uint64_t n = uint64_t{1} << 22;
    for (const double s : {0.5, 2.0, 5.0, 12.0}) {  // s^2 = n d^2: from the sum to the expansion
        const double last = s / std::sqrt(static_cast<double>(n)), next = s / std::sqrt(static_cast<double>(n + 1));
        EXPECT_NEAR(stats::ks_one_sided_p_value(last, n).log10_upper,
                    stats::ks_one_sided_p_value(next, n + 1).log10_upper, 1e-8 + 1.7e-16 * std::pow(2 * s * s, 4))
            << s;
    }
}

// ---- Anderson-Darling

TEST(AndersonDarling, Statistic) {
    const std::vector<double> one{0.25}, two{0.2, 0.7};
    EXPECT_NEAR(stats::anderson_darling(one), -1 - std::log(0.25 * 0.75), 1e-15);
    EXPECT_NEAR(stats::anderson_darling(two),
                -2 - 0.5 * (std::log(0.2) + 3 * std::log(0.8) + 3 * std::log(0.7) + std::log(0.3)), 1e-15);
    EXPECT_EQ(stats::anderson_darling(std::vector<double>{0, 0.5}), infinity);
    EXPECT_EQ(message_of([] { (void)stats::anderson_darling(std::vector<double>{-0.5}); }),
              "anderson_darling: values must be in [0, 1], got -0.5");
}

TEST(AndersonDarling, LimitKnownAnswers) {
    const auto limit = stats::anderson_darling_limit_p_value;
    EXPECT_TRUE(near(limit(0.002), -266.2440471389131, -2.4759232176439e-267));
    EXPECT_TRUE(near(limit(0.05), -9.761579443453519, -7.5197753752260e-11));
    EXPECT_TRUE(near(limit(0.5), -0.5965609531653537, -0.12678733201267));
    EXPECT_TRUE(near(limit(1.1), -0.1603938915864533, -0.51032803327084));
    EXPECT_TRUE(near(limit(1.3), -0.1148354708109159, -0.63386153540065));
    EXPECT_TRUE(near(limit(2.492367), -0.02227639913136261, -1.30102991168));
    EXPECT_TRUE(near(limit(8), -4.943167285995188e-5, -3.9438037188583));
    EXPECT_NEAR(limit(3.8781250216053948842).upper(), 0.01, 1e-14);  // Marsaglia and Marsaglia
    // The series for small and for large values are different theorems; here they meet.
    EXPECT_NEAR(limit(1.2 - 1e-13).log10_upper, limit(1.2).log10_upper, 1e-12);
    EXPECT_TRUE(near(limit(0), -infinity, 0));
    EXPECT_TRUE(near(limit(infinity), 0, -infinity));
    EXPECT_EQ(message_of([&] { (void)limit(-1); }), "anderson_darling_limit_p_value: a2 must be at least 0, got -1");
}

TEST(AndersonDarling, OneValue) {
    for (const double u : {0.001, 0.1, 0.3, 0.49}) {
        const double a2 = stats::anderson_darling(std::vector<double>{u});
        EXPECT_NEAR(stats::anderson_darling_p_value(a2, 1).log10_upper, std::log10(2 * u), 1e-13) << u;
    }
}

// The correction for finite n is two fitted polynomials and a third function: they meet, which a wrong coefficient
// would undo.
TEST(AndersonDarling, CorrectionsMeet) {
    for (const uint64_t n : {8u, 20u, 100u})
        for (const double joint : {0.8, 0.01265 + 0.1757 / static_cast<double>(n)}) {
            double below = 0, above = 10;  // the limit has P(A^2 < below) < joint <= P(A^2 < above)
            for (int i = 0; i < 45; ++i) {
                const double middle = (below + above) / 2;
                (stats::anderson_darling_limit_p_value(middle).lower() < joint ? below : above) = middle;
            }
            EXPECT_NEAR(stats::anderson_darling_p_value(below, n).lower(),
                        stats::anderson_darling_p_value(above, n).lower(), 5e-6)
                << n << ", " << joint;
        }
}

// ---- the null distributions: p-values of uniforms are uniform, with seeds that are fixed

/// Counts p-values in ten cells of [0, 1]; their chi-square has nine degrees of freedom.
template <class P> PValue evenness(std::size_t samples, const P& p) {
    std::vector<uint64_t> counts(10);
    for (std::size_t i = 0; i < samples; ++i) ++counts[std::min<std::size_t>(9, static_cast<std::size_t>(10 * p()))];
    return stats::chi_square(counts, std::vector<double>(10, static_cast<double>(samples) / 10)).p;
}

constexpr double share = 1e-6;  // of false alarms a check, were the seeds drawn anew

TEST(NullDistribution, KolmogorovSmirnov) {
    for (const std::size_t n : {1u, 3u, 10u, 60u}) {
        std::mt19937_64 entropy(n);
        const auto two = [&] {
            return stats::ks_two_sided_p_value(stats::kolmogorov_smirnov(sorted_uniforms(entropy, n)).d(), n).upper();
        };
        const auto one = [&] {
            const auto result = stats::kolmogorov_smirnov(sorted_uniforms(entropy, n));
            return stats::ks_one_sided_p_value(result.d_minus, n).lower();
        };
        // A table for another n, or Kolmogorov's limit for so few values, must be seen to be wrong.
        const auto wrong = [&] {
            return stats::ks_two_sided_p_value(stats::kolmogorov_smirnov(sorted_uniforms(entropy, n)).d(),
                                               n + 1 + n / 5)
                .upper();
        };
        EXPECT_GE(evenness(20000, two).two_sided(), share) << n;
        EXPECT_GE(evenness(20000, one).two_sided(), share) << n;
        EXPECT_LT(evenness(20000, wrong).two_sided(), share) << n;
    }
}

TEST(NullDistribution, AndersonDarling) {
    for (const std::size_t n : {1u, 8u, 20u, 100u}) {
        std::mt19937_64 entropy(n);
        const auto sound = [&] {
            return stats::anderson_darling_p_value(stats::anderson_darling(sorted_uniforms(entropy, n)), n).upper();
        };
        const auto squeezed = [&] {  // values a little too near to the middle
            auto u = sorted_uniforms(entropy, n);
            for (double& x : u) x = 0.5 + (x - 0.5) * 0.9;
            return stats::anderson_darling_p_value(stats::anderson_darling(u), n).upper();
        };
        EXPECT_GE(evenness(20000, sound).two_sided(), share) << n;
        EXPECT_LT(evenness(20000, squeezed).two_sided(), share) << n;
    }
}

// The correction for finite n: far enough from the limit to be told from it.
TEST(NullDistribution, AndersonDarlingOfEightIsNotTheLimit) {
    std::mt19937_64 entropy(8);
    constexpr std::size_t samples = 500'000, n = 8;
    uint64_t below = 0;
    for (std::size_t i = 0; i < samples; ++i) below += stats::anderson_darling(sorted_uniforms(entropy, n)) < 0.5;
    const double corrected = stats::anderson_darling_p_value(0.5, n).lower();
    const double limit = stats::anderson_darling_limit_p_value(0.5).lower();
    EXPECT_GE(stats::binomial_p_value(below, samples, corrected).two_sided(), share);
    EXPECT_LT(stats::binomial_p_value(below, samples, limit).two_sided(), share);
}

// ---- chi-square

TEST(ChiSquare, KnownAnswer) {
    const std::vector<uint64_t> observed{44, 56};
    const std::vector<double> expected{50, 50};
    const auto result = stats::chi_square(observed, expected);
    EXPECT_DOUBLE_EQ(result.statistic, 1.44);
    EXPECT_EQ(result.cells, 2u);
    EXPECT_NEAR(result.p.upper(), 0.23013934044341544, 1e-14);
}

TEST(ChiSquare, MergesNeighbours) {
    // 3 + 8 is a cell, 20 one, 4 + 5 + 2 one, and the 3 left over join it.
    const std::vector<uint64_t> observed{1, 9, 25, 4, 5, 0, 1};
    const std::vector<double> expected{3, 8, 20, 4, 5, 2, 3};
    const auto result = stats::chi_square(observed, expected);
    EXPECT_EQ(result.cells, 3u);
    EXPECT_NEAR(result.statistic, 1.0 / 11 + 25.0 / 20 + 16.0 / 14, 1e-14);
    EXPECT_EQ(stats::chi_square(observed, expected, 1).cells, 7u);
}

TEST(ChiSquare, TheImpossibleHasProbabilityZero) {
    const std::vector<uint64_t> observed{20, 19, 1}, without{20, 20, 0};
    const std::vector<double> expected{20, 20, 0};
    EXPECT_EQ(stats::chi_square(observed, expected).p.log10_upper, -infinity);
    EXPECT_EQ(stats::chi_square(without, expected).p.upper(), 1);
}

TEST(ChiSquare, RefusesWhatItCannotJudge) {
    const std::vector<uint64_t> observed{20, 19};
    const auto message = [&](std::vector<double> expected, double least = 10) {
        return message_of([&] { (void)stats::chi_square(observed, expected, least); });
    };
    EXPECT_EQ(message({39}), "chi_square: there must be an expectation for each count, got 1");
    EXPECT_EQ(message({-1, 40}), "chi_square: expectations must be finite and at least 0, got -1");
    EXPECT_EQ(message({20, 20}), "chi_square: expectations must have the counts' sum, got 40");
    EXPECT_EQ(message({34, 5}), "chi_square: at least two cells must be left after merging, got 1");
    EXPECT_EQ(message({20, 19}, 0), "chi_square: least_expected must be positive, got 0");
}

TEST(NullDistribution, ChiSquare) {
    std::mt19937_64 entropy(1);
    const auto throws = [&](unsigned sides) {  // of a die whose first face has two of `sides` chances
        std::vector<uint64_t> counts(7);
        for (int i = 0; i < 7000; ++i) ++counts[std::max<uint64_t>(1, entropy() % sides) - 1];
        return stats::chi_square(counts, std::vector<double>(7, 1000)).p;
    };
    std::vector<uint64_t> counts(7);
    const auto sound = [&] {
        std::fill(counts.begin(), counts.end(), 0);
        for (int i = 0; i < 700; ++i) ++counts[entropy() % 7];
        return stats::chi_square(counts, std::vector<double>(7, 100)).p.upper();
    };
    EXPECT_GE(evenness(20000, sound).two_sided(), share);
    EXPECT_LT(throws(8).log10_two_sided(), -100);
}

}  // namespace
