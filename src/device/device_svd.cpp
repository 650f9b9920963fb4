#include <rng/svd/device_svd.hpp>

#include <string>

#include "../cpu/fp_environment.hpp"
#include "../svd/texts.hpp"
#include "backend.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Checks the arguments and returns q.
size_t checked(const SvdInput& in) {
    if (in.fast) detail::refuse(in.call, "fast is for matrices in host memory", ErrorCode::unsupported);
    return checked_svd(in);
}

/// The memory of one matrix of the call.
struct Memory {
    const char* what;
    const void* data;
    size_t elements, alignment;
};

void require_memory(const SvdInput& in, const Memory& memory, Device device) {
    if (memory.elements == 0) return;
    if (memory.data == nullptr) refuse(in.call, std::string(memory.what) + " is null but has elements");
    const Device its = memory_device(in.call, memory.what, memory.data, &device);
    if (!(its == device))
        refuse(in.call, std::string(memory.what) + " is memory of " + to_string(its) + " but the generator is on " +
                            to_string(device));
    if (reinterpret_cast<uintptr_t>(memory.data) % memory.alignment != 0)
        refuse(in.call,
               std::string(memory.what) + " must be at a multiple of " + std::to_string(memory.alignment) + " bytes");
}

}  // namespace

size_t svd_workspace_for(const SvdInput& input) {
    SvdInput shape = input;
    shape.a.parts.clear();
    (void)checked(shape);
    return svd_workspace(shape);
}

void svd_on_device(const SvdInput& in, const DeviceSvdTarget& target, Generator& generator) {
    const size_t q = checked(in);
    const auto require_shape = [&](const char* what, size_t rows, size_t cols, size_t wanted_rows) {
        if (rows != wanted_rows || cols != q)
            refuse(in.call,
                   std::string(what) + " must be " + shape_text(wanted_rows, q) + ", got " + shape_text(rows, cols));
    };
    require_shape("U", target.u_rows, target.u_cols, in.a.rows);
    require_shape("V", target.v_rows, target.v_cols, in.a.cols);
    if (target.s_size != q)
        refuse(in.call, "S must have " + std::to_string(q) + " values, got " + std::to_string(target.s_size));
    const Device device = generator.device();
    if (device == cpu()) refuse(in.call, "the matrix is in device memory but the generator is on cpu");
    const size_t needed = svd_workspace(in);
    if (target.workspace.size < needed)
        refuse(in.call, "the workspace must have " + std::to_string(needed) + " bytes, got " +
                            std::to_string(target.workspace.size));
    const size_t real = in.a.computed_bytes(), stored = in.a.stored_bytes();
    require_memory(in, {"A", in.a.parts[0].data, in.a.rows * in.a.cols, stored}, device);
    require_memory(in, {"M", in.a.mean.data, in.a.mean.rows * in.a.mean.cols, stored}, device);
    require_memory(in, {"U", target.output.U, in.a.rows * q, real}, device);
    require_memory(in, {"S", target.output.S, q, real}, device);
    require_memory(in, {"V", target.output.V, in.a.cols * q, real}, device);
    require_memory(in, {"the workspace", target.workspace.data, needed, 256}, device);
    if (is_captured(target.stream, device))
        refuse(in.call, "the stream is being captured into a graph, which cannot hold work of the host");
    const rng_cpu::FpEnvironment environment;
    submit_svd(in, target.output, target.workspace.data, generator, device, target.stream);
}

void svd_through_device(const SvdInput& input, const SvdOutput& output, Generator& generator) {
    (void)checked(input);
    require_device(input.call, generator.device());
    const rng_cpu::FpEnvironment environment;
    svd_and_copy(input, output, generator, generator.device());
}

}  // namespace detail
RNG_END_NAMESPACE
