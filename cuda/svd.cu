// svd_lowrank in the memory of a GPU: the algorithm of src/svd over the kernels of svd_backend.hpp.
#include <cstring>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "../src/svd/range_finder.hpp"
#include "cuda_device.hpp"
#include "svd_backend.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

template <class T>
void run(std::span<const SvdInput> inputs, std::span<const SvdOutput> outputs, void* workspace, Generator& generator,
         CudaDevice& gpu) {
    const SvdShape shape = checked_shape(inputs[0]);
    const svd::Layout layout = svd::Layout::of(inputs[0], shape);
    std::vector<std::unique_ptr<SvdBackend<T>>> backends;
    for (size_t i = 0; i < inputs.size(); ++i)
        backends.push_back(std::make_unique<svd::DeviceBackend<T, CudaDevice>>(
            BackendInput{inputs[i], shape, {&inputs[i].a, 1}, outputs[i]}, layout, workspace, gpu));
    svd_lowrank_at<T>({inputs[0], shape}, backends, generator, true);
    gpu.wait();
}

/// A copy of an array of the host. An array without bytes takes no memory.
class Copied {
  public:
    Copied(const void* from, size_t bytes) : memory_(bytes) {
        if (bytes > 0) check("cudaMemcpy", cudaMemcpy(memory_.data(), from, bytes, cudaMemcpyHostToDevice));
    }
    [[nodiscard]] void* data() const { return memory_.data(); }

  private:
    DeviceMemory memory_;
};

/// A matrix of the host in memory of the device: contiguous, by rows or by columns as on the host.
class OnDevice {
  public:
    /// `bytes` is the size of an element. A matrix without elements takes no memory.
    OnDevice(const DenseDescription& host, size_t bytes)
        : memory_(host.rows * host.cols * bytes), description_{host.data, host.rows, host.cols, 0, 0} {
        const auto rows = static_cast<ptrdiff_t>(host.rows), cols = static_cast<ptrdiff_t>(host.cols);
        const bool by_columns = std::abs(host.row_stride) < std::abs(host.col_stride);
        description_.row_stride = by_columns ? 1 : cols;
        description_.col_stride = by_columns ? rows : 1;
        std::vector<std::byte> packed(host.rows * host.cols * bytes);
        for (size_t i = 0; i < host.rows; ++i)
            for (size_t j = 0; j < host.cols; ++j)
                std::memcpy(
                    packed.data() + static_cast<size_t>(description_.offset(i, j)) * bytes,
                    static_cast<const std::byte*>(host.data) + host.offset(i, j) * static_cast<ptrdiff_t>(bytes),
                    bytes);
        if (packed.empty()) return;
        check("cudaMemcpy", cudaMemcpy(memory_.data(), packed.data(), packed.size(), cudaMemcpyHostToDevice));
        description_.data = memory_.data();
    }
    [[nodiscard]] const DenseDescription& description() const { return description_; }

  private:
    DeviceMemory memory_;
    DenseDescription description_;
};

}  // namespace

size_t svd_workspace(const SvdInput& input) { return svd::Layout::of(input, checked_shape(input)).bytes; }

void submit_svd(std::span<const SvdInput> inputs, std::span<const SvdOutput> outputs, void* workspace,
                Generator& generator, Device device, cuda_stream stream) {
    const CurrentDevice current(device.index);
    CudaDevice gpu(inputs[0].call, device, stream);
    inputs[0].a.is_double ? run<double>(inputs, outputs, workspace, generator, gpu)
                          : run<float>(inputs, outputs, workspace, generator, gpu);
}

namespace {

/// A matrix of the host and its result, in memory of the device.
struct Visit {
    size_t q, real_bytes, u_bytes, s_bytes, v_bytes;
    OnDevice mean;
    std::optional<OnDevice> a;
    Copied offsets, indices, values;
    DeviceMemory u, s, v;
    SvdInput there;

    explicit Visit(const SvdInput& input)
        : q(checked_svd(input)),
          real_bytes(input.a.computed_bytes()),
          u_bytes(input.a.rows * q * real_bytes * parts(input)),
          s_bytes(q * real_bytes),
          v_bytes(input.a.cols * q * real_bytes * parts(input)),
          mean(input.a.mean, input.a.stored_bytes() * parts(input)),
          offsets(input.a.sparse.offsets, input.a.sparse.offset_count * index_bytes(input)),
          indices(input.a.sparse.indices, input.a.sparse.index_count * index_bytes(input)),
          values(input.a.sparse.values, input.a.sparse.value_count * input.a.stored_bytes() * parts(input)),
          u(u_bytes),
          s(s_bytes),
          v(v_bytes),
          there(input) {
        there.a.mean = mean.description();
        if (input.a.sparse.index_bytes == 0)
            there.a.parts = {a.emplace(input.a.parts[0], input.a.stored_bytes() * parts(input)).description()};
        there.a.sparse.offsets = offsets.data();
        there.a.sparse.indices = indices.data();
        there.a.sparse.values = values.data();
    }
    [[nodiscard]] SvdOutput output() const {
        const auto pitch = static_cast<ptrdiff_t>(q);
        return {u.data(), pitch, 1, s.data(), v.data(), pitch, 1};
    }
    void take(const SvdOutput& to) const {
        const auto copy = [](void* out, const DeviceMemory& from, size_t n) {
            if (n > 0) check("cudaMemcpy", cudaMemcpy(out, from.data(), n, cudaMemcpyDeviceToHost));
        };
        copy(to.U, u, u_bytes);
        copy(to.S, s, s_bytes);
        copy(to.V, v, v_bytes);
    }

  private:
    static size_t parts(const SvdInput& input) { return static_cast<size_t>(input.a.real_parts()); }
    static size_t index_bytes(const SvdInput& input) { return static_cast<size_t>(input.a.sparse.index_bytes); }
};

}  // namespace

void svd_and_copy(std::span<const SvdInput> inputs, std::span<const SvdOutput> outputs, Generator& generator,
                  Device device) {
    const CurrentDevice current(device.index);
    std::list<Visit> visits;
    std::vector<SvdInput> there;
    std::vector<SvdOutput> results;
    for (const SvdInput& input : inputs) {
        const Visit& visit = visits.emplace_back(input);
        there.push_back(visit.there);
        results.push_back(visit.output());
    }
    const DeviceMemory workspace(svd_workspace(inputs[0]));
    submit_svd(there, results, workspace.data(), generator, device, nullptr);
    auto to = outputs.begin();
    for (const Visit& visit : visits) visit.take(*to++);
}

namespace {

/// A base class, so that it outlives the memory of the place.
struct DeviceOfRank {
    CurrentDevice current;
    CudaDevice gpu;
};
class CudaRankPlace final : private DeviceOfRank, public svd::DeviceRankPlace<CudaDevice> {
  public:
    CudaRankPlace(const char* call, Device device, cuda_stream stream)
        : DeviceOfRank{CurrentDevice(device.index), CudaDevice(call, device, stream)}, DeviceRankPlace(gpu) {}
};

}  // namespace

std::unique_ptr<RankPlace> rank_place_on(const char* call, Device device, cuda_stream stream) {
    return std::make_unique<CudaRankPlace>(call, device, stream);
}

}  // namespace detail
RNG_END_NAMESPACE
