// The text of an error about parameters, for hosts.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "../core/distribution.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// "fill: normal: stddev must be in [0, 2^120], got -1"; of a list, "densities[3] must be ..."
inline std::string fault_text(const char* call, const char* name, const ParameterFault& fault) {
    char value[32];
    if (fault.is_integer)
        std::snprintf(value, sizeof value, "%s%llu", fault.value < 0 ? "-" : "",
                      static_cast<unsigned long long>(fault.magnitude));
    else {
        std::snprintf(value, sizeof value, "%.9g", fault.value);
        // Nine digits identify a float. A double that is not a float may need 17 to be seen outside the limit.
        const auto differs = [&](double other) { return other < fault.value || other > fault.value; };
        if (differs(static_cast<float>(fault.value)) && differs(std::strtod(value, nullptr)))
            std::snprintf(value, sizeof value, "%.17g", fault.value);
    }
    const std::string element = fault.is_element ? std::string("[").append(std::to_string(fault.index)) + "]" : "";
    return std::string(call) + ": " + name + ": " + fault.field + element + " " + fault.limit + ", got " + value;
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
