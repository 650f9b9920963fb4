// law_of(dist): the law of the values of a distribution of the catalogue, for tests of values.
//
//     const rng::stats::Law law = rng::stats::law_of(rng::normal{0.0f, 2.0f});
//     const double median = law->quantile(0.5);
#pragma once

#include <rng/distributions/catalogue.hpp>

#include "coordinates.hpp"
#include "value_law.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// Returns the law of a distribution's values, by the definition of its map in docs/contract.md.
template <class T> [[nodiscard]] Law law_of(const bits<T>&) {
    return detail::whole_law<T>(0, rng::detail::greatest<T>);
}
template <class T> [[nodiscard]] Law law_of(const uniform<T>& d) { return detail::grid_law(d, Ends::closed_open); }
template <class T> [[nodiscard]] Law law_of(const uniform_open<T>& d) { return detail::grid_law(d, Ends::open); }
template <class T> [[nodiscard]] Law law_of(const uniform_open_closed<T>& d) {
    return detail::grid_law(d, Ends::open_closed);
}
template <class T> [[nodiscard]] Law law_of(const uniform_dense<T>&) {
    return dense_uniform_law(detail::storage_of<T>);
}
template <class T> [[nodiscard]] Law law_of(const normal<T>& d) {
    return normal_law(d.mean, d.stddev, detail::storage_of<T>, detail::tail_bits_of<T>);
}
template <class T> [[nodiscard]] Law law_of(const normal_icdf<T>& d) {
    return normal_law(d.mean, d.stddev, detail::storage_of<T>, detail::tail_bits_of<T>);
}
/// Returns the law of complex values: real and imaginary parts in turn.
template <class T> [[nodiscard]] Law law_of(const complex_normal<T>& d) {
    return normal_law(0, static_cast<double>(d.stddev) * 0x1.6a09e667f3bcdp-1, detail::storage_of<T>,
                      detail::tail_bits_of<T>);
}
namespace detail {
template <class T> [[nodiscard]] Law coordinate_law() {
    return uniform_law({0, 1, Ends::closed_open, Storage::f64, coordinate_bits<T>, true});
}
}  // namespace detail
/// Return the law of the coordinates of directions (coordinates.hpp), one value's after another's.
template <class T> [[nodiscard]] Law law_of(const unit_vector2<T>&) { return detail::coordinate_law<T>(); }
template <class T> [[nodiscard]] Law law_of(const unit_vector3<T>&) { return detail::coordinate_law<T>(); }
template <class T> [[nodiscard]] Law law_of(const unit_vector4<T>&) { return detail::coordinate_law<T>(); }
template <class T> [[nodiscard]] Law law_of(const exponential<T>& d) {
    return exponential_law(d.rate, detail::storage_of<T>, detail::tail_bits_of<T>);
}
template <class T> [[nodiscard]] Law law_of(const uniform_int<T>& d) { return detail::whole_law<T>(d.lo, d.hi); }
[[nodiscard]] inline Law law_of(const bernoulli& d) { return two_value_law(d.p); }
[[nodiscard]] inline Law law_of(const rademacher&) { return two_value_law(0.5, -1, 1); }

/// Returns the law of any other distribution of real numbers, by its name. Throws Error (invalid_argument) if it has
/// none.
template <detail::NamedReal D> [[nodiscard]] Law law_of(const D& d) {
    const auto bounds = D::support[0] == '(' ? SupportBounds::excluded : SupportBounds::included;
    return named_real_law(D::name, detail::parameters_of(d), detail::storage_of<result_t<D>>,
                          detail::tail_bits_of<result_t<D>>, bounds);
}

/// Returns the law of a distribution of counts, by its name. Throws Error (invalid_argument) if the variance is above
/// 2^40.
template <detail::NamedCount D> [[nodiscard]] Law law_of(const D& d) {
    return named_count_law(D::name, detail::parameters_of(d));
}

namespace detail {
/// Returns the law of another program's values if they have this distribution in this type. Its values may be bounds.
template <class D> [[nodiscard]] Law foreign_law_of(const D& d) { return law_of(d); }
template <NamedReal D> [[nodiscard]] Law foreign_law_of(const D& d) {
    return named_real_law(D::name, parameters_of(d), storage_of<result_t<D>>, tail_bits_of<result_t<D>>);
}
template <class T> [[nodiscard]] Law foreign_law_of(const normal<T>& d) { return law_of(d); }
template <class T> [[nodiscard]] Law foreign_law_of(const normal_icdf<T>& d) { return law_of(d); }
template <class T> [[nodiscard]] Law foreign_law_of(const exponential<T>& d) { return law_of(d); }
template <class T> [[nodiscard]] Law foreign_law_of(const uniform_dense<T>& d) { return law_of(d); }
template <class T> [[nodiscard]] Law foreign_law_of(const uniform<T>& d) { return real_law(d, Ends::closed_open); }
template <class T> [[nodiscard]] Law foreign_law_of(const uniform_open<T>& d) { return real_law(d, Ends::open); }
template <class T> [[nodiscard]] Law foreign_law_of(const uniform_open_closed<T>& d) {
    return real_law(d, Ends::open_closed);
}
}  // namespace detail

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
