// Devices by their names, and the checks that all backends share.
#include <rng/device.hpp>

#include <charconv>

#include "backend.hpp"

RNG_BEGIN_NAMESPACE

std::string to_string(Device device) {
    return device.type == DeviceType::cpu ? "cpu" : "cuda:" + std::to_string(device.index);
}

Device parse_device(std::string_view text) {
    if (text == "cpu") return cpu();
    if (text == "cuda") return cuda(0);
    constexpr std::string_view prefix = "cuda:";
    if (text.substr(0, prefix.size()) == prefix) {
        const std::string_view digits = text.substr(prefix.size());
        int index = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
        if (error == std::errc{} && end == digits.data() + digits.size() && !digits.empty() && index >= 0)
            return cuda(index);
    }
    detail::refuse("device", "must be cpu, cuda or cuda:N, got \"" + std::string(text) + "\"");
}

void detail::require_device(const CallName& call, Device device) {
    if (device == cpu()) return;
    if (device.type == DeviceType::cpu || device.index < 0)
        detail::refuse(call.text(),
                       "no such device: index " + std::to_string(device.index) + " of " + to_string(device));
    if (const std::string why = why_missing(device); !why.empty())
        detail::refuse(call.text(), to_string(device) + " is not available: " + why, ErrorCode::unsupported);
}

void detail::require_memory(const CallName& call, const CallMemory& memory, Device device, const char* user) {
    if (memory.elements == 0) return;
    if (memory.data == nullptr) refuse(call.text(), memory.what + " is null but has elements");
    const Device its = memory_device(call, memory.what.c_str(), memory.data, &device);
    if (!(its == device))
        refuse(call.text(), memory.what + " is memory of " + to_string(its) + " but " + user + " " + to_string(device));
    if (reinterpret_cast<uintptr_t>(memory.data) % memory.alignment != 0)
        refuse(call.text(), memory.what + " must be at a multiple of " + std::to_string(memory.alignment) + " bytes");
}

RNG_END_NAMESPACE
