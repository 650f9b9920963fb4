// Engines by the name that --engine takes.
#pragma once

#include <rng/core/engine.hpp>
#include <rng/core/stream.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "command_line.hpp"

namespace cli {

[[nodiscard]] std::vector<std::string> engine_names();

/// The option --engine.
struct EngineOption {
    std::string name = rng::Philox4x32_10::name;

    void add_to(CommandLine& command);

    struct Choice {
        std::string name;     ///< as rng list shows it
        uint64_t size_words;  ///< length of its streams
    };
    /// Returns the chosen engine. Throws UsageError that lists the known engines.
    [[nodiscard]] Choice choice() const;

    /// Calls f(type_tag<E>{}) for the engine that was named. Throws UsageError as choice() does.
    template <class F> void visit(F f) const {
        const std::string chosen = choice().name;
        rng::for_each_engine([&](auto tag) {
            if (chosen == decltype(tag)::type::name) f(tag);
        });
    }
};

}  // namespace cli
