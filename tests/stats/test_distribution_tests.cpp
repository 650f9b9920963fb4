// The tests of values. Each rejects its flaw at the size that it promises, and passes the control.
// Their p-values are uniform on exact samples of an independent engine (std::mt19937_64).
// The laws of stored values are compared with enumeration, and inverted pairs with the words from which they were made.
#include <gtest/gtest.h>
#include <rng/core/error.hpp>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>
#include <rng/stats/battery.hpp>
#include <rng/stats/inverted.hpp>
#include <rng/stats/values.hpp>
#include <rng/stats/values_under_test.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <random>

#include "statistical_tests/checks/catalogue.hpp"
#include "statistical_tests/laws/reference.hpp"
#include "statistical_tests/p_values/anderson_darling.hpp"
#include "statistical_tests/p_values/kolmogorov_smirnov.hpp"
#include "statistical_tests/p_values/scores.hpp"

namespace {

using namespace rng::stats;

const std::vector<std::string> value_tests{"cells4096", "anderson-darling", "moments", "tails", "support"};

Options of(uint64_t values, std::vector<std::string> only = value_tests) {
    Options options;
    options.bytes = 4 * values;
    options.threads = 1;
    options.only = std::move(only);
    return options;
}

/// The test whose p-value is the least, and the verdict.
std::string outcome(const Report& report) {
    return std::string(to_string(report.verdict)) + (report.worst() ? " " + report.worst()->name() : "");
}
bool passes(const Report& report) { return report.verdict == Verdict::pass; }
bool fails_by(const Report& report, const std::string& name) {
    if (report.verdict != Verdict::fail) return false;
    for (const Result& result : report.analyses.back().results)
        if (result.name() == name && result.log10_adjusted < -6) return true;
    return false;
}

/// The words of a generator of 32 bits as fractions.
class Fractions {
  public:
    explicit Fractions(uint64_t seed) : engine_(seed) {}
    double operator()() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }

  private:
    std::mt19937_64 engine_;
};

TEST(DistributionTests, SumsOfTwelveUniformNumbersAreNotNormal) {
    Fractions u(1);
    const auto clt = [&] {
        double sum = -6;
        for (int i = 0; i < 12; ++i) sum += u();
        return sum;
    };
    const Report report = test_values(clt, rng::normal{0.0, 1.0}, "sums of 12", of(1 << 17));
    EXPECT_TRUE(fails_by(report, "moments:4")) << outcome(report);

    std::mt19937_64 engine(1);
    std::normal_distribution<double> z;
    const Report control = test_values([&] { return z(engine); }, rng::normal{0.0, 1.0}, "normal", of(1 << 19));
    EXPECT_TRUE(passes(control)) << outcome(control);
}

TEST(DistributionTests, ModulusOf24BitsIsBiased) {
    std::mt19937_64 engine(2);
    const Report report = test_values([&] { return static_cast<int32_t>((engine() >> 40) % 1000003); },
                                      rng::uniform_int<int32_t>{0, 1000002}, "u24 % 1000003", of(1 << 19));
    EXPECT_TRUE(fails_by(report, "anderson-darling")) << outcome(report);
    const Report cells =
        test_values([&] { return static_cast<int32_t>((engine() >> 40) % 1000003); },
                    rng::uniform_int<int32_t>{0, 1000002}, "u24 % 1000003", of(1 << 21, {"cells4096"}));
    EXPECT_TRUE(fails_by(cells, "cells4096")) << outcome(cells);

    std::uniform_int_distribution<int32_t> exact(0, 1000002);
    const Report control =
        test_values([&] { return exact(engine); }, rng::uniform_int<int32_t>{0, 1000002}, "exact", of(1 << 20));
    EXPECT_TRUE(passes(control)) << outcome(control);
}

TEST(DistributionTests, ANormalLawCutAtFourHasNoTails) {
    std::mt19937_64 engine(3);
    std::normal_distribution<double> z;
    const auto cut = [&] {
        double value;
        do value = z(engine);
        while (std::fabs(value) > 4);
        return value;
    };
    const Report report = test_values(cut, rng::normal{0.0, 1.0}, "cut", of(1 << 22, {"tails"}));
    EXPECT_TRUE(fails_by(report, "tails:lowest") || fails_by(report, "tails:highest")) << outcome(report);
    // One value too far out among a few thousand.
    uint64_t i = 0;
    const Report far = test_values([&] { return ++i == 3000 ? 9.0 : z(engine); }, rng::normal{0.0, 1.0}, "far",
                                   of(1 << 12, {"tails"}));
    EXPECT_TRUE(fails_by(far, "tails:highest")) << outcome(far);
    const Report control =
        test_values([&] { return z(engine); }, rng::normal{0.0, 1.0}, "whole", of(1 << 22, {"tails"}));
    EXPECT_TRUE(passes(control)) << outcome(control);
}

TEST(DistributionTests, OneValueOutsideTheSupportFails) {
    Fractions u(4);
    const auto with = [&](auto dist, double foreign) {
        uint64_t i = 0;
        using T = rng::result_t<decltype(dist)>;
        const auto generate = [&]() -> double {
            const double value = std::floor(u() * 0x1p23) * 0x1p-23 + 0x1p-24;  // odd multiples of 2^-24
            return ++i == 1000 ? foreign : static_cast<double>(static_cast<T>(value));
        };
        return test_values(generate, law_of(dist), "foreign", of(1 << 11));
    };
    constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = HUGE_VAL;
    EXPECT_TRUE(fails_by(with(rng::uniform<float>{}, 1.0), "support:above"));
    EXPECT_TRUE(fails_by(with(rng::uniform_open<float>{}, 0.0), "support:below"));
    EXPECT_TRUE(fails_by(with(rng::uniform_open<float>{}, 1.0), "support:above"));
    EXPECT_TRUE(fails_by(with(rng::uniform_open_closed<float>{}, 0.0), "support:below"));
    EXPECT_TRUE(fails_by(with(rng::uniform<float>{}, -0x1p-24), "support:below"));
    EXPECT_TRUE(fails_by(with(rng::uniform<float>{}, nan), "support:nan"));
    EXPECT_TRUE(fails_by(with(rng::exponential<float>{}, infinity), "support:infinite"));
    EXPECT_TRUE(fails_by(with(rng::exponential<float>{}, 0.0), "support:below"));
    EXPECT_TRUE(fails_by(with(rng::normal<float>{}, nan), "support:nan"));
    EXPECT_TRUE(fails_by(with(rng::uniform<float>{}, 0x1p-25), "support:off_grid"));
    EXPECT_TRUE(passes(with(rng::uniform_open<float>{}, 0x1p-24)));
    EXPECT_TRUE(passes(with(rng::uniform_open_closed<float>{}, 1.0)));
    // Half an integer, an integer too great, and p = 1/4 taken for 0.26.
    std::mt19937_64 engine(4);
    const auto die = [&](double foreign) {
        uint64_t i = 0;
        std::uniform_int_distribution<int> d(1, 6);
        return test_values([&]() -> double { return ++i == 1000 ? foreign : d(engine); },
                           rng::uniform_int<int32_t>{1, 6}, "die", of(1 << 14));
    };
    EXPECT_TRUE(fails_by(die(2.5), "support:off_grid"));
    EXPECT_TRUE(fails_by(die(7), "support:above"));
    EXPECT_TRUE(passes(die(6)));
}

TEST(DistributionTests, WrongParametersFail) {
    std::mt19937_64 engine(5);
    const auto bernoulli = [&](double p) {
        std::bernoulli_distribution b(p);
        return test_values([&] { return b(engine) ? 1 : 0; }, rng::bernoulli{0.25}, "bernoulli", of(1 << 18));
    };
    EXPECT_TRUE(fails_by(bernoulli(0.26), "moments:1"));
    EXPECT_TRUE(passes(bernoulli(0.25)));
    const auto exponential = [&](double rate) {
        std::exponential_distribution<double> e(rate);
        return test_values([&] { return e(engine); }, rng::exponential{2.0}, "exponential", of(1 << 18));
    };
    EXPECT_TRUE(fails_by(exponential(2.04), "moments:1"));
    EXPECT_TRUE(passes(exponential(2)));
}

// ---- null distributions ---------------------------------------------------------------------------------------------

TEST(DistributionTests, PValuesAreUniformOnExactSamples) {
    constexpr int samples = 200;
    constexpr std::size_t n = 1 << 16;
    Fractions u(6);
    const GeneratorUnderTest generator{std::make_shared<CallableValues<std::function<double()>>>(
        [&]() -> double { return std::floor(u() * 0x1p53) * 0x1p-53; }, law_of(rng::uniform<double>{}), "exact")};
    auto& source = dynamic_cast<ValueSource&>(*generator.source);
    std::map<std::string, std::vector<double>> p;
    std::vector<std::byte> bytes(4 * n);
    std::vector<double> values(n), probabilities(n);
    for (int s = 0; s < samples; ++s) {
        source.read(static_cast<uint64_t>(s) * 4 * n, bytes, values, probabilities);
        for (const NamedTest& named : make_tests(Stage::stream, generator, {}, value_tests)) {
            Segment segment{0, bytes, 32};
            segment.values = values;
            segment.probabilities = probabilities;
            named.test->add(segment);
            Results results;
            named.test->results(results);
            for (const auto& [part, value] : results.parts())
                p[named.name + ":" + part].push_back(value.randomised(u()));
        }
    }
    EXPECT_EQ(p.size(), 1 + 1 + 8 + 4u);  // cells, A^2, moments, lower and upper 2^-12, lowest and highest
    for (auto& [name, all] : p) {
        ASSERT_EQ(all.size(), static_cast<std::size_t>(samples)) << name;
        std::ranges::sort(all);
        EXPECT_GT(ks_two_sided_p_value(kolmogorov_smirnov(all).d(), samples).upper(), 1e-4) << name;
    }
}

TEST(DistributionTests, GroupedAndersonDarlingIsThatOfTheSample) {
    Fractions u(8);
    const Law law = law_of(rng::uniform<double>{});
    for (int sample = 0; sample < 5; ++sample) {
        std::vector<double> values(1 << 15);
        for (double& value : values) value = u();
        Segment segment{0, {}, 32};
        segment.values = values;
        std::vector<double> halves = values;  // as laws give them: from both ends
        for (double& t : halves) t = t <= 0.5 ? t : t - 1;
        segment.probabilities = halves;
        const GeneratorUnderTest generator{std::make_shared<CallableValues<Fractions>>(u, law, "")};
        const std::string only = "anderson-darling";
        const auto made = make_tests(Stage::stream, generator, {}, {&only, 1});
        ASSERT_EQ(made.size(), 1u);
        made[0].test->add(segment);
        Results results;
        made[0].test->results(results);
        std::ranges::sort(values);
        const PValue whole = anderson_darling_p_value(anderson_darling(values), values.size());
        EXPECT_NEAR(results.parts()[0].second.upper(), whole.upper(), 0.01);
    }
}

/// P(sum of scores >= t), half of P(sum = t) left out, of n observations with whole scores, by convolution.
double exact_upper(const std::vector<double>& probabilities, const std::vector<int>& scores, int n, int t) {
    std::vector<double> law{1};
    const int most = *std::ranges::max_element(scores);
    for (int i = 0; i < n; ++i) {
        std::vector<double> next(law.size() + static_cast<std::size_t>(most));
        for (std::size_t x = 0; x < law.size(); ++x)
            for (std::size_t c = 0; c < scores.size(); ++c)
                next[x + static_cast<std::size_t>(scores[c])] += law[x] * probabilities[c];
        law = std::move(next);
    }
    double sum = law[static_cast<std::size_t>(t)] / 2;
    for (std::size_t x = static_cast<std::size_t>(t) + 1; x < law.size(); ++x) sum += law[x];
    return sum;
}

TEST(Scores, SaddlePointAgainstConvolution) {
    // Skew, as the 8th power is: a score of 40 once in 100.
    const std::vector<double> probabilities{0.5, 0.3, 0.19, 0.01};
    const std::vector<int> whole{0, 1, 3, 40};
    const std::vector<double> scores(whole.begin(), whole.end());
    constexpr int n = 600;
    for (const uint64_t fours : {1u, 6u, 14u, 22u, 30u}) {
        const std::vector<uint64_t> counts{300 - fours, 180, 120, fours};
        const int t = static_cast<int>(180 + 3 * 120 + 40 * fours);
        const double exact = exact_upper(probabilities, whole, n, t);
        const PValue p = score_p_value(counts, probabilities, scores);
        EXPECT_NEAR(p.upper() / exact, 1, 1e-3) << fours << " " << exact;
        EXPECT_NEAR(p.lower() + p.upper(), 1, 1e-9);
    }
    // In the middle, where the formula's terms cancel, it is continuous.
    const PValue below = score_p_value(std::vector<uint64_t>{500000, 300000, 190001, 9999}, probabilities, scores);
    const PValue above = score_p_value(std::vector<uint64_t>{499999, 300001, 189999, 10001}, probabilities, scores);
    EXPECT_NEAR(below.upper(), 0.5, 0.02);
    EXPECT_LT(above.upper(), below.upper());
    EXPECT_NEAR(below.upper(), above.upper(), 0.02);
    // All observations in one cell: P is 0.01^n, and a bound may be somewhat above it.
    const PValue all = score_p_value(std::vector<uint64_t>{0, 0, 0, 1000}, probabilities, scores);
    EXPECT_NEAR(all.log10_upper, -2000, 10);
}

// For many observations the sum is normal, also next to its mean.
// There w is the root of the small rest of terms that cancel, times n.
TEST(Scores, ManyObservationsNextToTheMean) {
    constexpr std::size_t cells = 4096;
    std::vector<double> x(cells);
    const std::vector<double> p(cells, 1.0 / cells);
    for (std::size_t c = 0; c < cells; ++c) x[c] = (static_cast<double>(c) + 0.5) / cells;
    const std::vector<double> scores = orthonormal_polynomials(x, p, 8).at(7);
    for (const int log2_n : {20, 27, 38, 46}) {
        const double n = std::ldexp(1.0, log2_n);
        for (double z = -0.3; z < 0.3; z += 0.0017) {
            std::vector<uint64_t> counts(cells, uint64_t{1} << (log2_n - 12));
            const auto moved = static_cast<int64_t>(z * std::sqrt(n) / (scores[4095] - scores[2048]));
            counts[4095] += static_cast<uint64_t>(moved);
            counts[2048] -= static_cast<uint64_t>(moved);
            const double exact = static_cast<double>(moved) * (scores[4095] - scores[2048]) / std::sqrt(n);
            EXPECT_NEAR(score_p_value(counts, p, scores).upper(), normal_p_value(exact).upper(), 3e-3)
                << "n = 2^" << log2_n << ", z = " << exact;
        }
    }
}

TEST(Scores, PolynomialsAreHermites) {
    // Gauss-Hermite nodes would do; a fine grid of the normal law is plainer.
    constexpr int cells = 4001;
    std::vector<double> x(cells), w(cells);
    double sum = 0;
    for (std::size_t i = 0; i < cells; ++i) {
        x[i] = (static_cast<double>(i) - 2000) / 200;
        sum += w[i] = std::exp(-x[i] * x[i] / 2);
    }
    for (double& p : w) p /= sum;
    const auto polynomials = orthonormal_polynomials(x, w, 8);
    ASSERT_EQ(polynomials.size(), 8u);
    for (std::size_t i = 1500; i < 2500; i += 37) {
        double before = 1, he = x[i], factorial = 1;
        for (std::size_t k = 1; k <= 8; ++k) {
            factorial *= static_cast<double>(k);
            EXPECT_NEAR(polynomials[k - 1][i], he / std::sqrt(factorial), 1e-8);
            const double next = x[i] * he - static_cast<double>(k) * before;
            before = he;
            he = next;
        }
    }
    EXPECT_EQ(orthonormal_polynomials(std::vector<double>{0, 0, 1}, std::vector<double>{0.25, 0.25, 0.5}, 8).size(),
              1u);
}

// ---- laws -----------------------------------------------------------------------------------------------------------

/// The cell of a value: its probabilities at both ends.
std::pair<double, double> cell_of(const Law& law, double value) {
    const double values[] = {value, value};
    const uint64_t random[] = {0, UINT64_MAX};
    double t[2];
    law->probabilities(values, random, t);
    for (double& p : t)
        if (std::signbit(p)) p += 1;
    return {t[0], t[1]};
}

template <class T> void expect_grid(rng::uniform<T> dist) {
    // How often each value occurs among all words that differ in their top bits.
    std::map<double, int> count;
    const int points = 1 << rng::detail::Real<T>::precision;
    for (int k = 0; k < points; ++k) {
        const auto word = static_cast<uint32_t>(k) << (32 - rng::detail::Real<T>::precision);
        const auto bits = dist.map()(rng::lane::u32<rng::lane::Scalar>(word));
        ++count[static_cast<double>(static_cast<float>(T::from_bits(bits.v)))];
    }
    const Law law = law_of(dist);
    int below = 0;
    for (const auto& [value, times] : count) {
        const auto [from, to] = cell_of(law, value);
        ASSERT_NEAR(from * points, below, 1e-6) << value;
        ASSERT_NEAR(to * points, below + times, 1e-6) << value;
        below += times;
    }
}

TEST(Laws, GridsOf16BitTypesByEnumeration) {
    expect_grid(rng::uniform<rng::float16>{});
    expect_grid(rng::uniform<rng::bfloat16>{});
    expect_grid(rng::uniform<rng::float16>{-3.0f, 7.5f});
    expect_grid(rng::uniform<rng::bfloat16>{1000.0f, 1024.0f});
    expect_grid(rng::uniform<rng::float16>{0.0f, 0x1p-20f});
}

TEST(Laws, CellsOfNormal16BitValues) {
    const Law law = law_of(rng::normal<rng::float16>{0.0f, 1.0f});
    const Reference normal = reference_of(rng::normal<double>{});
    double before = 0;
    for (uint32_t b = 0xc400; b > 0x8000; b -= 1) {  // -4 to the least subnormal
        const double v = static_cast<float>(rng::float16::from_bits(b));
        const double next = b == 0x8001 ? 0 : static_cast<double>(static_cast<float>(rng::float16::from_bits(b - 1)));
        const auto [from, to] = cell_of(law, v);
        ASSERT_NEAR(to, normal.cdf((v + next) / 2), 0x1p-23 * std::fabs(v)) << v;  // f32 is rounded to first
        if (before != 0) {
            ASSERT_NEAR(from, before, 1e-15);
        }
        before = to;
    }
    const auto [from, to] = cell_of(law, 0);
    EXPECT_NEAR(from, before, 1e-15);
    EXPECT_NEAR(from + to, 1, 1e-15);
    EXPECT_TRUE(std::isnan(cell_of(law, 1.0001).first));
}

TEST(Laws, ACellAcrossTheMedianIsFilledEvenly) {
    // bfloat16 has steps of 1/2 there: 100 stands for 99.75 to 100.25, two standard deviations on both sides.
    const Law law = law_of(rng::normal<rng::bfloat16>{100.0f, 0.125f});
    const double least = reference_of(rng::normal<double>{}).cdf(-2);
    for (const uint64_t quarter : {1u, 2u, 3u}) {
        const double value = 100;
        const uint64_t random = quarter << 62;
        double t = 0;
        law->probabilities({&value, 1}, {&random, 1}, {&t, 1});
        EXPECT_NEAR(t > 0 ? t : 1 + t, least + static_cast<double>(quarter) / 4 * (1 - 2 * least), 1e-5);
    }
}

TEST(Laws, IntegersBernoulliDense) {
    const auto expect_cell = [](const Law& law, double value, double from, double to) {
        const auto cell = cell_of(law, value);
        EXPECT_NEAR(cell.first, from, 1e-12);
        EXPECT_NEAR(cell.second, to, 1e-12);
    };
    expect_cell(law_of(rng::uniform_int<int32_t>{1, 6}), 3, 2 / 6.0, 3 / 6.0);
    expect_cell(law_of(rng::bernoulli{0.25}), 0, 0, 0.75);
    expect_cell(law_of(rng::bernoulli{0.25}), 1, 0.75, 1);
    expect_cell(law_of(rng::uniform_dense<float>{}), 0.75, 0.75, 0.75 + 0x1p-24);
    const auto far = law_of(rng::uniform_int<int64_t>{INT64_MAX - 3, INT64_MAX});
    EXPECT_EQ(far->origin(), static_cast<long double>(INT64_MAX - 3));
    expect_cell(far, 3, 0.75, 1);
    EXPECT_TRUE(std::isnan(cell_of(far, 4).first));
}

// What would round to an excluded bound is the last number before it: here all numbers from 1 - 3/2^12 up to 1.
TEST(Laws, LastValuesOfHalves) {
    const Law law = law_of(rng::beta<rng::float16>{1, 1});
    const double last = 1 - 0x1p-11;
    const uint64_t middle = uint64_t{1} << 63;
    double t = 0;
    law->probabilities({&last, 1}, {&middle, 1}, {&t, 1});
    EXPECT_NEAR(t, -1.5 * 0x1p-12, 1e-7);
    EXPECT_TRUE(std::isnan(cell_of(law, 1).first));
}

TEST(Laws, OtherBitsAndLenientGrids) {
    // 32 bits as a float, rounded to nearest: 0.75 stands for 2^8 of them, 1 for 2^7.
    UniformLawOptions options{0, 1, Ends::open_closed, Storage::f32, 32, true};
    const Law law = uniform_law(options);
    EXPECT_NEAR((cell_of(law, 0.75).second - cell_of(law, 0.75).first) * 0x1p32, 257, 1.01);  // both ties are even's
    EXPECT_NEAR((cell_of(law, 1).second - cell_of(law, 1).first) * 0x1p32, 129, 1.01);
    EXPECT_TRUE(std::isnan(cell_of(law_of(rng::uniform<double>{}), 0x1p-60).first));
    // Not strict: the nearest point, if rounding may have led there.
    const Law lenient = uniform_law({0, 1, Ends::closed_open, Storage::f64, 20, false});
    EXPECT_EQ(cell_of(lenient, 0x1.4000001p-18), cell_of(lenient, 0x1.4p-18));
    EXPECT_TRUE(std::isnan(cell_of(lenient, 0x1.6p-18).first));
    EXPECT_THROW(static_cast<void>(uniform_law({1, 0})), rng::Error);
    options.bits = 60;
    EXPECT_THROW(static_cast<void>(uniform_law(options)), rng::Error);
}

// Multiples of 2^-11 have a cell each; of real numbers rounded to f16, by the measure of what is rounded to each, all
// cells get the same.
TEST(Laws, RealNumbersOfAnyRounding) {
    const Law law = real_uniform_law(0, 1, Ends::closed_open, Storage::f16);
    constexpr int points = 1 << 11, slices = 64;
    const auto probability = [&law](double value, uint64_t slice, uint64_t low) {
        const uint64_t random = slice << 58 | uint64_t{1} << 57 | low << 20;
        double t = 0;
        law->probabilities({&value, 1}, {&random, 1}, {&t, 1});
        return std::signbit(t) ? 1 + t : t;
    };
    for (int k = 0; k < points; ++k)
        for (uint64_t slice = 0; slice < slices; ++slice)
            ASSERT_EQ(std::floor(probability(k * 0x1p-11, slice, slice * 12345) * points), k) << slice;
    std::vector<double> mass(points);
    const auto number = [](uint32_t b) { return static_cast<double>(static_cast<float>(rng::float16::from_bits(b))); };
    constexpr uint32_t one = 0x3c00;
    for (uint32_t b = 0; b <= one; ++b) {
        const double below = b == 0 ? 0 : (number(b - 1) + number(b)) / 2,
                     above = b == one ? 1 : (number(b) + number(b + 1)) / 2;
        for (uint64_t slice = 0; slice < slices; ++slice)
            mass[static_cast<std::size_t>(probability(number(b), slice, b) * points)] += (above - below) / slices;
    }
    for (int k = 0; k < points; ++k) ASSERT_NEAR(mass[static_cast<std::size_t>(k)] * points, 1, 1e-4) << k;
}

TEST(Laws, BoundsOfRealNumbers) {
    const auto has = [](Ends ends, Storage storage, double value, double lo = 0, double hi = 1, int decimals = -1) {
        return !std::isnan(cell_of(real_uniform_law(lo, hi, ends, storage, decimals), value).first);
    };
    EXPECT_TRUE(has(Ends::closed_open, Storage::f32, 0));
    EXPECT_TRUE(has(Ends::closed_open, Storage::f32, 1));  // what is just below is rounded to it
    EXPECT_FALSE(has(Ends::closed_open, Storage::f32, 1 + 0x1p-23));
    EXPECT_FALSE(has(Ends::closed_open, Storage::f32, -0x1p-149));
    EXPECT_FALSE(has(Ends::open, Storage::f32, 0));
    EXPECT_FALSE(has(Ends::open, Storage::f32, 1));
    EXPECT_FALSE(has(Ends::open_closed, Storage::f32, 0));
    EXPECT_TRUE(has(Ends::open_closed, Storage::f32, 1));
    EXPECT_TRUE(has(Ends::closed_open, Storage::f32, static_cast<double>(0.3f), 0.1, 0.3));  // above 0.3
    EXPECT_FALSE(has(Ends::open, Storage::f64, 0.3, 0.1, 0.3));
    EXPECT_FALSE(has(Ends::closed_open, Storage::f64, 0.34, 0, 1.0 / 3));
    EXPECT_TRUE(has(Ends::open, Storage::f64, 0.3, 0, 1.0 / 3, 1));
    EXPECT_FALSE(has(Ends::closed_open, Storage::f64, std::numeric_limits<double>::quiet_NaN()));
    EXPECT_THROW(static_cast<void>(real_uniform_law(1, 1, Ends::open, Storage::f32)), rng::Error);
}

TEST(Laws, BothTailsKeepTheirPrecision) {
    const Law normal = law_of(rng::normal{0.0, 1.0});
    const double z[] = {-9, 9, -38, 38};
    const uint64_t random[4] = {};
    double t[4];
    normal->probabilities(z, random, t);
    // Abramowitz and Stegun, table 26.2: -log10 Q(9) = 18.94746, Q(38) = 315.53979.
    EXPECT_NEAR(std::log10(t[0]), -18.94746, 5e-6);
    EXPECT_EQ(t[1], -t[0]);
    EXPECT_NEAR(std::log10(t[2]), -315.53979, 5e-6);
    EXPECT_EQ(t[3], -t[2]);
}

// ---- sources --------------------------------------------------------------------------------------------------------

TEST(ValueSources, PiecesAreTheWhole) {
    for (const char* const name : {"complex_normal(stddev=2)", "unit_vector2", "unit_vector3", "unit_vector4"}) {
        const GeneratorUnderTest generator = distribution_under_test(name);
        auto& source = dynamic_cast<ValueSource&>(*generator.source);
        std::vector<double> whole(9001), pieces(9001);
        source.read_values(7, whole);
        for (std::size_t at = 0; at < pieces.size();) {
            const std::size_t size = std::min<std::size_t>(at % 97 + 1, pieces.size() - at);
            source.read_values(7 + at, std::span(pieces).subspan(at, size));
            at += size;
        }
        EXPECT_EQ(whole, pieces);
    }
    const GeneratorUnderTest generator = distribution_under_test("bernoulli(p=0.3)");
    std::vector<std::byte> whole(1 << 16), part(1 << 10);
    ASSERT_EQ(generator.source->read(0, whole), whole.size());
    ASSERT_EQ(generator.source->read(4096, part), part.size());
    EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 4096));
}

TEST(ValueSources, OneByOneIsTheSame) {
    const auto expect_same = [](const char* name, const auto& dist) {
        std::vector<double> filled(3000), single(3000);
        dynamic_cast<ValueSource&>(*distribution_under_test(name).source).read_values(5, filled);
        const rng::Stream<> stream(rng::default_seed);
        for (std::size_t i = 0; i < single.size(); ++i) single[i] = static_cast<double>(rng::at(stream, dist, 5 + i));
        EXPECT_EQ(filled, single) << name;
    };
    expect_same("normal(mean=1)", rng::normal{1.0f, 1.0f});
    expect_same("uniform_int(lo=-5,hi=1000)", rng::uniform_int<int32_t>{-5, 1000});
    expect_same("exponential", rng::exponential<float>{});
    expect_same("uniform_dense", rng::uniform_dense<float>{});
}

TEST(ValueSources, SpecificationsAreRefusedClearly) {
    const auto message = [](const std::string& distribution, const std::string& dtype = "") -> std::string {
        try {
            static_cast<void>(distribution_under_test(distribution, dtype));
        } catch (const rng::Error& error) {
            return error.what();
        }
        return "taken";
    };
    EXPECT_EQ(message("normal( mean = 1, stddev=2.5 )", "bf16"), "taken");
    EXPECT_EQ(message("normal(sigma=1)"), "distribution: parameter of normal must be one of mean, stddev, got sigma");
    EXPECT_EQ(message("normal(stddev=-1)"), "distribution: stddev must be in [0, 2^120], got -1");
    EXPECT_EQ(message("normal(stddev=1x)"), "distribution: stddev must be a number that its type holds, got 1x");
    EXPECT_EQ(message("uniform_int(hi=3.5)"), "distribution: hi must be a whole number that its type holds, got 3.5");
    EXPECT_EQ(message("exponential", "f16"), "distribution: type of exponential must be one of f32, f64, got f16");
    EXPECT_EQ(message("normal(mean=1"), "distribution: must end with ')', got 'normal(mean=1'");
    EXPECT_EQ(message("normal(1)"), "distribution: parameters must be NAME=VALUE, got '1'");
    EXPECT_EQ(message("normal(mean=1,mean=2)"), "distribution: a parameter must be given once, got mean twice");
    EXPECT_NE(message("gauss").find("name must be one of bits, uniform, "), std::string::npos);
    EXPECT_NE(message("normal(stddev=0)").find("stddev of normal must be positive"), std::string::npos);
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

/// Box and Muller's method on a source of fractions.
template <class F> auto box_muller(F fraction) {
    return [fraction, kept = 0.0, has_kept = false]() mutable {
        if (std::exchange(has_kept, false)) return kept;
        const double radius = std::sqrt(-2 * std::log(fraction())), angle = 2 * std::numbers::pi * fraction();
        kept = radius * std::sin(angle);
        has_kept = true;
        return radius * std::cos(angle);
    };
}

template <class F> GeneratorUnderTest normal_pairs(F generate) {
    return invert_box_muller(
        {std::make_shared<CallableValues<F>>(std::move(generate), law_of(rng::normal{0.0, 1.0}), "")});
}

TEST(InvertedPairs, GiveTheWordsBack) {
    const rng::Stream<> stream(rng::default_seed);
    std::vector<uint32_t> words(2000);
    const GeneratorUnderTest f64 = invert_box_muller(distribution_under_test("normal(mean=3,stddev=2)", "f64"));
    f64.source->read(0, std::as_writable_bytes(std::span(words)));
    int near = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const uint32_t made_of = word(stream, 2 * i + 1, rng::domain::pair64);  // the high half
        near += static_cast<int32_t>(words[i] - made_of) / 2 == 0;
    }
    EXPECT_GT(near, 1990);
    const GeneratorUnderTest f32 = invert_box_muller(distribution_under_test("normal", "f32"));
    f32.source->read(0, std::as_writable_bytes(std::span(words)));
    near = 0;
    for (std::size_t i = 0; i < words.size(); ++i)
        near += std::abs(static_cast<int32_t>(words[i] - word(stream, i, rng::domain::pair32))) < 1 << 12;
    EXPECT_GT(near, 1990);
}

TEST(InvertedPairs, UniformNumbersOf24BitsAreSeen) {
    std::mt19937_64 engine(7);
    const auto coarse = [&] { return static_cast<double>((engine() >> 40) + 1) * 0x1p-24; };
    const Report report = run_battery(normal_pairs(box_muller(coarse)), of(1 << 11, {"normal-pairs"}));
    EXPECT_TRUE(fails_by(report, "normal-pairs:radius")) << outcome(report);
    // The values' own distribution hides it.
    const Report marginal = test_values(box_muller(coarse), rng::normal{0.0, 1.0}, "24 bits", of(1 << 17));
    EXPECT_TRUE(passes(marginal)) << outcome(marginal);

    Fractions u(7);
    const Report control =
        run_battery(normal_pairs(box_muller([&] { return u(); })), of(1 << 20, {"normal-pairs", "freq16"}));
    EXPECT_TRUE(passes(control)) << outcome(control);
    for (const char* const dtype : {"f32", "f64", "f16", "bf16"}) {
        const GeneratorUnderTest own = invert_box_muller(distribution_under_test("normal", dtype));
        const Report sound = run_battery(own, of(1 << 19, {"normal-pairs"}));
        EXPECT_TRUE(passes(sound)) << dtype << " " << outcome(sound);
    }
    EXPECT_THROW(static_cast<void>(invert_box_muller(distribution_under_test("uniform"))), rng::Error);
    EXPECT_FALSE(is_invertible(distribution_under_test("uniform")));
}

}  // namespace
