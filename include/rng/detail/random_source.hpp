// The source of the random numbers of shuffle() and choice(): a Generator, which advances, or a Stream. The functions
// of the library below are free of both types.
#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "../distributions/uniform_int.hpp"
#include "../generator.hpp"
#include "../permutation.hpp"
#include "fill_arguments.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

template <class S> inline constexpr bool is_stream = false;
template <class E> inline constexpr bool is_stream<Stream<E>> = true;
/// A Stream, or a Generator that is not const.
template <class S>
concept random_source = is_stream<std::remove_cvref_t<S>> || std::is_same_v<std::remove_reference_t<S>, Generator>;

/// Returns the private stream of the slot that begins at a record's position.
RNG_API StreamRecord private_record(const StreamRecord& slot);

/// Takes a slot of four words, like a permutation, and returns its private stream. Only a Generator advances.
template <class E> StreamRecord take_private_stream(const char* call, const Stream<E>& stream) {
    constexpr uint64_t slot = permutation::slot_words;
    require_inside_stream(slots_fit(stream.position, 1, slot, Stream<E>::size_words), call);
    return record(private_stream(stream, round_up(stream.position, slot)));
}
inline StreamRecord take_private_stream(const char* call, Generator& generator) {
    require_cpu(nullptr, generator.device(), call);
    return private_record(generator.claim(call, 1, permutation::slot_words));
}

/// Takes the slots of k values of D and returns where they begin. Only a Generator advances.
template <class D, class E> StreamRecord take_slots(const char* call, uint64_t k, const Stream<E>& stream) {
    return positioned<D>(stream, 0, k, call);
}
template <class D> StreamRecord take_slots(const char* call, uint64_t k, Generator& generator) {
    require_cpu(nullptr, generator.device(), call);
    return generator.claim(call, k, D::slot_words);
}

/// Throws Error unless a permutation can have n values.
inline void check_permutation_size(const char* call, uint64_t n) {
    if (n > uint64_t{1} << 62)
        raise_text(ErrorCode::invalid_argument, "%s: n must be at most 2^62, got %s", call, NumberText(n).text);
}

/// Writes values first ... first + count - 1 of the permutation of [0, n) whose private stream is `own`, as integers of
/// 4 or 8 bytes. Requires first + count <= n.
RNG_API void fill_permutation(const StreamRecord& own, uint64_t n, uint64_t first, void* out, size_t count,
                              size_t value_bytes);

/// Returns the number of weights above 0, where a subnormal one counts as 0. Throws Error unless there are at most 2^31
/// - 1 weights, all finite and not negative.
RNG_API uint64_t check_weights(const char* call, std::span<const double> weights);
/// Chooses k of the weights above 0 and sets `index` to their k indices. It allocates nothing: `key` has as many
/// elements as there are weights, and `index` has room for as many.
RNG_API void weighted_choice(const StreamRecord& own, std::span<const double> weights, size_t k, std::span<double> key,
                             std::vector<uint64_t>& index);

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
