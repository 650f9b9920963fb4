// Statistics of every real distribution of the catalogue: fit, moments, tails, independence of neighbours and of types
// that take turns; and of the bits.
//
// False alarms. Seeds are fixed, so a run repeats.
// If seeds were drawn anew, a sound library would fail this file with a probability below 1e-6.
// The reason: each check has a share of 1e-9, there may be a thousand checks, and the file counts them (see Budget).
// A check of several statistics first multiplies its least p-value by their number.
//
// Each statistic is also shown a sequence that it must reject, and a sound one from elsewhere that it must pass.
//
#include <gtest/gtest.h>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../support/goodness_of_fit.hpp"
#include "../support/halves.hpp"
#include "../support/paths.hpp"
#include "../support/sampled.hpp"
#include "values_and_law.hpp"

namespace {

using rng::stats::Reference;
using rng::stats::reference_of;
using support::fit;
using support::ranks;
using support::Standardised;
using support::tails;

constexpr double share = 1e-9, budget = 1e-6;
constexpr std::size_t n = std::size_t{1} << 20;
int checks = 0;

/// At the end of the program: the checks that were made stayed within the budget.
class Budget : public testing::Environment {
  public:
    void SetUp() override {
        if (support::sanitized)
            GTEST_SKIP() << "minutes, in which a sanitizer sees nothing that the tests of fills do not do";
    }
    void TearDown() override { EXPECT_LE(checks * share, budget) << checks << " checks"; }
};
[[maybe_unused]] const auto* const registered = testing::AddGlobalTestEnvironment(new Budget);

testing::AssertionResult sound(double p) {
    ++checks;
    return p >= share ? testing::AssertionSuccess() : testing::AssertionFailure() << "p = " << p;
}
testing::AssertionResult rejected(double p) {
    return p < share ? testing::AssertionSuccess() : testing::AssertionFailure() << "p = " << p;
}

/// Calls f(distribution, description) for each distribution of real numbers; with a share of the data, for one of its
/// types. That leaves every check its power.
template <class F> void for_each_real_distribution(const F& f) {
    rng::for_each_distribution([&](auto tag) {
        using D = typename decltype(tag)::type;
        if (support::share() > 1 && support::half_of<rng::catalogue_index<D>> == 1) return;
        if constexpr (std::is_floating_point_v<rng::result_t<D>>)
            f(D{}, std::string(D::name) + " " + rng::dtype_name<rng::result_t<D>>());
    });
}

template <class D> std::vector<rng::result_t<D>> ours(const D& dist, std::size_t count = n) {
    std::vector<rng::result_t<D>> values(count);
    rng::fill(std::span(values), dist, rng::Stream<>{20111115, static_cast<uint64_t>(rng::catalogue_index<D>)});
    return values;
}

/// The sound twin: the reference's quantiles of std::mt19937_64.
template <class D> std::vector<rng::result_t<D>> twin(const D& dist) {
    std::mt19937_64 entropy(1);
    const Reference reference = reference_of(dist);
    std::vector<rng::result_t<D>> values(n);
    for (auto& x : values) {
        const double u = (static_cast<double>(entropy() >> 12) + 0.5) * 0x1p-52;
        x = static_cast<rng::result_t<D>>(reference.quantile(u));
    }
    return values;
}

/// The unsound one: two per cent too wide, and off by a fiftieth of the standard deviation, or of the quartiles'
/// distance where there is none.
template <class D> std::vector<rng::result_t<D>> distorted(const D& dist) {
    auto values = ours(dist);
    const Reference reference = reference_of(dist);
    const double variance = reference.central_moment(2);
    const auto spread = static_cast<double>(reference.quantile(0.75) - reference.quantile(0.25));
    const double shift = 0.02 * (std::isfinite(variance) ? std::sqrt(variance) : spread);
    for (auto& x : values) x = static_cast<rng::result_t<D>>(static_cast<double>(x) * 1.02 + shift);
    return values;
}

/// Without half of the values beyond the quantiles of 1e-3, which are in the middle instead.
template <class D> std::vector<rng::result_t<D>> thinned(const D& dist) {
    auto values = ours(dist);
    const Reference reference = reference_of(dist);
    const auto low = static_cast<double>(reference.quantile(1e-3));
    const auto high = static_cast<double>(reference.upper_quantile(1e-3));
    const auto middle = static_cast<rng::result_t<D>>(reference.quantile(0.5));
    bool keep = false;
    for (auto& x : values)
        if (static_cast<double>(x) < low || static_cast<double>(x) > high) {
            keep = !keep;
            if (!keep) x = middle;
        }
    return values;
}

// ---- Kolmogorov-Smirnov and chi-square, and correlations of neighbours: three checks for each distribution, two for
// its twin

/// Ranks are bounded, so that correlations are nearly normal.
Standardised standardised(std::vector<double> u) { return {0.5, std::sqrt(1.0 / 12), std::move(u)}; }
/// How far they lie from the middle, squared.
Standardised spreads(const Standardised& u) {
    Standardised s{1.0 / 12, std::sqrt(1.0 / 180), {}};
    for (const double x : u.values) s.values.push_back((x - 0.5) * (x - 0.5));
    return s;
}
Standardised skipped(const Standardised& a, std::size_t first, std::size_t count) {
    const auto begin = a.values.begin() + static_cast<std::ptrdiff_t>(first);
    return {a.mean, a.stddev, {begin, begin + static_cast<std::ptrdiff_t>(count)}};
}

double neighbours(const Standardised& u) {
    const Standardised s = spreads(u);
    double least = 1;
    for (const std::size_t lag : {1u, 2u})
        for (const Standardised* a : {&u, &s}) {
            const std::size_t count = a->values.size() - lag;
            least = std::min(least, support::correlation_p(skipped(*a, 0, count), skipped(*a, lag, count)));
        }
    return std::min(1.0, 4 * least);
}

void expect_fit(std::vector<double> u, const std::string& name) {
    const support::Fit found = fit(std::move(u));
    EXPECT_TRUE(sound(found.kolmogorov_smirnov)) << name;
    EXPECT_TRUE(sound(found.chi_square)) << name << ", cells";
}

TEST(Statistics, FitAndNeighbours) {
    for_each_real_distribution([](const auto& dist, const std::string& name) {
        std::vector<double> u = ranks(dist, ours(dist));
        expect_fit(u, name);
        EXPECT_TRUE(sound(neighbours(standardised(u)))) << name;
        // Every hundredth value again: as from parts of a fill that overlap.
        for (std::size_t i = 100; i < n; i += 100) u[i] = u[i - 1];
        EXPECT_TRUE(rejected(neighbours(standardised(std::move(u))))) << name;
        // The twins show the law itself, which is the same for both types.
        if constexpr (sizeof(rng::result_t<std::decay_t<decltype(dist)>>) == 8)
            expect_fit(ranks(dist, twin(dist)), name + ", twin");
        else
            EXPECT_TRUE(rejected(fit(dist, distorted(dist)).greatest())) << name << ", distorted";
    });
    const rng::normal<double> normal;
    EXPECT_TRUE(sound(neighbours(standardised(ranks(normal, twin(normal)))))) << "twin";
}

// Ten million values show flaws a third as large.
TEST(StatisticsSlow, FitOfTenMillionValues) {
    for_each_real_distribution([](const auto& dist, const std::string& name) {
        const auto values = ours(dist, 10'000'000);
        expect_fit(ranks(dist, values), name);
        EXPECT_TRUE(sound(tails(dist, values))) << name;
    });
}

// ---- moments: up to four checks for each

/// The highest power whose mean over 2^20 values is near enough to normal for a tail of 1e-9.
template <class D> constexpr int highest_moment(const D&) { return 4; }
template <class T> constexpr int highest_moment(const rng::exponential<T>&) { return 2; }
template <class T> constexpr int highest_moment(const rng::laplace<T>&) { return 2; }
template <class T> constexpr int highest_moment(const rng::logistic<T>&) { return 2; }
template <class T> constexpr int highest_moment(const rng::gumbel<T>&) { return 2; }
template <class T> constexpr int highest_moment(const rng::weibull<T>&) { return 2; }
template <class T> constexpr int highest_moment(const rng::half_normal<T>&) { return 3; }
template <class T> constexpr int highest_moment(const rng::rayleigh<T>&) { return 3; }
template <class T> constexpr int highest_moment(const rng::maxwell<T>&) { return 3; }
template <class T> constexpr int highest_moment(const rng::double_sided_maxwell<T>&) { return 2; }
template <class T> constexpr int highest_moment(const rng::lognormal<T>&) { return 1; }
template <class T> constexpr int highest_moment(const rng::inverse_gaussian<T>&) { return 1; }
template <class T> constexpr int highest_moment(const rng::exponentially_modified_normal<T>&) { return 2; }
template <class T> constexpr int highest_moment(const rng::gamma<T>&) { return 2; }
template <class T> constexpr int highest_moment(const rng::log_gamma<T>&) { return 2; }
template <class T> constexpr int highest_moment(const rng::chi_squared<T>&) { return 1; }
template <class T> constexpr int highest_moment(const rng::chi<T>&) { return 3; }
template <class T> constexpr int highest_moment(const rng::inverse_gamma<T>&) { return 0; }
template <class T> constexpr int highest_moment(const rng::beta_prime<T>&) { return 0; }
template <class T> constexpr int highest_moment(const rng::fisher_f<T>&) { return 0; }
template <class T> constexpr int highest_moment(const rng::noncentral_chi_squared<T>&) { return 1; }
template <class T> constexpr int highest_moment(const rng::noncentral_f<T>&) { return 0; }
template <class T> constexpr int highest_moment(const rng::frechet<T>&) { return 0; }
template <class T> constexpr int highest_moment(const rng::pareto<T>&) { return 0; }
template <class T> constexpr int highest_moment(const rng::lomax<T>&) { return 0; }
template <class T> constexpr int highest_moment(const rng::cauchy<T>&) { return 0; }
template <class T> constexpr int highest_moment(const rng::half_cauchy<T>&) { return 0; }
template <class T> constexpr int highest_moment(const rng::student_t<T>&) { return 0; }

/// The mean of (x - mean)^k. Its skewness is at most 11 / sqrt(n) for the powers of highest_moment().
/// At six standard deviations this changes a normal tail by a factor of exp(6^3 * 11 / 1024 / 6) = 1.5.
template <class D> double moment(const D& dist, const std::vector<rng::result_t<D>>& values, int k) {
    const Reference reference = reference_of(dist);
    const double mean = reference.mean(), expected = reference.central_moment(k);
    double sum = 0;
    for (const auto x : values) sum += std::pow(static_cast<double>(x) - mean, k) - expected;
    const double variance = reference.central_moment(2 * k) - expected * expected;
    return support::p_of_z(sum / std::sqrt(variance * static_cast<double>(values.size())));
}

TEST(Statistics, Moments) {
    for_each_real_distribution([](const auto& dist, const std::string& name) {
        if (highest_moment(dist) == 0) return;
        constexpr bool has_twin = sizeof(rng::result_t<std::decay_t<decltype(dist)>>) == 8;
        const auto values = ours(dist), other = has_twin ? twin(dist) : distorted(dist);
        for (int k = 1; k <= highest_moment(dist); ++k) {
            EXPECT_TRUE(sound(moment(dist, values, k))) << name << ", moment " << k;
            const double p = moment(dist, other, k);
            EXPECT_TRUE(has_twin ? sound(p) : rejected(p)) << name << ", other, moment " << k;
        }
    });
}

// ---- tails: one check for each, of six counts

TEST(Statistics, Tails) {
    for_each_real_distribution([](const auto& dist, const std::string& name) {
        EXPECT_TRUE(sound(tails(dist, ours(dist)))) << name;
        if constexpr (sizeof(rng::result_t<std::decay_t<decltype(dist)>>) == 8) {
            EXPECT_TRUE(sound(tails(dist, twin(dist)))) << name << ", twin";
        } else {
            EXPECT_TRUE(rejected(tails(dist, thinned(dist)))) << name << ", thinned";
        }
    });
    // Twelve uniforms less six have the mean and variance of a normal, and tails that are too thin.
    const auto uniforms = ours(rng::uniform<float>{});
    std::vector<double> sums(n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < 12; ++k) sums[i] += static_cast<double>(uniforms[(i + k * 104729) % n]);
        sums[i] -= 6;
    }
    EXPECT_TRUE(rejected(tails(rng::normal<double>{}, sums)));
}

// ---- types that take turns: one check for each order and type, of four correlations

/// A normal and a uniform drawn after each other, in this order or the other. A library that made both of one
/// sequence's words would tie the uniform to the angle or to the radius of its neighbour.
double turns(const std::vector<double>& normals, const std::vector<double>& uniforms) {
    const Reference law = reference_of(rng::normal<double>{});
    Standardised z{0.5, std::sqrt(1.0 / 12), {}}, u = z, cosine{0, std::sqrt(0.5), {}}, sine = cosine;
    for (const double x : normals) z.values.push_back(law.cdf(x));
    for (const double x : uniforms) {
        u.values.push_back(x);
        cosine.values.push_back(std::cos(2 * std::numbers::pi * x));
        sine.values.push_back(std::sin(2 * std::numbers::pi * x));
    }
    return std::min(1.0, 4 * std::min({support::correlation_p(z, u), support::correlation_p(z, cosine),
                                       support::correlation_p(z, sine), support::correlation_p(spreads(z), u)}));
}

template <class T> double our_turns(uint64_t first_word) {
    rng::Generator generator(42);
    generator.skip_words(first_word);
    std::vector<double> normals, uniforms;
    T z[1], u[1];
    for (std::size_t i = 0; i < n / 4; ++i) {
        rng::fill(z, rng::normal<T>{}, generator);
        rng::fill(u, rng::uniform<T>{}, generator);
        normals.push_back(static_cast<double>(z[0]));
        uniforms.push_back(static_cast<double>(u[0]));
    }
    return turns(normals, uniforms);
}

/// The same with Box-Muller on the words that the uniforms use.
double shared_words(std::size_t word_of_uniform) {
    using U = rng::lane::u32<rng::lane::Scalar>;
    const auto words = ours(rng::bits<uint32_t>{});
    const auto unit = rng::uniform<float>{}.map();
    std::vector<double> normals, uniforms;
    for (std::size_t i = 0; i + 1 < n; i += 2) {
        const auto pair = rng::lane::box_muller(U(words[i]), U(words[i + 1]));
        normals.push_back(static_cast<double>(word_of_uniform == 1 ? pair.even.v : pair.odd.v));
        uniforms.push_back(static_cast<double>(unit(U(words[i + word_of_uniform])).v));
    }
    return turns(normals, uniforms);
}

TEST(Statistics, TypesThatTakeTurns) {
    EXPECT_TRUE(sound(our_turns<float>(0)));
    EXPECT_TRUE(sound(our_turns<float>(1)));
    EXPECT_TRUE(sound(our_turns<double>(0)));
    EXPECT_TRUE(sound(our_turns<double>(2)));
    EXPECT_TRUE(rejected(shared_words(0))) << "the uniform is the radius";
    EXPECT_TRUE(rejected(shared_words(1))) << "the uniform is the angle";
    const auto normals = twin(rng::normal<double>{}), uniforms = ours(rng::uniform<double>{});
    EXPECT_TRUE(sound(turns(normals, uniforms))) << "twin";
}

// ---- bits: a check for each type

TEST(Statistics, Bits) {
    EXPECT_TRUE(sound(support::bits_p(ours(rng::bits<uint32_t>{}))));
    EXPECT_TRUE(sound(support::bits_p(ours(rng::bits<uint64_t>{}))));
    std::mt19937 entropy(1);
    std::vector<uint32_t> of_twin(n), randu(n), counter(n);
    for (auto& w : of_twin) w = static_cast<uint32_t>(entropy());
    EXPECT_TRUE(sound(support::bits_p(of_twin))) << "twin";
    uint32_t state = 1;
    for (auto& w : randu) w = (state *= 65539u) << 1;
    EXPECT_TRUE(rejected(support::bits_p(randu))) << "RANDU";
    for (uint32_t i = 0; i < n; ++i) counter[i] = i * 0x9E3779B9u;
    EXPECT_TRUE(rejected(support::bits_p(counter))) << "a Weyl sequence: every bit is set half of the time";
}

// Children, streams of successive ids and streams of successive seeds are as independent as neighbours.
TEST(Statistics, FamiliesOfStreams) {
    const auto interleaved = [](const auto& stream_of) {
        std::vector<uint32_t> words;
        for (uint64_t i = 0; i < n / 16; ++i) {
            const rng::Stream<> s = stream_of(i);
            for (uint64_t w = 0; w < 16; w += 4) {
                const auto block = s.block(w / 4);
                for (int k = 0; k < 4; ++k) words.push_back(block[k]);
            }
        }
        std::vector<uint32_t> transposed(words.size());  // word w of all streams, then word w + 1 of all
        for (std::size_t i = 0; i < words.size(); ++i) transposed[i % 16 * (n / 16) + i / 16] = words[i];
        return transposed;
    };
    const rng::Stream<> parent{42};
    EXPECT_TRUE(sound(support::bits_p(interleaved([&](uint64_t i) { return rng::Stream<>{i}; })))) << "seeds";
    EXPECT_TRUE(sound(support::bits_p(interleaved([&](uint64_t i) { return rng::Stream<>{42, i}; })))) << "ids";
    EXPECT_TRUE(sound(support::bits_p(interleaved([&](uint64_t i) { return parent.fork(i); })))) << "tags";
    EXPECT_TRUE(sound(support::bits_p(interleaved([&](uint64_t i) { return parent.child(i, rng::domain::counted); }))))
        << "counted children";
    EXPECT_TRUE(rejected(support::bits_p(interleaved([&](uint64_t i) { return rng::Stream<>{i / 64}; }))))
        << "sixty-four streams are one";
}

}  // namespace
