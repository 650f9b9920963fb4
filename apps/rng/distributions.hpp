// The catalogue of distributions for the command line: names, types and parameters, each as text.
// No code here depends on one distribution; everything comes from rng::for_each_distribution and fields().
#pragma once

#include <rng/distributions/catalogue.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "numbers.hpp"
#include "table.hpp"
#include "usage_error.hpp"

namespace cli {

/// One name with its types: the union of the catalogue's entries bits<uint32_t> and bits<uint64_t>, ...
struct DistributionEntry {
    struct Parameter {
        std::string name, doc, default_text;
    };
    std::string name, summary;
    std::vector<std::string> dtypes, slots, supports;
    std::vector<Parameter> parameters;

    [[nodiscard]] bool has_parameter(const std::string& parameter) const;
};

/// Returns all entries in the catalogue's order. The first type of an entry is the default of --dtype.
[[nodiscard]] const std::vector<DistributionEntry>& distribution_entries();

/// Returns the entry of this name. Throws UsageError that lists the known names.
[[nodiscard]] const DistributionEntry& find_distribution(const std::string& name);

/// Returns the type of values that the user named; throws UsageError if the distribution does not have it.
[[nodiscard]] std::string find_dtype(const DistributionEntry& entry, const std::string& typed);

/// Parameters as they were typed: { "mean", "2.5" }.
using ParameterTexts = std::vector<std::pair<std::string, std::string>>;

/// Throws UsageError if the distribution does not have such a parameter, and lists the distributions that have it.
void require_parameters(const DistributionEntry& entry, const ParameterTexts& given);

template <class D, class Visit> void for_each_field(Visit visit) {
    constexpr auto fields = D::fields();
    for (int i = 0; i < fields.size(); ++i) visit(fields[i]);
}

/// Returns the distribution with these parameters, checked.
template <class D> [[nodiscard]] D make_distribution(const ParameterTexts& given) {
    D dist{};
    const auto text_of = [&given](const std::string& name) {
        const auto found = std::ranges::find(given, name, &ParameterTexts::value_type::first);
        return found == given.end() ? std::string() : found->second;
    };
    for_each_field<D>([&](const auto& field) {
        auto& member = dist.*field.member;
        using Value = std::remove_cvref_t<decltype(member)>;
        const bool is_given = std::ranges::any_of(given, [&](const auto& pair) { return pair.first == field.name; });
        if (is_given) member = parse_parameter<Value>(std::string("--") + field.name, text_of(field.name));
    });
    if (const rng::ParameterFault fault = dist.fault()) {
        const std::string typed = text_of(fault.field);
        throw UsageError(std::string("--") + fault.field + " " + fault.limit + ", got " +
                         (typed.empty() ? value_text(fault.value) : typed));
    }
    return dist;
}

}  // namespace cli
