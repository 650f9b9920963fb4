// The functions of a device backend, besides devices() and has_cuda_backend(). At link time the backend is cuda/ or
// no_cuda.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>

#include <rng/detail/fill_arguments.hpp>
#include <rng/detail/scatter.hpp>
#include <rng/detail/svd_input.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

class RankPlace;

/// Returns why this GPU is missing; empty if it is there.
[[nodiscard]] std::string why_missing(Device device);

/// A call as errors name it: "fill: uniform". Its text is made only for an error.
struct CallName {
    const char* call;
    const char* subject = nullptr;
    CallName(const char* name, const char* of = nullptr) : call(name), subject(of) {}
    [[nodiscard]] std::string text() const { return subject ? std::string(call) + ": " + subject : call; }
};

/// Throws Error, which names the call, if the device is missing. All backends share it; defined in device.cpp.
void require_device(const CallName& call, Device device);

/// Returns the device whose memory `data` points to. `user` is the device that will use the memory; null if the memory
/// alone determines the device. Memory that any device can use belongs to the user: managed memory, and all memory of
/// the host if the device reads pageable memory. Without a user, it belongs to the device that allocated it, or to the
/// current device. Throws Error if `what` is another kind of memory.
[[nodiscard]] Device memory_device(const CallName& call, const char* what, const void* data,
                                   const Device* user = nullptr);

/// Memory that a call uses, with its name for messages.
struct CallMemory {
    std::string what;
    const void* data;
    size_t elements, alignment;
};
/// Throws Error unless the memory is of the device, aligned, and not null if it has elements. `user` is the part of the
/// message that names what else is on the device: "the generator is on". All backends share it; defined in device.cpp.
void require_memory(const CallName& call, const CallMemory& memory, Device device, const char* user);

/// Launches the fill of the device's memory; request.stream is positioned at the first value.
/// If the memory is not aligned for the values, throws Error and launches nothing.
void submit_fill(const FillRequest& request, const DeviceTarget& target, Device device);

/// The launch of a fill whose request's distribution is an EachRequest (rng/detail/each.hpp), for the distribution at
/// this index of the catalogue. Null if there is none.
[[nodiscard]] DeviceLaunch each_launch(int index);
/// The launch of a fill whose request's distribution is a MaskRequest. Null if there is none.
[[nodiscard]] DeviceLaunch mask_launch();

/// Returns true if work that is submitted to the stream becomes part of a graph.
[[nodiscard]] bool is_captured(cuda_stream stream, Device device);

/// submit_fill to a captured stream, with a counter of replays. Each replay writes the values after those of the
/// previous one.
void submit_replayed_fill(const FillRequest& request, const DeviceTarget& target, Device device);

/// submit_fill into temporary memory of the device, followed by a copy to `out`; waits.
void submit_and_copy(const FillRequest& request, void* out, size_t n, Device device, DeviceLaunch launch);

/// Returns the bytes of device memory in which submit_svd works.
[[nodiscard]] size_t svd_workspace(const SvdInput& input);

/// Computes svd_lowrank of matrices in the device's memory, one after the other in the same workspace. All have one
/// shape and one test matrix. The workspace begins at a multiple of 256 bytes. Waits.
void submit_svd(std::span<const SvdInput> inputs, std::span<const SvdOutput> outputs, void* workspace,
                Generator& generator, Device device, cuda_stream stream);

/// Computes svd_lowrank with everything in host memory, through temporary memory of the device.
void svd_and_copy(std::span<const SvdInput> inputs, std::span<const SvdOutput> outputs, Generator& generator,
                  Device device);

/// Returns the place of a rank whose data lie in the device's memory. The device is current as long as the place is,
/// for the calling thread.
[[nodiscard]] std::unique_ptr<RankPlace> rank_place_on(const char* call, Device device, cuda_stream stream);

/// Submits reductions in the device's memory, with results one after the other. Does not wait.
void submit_reduction(const ReductionRequest& request, void* out, Device device, cuda_stream stream);

/// Submits sums of segments. Throws Error if the offsets are wrong. Waits for that check.
void submit_segmented_sum(const ReductionRequest& request, const void* offsets, bool offsets_are_wide, size_t segments,
                          void* out, Device device, cuda_stream stream);

/// The operation of a request: additions to its places, additions to places set to zero, or counts of its integers.
enum class Scattered { added, summed, counted };
/// Submits a request. Throws Error if an integer is out of range. Waits for that check.
void submit_scatter(const ScatterRequest& request, Scattered what, Device device, cuda_stream stream);

}  // namespace detail
RNG_END_NAMESPACE
