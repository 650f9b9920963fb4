#include "json.hpp"

#include <rng/core/config.hpp>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace rng::stats {

namespace {

using Json = nlohmann::ordered_json;

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json looks_json(const std::vector<Look>& looks) {
    Json all = Json::array();
    for (const Look& look : looks) {
        Json results = Json::array();
        for (const Result& result : look.results)
            results.push_back({{"test", result.test},
                               {"part", result.part},
                               {"log10_lower", number(result.p.log10_lower)},
                               {"log10_upper", number(result.p.log10_upper)},
                               {"log10_two_sided", number(result.p.log10_two_sided())},
                               {"log10_adjusted", number(result.log10_adjusted)}});
        all.push_back({{"stage", look.stage}, {"size", look.size}, {"results", std::move(results)}});
    }
    return all;
}

Json report_json(const Report& report) {
    Json json = {{"subject", report.subject},
                 {"verdict", to_string(report.verdict)},
                 {"interrupted", report.interrupted},
                 {"source_ended", report.source_ended},
                 {"bytes", report.bytes},
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
    json["looks"] = looks_json(report.looks);
    json["again"] = looks_json(report.again);
    return json;
}

}  // namespace

std::string json_report(std::span<const Report> reports) {
    Verdict worst = Verdict::pass;
    Json all = Json::array();
    for (const Report& report : reports) {
        worst = std::max(worst, report.verdict);
        all.push_back(report_json(report));
    }
    const Json json = {{"version", RNG_VERSION},
                       {"contract_version", contract_version},
                       {"verdict", to_string(worst)},
                       {"reports", std::move(all)}};
    // Names of files may be any bytes; JSON is UTF-8.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace rng::stats
