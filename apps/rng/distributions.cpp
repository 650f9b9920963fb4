#include "distributions.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "names.hpp"
#include "numbers.hpp"
#include "table.hpp"
#include "usage_error.hpp"

namespace cli {
namespace {

void add_once(std::vector<std::string>& list, const std::string& text) {
    if (std::ranges::find(list, text) == list.end()) list.push_back(text);
}

/// Returns true if the default of a parameter is the greatest whole number of its type.
bool is_greatest(const rng::ParameterInfo& parameter) {
    const std::string_view dtype = parameter.dtype;
    const rng::Number& value = parameter.default_value;
    if (!value.is_integer() || value.is_negative() || (dtype[0] != 'i' && dtype[0] != 'u')) return false;
    const int bits = std::stoi(std::string(dtype.substr(1))) - (dtype[0] == 'i' ? 1 : 0);
    return value.integer() == UINT64_MAX >> (64 - bits);
}

std::vector<DistributionEntry> make_entries() {
    std::vector<DistributionEntry> entries;
    for (const rng::DistributionInfo& info : rng::known_distributions()) {
        auto entry = std::ranges::find(entries, std::string(info.name), &DistributionEntry::name);
        if (entry == entries.end()) {
            entry = entries.insert(entry, {info.name, info.summary, {}, {}, {}, {}});
            for (const rng::ParameterInfo& parameter : info.parameters)
                entry->parameters.push_back({parameter.name, parameter.doc, "", {}});
        }
        for (size_t i = 0; i < entry->parameters.size(); ++i) {
            const rng::ParameterInfo& parameter = info.parameters[i];
            const std::string text = is_greatest(parameter) ? "the greatest of the type"
                                                            : number_text(parameter.default_value, parameter.dtype);
            std::string& known = entry->parameters[i].default_text;
            if (known.empty()) known = text;
            if (known != text)
                throw std::logic_error(entry->name + ": types have different defaults of " + parameter.name);
            constexpr std::string_view must_be = "must be ";
            if (!std::string_view(parameter.limit).starts_with(must_be)) continue;
            const std::string range = parameter.limit + must_be.size();
            auto& ranges = entry->parameters[i].ranges;
            const auto same = std::ranges::find(ranges, range, &DistributionEntry::Range::text);
            if (same == ranges.end())
                ranges.push_back({range, info.dtype});
            else
                same->dtypes += std::string(", ") + info.dtype;
        }
        add_once(entry->dtypes, info.dtype);
        entry->slots.push_back(std::to_string(info.slot_words));
        add_once(entry->supports, info.support);
    }
    return entries;
}

template <class T> rng::Number parse_as(const std::string& option, const std::string& text) {
    return parse_parameter<T>(option, text);
}
constexpr struct {
    std::string_view dtype;
    rng::Number (*parse)(const std::string& option, const std::string& text);
} parsers[] = {{"f32", parse_as<float>},   {"f64", parse_as<double>},   {"i8", parse_as<int8_t>},
               {"i16", parse_as<int16_t>}, {"i32", parse_as<int32_t>},  {"i64", parse_as<int64_t>},
               {"u8", parse_as<uint8_t>},  {"u16", parse_as<uint16_t>}, {"u32", parse_as<uint32_t>},
               {"u64", parse_as<uint64_t>}};

/// Returns what the text of a parameter says, as a number of the parameter's type.
rng::Number parse_number(const rng::ParameterInfo& parameter, const std::string& text) {
    const auto known =
        std::ranges::find(parsers, std::string_view(parameter.dtype), [](const auto& p) { return p.dtype; });
    if (known == std::end(parsers)) throw std::logic_error(std::string("no parser for ") + parameter.dtype);
    return known->parse(std::string("--") + parameter.name, text);
}

}  // namespace

bool DistributionEntry::has_parameter(const std::string& parameter) const {
    return std::ranges::find(parameters, parameter, &Parameter::name) != parameters.end();
}

const std::vector<DistributionEntry>& distribution_entries() {
    static const std::vector<DistributionEntry> entries = make_entries();
    return entries;
}

const DistributionEntry& find_distribution(const std::string& name) {
    std::vector<std::string> names;
    for (const DistributionEntry& entry : distribution_entries()) {
        if (entry.name == name) return entry;
        names.push_back(entry.name);
    }
    throw UsageError("DIST must be one of " + join(names) + ", got " + name + did_you_mean(name, names));
}

std::string find_dtype(const DistributionEntry& entry, const std::string& typed) {
    const std::string dtype = dtype_of(typed);
    if (std::ranges::find(entry.dtypes, dtype) != entry.dtypes.end()) return dtype;
    const bool is_of_others = std::ranges::any_of(distribution_entries(), [&](const DistributionEntry& other) {
        return std::ranges::find(other.dtypes, dtype) != other.dtypes.end();
    });
    throw UsageError("--dtype must be " + join(entry.dtypes, " or ") + " for " + entry.name + ", got " + typed +
                     (is_of_others ? "" : did_you_mean(typed, entry.dtypes)));
}

void require_parameters(const DistributionEntry& entry, const ParameterTexts& given) {
    for (const auto& [name, text] : given) {
        if (entry.has_parameter(name)) continue;
        std::vector<std::string> own, others;
        for (const auto& parameter : entry.parameters) own.push_back("--" + parameter.name);
        for (const DistributionEntry& other : distribution_entries())
            if (other.has_parameter(name)) others.push_back(other.name);
        throw UsageError(entry.name + " has no parameter --" + name + ": it has " + (own.empty() ? "none" : join(own)) +
                         "; --" + name + " belongs to " + join(others) + ", got --" + name + " " + text);
    }
}

rng::AnyDistribution make_distribution(const DistributionEntry& entry, const std::string& dtype,
                                       const ParameterTexts& given) {
    std::vector<rng::AnyDistribution::Parameter> parameters;
    const rng::AnyDistribution with_defaults(entry.name, dtype);
    for (const rng::ParameterInfo& parameter : with_defaults.info().parameters)
        for (const auto& [name, text] : given)
            if (name == parameter.name) parameters.push_back({parameter.name, parse_number(parameter, text)});
    if (const rng::ParameterFault fault = rng::AnyDistribution::find_fault(entry.name, dtype, parameters)) {
        const auto typed = std::ranges::find(given, std::string(fault.field), &ParameterTexts::value_type::first);
        throw UsageError(std::string("--") + fault.field + " " + fault.limit + ", got " +
                         (typed == given.end() ? value_text(fault.value) : typed->second));
    }
    return {entry.name, dtype, parameters};
}

std::string number_text(const rng::Number& number, std::string_view dtype) {
    if (number.is_integer())
        return number.is_negative() ? value_text(static_cast<int64_t>(number.integer())) : value_text(number.integer());
    return dtype == "f32" ? value_text(static_cast<float>(number.real())) : value_text(number.real());
}

}  // namespace cli
