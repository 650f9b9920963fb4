// Parameters to test a distribution with: accepted ones, found by asking its fault(), and any bits. Nothing here knows
// a distribution.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace parity {

namespace detail {

/// The parameters of a distribution, each in a type that holds all of the others. A template for each distribution
/// would take long to compile.
using Numbers = std::vector<long double>;

/// A parameter: what its type can hold.
struct Parameter {
    bool is_real;
    int least_exponent, most_exponent;
    Numbers ordinary;  // ordinary values, then the greatest of the type
};
template <class T> Parameter parameter_of() {
    using Limits = std::numeric_limits<T>;
    Parameter result{std::is_floating_point_v<T>, Limits::min_exponent - 1, Limits::max_exponent, {}};
    if constexpr (std::is_floating_point_v<T>) {
        for (const double x : {0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 7.25, 1.0 / 3, 3.14159265358979, 1e-3, -1e6})
            result.ordinary.push_back(static_cast<T>(x));
        for (const T x : {Limits::max(), Limits::lowest()}) result.ordinary.push_back(x);
    } else {
        result.ordinary = {0, 1, 2, 3, 6, 10, 100};
        for (const T x : {Limits::max(), static_cast<T>(Limits::max() / 2), Limits::lowest()})
            result.ordinary.push_back(static_cast<long double>(x));
    }
    return result;
}

/// The smallest and largest powers of two of either sign that parameter k may be, all else being default.
inline Numbers limits(const Numbers& defaults, std::size_t k, const Parameter& parameter,
                      const std::function<bool(const Numbers&)>& is_accepted) {
    Numbers found;
    if (!parameter.is_real) return found;
    for (const int sign : {1, -1}) {
        Numbers set = defaults;
        long double last = 0;
        for (int e = parameter.least_exponent; e < parameter.most_exponent; ++e) {
            set[k] = std::ldexp(static_cast<long double>(sign), e);
            if (!is_accepted(set)) continue;
            if (last == 0) found.push_back(set[k]);
            last = set[k];
        }
        if (last != 0) found.push_back(last);
    }
    return found;
}

/// The default parameters first, then accepted combinations of ordinary and extreme ones, thinned to about `most`.
inline std::vector<Numbers> accepted_sets(const Numbers& defaults, const std::vector<Parameter>& parameters,
                                          std::size_t most, const std::function<bool(const Numbers&)>& is_accepted) {
    std::vector<Numbers> sets{defaults};
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        Numbers values = parameters[k].ordinary;
        for (const long double limit : limits(defaults, k, parameters[k], is_accepted)) values.push_back(limit);
        std::vector<Numbers> product;
        for (const Numbers& set : sets) {
            product.push_back(set);
            for (const long double value : values) {
                product.push_back(set);
                product.back()[k] = value;
            }
        }
        sets = product;  // some still out of range: the next parameter may mend that
    }
    std::vector<Numbers> accepted{defaults}, thinned;
    for (const Numbers& set : sets)
        if (is_accepted(set)) accepted.push_back(set);
    const std::size_t stride = (accepted.size() + most - 1) / most;
    for (std::size_t k = 0; k < accepted.size(); k += stride) thinned.push_back(accepted[k]);
    return thinned;
}

}  // namespace detail

/// The default parameters first, then accepted combinations of ordinary and extreme ones, thinned to about `most`.
template <class D> std::vector<D> parameter_sets(std::size_t most) {
    const auto with = [](const detail::Numbers& numbers) {
        D dist{};
        std::size_t k = 0;
        D::fields().each([&](const auto& field) {
            using T = std::remove_reference_t<decltype(dist.*field.member)>;
            dist.*field.member = static_cast<T>(numbers[k++]);
        });
        return dist;
    };
    detail::Numbers defaults;
    std::vector<detail::Parameter> parameters;
    D::fields().each([&](const auto& field) {
        const auto value = D{}.*field.member;
        defaults.push_back(static_cast<long double>(value));
        parameters.push_back(detail::parameter_of<std::remove_const_t<decltype(value)>>());
    });
    std::vector<D> sets;
    for (const detail::Numbers& numbers :
         detail::accepted_sets(defaults, parameters, most, [&](const auto& x) { return !with(x).fault(); }))
        sets.push_back(with(numbers));
    return sets;
}

/// Any bits as a T. NaN, infinite, subnormal and huge numbers are made of integers: -ffast-math knows none of these.
template <class T> T any_number(std::mt19937_64& bits) {
    constexpr std::uint64_t sign = std::uint64_t{1} << (8 * sizeof(T) - 1);
    constexpr std::uint64_t infinite = sizeof(T) == 4 ? 0x7f800000u : 0x7ff0000000000000u, one = infinite & -infinite;
    constexpr std::uint64_t special[] = {0, 1, one - 1, one, infinite - 1, infinite, infinite + 1, ~std::uint64_t{0}};
    std::uint64_t made = bits();
    switch (bits() % 4) {
        case 0: made = special[bits() % 8] ^ (bits() % 2 ? sign : 0); break;
        case 1: {
            const double x = std::ldexp(static_cast<double>(made >> 11), static_cast<int>(bits() % 64) - 56);
            return static_cast<T>(std::is_floating_point_v<T> ? x : static_cast<double>(static_cast<T>(made % 128)));
        }
        case 2: made >>= bits() % 64; break;
        default: break;
    }
    T number{};
    std::memcpy(&number, &made, sizeof number);
    return number;
}
/// The distribution with parameters of any bits.
template <class D> D with_any_bits(std::mt19937_64& bits) {
    D dist{};
    D::fields().each([&](const auto& field) {
        using T = std::remove_reference_t<decltype(dist.*field.member)>;
        if (bits() % 4 != 0) dist.*field.member = any_number<T>(bits);
    });
    return dist;
}

}  // namespace parity
