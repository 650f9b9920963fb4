// Sums and additions by index in the memory of a GPU, over reduce_backend.hpp and scatter_backend.hpp.
#include "cuda_device.hpp"
#include "reduce_backend.hpp"
#include "scatter_backend.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

void submit_reduction(const ReductionRequest& request, void* out, Device device, cuda_stream stream) {
    const CurrentDevice current(device.index);
    if (!has_memory_pool(device) && is_captured(stream, device))
        refuse(request.call,
               "the stream is being captured into a graph, and " + to_string(device) + " has no memory pool for it",
               ErrorCode::unsupported);
    CudaDevice gpu(request.call, device, stream);
    const gpu::Leaves leaves{nullptr, 0, request.terms, request.results};
    gpu::with_sums(request, leaves, gpu, [&]<class T>(auto& sums, T) {
        const StreamMemory workspace(device, stream, sums.bytes());
        sums.run(workspace.data(), static_cast<T*>(out));
    });
}

void submit_segmented_sum(const ReductionRequest& request, const void* offsets, bool offsets_are_wide, size_t segments,
                          void* out, Device device, cuda_stream stream) {
    const CurrentDevice current(device.index);
    CudaDevice gpu(request.call, device, stream);
    const gpu::Leaves leaves{offsets, offsets_are_wide, request.terms, segments};
    gpu::Places places;
    const gpu::FaultSearch search(places);
    {
        const StreamMemory workspace(device, stream, places.bytes());
        gpu::require_offsets(request.call, leaves, gpu, search, workspace.data());
    }
    if (segments == 0) return;
    gpu::with_sums(request, leaves, gpu, [&]<class T>(auto& sums, T) {
        const StreamMemory workspace(device, stream, sums.bytes());
        sums.run(workspace.data(), static_cast<T*>(out));
    });
}

void submit_scatter(const ScatterRequest& request, Scattered what, Device device, cuda_stream stream) {
    const CurrentDevice current(device.index);
    CudaDevice gpu(request.call, device, stream);
    gpu::DeviceScatter scatter(request, what, gpu);
    const StreamMemory workspace(device, stream, scatter.bytes());
    scatter.run(workspace.data());
}

}  // namespace detail
RNG_END_NAMESPACE
