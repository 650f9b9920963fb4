// sphere{d}, ball{d}: uniform points of the unit sphere and of the unit ball in d dimensions.
//
//     std::vector<float> directions(1000 * 10);
//     rng::fill_rows(rng::matrix_view<float>::row_major(directions.data(), 1000, 10), rng::sphere<float>{10}, gen);
//
// In two to four dimensions, unit_vector2 to unit_vector4 are faster.
// A point of the sphere is a normal vector, divided by its length. For the ball the length is U^(1/d).
// Lengths are 1 (sphere) or at most 1 (ball) to within two units of the last place.
// Source: Muller, "A note on a method for generating points uniformly on n-dimensional spheres", CACM 2, 1959.
// Oracle: sphere of one dimension gives -1 or 1.
#pragma once

#include "../detail/row.hpp"
#include "../distributions/bits.hpp"
#include "../distributions/normal.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Writes d normal values of p, and returns their length.
template <class L, class T, class E>
[[nodiscard]] RNG_FN lane::f64<L> write_normals(const Stream<E>& p, RowPlace<T> x, uint64_t d) {
    Components<normal<T>, L, E> z(p, normal<T>{0, 1});
    lane::f64<L> square(0.0);
    for (uint64_t j = 0; j < d; ++j) {
        x[j] = z[j];
        square = lane::fma(as_double<L>(x[j]), as_double<L>(x[j]), square);
    }
    return lane::sqrt(square);
}

}  // namespace detail

/// The uniform distribution on the unit sphere in d dimensions: vectors of length 1.
template <class T> struct sphere {
    static_assert(detail::is_real<T>, "sphere is of float or double: write sphere<double>{10}");
    using result_type = T;
    uint64_t dimension = 3;

    static constexpr const char* name = "sphere";
    static constexpr const char* summary = "uniform points of the unit sphere";

    /// Returns the number of elements of a row.
    [[nodiscard]] RNG_FN uint64_t row_size() const { return dimension; }
    /// Returns the first parameter that is out of range, if there is one.
    [[nodiscard]] ParameterFault fault() const {
        if (dimension >= 1 && dimension <= detail::most_elements) return {};
        return ParameterFault::of_integer("dimension", dimension, "must be in [1, 2^24]");
    }
    /// Writes the row of the private stream p, with L as a lane of one value.
    template <class L, class E> RNG_FN void write(const Stream<E>& p, detail::RowPlace<T> x) const {
        const auto length = detail::write_normals<L>(p, x, dimension);
        for (uint64_t j = 0; j < dimension; ++j) x[j] = static_cast<T>(lane::div(detail::as_double<L>(x[j]), length).v);
    }
};

/// The uniform distribution on the unit ball in d dimensions: vectors of length at most 1.
template <class T> struct ball {
    static_assert(detail::is_real<T>, "ball is of float or double: write ball<double>{10}");
    using result_type = T;
    uint64_t dimension = 3;

    static constexpr const char* name = "ball";
    static constexpr const char* summary = "uniform points of the unit ball";

    /// Returns the number of elements of a row.
    [[nodiscard]] RNG_FN uint64_t row_size() const { return dimension; }
    /// Returns the first parameter that is out of range, if there is one.
    [[nodiscard]] ParameterFault fault() const { return sphere<T>{dimension}.fault(); }
    /// Writes the row of the private stream p, with L as a lane of one value.
    template <class L, class E> RNG_FN void write(const Stream<E>& p, detail::RowPlace<T> x) const {
        using F = lane::f64<L>;
        const F length = detail::write_normals<L>(p, x, dimension);
        // exponential{1.0}, without its division: nvcc combines operations on constants.
        const F e = lane::neglog(lane::u64<L>(detail::component<L>(p.fork(1), bits<uint64_t>{}, 0)));
        const F radius = lane::exp(lane::div(lane::sub(F(0.0), e), F(lane::Scalar::small_to_f64(dimension))));
        const F factor = lane::div(radius, length);
        for (uint64_t j = 0; j < dimension; ++j)
            x[j] = detail::flushed<T>(lane::fma(detail::as_double<L>(x[j]), factor, F(0.0)));
    }
};

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
