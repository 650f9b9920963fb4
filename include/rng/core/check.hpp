// The one check that pure functions make: an address past the end of a stream.
//
// On the host it throws rng::Error (ErrorCode::end_of_stream). Kernels cannot throw; they check only under
// RNG_ASSERTS and then trap.
#pragma once

#include "../error.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

[[noreturn]] inline void throw_end_of_stream(const char* call) {
    throw Error(ErrorCode::end_of_stream,
                std::string(call) + ": address past the end of the stream (a stream has 2^56 blocks)");
}

[[noreturn]] inline void throw_tag_range(const char* call, uint64_t tag) {
    throw Error(ErrorCode::invalid_argument,
                std::string(call) + ": tag must be below 2^56, got " + std::to_string(tag));
}

RNG_FN constexpr void require_inside_stream(bool inside, const char* call) {
#if !defined(__CUDA_ARCH__)
    if (!inside) throw_end_of_stream(call);
#else
    (void)inside, (void)call;
#if defined(RNG_ASSERTS)
    if (!inside) __trap();
#endif
#endif
}

RNG_FN constexpr void require_tag(uint64_t tag, const char* call) {
#if !defined(__CUDA_ARCH__)
    if (tag >> 56) throw_tag_range(call, tag);
#else
    (void)tag, (void)call;
#if defined(RNG_ASSERTS)
    if (tag >> 56) __trap();
#endif
#endif
}

}  // namespace detail
RNG_END_NAMESPACE
