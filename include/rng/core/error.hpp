// Error: what every call throws on bad input. The message names the call, the value and the limit. A program built with
// -fno-exceptions can use the headers alone (core, lane, distributions): there an error writes its message to standard
// error and aborts the program.
//
//     try {
//         rng::fill(x, rng::normal{0.0f, -1.0f}, gen);
//     } catch (const rng::Error& error) {
//         std::cerr << error.what() << "\n";    // fill: normal: stddev must be in [0, 2^120], got -1
//     }
#pragma once

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "config.hpp"

#include "hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The kinds of errors.
enum class ErrorCode {
    invalid_argument,  ///< a parameter outside its documented range
    end_of_stream,     ///< a draw past block 2^56 - 1
    unsupported,       ///< not built in, or not on this machine
    bad_state,         ///< damaged or foreign generator state
    cuda,              ///< a CUDA call failed; the message keeps call, code and text
    ranks              ///< a rank had no memory, or did not answer, or MPI failed; the message names the rank
};

/// An exception with a message and a code.
struct RNG_API Error : std::runtime_error {
    /// Creates an error with this message.
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    Error(ErrorCode code, const char* message) : std::runtime_error(message), code_(code) {}
    /// Returns the kind of error.
    [[nodiscard]] ErrorCode code() const noexcept { return code_; }

  private:
    ErrorCode code_;
};

// With -fno-exceptions errors end the program. The linker must not merge the functions of the two kinds.
#if defined(__cpp_exceptions)
#define RNG_RAISING throwing
#else
#define RNG_RAISING aborting
#endif

namespace detail {

/// Writes the message to standard error and aborts.
[[noreturn]] inline void stop(const char* message) {
    std::fprintf(stderr, "rng: %s\n", message);
    std::abort();
}

inline namespace RNG_RAISING {

[[noreturn]] inline void raise([[maybe_unused]] ErrorCode code, const char* message) {
#if defined(__cpp_exceptions)
    throw Error(code, message);
#else
    stop(message);
#endif
}
[[noreturn]] inline void raise(ErrorCode code, const std::string& message) { raise(code, message.c_str()); }
#if defined(__MINGW32__) && !defined(__clang__)
#define RNG_PRINTF_STYLE gnu_printf  // printf means the formats of Microsoft's C library
#else
#define RNG_PRINTF_STYLE printf
#endif
/// Raises an error with a message in the style of std::printf, of at most 255 characters.
/// Every source that includes this header compiles the function; concatenations of strings would take longer to
/// compile.
[[noreturn]] [[gnu::format(RNG_PRINTF_STYLE, 2, 3)]] inline void raise_text(ErrorCode code, const char* format, ...) {
    char text[256];
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    raise(code, text);
}
#undef RNG_PRINTF_STYLE

/// Refuses a call: an Error whose text is "call: what". `what` names the parameter, its range and the value:
/// refuse("svd_lowrank", "q must be in [0, 6], got 9").
[[noreturn]] inline void refuse(const std::string& call, const std::string& what,
                                ErrorCode code = ErrorCode::invalid_argument) {
    raise(code, call + ": " + what);
}

}  // namespace RNG_RAISING
}  // namespace detail

RNG_END_NAMESPACE

#include "restore_macros.inc"
