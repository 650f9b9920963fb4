// svd_lowrank and pca_lowrank in device memory: the checks of their arguments, and the calls of the backend.
#include <rng/svd/device_svd.hpp>
#include <rng/svd/device_svd_ranks.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "../cpu/fp_environment.hpp"
#include "../svd/over_ranks.hpp"
#include "../svd/texts.hpp"
#include "backend.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Throws Error for what a GPU cannot do.
void require_possible(const SvdInput& in) {
    if (in.fast) detail::refuse(in.call, "fast is for matrices in host memory", ErrorCode::unsupported);
    constexpr size_t most = UINT32_MAX;  // the kernels count in 32 bits
    if (const size_t got = std::max({in.a.rows, in.a.cols, in.a.sparse.value_count});
        in.a.sparse.index_bytes != 0 && got > most)
        detail::refuse(in.call,
                       "a sparse matrix on a GPU may have " + std::to_string(most) +
                           " rows, columns and elements each, got " + std::to_string(got),
                       ErrorCode::unsupported);
}

/// Checks the arguments and returns q.
size_t checked(const SvdInput& in) {
    require_possible(in);
    return checked_svd(in);
}

/// Checks the shapes of the result of one matrix, and that the generator is on a GPU.
void require_shapes(const SvdInput& in, size_t q, const DeviceSvdTarget& target, Device device) {
    const auto require_shape = [&](const char* what, size_t rows, size_t cols, size_t wanted_rows) {
        if (rows != wanted_rows || cols != q)
            refuse(in.call,
                   std::string(what) + " must be " + shape_text(wanted_rows, q) + ", got " + shape_text(rows, cols));
    };
    require_shape("U", target.u_rows, target.u_cols, in.a.rows);
    require_shape("V", target.v_rows, target.v_cols, in.a.cols);
    if (target.s_size != q)
        refuse(in.call, "S must have " + std::to_string(q) + " values, got " + std::to_string(target.s_size));
    if (device == cpu()) refuse(in.call, "the matrix is in device memory but the generator is on cpu");
}

/// Checks the memory of one matrix and its result, and the stream.
void require_memories(const SvdInput& in, size_t q, const DeviceSvdTarget& target, Device device) {
    const auto require = [&](const CallMemory& memory) {
        require_memory(in.call, memory, device, "the generator is on");
    };
    const size_t real = in.a.computed_bytes(), stored = in.a.stored_bytes();
    if (const SparseDescription& a = in.a.sparse; a.index_bytes != 0) {
        const auto index = static_cast<size_t>(a.index_bytes);
        require({"A's row offsets", a.offsets, a.offset_count, index});
        require({"A's columns", a.indices, a.index_count, index});
        require({"A's values", a.values, a.value_count, stored});
    } else {
        require({in.a.name, in.a.parts[0].data, in.a.rows * in.a.cols, stored});
    }
    require({"M", in.a.mean.data, in.a.mean.rows * in.a.mean.cols, stored});
    require({"U", target.output.U, in.a.rows * q, real});
    require({"S", target.output.S, q, real});
    require({"V", target.output.V, in.a.cols * q, real});
    require({"the workspace", target.workspace.data, target.workspace.size, 256});
    if (is_captured(target.stream, device))
        refuse(in.call, "the stream is being captured into a graph, which cannot hold work of the host");
}

/// Checks one matrix of a call, its result and the workspace.
void require_valid(const SvdInput& in, const DeviceSvdTarget& target, Device device) {
    const size_t q = checked(in);
    require_shapes(in, q, target, device);
    const size_t needed = svd_workspace(in);
    if (target.workspace.size < needed)
        refuse(in.call, "the workspace must have " + std::to_string(needed) + " bytes, got " +
                            std::to_string(target.workspace.size));
    require_memories(in, q, target, device);
}

}  // namespace

size_t svd_workspace_for(const SvdInput& input) {
    SvdInput shape = input;
    shape.a.parts.clear();
    (void)checked(shape);
    return svd_workspace(shape);
}

void svd_on_device(std::span<const SvdInput> inputs, std::span<const DeviceSvdTarget> targets, Generator& generator) {
    if (inputs.empty()) return;
    std::vector<SvdOutput> outputs;
    for (size_t i = 0; i < inputs.size(); ++i) {
        require_valid(inputs[i], targets[i], generator.device());
        outputs.push_back(targets[i].output);
    }
    const rng_cpu::FpEnvironment environment;
    submit_svd(inputs, outputs, targets[0].workspace.data, generator, generator.device(), targets[0].stream);
}

void svd_through_device(std::span<const SvdInput> inputs, std::span<const SvdOutput> outputs, Generator& generator) {
    if (inputs.empty()) return;
    for (const SvdInput& input : inputs) (void)checked(input);
    require_device(inputs[0].call, generator.device());
    const rng_cpu::FpEnvironment environment;
    svd_and_copy(inputs, outputs, generator, generator.device());
}

void svd_ranks_on_device(const SvdInput& input, RankRows mine, const DeviceSvdTarget& target, Ranks& ranks,
                         Generator& generator) {
    const auto place = [&](size_t q) {
        SvdInput part = input;
        part.a.rows = mine.count;
        const Device device = generator.device();
        require_possible(part);
        require_shapes(part, q, target, device);
        require_memories(part, q, target, device);
        return rank_place_on(input.call, device, target.stream);
    };
    svd_over_ranks(input, mine, {place, [&](size_t) { return target.output; }}, ranks, generator);
}

}  // namespace detail
RNG_END_NAMESPACE
