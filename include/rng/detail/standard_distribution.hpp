// The functions by which std_distribution (../random.hpp) meets the standard's requirements of a distribution: equality
// of parameters, bounds of the values, text.
#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>

#include "../core/distribution.hpp"
#include "engine_text.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// A distribution of numbers whose parameters are numbers: the standard's requirements are for such distributions.
template <class D>
concept distribution_of_numbers = std::is_arithmetic_v<result_t<D>> && requires {
    D::fields();
    D::support;
};
template <class D>
concept has_equality = std::equality_comparable<D> || requires {
    D::fields();
};

template <has_equality D> [[nodiscard]] bool same_parameters(const D& a, const D& b) {
    if constexpr (std::equality_comparable<D>) {
        return a == b;
    } else {
        bool same = true;
        D::fields().each(
            [&](const auto& field) { same = same && std::equal_to<>()(a.*field.member, b.*field.member); });
        return same;
    }
}

/// The bound that a support names: a whole number, pi, or a parameter. `limit` stands for any other ("inf", "2^32").
template <class D> [[nodiscard]] result_t<D> named_bound(const D& dist, std::string_view name, result_t<D> limit) {
    using T = result_t<D>;
    int number = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
    if (read.ec == std::errc() && read.ptr == name.data() + name.size()) return static_cast<T>(number);
    constexpr double pi = 0x1.921fb54442d18p+1;
    if (name == "pi") return static_cast<T>(pi);
    if (name == "-pi") return static_cast<T>(-pi);
    D::fields().each([&](const auto& field) {
        if (name == field.name) limit = static_cast<T>(dist.*field.member);
    });
    return limit;
}
/// The bounds of a distribution's values: the ends of its support, or of the type's finite values.
template <distribution_of_numbers D> [[nodiscard]] result_t<D> least_value(const D& dist) {
    if constexpr (requires { dist.bad; }) {  // hypergeometric
        return dist.draws > dist.bad ? dist.draws - dist.bad : 0;
    } else {
        const std::string_view support(D::support);
        return named_bound(dist, support.substr(1, support.find(',') - 1), std::numeric_limits<result_t<D>>::lowest());
    }
}
template <distribution_of_numbers D> [[nodiscard]] result_t<D> greatest_value(const D& dist) {
    if constexpr (requires { dist.bad; }) {
        return dist.draws < dist.good ? dist.draws : dist.good;
    } else if constexpr (requires { dist.in_full(); }) {  // zipf
        return dist.in_full().most;
    } else {
        std::string_view support(D::support);
        support.remove_suffix(1);
        return named_bound(dist, support.substr(support.rfind(' ') + 1), std::numeric_limits<result_t<D>>::max());
    }
}

/// Reads a number that operator<< wrote. Sets failbit if the text is not a number of this type.
template <class T, class Char, class Traits> [[nodiscard]] T read_value(std::basic_istream<Char, Traits>& is) {
    std::basic_string<Char, Traits> word;
    is >> word;
    std::basic_istringstream<Char, Traits> text(word);
    text.imbue(is.getloc());
    T value{};
    bool is_number = true;
    if constexpr (std::is_floating_point_v<T>) {
        constexpr T infinity = std::numeric_limits<T>::infinity();
        for (const T end : {infinity, -infinity}) {  // streams write infinities, and do not read them
            const std::string_view name = end > 0 ? "inf" : "-inf";
            if (std::ranges::equal(word, name, {}, [&](Char letter) { return is.narrow(letter, '?'); })) return end;
        }
        text >> value;
    } else if constexpr (std::is_signed_v<T>) {
        long long number = 0;
        text >> number;
        value = static_cast<T>(number);
        is_number = value == number;
    } else {
        value = static_cast<T>(read_number(text, std::numeric_limits<T>::max()));
    }
    if (!is_number || !text || !Traits::eq_int_type(text.peek(), Traits::eof())) is.setstate(std::ios_base::failbit);
    return value;
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
