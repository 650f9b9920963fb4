#include <rng/core/config.hpp>
#include <rng/stats/report.hpp>
#include <rng/stats/zoo.hpp>

#include <algorithm>
#include <cmath>

#include "html_page.hpp"

namespace rng::stats {

namespace {

using namespace html;

/// Returns the columns, in the order in which tests are first met.
std::vector<std::string> tests_of(std::span<const ZooRow> rows) {
    std::vector<std::string> tests;
    for (const ZooRow& row : rows)
        for (const ZooCell& cell : row.cells)
            if (std::ranges::find(tests, cell.test) == tests.end()) tests.push_back(cell.test);
    return tests;
}

// Steps of log10 of the adjusted p-value. Below each step a cell takes the next colour; the first two steps are the
// policy's.
constexpr double strong = -20, overwhelming = -100;

const char* heat(double log10_p, const Policy& policy) {
    if (log10_p < overwhelming) return "h4";
    if (log10_p < strong) return "h3";
    if (log10_p < std::log10(policy.fail)) return "h2";
    return log10_p < std::log10(policy.suspicious) ? "h1" : "h0";
}

std::string short_size(const std::string& stage, uint64_t size) {
    return bytes(size, true) + (stage == "stream" ? "" : "c");
}

std::string cell_of(const ZooRow& row, const std::string& test, const Policy& policy) {
    const auto cell = std::ranges::find(row.cells, test, &ZooCell::test);
    if (cell == row.cells.end() || std::isnan(cell->log10_adjusted)) return "<td></td>";
    const std::string tip = row.name + ", " + test + ": adjusted p = " + plain_probability(cell->log10_adjusted) +
                            (cell->is_rejection ? ", found after " : ", worst after ") +
                            size_of(cell->stage, cell->size);
    return std::string("<td class=\"") + heat(cell->log10_adjusted, policy) + (test == row.caught_by ? " first" : "") +
           "\" title=\"" + escape(tip) + "\">" + (cell->is_rejection ? short_size(cell->stage, cell->size) : "\u00b7") +
           "</td>";
}

std::string control_of(const ZooRow& row) { return row.control.empty() ? "" : badge(row.control_verdict); }

std::string matrix(std::span<const ZooRow> rows, const Policy& policy) {
    const auto tests = tests_of(rows);
    std::string text =
        "<h2>Generators and tests</h2>\n<div class=\"card\"><div class=\"scroll\"><table class=\"matrix\">"
        "<thead><tr><th>Generator</th>";
    for (const std::string& test : tests) text += "<th>" + escape(test) + "</th>";
    text += "<th>control</th></tr></thead>\n<tbody>\n";
    for (const ZooRow& row : rows) {
        text += "<tr><th title=\"" + escape(row.name) + "\">" + escape(row.name) + "</th>";
        for (const std::string& test : tests) text += cell_of(row, test, policy);
        text += "<td>" + control_of(row) + "</td></tr>\n";
    }
    text +=
        "</tbody></table></div>\n<p class=\"scale\">Adjusted p:<span class=\"h0\">\u00b7 nothing</span><span "
        "class=\"h1\">below " +
        probability(std::log10(policy.suspicious)) + "</span>";
    for (const auto& [level, name] : {std::pair{std::log10(policy.fail), "h2"}, {strong, "h3"}, {overwhelming, "h4"}})
        text += std::string("<span class=\"") + name + "\">below " + probability(level) + "</span>";
    return text +
           "</p>\n<p>A number is the size at which a test first rejects: 64K is 64 KiB, 12c, 4Kc: 12 and 4096 cases of "
           "a structural test. Framed: what rejected first, where the run ended. Empty: the test was not run, or had "
           "too little data.</p></div>\n";
}

std::string list(std::span<const ZooRow> rows) {
    std::string text =
        "<h2>What is wrong, and what finds it</h2>\n<div class=\"card\"><table "
        "class=\"stack\"><thead><tr><th>Generator</th>"
        "<th>Found by</th><th class=\"n\">after</th><th class=\"n wide\">CPU "
        "s</th><th>Control</th></tr></thead>\n<tbody>\n";
    for (const ZooRow& row : rows) {
        const bool is_caught = row.verdict == Verdict::fail;
        text += std::string("<tr") + (is_caught ? "" : " class=\"suspicious\"") + "><td><b>" + escape(row.name) +
                "</b><br/><small>" + escape(row.description) + "</small></td><td data-is=\"found by\">" +
                (is_caught ? escape(row.caught_by) : "<b>nothing</b>") + "</td><td class=\"n\" data-is=\"after\">" +
                size_of(row.stage.empty() ? "stream" : row.stage, row.bytes) +
                "</td><td class=\"n wide\" data-is=\"CPU s\">" + number(row.cpu_seconds) +
                "</td><td data-is=\"control\">" + control_of(row) +
                (row.control.empty()
                     ? ""
                     : "<br/> <small>" + escape(row.control) + ", " + bytes(row.control_bytes) + "</small>") +
                "</td></tr>\n";
    }
    return text + "</tbody></table></div>\n";
}

}  // namespace

std::string html_zoo(std::span<const ZooRow> rows, const Policy& policy, const std::string& command) {
    uint64_t caught = 0, controls = 0, sound = 0;
    double seconds = 0, control_seconds = 0;
    for (const ZooRow& row : rows) {
        caught += row.verdict == Verdict::fail;
        controls += !row.control.empty();
        sound += !row.control.empty() && row.control_verdict == Verdict::pass;
        seconds += row.cpu_seconds;
        control_seconds += row.control_cpu_seconds;
    }
    const bool good = caught == rows.size() && sound == controls;
    std::string body = "<p class=\"kicker\">rng " RNG_VERSION " \u00b7 statistical tests</p>\n<h1>The zoo</h1>\n";
    body +=
        "<p>Generators with known flaws, each beside a control without it. A battery is worth something if it "
        "rejects all of the first and none of the second.</p>\n";
    if (rows.empty()) return page("The zoo", body + "<p>Nothing was run.</p>\n");
    body += std::string("<div class=\"verdict ") + (good ? "pass" : "fail") + "\"><strong>" +
            (good ? "\u2713 " : "\u2717 ") + count(caught) + " of " + plural(rows.size(), "flawed generator") +
            " caught, " + count(sound) + " of " + plural(controls, "control") + " passed</strong>\n<p>" +
            number(seconds, 1) + " CPU seconds for the flawed ones, " + number(control_seconds, 1) +
            " for the controls.</p></div>\n";
    body += matrix(rows, policy) + list(rows);
    if (!command.empty())
        body += "<h2>To repeat this run</h2>\n<div class=\"card\"><pre>" + escape(command) + "</pre></div>\n";
    return page("The zoo", body, true);
}

}  // namespace rng::stats
