// Distributions as text: NAME(PARAMETER=VALUE,...).
#pragma once

#include <rng/distributions/catalogue.hpp>

#include <charconv>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace rng::stats::detail {

struct Specification {
    std::string name;
    std::vector<std::pair<std::string, std::string>> parameters = {};  ///< { "mean", "2.5" }

    /// Removes a parameter and returns its text; empty if the parameter is not given.
    std::string take(const std::string& parameter);
};

/// Throws Error (invalid_argument) on text of another form, or if a parameter is named twice.
[[nodiscard]] Specification parse_specification(const std::string& text);

[[noreturn]] void refuse_name(const std::string& name);
[[noreturn]] void refuse_dtype(const std::string& name, const std::string& known, const std::string& dtype);
[[noreturn]] void refuse_parameter(const Specification& specification, const std::string& known,
                                   const std::string& parameter);
[[noreturn]] void refuse_value(const std::string& parameter, const char* limit, const std::string& text);

/// Returns "1000" for "1e3"; any text but a whole number with an exponent stays the same.
[[nodiscard]] std::string without_exponent(const std::string& text);

template <class T> [[nodiscard]] T parse_value(const std::string& parameter, const std::string& text) {
    T value{};
    const std::string number = std::is_integral_v<T> ? without_exponent(text) : text;
    const char* const end = number.data() + number.size();
    const auto parsed = std::from_chars(number.data(), end, value);
    if (parsed.ec != std::errc() || parsed.ptr != end)
        refuse_value(parameter,
                     std::is_integral_v<T> ? "must be a whole number that its type holds"
                                           : "must be a number that its type holds",
                     text);
    return value;
}

/// Returns the distribution with these parameters. Throws Error (invalid_argument) on a parameter that the distribution
/// does not have, or that is out of range.
template <class D> [[nodiscard]] D make_distribution(const Specification& specification) {
    D dist{};
    constexpr auto fields = D::fields();
    std::string known;
    fields.each([&](const auto& field) { known += (known.empty() ? "" : ", ") + std::string(field.name); });
    for (const auto& parameter : specification.parameters) {  // clang 14 cannot capture structured bindings
        bool found = false;
        fields.each([&](const auto& field) {
            if (parameter.first != field.name) return;
            auto& member = dist.*field.member;
            member = parse_value<std::remove_cvref_t<decltype(member)>>(parameter.first, parameter.second);
            found = true;
        });
        if (!found) refuse_parameter(specification, known, parameter.first);
    }
    if (const ParameterFault fault = dist.fault()) {
        std::string text = std::to_string(fault.value);
        for (const auto& [name, given] : specification.parameters)
            if (name == fault.field) text = given;
        refuse_value(fault.field, fault.limit, text);
    }
    return dist;
}

}  // namespace rng::stats::detail
