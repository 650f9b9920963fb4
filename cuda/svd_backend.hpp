// The backend of svd_lowrank in the memory of a GPU: which kernels run on which data. A Device runs them:
//
//     launch(kernel, blocks, blocks_y, shared_bytes = 0)    kernel's threads on a grid, after all earlier work
//     most_shared_bytes()                 what a block may have; has_fast_doubles()
//     fill(request, out, n)               a fill of its memory
//     zero(to, bytes), copy(to, from, bytes)
//     to_device(to, from, bytes)          the source is free again on return
//     to_host(to, from, bytes)            waits
//     memory(bytes)                       a std::shared_ptr<std::byte>, at a multiple of 256; for ranks alone
//     wait()                              for all work; for ranks alone
//
// cuda/svd.cu has the Device for CUDA; tests/parity has one that executes the kernels' PTX on the host.
#pragma once

#include <string>
#include <vector>

#include "svd_rows.hpp"
#include "svd_tall.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

template <class T, class Device> class DeviceSvdBackend final : public SvdBackend<T> {
  public:
    /// The workspace has layout.bytes bytes, at a multiple of 256. Input, layout and device must outlive the backend.
    /// Throws Error (invalid_argument) if a sparse matrix is not sound.
    DeviceSvdBackend(const SvdInput& in, const SvdShape& shape, const Layout& layout, const SvdOutput& out,
                     void* workspace, Device& device)
        : shape_(shape),
          out_(out),
          work_(device, layout, static_cast<std::byte*>(workspace)),
          x_(tall(TallMatrix::x, layout.x)),
          z_(tall(TallMatrix::z, layout.z)),
          a_(in.call, in.a, 0, work_) {}

    [[nodiscard]] std::string not_finite() override {
        const std::string of_a = a_.not_finite();
        return of_a.empty() ? a_.mean_not_finite() : of_a;
    }
    [[nodiscard]] double largest_element() override { return a_.largest_element(); }

    void subtract_column_means() override {
        if (shape_.rows * shape_.cols == 0) return;
        a_.set_mean_row(false);
        const size_t parts = shape_.complex ? 2 : 1;
        write_ones(work_, x_.row(0), shape_.rows, rng_abi::pad * parts);
        a_.apply(true, x_.row(0), rng_abi::pad, 0, shape_.cols, work_.other);
        const std::vector<T> mean =
            column_means(first_column(work_, work_.other, shape_.cols, parts), shape_.rows, shape_.complex);
        work_.device.to_device(work_.template at<T>(work_.layout.mean), mean.data(), mean.size() * sizeof(T));
        a_.set_mean_row(true);
    }

    void draw_test_matrix(const StreamRecord& stream, TestMatrix kind, int exponent) override {
        z_.draw_test_matrix(stream, kind, exponent);
    }
    void multiply_to(TallMatrix result) override {
        // If A is wide, its conjugate transpose is the tall matrix.
        const bool adjoint = (result == TallMatrix::z) != shape_.is_wide();
        a_.apply(adjoint, (result == TallMatrix::x ? z_ : x_).row(0), shape_.ld(), 0, tall(result).rows(),
                 tall(result).row(0));
    }

    [[nodiscard]] SquareMatrix gram(TallMatrix which) override {
        SquareMatrix result(shape_.width());
        result.v = tall(which).gram(0, tall(which).rows());
        return result;
    }
    void multiply_right(TallMatrix which, const SquareMatrix& w) override { tall(which).multiply_right(w); }
    [[nodiscard]] bool jacobi(double* m, double* v, double tolerance) override {
        return work_.jacobi(shape_, m, v, tolerance);
    }
    [[nodiscard]] double largest(TallMatrix which) override { return tall(which).largest(); }
    void scale(TallMatrix which, int exponent) override { tall(which).scale(exponent); }
    void refill(TallMatrix which, size_t column, const StreamRecord& record, uint64_t first, double factor) override {
        tall(which).refill(column, record, first, factor);
    }
    [[nodiscard]] std::vector<std::complex<double>> largest_per_column(TallMatrix which) override {
        std::vector<std::complex<double>> all;
        for (const LargestEntry& entry : tall(which).largest_per_column()) all.emplace_back(entry.re, entry.im);
        return all;
    }
    void write(TallMatrix which, const std::vector<std::complex<double>>& factors) override {
        const bool is_u = (which == TallMatrix::x) != shape_.is_wide();
        tall(which).write(0, tall(which).rows(), factors, is_u ? out_.U : out_.V,
                          is_u ? out_.u_row_stride : out_.v_row_stride, is_u ? out_.u_col_stride : out_.v_col_stride);
    }

  private:
    [[nodiscard]] DeviceTall<T, Device> tall(TallMatrix which, size_t place) {
        const size_t rows = shape_.tall_rows(which);
        return {shape_, 0, rows, rows, work_.template at<T>(place), work_};
    }
    [[nodiscard]] DeviceTall<T, Device>& tall(TallMatrix which) { return which == TallMatrix::x ? x_ : z_; }

    SvdShape shape_;
    SvdOutput out_;
    Work<T, Device> work_;
    DeviceTall<T, Device> x_, z_;
    DeviceRows<T, Device> a_;
};

}  // namespace detail::svd
RNG_END_NAMESPACE
