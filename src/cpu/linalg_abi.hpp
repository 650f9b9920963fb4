// The table of the fixed-order kernels of one instruction set: plain data, as kernels.hpp explains.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rng_abi {

using std::ptrdiff_t;
using std::size_t;

inline constexpr size_t sum_block = 128;  // terms of one chain
inline constexpr int panel_rows = 48;     // rows of a product that are computed together
inline constexpr size_t pad = 16;         // columns come in multiples: a register of any instruction set

enum class ElementType { same, f16, bf16 };

/// A matrix as products read it: element (i, k) is data[i * row_stride + k * col_stride], less the mean's.
struct Operand {
    const void* data;
    ptrdiff_t row_stride, col_stride;
    ElementType type;
    const void* mean;  // null, or of the same type
    ptrdiff_t mean_row_stride, mean_col_stride;
};

/// out (rows x cols, ldo) = the columns k_begin to k_end of a (k_begin a multiple of sum_block) times b, whose row 0 is
/// that of k_begin. cols is a multiple of pad.
using ProductFunction = void (*)(const Operand& a, size_t rows, size_t k_begin, size_t k_end, const void* b, size_t ldb,
                                 size_t cols, void* out, size_t ldo, void* workspace);

/// In values, for k_end - k_begin terms.
constexpr size_t product_workspace(size_t terms, size_t cols) {
    size_t levels = 1;
    for (size_t blocks = terms / sum_block + 1; blocks > 0; blocks >>= 1) ++levels;
    return panel_rows * (sum_block + levels * cols);
}

struct LinalgFunctions {
    ProductFunction product_f32, product_f64;
    double (*cholesky)(const double* g, size_t q, size_t ld, double shift, double* r);
    void (*invert_upper)(const double* r, size_t q, size_t ld, double* w);
    void (*multiply_upper)(const double* a, const double* b, size_t q, size_t ld, double* c);
    void (*jacobi)(double* m, double* v, size_t q, size_t ld, double tolerance, double* norms, size_t* order);
    void (*axpy)(double f, const double* x, double* y, size_t n);
    double (*dot8)(const double* x, const double* y, size_t n);
};

}  // namespace rng_abi
