#include "host_backend.hpp"

#include <algorithm>
#include <utility>

#include "host_matrix.hpp"
#include "host_tall.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

using rng_abi::pad;

template <class T> class HostSvdBackend final : public SvdBackend<T> {
  public:
    HostSvdBackend(const SvdInput& in, const SvdShape& shape, const SvdOutput& out)
        : a_(in.call, in.a, in.fast),
          shape_(shape),
          out_(out),
          x_(shape, 0, shape.tall_rows(TallMatrix::x), shape.tall_rows(TallMatrix::x)),
          z_(shape, 0, shape.tall_rows(TallMatrix::z), shape.tall_rows(TallMatrix::z)) {}

    [[nodiscard]] std::string not_finite() override {
        const std::string of_a = a_.not_finite();
        return of_a.empty() ? a_.mean_not_finite() : of_a;
    }
    [[nodiscard]] double largest_element() override { return a_.largest_element(); }

    void subtract_column_means() override {
        // A^H times a column of ones, in the memory of X and Z. Both must be 0 again afterwards.
        const size_t parts = shape_.complex ? 2 : 1, width = pad * parts;
        AlignedVector<T>& ones = tall(shape_.is_wide() ? TallMatrix::z : TallMatrix::x).values();
        AlignedVector<T>& sums = tall(shape_.is_wide() ? TallMatrix::x : TallMatrix::z).values();
        for (size_t i = 0; i < shape_.rows; ++i) ones[i * width] = T{1};
        a_.apply(true, ones.data(), pad, width, sums.data());
        std::vector<T> column(shape_.cols * parts);
        for (size_t j = 0; j < shape_.cols; ++j)
            for (size_t part = 0; part < parts; ++part) column[j * parts + part] = sums[j * width + part * pad];
        std::fill(ones.begin(), ones.end(), T{0});
        std::fill(sums.begin(), sums.end(), T{0});
        a_.set_mean_row(column_means(std::move(column), shape_.rows, shape_.complex));
    }

    void draw_test_matrix(const StreamRecord& stream, TestMatrix kind, int exponent) override {
        z_.draw_test_matrix(stream, kind, exponent);
    }
    void multiply_to(TallMatrix result) override {
        // If A is wide, its conjugate transpose is the tall matrix.
        const bool adjoint = (result == TallMatrix::z) != shape_.is_wide();
        a_.apply(adjoint, tall(result == TallMatrix::x ? TallMatrix::z : TallMatrix::x).row(0), shape_.ld(),
                 computed_columns<T>(shape_), tall(result).row(0));
    }

    [[nodiscard]] SquareMatrix gram(TallMatrix which) override {
        return symmetric(tall(which).gram(0, tall(which).rows()), shape_);
    }
    void multiply_right(TallMatrix which, const SquareMatrix& w) override { tall(which).multiply_right(w); }
    [[nodiscard]] double largest(TallMatrix which) override { return tall(which).largest(); }
    void scale(TallMatrix which, int exponent) override { tall(which).scale(exponent); }
    void refill(TallMatrix which, size_t column, const StreamRecord& stream, uint64_t first, double factor) override {
        tall(which).refill(column, stream, first, factor);
    }
    [[nodiscard]] std::vector<std::complex<double>> largest_per_column(TallMatrix which) override {
        std::vector<std::complex<double>> leaders;
        for (const LargestEntry& entry : tall(which).largest_per_column()) leaders.emplace_back(entry.re, entry.im);
        return leaders;
    }
    void write(TallMatrix which, const std::vector<std::complex<double>>& factors) override {
        const bool is_u = (which == TallMatrix::x) != shape_.is_wide();
        tall(which).write(0, tall(which).rows(), factors, is_u ? out_.U : out_.V,
                          is_u ? out_.u_row_stride : out_.v_row_stride, is_u ? out_.u_col_stride : out_.v_col_stride);
    }

  private:
    [[nodiscard]] HostTall<T>& tall(TallMatrix which) { return which == TallMatrix::x ? x_ : z_; }

    HostMatrix<T> a_;
    SvdShape shape_;
    SvdOutput out_;
    HostTall<T> x_, z_;
};

}  // namespace

template <class T>
std::unique_ptr<SvdBackend<T>> host_backend(const SvdInput& input, const SvdShape& shape, const SvdOutput& output) {
    return std::make_unique<HostSvdBackend<T>>(input, shape, output);
}
template std::unique_ptr<SvdBackend<float>> host_backend(const SvdInput&, const SvdShape&, const SvdOutput&);
template std::unique_ptr<SvdBackend<double>> host_backend(const SvdInput&, const SvdShape&, const SvdOutput&);

}  // namespace detail
RNG_END_NAMESPACE
