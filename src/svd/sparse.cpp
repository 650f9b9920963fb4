#include "sparse.hpp"

#include <string>

#include "texts.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

/// One compressed form, by rows or by columns: the elements of an outer index lie between its offsets, each with an
/// inner index.
template <class T> struct Compressed {
    std::vector<size_t> offsets, inner;
    std::vector<T> values;  // `parts` for each element
};

template <class T, class S> void widen(const void* from, std::vector<T>& to) {
    for (size_t i = 0; i < to.size(); ++i) to[i] = static_cast<T>(static_cast<const S*>(from)[i]);
}

template <class Index> void check(const char* call, const MatrixDescription& matrix, size_t outer, size_t inner) {
    const SparseDescription& a = matrix.sparse;
    const SparseTexts texts(matrix);
    const auto* offsets = static_cast<const Index*>(a.offsets);
    const auto* indices = static_cast<const Index*>(a.indices);
    if (const std::string wrong = texts.sizes(outer); !wrong.empty()) refuse(call, wrong);
    for (size_t i = 0; i <= outer; ++i) {
        const auto offset = static_cast<int64_t>(offsets[i]);
        const int64_t before = i == 0 ? 0 : static_cast<int64_t>(offsets[i - 1]);
        if (offset < before || static_cast<size_t>(offset) > a.value_count || (i == 0 && offset != 0) ||
            (i == outer && static_cast<size_t>(offset) != a.value_count))
            refuse(call, texts.offset(i, offset));
    }
    for (size_t k = 0; k < a.index_count; ++k)
        if (const auto index = static_cast<int64_t>(indices[k]); index < 0 || static_cast<size_t>(index) >= inner)
            refuse(call, texts.index(k, index, inner));
}

/// Checks the caller's matrix and returns a copy of it.
template <class T, class Index>
Compressed<T> read(const char* call, const MatrixDescription& matrix, size_t outer, size_t inner) {
    check<Index>(call, matrix, outer, inner);
    const SparseDescription& a = matrix.sparse;
    const auto* offsets = static_cast<const Index*>(a.offsets);
    const auto* indices = static_cast<const Index*>(a.indices);
    Compressed<T> result;
    result.offsets.resize(outer + 1);
    for (size_t i = 0; i <= outer; ++i) result.offsets[i] = static_cast<size_t>(offsets[i]);
    result.inner.resize(a.index_count);
    for (size_t k = 0; k < a.index_count; ++k) result.inner[k] = static_cast<size_t>(indices[k]);
    result.values.resize(a.value_count * static_cast<size_t>(matrix.real_parts()));
    switch (matrix.type) {
        case rng_abi::ElementType::same: widen<T, T>(a.values, result.values); break;
        case rng_abi::ElementType::f16: widen<T, float16>(a.values, result.values); break;
        case rng_abi::ElementType::bf16: widen<T, bfloat16>(a.values, result.values); break;
    }
    return result;
}

/// Returns the other compressed form; its inner indices ascend.
template <class T> Compressed<T> transposed(const Compressed<T>& a, size_t inner, size_t parts) {
    Compressed<T> t;
    t.offsets.resize(inner + 1);
    for (const size_t i : a.inner) ++t.offsets[i + 1];
    for (size_t i = 0; i < inner; ++i) t.offsets[i + 1] += t.offsets[i];
    std::vector<size_t> next(t.offsets.begin(), t.offsets.end() - 1);
    t.inner.resize(a.inner.size());
    t.values.resize(a.values.size());
    for (size_t outer = 0; outer + 1 < a.offsets.size(); ++outer)
        for (size_t k = a.offsets[outer]; k < a.offsets[outer + 1]; ++k) {
            const size_t to = next[a.inner[k]]++;
            t.inner[to] = outer;
            for (size_t part = 0; part < parts; ++part) t.values[to * parts + part] = a.values[k * parts + part];
        }
    return t;
}

/// Returns true if the inner indices ascend and none occurs twice.
template <class T> bool ascends(const Compressed<T>& a) {
    for (size_t i = 0; i + 1 < a.offsets.size(); ++i)
        for (size_t k = a.offsets[i] + 1; k < a.offsets[i + 1]; ++k)
            if (a.inner[k] <= a.inner[k - 1]) return false;
    return true;
}

template <class T> SparseRows<T> real_terms(Compressed<T> a, size_t parts) {
    if (parts == 1) return {std::move(a.offsets), std::move(a.inner), std::move(a.values)};
    SparseRows<T> rows;
    rows.offsets = std::move(a.offsets);
    for (size_t& offset : rows.offsets) offset *= parts;
    rows.terms.resize(a.inner.size() * parts);
    for (size_t k = 0; k < a.inner.size(); ++k)
        for (size_t part = 0; part < parts; ++part) rows.terms[k * parts + part] = a.inner[k] * parts + part;
    rows.values = std::move(a.values);
    return rows;
}

}  // namespace

void check_sparse(const char* call, const MatrixDescription& matrix) {
    const bool by_columns = matrix.sparse.by_columns;
    const size_t outer = by_columns ? matrix.cols : matrix.rows, inner = by_columns ? matrix.rows : matrix.cols;
    matrix.sparse.index_bytes == 4 ? check<int32_t>(call, matrix, outer, inner)
                                   : check<int64_t>(call, matrix, outer, inner);
}

template <class T> HostSparseMatrix<T>::HostSparseMatrix(const char* call, const MatrixDescription& matrix) {
    const bool by_columns = matrix.sparse.by_columns;
    const size_t outer = by_columns ? matrix.cols : matrix.rows, inner = by_columns ? matrix.rows : matrix.cols;
    const auto parts = static_cast<size_t>(matrix.real_parts());
    Compressed<T> same = matrix.sparse.index_bytes == 4 ? read<T, int32_t>(call, matrix, outer, inner)
                                                        : read<T, int64_t>(call, matrix, outer, inner);
    Compressed<T> other = transposed(same, inner, parts);
    if (!ascends(same)) {
        // Transposing the matrix twice sorts it. The first copy, which may be most of the memory, is freed before.
        same = {};
        same = transposed(other, outer, parts);
        for (size_t i = 0; i < outer; ++i)
            for (size_t k = same.offsets[i] + 1; k < same.offsets[i + 1]; ++k)
                if (same.inner[k] == same.inner[k - 1]) {
                    const size_t j = same.inner[k];
                    refuse(call,
                           SparseTexts(matrix).twice(matrix.first_row + (by_columns ? j : i), by_columns ? i : j));
                }
    }
    rows = real_terms(std::move(by_columns ? other : same), parts);
    columns = real_terms(std::move(by_columns ? same : other), parts);
}

template struct HostSparseMatrix<float>;
template struct HostSparseMatrix<double>;

}  // namespace detail
RNG_END_NAMESPACE
