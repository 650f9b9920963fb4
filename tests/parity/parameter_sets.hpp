// Parameters to test a distribution with, found by asking its fault(): nothing here knows a distribution.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

namespace parity {

namespace detail {

/// Ordinary values, then the greatest of the type; the powers of two that bound a range are found by limits().
template <class T> std::vector<T> ordinary_values() {
    if constexpr (std::is_floating_point_v<T>) {
        std::vector<T> values;
        for (const double x : {0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 7.25, 1.0 / 3, 3.14159265358979, 1e-3, -1e6})
            values.push_back(static_cast<T>(x));
        values.push_back(std::numeric_limits<T>::max());
        values.push_back(std::numeric_limits<T>::lowest());
        return values;
    } else {
        std::vector<T> values{T{0}, T{1}, T{2}, T{3}, T{6}, T{10}, T{100}};
        values.push_back(std::numeric_limits<T>::max());
        values.push_back(std::numeric_limits<T>::max() / 2);
        values.push_back(std::numeric_limits<T>::lowest());
        return values;
    }
}

/// The smallest and largest powers of two of either sign that `member` may be, all else being default.
template <class D, class T> std::vector<T> limits(T D::*member) {
    std::vector<T> found;
    if constexpr (std::is_floating_point_v<T>) {
        using Limits = std::numeric_limits<T>;
        for (const T sign : {T{1}, T{-1}}) {
            bool any = false;
            T last{};
            for (int e = Limits::min_exponent - 1; e < Limits::max_exponent; ++e) {
                D dist{};
                dist.*member = std::ldexp(sign, e);
                if (dist.fault()) continue;
                if (!any) found.push_back(dist.*member);
                any = true;
                last = dist.*member;
            }
            if (any) found.push_back(last);
        }
    }
    return found;
}

}  // namespace detail

/// The default parameters first, then accepted combinations of ordinary and extreme ones, thinned to about `most`.
template <class D> std::vector<D> parameter_sets(std::size_t most) {
    std::vector<D> sets{D{}};
    D::fields().each([&sets](const auto& field) {
        const auto member = field.member;
        using T = std::remove_reference_t<decltype(D{}.*member)>;
        std::vector<T> values = detail::ordinary_values<T>();
        for (const T limit : detail::limits<D, T>(member)) values.push_back(limit);
        std::vector<D> product;
        for (const D& set : sets) {
            product.push_back(set);
            for (const T value : values) {
                product.push_back(set);
                product.back().*member = value;
            }
        }
        sets = product;  // some still out of range: the next field may mend that
    });
    std::vector<D> accepted{D{}};
    for (const D& set : sets)
        if (!set.fault()) accepted.push_back(set);
    const std::size_t stride = (accepted.size() + most - 1) / most;
    std::vector<D> thinned;
    for (std::size_t k = 0; k < accepted.size(); k += stride) thinned.push_back(accepted[k]);
    return thinned;
}

}  // namespace parity
