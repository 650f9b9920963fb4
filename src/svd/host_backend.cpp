#include "host_backend.hpp"

#include <rng/distributions/bits.hpp>
#include <rng/distributions/complex_normal.hpp>
#include <rng/distributions/normal.hpp>
#include <rng/fill.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "host_matrix.hpp"
#include "host_product.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

using rng_abi::Operand;
using rng_abi::pad;
using rng_abi::sum_block;

template <class T> class HostSvdBackend final : public SvdBackend<T> {
  public:
    HostSvdBackend(const SvdInput& in, const SvdShape& shape, const SvdOutput& out)
        : a_(in.call, in.a, in.fast),
          shape_(shape),
          out_(out),
          parts_(in.a.real_parts()),
          x_(shape.tall_rows(TallMatrix::x) * shape.width()),
          z_(shape.tall_rows(TallMatrix::z) * shape.width()) {}

    [[nodiscard]] std::string not_finite() override { return a_.not_finite(); }
    [[nodiscard]] double largest_element() override { return a_.largest_element(); }

    void subtract_column_means() override {
        // A^H times a column of ones, in the memory of X and Z. Both must be 0 again afterwards.
        const size_t width = pad * static_cast<size_t>(parts_);
        AlignedVector<T>& ones = values(shape_.is_wide() ? TallMatrix::z : TallMatrix::x);
        AlignedVector<T>& sums = values(shape_.is_wide() ? TallMatrix::x : TallMatrix::z);
        for (size_t i = 0; i < shape_.rows; ++i) ones[i * width] = T{1};
        a_.apply(true, ones.data(), pad, width, sums.data());
        const auto parts = static_cast<size_t>(parts_);
        std::vector<T> mean(shape_.cols * parts);
        for (size_t j = 0; j < shape_.cols; ++j) {
            mean[j * parts] = sums[j * width] / static_cast<T>(shape_.rows);
            if (parts == 2) mean[j * parts + 1] = -sums[j * width + pad] / static_cast<T>(shape_.rows);
        }
        std::fill(ones.begin(), ones.end(), T{0});
        std::fill(sums.begin(), sums.end(), T{0});
        a_.set_mean_row(std::move(mean));
    }

    void draw_test_matrix(const StreamRecord& stream, TestMatrix kind, int exponent) override {
        const size_t rows = shape_.tall_rows(TallMatrix::z), q = shape_.q, width = shape_.width(), ld = shape_.ld();
        const auto pitch = static_cast<ptrdiff_t>(width);
        std::fill(z_.begin(), z_.end(), T{0});
        const auto place = [&](const auto& view, const auto& dist) {
            visit_engine(stream.engine,
                         [&](auto tag) { fill(view, dist, stream_of<typename decltype(tag)::type>(stream)); });
        };
        if (kind == TestMatrix::rademacher) {
            std::vector<uint32_t> words(rows * q);
            place(matrix_view<uint32_t>::row_major(words.data(), rows, q), bits<uint32_t>{});
            for (size_t k = 0; k < rows; ++k)
                for (size_t j = 0; j < q; ++j) z_[k * width + j] = words[k * q + j] >> 31 ? T{-1} : T{1};
        } else if (parts_ == 1) {
            place(matrix_view<T>{z_.data(), rows, q, pitch, 1}, normal<T>{});
        } else {
            std::vector<complex<T>> values(rows * q);
            place(matrix_view<complex<T>>::row_major(values.data(), rows, q), complex_normal<T>{});
            for (size_t k = 0; k < rows; ++k)
                for (size_t j = 0; j < q; ++j) {
                    z_[k * width + j] = values[k * q + j].re;
                    z_[k * width + ld + j] = values[k * q + j].im;
                }
        }
        scale(TallMatrix::z, exponent);
    }

    void multiply_to(TallMatrix result) override {
        // If A is wide, its conjugate transpose is the tall matrix.
        const bool adjoint = (result == TallMatrix::z) != shape_.is_wide();
        const AlignedVector<T>& from_ = result == TallMatrix::x ? z_ : x_;
        a_.apply(adjoint, from_.data(), shape_.ld(), columns(), values(result).data());
    }

    [[nodiscard]] SquareMatrix gram(TallMatrix which) override {
        const AlignedVector<T>& y = values(which);
        const size_t width = shape_.width(), used = width - shape_.ld() + shape_.q, rows = shape_.tall_rows(which);
        constexpr size_t chunk = 8 * sum_block;  // rows that are widened at a time: a complete subtree
        const size_t chunks = (rows + chunk - 1) / chunk;
        // One leaf for each group of chunks. A group has a power of two of chunks, so that there are few leaves.
        size_t group = 1;
        while (chunks / group > 64) group *= 2;
        const size_t groups = (chunks + group - 1) / group;
        std::vector<MatrixNode<double>> leaves(groups);
        rng_cpu::parallel_for(groups, 1, SIZE_MAX, [&](size_t first, size_t last) {
            const auto wide = line_workspace<double>(sizeof(T) == 8 ? 0 : chunk * width);
            const auto workspace =
                line_workspace<double>(rng_abi::product_workspace(rng_abi::panel_rows, chunk, width, sizeof(double)));
            for (size_t g = first; g < last; ++g) {
                MatrixTree<double> sum;
                for (size_t c = g * group; c < std::min(chunks, (g + 1) * group); ++c) {
                    const size_t begin = c * chunk, now = std::min(chunk, rows - begin);
                    const T* const part = y.data() + begin * width;
                    const double* b = nullptr;
                    if constexpr (sizeof(T) == 8) {
                        b = part;
                    } else {
                        for (size_t i = 0; i < now * width; ++i) wide[i] = static_cast<double>(part[i]);
                        b = wide.get();
                    }
                    std::vector<double> leaf(width * width);
                    const Operand columns = transposed(rows_of(b, width));
                    for (size_t i = 0; i < used; i += rng_abi::panel_rows)  // from the diagonal on
                        kernels().product_f64(from(columns, i, 0, sizeof(double)),
                                              std::min<size_t>(rng_abi::panel_rows, used - i), 0, now, b + i, width,
                                              width - i, &leaf[i * width + i], width, false, workspace.get());
                    push_node(sum, {std::move(leaf)});
                }
                leaves[g] = total_of(sum, {});
            }
        });
        MatrixTree<double> sum;
        for (auto& leaf : leaves) push_node(sum, std::move(leaf));
        SquareMatrix g(width);
        g.v = total_of(sum, {std::vector<double>(width * width)}).values;
        for (size_t i = 0; i < used; ++i)
            for (size_t j = i + 1; j < used; ++j) g(j, i) = g(i, j);
        return g;
    }

    void multiply_right(TallMatrix which, const SquareMatrix& w) override {
        AlignedVector<T>& y = values(which);
        AlignedVector<T> rounded(w.v.size());
        std::transform(w.v.begin(), w.v.end(), rounded.begin(), [](double d) { return static_cast<T>(d); });
        multiply(rows_of(y.data(), w.n), y.size() / w.n, w.n, rounded.data(), w.n, columns(), y.data());
    }

    [[nodiscard]] double largest(TallMatrix which) override {
        // Magnitudes compare in the same order as the integers of their bits; NaN is above all numbers.
        using Bits = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
        Bits most = 0;
        for (const T v : values(which))
            most = std::max<Bits>(most, std::bit_cast<Bits>(v) & std::numeric_limits<Bits>::max());
        const T value = std::bit_cast<T>(most);
        return value <= std::numeric_limits<T>::max() ? static_cast<double>(value)
                                                      : std::numeric_limits<double>::infinity();
    }

    void scale(TallMatrix which, int exponent) override {
        if (exponent == 0) return;
        const double half = std::ldexp(1.0, exponent / 2), rest = std::ldexp(1.0, exponent - exponent / 2);
        for (T& v : values(which)) v = static_cast<T>(static_cast<double>(v) * half * rest);
    }

    void refill(TallMatrix which, size_t column, const StreamRecord& record, uint64_t first, double factor) override {
        AlignedVector<T>& y = values(which);
        const size_t width = shape_.width(), rows = shape_.tall_rows(which);
        visit_engine(record.engine, [&](auto tag) {
            using E = typename decltype(tag)::type;
            const Stream<E> stream = stream_of<E>(record);
            uint64_t next = first;
            for (size_t part = 0; part < static_cast<size_t>(parts_); ++part)
                for (size_t i = 0; i < rows; ++i) {
                    const uint64_t w = (stream.position + next++) % Stream<E>::size_words;
                    const auto signed_word = static_cast<int32_t>(word(stream.at_position(0), w, domain::svd_refill));
                    y[i * width + part * shape_.ld() + column] =
                        static_cast<T>((static_cast<double>(signed_word) + 0.5) * 0x1p-31 * factor);
                }
        });
    }

    [[nodiscard]] std::vector<std::complex<double>> largest_per_column(TallMatrix which) override {
        const AlignedVector<T>& y = values(which);
        const size_t width = shape_.width(), q = shape_.q;
        std::vector<std::complex<double>> leader(q);
        std::vector<double> most(q, -1.0);
        for (size_t i = 0; i < shape_.tall_rows(which); ++i)
            for (size_t c = 0; c < q; ++c) {
                const double re = y[i * width + c], im = parts_ == 2 ? y[i * width + shape_.ld() + c] : 0.0;
                const double size = std::fma(re, re, im * im);
                if (!(size > most[c])) continue;
                most[c] = size;
                leader[c] = {re, im};
            }
        return leader;
    }

    void write(TallMatrix which, const std::vector<std::complex<double>>& factors) override {
        const AlignedVector<T>& y = values(which);
        const size_t width = shape_.width();
        const bool is_u = (which == TallMatrix::x) != shape_.is_wide();
        auto* const out = static_cast<T*>(is_u ? out_.U : out_.V);
        const ptrdiff_t row_stride = is_u ? out_.u_row_stride : out_.v_row_stride;
        const ptrdiff_t col_stride = is_u ? out_.u_col_stride : out_.v_col_stride;
        for (size_t i = 0; i < shape_.tall_rows(which); ++i)
            for (size_t c = 0; c < shape_.q; ++c) {
                T* const to =
                    out + (static_cast<ptrdiff_t>(i) * row_stride + static_cast<ptrdiff_t>(c) * col_stride) * parts_;
                const double re = y[i * width + c];
                if (parts_ == 1) {
                    to[0] = static_cast<T>(re * factors[c].real());
                    continue;
                }
                const double im = y[i * width + shape_.ld() + c], fr = factors[c].real(), fi = factors[c].imag();
                to[0] = static_cast<T>(std::fma(-im, fi, re * fr));
                to[1] = static_cast<T>(std::fma(im, fr, re * fi));
            }
    }

  private:
    [[nodiscard]] AlignedVector<T>& values(TallMatrix which) { return which == TallMatrix::x ? x_ : z_; }

    /// The columns of X and Z to compute: the other columns of a tall matrix are 0 and stay 0.
    [[nodiscard]] size_t columns() const {
        const size_t lanes = std::max<size_t>(1, kernels().register_bytes / sizeof(T));
        return parts_ == 1 ? padded(shape_.q, lanes) : shape_.width();
    }

    HostMatrix<T> a_;
    SvdShape shape_;
    SvdOutput out_;
    int parts_;  // real terms of an element of A
    AlignedVector<T> x_, z_;
};

}  // namespace

template <class T>
std::unique_ptr<SvdBackend<T>> host_backend(const SvdInput& input, const SvdShape& shape, const SvdOutput& output) {
    return std::make_unique<HostSvdBackend<T>>(input, shape, output);
}
template std::unique_ptr<SvdBackend<float>> host_backend(const SvdInput&, const SvdShape&, const SvdOutput&);
template std::unique_ptr<SvdBackend<double>> host_backend(const SvdInput&, const SvdShape&, const SvdOutput&);

}  // namespace detail
RNG_END_NAMESPACE
