// What the distributions of the catalogue should be: distribution functions, quantiles and moments, from Boost.Math and
// textbook formulas. A distribution of the catalogue without an overload here does not compile in test_statistics.cpp.
#pragma once

#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/uniform.hpp>
#include <cmath>
#include <rng/dist/catalogue.hpp>

namespace support {

template <class T> auto reference(const rng::uniform<T>& d) {
    return boost::math::uniform(static_cast<double>(d.lo), static_cast<double>(d.hi));
}
template <class T> auto reference(const rng::uniform_open<T>& d) { return reference(rng::uniform<T>{d.lo, d.hi}); }
template <class T> auto reference(const rng::uniform_open_closed<T>& d) {
    return reference(rng::uniform<T>{d.lo, d.hi});
}
template <class T> auto reference(const rng::uniform_dense<T>&) { return reference(rng::uniform<T>{}); }
template <class T> auto reference(const rng::normal<T>& d) {
    return boost::math::normal(static_cast<double>(d.mean), static_cast<double>(d.stddev));
}
template <class T> auto reference(const rng::normal_icdf<T>& d) { return reference(rng::normal<T>{d.mean, d.stddev}); }
template <class T> auto reference(const rng::exponential<T>& d) {
    return boost::math::exponential(static_cast<double>(d.rate));
}

/// E (X - E X)^k, for k up to twice highest_moment().
inline double central_moment(const boost::math::uniform& d, int k) {
    const double half = (d.upper() - d.lower()) / 2;
    return k % 2 == 1 ? 0 : std::pow(half, k) / (k + 1);
}
inline double central_moment(const boost::math::normal& d, int k) {
    double product = k % 2 == 1 ? 0 : 1;
    for (int odd = k - 1; odd > 1; odd -= 2) product *= odd;
    return product * std::pow(d.standard_deviation(), k);
}
inline double central_moment(const boost::math::exponential& d, int k) {
    double derangements = 1;  // 1, 0, 1, 2, 9, 44, ...
    for (int i = 1; i <= k; ++i) derangements = i * derangements + (i % 2 == 1 ? -1 : 1);
    return derangements / std::pow(d.lambda(), k);
}

/// The highest power whose mean over 2^20 values is near enough to normal for a tail of 1e-9 (see test_statistics.cpp).
inline int highest_moment(const boost::math::uniform&) { return 4; }
inline int highest_moment(const boost::math::normal&) { return 4; }
inline int highest_moment(const boost::math::exponential&) { return 2; }

}  // namespace support
