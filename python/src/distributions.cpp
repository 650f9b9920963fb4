#include "distributions.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "arrays.hpp"
#include "bindings.hpp"

namespace python {
namespace {

nb::object python_number(const rng::Number& number) {
    if (!number.is_integer()) return nb::float_(number.real());
    return number.is_negative() ? nb::object(nb::int_(static_cast<int64_t>(number.integer())))
                                : nb::object(nb::int_(number.integer()));
}

nb::dict parameters_of(const Distribution& dist) {
    nb::dict all;
    for (const auto& [name, value] : dist.parameters()) all[name.c_str()] = python_number(value);
    return all;
}

/// An integer as messages show it.
std::string shown(nb::handle number) {
    const size_t bits = PyLong_Check(number.ptr()) ? nb::cast<size_t>(number.attr("bit_length")()) : 0;
    return bits > 256 ? concat("an integer of ", bits, " bits") : nb::str(number).c_str();
}

Distribution::Parameters numbers_of(const std::string& name, const nb::dict& parameters) {
    Distribution::Parameters list;
    for (const auto& [key, value] : parameters) {
        const auto parameter = nb::cast<std::string>(key);
        const rng::Number number = number_of(value, name.c_str(), parameter.c_str());
        if (name == "uniform_int" && !number.is_integer() &&
            (PyLong_Check(value.ptr()) || number.real() < -0x1p63 || number.real() >= 0x1p64))
            throw_invalid_argument("uniform_int: ", parameter,
                                   " must be in [-2^63, 2^63), or [0, 2^64) of uint64, got ", shown(value));
        list.emplace_back(parameter, number);
    }
    return list;
}

/// True for a bool of Python or of NumPy, and for one in an array or a tensor.
bool is_bool(nb::handle object) {
    if (PyLong_Check(object.ptr())) return PyBool_Check(object.ptr());
    const nb::object dtype = nb::getattr(object, "dtype", nb::none());
    return std::string_view(nb::str(nb::handle(dtype)).c_str()).ends_with("bool");
}

/// An int of -2^63 to 2^64 - 1; none if it has more bits.
std::optional<rng::Number> narrowed(nb::handle integer) {
    int overflow = 0;
    const long long small = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
    if (overflow == 0) return static_cast<int64_t>(small);
    const unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(integer.ptr()) : 0;
    if (overflow > 0 && PyErr_Occurred() == nullptr) return static_cast<uint64_t>(large);
    PyErr_Clear();
    return std::nullopt;
}

/// An integer of -2^63 to 2^64 - 1, and its value modulo 2^64.
std::pair<nb::object, uint64_t> checked_integer(nb::handle object, const char* call, const char* name) {
    nb::object number;
    if (PyIndex_Check(object.ptr()) && !is_bool(object)) number = nb::steal(PyNumber_Index(object.ptr()));
    if (!number.is_valid()) {
        PyErr_Clear();  // an array: its own message does not say where
        throw_type_error(call, ": ", name, " must be an integer, got ", type_of(object));
    }
    if (const auto narrow = narrowed(number)) return {number, narrow->integer()};
    throw_invalid_argument(
        call, ": ", name, " must be in [-2^63, 2^64), got ", shown(number),
        std::string_view(name) == "seed" ? "; a seed of 128 bits: Stream(seed % 2**64, seed >> 64)" : "");
}

std::string text_of(const Distribution& dist) {
    std::string text;
    for (const auto& [name, value] : dist.parameters())
        text += concat(text.empty() ? "" : ", ", name, "=", nb::repr(python_number(value)).c_str());
    return concat("librng.", dist.name(), "(", text, ")");
}

/// The catalogue as dicts, for Python code that makes a function for each name.
nb::list catalogue() {
    nb::list all;
    for (const rng::DistributionInfo& info : rng::known_distributions()) {
        nb::list parameters;
        for (const rng::ParameterInfo& p : info.parameters)
            parameters.append(nb::make_tuple(p.name, p.dtype, python_number(p.default_value), p.doc));
        nb::dict row;
        row["name"] = info.name;
        row["dtype"] = info.dtype;
        row["summary"] = info.summary;
        row["support"] = info.support;
        row["slot_words"] = info.slot_words;
        row["value_bytes"] = info.value_bytes;
        row["parameters"] = parameters;
        all.append(row);
    }
    return all;
}

}  // namespace

Distribution::Distribution(std::string name, Parameters parameters)
    : name_(std::move(name)), parameters_(std::move(parameters)) {
    constexpr std::array<std::string_view, 4> preferred{"f64", "i64", "c128", "u64"};
    const auto rank_of = [&](std::string_view type) { return std::ranges::find(preferred, type) - preferred.begin(); };
    std::string_view first;  // the default type, with the parts of a vector
    bool is_valid = false;
    std::exception_ptr missing;
    for (const rng::DistributionInfo& info : rng::known_distributions()) {
        if (info.name != name_) continue;
        const std::string_view type(info.dtype), base = type.substr(0, type.find('x'));
        if (base != type) parts_ = static_cast<size_t>(type[base.size() + 1] - '0');
        if (default_type_.empty() || rank_of(base) < rank_of(default_type_)) default_type_ = base, first = type;
        // Parameters are refused where they are written. A type of few bits may refuse more.
        if (is_valid) continue;
        try {
            (void)make(name_.c_str(), type);
            is_valid = true;
        } catch (const nb::builtin_exception&) {
            missing = std::current_exception();
        } catch (const rng::Error&) {  // the message is that of the default type
        }
    }
    if (!is_valid && missing) std::rethrow_exception(missing);
    if (!is_valid) (void)make(first.empty() ? "Distribution" : name_.c_str(), first);
    if (name_ == "bernoulli") default_type_ = "bool";
}

rng::AnyDistribution Distribution::make(const char* call, std::string_view dtype) const {
    const std::string_view type = dtype == "bool" ? "u8" : dtype;
    for (const rng::DistributionInfo& info : rng::known_distributions())
        if (info.name == name_ && info.dtype == type) require_upper_bound(call, info);
    std::vector<rng::AnyDistribution::Parameter> list;
    for (const auto& [name, value] : parameters_) list.push_back({name, value});
    return named(call, [&] { return rng::AnyDistribution(name_, type, list); });
}

void Distribution::require_upper_bound(const char* call, const rng::DistributionInfo& info) const {
    const auto given = [&](std::string_view name) {
        return std::ranges::find(parameters_, name, [](const auto& parameter) { return parameter.first; });
    };
    std::string names;
    for (const rng::ParameterInfo& p : info.parameters) names += concat(names.empty() ? "" : ", ", p.name);
    for (const auto& [low, high] : {std::pair("lo", "hi"), std::pair("left", "right")}) {
        const auto bound = given(low);
        if (bound == parameters_.end() || given(high) != parameters_.end()) continue;
        const nb::object number = python_number(bound->second);
        for (const rng::ParameterInfo& p : info.parameters) {
            const nb::object most = python_number(p.default_value);
            // An integer above the default is out of the type's range.
            if (p.name == std::string_view(high) && (number.equal(most) || (name_ != "uniform_int" && number > most)))
                throw_type_error(call, ": ", high, " is missing, and its default ", nb::repr(most).c_str(),
                                 " is not above ", low, " = ", nb::repr(number).c_str(),
                                 "; this may be NumPy's order, but size comes first: g.", name_, "(size, ", names, ")");
        }
    }
}

const rng::AnyDistribution& Distribution::of_type(const char* call, std::string_view dtype) {
    if (dtype == "bool" && name_ != "bernoulli")
        throw_type_error(call, ": elements of bool take bernoulli alone, got ", name_);
    const std::lock_guard lock(mutex_);
    for (const Made& made : made_)
        if (made.dtype == dtype) return made.law;
    made_.push_back({std::string(dtype), make(call, dtype)});
    return made_.back().law;
}

void rethrow(const char* call, const rng::Error& error) {
    const std::string name = std::string(call) + ": ";
    const std::string text = error.what();
    const size_t end = text.find(": ");
    // "AnyDistribution::fill: ..." has a name of C++; "engine must be one of ..." has none, and RNG_ISA is the user's
    // own.
    const bool has_name = end != text.npos && text.find(' ') == end + 1 && text.rfind("RNG_", 0) != 0;
    const std::string rest = has_name ? text.substr(end + 2) : text;
    throw rng::Error(error.code(), rest.rfind(name, 0) == 0 ? rest : name + rest);
}

rng::Number number_of(nb::handle object, const char* call, const char* name) {
    const auto refuse = [&](const char* what) { throw_type_error(call, ": ", name, what, ", got ", type_of(object)); };
    if (PyBool_Check(object.ptr())) refuse(" must be a number");
    if (PyLong_Check(object.ptr()) == 0 && PyFloat_Check(object.ptr()) == 0 && nb::hasattr(object, "shape")) {
        if (nb::len(nb::object(object.attr("shape"))) > 0) refuse(" must be one number for all values");
        if (is_tensor(object))
            (void)nb::module_::import_("librng._tensors").attr("refuse_gradients")(object, call, name);
    }
    // An array of no dimensions that holds a real number has an __index__ that raises.
    const nb::object number = PyIndex_Check(object.ptr()) ? nb::steal(PyNumber_Index(object.ptr())) : nb::object();
    PyErr_Clear();
    if (number.is_valid()) {
        if (const auto narrow = narrowed(number)) return *narrow;
        constexpr double infinity = std::numeric_limits<double>::infinity();
        const double real = PyLong_AsDouble(number.ptr());
        if (PyErr_Occurred() != nullptr) {
            PyErr_Clear();
            return nb::object(nb::int_(0)) < number ? infinity : -infinity;
        }
        return real;
    }
    const double real = PyFloat_AsDouble(object.ptr());
    if (PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        refuse(" must be a number");
    }
    return real;
}

uint64_t integer_of(nb::handle object, const char* call, const char* name) {
    return checked_integer(object, call, name).second;
}

std::string string_of(nb::handle object, const char* call, const char* name) {
    if (!nb::isinstance<nb::str>(object))
        throw_type_error(call, ": ", name, " must be a string, got ", type_of(object));
    return nb::cast<std::string>(object);
}

void bind_distributions(nb::module_& m) {
    nb::class_<Distribution>(m, "Distribution", "A distribution with its parameters. The array chooses the type.")
        .def(
            "__init__",
            [](Distribution* self, nb::handle name, const nb::kwargs& parameters) {
                const std::string law = string_of(name, "Distribution", "name");
                new (self) Distribution(law, numbers_of(law, parameters));
            },
            any_arg("name"), "parameters"_a)
        .def_prop_ro("name", [](const Distribution& d) { return d.name(); })
        .def_prop_ro("parameters", parameters_of)
        .def_prop_ro("parts", &Distribution::parts)
        .def_prop_ro("default_dtype", [](const Distribution& d) { return std::string(d.default_type()); })
        .def("__reduce__",
             [](nb::handle self) {
                 const auto& d = nb::cast<const Distribution&>(self);
                 return nb::make_tuple(nb::module_::import_("librng._sampling").attr("restored"),
                                       nb::make_tuple(d.name(), parameters_of(d)));
             })
        .def("__repr__", text_of)
        .def("__eq__",
             [](const Distribution& a, nb::handle b) {
                 if (!nb::isinstance<Distribution>(b)) return false;
                 const auto& other = nb::cast<const Distribution&>(b);
                 return a.name() == other.name() && parameters_of(a).equal(parameters_of(other));
             })
        .def("__hash__", [](const Distribution& d) {
            const nb::object numbers = nb::module_::import_("builtins").attr("frozenset")(parameters_of(d).items());
            return nb::hash(nb::make_tuple(d.name(), numbers));
        });
    m.def("catalogue", catalogue);
    m.def("is_bool", is_bool, any_arg("object"));
    m.def(
        "integer",
        [](const char* call, const char* name, nb::handle value) { return checked_integer(value, call, name).first; },
        "call"_a, "name"_a, any_arg("value"));
}

}  // namespace python
