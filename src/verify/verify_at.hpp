// at() in a loop, without types, for rng::verify and for tests.
#pragma once

#include <cstddef>

#include <rng/detail/stream_record.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// out[i] = at(stream, dist, i) for i < n.
using ByAt = void (*)(const StreamRecord& stream, const void* dist, void* out, size_t n);

/// Returns the loop for the distribution at that index of the catalogue.
RNG_API ByAt by_at(int distribution);

}  // namespace detail
RNG_END_NAMESPACE
