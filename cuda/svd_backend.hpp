// The backend of svd_lowrank in the memory of a GPU: which kernels run on which data. A Device runs them:
//
//     launch(kernel, blocks, blocks_y)    kernel's threads on a grid, after all earlier work
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

#include <rng/detail/fill_request.hpp>
#include <rng/distributions/bits.hpp>
#include <rng/distributions/complex_normal.hpp>

#include "../src/svd/svd_backend.hpp"
#include "../src/svd/texts.hpp"
#include "svd_kernels.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

/// Calls f(Tile{}) with the tile shape for a product whose result has this many columns.
template <class T, class F> constexpr auto with_tile(uint64_t width, const F& f) {
    if (width <= Narrow<T>::cols) return f(Narrow<T>{});
    if (width <= Middle<T>::cols) return f(Middle<T>{});
    return f(Broad<T>{});
}
template <class F> constexpr auto with_gram_tile(uint64_t width, const F& f) {
    if (width <= SmallGram::cols) return f(SmallGram{});
    return f(Gram{});
}

inline constexpr unsigned most_search_blocks = 256;

/// The places of all buffers in the workspace, in bytes from its beginning.
struct Layout {
    size_t x, z, other, nodes, square, found, best, factors, mean, bytes;

    /// T has value_bytes. `other` is as large as X: the test matrix as it is drawn, or X while it is multiplied.
    [[nodiscard]] static Layout of(const SvdShape& shape, size_t value_bytes) {
        const size_t parts = shape.complex ? 2 : 1, width = std::max(shape.width(), rng_abi::pad * parts);
        const size_t p = std::max(shape.rows, shape.cols), r = std::min(shape.rows, shape.cols);
        const auto product = [&](size_t rows, size_t columns, size_t terms) {
            const auto split = [&](auto tile) { return Split::of<decltype(tile)>(rows, columns, terms); };
            const Split s = value_bytes == 4 ? with_tile<float>(columns, split) : with_tile<double>(columns, split);
            return s.nodes() * rows * columns * value_bytes;
        };
        const auto gram = [&](size_t terms) {
            const auto split = [&](auto tile) { return Split::of<decltype(tile)>(width, width, terms); };
            return with_gram_tile(width, split).nodes() * width * width * sizeof(double);
        };
        Layout at{};
        const auto take = [&at](size_t bytes) {
            const size_t begin = at.bytes;
            at.bytes += padded(bytes, 256);
            return begin;
        };
        at.x = take(p * width * value_bytes);
        at.z = take(r * width * value_bytes);
        at.other = take(p * width * value_bytes);
        at.nodes = take(std::max({product(p, width, r * parts), product(r, width, p * parts), product(p, width, width),
                                  gram(p), gram(r), product(shape.cols, rng_abi::pad * parts, shape.rows * parts)}));
        at.square = take(width * width * sizeof(double));
        at.found = take(most_search_blocks * width * sizeof(SearchResult));
        at.best = take(width * sizeof(SearchResult));
        at.factors = take(width * 2 * sizeof(double));
        at.mean = take(shape.cols * parts * value_bytes);
        return at;
    }
};

/// Computes the product in the parts of `split`; nodes has room for split.nodes() results.
template <class Device, class T, class S, class B, class Shape>
void run_product(Device& device, const Split& split, Product<T, S, B, Shape> product, T* nodes) {
    T* const out = product.out;
    if (split.groups > 1) product.out = nodes;
    device.launch(product, split.row_tiles * split.groups, static_cast<uint32_t>(split.col_tiles));
    const uint64_t size = product.rows * product.width;
    for (uint64_t count = split.groups; count > 1; count = divided_up(count, merged)) {
        const uint64_t next = divided_up(count, merged);
        T* const to = next == 1 ? out : nodes + count * size;
        device.launch(Merge<T>{nodes, to, size, count}, divided_up(size, Merge<T>::threads) * next, 1);
        nodes = to;
    }
}

template <class T, class Device> class DeviceSvdBackend final : public SvdBackend<T> {
  public:
    /// The workspace has Layout::bytes bytes, at a multiple of 256. Input and device must outlive the backend.
    DeviceSvdBackend(const SvdInput& in, const SvdShape& shape, const SvdOutput& out, void* workspace, Device& device)
        : a_(in.a),
          shape_(shape),
          out_(out),
          device_(device),
          layout_(Layout::of(shape, sizeof(T))),
          memory_(static_cast<std::byte*>(workspace)),
          x_(at<T>(layout_.x)),
          z_(at<T>(layout_.z)),
          other_(at<T>(layout_.other)),
          parts_(static_cast<size_t>(in.a.real_parts())) {}

    [[nodiscard]] std::string not_finite() override {
        std::string where = bad_element(a_.name, a_.parts[0]);
        return where.empty() && a_.mean.data != nullptr ? bad_element("M", a_.mean) : where;
    }

    [[nodiscard]] double largest_element() override {
        return Scalar::from_bits64(scan(a_.parts[0], has_mean(), true).key);
    }

    void subtract_column_means() override {
        if (a_.rows * a_.cols == 0) return;
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
    template <class F> auto with_type(const F& f) const {
        if constexpr (sizeof(T) == 4) {
            if (a_.type == rng_abi::ElementType::f16) return f(static_cast<const float16*>(nullptr));
            if (a_.type == rng_abi::ElementType::bf16) return f(static_cast<const bfloat16*>(nullptr));
        }
        return f(static_cast<const T*>(nullptr));
    }

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
        const size_t outer = adjoint ? a_.cols : a_.rows, inner = adjoint ? a_.rows : a_.cols;
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

    /// Returns the best of `blocks` searches in the workspace, one for each of `columns`.
    [[nodiscard]] std::vector<SearchResult> best_of(size_t blocks, uint32_t columns) {
        auto* const best = at<SearchResult>(layout_.best);
        device_.launch(ReduceLargest{at<SearchResult>(layout_.found), best, u32(blocks), columns},
                       divided_up(columns, columns_per_block), 1);
        std::vector<SearchResult> all(columns);
        device_.to_host(all.data(), best, all.size() * sizeof all[0]);
        return all;
    }
    [[nodiscard]] std::vector<SearchResult> best_of_columns(TallMatrix which, uint32_t columns, size_t parts) {
        const size_t rows = shape_.tall_rows(which);
        const size_t blocks = std::min<size_t>(most_search_blocks, divided_up(rows, 64));
        device_.launch(LargestPerColumn<T>{values(which), at<SearchResult>(layout_.found), rows, columns,
                                           u32(shape_.width()), u32(parts)},
                       blocks, columns / columns_per_block);
        return best_of(blocks, columns);
    }

    [[nodiscard]] SearchResult scan(const DenseDescription& a, bool with_mean, bool for_magnitude) {
        if (a.rows * a.cols == 0) return {};
        const size_t blocks = std::min<size_t>(most_search_blocks, divided_up(a.rows * a.cols, 1024));
        with_type([&](auto type) {
            using S = std::remove_cv_t<std::remove_pointer_t<decltype(type)>>;
            device_.launch(SearchMatrix<T, S>{source<S>(a, with_mean), at<SearchResult>(layout_.found), a.rows, a.cols,
                                              std::abs(a.row_stride) < std::abs(a.col_stride), for_magnitude},
                           blocks, 1);
        });
        return best_of(blocks, 1)[0];
    }
    [[nodiscard]] std::string bad_element(const std::string& name, const DenseDescription& a) {
        const SearchResult f = scan(a, false, false);
        if (f.key == 0) return "";
        const double v = std::isfinite(f.re) ? f.im : f.re;
        return not_finite_text(name, v, f.index / a.cols, f.index % a.cols);
    }

    const MatrixDescription& a_;
    SvdShape shape_;
    SvdOutput out_;
    Device& device_;
    Layout layout_;
    std::byte* memory_;
    T *x_, *z_, *other_;
    size_t parts_;  // real terms of an element of A
    bool mean_is_own_ = false;
};

}  // namespace detail::svd
RNG_END_NAMESPACE
