// The checks that pure functions make: an address past the end of a stream, a tag or a counter out of range.
//
// On the host they raise rng::Error (error.hpp). Kernels cannot throw; they check only under RNG_ASSERTS and then trap.
#pragma once

#if defined(__CUDACC_RTC__)
#include "config.hpp"
#else
#include "error.hpp"
#endif

#include "hide_macros.inc"

#if !RNG_DEVICE_PASS
#define RNG_REQUIRE(condition, otherwise) ((condition) ? static_cast<void>(0) : otherwise)
#elif defined(RNG_ASSERTS)
#define RNG_REQUIRE(condition, otherwise) ((condition) ? static_cast<void>(0) : RNG_TRAP())
#else
#define RNG_REQUIRE(condition, otherwise) static_cast<void>(condition)
#endif

RNG_BEGIN_NAMESPACE
namespace detail {

#if !defined(__CUDACC_RTC__)
inline namespace RNG_RAISING {

/// A number as text. A number of 2^63 or more is also shown as the negative integer that it may have been.
struct NumberText {
    char text[72];
    explicit NumberText(uint64_t n) {
        const auto number = static_cast<unsigned long long>(n);
        if (n >> 63)
            std::snprintf(text, sizeof text, "%llu (which is %lld modulo 2^64)", number, static_cast<long long>(n));
        else
            std::snprintf(text, sizeof text, "%llu", number);
    }
};

[[noreturn]] inline void throw_end_of_stream(const char* call) {
    raise_text(ErrorCode::end_of_stream, "%s: address past the end of the stream (a stream has 2^56 blocks)", call);
}
[[noreturn]] inline void throw_index_range(const char* call, uint64_t index) {
    raise_text(ErrorCode::end_of_stream, "%s: index %s leads past the end of the stream (a stream has 2^56 blocks)",
               call, NumberText(index).text);
}

[[noreturn]] inline void throw_tag_range(const char* call, uint64_t tag) {
    raise_text(ErrorCode::invalid_argument, "%s: tag must be below 2^56, got %s", call, NumberText(tag).text);
}

[[noreturn]] inline void throw_outside_draws() {
    raise(ErrorCode::invalid_argument,
          "to_stream: the engine's counter lies outside domain 0: its block number must be below 2^56, and "
          "words 1 and 3 of a 64-bit counter 0");
}

[[noreturn]] inline void throw_no_values(const char* call) {
    raise_text(ErrorCode::invalid_argument, "%s: there must be at least one value to choose, got 0", call);
}

[[noreturn]] inline void throw_permutation_size(uint64_t n) {
    raise_text(ErrorCode::invalid_argument, "permutation: n must be at most 2^62, got %s", NumberText(n).text);
}

[[noreturn]] inline void throw_outside_permutation(const char* call, const char* argument, uint64_t i, uint64_t n) {
    raise_text(ErrorCode::invalid_argument, "%s: %s must be below n = %llu, got %s", call, argument,
               static_cast<unsigned long long>(n), NumberText(i).text);
}

}  // namespace RNG_RAISING
#endif

RNG_FN constexpr void require_inside_stream(bool inside, [[maybe_unused]] const char* call) {
    RNG_REQUIRE(inside, throw_end_of_stream(call));
}
RNG_FN constexpr void require_index(bool inside, [[maybe_unused]] const char* call, [[maybe_unused]] uint64_t index) {
    RNG_REQUIRE(inside, throw_index_range(call, index));
}
RNG_FN constexpr void require_tag(uint64_t tag, [[maybe_unused]] const char* call) {
    RNG_REQUIRE(tag >> 56 == 0, throw_tag_range(call, tag));
}
RNG_FN constexpr void require_draws(bool inside) { RNG_REQUIRE(inside, throw_outside_draws()); }
RNG_FN constexpr void require_permutation_size(uint64_t n) {
    RNG_REQUIRE(n <= uint64_t{1} << 62, throw_permutation_size(n));
}
RNG_FN constexpr void require_inside_permutation(uint64_t i, uint64_t n, [[maybe_unused]] const char* call,
                                                 [[maybe_unused]] const char* argument) {
    RNG_REQUIRE(i < n, throw_outside_permutation(call, argument, i, n));
}
RNG_FN constexpr void require_count(uint64_t n, [[maybe_unused]] const char* call) {
    RNG_REQUIRE(n != 0, throw_no_values(call));
}

}  // namespace detail
RNG_END_NAMESPACE

#undef RNG_REQUIRE

#include "restore_macros.inc"
