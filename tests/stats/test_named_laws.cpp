// The continuous laws of distributions by name: known answers of both tails, and agreement of what a law says of
// itself.
//
// Numbers: mpmath 1.4.1 with 40 digits, from the distribution functions as the literature writes them.
//
#include <gtest/gtest.h>
#include <rng/core/error.hpp>
#include <rng/stats/law_of.hpp>

#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "statistical_tests/laws/base_laws.hpp"
#include "statistical_tests/laws/named_laws.hpp"
#include "statistical_tests/laws/reference.hpp"

namespace {

using namespace rng::stats;
using detail::Continuous;

struct Answer {
    const char* name;
    std::vector<Parameter> parameters;
    double x, cdf, survival;
};
// clang-format off
const std::vector<Answer> answers{
    {"lognormal", {{"mu", 1}, {"sigma", 0.5}}, 0.05, 6.6672533139476027e-16, 0.99999999999999933},
    {"lognormal", {{"mu", 1}, {"sigma", 0.5}}, 3, 0.57817410080287318, 0.42182589919712682},
    {"lognormal", {{"mu", 1}, {"sigma", 0.5}}, 90, 0.99999999999871671, 1.2832943972785904e-12},
    {"half_normal", {{"sigma", 2}}, 0.001, 0.00039894226377883829, 0.99960105773622116},
    {"half_normal", {{"sigma", 2}}, 2, 0.6826894921370859, 0.3173105078629141},
    {"half_normal", {{"sigma", 2}}, 20, 1.0, 1.5239706048321052e-23},
    {"truncated_normal", {{"mean", 1}, {"stddev", 2}, {"lo", 5}, {"hi", 9}}, 5.0009765625, 0.0011598456273632475, 0.99884015437263675},
    {"truncated_normal", {{"mean", 1}, {"stddev", 2}, {"lo", 5}, {"hi", 9}}, 6, 0.72806282239811792, 0.27193717760188208},
    {"truncated_normal", {{"mean", 1}, {"stddev", 2}, {"lo", 5}, {"hi", 9}}, 8.9990234375, 0.99999712081531577, 2.8791846842305633e-6},
    {"gamma", {{"shape", 2.5}, {"scale", 2}}, 0.0001, 5.3190404365318191e-12, 0.99999999999468096},
    {"gamma", {{"shape", 2.5}, {"scale", 2}}, 4, 0.45058404864721977, 0.54941595135278023},
    {"gamma", {{"shape", 2.5}, {"scale", 2}}, 120, 1.0, 3.138579772755296e-24},
    {"gamma", {{"shape", 0.125}, {"scale", 1}}, 1e-40, 1.0618611645830609e-5, 0.99998938138835417},
    {"gamma", {{"shape", 0.125}, {"scale", 1}}, 0.01, 0.5964666907304532, 0.4035333092695468},
    {"gamma", {{"shape", 0.125}, {"scale", 1}}, 30, 0.99999999999999938, 6.1595965869868136e-16},
    {"gamma", {{"shape", 10000}, {"scale", 1}}, 9000, 2.073299202433928e-25, 1.0},
    {"gamma", {{"shape", 10000}, {"scale", 1}}, 10000, 0.5013298083399552, 0.4986701916600448},
    {"gamma", {{"shape", 10000}, {"scale", 1}}, 11000, 1.0, 1.6928531496469328e-22},
    {"log_gamma", {{"shape", 0.03125}}, -1500, 4.4661812092090359e-21, 1.0},
    {"log_gamma", {{"shape", 0.03125}}, -20, 0.54457302863500275, 0.45542697136499725},
    {"log_gamma", {{"shape", 0.03125}}, 3, 0.99999999999685551, 3.1444927549563748e-12},
    {"inverse_gamma", {{"shape", 3}, {"scale", 2}}, 0.04, 2.5093035522010595e-19, 1.0},
    {"inverse_gamma", {{"shape", 3}, {"scale", 2}}, 0.75, 0.50182492549801108, 0.49817507450198892},
    {"inverse_gamma", {{"shape", 3}, {"scale", 2}}, 1000, 0.99999999866866507, 1.3313349324448253e-9},
    {"chi_squared", {{"nu", 5}}, 0.001, 1.6814877189706275e-9, 0.99999999831851228},
    {"chi_squared", {{"nu", 5}}, 4, 0.45058404864721977, 0.54941595135278023},
    {"chi_squared", {{"nu", 5}}, 80, 0.99999999999999916, 8.3918251148316101e-16},
    {"chi", {{"nu", 5}}, 0.03125, 1.584701406135425e-9, 0.99999999841529859},
    {"chi", {{"nu", 5}}, 2, 0.45058404864721977, 0.54941595135278023},
    {"chi", {{"nu", 5}}, 9, 0.99999999999999948, 5.1832630569330407e-16},
    {"laplace", {{"loc", 1}, {"scale", 2}}, -40, 6.2507643319337131e-10, 0.99999999937492357},
    {"laplace", {{"loc", 1}, {"scale", 2}}, 1.5, 0.61059960846429757, 0.38940039153570243},
    {"laplace", {{"loc", 1}, {"scale", 2}}, 60, 0.99999999999992286, 7.7140560159594392e-14},
    {"logistic", {{"loc", 1}, {"scale", 2}}, -60, 5.6756852326324003e-14, 0.99999999999994324},
    {"logistic", {{"loc", 1}, {"scale", 2}}, 1.5, 0.5621765008857981, 0.4378234991142019},
    {"logistic", {{"loc", 1}, {"scale", 2}}, 80, 0.99999999999999999, 7.0043520261686452e-18},
    {"gumbel", {{"loc", 1}, {"scale", 2}}, -6, 4.1508969201090363e-15, 0.99999999999999585},
    {"gumbel", {{"loc", 1}, {"scale", 2}}, 1.5, 0.45895606930766382, 0.54104393069233618},
    {"gumbel", {{"loc", 1}, {"scale", 2}}, 80, 0.99999999999999999, 7.0043520261686452e-18},
    {"weibull", {{"shape", 1.5}, {"scale", 2}}, 1e-06, 3.5355339053077374e-10, 0.99999999964644661},
    {"weibull", {{"shape", 1.5}, {"scale", 2}}, 2, 0.63212055882855768, 0.36787944117144232},
    {"weibull", {{"shape", 1.5}, {"scale", 2}}, 25, 1.0, 6.4078771339016348e-20},
    {"frechet", {{"shape", 1.5}, {"scale", 2}}, 0.125, 1.6038108905486379e-28, 1.0},
    {"frechet", {{"shape", 1.5}, {"scale", 2}}, 2, 0.36787944117144232, 0.63212055882855768},
    {"frechet", {{"shape", 1.5}, {"scale", 2}}, 1000000000.0, 0.99999999999991056, 8.9442719099987588e-14},
    {"pareto", {{"shape", 1.5}, {"scale", 2}}, 2.0009765625, 0.00073197509468288806, 0.99926802490531711},
    {"pareto", {{"shape", 1.5}, {"scale", 2}}, 3, 0.45566894604818264, 0.54433105395181736},
    {"pareto", {{"shape", 1.5}, {"scale", 2}}, 1000000000.0, 0.99999999999991056, 8.9442719099991588e-14},
    {"lomax", {{"shape", 1.5}, {"scale", 2}}, 1e-06, 7.499995312502734e-7, 0.99999925000046875},
    {"lomax", {{"shape", 1.5}, {"scale", 2}}, 2, 0.64644660940672624, 0.35355339059327376},
    {"lomax", {{"shape", 1.5}, {"scale", 2}}, 1000000000.0, 0.99999999999991056, 8.9442718831663431e-14},
    {"power", {{"shape", 2.5}}, 1e-06, 9.9999999999999989e-16, 0.999999999999999},
    {"power", {{"shape", 2.5}}, 0.75, 0.48713928962874674, 0.51286071037125326},
    {"power", {{"shape", 2.5}}, 0.9999, 0.99975001874968752, 0.00024998125031247638},
    {"kumaraswamy", {{"a", 2.5}, {"b", 3.5}}, 1e-06, 3.4999999999999952e-15, 0.9999999999999965},
    {"kumaraswamy", {{"a", 2.5}, {"b", 3.5}}, 0.5, 0.49381205578204671, 0.50618794421795329},
    {"kumaraswamy", {{"a", 2.5}, {"b", 3.5}}, 0.9999, 0.99999999999975301, 2.4698809796348976e-13},
    {"rayleigh", {{"sigma", 2}}, 1e-06, 1.2499999999999218e-13, 0.999999999999875},
    {"rayleigh", {{"sigma", 2}}, 2, 0.39346934028736658, 0.60653065971263342},
    {"rayleigh", {{"sigma", 2}}, 25, 1.0, 1.1769109439216723e-34},
    {"maxwell", {{"sigma", 2}}, 0.001, 3.3245187540063584e-11, 0.99999999996675481},
    {"maxwell", {{"sigma", 2}}, 3, 0.47783281046460869, 0.52216718953539131},
    {"maxwell", {{"sigma", 2}}, 25, 1.0, 1.1812639680915419e-33},
    {"double_sided_maxwell", {{"loc", 1}, {"scale", 2}}, -20, 4.8473344332249378e-24, 1.0},
    {"double_sided_maxwell", {{"loc", 1}, {"scale", 2}}, 1.5, 0.50203929648221142, 0.49796070351778858},
    {"double_sided_maxwell", {{"loc", 1}, {"scale", 2}}, 25, 1.0, 2.5934253039164492e-31},
    {"triangular", {{"left", -1}, {"mode", 1}, {"right", 4}}, -0.9990234375, 9.5367431640625e-8, 0.99999990463256836},
    {"triangular", {{"left", -1}, {"mode", 1}, {"right", 4}}, 2, 0.73333333333333333, 0.26666666666666667},
    {"triangular", {{"left", -1}, {"mode", 1}, {"right", 4}}, 3.9990234375, 0.99999993642171224, 6.3578287760416667e-8},
    {"cauchy", {{"loc", 1}, {"scale", 2}}, -1000000000.0, 6.3661977173096157e-10, 0.99999999936338023},
    {"cauchy", {{"loc", 1}, {"scale", 2}}, 1.5, 0.57797913037736933, 0.42202086962263067},
    {"cauchy", {{"loc", 1}, {"scale", 2}}, 1000000000000.0, 0.99999999999936338, 6.3661977236821796e-13},
    {"half_cauchy", {{"scale", 2}}, 1e-09, 3.1830988618379069e-10, 0.99999999968169011},
    {"half_cauchy", {{"scale", 2}}, 2.5, 0.57044657495455455, 0.42955342504544545},
    {"half_cauchy", {{"scale", 2}}, 1000000000000.0, 0.99999999999872676, 1.2732395447351627e-12},
    {"student_t", {{"nu", 4.5}}, -300, 3.7411552422622128e-11, 0.99999999996258845},
    {"student_t", {{"nu", 4.5}}, 0.5, 0.67972524896297643, 0.32027475103702357},
    {"student_t", {{"nu", 4.5}}, 40, 0.99999967752173935, 3.2247826064604991e-7},
    {"inverse_gaussian", {{"mean", 2}, {"lambda", 3}}, 0.05, 4.1746599189722541e-14, 0.99999999999995825},
    {"inverse_gaussian", {{"mean", 2}, {"lambda", 3}}, 1.5, 0.49569012484162948, 0.50430987515837052},
    {"inverse_gaussian", {{"mean", 2}, {"lambda", 3}}, 60, 0.99999999999724186, 2.7581355283449907e-12},
    {"exponentially_modified_normal", {{"loc", 1}, {"scale", 2}, {"shape", 1.5}}, -13, 1.0764255059143567e-13, 0.99999999999989236},
    {"exponentially_modified_normal", {{"loc", 1}, {"scale", 2}, {"shape", 1.5}}, 3, 0.43704289963841456, 0.56295710036158544},
    {"exponentially_modified_normal", {{"loc", 1}, {"scale", 2}, {"shape", 1.5}}, 60, 0.9999999964075968, 3.592403196114111e-9},
    {"exponentially_modified_normal", {{"loc", 0}, {"scale", 1}, {"shape", 0.0625}}, 0.5, 0.66884195528420266, 0.33115804471579734},
    {"exponentially_modified_normal", {{"loc", 0}, {"scale", 1}, {"shape", 40}}, 25, 0.46457127614606294, 0.53542872385393706},
    {"beta", {{"a", 2.5}, {"b", 0.75}}, 1e-06, 6.2597024303598974e-16, 0.99999999999999937},
    {"beta", {{"a", 2.5}, {"b", 0.75}}, 0.75, 0.37597661973800654, 0.62402338026199346},
    {"beta", {{"a", 2.5}, {"b", 0.75}}, 0.9999, 0.99791356703013767, 0.0020864329698623282},
    {"beta_prime", {{"a", 2.5}, {"b", 1.5}}, 1e-06, 2.0371774510639447e-15, 0.99999999999999796},
    {"beta_prime", {{"a", 2.5}, {"b", 1.5}}, 2, 0.5303683342274206, 0.4696316657725794},
    {"beta_prime", {{"a", 2.5}, {"b", 1.5}}, 1000000.0, 0.9999999966047027, 3.3952973039085655e-9},
    {"fisher_f", {{"d1", 5}, {"d2", 7}}, 0.0001, 4.6835568724911741e-10, 0.99999999953164431},
    {"fisher_f", {{"d1", 5}, {"d2", 7}}, 1.5, 0.69851354544711569, 0.30148645455288431},
    {"fisher_f", {{"d1", 5}, {"d2", 7}}, 400, 0.99999998063316702, 1.9366832979948867e-8},
    {"noncentral_chi_squared", {{"nu", 4.5}, {"lambda", 3.25}}, 0.001, 2.8873444604479009e-9, 0.99999999711265554},
    {"noncentral_chi_squared", {{"nu", 4.5}, {"lambda", 3.25}}, 7, 0.51061120203249673, 0.48938879796750327},
    {"noncentral_chi_squared", {{"nu", 4.5}, {"lambda", 3.25}}, 90, 0.99999999999986131, 1.3869280595358325e-13},
    {"noncentral_chi_squared", {{"nu", 0.25}, {"lambda", 60}}, 1e-20, 2.881406497075719e-16, 0.99999999999999971},
    {"noncentral_chi_squared", {{"nu", 0.25}, {"lambda", 60}}, 55, 0.38968090505863367, 0.61031909494136633},
    {"noncentral_chi_squared", {{"nu", 0.25}, {"lambda", 60}}, 250, 0.99999999999999972, 2.7787142336827783e-16},
    {"noncentral_f", {{"d1", 5}, {"d2", 7}, {"lambda", 2}}, 0.0001, 1.7231952568731668e-10, 0.99999999982768047},
    {"noncentral_f", {{"d1", 5}, {"d2", 7}, {"lambda", 2}}, 1.5, 0.54563232689587423, 0.45436767310412577},
    {"noncentral_f", {{"d1", 5}, {"d2", 7}, {"lambda", 2}}, 400, 0.99999994302583829, 5.6974161709749871e-8},
    {"generalized_normal", {{"loc", 1}, {"scale", 2}, {"shape", 1.5}}, -15, 1.9173825104052119e-11, 0.99999999998082617},
    {"generalized_normal", {{"loc", 1}, {"scale", 2}, {"shape", 1.5}}, 1.5, 0.63180563923280867, 0.36819436076719133},
    {"generalized_normal", {{"loc", 1}, {"scale", 2}, {"shape", 1.5}}, 20, 0.99999999999997724, 2.275770744085066e-14},
    {"von_mises", {{"mu", 0.5}, {"kappa", 4}}, -3.125, 6.8745602662017689e-6, 0.9999931254397338},
    {"von_mises", {{"mu", 0.5}, {"kappa", 4}}, 0.75, 0.68467359910389628, 0.31532640089610372},
    {"von_mises", {{"mu", 0.5}, {"kappa", 4}}, 3.125, 0.99999290316237229, 7.0968376277135397e-6},
    {"von_mises", {{"mu", 0}, {"kappa", 0}}, -3.0, 0.022535170724313993, 0.97746482927568601},
    {"von_mises", {{"mu", 0}, {"kappa", 0}}, 1.0, 0.65915494309189534, 0.34084505690810466},
    {"von_mises", {{"mu", 0}, {"kappa", 0}}, 3.0, 0.97746482927568601, 0.022535170724313993},
};
// clang-format on

std::string text(const Answer& a) {
    std::string text = a.name;
    for (const Parameter& p : a.parameters) text += " " + p.name + "=" + std::to_string(p.value);
    return text + " at " + std::to_string(a.x);
}
/// Calls f(law, name) for each law of the list, once.
template <class F> void for_each_law(const F& f) {
    std::string last;
    for (const Answer& a : answers) {
        std::string name = text(a);
        name.resize(name.find(" at "));
        if (name != last) f(detail::named_law(a.name, a.parameters), name);
        last = name;
    }
}

TEST(NamedLaws, KnownAnswersOfBothTails) {
    for (const Answer& a : answers) {
        const Reference law = named_reference(a.name, a.parameters);
        EXPECT_NEAR(law.cdf(a.x) / a.cdf, 1, 1e-12) << text(a);
        EXPECT_NEAR(law.survival(a.x) / a.survival, 1, 1e-12) << text(a);
        EXPECT_NEAR(law.log10_cdf(a.x), std::log10(a.cdf), 1e-12 * (1 - std::log10(a.cdf))) << text(a);
        EXPECT_NEAR(law.cdf(a.x) + law.survival(a.x), 1, 1e-15) << text(a);
    }
}

TEST(NamedLaws, QuantilesInvert) {
    for_each_law([](const Continuous& law, const std::string& name) {
        for (const double p : {1e-30, 1e-9, 1e-3, 0.2, 0.4999, 0.5})
            for (const double t : {p, -p}) {
                const double x = law->quantile(t);
                if (!(x > law->lo() && x < law->hi())) continue;
                // The nearest double is as good as a quantile can be.
                const double found = law->probability(x), step = std::fabs(std::nextafter(x, HUGE_VAL) - x);
                const double enough = 1e-11 * p + 4 * step * law->density(x);
                const double below = std::signbit(found) ? 1 + found : found, wanted = t < 0 ? 1 + t : t;
                if (std::signbit(found) == std::signbit(t))
                    EXPECT_NEAR(found, t, enough) << name;
                else
                    EXPECT_NEAR(below, wanted, enough) << name;
            }
        EXPECT_EQ(law->quantile(0.0), law->lo()) << name;
        EXPECT_EQ(law->quantile(-0.0), law->hi()) << name;
    });
}

TEST(NamedLaws, DensitiesAddUpToTheDistributionFunction) {
    for_each_law([](const Continuous& law, const std::string& name) {
        for (const double t : {0.05, 0.3, -0.4, -0.1}) {
            const double from = law->quantile(t), to = law->quantile(t + 0.05);
            constexpr int steps = 2000;  // Simpson's rule
            const double h = (to - from) / steps;
            double sum = 0;
            for (int i = 0; i <= steps; ++i)
                sum += (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2) * law->density(from + i * h);
            EXPECT_NEAR(sum * h / 3, 0.05, 1e-7) << name << " from " << from;
        }
    });
}

// Formulas of the moments: Johnson, Kotz, Balakrishnan.
TEST(NamedLaws, Moments) {
    const auto expect = [](const char* name, const std::vector<Parameter>& parameters, double mean, double variance,
                           double third) {
        const Reference law = named_reference(name, parameters);
        const double unit = std::sqrt(variance);
        EXPECT_NEAR(law.mean(), mean, 1e-10 * (unit + std::fabs(mean))) << name;
        EXPECT_NEAR(law.central_moment(2) / variance, 1, 1e-9) << name;
        EXPECT_NEAR(law.central_moment(3) / std::pow(unit, 3), third / std::pow(unit, 3), 1e-8) << name;
    };
    expect("gamma", {{"shape", 2.5}, {"scale", 2}}, 5, 10, 40);
    expect("chi_squared", {{"nu", 5}}, 5, 10, 40);
    expect("noncentral_chi_squared", {{"nu", 5}, {"lambda", 3}}, 8, 2 * 11, 8 * 14);
    expect("noncentral_chi_squared", {{"nu", 5}, {"lambda", 0}}, 5, 10, 40);
    expect("laplace", {{"loc", 1}, {"scale", 2}}, 1, 8, 0);
    expect("logistic", {{"loc", 1}, {"scale", 2}}, 1, 4 * M_PI * M_PI / 3, 0);
    expect("gumbel", {{"loc", 1}, {"scale", 2}}, 1 + 2 * 0.57721566490153286, 4 * M_PI * M_PI / 6,
           8 * 2 * 1.2020569031595943);
    expect("inverse_gaussian", {{"mean", 2}, {"lambda", 3}}, 2, 8.0 / 3, 3 * 32.0 / 9);
    expect("exponentially_modified_normal", {{"loc", 1}, {"scale", 2}, {"shape", 1.5}}, 4, 13, 54);
    expect("triangular", {{"left", -1}, {"mode", 1}, {"right", 4}}, 4.0 / 3, 19.0 / 18,
           (-1 + 4 - 2 * 1.0) * (-2 - 4 - 1.0) * (-1 - 8 + 1.0) / 270);
    expect("beta", {{"a", 2}, {"b", 3}}, 0.4, 0.04, 0.04 * 0.2 * 2.0 / 7);
    expect("student_t", {{"nu", 5}}, 0, 5.0 / 3, 0);
    expect("rayleigh", {{"sigma", 2}}, 2 * std::sqrt(M_PI / 2), 4 * (2 - M_PI / 2),
           8 * (M_PI - 3) * std::sqrt(M_PI / 2));
    expect("von_mises", {{"mu", 0}, {"kappa", 0}}, 0, M_PI * M_PI / 3, 0);
    EXPECT_TRUE(std::isnan(named_reference("cauchy", std::vector<Parameter>{{"loc", 0}, {"scale", 1}}).mean()));
    EXPECT_TRUE(std::isnan(named_reference("student_t", std::vector<Parameter>{{"nu", 4}}).central_moment(4)));
    EXPECT_EQ(detail::named_law("pareto", std::vector<Parameter>{{"shape", 2.5}, {"scale", 1}})->moment_limit(), 2.5);
}

// ---- tables beside the functions that they were made from

void expect_equal(const Continuous& exact, const Continuous& fast, const std::string& name) {
    for (int i = 1; i < 2000; ++i) {
        const double p = std::exp(-0.25 * i);
        if (p < 1e-200) break;
        for (const double t : {p / 2, -p / 2}) {
            const double x = fast->quantile(t);
            if (!(x > exact->lo() && x < exact->hi()) || std::fabs(x) < 1e-300) continue;
            const double expected = exact->probability(x), found = fast->probability(x);
            // A value's own rounding is magnified by the density.
            const double error = 1e-11 + 1e-15 * std::fabs(x) * exact->density(x) / std::fabs(expected);
            if (std::signbit(expected) == std::signbit(found))
                ASSERT_NEAR(found / expected, 1, error) << name << ": " << x;
            else
                ASSERT_NEAR(std::fabs(found) + std::fabs(expected), 1, error) << name << ": " << x;
        }
    }
}

TEST(PreparedLaws, EqualTheExactLaws) {
    using namespace detail;
    const auto both = [](const char* name, auto make, auto... p) {
        std::string text = name;
        ((text += " " + std::to_string(p)), ...);
        expect_equal(make(p..., false), make(p..., true), text);
    };
    for (const double shape : {0.05, 0.5, 1.0, 7.5, 1e4}) {
        both("gamma", gamma_base, shape);
        both("log_gamma", log_gamma_base, shape);
        both("beta_prime", beta_prime_base, shape, 0.75);
        both("beta_prime", beta_prime_base, 3.0, shape);
        both("inverse_gaussian", inverse_gaussian_base, 1.0, shape);
        both("von_mises", von_mises_base, 0.0, shape);
        both("exponentially_modified_normal", exponentially_modified_normal_base, shape);
    }
    both("noncentral_gamma", noncentral_gamma_base, 0.25, 3.5);
    both("noncentral_beta_prime", noncentral_beta_prime_base, 1.25, 2.5, 9.0);
    both("von_mises", von_mises_base, 2.0, 1.5);
    both("truncated", truncated_base, -1.0, 2.0);
    both("truncated", truncated_base, 5.0, 5.5);
    both("truncated", truncated_base, -HUGE_VAL, 1.0);
    both("truncated", truncated_base, 8.0, HUGE_VAL);
}

// ---- values

TEST(NamedLaws, ValuesHaveSignedProbabilities) {
    const Law law = named_real_law("gamma", std::vector<Parameter>{{"shape", 2.5}, {"scale", 2}}, Storage::f64, 64);
    const double values[] = {1e-4, 120, -1, 4};
    const uint64_t random[4] = {};
    double found[4];
    law->probabilities(values, random, found);
    EXPECT_EQ(found[0], named_reference("gamma", std::vector<Parameter>{{"shape", 2.5}, {"scale", 2}}).cdf(1e-4));
    EXPECT_EQ(-found[1], named_reference("gamma", std::vector<Parameter>{{"shape", 2.5}, {"scale", 2}}).survival(120));
    EXPECT_TRUE(std::isnan(found[2]));
    EXPECT_EQ(law->reason(-1), Outlaw::below);
}

/// The arcsine law, beta with a = b = 1/2, has a pole at 1: 1.1e-4 of it lies above 1 - 2^-25. Oracle: its survival
/// function is (2 / pi) asin(sqrt(1 - x)).
double arcsine_survival(double one_minus_x) { return 2 / std::numbers::pi * std::asin(std::sqrt(one_minus_x)); }
const rng::beta<float> arcsine{0.5f, 0.5f};

/// The probabilities that a law gives to one value, at the given points of the unit interval.
std::vector<double> probabilities_of(const Law& law, double value, std::span<const double> points) {
    std::vector<uint64_t> random;
    for (const double u : points) random.push_back(static_cast<uint64_t>(u * 0x1p64));
    const std::vector<double> values(points.size(), value);
    std::vector<double> found(points.size());
    law->probabilities(values, random, found);
    return found;
}

TEST(NamedLaws, TheLastValueStandsForAllNumbersUpToAnExcludedBound) {
    const double points[] = {1e-3, 0.25, 0.5, 0.75, 0.999};
    const auto own = probabilities_of(rng::stats::law_of(arcsine), 1 - 0x1p-24, points);
    const auto file = probabilities_of(rng::stats::detail::foreign_law_of(arcsine), 1 - 0x1p-24, points);
    for (std::size_t i = 0; i < own.size(); ++i) {
        const double most = arcsine_survival(1.5 * 0x1p-24), least = arcsine_survival(0.5 * 0x1p-24);
        EXPECT_NEAR(own[i], -most * (1 - points[i]), 1e-10) << points[i];
        EXPECT_NEAR(file[i], -most + points[i] * (most - least), 1e-10) << points[i];
    }
}

TEST(NamedLaws, ABoundIsAValueOnlyInFilesOfOtherPrograms) {
    const double points[] = {0.25, 0.75};
    const Law own = rng::stats::law_of(arcsine), file = rng::stats::detail::foreign_law_of(arcsine);
    for (const double bound : {0.0, 1.0}) {
        EXPECT_TRUE(std::isnan(probabilities_of(own, bound, points)[0])) << bound;
        EXPECT_FALSE(std::isnan(probabilities_of(file, bound, points)[0])) << bound;
    }
    const auto found = probabilities_of(file, 1, points);
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_NEAR(found[i], -arcsine_survival(0x1p-25) * (1 - points[i]), 1e-10) << points[i];
}

TEST(NamedLaws, RefusesUnknownNames) {
    EXPECT_THROW((void)named_reference("gama", {}), rng::Error);
    EXPECT_THROW((void)named_reference("gamma", std::vector<Parameter>{{"shape", 1}}), rng::Error);
    EXPECT_THROW((void)named_reference("gamma", std::vector<Parameter>{{"shape", 1}, {"rate", 1}}), rng::Error);
}

}  // namespace
