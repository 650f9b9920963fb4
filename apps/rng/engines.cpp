#include "engines.hpp"

#include <optional>

#include "names.hpp"
#include "table.hpp"
#include "usage_error.hpp"

namespace cli {

std::vector<std::string> engine_names() {
    std::vector<std::string> names;
    rng::for_each_engine([&](auto tag) { names.emplace_back(decltype(tag)::type::name); });
    return names;
}

void EngineOption::add_to(CommandLine& command) {
    command.add_option("--engine", name, "E", "Engine: " + join(engine_names()) + " (default " + name + ")");
}

EngineOption::Choice EngineOption::choice() const {
    const std::string typed = engine_of(name);
    std::optional<Choice> found;
    rng::for_each_engine([&](auto tag) {
        using E = typename decltype(tag)::type;
        if (typed == E::name) found = Choice{E::name, rng::Stream<E>::size_words};
    });
    if (!found)
        throw UsageError("--engine must be one of " + join(engine_names()) + ", got " + name +
                         did_you_mean(name, engine_names()));
    return *found;
}

}  // namespace cli
