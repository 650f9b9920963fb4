#include <rng/stats/battery.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>

#include <rng/stats/report.hpp>

namespace rng::stats {

namespace {

struct WorstTest {
    const Result* result;
    const InterimAnalysis* analysis;
};

/// Returns each test's part once, at the analysis where it was worst; the worst part first.
std::vector<WorstTest> worst_first(const std::vector<InterimAnalysis>& analyses) {
    std::map<std::string, WorstTest> by_name;
    for (const InterimAnalysis& analysis : analyses)
        for (const Result& result : analysis.results) {
            const auto [at, is_new] = by_name.try_emplace(result.name(), WorstTest{&result, &analysis});
            if (!is_new && result.p.log10_two_sided() < at->second.result->p.log10_two_sided())
                at->second = {&result, &analysis};
        }
    std::vector<WorstTest> all;
    for (const auto& [name, found] : by_name) all.push_back(found);
    std::ranges::sort(all, {}, [](const WorstTest& found) {
        return std::tuple(found.result->log10_adjusted, found.result->p.log10_two_sided(), found.result->name());
    });
    return all;
}

std::string count(std::size_t n, const std::string& thing) {
    return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

std::string tested(const Report& report) {
    std::size_t n = 0;
    for (const InterimAnalysis& analysis : report.analyses) n += analysis.results.size();
    std::string data;
    if (report.bytes > 0) data = bytes_text(report.bytes);
    for (const InterimAnalysis& analysis : report.analyses)
        if (analysis.stage != "stream") {
            data += (data.empty() ? "" : " and ") + std::string("its block function and streams");
            break;
        }
    return (data.empty() ? "nothing yet" : data) + ", " + count(n, "p-value");
}

/// Returns what the verdict means, and what to do.
std::string meaning(const Report& report) {
    const std::string fail = probability_text(std::log10(report.policy.fail)),
                      suspicious = probability_text(std::log10(report.policy.suspicious));
    const Result* const worst = report.worst();
    switch (report.verdict) {
        case Verdict::fail:
            return "A sound generator gives such a result in at most " + fail + " of all runs:\nthis one is flawed.\n" +
                   (report.advice.empty() ? "" : report.advice + "\n");
        case Verdict::suspicious:
            return "A sound generator gives such a result in at most " + suspicious + " of all runs,\n" + fail +
                   " would be a failure.\n" +
                   (report.repeats.empty()
                        ? "Next: the suspicious tests alone (--only) on other data of this generator,\nfour times "
                          "as much.\n"
                        : "The suspicious tests were repeated on four times the data from a fresh seed,\nand were "
                          "so again.\nNext: other seeds, or a larger tier.\n");
        default:
            if (!worst) return "There was too little data, or the chosen tests give a p-value to flaws alone.\n";
            return report.repeats.empty()
                       ? "Nothing that a sound generator would not show.\n"
                       : "A suspicious result did not come again on four times the data from a fresh seed.\n";
    }
}

std::string capitals(std::string text) {
    for (char& c : text) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return text;
}

void put_worst(std::string& text, const std::vector<InterimAnalysis>& analyses, const Policy& policy,
               const std::string& title, std::size_t at_most) {
    const std::vector<WorstTest> all = worst_first(analyses);
    if (all.empty()) return;
    std::vector<std::array<std::string, 5>> rows = {{title, "at", "p", "corrected", ""}};
    for (std::size_t i = 0; i < std::min(at_most, all.size()); ++i) {
        const auto& [result, analysis] = all[i];
        const Verdict verdict = result->log10_adjusted < std::log10(policy.fail)         ? Verdict::fail
                                : result->log10_adjusted < std::log10(policy.suspicious) ? Verdict::suspicious
                                                                                         : Verdict::pass;
        rows.push_back({result->name(), size_text(analysis->stage, analysis->size),
                        probability_text(result->p.log10_two_sided()), probability_text(result->log10_adjusted),
                        verdict == Verdict::pass ? "" : to_string(verdict)});
    }
    // Columns are no wider than necessary: names of parts are long, and a terminal has 80 columns.
    std::array<std::size_t, 4> widths{};
    for (const auto& row : rows)
        for (std::size_t k = 0; k < widths.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
    for (const auto& row : rows) {
        text += "  " + row[0] + std::string(widths[0] - row[0].size(), ' ');
        for (std::size_t k = 1; k < widths.size(); ++k)
            text += "  " + std::string(widths[k] - row[k].size(), ' ') + row[k];
        text += (row[4].empty() ? "" : "  ") + row[4] + '\n';
    }
}

}  // namespace

std::string summary(const Report& report) {
    const std::size_t shown = report.verdict == Verdict::pass ? 3 : 6;
    std::string text = report.worst() ? capitals(to_string(report.verdict)) + part_text(report) : "NO VERDICT";
    text += ": " + report.generator + "\n" + meaning(report);
    text += "Tested: " + tested(report);
    const std::string asked = report.bytes_asked == 0 ? "the end" : bytes_text(report.bytes_asked);
    if (report.interrupted)
        text += ";\nINTERRUPTED before " + asked + ", this is what was found until then";
    else if (report.source_ended)
        text += ";\nthe source ended there, before " + asked;
    else if (report.verdict == Verdict::fail && report.bytes < report.bytes_asked)
        text += ";\nit ended with the failure, before " + asked;
    text += "\n";
    if (!report.worst()) return text;
    text += "\n";
    put_worst(text, report.analyses, report.policy, "the least p-values", shown);
    if (!report.repeats.empty()) {
        text += '\n';
        put_worst(text, report.repeats, report.policy, "the same tests repeated", shown);
    }
    text +=
        "\ncorrected: times the number of tests, their parts and interim analyses; a\n"
        "bound of the chance that a sound generator shows this anywhere in the run\n";
    return text;
}

}  // namespace rng::stats
