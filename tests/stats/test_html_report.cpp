// Reports as web pages are well-formed for any names, and contain the numbers and the verdict of the report.
// Their plots are drawn in the right places, also for p = 0, for one p-value, and for none.
//
#include <gtest/gtest.h>
#include <rng/stats/battery.hpp>
#include <rng/stats/engines_under_test.hpp>
#include <rng/stats/report.hpp>
#include <rng/stats/values_under_test.hpp>
#include <rng/stats/zoo.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "statistical_tests/battery/verdict.hpp"
#include "statistical_tests/checks/catalogue.hpp"
#include "statistical_tests/report/html_page.hpp"
#include "statistical_tests/report/html_plot.hpp"

namespace {

using namespace rng::stats;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Returns what is wrong with the page as XML; empty if nothing is. It accepts less HTML than browsers do.
/// Every element must be closed, every attribute quoted and of a different name; every & begins one of five entities.
std::string flaw_of(const std::string& page) {
    static const std::regex tag(R"re(<(/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z][-a-zA-Z0-9]*="[^"<]*")*)\s*(/?)>)re");
    static const std::regex entity("&(?:amp|lt|gt|quot|#39);");
    const std::string begin = "<!DOCTYPE html>\n";
    if (page.compare(0, begin.size(), begin) != 0) return "does not begin as HTML";
    std::vector<std::string> open;
    for (std::size_t at = begin.size(); at < page.size();) {
        const auto from = page.begin() + static_cast<std::ptrdiff_t>(at);
        std::smatch found;
        const auto here = std::regex_constants::match_continuous;
        const auto near = [&] { return page.substr(at, 60) + " at " + std::to_string(at); };
        if (page[at] == '<') {
            if (!std::regex_search(from, page.end(), found, tag, here)) return "no tag: " + near();
            if (found[1].length()) {
                if (open.empty() || open.back() != found[2]) return "closes what is not open: " + near();
                open.pop_back();
                if (open.empty() && page.substr(at + static_cast<std::size_t>(found.length())) != "\n")
                    return "goes on";
            } else if (!found[4].length()) {
                open.push_back(found[2]);
            }
            const std::string attributes = found[3];
            for (std::size_t i = attributes.find('&'); i != std::string::npos; i = attributes.find('&', i + 1))
                if (!std::regex_search(attributes.begin() + static_cast<std::ptrdiff_t>(i), attributes.end(), entity,
                                       here))
                    return "no entity: " + near();
            at += static_cast<std::size_t>(found.length());
        } else if (page[at] == '&') {
            if (!std::regex_search(from, page.end(), found, entity, here)) return "no entity: " + near();
            at += static_cast<std::size_t>(found.length());
        } else {
            const auto c = static_cast<unsigned char>(page[at]);
            if (c < 0x20 && c != '\n' && c != '\t') return "control character: " + near();
            if (open.empty() && c != '\n') return "text outside: " + near();
            ++at;
        }
    }
    return open.empty() ? "" : "open at the end: " + open.back();
}

std::size_t times(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
}
#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (part)
#define EXPECT_HAS_NOT(text, part) EXPECT_EQ((text).find(part), std::string::npos) << (part)

/// Checks the rules for pages of any kind.
void check_page(const std::string& page) {
    EXPECT_EQ(flaw_of(page), "");
    for (const char* outside : {"<script", "src=", "url(", "@import", "<link", "onload", "onclick"})
        EXPECT_HAS_NOT(page, outside);
    // Numbers without a value; "infinity" and "undefined" are what number() makes of them.
    const std::string body = page.substr(page.find("<body>"));
    for (const std::string part : {"nan", "inf ", "infinity", "undefined"})
        EXPECT_FALSE(std::regex_search(body, std::regex("[\" >(,-]" + part))) << part;
    // Nothing is drawn outside of a plot.
    static const std::regex point(R"re([ML](-?[0-9.]+) (-?[0-9.]+))re");
    for (std::sregex_iterator at(body.begin(), body.end(), point), end; at != end; ++at) {
        const double x = std::stod((*at)[1]), y = std::stod((*at)[2]);
        ASSERT_TRUE(x >= 0 && x <= 420 && y >= 0 && y <= 280) << at->str();
    }
}

/// Two-sided: this half of the upper tail, or of the lower.
PValue p_of(double log10_p, bool is_lower = false) {
    const double half = log10_p - std::log10(2), rest = std::log10(1 - std::pow(10, half));
    return is_lower ? PValue{half, rest} : PValue{rest, half};
}

/// A run of `tests` tests with up to 12 parts. P-values are a sound generator's, except in `bad` tests from `from`
/// bytes on.
Report synthetic(uint64_t seed, int tests, int bad, uint64_t from = uint64_t{1} << 18, double steep = 2) {
    std::mt19937_64 entropy(seed);
    Report report;
    report.generator = "philox4x32-10, seed " + std::to_string(seed);
    report.word_bits = 32;
    report.bytes_asked = report.bytes = uint64_t{1} << 30;
    const auto analysis = [&](const char* stage, uint64_t size, int first, int last) {
        InterimAnalysis l{stage, size, {}};
        for (int t = first; t < last; ++t) {
            const int parts = 1 + t * 5 % 12;
            for (int part = 0; part < parts; ++part) {
                double log10_p = std::log10((static_cast<double>(entropy() >> 11) + 0.5) * 0x1p-53);
                if (t < bad && part == 0 && size >= from)
                    log10_p = -steep * static_cast<double>(size) / static_cast<double>(from) * (1 + t);
                l.results.push_back({"test" + std::to_string(t), parts > 1 ? "w<=" + std::to_string(part) : "",
                                     p_of(log10_p, entropy() % 2 == 0),
                                     std::min(0.0, log10_p + std::log10(64.0 * tests * parts))});
            }
        }
        report.analyses.push_back(l);
    };
    for (uint64_t size = 1; size <= 64; size *= 2) analysis("structural", size, tests - tests / 4, tests);
    for (uint64_t size = 1 << 13; size <= report.bytes; size *= 2) {
        analysis("stream", size, 0, tests - tests / 4);
        if (verdict_of(report.analyses, report.policy) == Verdict::fail) {
            report.bytes = size;
            break;
        }
    }
    report.verdict = verdict_of(report.analyses, report.policy);
    return report;
}
std::string page_of(const Report& report) { return html_report(std::span(&report, 1), "rng test --seed 1"); }

TEST(HtmlReport, of_a_sound_generator_says_so) {
    const Report report = synthetic(1, 32, 0);
    ASSERT_EQ(report.verdict, Verdict::pass);
    const std::string page = page_of(report);
    check_page(page);
    EXPECT_HAS(page, "<div class=\"verdict pass\"><strong>\u2713 Passed");
    EXPECT_HAS(page, "p-values of 32 tests at 25 sizes");
    EXPECT_HAS(page, "<pre>rng test --seed 1</pre>");
    EXPECT_HAS(page, "1 GiB of 1 GiB");
    EXPECT_HAS(page, "prefers-color-scheme: dark");
    EXPECT_HAS(page, "name=\"viewport\"");
    EXPECT_EQ(times(page, "<svg "), 5u) << "stream and structural by size, histogram, two QQ plots";
    EXPECT_HAS_NOT(page, "class=\"beyond");
    // The histogram has every p-value of the last analyses, which is what its caption says.
    std::size_t last = 0, in_bars = 0;
    for (const InterimAnalysis& analysis : report.analyses)
        if (analysis.size == (analysis.stage == "stream" ? report.bytes : 64)) last += analysis.results.size();
    static const std::regex bar("<title>[0-9.]+ to [0-9.]+: ([0-9,]+) p-value");
    for (std::sregex_iterator at(page.begin(), page.end(), bar), end; at != end; ++at) in_bars += std::stoul((*at)[1]);
    EXPECT_EQ(in_bars, last);
    EXPECT_HAS(page, std::to_string(last) + " p-values of the last interim analysis");
}

TEST(HtmlReport, of_a_flawed_generator_names_what_found_it) {
    const Report report = synthetic(2, 16, 2, uint64_t{1} << 20, 9);
    ASSERT_EQ(report.verdict, Verdict::fail);
    const std::string page = page_of(report);
    check_page(page);
    EXPECT_HAS(page, "<div class=\"verdict fail\"><strong>\u2717 Failed");
    // Test 1 with 10^-18 times 2 at 1 MiB; times 64 * 16 * 6: 10^-14.2. Test 0's 10^-9 is left with 10^-6.
    EXPECT_HAS(page,
               "<b>test1:w&lt;=0</b> rejects this generator after 1 MiB, with an adjusted p-value of "
               "10<sup>-14.2</sup>");
    EXPECT_HAS(page, "<tr class=\"fail\"><td>test1:w&lt;=0</td>");
    EXPECT_HAS(page, "1 MiB of 1 GiB");
    // In the table the worst comes first, and 20 rows before the others.
    const std::size_t table = page.find("Results, worst first"), others = page.find("<details>", table);
    ASSERT_NE(others, std::string::npos);
    EXPECT_EQ(times(page.substr(table, others - table), "<tr"), 21u);
    EXPECT_EQ(page.find("<td>test", table), page.find("<td>test1:w&lt;=0", table));
}

TEST(HtmlReport, says_what_a_failure_means_and_what_to_do) {
    Report report;
    report.generator = "mine";
    report.bytes_asked = report.bytes = 1 << 20;
    report.verdict = Verdict::fail;
    for (const auto& [test, looks_at, to_do] : std::vector<std::array<std::string, 3>>{
             {"complexity", "linear complexity of single bits of words", "then use another generator"},
             {"low8", "tuples of parts of words", "then use another generator"},
             {"moments", "values: orthonormal polynomials", "check that distribution and parameters are the intended"},
             {"avalanche2/seed", "two flipped input bits flip half of the output",
              "do not use several streams, seeds or keys"}}) {
        report.analyses = {{"stream", report.bytes, {{test, "a part", {0, -30}, -25}}}};
        const std::string page = page_of(report);
        check_page(page);
        const std::size_t at = page.find("<p>What it means: ");
        ASSERT_NE(at, std::string::npos) << test;
        const std::string sentence = page.substr(at, page.find("</p>", at) - at);
        EXPECT_HAS(sentence, looks_at);
        EXPECT_HAS(sentence, to_do);
        const Report both[] = {report, synthetic(3, 4, 0)};
        EXPECT_HAS(html_report(both), sentence);
    }
    report.analyses[0].results[0].test = "unknown";
    check_page(page_of(report));
    EXPECT_HAS_NOT(page_of(synthetic(1, 32, 0)), "What it means");
}

TEST(HtmlReport, a_part_of_what_was_asked_does_not_look_like_all_of_it) {
    Report report = synthetic(1, 32, 0);
    report.bytes = 1 << 13;
    report.source_ended = report.bytes_are_named = true;
    const std::string page = page_of(report);
    check_page(page);
    EXPECT_HAS(page, "\u2713 Passed on 8 KiB of 1 GiB asked: no evidence of a flaw");
    EXPECT_HAS_NOT(page, "\u2713 Passed:");
    const Report both[] = {report, synthetic(1, 32, 0)};
    EXPECT_HAS(html_report(both), "<strong>\u2713 Passed on a part of what was asked: ");
}

TEST(Catalogue, knows_the_row_of_every_test) {
    for (const GeneratorUnderTest& generator :
         {engine_under_test("philox4x32-10", 1), engine_under_test("philox4x64-10", 1),
          distribution_under_test("normal", "f32", {"philox4x32-10", 1}),
          invert_box_muller(distribution_under_test("normal", "f32", {"philox4x32-10", 1}))})
        for (const TestDescription& row : test_catalogue()) {
            const std::string name = row.name;
            for (const NamedTest& made : make_tests(row.stage, generator, {Tier::quick, 1}, {&name, 1}))
                EXPECT_EQ(description_of(made.name), &row) << made.name;
        }
    EXPECT_EQ(description_of("unheard-of"), nullptr);
}

TEST(HtmlReport, draws_the_levels_of_the_verdict_where_they_are) {
    // 10 tests, 64 analyses: a test fails at log10 p = -6 - log10(640) = -8.81, and is suspicious at -5.81. The plot
    // runs from -10 (bottom, y = 232) to 0 (top, y = 10).
    Report report = synthetic(5, 10, 0);
    for (InterimAnalysis& analysis : report.analyses)
        for (Result& result : analysis.results) {
            result.p = p_of(-1);
            result.log10_adjusted = 0;
        }
    const std::string page = page_of(report);
    check_page(page);
    const auto y_of = [](double log10_p) { return 10 + 222 * -log10_p / 10; };
    for (const auto& [name, level] : {std::pair{"fails", -8.806}, {"suspects", -5.806}})
        EXPECT_HAS(page, std::string("<path class=\"") + name + "\" d=\"M52 " + html::number(y_of(level), 1) + "L408 ");
    // A test of one part lies at -1, all along; one of six (test 1) at log10 0.6.
    EXPECT_HAS(page, "L408 " + html::number(y_of(-1), 1) + "\"");
    EXPECT_HAS(page, "L408 " + html::number(y_of(-0.2218), 1) + "\"");
}

TEST(HtmlReport, counts_p_values_in_their_bins) {
    Report report;
    report.analyses = {{"stream", 8192, {}}};
    for (int i = 0; i < 30; ++i) {
        const double p = (i + 0.5) / 30;
        report.analyses[0].results.push_back({"t" + std::to_string(i), "", {std::log10(1 - p), std::log10(p)}, 0});
    }
    std::string page = page_of(report);
    check_page(page);
    EXPECT_HAS(page, "<title>0 to 0.1: 3 p-values</title>");
    EXPECT_HAS(page, "<title>0.9 to 1: 3 p-values</title>");
    EXPECT_EQ(times(page, ": 3 p-values</title>"), 10u);
}

TEST(HtmlReport, takes_any_name) {
    Report report = synthetic(3, 4, 1, 1 << 13, 30);
    const std::string name = "</title><script>alert(\"1\" & '2')</script>\x01";
    report.generator = name;
    for (InterimAnalysis& analysis : report.analyses)
        for (Result& result : analysis.results) result.test += name;
    const std::string page = html_report(std::span(&report, 1), name);
    check_page(page);
    EXPECT_HAS(
        page,
        "<title>&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;\xef\xbf\xbd</title>");
    check_page(html_report(std::vector{report, report}, name));

    ZooRow row;
    row.name = row.description = row.caught_by = row.control = name;
    row.cells = {{name, -50, "stream", 8192, true}};
    check_page(html_zoo(std::span(&row, 1), {}, name));
}

TEST(HtmlReport, takes_p_values_of_nothing_and_of_next_to_nothing) {
    for (const double log10_p : {-infinity, -5000.0, -300.5, -45.0, 0.0}) {
        SCOPED_TRACE(log10_p);
        Report report = synthetic(4, 8, 0);
        report.analyses.back().results[3].p = {0, log10_p};
        report.analyses.back().results[3].log10_adjusted = std::min(0.0, log10_p + 4);
        report.verdict = verdict_of(report.analyses, report.policy);
        const std::string page = page_of(report);
        check_page(page);
        EXPECT_EQ(times(page, "class=\"beyond"), log10_p < -40 ? 1u : 0u);
        if (log10_p == -infinity) {
            EXPECT_HAS(page, "adjusted p-value of 0.");
        }
        if (log10_p == -5000) {
            EXPECT_HAS(page, "10<sup>-4996</sup>");
        }
    }
}

TEST(HtmlReport, takes_little_or_nothing) {
    check_page(html_report({}));
    EXPECT_HAS(html_report({}), "Nothing was run");

    Report report;
    report.generator = "empty";
    check_page(page_of(report));
    EXPECT_HAS(page_of(report), "No test had enough data");
    EXPECT_HAS(page_of(report), "No verdict: ");
    EXPECT_HAS_NOT(page_of(report), "Passed");
    EXPECT_HAS_NOT(page_of(report), "<svg");

    report.analyses = {{"stream", 8192, {}}};
    check_page(page_of(report));
    report.analyses.push_back({"stream", 16384, {{"only", "", p_of(-0.3), 0}}});
    report.interrupted = report.source_ended = true;
    report.bytes = 16384;
    report.bytes_asked = 32768;
    const std::string page = page_of(report);
    check_page(page);
    EXPECT_HAS(page, "1 p-value of 1 test at 1 size");
    EXPECT_HAS(page, "interrupted");
    EXPECT_HAS(page, "ended after 16 KiB of the 32 KiB");
    EXPECT_HAS_NOT(html_report(std::span(&report, 1)), "To repeat");
}

TEST(HtmlReport, tells_what_was_repeated) {
    Report report = synthetic(6, 8, 1, uint64_t{1} << 30, 7);
    ASSERT_EQ(report.verdict, Verdict::suspicious);
    std::string page = page_of(report);
    check_page(page);
    EXPECT_HAS(page, "<div class=\"verdict suspicious\"><strong>? Suspicious");
    EXPECT_HAS(page, "<tr class=\"suspicious\"><td>test0</td>");

    report.repeats = {{"stream", uint64_t{1} << 32, {{"test0", "", p_of(-0.5), 0}}}};
    report.verdict = Verdict::pass;
    page = page_of(report);
    check_page(page);
    EXPECT_HAS(page, "<b>test0</b>, was suspicious");
    EXPECT_HAS(page, "Repeated from a fresh seed");

    report.repeats[0].results[0] = {"test0", "", p_of(-20), -19};
    report.verdict = Verdict::fail;
    page = page_of(report);
    check_page(page);
    EXPECT_HAS(page, "<b>test0</b> rejects this generator after 4 GiB of a fresh seed");
}

TEST(HtmlReport, of_several_runs_begins_with_a_summary) {
    const std::vector<Report> reports = {synthetic(1, 16, 0), synthetic(2, 16, 2), synthetic(3, 16, 0)};
    const std::string page = html_report(reports, "rng test --view all");
    check_page(page);
    EXPECT_HAS(page, "Of 3 runs, 2 passed, 1 failed. Each has a false-alarm rate of its own");
    EXPECT_HAS(page, "<div class=\"verdict fail\">");
    for (int i = 1; i <= 3; ++i) {
        EXPECT_HAS(page, "<a href=\"#run" + std::to_string(i) + "\">");
        EXPECT_HAS(page, "id=\"run" + std::to_string(i) + "\"");
    }
    EXPECT_EQ(times(page, "open=\"open\""), 1u) << "those that did not pass";
    EXPECT_EQ(times(page, "To repeat"), 1u);
}

TEST(HtmlReport, repeats_itself) {
    const Report report = synthetic(8, 16, 1);
    EXPECT_EQ(page_of(report), page_of(report));
}

/// Rows as the zoo's runs leave them: what finds a flaw, and how it looks to the other tests.
std::vector<ZooRow> synthetic_zoo(int generators, int tests) {
    std::mt19937_64 entropy(1);
    std::vector<ZooRow> rows;
    for (int g = 0; g < generators; ++g) {
        ZooRow row;
        row.name = "generator-" + std::to_string(g);
        row.description = "Its low bits repeat after 2^" + std::to_string(g) + " words, which few tests see";
        row.bytes = uint64_t{1} << (13 + g % 14);
        row.stage = g % 7 == 6 ? "structural" : "stream";
        row.cpu_seconds = 0.1 * g;
        row.verdict = Verdict::fail;
        row.control = "its control " + std::to_string(g);
        row.control_bytes = uint64_t{1} << 28;
        row.control_cpu_seconds = 1;
        for (int t = 0; t < tests; ++t) {
            if ((g + t) % 5 == 4) continue;
            const double log10_p = t == g % tests        ? -30.0 * (1 + g)
                                   : entropy() % 12 == 0 ? -static_cast<double>(entropy() % 30)
                                                         : -0.4;
            row.cells.push_back({"hamming" + std::to_string(t), log10_p, row.stage, row.bytes, log10_p < -6});
        }
        row.caught_by = "hamming" + std::to_string(g % tests);
        rows.push_back(row);
    }
    return rows;
}

TEST(HtmlZoo, shows_every_generator_and_every_test) {
    std::vector<ZooRow> rows = synthetic_zoo(32, 24);
    std::string page = html_zoo(rows, {}, "rng zoo");
    check_page(page);
    EXPECT_HAS(
        page, "<div class=\"verdict pass\"><strong>\u2713 32 of 32 flawed generators caught, 32 of 32 controls passed");
    EXPECT_HAS(page, "49.6 CPU seconds");  // 0.1 * (0 + ... + 31)
    for (int t = 0; t < 24; ++t) EXPECT_HAS(page, "<th>hamming" + std::to_string(t) + "</th>");
    EXPECT_HAS(
        page, "<td class=\"h3 first\" title=\"generator-0, hamming0: adjusted p = 10^-30, found after 8 KiB\">8K</td>");
    EXPECT_HAS(page, "title=\"generator-6, hamming6: adjusted p = 10^-210, found after 524,288 cases\">512Kc</td>");
    // A row has as many cells as there are tests, and its name and control.
    const std::size_t body = page.find("<tbody>"), end = page.find("</tbody>");
    EXPECT_EQ(times(page.substr(body, end - body), "<td"), 32u * 25);

    rows[3].verdict = Verdict::pass;
    rows[3].cells = {{"hamming0", -infinity, "stream", 8192, true}, {"hamming1", std::nan(""), "stream", 8192, false}};
    rows[4].control_verdict = Verdict::fail;
    rows[5].control.clear();
    page = html_zoo(rows);
    check_page(page);
    EXPECT_HAS(page, "<div class=\"verdict fail\"><strong>\u2717 31 of 32 flawed generators caught, 30 of 31 controls");
    EXPECT_HAS(page, "adjusted p = 0, found after 8 KiB");
    EXPECT_HAS(page, "<b>nothing</b>");
    check_page(html_zoo({}));
}

TEST(HtmlZoo, cells_are_the_worst_of_a_report_and_the_first_size_that_failed) {
    Report report;
    const auto result = [](const char* test, double adjusted) {
        return Result{test, "", p_of(adjusted - 3), adjusted};
    };
    report.analyses = {{"structural", 4, {result("f", -1)}},
                       {"stream", 8192, {result("a", -2), result("b", -1), result("a", -4)}},
                       {"stream", 16384, {result("a", -7), result("b", -3)}},
                       {"stream", 32768, {result("a", -30), result("b", 0)}}};
    const auto cells = zoo_cells(report);
    ASSERT_EQ(cells.size(), 3u);
    const auto check = [](const ZooCell& cell, const char* test, double p, const char* stage, uint64_t size,
                          bool found) {
        EXPECT_EQ(cell.test, test);
        EXPECT_EQ(cell.log10_adjusted, p) << test;
        EXPECT_EQ(cell.stage, stage) << test;
        EXPECT_EQ(cell.size, size) << test;
        EXPECT_EQ(cell.is_rejection, found) << test;
    };
    check(cells[0], "f", -1, "structural", 4, false);
    check(cells[1], "a", -30, "stream", 16384, true);
    check(cells[2], "b", -3, "stream", 16384, false);
}

TEST(Html, numbers_read_well) {
    EXPECT_EQ(html::number(1.50), "1.5");
    EXPECT_EQ(html::number(-0.001), "0");
    EXPECT_EQ(html::number(100), "100");
    EXPECT_EQ(html::count(0), "0");
    EXPECT_EQ(html::count(1234567), "1,234,567");
    EXPECT_EQ(html::bytes(8192), "8 KiB");
    EXPECT_EQ(html::bytes(uint64_t{3} << 29), "1.5 GiB");
    EXPECT_EQ(html::bytes(uint64_t{1} << 40, true), "1T");
    EXPECT_EQ(html::plain_probability(std::log10(0.25)), "0.25");
    EXPECT_EQ(html::plain_probability(std::log10(0.00316)), "0.0032");
    EXPECT_EQ(html::plain_probability(-4.5), "10^-4.5");
    EXPECT_EQ(html::plain_probability(-12.34), "10^-12.3");
    EXPECT_EQ(html::plain_probability(-infinity), "0");
    EXPECT_EQ(html::plural(1, "bit"), "1 bit");
}

TEST(Html, ticks_are_round_and_few) {
    const auto labels = [](double low, double high, int at_most) {
        std::string text;
        for (const html::Tick& tick : html::ticks(low, high, at_most)) text += tick.label + " ";
        return text;
    };
    EXPECT_EQ(labels(0, 1, 6), "0 0.2 0.4 0.6 0.8 1 ");
    EXPECT_EQ(labels(-40, 0, 8), "-40 -30 -20 -10 0 ");
    EXPECT_EQ(labels(-2.5, 0, 7), "-2.5 -2 -1.5 -1 -0.5 0 ");
    EXPECT_EQ(labels(0, 43, 6), "0 10 20 30 40 ");
    for (double high = 0.01; high < 1e4; high *= 1.37)
        for (int n = 2; n < 10; ++n) {
            EXPECT_LE(html::ticks(0, high, n).size(), static_cast<std::size_t>(n)) << high;
            EXPECT_GE(html::ticks(0, high, n).size(), 1u) << high;
        }
}

}  // namespace
