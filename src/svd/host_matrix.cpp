#include "host_matrix.hpp"

#include <rng/float16.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include "blas.hpp"
#include "host_product.hpp"
#include "texts.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

using rng_abi::ElementType;
using rng_abi::pad;
using rng_abi::SparseOperand;
using rng_abi::sum_block;

template <class T>
HostMatrix<T>::HostMatrix(const char* call, const MatrixDescription& a, bool fast, bool compact)
    : MatrixRows<T>(a), fast_(fast), compact_(compact), parts_(a.real_parts()) {
    if (is_sparse()) sparse_ = HostSparseMatrix<T>(call, a);
    take_mean();
}

template <class T> void HostMatrix<T>::set_mean_row(const T* mean) {
    mean_ = mean;
    mean_row_stride_ = 0;
    mean_col_stride_ = 1;
    if (mean == nullptr) take_mean();
}

template <class T> void HostMatrix<T>::sum_columns(T* ones, T* sums, size_t first, size_t cols, T* out) {
    const size_t parts = static_cast<size_t>(parts_), width = row_values(1, parts, compact_);
    for (size_t i = 0; i < a_.rows; ++i) ones[i * width] = T{1};
    apply_rows(true, prepared(true, ones, 1), 1, first, cols, sums);
    for (size_t j = 0; j < cols; ++j)
        for (size_t part = 0; part < parts; ++part) out[j * parts + part] = sums[j * width + part * pad];
}

template <class T> std::string HostMatrix<T>::not_finite() {
    if (a_.rows * a_.cols == 0) return "";  // there may be 10^18 empty rows
    const auto parts = static_cast<size_t>(parts_);
    if (is_sparse())
        for (size_t i = 0; i < a_.rows; ++i)
            for (size_t k = sparse_.rows.offsets[i]; k < sparse_.rows.offsets[i + 1]; ++k)
                if (const double v = sparse_.rows.values[k]; !std::isfinite(v))
                    return not_finite_text(a_.name, v, a_.first_row + i, sparse_.rows.terms[k] / parts);
    size_t row = a_.first_row;
    for (const DenseDescription& rows : a_.parts)
        for (size_t i = 0; i < rows.rows; ++i, ++row)
            for (size_t j = 0; j < a_.cols; ++j)
                for (int part = 0; part < parts_; ++part)
                    if (const double v = element(rows, i, j, part); !std::isfinite(v))
                        return not_finite_text(a_.name, v, row, j);
    return "";
}

template <class T> std::string HostMatrix<T>::mean_not_finite() {
    if (a_.mean.data == nullptr || a_.rows * a_.cols == 0) return "";
    for (size_t i = 0; i < a_.mean.rows; ++i)
        for (size_t j = 0; j < a_.mean.cols; ++j)
            for (int part = 0; part < parts_; ++part)
                if (const double v = mean_element(i, j, part); !std::isfinite(v))
                    return not_finite_text("M", v, a_.first_mean_row + i, j);
    return "";
}

template <class T> double HostMatrix<T>::largest_element() {
    double most = 0;
    const auto look = [&](T value, size_t i, size_t j, int part) {
        if (mean_ != nullptr) value -= mean_element(i, j, part);
        most = greater_magnitude(most, std::fabs(static_cast<double>(value)));
    };
    if (is_sparse() && mean_ == nullptr) {
        for (const T v : sparse_.rows.values) most = std::max(most, std::fabs(static_cast<double>(v)));
    } else if (is_sparse()) {
        const auto parts = static_cast<size_t>(parts_);
        for (size_t i = 0; i < a_.rows; ++i) {
            size_t k = sparse_.rows.offsets[i];
            for (size_t j = 0; j < a_.cols; ++j)
                for (size_t part = 0; part < parts; ++part) {
                    const bool stored = k < sparse_.rows.offsets[i + 1] && sparse_.rows.terms[k] == j * parts + part;
                    look(stored ? sparse_.rows.values[k++] : T{0}, i, j, static_cast<int>(part));
                }
        }
    }
    size_t row = 0;
    for (const DenseDescription& rows : a_.parts)
        for (size_t i = 0; i < rows.rows; ++i, ++row)
            for (size_t j = 0; j < a_.cols; ++j)
                for (int part = 0; part < parts_; ++part) look(element(rows, i, j, part), row, j, part);
    return most;
}

template <class T> T HostMatrix<T>::term(const void* data, ptrdiff_t at) const {
    switch (a_.type) {
        case ElementType::f16: return static_cast<T>(static_cast<float>(static_cast<const float16*>(data)[at]));
        case ElementType::bf16: return static_cast<T>(static_cast<float>(static_cast<const bfloat16*>(data)[at]));
        default: return static_cast<const T*>(data)[at];
    }
}
template <class T> T HostMatrix<T>::element(const DenseDescription& rows, size_t i, size_t j, int part) const {
    return term(rows.data, rows.offset(i, j) * parts_ + part);
}
template <class T> T HostMatrix<T>::mean_element(size_t i, size_t j, int part) const {
    return mean_[(static_cast<ptrdiff_t>(i) * mean_row_stride_ + static_cast<ptrdiff_t>(j) * mean_col_stride_) *
                     parts_ +
                 part];
}

/// Takes M in the computed type. Its strides are 0 if it is repeated.
template <class T> void HostMatrix<T>::take_mean() {
    DenseDescription mean = a_.mean;
    if (mean.data == nullptr) return;
    if (a_.type != ElementType::same) {
        own_mean_.resize(mean.rows * mean.cols);
        for (size_t i = 0; i < mean.rows; ++i)
            for (size_t j = 0; j < mean.cols; ++j) own_mean_[i * mean.cols + j] = term(mean.data, mean.offset(i, j));
        mean = {own_mean_.data(), mean.rows, mean.cols, static_cast<ptrdiff_t>(mean.cols), 1};
    }
    mean_ = static_cast<const T*>(mean.data);
    mean_row_stride_ = mean.repeated().row_stride;
    mean_col_stride_ = mean.repeated().col_stride;
}

template <class T> rng_abi::Operand HostMatrix<T>::operand(const DenseDescription& rows, size_t first_row) const {
    const T* const mean = mean_ ? mean_ + static_cast<ptrdiff_t>(first_row) * mean_row_stride_ * parts_ : nullptr;
    return {rows.data, rows.row_stride,  rows.col_stride,  a_.type, parts_,
            mean,      mean_row_stride_, mean_col_stride_, nullptr};
}

template <class T>
void HostMatrix<T>::apply_rows(bool adjoint, const T* b, size_t q, size_t first, size_t rows, T* out) {
    const size_t parts = static_cast<size_t>(parts_), columns = computed_columns<T>(q, parts, compact_);
    const size_t width = row_values(q, parts, compact_), terms = (adjoint ? a_.rows : a_.cols) * parts;
    if (rows == 0) return;
    if (is_sparse()) {
        const SparseOperand sparse = (adjoint ? sparse_.columns : sparse_.rows).operand();
        if (mean_ == nullptr) {
            rng_cpu::parallel_for(rows, 1, SIZE_MAX, [&](size_t begin, size_t end) {
                sparse_product_function<T>()(sparse, first + begin, end - begin, b, width, width, out + begin * width,
                                             width);
            });
            return;
        }
        const Operand a = operand({nullptr, a_.rows, a_.cols, 0, 0}, 0);
        Operand part = from(adjoint ? transposed(a) : a, first, 0, sizeof(T));
        const SparseOperand sparse_part{sparse.offsets + first, sparse.terms, sparse.values};
        part.sparse = &sparse_part;
        multiply(part, rows, terms, b, width, columns, out);
    } else if (!adjoint) {
        size_t row = 0;
        for (const DenseDescription& part : a_.parts) {
            const size_t now = a_.parts.size() == 1 ? rows : part.rows;
            product(from(operand(part, row), first, 0, sizeof(T)), now, terms, b, width, columns, out + row * width);
            row += now;
        }
    } else if (a_.parts.size() == 1) {
        product(from(transposed(operand(a_.parts[0], 0)), first, 0, sizeof(T)), rows, terms, b, width, columns, out);
    } else {
        sum_over_shards(rows, b, width, out);
    }
}

/// Computes one dense product; with BLAS if the caller asked for it and BLAS can do it.
template <class T>
void HostMatrix<T>::product(const Operand& a, size_t rows, size_t terms, const T* b, size_t width, size_t columns,
                            T* out) const {
    if (fast_ && blas_product(a, rows, terms, b, width, out)) return;
    multiply(a, rows, terms, b, width, columns, out);
}

/// Returns b as rows by which the real and the imaginary part of an element are multiplied.
template <class T> const T* HostMatrix<T>::expand(const T* b, size_t rows, size_t ld, bool conjugate) {
    if (expanded_.size() < rows * 4 * ld)
        expanded_ = AlignedVector<T>();  // otherwise both buffers would exist for a moment
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

/// out = A^H b, with the terms of a sum in several shards. Each shard computes the aligned nodes that lie in it.
/// The chain of a block continues from one shard to the next.
template <class T> void HostMatrix<T>::sum_over_shards(size_t outer, const T* b, size_t width, T* out) const {
    const auto parts = static_cast<size_t>(parts_);
    const size_t terms = a_.rows * parts;
    rng_cpu::parallel_for(outer, rng_abi::panel_rows, SIZE_MAX, [&](size_t first, size_t last) {
        const size_t rows = last - first;
        const auto workspace = line_workspace<T>(rng_abi::product_workspace(rows, terms, width, sizeof(T)));
        MatrixTree<T> sum;
        std::vector<T> open;  // the sum of a block's terms so far
        size_t begin = 0;     // first term of a shard
        size_t row = 0;
        for (const DenseDescription& shard : a_.parts) {
            const Operand a = transposed(operand(shard, row));
            const size_t end = begin + shard.rows * parts;
            for (size_t k = begin; k < end;) {
                const bool continued = k % sum_block != 0;
                size_t next = std::min(end, k - k % sum_block + sum_block);
                int level = 0;
                if (!continued)
                    for (; k % (sum_block << (level + 1)) == 0 && k + (sum_block << (level + 1)) <= end; ++level)
                        next = k + (sum_block << (level + 1));
                if (!continued) open.assign(rows * width, T{0});
                // Terms are counted from the beginning of the node's first block.
                product_function<T>()(from(a, first, k - begin, sizeof(T)), rows, 0, next - k, b + k * width, width,
                                      width, open.data(), width, continued, workspace.get());
                if (next % sum_block == 0 || next == terms) push_node(sum, {std::move(open)}, level);
                k = next;
            }
            begin = end;
            row += shard.rows;
        }
        const std::vector<T> total = total_of(sum, {std::vector<T>(rows * width)}).values;
        std::copy(total.begin(), total.end(), out + first * width);
    });
}

template class HostMatrix<float>;
template class HostMatrix<double>;

}  // namespace detail
RNG_END_NAMESPACE
