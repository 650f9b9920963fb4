// A distribution with its parameters, for arrays of any type that it has.
#pragma once

#include <nanobind/nanobind.h>

#include <rng/any_distribution.hpp>

#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace python {

namespace nb = nanobind;

/// A distribution as Python has it: the array that is filled chooses the type of its values.
class Distribution {
  public:
    using Parameters = std::vector<std::pair<std::string, rng::Number>>;
    /// Throws Error if no type of the distribution takes the parameters.
    Distribution(std::string name, Parameters parameters);
    Distribution(const Distribution& other)
        : name_(other.name_),
          parameters_(other.parameters_),
          parts_(other.parts_),
          default_type_(other.default_type_) {}

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const Parameters& parameters() const { return parameters_; }
    /// The numbers of a value: 1, or the parts of a vector, which lie in the last dimension of an array.
    [[nodiscard]] size_t parts() const { return parts_; }
    /// The type of values if none is asked for: NumPy's own choice (f64, i64, c128, bool) where there is one.
    [[nodiscard]] std::string_view default_type() const { return default_type_; }
    /// Returns the distribution with values of a type; "" is its first type. A bernoulli law makes bools.
    /// Throws an Error that begins with "call: " if there is no such type, or if the parameters are out of range there,
    /// and a TypeError if a lower bound is given alone and reaches the default of the upper one.
    [[nodiscard]] const rng::AnyDistribution& of_type(const char* call, std::string_view dtype);

  private:
    [[nodiscard]] rng::AnyDistribution make(const char* call, std::string_view dtype) const;
    /// Throws a TypeError "call: ..." if a lower bound reaches the default of the upper one, which is not given: it is
    /// NumPy's order of arguments, or a slip.
    void require_upper_bound(const char* call, const rng::DistributionInfo& info) const;

    struct Made {
        std::string dtype;
        rng::AnyDistribution law;
    };
    std::string name_;
    Parameters parameters_;
    size_t parts_ = 1;
    std::string_view default_type_;  // of the catalogue
    std::mutex mutex_;
    std::deque<Made> made_;  // references into it stay valid
};

/// A parameter: an int of up to 64 bits, or anything that is a real number (__index__, __float__). Throws TypeError
/// "call: name must be a number, got str".
[[nodiscard]] rng::Number number_of(nb::handle object, const char* call, const char* name);
/// An integer of Python from -2^63 to 2^64 - 1; one below 0 becomes its value modulo 2^64, as rng::Integer has it.
/// Throws TypeError "call: name must be an integer, got bool", and Error (invalid_argument) beyond these bounds.
[[nodiscard]] uint64_t integer_of(nb::handle object, const char* call, const char* name);
/// A string. Throws TypeError "call: name must be a string, got int".
[[nodiscard]] std::string string_of(nb::handle object, const char* call, const char* name);

/// Throws the error with a message that begins with the name of a call of Python, in the place of that of C++.
[[noreturn]] void rethrow(const char* call, const rng::Error& error);

/// Returns f(). An Error of it begins with "call: ".
template <class F> auto named(const char* call, const F& f) {
    try {
        return f();
    } catch (const rng::Error& error) {
        rethrow(call, error);
    }
}

/// Returns f(number), of an argument's number in a type that may be too narrow. An Error of it that ends with this
/// number ends with the argument itself.
template <class N, class F> auto with_number(nb::handle argument, N number, const F& f) {
    try {
        return f(number);
    } catch (const rng::Error& error) {
        const std::string text = error.what(), end = std::to_string(number);
        if (!text.ends_with(" " + end)) throw;
        throw rng::Error(error.code(), text.substr(0, text.size() - end.size()) + nb::str(argument).c_str());
    }
}

}  // namespace python
