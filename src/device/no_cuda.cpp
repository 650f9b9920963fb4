// The devices of a build without the CUDA backend: the CPU.
#include <rng/prepared.hpp>

#include "backend.hpp"

RNG_BEGIN_NAMESPACE
namespace {

constexpr char not_built_in[] = "rng was built without its CUDA backend";

[[noreturn]] void cannot(const std::string& call) {
    detail::refuse(call, std::string("there is no device memory: ") + not_built_in, ErrorCode::unsupported);
}

}  // namespace

std::vector<Device> devices() { return {cpu()}; }

bool has_cuda_backend() { return false; }

namespace detail {

std::string why_missing(Device) { return not_built_in; }

Device memory_device(const CallName& call, const char*, const void*, const Device*) { cannot(call.text()); }

void submit_fill(const FillRequest& request, const DeviceTarget&, Device) {
    cannot(std::string("fill: ") + request.name);
}

DeviceLaunch each_launch(int) { return nullptr; }

DeviceLaunch mask_launch() { return nullptr; }

DeviceTable table_on(const char* name, Device device, const uint64_t*, size_t) {
    require_device({"Prepared", name}, device);
    return {device, nullptr};
}

bool is_captured(cuda_stream, Device) { return false; }

void submit_replayed_fill(const FillRequest& request, const DeviceTarget& target, Device device) {
    submit_fill(request, target, device);
}

void submit_and_copy(const FillRequest&, void*, size_t, Device device, DeviceLaunch) {
    require_device("sample_on", device);
}

size_t svd_workspace(const SvdInput& input) { cannot(input.call); }

void submit_svd(std::span<const SvdInput> inputs, std::span<const SvdOutput>, void*, Generator&, Device, cuda_stream) {
    cannot(inputs[0].call);
}

void svd_and_copy(std::span<const SvdInput> inputs, std::span<const SvdOutput>, Generator&, Device device) {
    require_device(inputs[0].call, device);
}

std::unique_ptr<RankPlace> rank_place_on(const char* call, Device, cuda_stream) { cannot(call); }

void submit_reduction(const ReductionRequest& request, void*, Device, cuda_stream) { cannot(request.call); }

void submit_segmented_sum(const ReductionRequest& request, const void*, bool, size_t, void*, Device, cuda_stream) {
    cannot(request.call);
}

void submit_scatter(const ScatterRequest& request, Scattered, Device, cuda_stream) { cannot(request.call); }

}  // namespace detail
RNG_END_NAMESPACE
