// Engines as subjects: their words at any seed, id and position, their streams and their block function.
//
//     const rng::stats::Subject subject = rng::stats::subject_of<rng::Philox4x32_10>(42);
//     const rng::stats::Report report = run_battery(subject);
//     const rng::Stream<rng::PhiloxEngine<uint32_t, 5>> weak(42);
//     const rng::stats::Subject other = rng::stats::subject_of(42, "philox4x32-5", weak);
#pragma once

#include <rng/core/engine.hpp>
#include <rng/core/stream.hpp>

#include <memory>
#include <string>

#include "detail/engine_sources.hpp"
#include "subject.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// Returns a stream of an engine as a subject, with that engine's functions and streams. `seed` made the stream's key;
/// `name` is the engine's name.
/// Engines that are not in rng::engines, such as PhiloxEngine<uint32_t, 5>, work too.
template <class E> [[nodiscard]] Subject subject_of(uint64_t seed, const std::string& name, const Stream<E>& stream) {
    return {
        std::make_shared<detail::EngineSource<E>>(stream, detail::stream_name(name, seed, stream.id, stream.position)),
        detail::functions_of<E>(), detail::streams_of<E>(seed), seed, [=](uint64_t round) {
            const uint64_t fresh = Stream<Philox4x32_10>(seed).fork(round).id;
            return subject_of<E>(fresh, name, Stream<E>(fresh, stream.id, stream.position));
        }};
}
/// Returns the stream of a seed as a subject, for an engine that has a name.
template <class E> [[nodiscard]] Subject subject_of(uint64_t seed) {
    return subject_of<E>(seed, E::name, Stream<E>(seed));
}

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
