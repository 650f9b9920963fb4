#include "host_backend.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include <rng/distributions/complex_normal.hpp>
#include <rng/isa.hpp>

#include "../cpu/dispatch.hpp"
#include "../cpu/fp_environment.hpp"
#include "../cpu/threads.hpp"
#include "aligned.hpp"
#include "blas.hpp"
#include "refuse.hpp"
#include "sparse.hpp"
#include "tree_sum.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

using rng_abi::ElementType;
using rng_abi::Operand;
using rng_abi::pad;
using rng_abi::SparseOperand;
using rng_abi::sum_block;

const rng_abi::LinalgFunctions& kernels() { return *rng_cpu::current_kernels().linalg; }

template <class T> rng_abi::ProductFunction product_function() {
    return sizeof(T) == 4 ? kernels().product_f32 : kernels().product_f64;
}
template <class T> rng_abi::SparseProductFunction sparse_product_function() {
    return sizeof(T) == 4 ? kernels().sparse_product_f32 : kernels().sparse_product_f64;
}

/// Calls part(first, last) for pieces of [0, n) whose bounds are multiples of `grain`, on the threads there are.
template <class F> void in_parallel(size_t n, size_t grain, const F& part) {
    if (n == 0) return;
    const int threads = num_threads();
    const size_t pieces = (n + grain - 1) / grain, wanted = threads == 1 ? 1 : static_cast<size_t>(threads) * 4;
    const size_t per_part = (pieces + wanted - 1) / wanted * grain;
    const int parts = static_cast<int>((n + per_part - 1) / per_part);
    rng_cpu::run_parts(parts, threads, [&](int i) {
        const rng_cpu::FpEnvironment environment;
        const size_t first = static_cast<size_t>(i) * per_part;
        part(first, std::min(n, first + per_part));
    });
}

/// The operand from (row, term) on; the term is the first of an element.
Operand from(const Operand& a, size_t row, size_t term, size_t computed_bytes) {
    const auto moved = [&](const void* p, size_t bytes, ptrdiff_t row_stride, ptrdiff_t col_stride) -> const void* {
        const ptrdiff_t elements = static_cast<ptrdiff_t>(row) * row_stride +
                                   static_cast<ptrdiff_t>(term / static_cast<size_t>(a.parts)) * col_stride;
        return p ? static_cast<const std::byte*>(p) + elements * a.parts * static_cast<ptrdiff_t>(bytes) : nullptr;
    };
    Operand part = a;
    part.data = moved(a.data, a.type == ElementType::same ? computed_bytes : 2, a.row_stride, a.col_stride);
    part.mean = moved(a.mean, computed_bytes, a.mean_row_stride, a.mean_col_stride);
    return part;
}

Operand transposed(Operand a) {
    std::swap(a.row_stride, a.col_stride);
    std::swap(a.mean_row_stride, a.mean_col_stride);
    return a;
}

/// Rows that are width values apart.
template <class T> Operand rows_of(const T* data, size_t width) {
    return {data, static_cast<ptrdiff_t>(width), 1, ElementType::same, 1, nullptr, 0, 0, nullptr};
}

/// The first cols columns of out (rows x width) = a (rows x terms) times b (terms x width); cols comes in whole
/// registers. May be in place: a row is read before it is written.
template <class T>
void multiply(const Operand& a, size_t rows, size_t terms, const T* b, size_t width, size_t cols, T* out) {
    in_parallel(rows, rng_abi::panel_rows, [&](size_t first, size_t last) {
        const auto workspace = line_workspace<T>(rng_abi::product_workspace(last - first, terms, cols, sizeof(T)));
        Operand part = from(a, first, 0, sizeof(T));
        SparseOperand sparse{};
        if (a.sparse != nullptr) {
            sparse = {a.sparse->offsets + first, a.sparse->terms, a.sparse->values};
            part.sparse = &sparse;
        }
        product_function<T>()(part, last - first, 0, terms, b, width, cols, out + first * width, width, false,
                              workspace.get());
    });
}

template <class T> class HostPlace final : public Place<T> {
  public:
    HostPlace(const SvdInput& in, const TallShape& shape, const SvdOutput& out)
        : in_(in),
          shape_(shape),
          out_(out),
          parts_(in.is_complex ? 2 : 1),
          blas_(in.fast),
          x_(shape.tall_rows(Tall::x) * shape.width()),
          z_(shape.tall_rows(Tall::z) * shape.width()) {
        if (is_sparse()) sparse_ = SparseMatrix<T>(in);
        take_mean();
    }

    [[nodiscard]] std::string not_finite() override {
        if (in_.rows * in_.cols == 0) return "";  // there may be 10^18 empty rows
        const auto parts = static_cast<size_t>(parts_);
        if (is_sparse())
            for (size_t i = 0; i < in_.rows; ++i)
                for (size_t k = sparse_.rows.offsets[i]; k < sparse_.rows.offsets[i + 1]; ++k)
                    if (const double v = sparse_.rows.values[k]; !std::isfinite(v))
                        return not_finite_text(in_.name, v, i, sparse_.rows.terms[k] / parts);
        size_t row = 0;
        for (const SvdRows& rows : in_.parts)
            for (size_t i = 0; i < rows.rows; ++i, ++row)
                for (size_t j = 0; j < in_.cols; ++j)
                    for (int part = 0; part < parts_; ++part)
                        if (const double v = element(rows, i, j, part); !std::isfinite(v))
                            return not_finite_text(in_.name, v, row, j);
        if (in_.mean != nullptr)
            for (size_t i = 0; i < in_.mean_rows; ++i)
                for (size_t j = 0; j < in_.mean_cols; ++j)
                    for (int part = 0; part < parts_; ++part)
                        if (const double v = mean_element(i, j, part); !std::isfinite(v))
                            return not_finite_text("M", v, i, j);
        return "";
    }

    [[nodiscard]] double largest_element() override {
        double most = 0;
        const auto look = [&](T value, size_t i, size_t j, int part) {
            if (mean_ != nullptr) value -= mean_element(i, j, part);
            most = std::max(most, std::fabs(static_cast<double>(value)));
        };
        if (is_sparse() && mean_ == nullptr) {
            for (const T v : sparse_.rows.values) most = std::max(most, std::fabs(static_cast<double>(v)));
        } else if (is_sparse()) {
            const auto parts = static_cast<size_t>(parts_);
            for (size_t i = 0; i < in_.rows; ++i) {
                size_t k = sparse_.rows.offsets[i];
                for (size_t j = 0; j < in_.cols; ++j)
                    for (size_t part = 0; part < parts; ++part) {
                        const bool stored =
                            k < sparse_.rows.offsets[i + 1] && sparse_.rows.terms[k] == j * parts + part;
                        look(stored ? sparse_.rows.values[k++] : T{0}, i, j, static_cast<int>(part));
                    }
            }
        }
        size_t row = 0;
        for (const SvdRows& rows : in_.parts)
            for (size_t i = 0; i < rows.rows; ++i, ++row)
                for (size_t j = 0; j < in_.cols; ++j)
                    for (int part = 0; part < parts_; ++part) look(element(rows, i, j, part), row, j, part);
        return most;
    }

    void subtract_column_means() override {
        // A^H times a column of ones, in the room of X and Z, which are to be 0 again.
        const size_t width = pad * static_cast<size_t>(parts_);
        LineVector<T>& ones = values(shape_.is_wide() ? Tall::z : Tall::x);
        LineVector<T>& sums = values(shape_.is_wide() ? Tall::x : Tall::z);
        for (size_t i = 0; i < in_.rows; ++i) ones[i * width] = T{1};
        apply(true, ones.data(), pad, sums.data());
        const auto parts = static_cast<size_t>(parts_);
        own_mean_.resize(in_.cols * parts);
        for (size_t j = 0; j < in_.cols; ++j) {
            own_mean_[j * parts] = sums[j * width] / static_cast<T>(in_.rows);
            if (parts == 2) own_mean_[j * parts + 1] = -sums[j * width + pad] / static_cast<T>(in_.rows);
        }
        for (LineVector<T>* const used : {&ones, &sums}) std::fill(used->begin(), used->end(), T{0});
        mean_ = own_mean_.data();
        mean_row_stride_ = 0;
        mean_col_stride_ = 1;
    }

    void draw_test_matrix(const StreamRecord& stream, TestMatrix kind, int exponent) override {
        const size_t rows = shape_.tall_rows(Tall::z), q = shape_.q, width = shape_.width(), ld = shape_.ld();
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
        scale(Tall::z, exponent);
    }

    void multiply_to(Tall result) override {
        // Where A is wide, it is its conjugate transpose that is tall.
        const bool adjoint = (result == Tall::z) != shape_.is_wide();
        const LineVector<T>& from_ = result == Tall::x ? z_ : x_;
        apply(adjoint, from_.data(), shape_.ld(), values(result).data());
    }

    [[nodiscard]] Square gram(Tall which) override {
        const LineVector<T>& y = values(which);
        const size_t width = shape_.width(), used = width - shape_.ld() + shape_.q, rows = shape_.tall_rows(which);
        constexpr size_t chunk = 8 * sum_block;  // rows that are widened at a time: a complete subtree
        const size_t chunks = (rows + chunk - 1) / chunk;
        // A leaf for each group of chunks, a power of two of them: few enough to keep.
        size_t group = 1;
        while (chunks / group > 64) group *= 2;
        const size_t groups = (chunks + group - 1) / group;
        std::vector<std::vector<double>> leaves(groups);
        in_parallel(groups, 1, [&](size_t first, size_t last) {
            const auto wide = line_workspace<double>(sizeof(T) == 8 ? 0 : chunk * width);
            const auto workspace =
                line_workspace<double>(rng_abi::product_workspace(rng_abi::panel_rows, chunk, width, sizeof(double)));
            for (size_t g = first; g < last; ++g) {
                TreeSum<double> sum(width * width);
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
                    sum.push(std::move(leaf));
                }
                leaves[g] = sum.total();
            }
        });
        TreeSum<double> sum(width * width);
        for (auto& leaf : leaves) sum.push(std::move(leaf));
        Square g(width);
        g.v = sum.total();
        for (size_t i = 0; i < used; ++i)
            for (size_t j = i + 1; j < used; ++j) g(j, i) = g(i, j);
        return g;
    }

    void multiply_right(Tall which, const Square& w) override {
        LineVector<T>& y = values(which);
        LineVector<T> rounded(w.v.size());
        std::transform(w.v.begin(), w.v.end(), rounded.begin(), [](double d) { return static_cast<T>(d); });
        multiply(rows_of(y.data(), w.n), y.size() / w.n, w.n, rounded.data(), w.n, columns(shape_.ld()), y.data());
    }

    [[nodiscard]] double largest(Tall which) override {
        // Magnitudes compare as the integers of their bits do, and whatever is no number is above all numbers.
        using Bits = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
        Bits most = 0;
        for (const T v : values(which))
            most = std::max<Bits>(most, std::bit_cast<Bits>(v) & std::numeric_limits<Bits>::max());
        const T value = std::bit_cast<T>(most);
        return value <= std::numeric_limits<T>::max() ? static_cast<double>(value)
                                                      : std::numeric_limits<double>::infinity();
    }

    void scale(Tall which, int exponent) override {
        if (exponent == 0) return;
        const double half = std::ldexp(1.0, exponent / 2), rest = std::ldexp(1.0, exponent - exponent / 2);
        for (T& v : values(which)) v = static_cast<T>(static_cast<double>(v) * half * rest);
    }

    void refill(Tall which, size_t column, const StreamRecord& record, uint64_t first, double factor) override {
        LineVector<T>& y = values(which);
        const size_t width = shape_.width(), rows = shape_.tall_rows(which);
        visit_engine(record.engine, [&](auto tag) {
            using E = typename decltype(tag)::type;
            const Stream<E> stream = stream_of<E>(record);
            uint64_t next = first;
            for (size_t part = 0; part < static_cast<size_t>(parts_); ++part)
                for (size_t i = 0; i < rows; ++i) {
                    const uint64_t w = (stream.position + next++) % Stream<E>::size_words;
                    const auto signed_word = static_cast<int32_t>(word(stream.at_position(0), w, refill_domain));
                    y[i * width + part * shape_.ld() + column] =
                        static_cast<T>((static_cast<double>(signed_word) + 0.5) * 0x1p-31 * factor);
                }
        });
    }

    [[nodiscard]] std::vector<std::complex<double>> leaders(Tall which) override {
        const LineVector<T>& y = values(which);
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

    void write(Tall which, const std::vector<std::complex<double>>& factors) override {
        const LineVector<T>& y = values(which);
        const size_t width = shape_.width();
        const bool is_u = (which == Tall::x) != shape_.is_wide();
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
    static constexpr unsigned refill_domain = 252;

    [[nodiscard]] bool is_sparse() const { return in_.sparse.index_bytes != 0; }
    [[nodiscard]] LineVector<T>& values(Tall which) { return which == Tall::x ? x_ : z_; }

    [[nodiscard]] T term(const void* data, ptrdiff_t at) const {
        switch (in_.type) {
            case SvdType::f16: return static_cast<T>(static_cast<float>(static_cast<const float16*>(data)[at]));
            case SvdType::bf16: return static_cast<T>(static_cast<float>(static_cast<const bfloat16*>(data)[at]));
            default: return static_cast<const T*>(data)[at];
        }
    }
    [[nodiscard]] T element(const SvdRows& rows, size_t i, size_t j, int part) const {
        return term(
            rows.data,
            (static_cast<ptrdiff_t>(i) * rows.row_stride + static_cast<ptrdiff_t>(j) * rows.col_stride) * parts_ +
                part);
    }
    [[nodiscard]] T mean_element(size_t i, size_t j, int part) const {
        return mean_[(static_cast<ptrdiff_t>(i) * mean_row_stride_ + static_cast<ptrdiff_t>(j) * mean_col_stride_) *
                         parts_ +
                     part];
    }

    /// M in the computed type, with strides of 0 where it is repeated.
    void take_mean() {
        if (in_.mean == nullptr) return;
        ptrdiff_t row_stride = in_.mean_row_stride, col_stride = in_.mean_col_stride;
        if (in_.type == SvdType::same) {
            mean_ = static_cast<const T*>(in_.mean);
        } else {
            own_mean_.resize(in_.mean_rows * in_.mean_cols);
            for (size_t i = 0; i < in_.mean_rows; ++i)
                for (size_t j = 0; j < in_.mean_cols; ++j)
                    own_mean_[i * in_.mean_cols + j] =
                        term(in_.mean, static_cast<ptrdiff_t>(i) * row_stride + static_cast<ptrdiff_t>(j) * col_stride);
            mean_ = own_mean_.data();
            row_stride = static_cast<ptrdiff_t>(in_.mean_cols);
            col_stride = 1;
        }
        mean_row_stride_ = in_.mean_rows == 1 ? 0 : row_stride;
        mean_col_stride_ = in_.mean_cols == 1 ? 0 : col_stride;
    }

    [[nodiscard]] Operand operand(const SvdRows& rows, size_t first_row) const {
        const ElementType type = in_.type == SvdType::f16    ? ElementType::f16
                                 : in_.type == SvdType::bf16 ? ElementType::bf16
                                                             : ElementType::same;
        const T* const mean = mean_ ? mean_ + static_cast<ptrdiff_t>(first_row) * mean_row_stride_ * parts_ : nullptr;
        return {rows.data, rows.row_stride,  rows.col_stride,  type,   parts_,
                mean,      mean_row_stride_, mean_col_stride_, nullptr};
    }

    /// out = A b, or A^H b; b and out have ld columns (and as many imaginary parts after them).
    void apply(bool adjoint, const T* b, size_t ld, T* out) {
        const size_t inner = adjoint ? in_.rows : in_.cols, outer = adjoint ? in_.cols : in_.rows;
        const size_t width = ld * static_cast<size_t>(parts_), terms = inner * static_cast<size_t>(parts_);
        if (parts_ == 2) b = expand(b, inner, ld, adjoint);
        if (is_sparse()) {
            const SparseOperand sparse = (adjoint ? sparse_.columns : sparse_.rows).operand();
            if (mean_ == nullptr) {
                in_parallel(outer, 1, [&](size_t first, size_t last) {
                    sparse_product_function<T>()(sparse, first, last - first, b, width, width, out + first * width,
                                                 width);
                });
                return;
            }
            Operand a = operand({nullptr, in_.rows, 0, 0}, 0);
            a.sparse = &sparse;
            multiply(adjoint ? transposed(a) : a, outer, terms, b, width, columns(ld), out);
        } else if (!adjoint) {
            size_t row = 0;
            for (const SvdRows& rows : in_.parts) {
                product(operand(rows, row), rows.rows, terms, b, width, columns(ld), out + row * width);
                row += rows.rows;
            }
        } else if (in_.parts.size() == 1) {
            product(transposed(operand(in_.parts[0], 0)), outer, terms, b, width, columns(ld), out);
        } else {
            sum_over_shards(outer, b, width, out);
        }
    }

    /// One dense product; by BLAS if that was asked for and can.
    void product(const Operand& a, size_t rows, size_t terms, const T* b, size_t width, size_t cols, T* out) {
        if (blas_ && blas_product(a, rows, terms, b, width, out)) return;
        multiply(a, rows, terms, b, width, cols, out);
    }

    /// How many columns are to be computed of a matrix with ld (and as many imaginary) ones: the rest of a tall matrix
    /// is 0 and stays so.
    [[nodiscard]] size_t columns(size_t ld) const {
        const size_t lanes = std::max<size_t>(1, kernels().register_bytes / sizeof(T));
        return parts_ == 1 && ld == shape_.ld() ? padded(shape_.q, lanes) : ld * static_cast<size_t>(parts_);
    }

    /// b as the rows by which the real and imaginary parts of an element are multiplied.
    [[nodiscard]] const T* expand(const T* b, size_t rows, size_t ld, bool conjugate) {
        if (expanded_.size() < rows * 4 * ld) expanded_ = LineVector<T>();  // or both would be there for a moment
        expanded_.resize(rows * 4 * ld);
        for (size_t k = 0; k < rows; ++k) {
            const T *re = b + k * 2 * ld, *im = re + ld;
            T *first = expanded_.data() + k * 4 * ld, *second = first + 2 * ld;
            for (size_t j = 0; j < ld; ++j) {
                first[j] = re[j];
                first[ld + j] = im[j];
                second[j] = conjugate ? im[j] : -im[j];
                second[ld + j] = conjugate ? -re[j] : re[j];
            }
        }
        return expanded_.data();
    }

    /// out = A^H b, where the terms of a sum lie in several shards: each gives the aligned nodes that are its own; the
    /// chain of a block goes on from shard to shard.
    void sum_over_shards(size_t outer, const T* b, size_t width, T* out) {
        const auto parts = static_cast<size_t>(parts_);
        const size_t terms = in_.rows * parts;
        in_parallel(outer, rng_abi::panel_rows, [&](size_t first, size_t last) {
            const size_t rows = last - first;
            const auto workspace = line_workspace<T>(rng_abi::product_workspace(rows, terms, width, sizeof(T)));
            TreeSum<T> sum(rows * width);
            std::vector<T> open;  // the sum of a block's terms so far
            size_t begin = 0;     // of a shard, in terms
            size_t row = 0;
            for (const SvdRows& shard : in_.parts) {
                const Operand a = transposed(operand(shard, row));
                const size_t end = begin + shard.rows * parts;
                for (size_t k = begin; k < end;) {
                    const bool continued = k % sum_block != 0;
                    size_t next = std::min(end, k - k % sum_block + sum_block), level = 0;
                    if (!continued)
                        for (; k % (sum_block << (level + 1)) == 0 && k + (sum_block << (level + 1)) <= end; ++level)
                            next = k + (sum_block << (level + 1));
                    if (!continued) open.assign(rows * width, T{0});
                    // Terms are counted from the begin of the node's first block on.
                    product_function<T>()(from(a, first, k - begin, sizeof(T)), rows, 0, next - k, b + k * width, width,
                                          width, open.data(), width, continued, workspace.get());
                    if (next % sum_block == 0 || next == terms) sum.push(std::move(open), level);
                    k = next;
                }
                begin = end;
                row += shard.rows;
            }
            const std::vector<T> total = sum.total();
            std::copy(total.begin(), total.end(), out + first * width);
        });
    }

    const SvdInput& in_;
    TallShape shape_;
    SvdOutput out_;
    int parts_;  // real terms of an element of A
    bool blas_;
    SparseMatrix<T> sparse_;
    const T* mean_ = nullptr;  // M, or null
    ptrdiff_t mean_row_stride_ = 0, mean_col_stride_ = 0;
    std::vector<T> own_mean_;
    LineVector<T> expanded_, x_, z_;
};

}  // namespace

template <class T>
std::unique_ptr<Place<T>> host_place(const SvdInput& input, const TallShape& shape, const SvdOutput& output) {
    return std::make_unique<HostPlace<T>>(input, shape, output);
}
template std::unique_ptr<Place<float>> host_place(const SvdInput&, const TallShape&, const SvdOutput&);
template std::unique_ptr<Place<double>> host_place(const SvdInput&, const TallShape&, const SvdOutput&);

}  // namespace detail
RNG_END_NAMESPACE
