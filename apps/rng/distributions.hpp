// The catalogue of distributions for the command line: names, types and parameters, each as text.
// No code here depends on one distribution; everything comes from rng::known_distributions().
#pragma once

#include <rng/any_distribution.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {

/// One name with its types: the union of the catalogue's entries bits<uint32_t> and bits<uint64_t>, ...
struct DistributionEntry {
    struct Range {
        std::string text, dtypes;  // "in [0, 1]", and the types of values that have it
    };
    struct Parameter {
        std::string name, doc, default_text;
        std::vector<Range> ranges;
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

/// Returns the distribution with these parameters, in the type that find_dtype() returned. Throws UsageError on text
/// that is no number of the parameter's type, and on a value out of range.
[[nodiscard]] rng::AnyDistribution make_distribution(const DistributionEntry& entry, const std::string& dtype,
                                                     const ParameterTexts& given);

/// Returns a parameter as text: the fewest digits that read back as the same number of its type.
[[nodiscard]] std::string number_text(const rng::Number& number, std::string_view dtype);

}  // namespace cli
