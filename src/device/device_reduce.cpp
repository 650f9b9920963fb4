// Reductions and additions by index in device memory: the checks of their arguments, and the calls of the backend.
#include <rng/reduce/device_reduce.hpp>

#include <algorithm>
#include <string>

#include "../cpu/fp_environment.hpp"
#include "../reduce/requests.hpp"
#include "backend.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

constexpr char user[] = "out is memory of";  // the device of the results does the work

[[nodiscard]] size_t stored_bytes(StoredReal stored) {
    return stored == StoredReal::f64 ? sizeof(double) : stored == StoredReal::f32 ? sizeof(float) : sizeof(float16);
}
[[nodiscard]] size_t summed_bytes(bool in_double) { return in_double ? sizeof(double) : sizeof(float); }

/// Returns the device of the results.
[[nodiscard]] Device device_of(const char* call, const void* out, size_t alignment) {
    const Device device = memory_device(call, "out", out);
    require_memory(call, {"out", out, 1, alignment}, device, user);
    return device;
}

void refuse_capture(const char* call, const char* checked, cuda_stream stream, Device device) {
    if (is_captured(stream, device))
        refuse(call,
               std::string("the stream is being captured into a graph, which cannot hold the check of ") + checked);
}

/// Checks the memory of a request, and returns the device of the results.
[[nodiscard]] Device require_scatter(const ScatterRequest& q, Scattered what, cuda_stream stream) {
    constexpr size_t most = UINT32_MAX;  // a sort counts in 32 bits
    const size_t lines = q.index.line_stride == 0 ? 1 : q.lines;
    if (what != Scattered::counted && (q.targets > most || q.terms > most / lines))
        raise_text(ErrorCode::unsupported,
                   "%s: on a GPU, index and out may have %zu places each along the axis, got %zu and %zu", q.call, most,
                   q.terms * lines, q.targets);
    const Device device =
        device_of(q.call, q.out, what == Scattered::counted ? sizeof(int64_t) : summed_bytes(q.in_double));
    require_memory(q.call, {"index", q.index.data, q.terms, static_cast<size_t>(q.index.bytes)}, device, user);
    if (what != Scattered::counted)
        require_memory(q.call, {"values", q.values, q.terms, stored_bytes(q.stored)}, device, user);
    refuse_capture(q.call, "the index", stream, device);
    return device;
}

}  // namespace

void reduce_on_device(const ReductionRequest& q, void* out, size_t size, cuda_stream stream) {
    require_terms(q);
    if (size != q.results)
        raise_text(ErrorCode::invalid_argument, "%s: out must have %zu element%s, got %zu", q.call, q.results,
                   q.results == 1 ? "" : "s", size);
    if (q.results == 0) return;
    if (out == nullptr) raise_text(ErrorCode::invalid_argument, "%s: out must not be null", q.call);
    const Device device = device_of(q.call, out, summed_bytes(q.in_double));
    require_memory(q.call, {"x", q.x.data, q.terms, stored_bytes(q.stored)}, device, user);
    if (q.reduction == Reduction::dot || q.reduction == Reduction::vdot)
        require_memory(q.call, {"y", q.y.data, q.terms, stored_bytes(q.stored)}, device, user);
    const rng_cpu::FpEnvironment environment;
    submit_reduction(q, out, device, stream);
}

void segmented_sum_on_device(const ReductionRequest& q, const void* offsets, bool offsets_are_wide, size_t segments,
                             void* out, cuda_stream stream) {
    // Without results, the offsets determine the device.
    const Device device =
        segments == 0 ? memory_device(q.call, "offsets", offsets) : device_of(q.call, out, summed_bytes(q.in_double));
    require_memory(q.call, {"offsets", offsets, segments + 1, offsets_are_wide ? sizeof(int64_t) : sizeof(int32_t)},
                   device, user);
    require_memory(q.call, {"x", q.x.data, q.terms, stored_bytes(q.stored)}, device, user);
    refuse_capture(q.call, "the offsets", stream, device);
    submit_segmented_sum(q, offsets, offsets_are_wide, segments, out, device, stream);
}

void scatter_on_device(const ScatterRequest& q, cuda_stream stream) {
    if (q.terms == 0 || q.lines == 0) return;
    if (q.targets == 0)
        raise_text(ErrorCode::invalid_argument, "%s: out must have places for %zu integers of the index, got 0", q.call,
                   q.terms);
    const Device device = require_scatter(q, Scattered::added, stream);
    const rng_cpu::FpEnvironment environment;
    submit_scatter(q, Scattered::added, device, stream);
}

void bincount_on_device(const ScatterRequest& q, bool has_weights, cuda_stream stream) {
    if (q.targets == 0 && q.terms == 0) return;
    if (q.out == nullptr || q.targets == 0)
        raise_text(ErrorCode::invalid_argument, "%s: out must %s", q.call,
                   q.targets == 0 ? "have an element for each integer, got 0" : "not be null");
    const Scattered what = has_weights ? Scattered::summed : Scattered::counted;
    const Device device = require_scatter(q, what, stream);
    const rng_cpu::FpEnvironment environment;
    submit_scatter(q, what, device, stream);
}

}  // namespace detail
RNG_END_NAMESPACE
