// The part of a rank whose rows of A lie in the memory of a GPU, for the low-rank SVD over ranks. Nodes of the tree and
// rows that move go by way of the host's memory. So src/svd and src/ranks send the same bytes as for other ranks.
#pragma once

#include <cstring>
#include <list>
#include <memory>
#include <utility>

#include "../src/svd/rank_part.hpp"
#include "svd_rows.hpp"
#include "svd_tall.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

/// Copies rows x cols elements of so many bytes; strides are in elements.
template <class Device>
void copy_elements(Device& device, const DenseDescription& from, void* to, ptrdiff_t to_row_stride,
                   ptrdiff_t to_col_stride, size_t bytes) {
    const uint64_t elements = from.rows * from.cols;
    if (elements == 0) return;
    const auto copy = [&](auto value) {
        using V = decltype(value);
        const auto units = static_cast<int64_t>(bytes / sizeof(V));
        device.launch(CopyElements<V>{static_cast<const V*>(from.data), static_cast<V*>(to), from.row_stride * units,
                                      from.col_stride * units, to_row_stride * units, to_col_stride * units, from.rows,
                                      from.cols, static_cast<uint32_t>(units)},
                      divided_up(elements * static_cast<uint64_t>(units), CopyElements<V>::threads), 1);
    };
    bytes == sizeof(uint16_t) ? copy(uint16_t{}) : copy(uint32_t{});
}

template <class T, class Device> class DeviceRankPart final : public RankPart<T> {
  public:
    DeviceRankPart(const RankPartInput& in, Device& device)
        : device_(device),
          ranks_(in.layout),
          shape_(in.shape),
          pieces_(in.pieces),
          out_(in.out),
          layout_(places(in)),
          memory_(device.memory(layout_.bytes)),
          work_(device, layout_, memory_.get()),
          of_rows_(shape_, ranks_.first(), ranks_.count(), shape_.rows, tall_memory(RankTall::of_rows), work_),
          of_columns_(shape_, 0, shape_.cols, shape_.cols, tall_memory(RankTall::of_columns), work_),
          parts_(shape_.complex ? 2 : 1) {
        for (size_t k = 0; k < pieces_.size(); ++k)
            matrices_.push_back(
                std::make_unique<DeviceRows<T, Device>>(ranks_.call().name(), pieces_[k].description, k, work_));
    }

    [[nodiscard]] std::string not_finite(bool of_mean) override {
        for (const auto& a : matrices_)
            if (std::string where = of_mean ? a->mean_not_finite() : a->not_finite(); !where.empty()) return where;
        return "";
    }
    [[nodiscard]] double largest_element() override {
        double most = 0;
        for (const auto& a : matrices_) most = std::max(most, a->largest_element());
        return most;
    }

    void begin_column_sums() override {
        for (const auto& a : matrices_) a->set_mean_row(false);
        write_ones(work_, of_rows_.row(0), ranks_.count(), rng_abi::pad * parts_);
    }
    void column_sums(size_t piece, size_t first, size_t cols, T* out) override {
        if (cols == 0) return;
        const T* const ones = of_rows_.row(0) + pieces_[piece].first * rng_abi::pad * parts_;
        matrices_[piece]->apply(true, ones, rng_abi::pad, first, cols, work_.other);
        const std::vector<T> column = first_column(work_, work_.other, cols, parts_);
        std::copy(column.begin(), column.end(), out);
    }
    void set_mean_row(const std::vector<T>& mean) override {
        device_.to_device(work_.template at<T>(layout_.mean), mean.data(), mean.size() * sizeof(T));
        for (const auto& a : matrices_) a->set_mean_row(true);
    }

    void draw_test_matrix(RankTall which, const StreamRecord& stream, TestMatrix kind, int exponent) override {
        tall(which).draw_test_matrix(stream, kind, exponent);
    }
    void multiply_rows() override {
        for (size_t k = 0; k < pieces_.size(); ++k)
            matrices_[k]->apply(false, of_columns_.row(0), shape_.ld(), 0, pieces_[k].description.rows,
                                of_rows_.row(pieces_[k].first));
    }
    void begin_products() override {}
    void products(size_t piece, size_t first, size_t cols, T* out) override {
        if (cols == 0) return;
        matrices_[piece]->apply(true, of_rows_.row(pieces_[piece].first), shape_.ld(), first, cols, work_.other);
        device_.to_host(out, work_.other, cols * shape_.width() * sizeof(T));
    }
    [[nodiscard]] T* room_for_columns() override {
        columns_.resize(shape_.cols * shape_.width());
        return columns_.data();
    }
    void take_columns() override {
        device_.to_device(of_columns_.row(0), columns_.data(), columns_.size() * sizeof(T));
    }

    [[nodiscard]] std::vector<double> gram(RankTall which, size_t first, size_t rows) override {
        return tall(which).gram(first, rows);
    }
    [[nodiscard]] bool jacobi(double* m, double* v, double tolerance) override {
        return work_.jacobi(shape_, m, v, tolerance);
    }
    void multiply_right(RankTall which, const SquareMatrix& w) override { tall(which).multiply_right(w); }
    [[nodiscard]] double largest(RankTall which) override { return tall(which).largest(); }
    void scale(RankTall which, int exponent) override { tall(which).scale(exponent); }
    void refill(RankTall which, size_t column, const StreamRecord& stream, uint64_t first, double factor) override {
        tall(which).refill(column, stream, first, factor);
    }
    [[nodiscard]] std::vector<LargestEntry> largest_per_column(RankTall which) override {
        return tall(which).largest_per_column();
    }

    void write_columns(const std::vector<std::complex<double>>& factors) override {
        of_columns_.write(0, shape_.cols, factors, out_.V, out_.v_row_stride, out_.v_col_stride);
    }
    [[nodiscard]] std::vector<std::byte> write_rows(const std::vector<std::complex<double>>& factors) override {
        const size_t kept = ranks_.count() - ranks_.tail();
        std::vector<std::byte> tail(ranks_.tail() * shape_.q * element_bytes());
        of_rows_.write(0, kept, factors, u_row(ranks_.head()), out_.u_row_stride, out_.u_col_stride);
        if (tail.empty()) return tail;
        of_rows_.write(kept, ranks_.tail(), factors, work_.other, static_cast<ptrdiff_t>(shape_.q), 1);
        device_.to_host(tail.data(), work_.other, tail.size());
        return tail;
    }
    void write_head(const std::vector<std::byte>& rows) override {
        if (rows.empty()) return;
        device_.to_device(work_.other, rows.data(), rows.size());
        copy_elements(device_, {work_.other, ranks_.head(), shape_.q, static_cast<ptrdiff_t>(shape_.q), 1}, out_.U,
                      out_.u_row_stride, out_.u_col_stride, element_bytes());
    }

  private:
    static Layout places(const RankPartInput& in) {
        std::vector<LayoutPiece> pieces;
        for (const RankPiece& piece : in.pieces)
            pieces.push_back({piece.description.rows, piece.description.sparse.value_count});
        MatrixDescription types;  // a rank without rows has no description to take
        types.is_double = sizeof(T) == 8;
        if (!in.pieces.empty()) types.sparse.index_bytes = in.pieces[0].description.sparse.index_bytes;
        return Layout::of(types, in.has_mean, in.shape, pieces, size_t{1} << 22);
    }
    [[nodiscard]] T* tall_memory(RankTall which) const {
        const bool is_x = (which == RankTall::of_rows) != shape_.is_wide();
        return work_.template at<T>(is_x ? layout_.x : layout_.z);
    }
    [[nodiscard]] DeviceTall<T, Device>& tall(RankTall which) {
        return which == RankTall::of_rows ? of_rows_ : of_columns_;
    }
    [[nodiscard]] size_t element_bytes() const { return parts_ * sizeof(T); }
    [[nodiscard]] void* u_row(size_t i) const {
        return static_cast<T*>(out_.U) + static_cast<ptrdiff_t>(i) * out_.u_row_stride * static_cast<ptrdiff_t>(parts_);
    }

    Device& device_;
    const RankLayout& ranks_;
    const SvdShape& shape_;
    const std::vector<RankPiece>& pieces_;
    SvdOutput out_;
    Layout layout_;
    std::shared_ptr<std::byte> memory_;
    Work<T, Device> work_;
    DeviceTall<T, Device> of_rows_, of_columns_;
    size_t parts_;
    std::vector<std::unique_ptr<DeviceRows<T, Device>>> matrices_;  // of each piece
    std::vector<T> columns_;                                        // the tall matrix with A's columns, on its way
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
        const auto& memory = kept_.emplace_back(device_.memory(bytes.size()));
        if (!bytes.empty()) device_.to_device(memory.get(), bytes.data(), bytes.size());
        return memory.get();
    }
    void make(const RankPartInput& in, std::unique_ptr<RankPart<float>>& part) override {
        part = std::make_unique<DeviceRankPart<float, Device>>(in, device_);
    }
    void make(const RankPartInput& in, std::unique_ptr<RankPart<double>>& part) override {
        part = std::make_unique<DeviceRankPart<double, Device>>(in, device_);
    }
    void finish(void* s, const void* values, size_t bytes) override {
        if (bytes > 0) device_.to_device(s, values, bytes);
        device_.wait();
    }

  private:
    Device& device_;
    std::list<std::vector<std::byte>> on_host_;
    std::vector<std::shared_ptr<std::byte>> kept_;
};

}  // namespace detail::svd
RNG_END_NAMESPACE
