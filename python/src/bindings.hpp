// What module.cpp binds; each part has a file of its name. And what all parts use: arguments and errors.
#pragma once

#include <nanobind/nanobind.h>

#include <rng/core/error.hpp>

#include <string>
#include <type_traits>

namespace python {

namespace nb = nanobind;
using namespace nb::literals;

/// A parameter of any type, None too: the function itself says what is wrong with an argument.
inline auto any_arg(const char* name) { return nb::arg(name).none(); }

/// The text of strings and numbers, one after the other.
template <class... Parts> [[nodiscard]] std::string concat(const Parts&... parts) {
    std::string text;
    const auto append = [&]<class T>(const T& part) {
        if constexpr (std::is_arithmetic_v<T>)
            text += std::to_string(part);
        else
            text += part;
    };
    (append(parts), ...);
    return text;
}
template <class... Parts> [[noreturn]] void throw_type_error(const Parts&... parts) {
    throw nb::type_error(concat(parts...).c_str());
}
template <class... Parts> [[noreturn]] void throw_value_error(const Parts&... parts) {
    throw nb::value_error(concat(parts...).c_str());
}
template <class... Parts> [[noreturn]] void throw_invalid_argument(const Parts&... parts) {
    throw rng::Error(rng::ErrorCode::invalid_argument, concat(parts...));
}

void bind_compat(nb::module_& m);
void bind_distributions(nb::module_& m);
void bind_each(nb::module_& m);
void bind_fills(nb::module_& m);
void bind_generators(nb::module_& m);
void bind_numpy_bits(nb::module_& m);
void bind_reduce(nb::module_& m);
void bind_svd(nb::module_& m);
void bind_battery(nb::module_& m);

}  // namespace python
