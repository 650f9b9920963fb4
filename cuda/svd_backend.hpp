// The backend of svd_lowrank in the memory of a GPU: which kernels run on which data. A Device runs them:
//
//     launch(kernel, blocks, blocks_y, shared_bytes = 0)    kernel's threads on a grid, after all earlier work
//     most_shared_bytes()                 what a block may have; has_fast_doubles()
//     fill(request, out, n)               a fill of its memory
//     zero(to, bytes), copy(to, from, bytes)
//     to_device(to, from, bytes)          the source is free again on return
//     to_host(to, from, bytes)            waits
//
// cuda/svd.cu has the Device for CUDA; tests/parity has one that executes the kernels' PTX on the host.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <rng/detail/fill_request.hpp>
#include <rng/distributions/bits.hpp>
#include <rng/distributions/complex_normal.hpp>

#include "svd_sparse.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

template <class T, class Device> class DeviceSvdBackend final : public SvdBackend<T> {
  public:
    /// The workspace has layout.bytes bytes, at a multiple of 256. Input and device must outlive the backend.
    /// Throws Error (invalid_argument) if a sparse matrix is not sound.
    DeviceSvdBackend(const SvdInput& in, const SvdShape& shape, const Layout& layout, const SvdOutput& out,
                     void* workspace, Device& device)
        : a_(in.a),
          shape_(shape),
          out_(out),
          device_(device),
          layout_(layout),
          memory_(static_cast<std::byte*>(workspace)),
          x_(at<T>(layout_.x)),
          z_(at<T>(layout_.z)),
          other_(at<T>(layout_.other)),
          parts_(static_cast<size_t>(in.a.real_parts())) {
        if (a_.sparse.index_bytes != 0) sparse_.emplace(in.call, a_, layout_, memory_, device_);
    }

    [[nodiscard]] std::string not_finite() override {
        if (a_.rows * a_.cols == 0) return "";
        std::string where = sparse_ ? bad_stored_element() : bad_element(a_.name, a_.parts[0]);
        return where.empty() && a_.mean.data != nullptr ? bad_element("M", a_.mean) : where;
    }

    [[nodiscard]] double largest_element() override {
        uint64_t most = 0;
        const auto look = [&](const auto& a, size_t rows, size_t cols, bool by_columns) {
            most = std::max(most, search(a, rows, cols, by_columns, true).key);
        };
        if (sparse_ && has_mean())
            each_dense(false, [&](size_t, size_t rows, const auto& a) { look(a, rows, a_.cols, false); });
        else if (sparse_)
            look(stored_values(), sparse_->size(), 1, false);
        else
            with_source(a_.parts[0], has_mean(), look);
        return Scalar::from_bits64(most);
    }

    void subtract_column_means() override {
        if (a_.rows * a_.cols == 0) return;
        mean_is_own_ = false;
        // A^H times a column of ones: the signs of words 0.
        const size_t width = rng_abi::pad * parts_;
        device_.zero(other_, a_.rows * sizeof(uint32_t));
        each(a_.rows * width, WriteTestMatrix<T, uint32_t>{reinterpret_cast<const uint32_t*>(other_), x_, a_.rows, 1,
                                                           u32(width), u32(rng_abi::pad)});
        apply(true, x_, rng_abi::pad, other_);
        std::vector<T> sums(a_.cols * width), mean(a_.cols * parts_);
        device_.to_host(sums.data(), other_, sums.size() * sizeof(T));
        for (size_t j = 0; j < a_.cols; ++j) {
            mean[j * parts_] = sums[j * width] / static_cast<T>(a_.rows);
            if (parts_ == 2) mean[j * 2 + 1] = -sums[j * width + rng_abi::pad] / static_cast<T>(a_.rows);
        }
        device_.to_device(at<T>(layout_.mean), mean.data(), mean.size() * sizeof(T));
        mean_is_own_ = true;
    }

    void draw_test_matrix(const StreamRecord& stream, TestMatrix kind, int exponent) override {
        const size_t rows = shape_.tall_rows(TallMatrix::z), n = rows * shape_.q;
        const auto draw = [&](const auto& dist) {
            using V = result_t<std::decay_t<decltype(dist)>>;
            device_.fill(request(dist, stream), other_, n);
            each(rows * shape_.width(), WriteTestMatrix<T, V>{reinterpret_cast<const V*>(other_), z_, rows,
                                                              u32(shape_.q), u32(shape_.width()), u32(shape_.ld())});
        };
        if (kind == TestMatrix::rademacher)
            draw(bits<uint32_t>{});
        else if (parts_ == 1)
            draw(normal<T>{});
        else
            draw(complex_normal<T>{});
        scale(TallMatrix::z, exponent);
    }

    void multiply_to(TallMatrix result) override {
        // If A is wide, its conjugate transpose is the tall matrix.
        const bool adjoint = (result == TallMatrix::z) != shape_.is_wide();
        apply(adjoint, result == TallMatrix::x ? z_ : x_, shape_.ld(), values(result));
    }

    [[nodiscard]] SquareMatrix gram(TallMatrix which) override {
        const size_t width = shape_.width();
        const T* const y = values(which);
        auto* const g = at<double>(layout_.square);
        const DeviceMatrix<double, T> transposed{y, 1, i64(width), nullptr, 0, 0, 0, 0};
        with_gram_tile(width, [&](auto tile) {
            multiply<decltype(tile)>(transposed, y, width, shape_.tall_rows(which), width, width, false, g);
        });
        SquareMatrix result(width);
        device_.to_host(result.v.data(), g, result.v.size() * sizeof(double));
        return result;
    }

    void multiply_right(TallMatrix which, const SquareMatrix& w) override {
        std::vector<T> rounded(w.v.size());
        std::transform(w.v.begin(), w.v.end(), rounded.begin(), [](double d) { return static_cast<T>(d); });
        T* const on_device = at<T>(layout_.square);
        device_.to_device(on_device, rounded.data(), rounded.size() * sizeof(T));
        const size_t rows = shape_.tall_rows(which);
        with_tile<T>(w.n, [&](auto tile) {
            multiply<decltype(tile)>(DeviceMatrix<T, T>{values(which), i64(w.n), 1, nullptr, 0, 0, 0, 0}, on_device,
                                     rows, w.n, w.n, w.n, false, other_);
        });
        if (which == TallMatrix::x)
            std::swap(x_, other_);
        else
            device_.copy(z_, other_, rows * w.n * sizeof(T));
    }

    [[nodiscard]] bool jacobi(double* m, double* v, double tolerance) override {
        const auto on_device = [&]<int Parts>(std::integral_constant<int, Parts>) {
            if (!has_jacobi<Parts>(device_, layout_.jacobi, shape_.q, shape_.ld())) return false;
            svd::jacobi<Parts>(device_, layout_.jacobi, memory_ + layout_.small, shape_.q, shape_.ld(), tolerance, m,
                               v);
            return true;
        };
        return shape_.complex ? on_device(std::integral_constant<int, 2>{})
                              : on_device(std::integral_constant<int, 1>{});
    }

    [[nodiscard]] double largest(TallMatrix which) override {
        uint64_t most = 0;
        for (const SearchResult& f : best_of_columns(which, u32(shape_.width()), 1)) most = std::max(most, f.key);
        const double value = Scalar::from_bits64(most);  // the bits of a NaN are above all others
        return value <= std::numeric_limits<T>::max() ? value : std::numeric_limits<double>::infinity();
    }

    void scale(TallMatrix which, int exponent) override {
        if (exponent == 0) return;
        const size_t n = shape_.tall_rows(which) * shape_.width();
        each(n, Scale<T>{values(which), n, std::ldexp(1.0, exponent / 2), std::ldexp(1.0, exponent - exponent / 2)});
    }

    void refill(TallMatrix which, size_t column, const StreamRecord& record, uint64_t first, double factor) override {
        const size_t rows = shape_.tall_rows(which);
        visit_engine(record.engine, [&](auto tag) {
            using E = typename decltype(tag)::type;
            each(rows * parts_, RandomColumn<T, E>{values(which), rows, first, u32(column), u32(shape_.width()),
                                                   u32(shape_.ld()), u32(parts_), stream_of<E>(record), factor});
        });
    }

    [[nodiscard]] std::vector<std::complex<double>> largest_per_column(TallMatrix which) override {
        std::vector<std::complex<double>> all;
        for (const SearchResult& f : best_of_columns(which, u32(shape_.ld()), parts_)) all.emplace_back(f.re, f.im);
        all.resize(shape_.q);
        return all;
    }

    void write(TallMatrix which, const std::vector<std::complex<double>>& factors) override {
        const bool is_u = (which == TallMatrix::x) != shape_.is_wide();
        const size_t rows = shape_.tall_rows(which);
        const ptrdiff_t row_stride = is_u ? out_.u_row_stride : out_.v_row_stride;
        const ptrdiff_t col_stride = is_u ? out_.u_col_stride : out_.v_col_stride;
        auto* const on_device = at<double>(layout_.factors);
        device_.to_device(on_device, factors.data(), factors.size() * sizeof factors[0]);
        each(rows * shape_.q, Write<T>{values(which), on_device, static_cast<T*>(is_u ? out_.U : out_.V),
                                       row_stride * i64(parts_), col_stride * i64(parts_), rows, u32(shape_.q),
                                       u32(shape_.width()), u32(shape_.ld()), u32(parts_)});
    }

  private:
    static uint32_t u32(size_t n) { return static_cast<uint32_t>(n); }
    static int64_t i64(size_t n) { return static_cast<int64_t>(n); }
    template <class V> [[nodiscard]] V* at(size_t offset) const { return reinterpret_cast<V*>(memory_ + offset); }
    [[nodiscard]] T* values(TallMatrix which) const { return which == TallMatrix::x ? x_ : z_; }

    [[nodiscard]] bool has_mean() const { return mean_is_own_ || a_.mean.data != nullptr; }

    /// Launches a kernel with a thread for each of n.
    template <class K> void each(size_t n, const K& kernel) { device_.launch(kernel, divided_up(n, K::threads), 1); }

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
        const DenseDescription mean =
            mean_is_own_ ? DenseDescription{at<T>(layout_.mean), 1, a_.cols, 0, 1} : a_.mean.repeated();
        a.mean = mean.data;
        a.mean_row_stride = mean.row_stride * parts;
        a.mean_term_stride = mean.col_stride * parts;
        return a;
    }

    /// out = A b, or A^H b; b and out have `plane` columns (and as many imaginary parts after them).
    void apply(bool adjoint, const T* b, size_t plane, T* out) {
        if (sparse_ && !has_mean()) return sparse_->multiply(adjoint, b, plane, out);
        const size_t outer = adjoint ? a_.cols : a_.rows, inner = adjoint ? a_.rows : a_.cols;
        if (sparse_)
            return each_dense(adjoint, [&](size_t first, size_t rows, const DeviceMatrix<T, T>& a) {
                with_tile<T>(plane * parts_, [&](auto tile) {
                    multiply<decltype(tile)>(a, b, rows, inner * parts_, plane * parts_, plane, adjoint,
                                             out + first * plane * parts_);
                });
            });
        with_type([&](auto type) {
            using S = std::remove_cv_t<std::remove_pointer_t<decltype(type)>>;
            DeviceMatrix<T, S> a = source<S>(a_.parts[0], has_mean());
            if (adjoint) {
                std::swap(a.row_stride, a.term_stride);
                std::swap(a.mean_row_stride, a.mean_term_stride);
            }
            with_tile<T>(plane * parts_, [&](auto tile) {
                multiply<decltype(tile)>(a, b, outer, inner * parts_, plane * parts_, plane, adjoint, out);
            });
        });
    }

    template <class Shape, class C, class S, class B>
    void multiply(const DeviceMatrix<C, S>& a, const B* b, size_t rows, size_t terms, size_t width, size_t plane,
                  bool conjugated, C* out) {
        const Split split = Split::of<Shape>(rows, width, terms);
        run_product(device_, split,
                    Product<C, S, B, Shape>{a, b, out, rows, terms, split.row_tiles, u32(width), u32(plane),
                                            split.log2_group, conjugated},
                    at<C>(layout_.nodes));
    }

    /// Makes A - M dense, some rows at a time, or some columns if transposed is true. Calls f(first, rows, matrix) for
    /// each part.
    template <class F> void each_dense(bool transposed, const F& f) {
        const size_t outer = transposed ? a_.cols : a_.rows, inner = transposed ? a_.rows : a_.cols;
        const size_t step = layout_.dense_rows(outer, inner, parts_);
        T* const dense = at<T>(layout_.dense);
        with_type([&](auto type) {
            using S = std::remove_cv_t<std::remove_pointer_t<decltype(type)>>;
            DeviceMatrix<T, S> mean = source<S>({}, true);
            if (transposed) std::swap(mean.mean_row_stride, mean.mean_term_stride);
            for (size_t first = 0; first < outer; first += step) {
                const size_t rows = std::min(step, outer - first);
                device_.launch(WriteDense<T, S>{sparse_->rows_of(transposed), mean, dense, first, inner}, rows, 1);
                f(first, rows,
                  DeviceMatrix<T, T>{dense, i64(inner * parts_), i64(parts_), nullptr, 0, 0, parts_ == 2, 0});
            }
        });
    }

    [[nodiscard]] std::vector<SearchResult> best_of_columns(TallMatrix which, uint32_t columns, size_t parts) {
        const size_t rows = shape_.tall_rows(which);
        const size_t blocks = std::min<size_t>(most_search_blocks, divided_up(rows, 64));
        auto* const found = at<SearchResult>(layout_.found);
        device_.launch(LargestPerColumn<T>{values(which), found, rows, columns, u32(shape_.width()), u32(parts)},
                       blocks, columns / columns_per_block);
        return best_of(device_, found, at<SearchResult>(layout_.best), blocks, columns);
    }

    template <class S>
    [[nodiscard]] SearchResult search(const DeviceMatrix<T, S>& a, size_t rows, size_t cols, bool by_columns,
                                      bool for_magnitude) {
        if (rows * cols == 0) return {};
        const size_t blocks = std::min<size_t>(most_search_blocks, divided_up(rows * cols, 1024));
        auto* const found = at<SearchResult>(layout_.found);
        device_.launch(SearchMatrix<T, S>{a, found, rows, cols, by_columns, for_magnitude}, blocks, 1);
        return best_of(device_, found, at<SearchResult>(layout_.best), blocks, 1)[0];
    }
    /// Calls f with a dense matrix as kernels read it, its shape, and whether its columns are the closer ones.
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

    [[nodiscard]] std::string bad_element(const std::string& name, const DenseDescription& a) {
        SearchResult f{};
        with_source(a, false, [&](const auto& matrix, size_t rows, size_t cols, bool by_columns) {
            f = search(matrix, rows, cols, by_columns, false);
        });
        return f.key == 0 ? "" : not_finite_text(name, bad_value(f), f.index / a.cols, f.index % a.cols);
    }
    [[nodiscard]] std::string bad_stored_element() {
        const SearchResult f = search(stored_values(), sparse_->size(), 1, false, false);
        if (f.key == 0) return "";
        const auto [row, col] = sparse_->place(f.index);
        return not_finite_text(a_.name, bad_value(f), row, col);
    }
    [[nodiscard]] static double bad_value(const SearchResult& f) { return std::isfinite(f.re) ? f.im : f.re; }

    const MatrixDescription& a_;
    SvdShape shape_;
    SvdOutput out_;
    Device& device_;
    Layout layout_;
    std::byte* memory_;
    T *x_, *z_, *other_;
    size_t parts_;  // real terms of an element of A
    bool mean_is_own_ = false;
    std::optional<DeviceSparse<T, Device>> sparse_;
};

}  // namespace detail::svd
RNG_END_NAMESPACE
