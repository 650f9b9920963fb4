#include "distributions.hpp"

#include <nanobind/stl/string.h>

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

std::vector<std::pair<std::string, rng::Number>> numbers_of(const std::string& name, const nb::dict& parameters) {
    std::vector<std::pair<std::string, rng::Number>> list;
    for (const auto& [key, value] : parameters) {
        const auto parameter = nb::cast<std::string>(key);
        list.emplace_back(parameter, number_of(value, name, parameter));
    }
    return list;
}

std::string text_of(const Distribution& dist) {
    std::string text = "librng." + dist.name() + "(";
    bool first = true;
    for (const auto& [name, value] : dist.parameters()) {
        text += (first ? "" : ", ") + name + "=" + nb::cast<std::string>(nb::repr(python_number(value)));
        first = false;
    }
    return text + ")";
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

Distribution::Distribution(std::string name, std::vector<std::pair<std::string, rng::Number>> parameters)
    : name_(std::move(name)), parameters_(std::move(parameters)) {
    constexpr std::string_view preferred = "f64 i64 c128 u64";
    std::optional<rng::Error> fault;
    bool is_sound = false;
    for (const rng::DistributionInfo& info : rng::known_distributions()) {
        if (info.name != name_) continue;
        const std::string_view type(info.dtype), base = type.substr(0, type.find('x'));
        if (base != type) parts_ = static_cast<size_t>(type[base.size() + 1] - '0');
        if (default_type_.empty() || preferred.find(base) != std::string_view::npos) default_type_ = base;
        // Parameters are refused where they are written. A type of few bits may refuse more.
        if (is_sound) continue;
        try {
            (void)make(type);
            is_sound = true;
        } catch (const rng::Error& error) {
            fault = error;
        }
    }
    if (!is_sound && fault) throw rng::Error(*fault);
    if (!is_sound) (void)make("");  // an unknown name
    if (name_ == "bernoulli") default_type_ = "bool";
}

rng::AnyDistribution Distribution::make(std::string_view dtype) const {
    std::vector<rng::AnyDistribution::Parameter> list;
    for (const auto& [name, value] : parameters_) list.push_back({name, value});
    return {name_, dtype == "bool" ? "u8" : dtype, list};
}

const rng::AnyDistribution& Distribution::of_type(std::string_view dtype) {
    if (dtype == "bool" && name_ != "bernoulli")
        throw nb::type_error((name_ + ": elements of bool take bernoulli alone").c_str());
    const std::lock_guard lock(mutex_);
    for (const Made& made : made_)
        if (made.dtype == dtype) return made.law;
    made_.push_back({std::string(dtype), make(dtype)});
    return made_.back().law;
}

rng::Number number_of(nb::handle object, const std::string& call, const std::string& name) {
    const auto refuse = [&](const std::string& why) { throw nb::type_error((call + ": " + name + " " + why).c_str()); };
    if (PyBool_Check(object.ptr())) refuse("must be a number, got bool");
    if (PyIndex_Check(object.ptr())) {
        const nb::object number = nb::steal(PyNumber_Index(object.ptr()));
        if (!number.is_valid()) nb::raise_python_error();
        int overflow = 0;
        const long long small = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
        if (overflow == 0) return static_cast<int64_t>(small);
        const unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(number.ptr()) : 0;
        if (overflow > 0 && PyErr_Occurred() == nullptr) return static_cast<uint64_t>(large);
        PyErr_Clear();
        const double real = PyLong_AsDouble(number.ptr());
        if (PyErr_Occurred() != nullptr) {
            PyErr_Clear();
            return overflow > 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
        }
        return real;
    }
    const double real = PyFloat_AsDouble(object.ptr());
    if (PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        refuse("must be a number, got " + type_of(object));
    }
    return real;
}

uint64_t integer_of(nb::handle object, const char* call, const char* name) {
    if (PyBool_Check(object.ptr()) || !PyIndex_Check(object.ptr()))
        throw nb::type_error((std::string(call) + ": " + name + " must be an integer, got " + type_of(object)).c_str());
    const nb::object number = nb::steal(PyNumber_Index(object.ptr()));
    if (!number.is_valid()) nb::raise_python_error();
    return PyLong_AsUnsignedLongLongMask(number.ptr());
}

void bind_distributions(nb::module_& m) {
    nb::class_<Distribution>(m, "Distribution", "A distribution with its parameters. The array chooses the type.")
        .def("__init__",
             [](Distribution* self, const std::string& name, const nb::kwargs& parameters) {
                 new (self) Distribution(name, numbers_of(name, parameters));
             })
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
}

}  // namespace python
