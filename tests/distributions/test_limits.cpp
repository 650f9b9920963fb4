// The limits of parameters from both sides: a limit itself is accepted, the next number outside is refused.
// The numbers are those of docs/contract.md, section 7. test_parameters.cpp has normal, exponential and the uniforms.
#include <gtest/gtest.h>
#include <rng/any_distribution.hpp>
#include <rng/detail/ranges.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using Given = std::vector<rng::AnyDistribution::Parameter>;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi32 = 0x1.921fb4p+1, pi64 = 0x1.921fb54442d18p+1;

/// Which numbers are accepted.
enum class Sign {
    positive,          // those of the range [least, most]
    positive_or_zero,  // those from 0 to most; below least they count as 0
    any                // and those whose negative is one of these
};

struct Range {
    double least, most;
};
constexpr Range scale32{0x1p-76, 0x1p90}, scale64{0x1p-900, 0x1p900}, scale16{0x1p-14, 0x1p10};
constexpr Range location32{0x1p-76, 0x1p126}, location64{0x1p-900, 0x1p1022}, location16{0x1p-76, 0x1p14};

/// A row of the table: the range in f32, in f64, and in float16 if its row differs from that of f32.
struct Limits {
    const char *name, *field;
    Sign sign;
    Range f32, f64, f16;
    Given others = {};                // parameters that leave the whole range to this one
    const char* companion = nullptr;  // a parameter that is set to the limit too
};
Limits both(const char* name, const char* field, Range f32, Range f64, Sign sign = Sign::positive) {
    return {name, field, sign, f32, f64, f32};
}
Limits scale(const char* name, const char* field = "scale", Given others = {}) {
    return {name, field, Sign::positive, scale32, scale64, scale16, std::move(others)};
}
Limits location(const char* name, const char* field = "loc", Given others = {}) {
    return {name, field, Sign::any, location32, location64, location16, std::move(others)};
}

std::vector<Limits> table() {
    const Range shape32{0x1p-6, 0x1p40}, shape64{0x1p-9, 0x1p60};
    const Range gamma32{0x1p-20, 0x1p30}, gamma64{0x1p-40, 0x1p60};
    const Range nu32{0x1p-19, 0x1p31}, nu64{0x1p-39, 0x1p61};
    const Range beta32{0x1p-20, 0x1p24}, beta64{0x1p-40, 0x1p60};
    const Range power32{0x1p-20, 0x1p40}, power64{0x1p-40, 0x1p60};
    const Range fisher32{0x1p-19, 0x1p25}, fisher64{0x1p-39, 0x1p61};
    const Range lambda32{0x1p-100, 0x1p31}, lambda64{0x1p-900, 0x1p61};
    const Range wald32{0x1p-60, 0x1p60}, wald64{0x1p-400, 0x1p400};
    const Given whole{{"lo", -inf}, {"hi", inf}};
    return {
        both("complex_normal", "stddev", {0x1p-75, 0x1p120}, {0x1p-899, 0x1p1000}, Sign::positive_or_zero),
        both("lognormal", "mu", {0x1p-70, 80}, {0x1p-900, 700}, Sign::any),
        both("lognormal", "sigma", {0x1p-70, 64}, {0x1p-900, 64}, Sign::positive_or_zero),
        scale("half_normal", "sigma"),
        location("laplace"),
        scale("laplace"),
        location("logistic"),
        scale("logistic"),
        location("gumbel"),
        scale("gumbel"),
        both("weibull", "shape", shape32, shape64),
        scale("weibull"),
        both("frechet", "shape", shape32, shape64),
        scale("frechet"),
        both("pareto", "shape", shape32, shape64),
        scale("pareto"),
        both("lomax", "shape", {0x1p-6, 0x1p20}, {0x1p-9, 0x1p60}),
        both("lomax", "scale", {0x1p-60, 0x1p60}, {0x1p-800, 0x1p800}),
        both("power", "shape", {0x1p-20, 0x1p60}, {0x1p-40, 0x1p60}),
        both("kumaraswamy", "a", power32, power64),
        both("kumaraswamy", "b", power32, power64),
        scale("rayleigh", "sigma"),
        scale("maxwell", "sigma"),
        location("double_sided_maxwell"),
        scale("double_sided_maxwell"),
        location("cauchy"),
        scale("cauchy"),
        scale("half_cauchy"),
        both("student_t", "nu", {0.6, 0x1p60}, {0.15, 0x1p60}),
        {"inverse_gaussian", "mean", Sign::positive, wald32, wald64, {}, {}, "lambda"},
        {"inverse_gaussian", "lambda", Sign::positive, wald32, wald64, {}, {}, "mean"},
        location("exponentially_modified_normal"),
        both("exponentially_modified_normal", "scale", {0x1p-46, 0x1p90}, {0x1p-800, 0x1p900}),
        both("exponentially_modified_normal", "shape", {0x1p-20, 0x1p20}, {0x1p-40, 0x1p40}),
        both("gamma", "shape", gamma32, gamma64),
        both("gamma", "scale", {0x1p-50, 0x1p90}, {0x1p-800, 0x1p900}),
        both("log_gamma", "shape", gamma32, gamma64),
        both("inverse_gamma", "shape", gamma32, gamma64),
        both("inverse_gamma", "scale", {0x1p-90, 0x1p50}, {0x1p-900, 0x1p800}),
        both("chi_squared", "nu", nu32, nu64),
        both("chi", "nu", nu32, nu64),
        both("beta", "a", beta32, beta64),
        both("beta", "b", beta32, beta64),
        both("beta_prime", "a", beta32, beta64),
        both("beta_prime", "b", beta32, beta64),
        both("fisher_f", "d1", fisher32, fisher64),
        both("fisher_f", "d2", fisher32, fisher64),
        both("noncentral_chi_squared", "nu", nu32, nu64),
        both("noncentral_chi_squared", "lambda", lambda32, lambda64, Sign::positive_or_zero),
        both("noncentral_f", "d1", nu32, nu64),
        both("noncentral_f", "d2", nu32, nu64),
        both("noncentral_f", "lambda", lambda32, lambda64, Sign::positive_or_zero),
        location("generalized_normal"),
        both("generalized_normal", "scale", {0x1p-28, 0x1p30}, {0x1p-500, 0x1p500}),
        both("generalized_normal", "shape", {0x1p-4, 0x1p20}, {0x1p-6, 0x1p40}),
        location("truncated_normal", "mean", whole),
        scale("truncated_normal", "stddev", whole),
        both("von_mises", "mu", {0x1p-76, pi32}, {0x1p-900, pi64}, Sign::any),
        both("von_mises", "kappa", {0x1p-40, 0x1p40}, {0x1p-60, 0x1p60}, Sign::positive_or_zero),
    };
}

/// A distribution in one type of values, and what is next to a number in the type of its parameters.
struct Type {
    std::string_view name, dtype;
    bool is_single;

    [[nodiscard]] double above(double x) const {
        return is_single ? std::nextafter(static_cast<float>(x), std::numeric_limits<float>::infinity())
                         : std::nextafter(x, inf);
    }
    [[nodiscard]] double below(double x) const { return -above(-x); }
    [[nodiscard]] double rounded(double x) const { return is_single ? static_cast<float>(x) : x; }
    [[nodiscard]] double tiny() const { return above(0); }
    [[nodiscard]] double max() const { return below(inf); }

    void accepts(const Given& given) const {
        const rng::ParameterFault fault = rng::AnyDistribution::find_fault(name, dtype, given);
        EXPECT_FALSE(fault) << text(given) << fault.field << ' ' << fault.limit;
    }
    void refuses(const Given& given, std::string_view field) const {
        const rng::ParameterFault fault = rng::AnyDistribution::find_fault(name, dtype, given);
        ASSERT_TRUE(fault) << text(given) << field << " was accepted";
        EXPECT_EQ(fault.field, field) << text(given) << fault.limit;
    }

  private:
    [[nodiscard]] std::string text(const Given& given) const {
        std::string text = std::string(name) + ' ' + std::string(dtype);
        for (const auto& [field, value] : given) {
            char number[40];
            std::snprintf(number, sizeof number, " %a", value.real());
            text += ' ' + std::string(field) + number;
        }
        return text + ": ";
    }
};

/// Calls f(type) for each type of values that the distribution has.
template <class F> void for_each_type(std::string_view name, const F& f) {
    int types = 0;
    for (const rng::DistributionInfo& info : rng::known_distributions()) {
        if (info.name != name) continue;
        ++types;
        f(Type{info.name, info.dtype, std::string_view(info.parameters[0].dtype) == "f32"});
    }
    EXPECT_GE(types, 2) << name;
}

void expect_limits(const Limits& row, const Type& type) {
    const Range range = type.dtype == "f16" ? row.f16 : type.is_single ? row.f32 : row.f64;
    const double least = type.rounded(range.least), most = type.rounded(range.most);
    const auto given = [&](double x, double companion) {
        Given all = row.others;
        all.push_back({row.field, x});
        if (row.companion != nullptr) all.push_back({row.companion, companion});
        return all;
    };
    const auto accepts = [&](double x, double near) { type.accepts(given(x, near)); };
    const auto refuses = [&](double x, double near) { type.refuses(given(x, near), row.field); };
    accepts(least, least);
    accepts(most, most);
    refuses(type.above(most), most);
    for (const double x : {nan, inf, -inf, type.max(), -type.max()}) refuses(x, most);
    for (const double x : {0.0, -0.0, type.tiny(), type.below(least)})
        row.sign == Sign::positive ? refuses(x, least) : accepts(x, least);
    for (const double x : {-type.tiny(), -type.below(least), -least, -most})
        row.sign == Sign::any ? accepts(x, least) : refuses(x, least);
    refuses(-type.above(most), most);
}
TEST(Limits, BothSidesOfEach) {
    for (const Limits& row : table()) for_each_type(row.name, [&](const Type& type) { expect_limits(row, type); });
}

// A new distribution needs rows too.
TEST(Limits, EachParameterHasARow) {
    const std::vector<std::string_view> elsewhere{"uniform",        "uniform_open",      "uniform_open_closed",
                                                  "normal",         "normal_icdf",       "exponential",
                                                  "uniform_int",    "bernoulli",         "triangular",
                                                  "poisson",        "binomial",          "geometric",
                                                  "hypergeometric", "negative_binomial", "zipf",
                                                  "log_series"};
    const std::vector<Limits> rows = table();
    for (const rng::DistributionInfo& info : rng::known_distributions()) {
        if (std::find(elsewhere.begin(), elsewhere.end(), info.name) != elsewhere.end()) continue;
        for (const rng::ParameterInfo& field : info.parameters) {
            const std::string_view name = info.name, parameter = field.name;
            if (name == "truncated_normal" && (parameter == "lo" || parameter == "hi")) continue;
            EXPECT_EQ(std::count_if(rows.begin(), rows.end(),
                                    [&](const Limits& row) { return row.name == name && row.field == parameter; }),
                      1)
                << name << ' ' << parameter;
        }
    }
}

// ---- limits that join several parameters

constexpr Type single(std::string_view name) { return {name, "f32", true}; }
constexpr Type twice(std::string_view name) { return {name, "f64", false}; }

TEST(Limits, RatioOfInverseGaussian) {
    for (const auto& [type, most] :
         {std::pair(single("inverse_gaussian"), 0x1p40), std::pair(twice("inverse_gaussian"), 0x1p100)})
        for (const double mean : {0x1p-20, 1.0, 3.0, 0x1p20}) {
            const double greatest = mean * most, least = mean / most;
            type.accepts({{"mean", mean}, {"lambda", greatest}});
            type.accepts({{"mean", mean}, {"lambda", least}});
            type.refuses({{"mean", mean}, {"lambda", type.above(greatest)}}, "lambda");
            type.refuses({{"mean", mean}, {"lambda", type.below(least)}}, "lambda");
        }
}

/// Numbers of a magnitude above `most`; a bound may be infinite.
std::vector<double> no_locations(const Type& type, double most) {
    return {nan, type.max(), -type.max(), type.above(most), -type.above(most)};
}

void triangular_limits(const Type& type, double least, double most, double span) {
    const auto given = [](double left, double mode, double right) {
        return Given{{"left", left}, {"mode", mode}, {"right", right}};
    };
    for (const double mode : {-most, -least, -0.0, 0.0, least, most}) type.accepts(given(-most, mode, most));
    for (const double x : {-least, -type.tiny(), -0.0, 0.0, type.tiny(), type.below(least), least}) {
        type.accepts(given(x, 0.5, 1));
        type.accepts(given(-1, x, 1));
        type.accepts(given(-1, -0.5, x));
    }
    for (const double bad : no_locations(type, most)) {
        type.refuses(given(bad, 0, 1), "left");
        type.refuses(given(-1, bad, 1), "mode");
        type.refuses(given(-1, 0, bad), "right");
    }
    for (const double bad : {inf, -inf}) {
        type.refuses(given(bad, 0, 1), "left");
        type.refuses(given(-1, bad, 1), "mode");
        type.refuses(given(-1, 0, bad), "right");
    }
    type.accepts(given(0.5, 0.5, 1));
    type.accepts(given(0.5, 1, 1));
    type.refuses(given(type.above(0.5), 0.5, 1), "mode");
    type.refuses(given(0.5, type.above(1), 1), "right");
    type.accepts(given(least, least, least + span));
    type.refuses(given(least, least, type.below(least + span)), "right");
    type.refuses(given(1, 1, 1), "right");
}
TEST(Limits, Triangular) {
    triangular_limits(single("triangular"), 0x1p-100, 0x1p126, 0x1p-78);
    triangular_limits(twice("triangular"), 0x1p-900, 0x1p1022, 0x1p-900);
    // The 16-bit types allow their own values alone.
    for (const auto& [dtype, most] : {std::pair("f16", 65504.0), std::pair("bf16", 0x1p126)}) {
        const Type type{"triangular", dtype, true};
        type.accepts({{"left", -most}, {"mode", 0.5}, {"right", most}});
        type.refuses({{"left", type.below(-most)}, {"mode", 0.5}, {"right", 1}}, "left");
        type.refuses({{"left", 0}, {"mode", 0.1}, {"right", 1}}, "mode");
        type.refuses({{"left", 0}, {"mode", 0.5}, {"right", type.above(most)}}, "right");
    }
}

void truncation_limits(const Type& type, Range location, double span, double far, double narrow) {
    const auto given = [](double mean, double stddev, double lo, double hi) {
        return Given{{"mean", mean}, {"stddev", stddev}, {"lo", lo}, {"hi", hi}};
    };
    const auto [least, most] = location;
    // A finite lo of the greatest magnitude leaves no room above itself; a finite hi at -most none below.
    for (const double x : {-inf, -most, -least, -type.tiny(), -0.0, 0.0, type.below(least), least})
        type.accepts(given(0, 1, x, inf));
    for (const double x : {-least, -type.tiny(), -0.0, 0.0, type.below(least), least, most, inf})
        type.accepts(given(0, 1, -inf, x));
    for (const double bad : no_locations(type, most)) {
        type.refuses(given(0, 1, bad, inf), "lo");
        type.refuses(given(0, 1, -inf, bad), "hi");
    }
    type.refuses(given(0, 1, inf, inf), "lo");
    type.refuses(given(0, 1, -inf, -inf), "hi");
    // The interval's length, then its distance from the mean and its length in standard deviations.
    type.accepts(given(least, least, least, least + span));
    type.refuses(given(least, least, least, type.below(least + span)), "hi");
    type.refuses(given(0, 1, 1, 1), "hi");
    type.refuses(given(0, 1, 1, type.below(1)), "hi");
    type.accepts(given(0, 1, far, inf));
    type.accepts(given(0, 1, far, 2 * far));
    type.accepts(given(0, 1, -inf, -far));
    type.refuses(given(0, 1, type.above(far), inf), "lo");
    type.refuses(given(0, 1, type.above(far), 2 * far), "lo");
    type.refuses(given(0, 1, -inf, type.below(-far)), "hi");
    type.accepts(given(0, 1, 0, narrow));
    type.accepts(given(0, 1, -narrow, 0));
    type.refuses(given(0, 1, 0, type.below(narrow)), "hi");
    type.refuses(given(0, 1, -type.below(narrow), 0), "hi");
}
TEST(Limits, TruncatedNormal) {
    truncation_limits(single("truncated_normal"), location32, 0x1p-78, 0x1p12, 0x1p-28);
    truncation_limits(twice("truncated_normal"), location64, 0x1p-900, 0x1p50, 0x1p-100);
}

// What messages and `rng list` say of a range, number by number.
TEST(Limits, TextsOfRanges) {
    const auto text = [](const auto& range) { return std::string(rng::detail::RangeText::of(range).text); };
    using rng::ParameterRange;
    EXPECT_EQ(text(ParameterRange<double>{}), "");
    EXPECT_EQ(text(ParameterRange<float>{0x1p-20f, 0x1p9f}), "must be in [2^-20, 512]");
    EXPECT_EQ(text(ParameterRange<double>{0, 0x1p10}), "must be in [0, 2^10]");
    EXPECT_EQ(text(ParameterRange<float>{0.6f, 700}), "must be in [0.6, 700]");
    EXPECT_EQ(text(ParameterRange<double>{0.15, 1 - 0x1p-45}), "must be in [0.15, 1 - 2^-45]");
    EXPECT_EQ(text(ParameterRange<float>{-0x1.921fb4p+1f, 0x1.921fb4p+1f}), "must be of magnitude pi at most");
    EXPECT_EQ(text(ParameterRange<double>{-80, 80}), "must be of magnitude 80 at most");
    EXPECT_EQ(text(ParameterRange<int32_t>{0, 3}), "must be in [0, 3]");
    EXPECT_EQ(text(ParameterRange<int32_t>{1, 2147483647}), "must be in [1, 2^31 - 1]");
    EXPECT_EQ(text(ParameterRange<int64_t>{0, int64_t{1} << 62}), "must be in [0, 2^62]");
}

}  // namespace
