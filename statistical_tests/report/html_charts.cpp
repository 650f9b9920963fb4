#include "html_charts.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <map>
#include <tuple>

#include "../battery/verdict.hpp"
#include "html_page.hpp"
#include "html_plot.hpp"

namespace rng::stats::html {

namespace {

// Axes of log10 p end here. Values below are drawn at the edge.
constexpr double lowest_log10 = -40;
constexpr std::size_t most_lines = 6;  // the number of colours of the page

std::string card(const std::string& title, const std::string& svg, const std::string& below) {
    return "<div class=\"card\"><h3>" + title + "</h3>\n" + svg + below + "</div>\n";
}

/// Returns a number in [0, 1) from the name alone, so that a report can be made again. FNV-1a (Fowler, Noll, Vo, 1991),
/// finished by the mixer of splitmix64 (Steele, Lea, Flood, 2014).
double uniform_of(const std::string& name) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111eb;
    return static_cast<double>((hash ^ hash >> 31) >> 11) * 0x1p-53;
}

/// Returns the randomised p-values, ascending, without NaN.
std::vector<double> randomised(const std::vector<const Result*>& results) {
    std::vector<double> p;
    for (const Result* result : results) p.push_back(result->p.randomised(uniform_of(result->name())));
    std::erase_if(p, [](double x) { return std::isnan(x); });
    std::ranges::sort(p);
    return p;
}

std::string histogram(const std::vector<double>& p) {
    const int bins = p.size() >= 200 ? 20 : 10;
    const double expected = static_cast<double>(p.size()) / bins;
    std::vector<int> found(static_cast<std::size_t>(bins));
    for (const double x : p) ++found[static_cast<std::size_t>(std::clamp(static_cast<int>(x * bins), 0, bins - 1))];
    const double tallest = std::max(*std::ranges::max_element(found) * 1.08, expected * 1.5);
    Plot plot("Histogram of p-values", {"p-value", 0, 1, ticks(0, 1, 6)},
              {"how many", 0, tallest, ticks(0, tallest, 6)});
    for (int i = 0; i < bins; ++i) {
        const double low = static_cast<double>(i) / bins, high = (i + 1.0) / bins;
        const auto n = static_cast<uint64_t>(found[static_cast<std::size_t>(i)]);
        plot.bar(low, high, static_cast<double>(n), number(low) + " to " + number(high) + ": " + plural(n, "p-value"));
    }
    plot.line(std::vector<Point>{{0, expected}, {1, expected}}, "expected");
    return card("P-values", plot.svg(),
                "<p>" + plural(p.size(), "p-value") +
                    " of the last interim analysis: upper tails, randomised where a statistic is "
                    "discrete. The dashed line is what a sound generator has on average.</p>\n");
}

/// Returns the range in which the i-th least of n uniform numbers lies with a probability of 95%: a beta distribution.
std::pair<double, double> order_statistic_range(std::size_t i, std::size_t n) {
    const double a = static_cast<double>(i) + 1, b = static_cast<double>(n - i);
    return {boost::math::ibeta_inv(a, b, 0.025), boost::math::ibeta_inv(a, b, 0.975)};
}

std::string qq_uniform(const std::vector<double>& p) {
    std::vector<Point> points, low, high;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const double expected = (static_cast<double>(i) + 0.5) / static_cast<double>(p.size());
        const auto range = order_statistic_range(i, p.size());
        points.emplace_back(expected, p[i]);
        low.emplace_back(expected, range.first);
        high.emplace_back(expected, range.second);
    }
    Plot plot("QQ plot of p-values", {"expected", 0, 1, ticks(0, 1, 6)}, {"observed", 0, 1, ticks(0, 1, 6)});
    plot.band(low, high);
    plot.line(std::vector<Point>{{0, 0}, {1, 1}}, "expected");
    plot.dots(points, "dots");
    return card("Against uniform", plot.svg(),
                "<p>The same, sorted, against the order statistics of uniform numbers; in the grey band with a "
                "probability of 95% each.</p>\n");
}

std::string qq_tail(const std::vector<const Result*>& results) {
    std::vector<double> p;
    for (const Result* result : results) p.push_back(result->p.log10_two_sided());
    std::erase_if(p, [](double x) { return std::isnan(x); });
    if (p.empty()) return {};
    std::ranges::sort(p);
    std::vector<Point> points, low, high;
    std::vector<double> below;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const double expected = std::log10((static_cast<double>(i) + 0.5) / static_cast<double>(p.size()));
        const auto range = order_statistic_range(i, p.size());
        low.emplace_back(expected, std::log10(range.first));
        high.emplace_back(expected, std::log10(range.second));
        if (p[i] < lowest_log10)
            below.push_back(expected);
        else
            points.emplace_back(expected, p[i]);
    }
    const double least = std::clamp(std::floor(std::min(p.front(), low.front().second)), lowest_log10, -1.0);
    const double left = std::min(-1.0, std::floor(2 * low.front().first) / 2);
    Plot plot("QQ plot of log10 p", {"log10 of p, expected", left, 0, ticks(left, 0, 7)},
              {"log10 of p, observed", least, 0, ticks(least, 0, 8)});
    plot.band(low, high);
    plot.line(std::vector<Point>{{std::max(left, least), std::max(left, least)}, {0, 0}}, "expected");
    plot.dots(points, "dots");
    for (const double x : below) plot.beyond(x, "bar");
    return card(
        "The small ones", plot.svg(),
        "<p>Two-sided p-values, sorted, on logarithmic axes" +
            (below.empty() ? std::string() : "; triangles lie below 10<sup>" + number(lowest_log10) + "</sup>") +
            ". Discrete statistics lie above the line.</p>\n");
}

/// The result of a test in one analysis, as one p-value: its least p-value times the number of its parts.
struct Said {
    double log10_p = 0;
    int parts = 0;
    double log10_shares = 0;  ///< log10 of analyses times tests; 0 if unknown
};

std::map<std::string, Said> said(const InterimAnalysis& analysis) {
    std::map<std::string, Said> tests;
    for (const Result& result : analysis.results) {
        Said& test = tests[result.test];
        const double p = result.p.log10_two_sided();
        if (std::isnan(p)) continue;
        if (p < test.log10_p || test.parts == 0) {
            test.log10_p = p;
            test.log10_shares = result.log10_adjusted < 0 && !std::isinf(p) ? result.log10_adjusted - p : 0;
        }
        ++test.parts;
    }
    for (auto& [name, test] : tests) {
        const double parts = std::log10(std::max(1, test.parts));
        test.log10_p = std::min(0.0, test.log10_p + parts);
        if (test.log10_shares > 0) test.log10_shares -= parts;
    }
    return tests;
}

/// Returns log10 of the number of analyses and tests that share a p-value's rate.
double log10_shares(const Report& report) {
    std::map<std::string, int> names;
    for (const InterimAnalysis& analysis : report.analyses)
        for (const auto& [name, test] : said(analysis)) {
            if (test.log10_shares > 0) return test.log10_shares;
            names[name] = 1;
        }
    return std::log10(most_analyses * std::max<double>(1, static_cast<double>(names.size())));
}

Axis size_axis(const std::string& stage, double low, double high) {
    const bool is_stream = stage == "stream";
    Axis axis{is_stream ? "bytes read" : "cases", low, std::max(high, low + 1), {}};
    const int step = std::max(1, static_cast<int>(std::ceil((axis.high - axis.low) / 6)));
    for (int k = static_cast<int>(std::ceil(axis.low)); k <= axis.high; k += step)
        axis.ticks.push_back({static_cast<double>(k), bytes(uint64_t{1} << k, true)});
    return axis;
}

std::string by_size(const Report& report, const std::string& stage) {
    struct Line {
        std::string test;
        std::vector<Point> points;
        double least = 0;
    };
    std::map<std::string, Line> by_test;
    double low = 64, high = 0;
    for (const InterimAnalysis& analysis : report.analyses) {
        if (analysis.stage != stage || analysis.size == 0) continue;
        const double x = std::log2(static_cast<double>(analysis.size));
        for (const auto& [name, test] : said(analysis)) {
            Line& line = by_test[name];
            line.test = name;
            line.points.emplace_back(x, test.log10_p);
            line.least = std::min(line.least, test.log10_p);
            low = std::min(low, x);
            high = std::max(high, x);
        }
    }
    if (by_test.empty()) return {};
    std::vector<Line> lines;
    for (auto& [name, line] : by_test) lines.push_back(std::move(line));
    std::ranges::sort(lines, {}, [](const Line& line) { return std::tie(line.least, line.test); });
    lines.resize(std::min(lines.size(), most_lines));

    const double shares = log10_shares(report);
    const double fails = std::log10(report.policy.fail) - shares;
    const double suspects = std::log10(report.policy.suspicious) - shares;
    const double least =
        std::max(std::floor(std::min(lines.front().least, fails)) - 1, std::min(lowest_log10, fails - 1));
    Plot plot("log10 of p by size", size_axis(stage, low, high), {"log10 of p", least, 0, ticks(least, 0, 8)});
    for (const auto& [level, name, label] :
         {std::tuple{suspects, "suspects", "suspicious below"}, {fails, "fails", "fails below"}}) {
        plot.line(std::vector<Point>{{low, level}, {std::max(high, low + 1), level}}, name);
        plot.note(level, low == high, label, name);
    }
    std::string legend = "<ul class=\"legend\">";
    bool any_below = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string color = "s" + std::to_string(i);
        std::vector<Point> inside;
        for (const Point& p : lines[i].points)
            if (p.second >= least) inside.push_back(p);
        plot.line(lines[i].points, "series " + color);
        plot.dots(inside, "points " + color);
        for (const Point& p : lines[i].points)
            if (p.second < least) {
                plot.beyond(p.first, "beyond " + color);
                any_below = true;
            }
        legend += "<li class=\"" + color + "\"><i></i>" + escape(lines[i].test) + "</li>";
    }
    const std::string what = by_test.size() > lines.size()
                                 ? "The " + std::to_string(lines.size()) + " worst of " + plural(by_test.size(), "test")
                                 : plural(by_test.size(), "test");
    return card(stage == "stream" ? "By size" : "By size, structural tests", plot.svg(),
                legend + "</ul>\n<p>" + what + ": the least two-sided p-value times the number of the test's parts" +
                    (any_below ? "; triangles lie below the axis" : "") + ".</p>\n");
}

}  // namespace

std::vector<const Result*> last_results(const Report& report) {
    std::map<std::string, const InterimAnalysis*> last;
    for (const InterimAnalysis& analysis : report.analyses) last[analysis.stage] = &analysis;
    std::vector<const Result*> results;
    for (const auto& [stage, analysis] : last)
        for (const Result& result : analysis->results) results.push_back(&result);
    return results;
}

std::string p_value_cards(const Report& report) {
    const auto results = last_results(report);
    const auto p = randomised(results);
    return p.empty() ? std::string() : histogram(p) + qq_uniform(p) + qq_tail(results);
}

std::string by_size_cards(const Report& report) { return by_size(report, "stream") + by_size(report, "structural"); }

}  // namespace rng::stats::html
