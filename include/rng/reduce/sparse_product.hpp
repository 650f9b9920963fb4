// csr_product, csr_product_transposed: a sparse matrix times a dense one, in the order of svd_lowrank's products.
//
//     rng::csr_product(A, B, out);               // out = A B
//     rng::csr_product_transposed(A, B, out);    // out = A^T B
//
// Each element of the result is the sum, in a binary tree, of chains of fma over blocks of 128 terms (docs/svd.md, "The
// order of every sum"). Terms that A does not store are left out. The bits are the same for any number of threads,
// instruction set, strides and order of the columns within a row.
#pragma once

#include "../detail/svd_input.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// b and out have the same number of columns; out has as many rows as A or A^T.
struct SparseProductRequest {
    const char* call;
    MatrixDescription a;
    bool is_transposed;
    DenseDescription b;  // of the computed type
    void* out;
    size_t out_rows, out_cols;
    ptrdiff_t out_row_stride, out_col_stride;
};
RNG_API void sparse_product(const SparseProductRequest& request);

template <class T, class Index, class B, class Out>
void run_sparse_product(const char* call, bool is_transposed, const csr_view<T, Index>& a, const matrix_view<B>& b,
                        const matrix_view<Out>& out) {
    static_assert(std::is_same_v<std::remove_const_t<B>, computed_t<T>> && std::is_same_v<Out, computed_t<T>>,
                  "csr_product: B and out must be of A's type, or of float if A is of a half type");
    sparse_product({call, svd_input(call, a).a, is_transposed, described(b), out.data, out.rows, out.cols,
                    out.row_stride, out.col_stride});
}

}  // namespace detail

/// Writes A B to `out`, of any strides. Elements of A are of float, double, a complex type of these, float16 or
/// bfloat16. B and out are of the same type, or of float for the last two. `out` must not overlap B.
/// Throws Error (invalid_argument): shapes that do not fit, null data, damaged indices of A; then nothing is written.
template <class T, class Index, class B, class Out>
void csr_product(const csr_view<T, Index>& A, const matrix_view<B>& b, const matrix_view<Out>& out) {
    detail::run_sparse_product("csr_product", false, A, b, out);
}
/// Writes A^T B to `out`, without conjugation.
template <class T, class Index, class B, class Out>
void csr_product_transposed(const csr_view<T, Index>& A, const matrix_view<B>& b, const matrix_view<Out>& out) {
    detail::run_sparse_product("csr_product_transposed", true, A, b, out);
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
