// Rows of a tall matrix of svd_lowrank in the memory of a GPU: all of X or Z, or those that one rank has.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>
#include <vector>

#include <rng/detail/fill_request.hpp>
#include <rng/distributions/bits.hpp>
#include <rng/distributions/complex_normal.hpp>

#include "svd_layout.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

/// Makes the first of `width` columns ones, and the others zeros. Words as many as rows are written to work.other.
template <class T, class Device> void write_ones(Work<T, Device>& work, T* to, size_t rows, size_t width) {
    if (rows == 0) return;
    work.device.zero(work.other, rows * sizeof(uint32_t));  // the signs of words 0
    work.each(rows * width, WriteTestMatrix<T, uint32_t>{reinterpret_cast<const uint32_t*>(work.other), to, rows, 1,
                                                         static_cast<uint32_t>(width), rng_abi::pad});
}

/// Returns the first column of `cols` sums in device memory, with its imaginary part in turn, as column_means() takes
/// it.
template <class T, class Device>
[[nodiscard]] std::vector<T> first_column(Work<T, Device>& work, const T* sums, size_t cols, size_t parts) {
    const size_t width = rng_abi::pad * parts;
    std::vector<T> all(cols * width), column(cols * parts);
    work.device.to_host(all.data(), sums, all.size() * sizeof(T));
    for (size_t j = 0; j < cols; ++j)
        for (size_t part = 0; part < parts; ++part) column[j * parts + part] = all[j * width + part * rng_abi::pad];
    return column;
}

/// Device: as in svd_backend.hpp.
template <class T, class Device> class DeviceTall {
  public:
    /// Rows [first, first + rows) of a matrix of `all` rows, which lie at `values`.
    DeviceTall(const SvdShape& shape, size_t first, size_t rows, size_t all, T* values, Work<T, Device>& work)
        : shape_(shape), first_(first), rows_(rows), all_(all), values_(values), work_(work) {}

    [[nodiscard]] T* row(size_t i) const { return values_ + i * shape_.width(); }
    [[nodiscard]] size_t rows() const { return rows_; }

    // The operations of SvdBackend, on these rows.
    void draw_test_matrix(const StreamRecord& stream, TestMatrix kind, int exponent) {
        const auto draw = [&](const auto& dist) {
            using D = std::decay_t<decltype(dist)>;
            using V = result_t<D>;
            if (rows_ == 0) return;
            StreamRecord from = stream;
            from.position += first_ * shape_.q * D::slot_words;
            work_.device.fill(request(dist, from), work_.other, rows_ * shape_.q);
            work_.each(rows_ * shape_.width(),
                       WriteTestMatrix<T, V>{reinterpret_cast<const V*>(work_.other), values_, rows_, u32(shape_.q),
                                             u32(shape_.width()), u32(shape_.ld())});
        };
        if (kind == TestMatrix::rademacher)
            draw(bits<uint32_t>{});
        else if (!shape_.complex)
            draw(normal<T>{});
        else
            draw(complex_normal<T>{});
        scale(exponent);
    }

    /// Returns Y^T Y of rows [first, first + rows): width() x width() values.
    [[nodiscard]] std::vector<double> gram(size_t first, size_t rows) {
        const size_t width = shape_.width();
        auto* const g = work_.template at<double>(work_.layout.square);
        const DeviceMatrix<double, T> transposed{row(first), 1, static_cast<int64_t>(width), nullptr, 0, 0, 0, 0};
        with_gram_tile(width, [&](auto tile) {
            multiply<decltype(tile)>(work_, transposed, row(first), width, width, rows, width, width, false, g);
        });
        std::vector<double> result(width * width);
        work_.device.to_host(result.data(), g, result.size() * sizeof(double));
        return result;
    }

    void multiply_right(const SquareMatrix& w) {
        if (rows_ == 0) return;
        std::vector<T> rounded(w.v.size());
        std::transform(w.v.begin(), w.v.end(), rounded.begin(), [](double d) { return static_cast<T>(d); });
        T* const on_device = work_.template at<T>(work_.layout.square);
        work_.device.to_device(on_device, rounded.data(), rounded.size() * sizeof(T));
        with_tile<T>(w.n, [&](auto tile) {
            multiply<decltype(tile)>(work_,
                                     DeviceMatrix<T, T>{values_, static_cast<int64_t>(w.n), 1, nullptr, 0, 0, 0, 0},
                                     on_device, rows_, rows_, w.n, w.n, w.n, false, work_.other);
        });
        if (rows_ == work_.layout.other_rows)
            std::swap(values_, work_.other);
        else
            work_.device.copy(values_, work_.other, rows_ * w.n * sizeof(T));
    }

    [[nodiscard]] double largest() {
        uint64_t most = 0;
        for (const SearchResult& f : best_of_columns(u32(shape_.width()), 1)) most = std::max(most, f.key);
        const double value = Scalar::from_bits64(most);  // the bits of a NaN are above all others
        return value <= std::numeric_limits<T>::max() ? value : std::numeric_limits<double>::infinity();
    }

    void scale(int exponent) {
        if (exponent == 0) return;
        const size_t n = rows_ * shape_.width();
        work_.each(n, Scale<T>{values_, n, std::ldexp(1.0, exponent / 2), std::ldexp(1.0, exponent - exponent / 2)});
    }

    void refill(size_t column, const StreamRecord& record, uint64_t first, double factor) {
        visit_engine(record.engine, [&](auto tag) {
            using E = typename decltype(tag)::type;
            for (size_t part = 0; part < parts(); ++part)  // all real parts of the whole matrix come first
                work_.each(rows_, RandomColumn<T, E>{values_, rows_, first + part * all_ + first_,
                                                     u32(column + part * shape_.ld()), u32(shape_.width()),
                                                     stream_of<E>(record), factor});
        });
    }

    [[nodiscard]] std::vector<LargestEntry> largest_per_column() {
        std::vector<LargestEntry> all;
        for (const SearchResult& f : best_of_columns(u32(shape_.ld()), parts()))
            // For real numbers the search compares magnitudes: their squares, of at most 1, have the same order.
            all.push_back(rows_ == 0 ? LargestEntry{} : LargestEntry{std::fma(f.re, f.re, f.im * f.im), f.re, f.im});
        all.resize(shape_.q);
        return all;
    }

    /// Writes rows [first, first + rows) from `out` on, in device memory; strides are in elements.
    void write(size_t first, size_t rows, const std::vector<std::complex<double>>& factors, void* out,
               ptrdiff_t row_stride, ptrdiff_t col_stride) {
        auto* const on_device = work_.template at<double>(work_.layout.factors);
        const auto step = static_cast<int64_t>(parts());
        work_.device.to_device(on_device, factors.data(), factors.size() * sizeof factors[0]);
        work_.each(rows * shape_.q,
                   Write<T>{row(first), on_device, static_cast<T*>(out), row_stride * step, col_stride * step, rows,
                            u32(shape_.q), u32(shape_.width()), u32(shape_.ld()), u32(parts())});
    }

  private:
    static uint32_t u32(size_t n) { return static_cast<uint32_t>(n); }
    [[nodiscard]] size_t parts() const { return shape_.complex ? 2 : 1; }

    [[nodiscard]] std::vector<SearchResult> best_of_columns(uint32_t columns, size_t parts) {
        if (rows_ == 0) return std::vector<SearchResult>(columns);
        const size_t blocks = std::min<size_t>(most_search_blocks, divided_up(rows_, 64));
        auto* const found = work_.found();
        work_.device.launch(LargestPerColumn<T>{values_, found, rows_, columns, u32(shape_.width()), u32(parts)},
                            blocks, columns / columns_per_block);
        return best_of(work_.device, found, work_.best(), blocks, columns);
    }

    SvdShape shape_;
    size_t first_, rows_, all_;
    T* values_;
    Work<T, Device>& work_;
};

}  // namespace detail::svd
RNG_END_NAMESPACE
