#include <rng/core/config.hpp>
#include <rng/stats/report.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "../checks/catalogue.hpp"
#include "html_charts.hpp"
#include "html_page.hpp"

namespace rng::stats {

namespace {

using namespace html;

constexpr std::size_t rows_shown = 20;

/// A result in all analyses: the worst of them, the first beyond the failing rate, and the last.
struct Row {
    const Result* worst = nullptr;
    const InterimAnalysis* worst_analysis = nullptr;
    const Result* last = nullptr;
};

bool is_worse(const Result& a, const Result& b) {
    const double x = a.p.log10_two_sided(), y = b.p.log10_two_sided();
    return a.log10_adjusted < b.log10_adjusted || (a.log10_adjusted == b.log10_adjusted && x < y);
}

/// Returns the rows of these analyses, the worst first.
std::vector<Row> rows_of(std::span<const InterimAnalysis> analyses) {
    std::map<std::string, Row> by_name;
    for (const InterimAnalysis& analysis : analyses)
        for (const Result& result : analysis.results) {
            Row& row = by_name[analysis.stage + '\0' + result.name()];
            if (!row.worst || is_worse(result, *row.worst)) {
                row.worst = &result;
                row.worst_analysis = &analysis;
            }
            row.last = &result;
        }
    std::vector<Row> rows;
    for (const auto& [name, row] : by_name) rows.push_back(row);
    std::ranges::sort(rows, [](const Row& a, const Row& b) {
        if (is_worse(*a.worst, *b.worst)) return true;
        return !is_worse(*b.worst, *a.worst) && a.worst->name() < b.worst->name();
    });
    return rows;
}

Verdict verdict_of(const Result& result, const Policy& policy) {
    return result.log10_adjusted < std::log10(policy.fail)         ? Verdict::fail
           : result.log10_adjusted < std::log10(policy.suspicious) ? Verdict::suspicious
                                                                   : Verdict::pass;
}

std::string table(std::span<const Row> rows, const Policy& policy) {
    std::string text =
        "<table><thead><tr><th>Test</th><th class=\"n wide\">p, last analysis</th><th class=\"n\">p, worst</th>"
        "<th class=\"n\">adjusted</th><th class=\"n\">at</th></tr></thead>\n<tbody>\n";
    for (const Row& row : rows) {
        const Verdict verdict = verdict_of(*row.worst, policy);
        text += std::string("<tr") +
                (verdict == Verdict::pass ? "" : std::string(" class=\"") + to_string(verdict) + "\"") + "><td>" +
                escape(row.worst->name()) + "</td><td class=\"n wide\">" + probability(row.last->p.log10_two_sided()) +
                "</td><td class=\"n\">" + probability(row.worst->p.log10_two_sided()) + "</td><td class=\"n a\">" +
                probability(row.worst->log10_adjusted) + "</td><td class=\"n\">" +
                size_of(row.worst_analysis->stage, row.worst_analysis->size) + "</td></tr>\n";
    }
    return text + "</tbody></table>\n";
}

std::string results_card(std::span<const InterimAnalysis> analyses, const Policy& policy, const std::string& title) {
    const auto rows = rows_of(analyses);
    if (rows.empty()) return {};
    const auto shown = std::span(rows).first(std::min(rows.size(), rows_shown));
    std::string text = "<div class=\"card\"><h3>" + title + "</h3>\n" + table(shown, policy);
    if (rows.size() > rows_shown)
        text += "<details><summary>" + count(rows.size() - rows_shown) + " more</summary>\n" +
                table(std::span(rows).subspan(rows_shown), policy) + "</details>\n";
    return text + "</div>\n";
}

/// Returns a rate of the policy: "10^-6" or "0.001".
std::string rate(double value) { return probability(std::log10(value)); }

const InterimAnalysis* first_failure(const Report& report) {
    for (const InterimAnalysis& analysis : report.analyses)
        for (const Result& result : analysis.results)
            if (verdict_of(result, report.policy) == Verdict::fail) return &analysis;
    return nullptr;
}

/// Returns what a failure of this test means, and what to do.
std::string what_it_means(const std::string& test) {
    const TestDescription* const row = description_of(test);
    if (!row) return {};
    const std::string summary = row->summary;
    const bool is_of_values =
        summary.find("values: ") == 0 || summary.find("values that") == 0 || summary.find("normal pairs") == 0;
    const char* const to_do =
        row->stage == Stage::structural ? "do not use several streams, seeds or keys of this generator side by side"
        : is_of_values ? "check that distribution and parameters are the intended ones, then mend what makes the values"
                       : "check that the words were read as they are made (size, order of bytes), then use another "
                         "generator";
    return "</p>\n<p>What it means: <b>" + escape(row->name) + "</b> looks at \u201c" + escape(summary) +
           "\u201d (it finds \u201c" + escape(row->must_fail) +
           "\u201d, for one) and saw what random numbers do not show: " + to_do + ".";
}

std::string what_failed(const Report& report) {
    const InterimAnalysis* analysis = first_failure(report);
    const bool repeated = !analysis;  // true if the test was suspicious, and failed when repeated
    if (repeated)
        for (const InterimAnalysis& l : report.repeats)
            if (!l.results.empty()) analysis = &l;
    if (!analysis || analysis->results.empty()) return "A test rejects this generator.";
    const auto rows = rows_of(std::span(analysis, 1));
    const auto beyond = static_cast<uint64_t>(std::ranges::count_if(
        rows, [&](const Row& row) { return verdict_of(*row.worst, report.policy) == Verdict::fail; }));
    return "<b>" + escape(rows.front().worst->name()) + "</b> rejects this generator after " +
           size_of(analysis->stage, analysis->size) + (repeated ? " of a fresh seed" : "") +
           ", with an adjusted p-value of " + probability(rows.front().worst->log10_adjusted) +
           (beyond > 1 ? ", and " + plural(beyond - 1, "other result") + " with it" : "") +
           ". A sound generator fails with a probability of " + rate(report.policy.fail) + " at most." +
           what_it_means(rows.front().worst->test);
}

std::string explanation(const Report& report) {
    const Result* const worst = report.worst();
    std::set<std::string> tests, sizes;
    uint64_t p_values = 0;
    for (const InterimAnalysis& analysis : report.analyses) {
        if (!analysis.results.empty()) sizes.insert(size_of(analysis.stage, analysis.size));
        for (const Result& result : analysis.results) tests.insert(result.test);
        p_values += analysis.results.size();
    }
    std::string text;
    if (report.verdict == Verdict::fail) {
        text = what_failed(report) + " " + report.advice;
    } else if (!worst) {
        text = "No test had enough data to say anything.";
    } else {
        const std::string adjusted = probability(worst->log10_adjusted);
        text = plural(p_values, "p-value") + " of " + plural(tests.size(), "test") + " at " +
               plural(sizes.size(), "size") + ". The least, " + probability(worst->p.log10_two_sided()) + " of <b>" +
               escape(worst->name()) + "</b>, ";
        if (report.verdict == Verdict::suspicious)
            text += "is " + adjusted + " when adjusted for their number: a sound generator goes below " +
                    rate(report.policy.suspicious) + " in that fraction of all runs, and a failure takes " +
                    rate(report.policy.fail) + ".";
        else if (report.repeats.empty())
            text += "is not surprising among so many: adjusted for their number, it is " + adjusted + ".";
        else
            text += "was suspicious: " + adjusted +
                    " when adjusted for their number. Repeated from a fresh seed with "
                    "four times the data, nothing was.";
    }
    text = "<p>" + text + "</p>\n";
    if (report.interrupted) text += "<p>The run was interrupted: this is how far it came.</p>\n";
    if (report.source_ended && report.bytes < report.bytes_asked)
        text += "<p>The source ended after " + bytes(report.bytes) + " of the " + bytes(report.bytes_asked) +
                (report.bytes_are_named ? " that were asked for.</p>\n" : " that the tier takes.</p>\n");
    return text;
}

constexpr const char* no_verdict = "? No verdict: no test had enough data";

/// Returns the title of a verdict. `part` says how little of the requested data a verdict covers; empty if it covers
/// all.
std::string title_of(Verdict verdict, const std::string& part) {
    return verdict == Verdict::pass   ? "\u2713 Passed" + part + ": no evidence of a flaw"
           : verdict == Verdict::fail ? "\u2717 Failed: this generator is flawed"
                                      : "? Suspicious" + part + ": worth another look";
}

std::string title_of(const Report& report) {
    return report.worst() ? title_of(report.verdict, part_text(report)) : no_verdict;
}

/// Returns the verdict to show for a report: suspicious if there is no p-value.
Verdict shown(const Report& report) { return report.worst() ? report.verdict : Verdict::suspicious; }

std::string verdict_box(Verdict verdict, const std::string& title, const std::string& text) {
    return std::string("<div class=\"verdict ") + to_string(verdict) + "\"><strong>" + title + "</strong>\n" + text +
           "</div>\n";
}

std::string parameters(const Report& report) {
    std::size_t analyses = 0, p_values = 0;
    for (const InterimAnalysis& analysis : report.analyses) {
        analyses += !analysis.results.empty();
        p_values += analysis.results.size();
    }
    std::string text = "<div class=\"card rest\"><h3>Parameters</h3>\n<dl>";
    const auto add = [&](const std::string& name, const std::string& value) {
        text += "<dt>" + name + "</dt><dd>" + value + "</dd>\n";
    };
    add("Generator", escape(report.generator));
    add("Words", plural(static_cast<uint64_t>(report.word_bits), "bit"));
    add("Tier", to_string(report.tier));
    add("Read", bytes(report.bytes) + " of " + bytes(report.bytes_asked));
    add("P-values", count(p_values));
    add("Interim analyses", count(analyses));
    add("Fails below", rate(report.policy.fail) + " over the whole run");
    add("Suspicious below", rate(report.policy.suspicious));
    return text + "</dl></div>\n";
}

std::string details_of(const Report& report) {
    return results_card(report.repeats, report.policy, "Repeated from a fresh seed, with four times the data") +
           "<div class=\"charts\">\n" + by_size_cards(report) + p_value_cards(report) + parameters(report) +
           "</div>\n" + results_card(report.analyses, report.policy, "Results, worst first");
}

std::string command_card(const std::string& command) {
    if (command.empty()) return {};
    return "<h2>To repeat this run</h2>\n<div class=\"card\"><pre>" + escape(command) + "</pre></div>\n";
}

std::string several(std::span<const Report> reports) {
    Verdict verdict = Verdict::pass;
    std::map<Verdict, uint64_t> how_many;
    uint64_t without = 0;
    for (const Report& report : reports) {
        verdict = std::max(verdict, shown(report));
        report.worst() ? ++how_many[report.verdict] : ++without;
    }
    std::string words = "<p>Of " + plural(reports.size(), "run") + ", " + count(how_many[Verdict::pass]) + " passed";
    if (how_many[Verdict::suspicious]) words += ", " + count(how_many[Verdict::suspicious]) + " are suspicious";
    if (without) words += ", " + count(without) + " have no verdict";
    if (how_many[Verdict::fail]) words += ", " + count(how_many[Verdict::fail]) + " failed";
    words +=
        ". Each has a false-alarm rate of its own: of a sound generator, one of them fails with a probability of " +
        probability(std::log10(static_cast<double>(reports.size()) * reports.front().policy.fail)) + " at most.";
    const bool is_partial = std::ranges::any_of(reports, &Report::is_partial);
    std::string text =
        verdict_box(verdict, title_of(verdict, is_partial ? " on a part of what was asked" : ""), words + "</p>\n");
    text +=
        "<div class=\"card\"><table class=\"stack\"><thead><tr><th>Run</th><th>Verdict</th><th>Worst</th><th "
        "class=\"n\">adjusted "
        "p</th>"
        "<th class=\"n wide\">Read</th></tr></thead>\n<tbody>\n";
    std::size_t number_of = 0;
    for (const Report& report : reports) {
        const Result* const worst = report.worst();
        text += "<tr><td><a href=\"#run" + std::to_string(++number_of) + "\">" + escape(report.generator) +
                "</a></td><td>" + (worst ? badge(report.verdict) : "no verdict") + "</td><td data-is=\"worst\">" +
                (worst ? escape(worst->name()) : "nothing") + "</td><td class=\"n\" data-is=\"adjusted p\">" +
                (worst ? probability(worst->log10_adjusted) : "\u2013") +
                "</td><td class=\"n wide\" data-is=\"read\">" + bytes(report.bytes) + "</td></tr>\n";
    }
    text += "</tbody></table></div>\n";
    number_of = 0;
    for (const Report& report : reports)
        text += "<details class=\"run\" id=\"run" + std::to_string(++number_of) + "\"" +
                (report.verdict == Verdict::pass ? "" : " open=\"open\"") + "><summary>" +
                (report.worst() ? badge(report.verdict) : "no verdict") + " " + escape(report.generator) +
                "</summary>\n" + verdict_box(shown(report), title_of(report), explanation(report)) +
                details_of(report) + "</details>\n";
    return text;
}

}  // namespace

std::string html_report(std::span<const Report> reports, const std::string& command) {
    const std::string title = reports.empty() ? "Statistical tests"
                              : reports.size() == 1
                                  ? reports.front().generator
                                  : plural(reports.size(), "run") + " of " + reports.front().generator;
    std::string body =
        "<p class=\"kicker\">rng " RNG_VERSION " \u00b7 statistical tests</p>\n<h1>" + escape(title) + "</h1>\n";
    if (reports.empty())
        body += "<p>Nothing was run.</p>\n";
    else if (reports.size() == 1)
        body += verdict_box(shown(reports[0]), title_of(reports[0]), explanation(reports[0])) + details_of(reports[0]);
    else
        body += several(reports);
    return page(title, body + command_card(command));
}

}  // namespace rng::stats
