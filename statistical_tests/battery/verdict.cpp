#include "verdict.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace rng::stats {

const char* to_string(Verdict verdict) {
    return verdict == Verdict::pass ? "pass" : verdict == Verdict::suspicious ? "suspicious" : "fail";
}

const Result* Report::worst() const {
    const Result* found = nullptr;
    for (const InterimAnalysis& analysis : analyses)
        for (const Result& result : analysis.results)
            if (!found || result.log10_adjusted < found->log10_adjusted ||
                (result.log10_adjusted == found->log10_adjusted &&
                 result.p.log10_two_sided() < found->p.log10_two_sided()))
                found = &result;
    return found;
}

std::vector<Result> read_off(std::span<const NamedTest> tests, std::size_t tests_in_all, int analyses) {
    std::vector<Result> all;
    for (const NamedTest& named : tests) {
        Results results;
        named.test->results(results);
        const double shares = static_cast<double>(analyses) * static_cast<double>(tests_in_all) *
                              static_cast<double>(results.parts().size());
        for (const auto& [part, p] : results.parts()) {
            // NaN compares as less than nothing, so it would pass.
            if (std::isnan(p.log10_lower) || std::isnan(p.log10_upper))
                throw std::logic_error("test " + named.name + ": the p-value of part \"" + part + "\" is not a number");
            all.push_back({named.name, part, p, std::min(0.0, p.log10_two_sided() + std::log10(shares))});
        }
    }
    return all;
}

Verdict verdict_of(std::span<const Result> results, const Policy& policy) {
    Verdict verdict = Verdict::pass;
    for (const Result& result : results) {
        if (result.log10_adjusted < std::log10(policy.fail)) return Verdict::fail;
        if (result.log10_adjusted < std::log10(policy.suspicious)) verdict = Verdict::suspicious;
    }
    return verdict;
}

Verdict verdict_of(std::span<const InterimAnalysis> analyses, const Policy& policy) {
    Verdict verdict = Verdict::pass;
    for (const InterimAnalysis& analysis : analyses) verdict = std::max(verdict, verdict_of(analysis.results, policy));
    return verdict;
}

std::vector<std::string> suspicious_tests(std::span<const InterimAnalysis> analyses, const Policy& policy) {
    std::vector<std::string> names;
    for (const InterimAnalysis& analysis : analyses)
        for (const Result& result : analysis.results)
            if (result.log10_adjusted < std::log10(policy.suspicious) &&
                std::ranges::find(names, result.test) == names.end())
                names.push_back(result.test);
    return names;
}

}  // namespace rng::stats
