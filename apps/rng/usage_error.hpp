// The error that ends a command because of a wrong argument.
#pragma once

#include <stdexcept>

namespace cli {

/// A bad argument: one line that names it, its range and the value. The program ends with exit code 2.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace cli
