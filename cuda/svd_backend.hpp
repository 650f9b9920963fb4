// DeviceBackend: the backend of svd_lowrank in the memory of a GPU, in one process or on a rank. Nodes of the tree and
// rows that move go through host memory, so src/svd and src/ranks send the same bytes as for other ranks. A Device runs
// the kernels:
//
//     launch(kernel, blocks, blocks_y, shared_bytes = 0)    kernel's threads on a grid, after all earlier work
//     fill(request, out, n)               a fill of its memory
//     zero(to, bytes), copy(to, from, bytes)
//     to_device(to, from, bytes)          the source is free again on return
//     to_host(to, from, bytes)            waits
//     memory(bytes)                       a std::shared_ptr<std::byte>, at a multiple of 256; for ranks alone
//     wait()                              for all work; for ranks alone
//
// cuda_device.hpp has the Device for CUDA; tests/parity has one that executes the kernels' PTX on the host.
#pragma once

#include <list>
#include <memory>
#include <utility>
#include <vector>

#include "../src/svd/over_ranks.hpp"
#include "svd_rows.hpp"
#include "svd_tall.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

/// Copies rows x cols elements of `bytes` bytes; strides are in elements.
template <class Device>
void copy_elements(Device& device, const DenseDescription& from, void* to, ptrdiff_t to_row_stride,
                   ptrdiff_t to_col_stride, size_t bytes) {
    const uint64_t elements = from.rows * from.cols;
    if (elements == 0) return;
    const auto copy = [&](auto value) {
        using V = decltype(value);
        const auto values = static_cast<int64_t>(bytes / sizeof(V));
        device.launch(CopyElements<V>{static_cast<const V*>(from.data), static_cast<V*>(to), from.row_stride * values,
                                      from.col_stride * values, to_row_stride * values, to_col_stride * values,
                                      from.rows, from.cols, static_cast<uint32_t>(values)},
                      divided_up(elements * static_cast<uint64_t>(values), CopyElements<V>::threads), 1);
    };
    bytes == sizeof(uint16_t) ? copy(uint16_t{}) : copy(uint32_t{});
}

template <class T, class Device> class DeviceBackend final : public SvdBackend<T> {
  public:
    /// The workspace has layout.bytes bytes, at a multiple of 256. It and the device must outlive the backend.
    /// Throws Error (invalid_argument) if a sparse matrix is not valid.
    DeviceBackend(const BackendInput& in, Layout layout, void* workspace, Device& device)
        : SvdBackend<T>(in), layout_(std::move(layout)), work_(device, layout_, static_cast<std::byte*>(workspace)) {
        const auto tall = [&](size_t rows, bool is_x, const RankLayout* spread) {
            return std::make_unique<DeviceTall<T, Device>>(in.shape, rows, spread,
                                                           work_.template at<T>(is_x ? layout_.x : layout_.z), work_);
        };
        this->of_rows_ = tall(in.shape.rows, !in.shape.is_wide(), in.ranks);
        this->of_columns_ = tall(in.shape.cols, in.shape.is_wide(), nullptr);
        for (size_t k = 0; k < in.slabs.size(); ++k)
            this->slabs_.push_back(std::make_unique<DeviceRows<T, Device>>(in.svd.call, in.slabs[k], k, work_));
    }

  private:
    [[nodiscard]] T* room_for(T*) override { return work_.other; }
    void to_host(T* host, const T* room, size_t n) override { work_.device.to_host(host, room, n * sizeof(T)); }
    void from_host(T* to, const T* host, size_t n) override { work_.device.to_device(to, host, n * sizeof(T)); }
    void write_head(const std::vector<T>& rows) override {
        const size_t q = this->in_.shape.returned_q, parts = this->in_.shape.parts();
        from_host(work_.other, rows.data(), rows.size());
        copy_elements(work_.device, {work_.other, rows.size() / (q * parts), q, static_cast<ptrdiff_t>(q), 1},
                      this->in_.out.U, this->in_.out.u_row_stride, this->in_.out.u_col_stride, parts * sizeof(T));
    }

    Layout layout_;
    Work<T, Device> work_;
};

template <class Device> class DeviceRankPlace : public RankPlace {
  public:
    explicit DeviceRankPlace(Device& device) : device_(device) {}

    void check_sparse(const char* call, const MatrixDescription& a) override {
        Layout layout{};
        layout.best = padded(most_search_blocks * sizeof(SearchResult), 256);
        const auto memory = device_.memory(layout.best + sizeof(SearchResult));
        Work<float, Device> work(device_, layout, memory.get());
        a.sparse.index_bytes == 4 ? check_arrays<int32_t>(work, call, a) : check_arrays<int64_t>(work, call, a);
    }
    [[nodiscard]] std::vector<std::byte> packed(const DenseDescription& from, size_t first, size_t rows,
                                                size_t bytes) override {
        std::vector<std::byte> to(rows * from.cols * bytes);
        if (to.empty()) return to;
        DenseDescription some = from;
        some.data = static_cast<const std::byte*>(from.data) + from.offset(first, 0) * static_cast<ptrdiff_t>(bytes);
        some.rows = rows;
        const auto memory = device_.memory(to.size());
        copy_elements(device_, some, memory.get(), static_cast<ptrdiff_t>(from.cols), 1, bytes);
        device_.to_host(to.data(), memory.get(), to.size());
        return to;
    }
    [[nodiscard]] const std::byte* on_host(const void* array, size_t bytes) override {
        std::vector<std::byte>& copy = on_host_.emplace_back(bytes);
        if (bytes > 0) device_.to_host(copy.data(), array, bytes);
        return copy.data();
    }
    [[nodiscard]] const void* kept(std::vector<std::byte> bytes) override {
        std::byte* const memory = kept_.emplace_back(device_.memory(bytes.size())).get();
        if (!bytes.empty()) device_.to_device(memory, bytes.data(), bytes.size());
        return memory;
    }
    void make(const BackendInput& in, bool has_mean, std::unique_ptr<SvdBackend<float>>& to) override {
        make_backend(in, has_mean, to);
    }
    void make(const BackendInput& in, bool has_mean, std::unique_ptr<SvdBackend<double>>& to) override {
        make_backend(in, has_mean, to);
    }
    void wait() override { device_.wait(); }

  private:
    template <class T> void make_backend(const BackendInput& in, bool has_mean, std::unique_ptr<SvdBackend<T>>& to) {
        std::vector<LayoutSlab> slabs;
        for (const MatrixDescription& slab : in.slabs) slabs.push_back({slab.rows, slab.sparse.value_count});
        Layout layout = Layout::of(in.svd.a, has_mean, in.shape, slabs, size_t{1} << 22);
        void* const workspace = kept_.emplace_back(device_.memory(layout.bytes)).get();
        to = std::make_unique<DeviceBackend<T, Device>>(in, std::move(layout), workspace, device_);
    }

    Device& device_;
    std::list<std::vector<std::byte>> on_host_;
    std::vector<std::shared_ptr<std::byte>> kept_;
};

}  // namespace detail::svd
RNG_END_NAMESPACE
