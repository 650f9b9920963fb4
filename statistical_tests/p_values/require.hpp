// The answer to bad input: one Error that names the call, the value and the limit.
#pragma once

#include <rng/core/error.hpp>

#include <sstream>

namespace rng::stats::detail {

/// Throws Error (invalid_argument) "call: limit, got value" unless `condition` holds.
template <class T> void require(bool condition, const char* call, const char* limit, const T& value) {
    if (condition) return;
    std::ostringstream text;
    text << limit << ", got " << value;
    rng::detail::refuse(call, text.str());
}

}  // namespace rng::stats::detail
