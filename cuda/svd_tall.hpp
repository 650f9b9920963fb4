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

/// Sets the first of `width` columns to ones, and the others to zeros. Writes a word for each row to work.other.
template <class T, class Device> void write_ones(Work<T, Device>& work, T* to, size_t rows, size_t width) {
    if (rows == 0) return;
    work.device.zero(work.other, rows * sizeof(uint32_t));  // the signs of words 0
    work.each(rows * width, WriteTestMatrix<T, uint32_t>{reinterpret_cast<const uint32_t*>(work.other), to, rows, 1,
                                                         static_cast<uint32_t>(width), rng_abi::pad});
}

/// Device: as in svd_backend.hpp.
template <class T, class Device> class DeviceTall final : public Tall<T> {
  public:
    /// The rows lie at `values`.
    DeviceTall(const SvdShape& shape, size_t rows, const RankLayout* spread, T* values, Work<T, Device>& work)
        : Tall<T>(shape, rows, spread), work_(work) {
        values_ = values;
    }

    void draw_test_matrix(const StreamRecord& stream, TestMatrix kind, int exponent) override {
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

    void multiply_right(const SquareMatrix& w) override {
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

    void scale(int exponent) override {
        if (exponent == 0) return;
        const size_t n = rows_ * shape_.width();
        work_.each(n, Scale<T>{values_, n, std::ldexp(1.0, exponent / 2), std::ldexp(1.0, exponent - exponent / 2)});
    }

    void refill(size_t column, const StreamRecord& record, uint64_t first, double factor) override {
        visit_engine(record.engine, [&](auto tag) {
            using E = typename decltype(tag)::type;
            for (size_t part = 0; part < shape_.parts(); ++part)  // all real parts of the whole matrix come first
                work_.each(rows_, RandomColumn<T, E>{values_, rows_, first + part * all_ + first_,
                                                     u32(column + part * shape_.ld()), u32(shape_.width()),
                                                     stream_of<E>(record), factor});
        });
    }

    void write(size_t first, size_t rows, const std::vector<std::complex<double>>& factors, void* out,
               ptrdiff_t row_stride, ptrdiff_t col_stride) override {
        auto* const on_device = work_.template at<double>(work_.layout.factors);
        const auto step = static_cast<int64_t>(shape_.parts());
        work_.device.to_device(on_device, factors.data(), factors.size() * sizeof factors[0]);
        work_.each(rows * shape_.returned_q,
                   Write<T>{values_ + first * shape_.width(), on_device, static_cast<T*>(out), row_stride * step,
                            col_stride * step, rows, u32(shape_.returned_q), u32(shape_.width()), u32(shape_.ld()),
                            u32(shape_.parts())});
    }

  private:
    using Tall<T>::shape_, Tall<T>::first_, Tall<T>::rows_, Tall<T>::all_, Tall<T>::values_;

    static uint32_t u32(size_t n) { return static_cast<uint32_t>(n); }

    [[nodiscard]] std::vector<double> gram_of(size_t first, size_t rows) override {
        const size_t width = shape_.width();
        auto* const g = work_.template at<double>(work_.layout.square);
        const T* const y = values_ + first * width;
        const DeviceMatrix<double, T> transposed{y, 1, static_cast<int64_t>(width), nullptr, 0, 0, 0, 0};
        with_gram_tile(width, [&](auto tile) {
            multiply<decltype(tile)>(work_, transposed, y, width, width, rows, width, width, false, g);
        });
        std::vector<double> result(width * width);
        work_.device.to_host(result.data(), g, result.size() * sizeof(double));
        return result;
    }

    [[nodiscard]] double largest_here() override {
        uint64_t most = 0;
        for (const SearchResult& f : best_of_columns(u32(shape_.width()), 1)) most = std::max(most, f.key);
        const double value = Scalar::from_bits64(most);  // the bits of a NaN are above all others
        return value <= std::numeric_limits<T>::max() ? value : std::numeric_limits<double>::infinity();
    }

    [[nodiscard]] std::vector<LargestEntry> largest_per_column_here() override {
        std::vector<LargestEntry> all;
        for (const SearchResult& f : best_of_columns(u32(shape_.ld()), shape_.parts()))
            // For real numbers the search compares magnitudes: their squares, of at most 1, have the same order.
            all.push_back(rows_ == 0 ? LargestEntry{} : LargestEntry{std::fma(f.re, f.re, f.im * f.im), f.re, f.im});
        all.resize(shape_.q);
        return all;
    }

    [[nodiscard]] std::vector<SearchResult> best_of_columns(uint32_t columns, size_t parts) {
        if (rows_ == 0) return std::vector<SearchResult>(columns);
        const size_t blocks = std::min<size_t>(most_search_blocks, divided_up(rows_, 64));
        auto* const found = work_.found();
        work_.device.launch(LargestPerColumn<T>{values_, found, rows_, columns, u32(shape_.width()), u32(parts)},
                            blocks, columns / columns_per_block);
        return best_of(work_.device, found, work_.best(), blocks, columns);
    }

    Work<T, Device>& work_;
};

}  // namespace detail::svd
RNG_END_NAMESPACE
