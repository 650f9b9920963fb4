#include <rng/stats/report.hpp>

#include <rng/core/config.hpp>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace rng::stats {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* no_verdict = "none";

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json analyses_json(const std::vector<InterimAnalysis>& analyses) {
    Json all = Json::array();
    for (const InterimAnalysis& analysis : analyses) {
        Json results = Json::array();
        for (const Result& result : analysis.results)
            results.push_back({{"test", result.test},
                               {"part", result.part},
                               {"log10_lower", number(result.p.log10_lower)},
                               {"log10_upper", number(result.p.log10_upper)},
                               {"log10_two_sided", number(result.p.log10_two_sided())},
                               {"log10_adjusted", number(result.log10_adjusted)}});
        all.push_back({{"stage", analysis.stage}, {"size", analysis.size}, {"results", std::move(results)}});
    }
    return all;
}

Json report_json(const Report& report) {
    Json json = {{"subject", report.generator},
                 {"verdict", report.worst() ? to_string(report.verdict) : no_verdict},
                 {"partial", report.is_partial()},
                 {"interrupted", report.interrupted},
                 {"source_ended", report.source_ended},
                 {"bytes", report.bytes},
                 {"bytes_asked", report.bytes_asked},
                 {"parameters",
                  {{"word_bits", report.word_bits},
                   {"tier", to_string(report.tier)},
                   {"bytes", report.bytes_asked},
                   {"only", report.only},
                   {"keep_going", report.keep_going},
                   {"fail", report.policy.fail},
                   {"suspicious", report.policy.suspicious}}},
                 {"command", report.command}};
    if (const Result* worst = report.worst())
        json["worst"] = {
            {"test", worst->test}, {"part", worst->part}, {"log10_adjusted", number(worst->log10_adjusted)}};
    json["looks"] = analyses_json(report.analyses);
    json["repeats"] = analyses_json(report.repeats);
    return json;
}

}  // namespace

std::string json_report(std::span<const Report> reports, bool is_too_little) {
    Verdict worst = Verdict::pass;
    bool has_verdict = false;
    Json all = Json::array();
    for (const Report& report : reports) {
        worst = std::max(worst, report.verdict);
        has_verdict = has_verdict || report.worst();
        all.push_back(report_json(report));
    }
    const Json json = {
        {"version", RNG_VERSION},
        {"contract_version", contract_version},
        {"verdict", has_verdict && !(is_too_little && worst != Verdict::fail) ? to_string(worst) : no_verdict},
        {"reports", std::move(all)}};
    // Names of files may be any bytes; JSON is UTF-8.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace rng::stats
