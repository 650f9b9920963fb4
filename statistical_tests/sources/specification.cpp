#include "specification.hpp"

#include <rng/core/error.hpp>

#include <algorithm>

namespace rng::stats::detail {
namespace {

[[noreturn]] void refuse(const std::string& message) { rng::detail::refuse("distribution", message); }

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

}  // namespace

std::string Specification::take(const std::string& parameter) {
    const auto found = std::ranges::find(parameters, parameter, &std::pair<std::string, std::string>::first);
    if (found == parameters.end()) return "";
    std::string text = found->second;
    parameters.erase(found);
    return text;
}

Specification parse_specification(const std::string& text) {
    const std::string all = trimmed(text);
    const auto open = all.find('(');
    Specification result{trimmed(all.substr(0, open))};
    if (result.name.empty()) refuse("must be NAME or NAME(PARAMETER=VALUE,...), got '" + text + "'");
    if (open == std::string::npos) return result;
    if (all.back() != ')') refuse("must end with ')', got '" + text + "'");
    const std::string list = all.substr(open + 1, all.size() - open - 2);
    if (trimmed(list).empty()) return result;
    for (std::size_t start = 0; start <= list.size();) {
        const auto comma = std::min(list.find(',', start), list.size());
        const std::string item = list.substr(start, comma - start);
        start = comma + 1;
        const auto equals = item.find('=');
        if (equals == std::string::npos) refuse("parameters must be NAME=VALUE, got '" + trimmed(item) + "'");
        const std::string name = trimmed(item.substr(0, equals));
        for (const auto& [other, value] : result.parameters)
            if (other == name) refuse("a parameter must be given once, got " + name + " twice");
        result.parameters.emplace_back(name, trimmed(item.substr(equals + 1)));
    }
    return result;
}

std::string without_exponent(const std::string& text) {
    const auto e = text.find_first_of("eE");
    if (e == std::string::npos) return text;
    const std::string number = text.substr(0, e);
    const std::string exponent = text.substr(e + (text.compare(e + 1, 1, "+") == 0 ? 2 : 1));
    const auto are_digits = [](const std::string& digits) {
        return !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
    };
    if (!are_digits(number.substr(number.starts_with('-') ? 1 : 0)) || !are_digits(exponent) || exponent.size() > 2)
        return text;
    return number + std::string(std::stoul(exponent), '0');
}

void refuse_name(const std::string& name) {
    std::string known;
    for_each_distribution([&](auto tag) {
        const std::string other = decltype(tag)::type::name;
        if ((", " + known + ", ").find(", " + other + ", ") == std::string::npos)
            known += (known.empty() ? "" : ", ") + other;
    });
    refuse("name must be one of " + known + ", got " + name);
}
void refuse_dtype(const std::string& name, const std::string& known, const std::string& dtype) {
    refuse("type of " + name + " must be one of " + known + ", got " + dtype);
}
void refuse_parameter(const Specification& specification, const std::string& known, const std::string& parameter) {
    const std::string& owner = specification.name;
    refuse(known.empty() ? owner + " must be given no parameter, got " + parameter
                         : "parameter of " + owner + " must be one of " + known + ", got " + parameter);
}
void refuse_value(const std::string& parameter, const char* limit, const std::string& text) {
    refuse(parameter + " " + limit + ", got " + text);
}

}  // namespace rng::stats::detail
