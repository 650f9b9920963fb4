// Matrices with orthonormal columns, for initial weights: CholeskyQR of a normal matrix. R has a positive diagonal, so
// no sign needs a correction, and the matrix is uniform (Haar). Source: F. Mezzadri, Notices of the AMS 54, 2007.
#include <rng/initialisers.hpp>

#include <algorithm>
#include <complex>
#include <vector>

#include "../cpu/fp_environment.hpp"
#include "host_tall.hpp"
#include "orthonormalise.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

template <class T> void orthogonal_columns(const StreamRecord& stream, size_t rows, size_t cols, double gain, T* out) {
    const size_t tall = std::max(rows, cols), q = std::min(rows, cols);
    const rng_cpu::FpEnvironment environment;
    HostTall<T> y({tall, tall, q, false}, tall);
    y.draw_test_matrix(stream, TestMatrix::normal, 0);
    RandomColumns refills(stream);
    orthonormalise<T>(y, true, refills);
    y.write(0, tall, std::vector<std::complex<double>>(q, gain), out, static_cast<ptrdiff_t>(q), 1);
}
template void orthogonal_columns(const StreamRecord&, size_t, size_t, double, float*);
template void orthogonal_columns(const StreamRecord&, size_t, size_t, double, double*);

}  // namespace detail
RNG_END_NAMESPACE
