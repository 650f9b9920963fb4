// Devices by the name that --device takes.
#pragma once

#include <rng/device.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "table.hpp"
#include "usage_error.hpp"

namespace cli {

/// Returns the device with this name. Otherwise throws UsageError that lists `others`, which the option also takes, and
/// the devices of this machine.
inline rng::Device find_device(const std::string& name, std::vector<std::string> others = {}) {
    for (const rng::Device device : rng::devices()) {
        if (name == rng::to_string(device)) return device;
        others.push_back(rng::to_string(device));
    }
    throw UsageError("--device must be " + join(others, " or ") + " on this machine (rng info), got " + name);
}

}  // namespace cli
