// at() in a loop, with its types erased, for rng::verify and for tests.
#pragma once

#include <cstddef>

#include <rng/detail/stream_record.hpp>

// at_loops.cpp is compiled with another fma. Its functions have their own namespace, so that the linker does not merge
// them with those of other files. This name is outside both.
namespace rng_abi {
/// out[i] = at(stream, dist, i) for i < n. stream: a StreamRecord.
using AtLoop = void (*)(const void* stream, const void* dist, void* out, size_t n);
AtLoop at_loop(int distribution);
}  // namespace rng_abi

RNG_BEGIN_NAMESPACE
namespace detail {

struct ByAt {
    rng_abi::AtLoop loop;
    /// out[i] = at(stream, dist, i) for i < n.
    void operator()(const StreamRecord& stream, const void* dist, void* out, size_t n) const {
        loop(&stream, dist, out, n);
    }
};
/// Returns the loop for the distribution at that index of the catalogue.
[[nodiscard]] RNG_API ByAt by_at(int distribution);

}  // namespace detail
RNG_END_NAMESPACE
