// Parameters to test a distribution with: accepted ones, found by asking its fault(), and any bits. Nothing here knows
// a distribution.
#pragma once

#include <rng/any_distribution.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace parity {

namespace detail {

/// The parameters of a distribution, in their order. The library knows their types: a template for each distribution
/// would take long to compile.
using Numbers = std::vector<rng::Number>;

/// A parameter: what its type can hold.
struct Parameter {
    bool is_real = false;
    int least_exponent = 0, most_exponent = 0;
    Numbers ordinary = {};  // ordinary values, then the greatest of the type
};
inline Parameter parameter_of(const char* dtype) {
    Parameter result;
    rng::visit_dtype(dtype, [&]<class T>(rng::type_tag<T>) {
        using Limits = std::numeric_limits<T>;
        if constexpr (std::is_floating_point_v<T>) {
            result = {true, Limits::min_exponent - 1, Limits::max_exponent};
            // 7.25, 20.5 and 300.25 as a mean choose the three methods of a Poisson variable.
            for (const double x :
                 {0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 7.25, 20.5, 300.25, 1.0 / 3, 3.14159265358979, 1e-3, -1e6})
                result.ordinary.emplace_back(x);
            for (const T x : {Limits::max(), Limits::lowest()}) result.ordinary.emplace_back(x);
        } else if constexpr (std::is_integral_v<T>) {
            for (const T x :
                 {T(0), T(1), T(2), T(3), T(6), T(10), T(100), Limits::max(), T(Limits::max() / 2), Limits::lowest()})
                result.ordinary.emplace_back(x);
        }
    });
    return result;
}

/// Returns true if the distribution accepts these parameters.
inline bool is_accepted(const rng::DistributionInfo& info, const Numbers& numbers) {
    std::vector<rng::AnyDistribution::Parameter> given;
    for (std::size_t k = 0; k < numbers.size(); ++k) given.push_back({info.parameters[k].name, numbers[k]});
    return !rng::AnyDistribution::find_fault(info.name, info.dtype, given);
}

/// The smallest and largest powers of two of either sign that parameter k may be, all else being default.
inline Numbers limits(const rng::DistributionInfo& info, const Numbers& defaults, std::size_t k,
                      const Parameter& parameter) {
    Numbers found;
    if (!parameter.is_real) return found;
    for (const double sign : {1.0, -1.0}) {
        Numbers set = defaults;
        double last = 0;
        for (int e = parameter.least_exponent; e < parameter.most_exponent; ++e) {
            set[k] = std::ldexp(sign, e);
            if (!is_accepted(info, set)) continue;
            if (last == 0) found.push_back(set[k]);
            last = set[k].real();
        }
        if (last != 0) found.emplace_back(last);
    }
    return found;
}

/// The default parameters first, then accepted combinations of ordinary and extreme ones, thinned to about `most`.
inline std::vector<rng::AnyDistribution> accepted_sets(const rng::DistributionInfo& info, std::size_t most) {
    Numbers defaults;
    for (const rng::ParameterInfo& parameter : info.parameters) defaults.push_back(parameter.default_value);
    std::vector<Numbers> sets{defaults};
    for (std::size_t k = 0; k < defaults.size(); ++k) {
        const Parameter parameter = parameter_of(info.parameters[k].dtype);
        Numbers values = parameter.ordinary;
        for (const rng::Number& limit : limits(info, defaults, k, parameter)) values.push_back(limit);
        std::vector<Numbers> product;
        for (const Numbers& set : sets) {
            product.push_back(set);
            for (const rng::Number& value : values) {
                product.push_back(set);
                product.back()[k] = value;
            }
        }
        sets = product;  // some still out of range: the next parameter may mend that
    }
    std::vector<Numbers> accepted{defaults};
    for (const Numbers& set : sets)
        if (is_accepted(info, set)) accepted.push_back(set);
    const std::size_t stride = (accepted.size() + most - 1) / most;
    std::vector<rng::AnyDistribution> thinned;
    for (std::size_t i = 0; i < accepted.size(); i += stride) {
        std::vector<rng::AnyDistribution::Parameter> given;
        for (std::size_t k = 0; k < defaults.size(); ++k) given.push_back({info.parameters[k].name, accepted[i][k]});
        thinned.emplace_back(info.name, info.dtype, given);
    }
    return thinned;
}

}  // namespace detail

/// The default parameters first, then accepted combinations of ordinary and extreme ones, thinned to about `most`.
template <class D> class ParameterSets {
  public:
    explicit ParameterSets(std::size_t most)
        : sets_(detail::accepted_sets(rng::known_distributions()[rng::catalogue_index<D>], most)) {}
    [[nodiscard]] std::size_t size() const { return sets_.size(); }
    [[nodiscard]] D operator[](std::size_t k) const { return *sets_[k].as<D>(); }

  private:
    std::vector<rng::AnyDistribution> sets_;
};

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
