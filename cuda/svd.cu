// svd_lowrank in the memory of a GPU: the algorithm of src/svd over the kernels of svd_backend.hpp.
#include <cstring>
#include <list>
#include <memory>
#include <vector>

#include "../src/device/backend.hpp"
#include "../src/svd/range_finder.hpp"
#include "runtime.hpp"
#include "svd_backend.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

template <class K>
__global__ void __launch_bounds__(K::threads, K::resident) run_kernel(const __grid_constant__ K kernel) {
    kernel();
}

/// The device of svd::DeviceSvdBackend: CUDA, in the order of a stream.
class CudaDevice {
  public:
    CudaDevice(const char* call, Device device, cuda_stream stream) : call_(call), device_(device), stream_(stream) {}
    CudaDevice(const CudaDevice&) = delete;
    CudaDevice& operator=(const CudaDevice&) = delete;
    /// Waits: copies that are not complete read from the staging memory.
    ~CudaDevice() {
        if (!staged_.empty()) (void)cudaStreamSynchronize(stream_);
    }

    template <class K> void launch(const K& kernel, uint64_t blocks, uint32_t blocks_y) {
        constexpr uint64_t most_blocks = (uint64_t{1} << 31) - 1;  // of the first dimension of a grid
        if (blocks > most_blocks)
            detail::refuse(call_, "the matrix is too large for a GPU's grids", ErrorCode::unsupported);
        void* arguments[] = {const_cast<K*>(&kernel)};
        check("cudaLaunchKernel",
              cudaLaunchKernel(reinterpret_cast<const void*>(&run_kernel<K>),
                               dim3(static_cast<unsigned>(blocks), blocks_y), dim3(K::threads), arguments, 0, stream_));
    }
    void fill(const FillRequest& request, void* out, size_t n) { submit_fill(request, {out, n, stream_}, device_); }
    void zero(void* to, size_t bytes) { check("cudaMemsetAsync", cudaMemsetAsync(to, 0, bytes, stream_)); }
    void copy(void* to, const void* from, size_t bytes) {
        check("cudaMemcpyAsync", cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_));
    }
    void to_device(void* to, const void* from, size_t bytes) {
        const auto* const begin = static_cast<const std::byte*>(from);
        const std::vector<std::byte>& kept = staged_.emplace_back(begin, begin + bytes);
        check("cudaMemcpyAsync", cudaMemcpyAsync(to, kept.data(), bytes, cudaMemcpyHostToDevice, stream_));
    }
    void to_host(void* to, const void* from, size_t bytes) {
        check("cudaMemcpyAsync", cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_));
        wait();
    }
    void wait() {
        check("cudaStreamSynchronize", cudaStreamSynchronize(stream_));
        staged_.clear();
    }

  private:
    const char* call_;
    Device device_;
    cuda_stream stream_;
    std::list<std::vector<std::byte>> staged_;
};

SvdShape shape_of(const SvdInput& input) {
    return {input.a.rows, input.a.cols, checked_svd(input), input.a.is_complex};
}

template <class T>
void run(const SvdInput& input, const SvdOutput& output, void* workspace, Generator& generator, CudaDevice& gpu) {
    const SvdPlan plan{input.call, shape_of(input), input.niter, input.test_matrix, input.center};
    std::vector<std::unique_ptr<SvdBackend<T>>> backends;
    backends.push_back(
        std::make_unique<svd::DeviceSvdBackend<T, CudaDevice>>(input, plan.shape, output, workspace, gpu));
    const std::vector<T> s = svd_lowrank_at<T>(plan, backends, generator)[0];
    if (!s.empty()) gpu.to_device(output.S, s.data(), s.size() * sizeof(T));
    gpu.wait();
}

/// A matrix of the host in memory of the device: without gaps, by rows or by columns as on the host.
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

size_t svd_workspace(const SvdInput& input) { return svd::Layout::of(shape_of(input), input.a.computed_bytes()).bytes; }

void submit_svd(const SvdInput& input, const SvdOutput& output, void* workspace, Generator& generator, Device device,
                cuda_stream stream) {
    const CurrentDevice current(device.index);
    CudaDevice gpu(input.call, device, stream);
    input.a.is_double ? run<double>(input, output, workspace, generator, gpu)
                      : run<float>(input, output, workspace, generator, gpu);
}

void svd_and_copy(const SvdInput& input, const SvdOutput& output, Generator& generator, Device device) {
    const CurrentDevice current(device.index);
    const auto real_parts = static_cast<size_t>(input.a.real_parts());
    const size_t q = checked_svd(input), bytes = input.a.stored_bytes() * real_parts;
    const size_t real_bytes = input.a.computed_bytes(), result_bytes = real_bytes * real_parts;
    const OnDevice a(input.a.parts[0], bytes), mean(input.a.mean, bytes);
    const DeviceMemory u(input.a.rows * q * result_bytes), s(q * real_bytes), v(input.a.cols * q * result_bytes);
    const DeviceMemory workspace(svd_workspace(input));
    SvdInput there = input;
    there.a.parts = {a.description()};
    there.a.mean = mean.description();
    const auto pitch = static_cast<ptrdiff_t>(q);
    submit_svd(there, {u.data(), pitch, 1, s.data(), v.data(), pitch, 1}, workspace.data(), generator, device, nullptr);
    if (q == 0) return;
    const auto take = [](void* to, const DeviceMemory& from, size_t n) {
        check("cudaMemcpy", cudaMemcpy(to, from.data(), n, cudaMemcpyDeviceToHost));
    };
    take(output.U, u, input.a.rows * q * result_bytes);
    take(output.S, s, q * real_bytes);
    take(output.V, v, input.a.cols * q * result_bytes);
}

}  // namespace detail
RNG_END_NAMESPACE
