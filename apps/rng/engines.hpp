// Engines by the name that --engine takes.
#pragma once

#include <rng/core/engine.hpp>
#include <rng/core/stream.hpp>

#include <string>
#include <vector>

#include "command.hpp"

namespace cli {

template <class... E> struct EngineList {
    static std::vector<std::string> names() { return {E::name...}; }

    /// Calls visit(E{}) for the engine of that name; throws UsageError that lists the known ones.
    template <class Visit> static void visit(const std::string& name, Visit visit) {
        const bool found = ((name == E::name && (visit(E{}), true)) || ...);
        if (!found) throw UsageError("--engine must be " + join(names(), " or ") + ", got " + name);
    }
};

using Engines = EngineList<rng::Philox4x32_10>;

}  // namespace cli
