// The distributions and the engines of the goldens, by the names in a golden.
#pragma once

#include <rng/distributions/catalogue.hpp>

#include "golden.hpp"

namespace rng_goldens {

/// Calls f(distribution) for the distribution and type that the golden names; returns false if there is none.
template <class F> bool visit_distribution(const Golden& g, const F& f) {
    bool found = false;
    rng::for_each_distribution([&](auto tag) {
        using D = typename decltype(tag)::type;
        if (!is_of<D>(g)) return;
        found = true;
        f(distribution_of<D>(g));
    });
    return found;
}
/// Calls f(stream) for the engine that the golden names; returns false if there is none.
template <class F> bool visit_stream(const Golden& g, const F& f) {
    bool found = false;
    rng::for_each_engine([&](auto tag) {
        using E = typename decltype(tag)::type;
        if (std::strcmp(g.engine, E::name) != 0) return;
        found = true;
        f(rng::Stream<E>(g.seed, g.id, g.position));
    });
    return found;
}
/// Calls f(stream, distribution); returns false if there is no such engine or distribution.
template <class F> bool visit_golden(const Golden& g, const F& f) {
    bool found = false;
    visit_distribution(
        g, [&](const auto& dist) { found = visit_stream(g, [&](const auto& stream) { f(stream, dist); }); });
    return found;
}

}  // namespace rng_goldens
