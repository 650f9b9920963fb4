// Engines under test: their words at any seed, id and position, their streams and their block function.
//
//     const rng::stats::GeneratorUnderTest generator = rng::stats::engine_under_test<rng::Philox4x32_10>(42);
//     const rng::stats::Report report = run_battery(generator);
//     const rng::Stream<rng::PhiloxEngine<uint32_t, 5>> weak(42);
//     const rng::stats::GeneratorUnderTest other = rng::stats::engine_under_test(42, "philox4x32-5", weak);
#pragma once

#include <rng/core/engine.hpp>
#include <rng/core/stream.hpp>

#include <memory>
#include <string>

#include "detail/engine_sources.hpp"
#include "generator_under_test.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// Returns a stream of an engine as a generator under test, with that engine's functions and streams. `seed` made the
/// stream's key; `name` is the engine's name.
/// Engines that are not in rng::engines, such as PhiloxEngine<uint32_t, 5>, work too.
template <class E>
[[nodiscard]] GeneratorUnderTest engine_under_test(uint64_t seed, const std::string& name, const Stream<E>& stream) {
    return {
        std::make_shared<detail::EngineSource<E>>(stream, detail::stream_name(name, seed, stream.id, stream.position)),
        detail::functions_of<E>(), detail::streams_of<E>(seed), seed, [=](uint64_t round) {
            const uint64_t fresh = Stream<Philox4x32_10>(seed).fork(round).id;
            return engine_under_test<E>(fresh, name, Stream<E>(fresh, stream.id, stream.position));
        }};
}
/// Returns the stream of a seed as a generator under test, for an engine that has a name.
template <class E> [[nodiscard]] GeneratorUnderTest engine_under_test(uint64_t seed) {
    return engine_under_test<E>(seed, E::name, Stream<E>(seed));
}
/// The former name of engine_under_test().
template <class E>
[[deprecated("use engine_under_test")]] [[nodiscard]] GeneratorUnderTest subject_of(uint64_t seed,
                                                                                    const std::string& name,
                                                                                    const Stream<E>& stream) {
    return engine_under_test(seed, name, stream);
}
template <class E> [[deprecated("use engine_under_test")]] [[nodiscard]] GeneratorUnderTest subject_of(uint64_t seed) {
    return engine_under_test<E>(seed);
}

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
