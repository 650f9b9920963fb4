#include <rng/core/error.hpp>
#include <rng/stats/values_under_test.hpp>
#include <rng/stats/views.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

#include "view_sources.hpp"

namespace rng::stats {

namespace {

constexpr uint64_t streams_by_default = 1024, most_streams = 65536, most_step = 65536;

/// Takes `prefix` off the text. Returns false if the text does not begin with it.
bool take(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}
/// Takes a whole number off the text. Returns nothing if the text does not begin with one.
std::optional<uint64_t> take_number(std::string_view& text) {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

using Set = std::shared_ptr<const StreamSet>;

Set set_named(const GeneratorUnderTest& generator, std::string_view name) {
    for (const Set& set : generator.streams)
        if (set->name() == name) return set;
    return nullptr;
}

struct Interleaving {
    Set set;
    uint64_t streams, run;
};

std::optional<Interleaving> interleaving_of(const GeneratorUnderTest& generator, std::string_view view) {
    Set set = set_named(generator, view);
    if (!set && view == "streams" && !generator.streams.empty()) {
        set = set_named(generator, "ids");
        if (!set) set = generator.streams.front();
    }
    if (set) return Interleaving{set, std::min(streams_by_default, set->count()), 1};

    if (!take(view, "interleaved-")) return std::nullopt;
    const auto streams = take_number(view);
    if (!streams || !take(view, "-")) return std::nullopt;
    const auto run = take_number(view);
    if (!run || !take(view, "/")) return std::nullopt;
    set = set_named(generator, view);
    const bool fits = set && *streams >= 2 && *streams <= std::min(most_streams, set->count()) &&
                      (*run == 1 || *run == 3 || *run == 16);
    return fits ? std::optional(Interleaving{set, *streams, *run}) : std::nullopt;
}

/// Returns the source of a view; null if there is no such view.
std::shared_ptr<Source> source_of(const GeneratorUnderTest& generator, std::string_view view) {
    const auto& source = generator.source;
    const int bits = source->word_bits();
    const auto named = [&](std::string_view as) { return source->name() + ", view " + std::string(as); };
    if (view == "reversed") return reversed_words(source, named(view));
    if (view == "low" && bits >= 16) return part_of_words(source, named(view), 0, bits / 2);
    if (view == "high" && bits >= 16) return part_of_words(source, named(view), bits / 2, bits / 2);
    if (view == "bit0") return part_of_words(source, named(view), 0, 1);
    if (view == "bit-top") return part_of_words(source, named(view), bits - 1, 1);
    if (auto rest = view; take(rest, "decimated-")) {
        const auto step = take_number(rest);
        return step && rest.empty() && *step >= 2 && *step <= most_step ? decimated(source, named(view), *step)
                                                                        : nullptr;
    }
    if (const auto found = interleaving_of(generator, view)) {
        const std::string full = "interleaved-" + std::to_string(found->streams) + "-" + std::to_string(found->run) +
                                 "/" + found->set->name();
        return interleaved(found->set, named(full), found->streams, found->run);
    }
    return nullptr;
}

std::string what_applies(const GeneratorUnderTest& generator) {
    std::string text;
    for (const std::string& name : view_names(generator)) {
        if (!text.empty()) text += ", ";
        text += name == "decimated-64" ? "decimated-K with K in [2, 65536]" : name;
    }
    if (generator.streams.empty()) return text;
    text += ", streams, interleaved-S-C/SET with S in [2, 65536], C in {1, 3, 16} and SET one of ";
    std::string sets;
    for (const Set& set : generator.streams) {
        sets += (sets.empty() ? "" : ", ") + set->name();
        if (set->count() < most_streams) sets += " (" + std::to_string(set->count()) + " streams)";
    }
    return text + sets;
}

}  // namespace

std::vector<std::string> view_names(const GeneratorUnderTest& generator) {
    std::vector<std::string> names = {"plain", "reversed"};
    if (generator.source->word_bits() >= 16) names.insert(names.end(), {"low", "high"});
    names.insert(names.end(), {"bit0", "bit-top"});
    if (is_invertible(generator)) names.push_back("inverted");
    names.push_back("decimated-64");
    for (const Set& set : generator.streams)
        if (set->count() >= 2) names.push_back(set->name());
    return names;
}

std::vector<std::string> default_views(const GeneratorUnderTest& generator) {
    return is_invertible(generator) ? std::vector<std::string>{"plain", "inverted"} : std::vector<std::string>{};
}

GeneratorUnderTest make_view(const GeneratorUnderTest& generator, const std::string& view) {
    if (view == "plain") return generator;
    if (view == "inverted" && is_invertible(generator)) return invert_box_muller(generator);
    const auto source = source_of(generator, view);
    if (!source)
        rng::detail::refuse("make_view", "view of " + generator.source->name() + " must be one of " +
                                             what_applies(generator) + ", got " + view);
    GeneratorUnderTest made{source};
    made.seed = generator.seed;
    if (generator.reseeded)
        made.reseeded = [reseeded = generator.reseeded, view](uint64_t round) {
            return make_view(reseeded(round), view);
        };
    return made;
}

}  // namespace rng::stats
