// Rows of a tall matrix of the low-rank SVD in host memory: all of X or Z, or those that one rank has.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include <rng/detail/stream_record.hpp>

#include "aligned.hpp"
#include "svd_backend.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

template <class T> class HostTall final : public Tall<T> {
  public:
    /// All values are 0 at first. compact: true if rows have no gaps.
    HostTall(const SvdShape& shape, size_t rows, const RankLayout* spread = nullptr, bool compact = false)
        : Tall<T>(shape, rows, spread) {
        if (compact) pitch_ = shape.q;
        memory_.resize(rows_ * pitch_ + rng_abi::pad);  // products read whole registers
        values_ = memory_.data();
    }

    void draw_test_matrix(const StreamRecord& stream, TestMatrix kind, int exponent) override;
    void multiply_right(const SquareMatrix& w) override;
    void scale(int exponent) override;
    void refill(size_t column, const StreamRecord& stream, uint64_t first, double factor) override;
    void write(size_t first, size_t rows, const std::vector<std::complex<double>>& factors, void* out,
               ptrdiff_t row_stride, ptrdiff_t col_stride) override;

  private:
    using Tall<T>::shape_, Tall<T>::first_, Tall<T>::rows_, Tall<T>::all_, Tall<T>::values_, Tall<T>::pitch_;

    [[nodiscard]] std::vector<double> gram_of(size_t first, size_t rows) override;
    [[nodiscard]] double largest_here() override;
    [[nodiscard]] std::vector<LargestEntry> largest_per_column_here() override;
    /// The number of computed columns: all, or those of the real parts and as many imaginary parts.
    [[nodiscard]] size_t used() const { return shape_.width() - shape_.ld() + shape_.q; }

    AlignedVector<T> memory_;
};

extern template class HostTall<float>;
extern template class HostTall<double>;

}  // namespace detail
RNG_END_NAMESPACE
