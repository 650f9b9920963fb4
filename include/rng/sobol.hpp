// sobol: points that fill the unit cube evenly (a quasi-random sequence), plain or scrambled by a stream.
//
//     const rng::sobol<double> points(8, rng::Stream{42});              // 8 dimensions; without a stream: plain points
//     const std::vector<double> x = rng::sample(points, 1 << 10);       // points 0 ... 1023, one after the other
//     const double y = points.at(5, 3);                                 // coordinate 3 of point 5: x[5 * 8 + 3]
//
// A mean over n random points has an error of the order of 1 / sqrt(n). Over n = 2^k Sobol points the order is
// (log n)^dimensions / n, and for smooth functions less if they are scrambled.
// - Take 2^k points, from a multiple of 2^k on. Other numbers lose the balance.
// - Each scrambled coordinate is uniform on [0, 1). Means over scrambled points are unbiased; the spread of means over
//   several streams shows the error.
// - Scrambling multiplies by a random lower triangular matrix of bits and adds a random number bit by bit (Matousek).
//   Any two points then have the joint distribution that nested uniform scrambling (Owen) gives, so variances are the
//   same.
// - Plain points are those of SciPy's qmc.Sobol(dimensions, scramble=False), in the same order; point 0 is the origin.
// - Values are multiples of 2^-24 (float) or 2^-53 (double), rounded down: never 1.
// - fill() takes a matrix_view of host memory or a device_matrix of CUDA device memory.
//
// Sources: I. M. Sobol', USSR Comput. Math. Math. Phys. 7, 1967; J. Matousek, J. Complexity 14, 1998. The direction
// numbers: S. Joe and F. Y. Kuo, SIAM J. Sci. Comput. 30, 2008 (LICENSES/joe-kuo.txt). Bits: docs/contract.md, A.25.
// Oracle: points 1, 2, 3 of two dimensions are (0.5, 0.5), (0.75, 0.25), (0.25, 0.75).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "detail/device_target.hpp"
#include "fill.hpp"
#include "sobol_view.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The number of dimensions that have direction numbers.
inline constexpr uint32_t most_sobol_dimensions = 21201;

/// A fill with points; the target has a row for each.
struct SobolRequest {
    const uint64_t* table;
    uint64_t first;      // number of the first point
    int index;           // in the catalogue, of the distribution that turns words into numbers: uniform
    size_t value_bytes;  // 4 or 8
    StridedTarget target;
};
/// Writes the direction numbers of plain points, and offsets of 0.
RNG_API void write_sobol_table(uint64_t* table, uint32_t dimensions);
/// Scrambles a table of plain points: dimension j takes words 64 j to 64 j + 63.
RNG_API void scramble_sobol_table(uint64_t* table, uint32_t dimensions, const uint64_t* words);
RNG_API void fill_sobol(const SobolRequest& request);

/// Returns the number of dimensions. Throws Error (invalid_argument) unless there are 1 to 21201.
[[nodiscard]] RNG_API uint32_t checked_sobol_dimensions(uint64_t dimensions);
/// Throws Error (invalid_argument) unless points [first, first + n) are below 2^63.
RNG_API void require_sobol_points(const char* call, uint64_t first, uint64_t n);
RNG_API void require_sobol_dimension(uint64_t dimension, uint32_t dimensions);

/// Makes the checks of fills for a matrix on any device.
template <class Matrix> void require_sobol_fill(const Matrix& out, uint32_t dimensions, uint64_t first) {
    if (out.cols != dimensions)
        detail::refuse("fill: sobol", "the matrix must have a column for each of the " + std::to_string(dimensions) +
                                          " dimensions, got " + std::to_string(out.cols));
    require_sobol_points("fill: sobol", first, out.rows);
    (void)checked_size("sobol", out.data, out.rows, out.cols);
}
/// Submits a fill of device memory. The table is as in DeviceTarget.
template <class T>
void submit_sobol(const device_matrix<T>& out, const LaunchNumbers& table, uint64_t first, cuda_stream stream) {
    FillRequest request{"sobol", sobol_index, nullptr, nullptr, {}, 0, 0, sizeof(T), alignof(T), {}};
    request.stream.position = first;
    fill_device(request,
                {out.data, out.rows, stream, {out.cols, out.row_stride, out.col_stride}, nullptr, "fill", table});
}

}  // namespace detail

/// Sobol points in [0, 1)^dimensions, with a table of 512 * dimensions bytes. No call changes the points, so threads
/// may share them.
template <class T = double> class sobol {
  public:
    /// The greatest number of dimensions: 21201.
    static constexpr uint32_t most_dimensions = detail::most_sobol_dimensions;

    /// Creates plain points. Throws Error (invalid_argument) unless there are 1 to 21201 dimensions.
    explicit sobol(Integer dimensions)
        : dimensions_(detail::checked_sobol_dimensions(dimensions)),
          table_(uint64_t{detail::sobol_rows} * dimensions_) {
        detail::write_sobol_table(table_.data(), dimensions_);
    }
    /// Creates points scrambled by 64 * dimensions values of bits<uint64_t> of the stream. Dimension j depends on
    /// values 64 j to 64 j + 63 alone. Throws Error as without a stream, and at the end of the stream.
    template <class E> sobol(Integer dimensions, const Stream<E>& stream) : sobol(dimensions) {
        (void)detail::positioned<bits<uint64_t>>(stream, 0, table_.size(), "sobol");
        scramble(sample(bits<uint64_t>{}, table_.size(), stream));
    }
    /// Creates points scrambled by the generator's next 64 * dimensions values of bits<uint64_t>.
    sobol(Integer dimensions, Generator& generator) : sobol(dimensions) {
        scramble(detail::sample_for("sobol", bits<uint64_t>{}, table_.size(), generator));
    }
    sobol(Integer dimensions, Generator&& generator) : sobol(dimensions, generator) {}

    /// Returns the number of coordinates of a point.
    [[nodiscard]] uint32_t dimensions() const { return dimensions_; }
    /// Returns a coordinate of a point. Throws Error (invalid_argument) unless point < 2^63 and dimension <
    /// dimensions().
    [[nodiscard]] T at(Integer point, Integer dimension) const {
        detail::require_sobol_points("sobol::at", point, 1);
        detail::require_sobol_dimension(dimension, dimensions_);
        return view().at(point, static_cast<uint32_t>(dimension));
    }
    /// Returns a coordinate scrambled by the stream. Plain points become those of sobol<T>(dimensions(), stream),
    /// which is faster for many. Throws Error as the other at(), and at the end of the stream.
    template <class E> [[nodiscard]] T at(const Stream<E>& stream, Integer point, Integer dimension) const {
        detail::require_sobol_points("sobol::at", point, 1);
        detail::require_sobol_dimension(dimension, dimensions_);
        constexpr uint64_t words = detail::sobol_rows;
        (void)detail::positioned<bits<uint64_t>>(stream, words * dimension, words, "sobol::at");
        return view().at(stream, point, static_cast<uint32_t>(dimension));
    }

    /// Returns the same points without checks, for loops. The view refers to this object's table.
    [[nodiscard]] sobol_view<T> view() const { return {table_.data(), dimensions_}; }
    /// Returns the table that a sobol_view takes, to be copied to a device: 64 rows of dimensions() numbers.
    [[nodiscard]] std::span<const uint64_t> table() const { return table_; }

  private:
    void scramble(const std::vector<uint64_t>& words) {
        detail::scramble_sobol_table(table_.data(), dimensions_, words.data());
    }

    uint32_t dimensions_;
    std::vector<uint64_t> table_;
};

/// Fills a matrix with points: row i has the coordinates of point first + i. Pure; on the library's threads.
/// Throws Error (invalid_argument): a number of columns other than points.dimensions(), null data, a point from 2^63
/// on.
template <class T> void fill(matrix_view<T> out, const sobol<T>& points, Integer first = 0) {
    detail::require_sobol_fill(out, points.dimensions(), first);
    detail::fill_sobol({points.table().data(),
                        first,
                        catalogue_index<uniform<T>>,
                        sizeof(T),
                        {out.data, out.rows, out.cols, out.row_stride, out.col_stride}});
}

/// Submits a fill of a matrix in device memory with points, which have the bits of the CPU's. Pure. The table of the
/// points is copied to the device for each fill, and the points need not outlive the call.
/// Throws Error as the fill of host memory does, on memory that no device can use, and on a failure of CUDA.
template <class T>
void fill(device_matrix<T> out, const sobol<T>& points, Integer first = 0, cuda_stream stream = default_stream()) {
    detail::require_sobol_fill(out, points.dimensions(), first);
    detail::submit_sobol(out, {points.table().data(), points.table().size_bytes()}, first, stream);
}
/// Fills a matrix in device memory from a table that the caller has copied to the device. The call copies nothing.
template <class T>
void fill(device_matrix<T> out, const sobol_view<T>& points, Integer first = 0, cuda_stream stream = default_stream()) {
    detail::require_sobol_fill(out, detail::checked_sobol_dimensions(points.dimensions), first);
    detail::submit_sobol(out, {points.table, 0}, first, stream);
}

/// Returns points first ... first + n - 1, one after the other: n * dimensions() numbers. Throws Error as fill() does.
template <class T> [[nodiscard]] std::vector<T> sample(const sobol<T>& points, Integer n, Integer first = 0) {
    detail::require_sobol_points("sample: sobol", first, n);
    if (n > std::vector<T>().max_size() / points.dimensions())
        detail::refuse("sample: sobol", "n must be at most " +
                                            std::to_string(std::vector<T>().max_size() / points.dimensions()) +
                                            ", got " + std::to_string(uint64_t{n}));
    std::vector<T> values(n * points.dimensions());
    fill(matrix_view<T>::row_major(values.data(), n, points.dimensions()), points, first);
    return values;
}

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
