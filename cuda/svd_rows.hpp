// The matrix A of svd_lowrank in the memory of a GPU, minus M: dense or sparse, whole or a slab of its rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "svd_sparse.hpp"
#include "svd_tall.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

/// Device: as in svd_backend.hpp.
template <class T, class Device> class DeviceRows final : public MatrixRows<T> {
  public:
    /// Throws Error (invalid_argument) if a sparse matrix, which is slab `slab` of the layout, is not valid.
    DeviceRows(const char* call, const MatrixDescription& a, size_t slab, Work<T, Device>& work)
        : MatrixRows<T>(a), work_(work), parts_(static_cast<size_t>(a.real_parts())) {
        if (a.sparse.index_bytes != 0) sparse_.emplace(call, a, slab, work);
    }

    [[nodiscard]] std::string not_finite() override {
        if (a_.rows * a_.cols == 0) return "";
        return sparse_ ? bad_stored_element() : bad_element(a_.name, a_.parts[0], a_.first_row);
    }
    [[nodiscard]] std::string mean_not_finite() override {
        return a_.rows * a_.cols == 0 || a_.mean.data == nullptr ? "" : bad_element("M", a_.mean, a_.first_mean_row);
    }
    [[nodiscard]] double largest_element() override {
        uint64_t most = 0;
        const auto look = [&](const auto& a, size_t rows, size_t cols, bool by_columns) {
            most = std::max(most, search(a, rows, cols, by_columns, true).key);
        };
        if (sparse_ && has_mean())
            each_dense(false, 0, a_.rows, [&](size_t, size_t rows, const auto& a) { look(a, rows, a_.cols, false); });
        else if (sparse_)
            look(stored_values(), sparse_->size(), 1, false);
        else
            with_source(a_.parts[0], has_mean(), look);
        return Scalar::from_bits64(most);
    }

    /// `ones` is overwritten, and `sums` is not used.
    void sum_columns(T* ones, T*, size_t first, size_t cols, T* out) override {
        const size_t width = rng_abi::pad * parts_;
        write_ones(work_, ones, a_.rows, width);
        apply_rows(true, ones, 1, first, cols, work_.other);
        std::vector<T> sums(cols * width);
        work_.device.to_host(sums.data(), work_.other, sums.size() * sizeof(T));
        for (size_t j = 0; j < cols; ++j)
            for (size_t part = 0; part < parts_; ++part) out[j * parts_ + part] = sums[j * width + part * rng_abi::pad];
    }
    /// M becomes the row in the layout's `mean` or, for null, the M of the caller.
    void set_mean_row(const T* mean) override {
        mean_is_own_ = mean != nullptr;
        if (mean_is_own_)
            work_.device.to_device(work_.template at<T>(work_.layout.mean), mean, a_.cols * parts_ * sizeof(T));
    }

    void apply_rows(bool adjoint, const T* b, size_t q, size_t first, size_t rows, T* out) override {
        const size_t plane = padded(q, rng_abi::pad);
        if (sparse_ && !has_mean()) return sparse_->multiply(adjoint, b, plane, first, rows, out);
        const size_t outer = adjoint ? a_.cols : a_.rows, terms = (adjoint ? a_.rows : a_.cols) * parts_;
        const size_t width = plane * parts_;
        if (sparse_)
            return each_dense(adjoint, first, rows, [&](size_t begin, size_t now, const DeviceMatrix<T, T>& a) {
                with_tile<T>(width, [&](auto tile) {
                    multiply<decltype(tile)>(work_, a, b, now, dense_rows(adjoint), terms, width, plane, adjoint,
                                             out + (begin - first) * width);
                });
            });
        with_type([&](auto type) {
            using S = std::remove_cv_t<std::remove_pointer_t<decltype(type)>>;
            DeviceMatrix<T, S> a = source<S>(a_.parts[0], has_mean());
            if (adjoint) {
                std::swap(a.row_stride, a.term_stride);
                std::swap(a.mean_row_stride, a.mean_term_stride);
            }
            a.data += i64(first) * a.row_stride;
            if (a.mean != nullptr)
                a.mean = static_cast<const std::byte*>(a.mean) +
                         i64(first) * a.mean_row_stride * i64(mean_is_own_ ? sizeof(T) : sizeof(S));
            with_tile<T>(width, [&](auto tile) {
                multiply<decltype(tile)>(work_, a, b, rows, outer, terms, width, plane, adjoint, out);
            });
        });
    }

  private:
    using MatrixRows<T>::a_;

    static int64_t i64(size_t n) { return static_cast<int64_t>(n); }
    [[nodiscard]] bool has_mean() const { return mean_is_own_ || a_.mean.data != nullptr; }
    /// Calls f with a null pointer to the type of A's values.
    template <class F> auto with_type(const F& f) const { return with_element_type<T>(a_.type, f); }

    /// Returns the strides of elements; the mean's are those of M, which is repeated if it has one row or column.
    template <class S> [[nodiscard]] DeviceMatrix<T, S> source(const DenseDescription& rows, bool with_mean) const {
        const auto parts = i64(parts_);
        DeviceMatrix<T, S> a{static_cast<const S*>(rows.data),
                             rows.row_stride * parts,
                             rows.col_stride * parts,
                             nullptr,
                             0,
                             0,
                             parts_ == 2,
                             mean_is_own_};
        if (!with_mean) return a;
        const DenseDescription mean = mean_is_own_
                                          ? DenseDescription{work_.template at<T>(work_.layout.mean), 1, a_.cols, 0, 1}
                                          : a_.mean.repeated();
        a.mean = mean.data;
        a.mean_row_stride = mean.row_stride * parts;
        a.mean_term_stride = mean.col_stride * parts;
        return a;
    }

    [[nodiscard]] size_t dense_rows(bool transposed) const {
        return work_.layout.dense_rows(transposed ? a_.cols : a_.rows, transposed ? a_.rows : a_.cols, parts_);
    }
    /// Makes rows [first, first + rows) of A - M dense, some at a time, or of its transpose. Calls f(begin, rows,
    /// matrix) for each part.
    template <class F> void each_dense(bool transposed, size_t first, size_t rows, const F& f) {
        const size_t inner = transposed ? a_.rows : a_.cols, step = dense_rows(transposed);
        T* const dense = work_.template at<T>(work_.layout.dense);
        with_type([&](auto type) {
            using S = std::remove_cv_t<std::remove_pointer_t<decltype(type)>>;
            DeviceMatrix<T, S> mean = source<S>({}, true);
            if (transposed) std::swap(mean.mean_row_stride, mean.mean_term_stride);
            for (size_t begin = first; begin < first + rows; begin += step) {
                const size_t now = std::min(step, first + rows - begin);
                work_.device.launch(WriteDense<T, S>{sparse_->rows_of(transposed), mean, dense, begin, inner}, now, 1);
                f(begin, now,
                  DeviceMatrix<T, T>{dense, i64(inner * parts_), i64(parts_), nullptr, 0, 0, parts_ == 2, 0});
            }
        });
    }

    template <class S>
    [[nodiscard]] SearchResult search(const DeviceMatrix<T, S>& a, size_t rows, size_t cols, bool by_columns,
                                      bool for_magnitude) {
        if (rows * cols == 0) return {};
        const size_t blocks = std::min<size_t>(most_search_blocks, divided_up(rows * cols, 1024));
        auto* const found = work_.found();
        work_.device.launch(SearchMatrix<T, S>{a, found, rows, cols, by_columns, for_magnitude}, blocks, 1);
        return best_of(work_.device, found, work_.best(), blocks, 1)[0];
    }
    /// Calls f with a dense matrix as kernels read it, its shape, and true if neighbours in a column are the closer
    /// ones.
    template <class F> void with_source(const DenseDescription& a, bool with_mean, const F& f) const {
        with_type([&](auto type) {
            using S = std::remove_cv_t<std::remove_pointer_t<decltype(type)>>;
            f(source<S>(a, with_mean), a.rows, a.cols, std::abs(a.row_stride) < std::abs(a.col_stride));
        });
    }
    /// The values of a sparse matrix, one in each row.
    [[nodiscard]] DeviceMatrix<T, T> stored_values() const {
        return {sparse_->values(), i64(parts_), 0, nullptr, 0, 0, parts_ == 2, 0};
    }

    [[nodiscard]] std::string bad_element(const std::string& name, const DenseDescription& a, size_t first_row) {
        SearchResult f{};
        with_source(a, false, [&](const auto& matrix, size_t rows, size_t cols, bool by_columns) {
            f = search(matrix, rows, cols, by_columns, false);
        });
        return f.key == 0 ? "" : not_finite_text(name, bad_value(f), first_row + f.index / a.cols, f.index % a.cols);
    }
    [[nodiscard]] std::string bad_stored_element() {
        const SearchResult f = search(stored_values(), sparse_->size(), 1, false, false);
        if (f.key == 0) return "";
        const auto [row, col] = sparse_->place(f.index);
        return not_finite_text(a_.name, bad_value(f), a_.first_row + row, col);
    }
    [[nodiscard]] static double bad_value(const SearchResult& f) { return std::isfinite(f.re) ? f.im : f.re; }

    Work<T, Device>& work_;
    size_t parts_;  // real terms of an element of A
    bool mean_is_own_ = false;
    std::optional<DeviceSparse<T, Device>> sparse_;
};

}  // namespace detail::svd
RNG_END_NAMESPACE
