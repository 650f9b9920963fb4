// Engines by the name that --engine takes.
#pragma once

#include <rng/core/engine.hpp>
#include <rng/core/stream.hpp>

#include <string>
#include <vector>

#include "command.hpp"
#include "names.hpp"

namespace cli {

inline std::vector<std::string> engine_names() {
    std::vector<std::string> names;
    rng::for_each_engine([&](auto tag) { names.emplace_back(decltype(tag)::type::name); });
    return names;
}

/// --engine.
struct EngineOption {
    std::string name = rng::Philox4x32_10::name;

    void add_to(CLI::App& command) {
        command.add_option("--engine", name, "Engine: " + join(engine_names()) + " (default " + name + ")")
            ->type_name("E");
    }

    /// Calls f(type_tag<E>{}) for the engine that was named; throws UsageError that lists the known ones.
    template <class F> void visit(F f) const {
        const std::string chosen = engine_of(name);
        bool found = false;
        rng::for_each_engine([&](auto tag) {
            if (chosen != decltype(tag)::type::name) return;
            found = true;
            f(tag);
        });
        if (!found)
            throw UsageError("--engine must be one of " + join(engine_names()) + ", got " + name +
                             did_you_mean(name, engine_names()));
    }
};

}  // namespace cli
