// draw(dist, engine), which is what dist(engine) calls: one value from an engine in the style of <random>.
//
//     rng::philox4x32 engine(42);
//     const double z = rng::normal{0.0, 1.0}(engine);        // the value of at(to_stream(engine), dist, 0)
//     std::mt19937 theirs(42);
//     const int die = rng::uniform_int{1, 6}(theirs);        // from its successive words
//
// A draw moves one of this library's engines past the value's slot, so a loop of draws gives the values of a fill.
// An engine of another library (any std::uniform_random_bit_generator) serves as the value's retry stream. Each of its
// calls gives one 32-bit word: the upper 32 bits if the engine's values have more bits. If the engine has fewer than
// 2^32 values, several calls give a word: each gives a part of 16, 8, 4, 2 or 1 bits, the lowest part first. Values
// that would make some parts more likely than others are drawn again.
// Parameters must be in range, as for at(); debug builds check them.
// Oracle: uniform{0.0f, 1.0f}(std::mt19937{}) is (3499211612 >> 8) * 2^-24 = 0.81472367.
#pragma once

#include "detail/draw_value.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Returns a value of the distribution, drawn from the engine; works also for distributions without operator(). With an
/// engine of another library, the second value of a pair is lost; std_distribution (random.hpp) keeps it.
/// Throws Error (invalid_argument) if an engine of this library is outside domain 0 and its next words do not decide
/// the value.
template <class D, class G> RNG_FN result_t<D> draw(const D& dist, G& engine) {
    detail::assert_parameters(dist);
    if constexpr (detail::our_engine<G>) {
        return detail::draw_at_position(dist, engine);
    } else {
        static_assert(
            requires { G::min(), G::max(), engine(); },
            "dist(engine) takes engines in the style of <random>; of a Generator: sample(dist, n, generator)");
        detail::EngineRetryStream<G> retry_stream(engine);
        return detail::values_of_retry_stream(dist, retry_stream).value[0];
    }
}

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
