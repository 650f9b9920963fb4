#include "distributions.hpp"

#include "names.hpp"

namespace cli {
namespace {

void add_once(std::vector<std::string>& list, const std::string& text) {
    if (std::ranges::find(list, text) == list.end()) list.push_back(text);
}

template <class D> std::vector<DistributionEntry::Parameter> parameters_of() {
    std::vector<DistributionEntry::Parameter> parameters;
    for_each_field<D>([&](const auto& field) {
        parameters.push_back({field.name, field.doc, value_text(D{}.*field.member)});
    });
    return parameters;
}

std::vector<DistributionEntry> make_entries() {
    std::vector<DistributionEntry> entries;
    rng::for_each_distribution([&entries](auto tag) {
        using D = typename decltype(tag)::type;
        auto entry = std::ranges::find(entries, std::string(D::name), &DistributionEntry::name);
        if (entry == entries.end())
            entry = entries.insert(entry, {D::name, D::summary, {}, {}, {}, parameters_of<D>()});
        add_once(entry->dtypes, rng::dtype_name<rng::result_t<D>>());
        entry->slots.push_back(std::to_string(D::slot_words));
        add_once(entry->supports, D::support);
    });
    return entries;
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

}  // namespace cli
