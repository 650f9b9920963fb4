// Fills of device memory: the claim of a generator's values, and the call of the backend.
#include <rng/detail/device_fill_kernel.hpp>
#include <rng/device_fill.hpp>

#include <string>

#include "../cpu/fp_environment.hpp"
#include "backend.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

void fill_device(const FillRequest& request, const DeviceTarget& target) {
    if (target.n == 0) return;
    const rng_cpu::FpEnvironment environment;  // the map is prepared on the host
    const Device device = memory_device({target.call, request.name}, "the destination", target.data);
    submit_fill(request, target, device);
}

void fill_device(const FillRequest& request, const DeviceTarget& target, Generator* given) {
    if (given && given->device() == cpu())
        detail::refuse(CallName{target.call, request.name}.text(),
                       "the destination is device memory but the generator is on cpu");
    if (target.n == 0) return;
    const Device user = given ? given->device() : cpu();
    const Device device =
        memory_device({target.call, request.name}, "the destination", target.data, given ? &user : nullptr);
    Generator& generator = given ? *given : default_generator(device);
    if (!(generator.device() == device))
        detail::refuse(CallName{target.call, request.name}.text(), "the destination is memory of " + to_string(device) +
                                                                       " but the generator is on " +
                                                                       to_string(generator.device()));
    const rng_cpu::FpEnvironment environment;
    FillRequest positioned = request;
    if (is_captured(target.stream, device)) {
        generator.claim_child([&](const StreamRecord& child) {
            positioned.stream = child;
            submit_replayed_fill(positioned, target, device);
        });
        return;
    }
    // Submitted under the generator's lock, so that fills of one CUDA stream run in the order of their numbers.
    const uint64_t slots = request.index == bytes_index ? target.n / 4 + (target.n % 4 != 0) : target.n;
    generator.claim(target.call, slots, request.slot_words, [&](const StreamRecord& claimed) {
        positioned.stream = claimed;
        submit_fill(positioned, target, device);
    });
}

void fill_through_device(const FillRequest& request, void* out, size_t n, Device device, DeviceLaunch launch) {
    require_device("sample_on", device);
    const rng_cpu::FpEnvironment environment;
    if (n > 0) submit_and_copy(request, out, n, device, launch);
}

namespace {

FillRequest bytes_request(const StreamRecord& from) {
    static constexpr StreamBytes bytes;
    return {"bytes", bytes_index, nullptr, &bytes, {}, StreamBytes::slot_words, domain::draws, 1, 1, from};
}
DeviceTarget bytes_target(device_span<std::byte> out, cuda_stream stream) {
    return {out.data, checked_size("bytes", out.data, 1, out.size), stream};
}

}  // namespace

void fill_device_bytes(device_span<std::byte> out, const StreamRecord& from, cuda_stream stream) {
    fill_device(bytes_request(from), bytes_target(out, stream));
}
void fill_device_bytes(device_span<std::byte> out, Generator* generator, cuda_stream stream) {
    fill_device(bytes_request({}), bytes_target(out, stream), generator);
}

}  // namespace detail
RNG_END_NAMESPACE
