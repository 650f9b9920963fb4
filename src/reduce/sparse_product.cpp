// Products of sparse matrices with dense ones: rng/reduce/sparse_product.hpp, by the products of svd_lowrank.
#include <rng/reduce/sparse_product.hpp>

#include "../svd/host_matrix.hpp"
#include "../svd/host_product.hpp"
#include "../svd/texts.hpp"
#include "one_nan.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

template <class T> void product(const SparseProductRequest& q) {
    const int parts = q.a.real_parts();
    const size_t cols = q.b.cols, ld = padded(cols, rng_abi::pad), width = ld * static_cast<size_t>(parts);
    HostMatrix<T> a(q.call, q.a, false);
    AlignedVector<T> b(q.b.rows * width), product(q.out_rows * width);
    const T sign = q.is_transposed ? T{-1} : T{1};  // A^T B is the conjugate of A^H times the conjugate of B
    for (size_t i = 0; i < q.b.rows; ++i)
        for (size_t j = 0; j < cols; ++j) {
            const T* const from = static_cast<const T*>(q.b.data) + q.b.offset(i, j) * parts;
            b[i * width + j] = from[0];
            if (parts == 2) b[i * width + ld + j] = sign * from[1];
        }
    a.apply(q.is_transposed, b.data(), cols, product.data());
    for (size_t i = 0; i < q.out_rows; ++i)
        for (size_t j = 0; j < cols; ++j) {
            T* const to =
                static_cast<T*>(q.out) +
                (static_cast<ptrdiff_t>(i) * q.out_row_stride + static_cast<ptrdiff_t>(j) * q.out_col_stride) * parts;
            to[0] = with_one_nan(product[i * width + j]);
            if (parts == 2) to[1] = with_one_nan(sign * product[i * width + ld + j]);
        }
}

}  // namespace

void sparse_product(const SparseProductRequest& q) {
    const size_t rows = q.is_transposed ? q.a.cols : q.a.rows, inner = q.is_transposed ? q.a.rows : q.a.cols;
    if (q.b.rows != inner)
        refuse(q.call, "B must have " + std::to_string(inner) + " rows for A of " + shape_text(q.a.rows, q.a.cols) +
                           ", got " + std::to_string(q.b.rows));
    if (q.out_rows != rows || q.out_cols != q.b.cols)
        refuse(q.call, "out must be " + shape_text(rows, q.b.cols) + ", got " + shape_text(q.out_rows, q.out_cols));
    if (q.b.data == nullptr && inner * q.b.cols != 0) refuse(q.call, "B is null but has elements");
    if (q.out == nullptr && rows * q.b.cols != 0) refuse(q.call, "out is null but has elements");
    const rng_cpu::FpEnvironment environment;
    q.a.is_double ? product<double>(q) : product<float>(q);
}

}  // namespace detail
RNG_END_NAMESPACE
