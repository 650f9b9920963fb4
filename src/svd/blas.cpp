#include "blas.hpp"

#include <limits>

RNG_BEGIN_NAMESPACE
namespace detail {

#if defined(RNG_HAVE_BLAS)

// The interface of the reference BLAS, which every BLAS has: column-major, arguments by address, 32-bit integers.
extern "C" {
void sgemm_(const char*, const char*, const int*, const int*, const int*, const float*, const float*, const int*,
            const float*, const int*, const float*, float*, const int*);
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*,
            const double*, const int*, const double*, double*, const int*);
}

namespace {

void gemm(const char* ta, const char* tb, const int* m, const int* n, const int* k, const float* a, const int* lda,
          const float* b, const int* ldb, float* c, const int* ldc) {
    const float one = 1, zero = 0;
    sgemm_(ta, tb, m, n, k, &one, a, lda, b, ldb, &zero, c, ldc);
}
void gemm(const char* ta, const char* tb, const int* m, const int* n, const int* k, const double* a, const int* lda,
          const double* b, const int* ldb, double* c, const int* ldc) {
    const double one = 1, zero = 0;
    dgemm_(ta, tb, m, n, k, &one, a, lda, b, ldb, &zero, c, ldc);
}

template <class T>
bool product(const rng_abi::Operand& a, size_t rows, size_t terms, const T* b, size_t width, T* out) {
    constexpr auto most = static_cast<size_t>(std::numeric_limits<int>::max());
    if (a.type != rng_abi::ElementType::same || a.mean != nullptr || a.sparse != nullptr) return false;
    // Complex elements are rows of real terms only if they lie side by side.
    const bool by_rows = a.col_stride == 1 && a.row_stride > 0, by_columns = a.row_stride == 1 && a.col_stride > 0;
    if (!by_rows && (!by_columns || a.parts != 1)) return false;
    const ptrdiff_t stride = (by_rows ? a.row_stride : a.col_stride) * a.parts;
    if (rows == 0 || terms == 0 || rows > most || terms > most || width > most || static_cast<size_t>(stride) > most ||
        static_cast<size_t>(stride) < (by_rows ? terms : rows))
        return false;
    // The BLAS has columns, so it computes out^T (width x rows) = b^T (width x terms) times a^T.
    const int m = static_cast<int>(width), n = static_cast<int>(rows), k = static_cast<int>(terms),
              lda = static_cast<int>(stride);
    gemm("N", by_rows ? "N" : "T", &m, &n, &k, b, &m, static_cast<const T*>(a.data), &lda, out, &m);
    return true;
}

}  // namespace

bool has_blas() { return true; }
bool blas_product(const rng_abi::Operand& a, size_t rows, size_t terms, const float* b, size_t width, float* out) {
    return product(a, rows, terms, b, width, out);
}
bool blas_product(const rng_abi::Operand& a, size_t rows, size_t terms, const double* b, size_t width, double* out) {
    return product(a, rows, terms, b, width, out);
}

#else

bool has_blas() { return false; }
bool blas_product(const rng_abi::Operand&, size_t, size_t, const float*, size_t, float*) { return false; }
bool blas_product(const rng_abi::Operand&, size_t, size_t, const double*, size_t, double*) { return false; }

#endif

}  // namespace detail
RNG_END_NAMESPACE
