#include "host_tall.hpp"

#include <rng/distributions/bits.hpp>
#include <rng/distributions/complex_normal.hpp>
#include <rng/distributions/normal.hpp>
#include <rng/fill.hpp>
#include <rng/lane/scalar.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "host_product.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

using rng_abi::Operand;
using rng_abi::sum_block;

template <class T> void HostTall<T>::draw_test_matrix(const StreamRecord& stream, TestMatrix kind, int exponent) {
    const size_t q = shape_.q, ld = shape_.ld();
    const auto pitch = static_cast<ptrdiff_t>(pitch_);
    std::fill(memory_.begin(), memory_.end(), T{0});
    const auto place = [&](const auto& view, const auto& dist) {
        visit_engine(stream.engine,
                     [&](auto tag) { fill(view, dist, stream_of<typename decltype(tag)::type>(stream), first_ * q); });
    };
    if (rows_ == 0) {
        // A rank may have no rows.
    } else if (kind == TestMatrix::rademacher) {
        std::vector<uint32_t> words(rows_ * q);
        place(matrix_view<uint32_t>::row_major(words.data(), rows_, q), bits<uint32_t>{});
        for (size_t k = 0; k < rows_; ++k)
            for (size_t j = 0; j < q; ++j) values_[k * pitch_ + j] = words[k * q + j] >> 31 ? T{-1} : T{1};
    } else if (!shape_.complex) {
        place(matrix_view<T>{values_, rows_, q, pitch, 1}, normal<T>{});
    } else {
        std::vector<complex<T>> values(rows_ * q);
        place(matrix_view<complex<T>>::row_major(values.data(), rows_, q), complex_normal<T>{});
        for (size_t k = 0; k < rows_; ++k)
            for (size_t j = 0; j < q; ++j) {
                values_[k * pitch_ + j] = values[k * q + j].re;
                values_[k * pitch_ + ld + j] = values[k * q + j].im;
            }
    }
    scale(exponent);
}

template <class T> std::vector<double> HostTall<T>::gram_of(size_t first_row, size_t rows) {
    const T* const y = values_ + first_row * pitch_;
    const size_t width = shape_.width(), used = this->used();
    constexpr size_t chunk = 8 * sum_block;  // rows that are widened at a time: a complete subtree
    const size_t chunks = (rows + chunk - 1) / chunk;
    // One leaf for each group of chunks. The number of chunks in a group is a power of two, so there are few leaves.
    size_t group = 1;
    while (chunks / group > 64) group *= 2;
    const size_t groups = (chunks + group - 1) / group;
    std::vector<MatrixNode<double>> leaves(groups);
    rng_cpu::parallel_for(groups, 1, SIZE_MAX, [&](size_t first, size_t last) {
        const size_t most = std::min(chunk, rows);
        const auto wide = line_workspace<double>(sizeof(T) == 8 ? 0 : most * pitch_ + rng_abi::pad);
        const auto workspace =
            line_workspace<double>(rng_abi::product_workspace(rng_abi::panel_rows, most, pitch_, sizeof(double)));
        for (size_t g = first; g < last; ++g) {
            MatrixTree<double> sum;
            for (size_t c = g * group; c < std::min(chunks, (g + 1) * group); ++c) {
                const size_t begin = c * chunk, now = std::min(chunk, rows - begin);
                const T* const part = y + begin * pitch_;
                const double* b = nullptr;
                if constexpr (sizeof(T) == 8) {
                    b = part;
                } else {
                    for (size_t i = 0; i < now * pitch_; ++i) wide[i] = static_cast<double>(part[i]);
                    b = wide.get();
                }
                std::vector<double> leaf(width * width);
                const Operand columns = transposed(rows_of(b, pitch_));
                for (size_t i = 0; i < used; i += rng_abi::panel_rows)  // from the diagonal on
                    kernels().product_f64(from(columns, i, 0, sizeof(double)),
                                          std::min<size_t>(rng_abi::panel_rows, used - i), 0, now, b + i, pitch_,
                                          pitch_ - i, &leaf[i * width + i], width, false, workspace.get());
                push_node(sum, {std::move(leaf)});
            }
            leaves[g] = total_of(sum, {});
        }
    });
    MatrixTree<double> sum;
    for (auto& leaf : leaves) push_node(sum, std::move(leaf));
    return total_of(sum, {std::vector<double>(width * width)}).values;
}

template <class T> void HostTall<T>::multiply_right(const SquareMatrix& w) {
    if (rows_ == 0) return;
    // The rows of W past those of the last column are 0.
    const size_t terms = used();
    AlignedVector<T> rounded(terms * pitch_ + rng_abi::pad);
    for (size_t i = 0; i < terms; ++i)
        std::transform(&w.v[i * w.n], &w.v[i * w.n] + pitch_, &rounded[i * pitch_],
                       [](double d) { return static_cast<T>(d); });
    multiply(rows_of(values_, pitch_), rows_, terms, rounded.data(), pitch_,
             computed_columns<T>(shape_.q, shape_.parts(), pitch_ < shape_.width()), values_);
}

template <class T> double HostTall<T>::largest_here() {
    // Magnitudes compare in the same order as the integers of their bits; NaN is above all numbers.
    using Bits = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
    Bits most = 0;
    for (const T v : memory_) most = std::max<Bits>(most, std::bit_cast<Bits>(v) & std::numeric_limits<Bits>::max());
    const T value = std::bit_cast<T>(most);
    return value <= std::numeric_limits<T>::max() ? static_cast<double>(value)
                                                  : std::numeric_limits<double>::infinity();
}

template <class T> void HostTall<T>::scale(int exponent) {
    if (exponent == 0) return;
    const double half = std::ldexp(1.0, exponent / 2), rest = std::ldexp(1.0, exponent - exponent / 2);
    for (T& v : memory_) v = static_cast<T>(static_cast<double>(v) * half * rest);
}

template <class T> void HostTall<T>::refill(size_t column, const StreamRecord& record, uint64_t first, double factor) {
    visit_engine(record.engine, [&](auto tag) {
        using E = typename decltype(tag)::type;
        const Stream<E> stream = stream_of<E>(record);
        for (size_t part = 0; part < shape_.parts(); ++part) {
            uint64_t next = first + part * all_ + first_;
            for (size_t i = 0; i < rows_; ++i) {
                const uint64_t w = (stream.position + next++) % Stream<E>::size_words;
                const auto signed_word = static_cast<int32_t>(word(stream.at_position(0), w, domain::svd_refill));
                values_[i * pitch_ + part * shape_.ld() + column] =
                    static_cast<T>((static_cast<double>(signed_word) + 0.5) * 0x1p-31 * factor);
            }
        }
    });
}

template <class T> std::vector<LargestEntry> HostTall<T>::largest_per_column_here() {
    const size_t q = shape_.q;
    std::vector<LargestEntry> most(q);
    for (size_t i = 0; i < rows_; ++i)
        for (size_t c = 0; c < q; ++c) {
            const T* const at = values_ + i * pitch_ + c;
            const double re = *at, im = shape_.complex ? at[shape_.ld()] : 0.0;
            const double size = shape_.complex ? lane::Scalar::fma(re, re, im * im) : re * re;
            if (size > most[c].size) most[c] = {size, re, im};
        }
    return most;
}

template <class T>
void HostTall<T>::write(size_t first, size_t rows, const std::vector<std::complex<double>>& factors, void* out,
                        ptrdiff_t row_stride, ptrdiff_t col_stride) {
    const size_t parts = shape_.parts();
    const auto step = static_cast<ptrdiff_t>(parts);
    for (size_t i = 0; i < rows; ++i)
        for (size_t c = 0; c < shape_.returned_q; ++c) {
            const T* const at = values_ + (first + i) * pitch_ + c;
            T* const to = static_cast<T*>(out) +
                          (static_cast<ptrdiff_t>(i) * row_stride + static_cast<ptrdiff_t>(c) * col_stride) * step;
            const double re = at[0];
            if (parts == 1) {
                to[0] = static_cast<T>(re * factors[c].real());
                continue;
            }
            const double im = at[shape_.ld()], fr = factors[c].real(), fi = factors[c].imag();
            to[0] = static_cast<T>(lane::Scalar::fma(-im, fi, re * fr));
            to[1] = static_cast<T>(lane::Scalar::fma(im, fr, re * fi));
        }
}

template class HostTall<float>;
template class HostTall<double>;

}  // namespace detail
RNG_END_NAMESPACE
