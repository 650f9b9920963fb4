// The orthonormalisation of a tall matrix by shifted CholeskyQR: the part of the range finder that is repeated.
#pragma once

#include <cmath>

#include "svd_backend.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// Random columns that replace lost columns, in the order of the requests.
class RandomColumns {
  public:
    explicit RandomColumns(const StreamRecord& stream) : stream_(stream) {}
    template <class T> void write(Tall<T>& y, size_t column) {
        // The factor gives a column of length about 1 / sqrt(3).
        y.refill(column, stream_, next_, 1.0 / std::sqrt(static_cast<double>(y.rows())));
        next_ += y.rows() * y.shape().parts();
    }

  private:
    StreamRecord stream_;
    uint64_t next_ = 0;
};

/// Replaces the columns of Y by orthonormal columns that span the same space. Columns lost in rounding become random
/// ones. Returns e with Y before = (Y after) R 2^e. If r_total is given (embedded, 0 at first), R is written there. If
/// `tight`, the last pass begins with columns whose Gram matrix is within 0.1 of I. Otherwise any pass without a shift
/// may be the last. Source: Fukaya et al., "Shifted Cholesky QR", SIAM J. Sci. Comput. 42, 2020; passes repeat until
/// one needs no shift.
template <class T> int orthonormalise(Tall<T>& y, bool tight, RandomColumns& refills, SquareMatrix* r_total = nullptr);

}  // namespace detail
RNG_END_NAMESPACE
