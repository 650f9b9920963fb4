// FillRequest: the type-erased form of every fill(), which librng carries out (src/fill.cpp).
#pragma once

#include "../distributions/list.hpp"
#include "../prepared_map.hpp"
#include "stream_record.hpp"
#include "tile.hpp"
#include "value.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// A fill with its types erased.
struct FillRequest {
    const char* name;                        // the distribution's name, for messages
    int index;                               // the distribution's index in the catalogue, or -1
    const rng_abi::MapFunctions* functions;  // if index == -1: the map of a user-defined distribution
    const void* distribution;
    CachedMaps cached;  // of a prepared distribution, which has no `distribution`
    uint64_t slot_words;
    unsigned domain;
    size_t value_bytes, alignment;
    StreamRecord stream;                             // positioned at the first value
    ParameterFault (*fault)(const void*) = nullptr;  // null: the parameters have been validated
};

RNG_API void fill_values(const FillRequest& request, void* out, size_t n);
/// Calls part(context, first, last) for chunks that together are [0, n), in the standard floating-point modes, on at
/// most `most_threads` of the library's threads.
RNG_API void run_in_chunks(size_t n, size_t most_threads, void (*part)(void* context, size_t first, size_t last),
                           void* context);
[[noreturn]] RNG_API void throw_parameter_fault(const char* call, const char* name, const ParameterFault& fault);
/// Calls f(context) in round-to-nearest mode without flush-to-zero, whatever the caller's modes are.
RNG_API void in_standard_modes(void (*f)(void* context), void* context);

/// The function that returns D's first parameter out of range; null if D has no limits.
template <class D> constexpr auto fault_function() -> ParameterFault (*)(const void*) {
    if constexpr (HasFault<D>)
        return [](const void* dist) -> ParameterFault { return static_cast<const D*>(dist)->fault(); };
    else
        return nullptr;
}
template <class D> void validate(const char* call, const D& dist) {
    if constexpr (HasFault<D>) {
        struct Check {
            const D& dist;
            ParameterFault fault;
        } job{dist, {}};
        in_standard_modes(
            [](void* context) {
                auto& its = *static_cast<Check*>(context);
                its.fault = its.dist.fault();
            },
            &job);
        if (job.fault) throw_parameter_fault(call, name_of<D>(), job.fault);
    }
}

template <class D> [[nodiscard]] FillRequest request(const D& dist, const StreamRecord& stream) {
    static_assert(is_same<D, canonical_t<D>>);
    using Known = canonical_t<source_t<D>>;
    const rng_abi::MapFunctions* functions = nullptr;
    if constexpr (catalogue_index<Known> < 0) {
        static constexpr rng_abi::MapFunctions own = lane::map_functions<Known, lane::Scalar>();
        functions = &own;
    }
    const void* distribution = nullptr;
    CachedMaps cached{};
    if constexpr (has_cached_map<D>)
        cached = dist.cached_maps();
    else
        distribution = &dist;
    return {name_of<D>(),  catalogue_index<Known>, functions,           distribution,         cached,
            D::slot_words, domain_of<D>,           sizeof(result_t<D>), alignof(result_t<D>), stream};
}
/// Returns a request whose parameters are validated by the call that carries it out, so that it sets the floating-point
/// modes only once.
template <class D> [[nodiscard]] FillRequest unchecked_request(const D& dist, const StreamRecord& stream) {
    FillRequest r = request(dist, stream);
    r.fault = fault_function<D>();
    return r;
}

/// Returns the stream from slot `first` on. Throws Error (end_of_stream) if n slots do not fit.
template <class E>
[[nodiscard]] Stream<E> at_slot(const Stream<E>& stream, uint64_t first, uint64_t n, uint64_t slot, const char* call) {
    require_slots(stream.position, first, n, slot, Stream<E>::size_words, call);
    return stream.at_position(round_up(stream.position, slot) + first * slot);
}
/// Returns the stream's record from value `first` of D on. Throws Error (end_of_stream) if n values do not fit.
template <class D, class E>
[[nodiscard]] StreamRecord positioned(const Stream<E>& stream, uint64_t first, uint64_t n, const char* call = "fill") {
    return record(at_slot(stream, first, n, D::slot_words, call));
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
