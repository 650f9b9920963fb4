// Fills whose parameters differ from value to value, and masks, in the memory of a GPU.
#include "each_kernels.hpp"

#include <rng/detail/device_launch_kernel.hpp>
#include <rng/distributions/catalogue.hpp>

#include "../src/device/backend.hpp"
#include "cuda_device.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

template <class K> void launch_each(K kernel, uint64_t threads, Device device, cuda_stream stream) {
    static ResidentBlocks resident;
    const auto* const function = reinterpret_cast<const void*>(&run_kernel<K>);
    launch_kernel(function, resident.on(device.index, function), threads, kernel, stream);
}

template <class D>
void write_each(const FillRequest& request, const DeviceTarget& target, Device device, const uint64_t* counter) {
    const auto& each = *static_cast<const EachRequest*>(request.distribution);
    const bool is_narrow = request.value_bytes == 4;
    launch_each(gpu::each_kernel<D>(each, target.data, target.n, request.stream, is_narrow, counter), target.n, device,
                target.stream);
}

template <class T>
void write_mask_of(const FillRequest& request, const DeviceTarget& target, Device device, const uint64_t* counter) {
    const auto& mask = *static_cast<const MaskRequest*>(request.distribution);
    const auto launch = [&](const auto& kernel) {
        const auto items = gpu::divided_up(target.n, static_cast<uint64_t>(kernel.item));
        launch_each(kernel, items, device, target.stream);
    };
    const StreamRecord& from = request.stream;
    if (from.engine == Engine::philox4x32_10)
        launch(gpu::mask_kernel<T>(mask, target.n, stream_of<Philox4x32_10>(from), from, counter));
    else
        launch(gpu::mask_kernel<T>(mask, target.n, any_stream(from), from, counter));
}

void write_mask_on_device(const FillRequest& request, const DeviceTarget& target, Device device,
                          const uint64_t* counter) {
    const auto& mask = *static_cast<const MaskRequest*>(request.distribution);
    const DeviceLaunch launch = mask.type == MaskType::bf16 ? &write_mask_of<bfloat16>
                                : mask.bytes == 1           ? &write_mask_of<uint8_t>
                                : mask.bytes == 2           ? &write_mask_of<float16>
                                : mask.bytes == 4           ? &write_mask_of<float>
                                                            : &write_mask_of<double>;
    launch(request, target, device, counter);
}

}  // namespace

DeviceLaunch each_launch(int index) {
    if (index == catalogue_index<poisson<int32_t>> || index == catalogue_index<poisson<int64_t>>)
        return &write_each<poisson<int64_t>>;
    if (index == catalogue_index<binomial<int32_t>> || index == catalogue_index<binomial<int64_t>>)
        return &write_each<binomial<int64_t>>;
    if (index == catalogue_index<gamma<float>>) return &write_each<gamma<float>>;
    if (index == catalogue_index<gamma<double>>) return &write_each<gamma<double>>;
    return nullptr;
}

DeviceLaunch mask_launch() { return &write_mask_on_device; }

}  // namespace detail
RNG_END_NAMESPACE
