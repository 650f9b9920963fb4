// The fields behind a Generator, and the lock that guards them.
#pragma once

#include <rng/generator.hpp>

#include <cstdint>
#include <mutex>

RNG_BEGIN_NAMESPACE

namespace detail {
/// Returns true if an engine has such a stream, by its number, its key and its position.
[[nodiscard]] bool is_valid(const StreamRecord& stream);
}  // namespace detail

struct Generator::State {
    Device device;
    mutable std::mutex mutex;  // guards the members below
    detail::StreamRecord stream{};
    uint64_t children = 0;
    uint64_t initial_seed = 0;

    State(Device d, Engine engine, uint64_t seed) : device(d) { restart(engine, seed); }
    State(const State& other) : device(other.device) {
        const std::lock_guard lock(other.mutex);
        stream = other.stream;
        children = other.children;
        initial_seed = other.initial_seed;
    }
    void restart(Engine engine, uint64_t seed) {
        visit_engine(engine, [&](auto tag) { stream = detail::record(Stream<typename decltype(tag)::type>(seed)); });
        children = 0;
        initial_seed = seed;
    }
};

RNG_END_NAMESPACE
