// Sums of arrays, and additions by index: rng/reduce.hpp for arrays of any strides.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <rng/reduce.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "distributions.hpp"

namespace python {
namespace {

using rng::detail::Reduction;
using rng::detail::ReductionRequest;
using rng::detail::StoredReal;

struct Element {
    StoredReal stored;
    int parts;
};
constexpr struct {
    std::string_view dtype;
    Element element;
} elements[] = {{"f16", {StoredReal::f16, 1}}, {"bf16", {StoredReal::bf16, 1}}, {"f32", {StoredReal::f32, 1}},
                {"f64", {StoredReal::f64, 1}}, {"c64", {StoredReal::f32, 2}},   {"c128", {StoredReal::f64, 2}}};
Element element_of(const Array& array, const char* call, const char* name) {
    for (const auto& [dtype, element] : elements)
        if (array.dtype() == dtype) return element;
    throw nb::type_error(
        (std::string(call) + ": " + name + " must have real or complex elements, got " + std::string(array.dtype()))
            .c_str());
}
Reduction reduction_of(const std::string& call) {
    constexpr std::pair<std::string_view, Reduction> all[] = {
        {"sum", Reduction::sum},          {"mean", Reduction::mean}, {"variance", Reduction::variance},
        {"norm2", Reduction::norm2},      {"dot", Reduction::dot},   {"vdot", Reduction::vdot},
        {"segmented_sum", Reduction::sum}};
    for (const auto& [name, reduction] : all)
        if (call == name) return reduction;
    throw nb::value_error(("no reduction " + call).c_str());
}
bool is_real_result(Reduction reduction) { return reduction == Reduction::variance || reduction == Reduction::norm2; }

/// The elements of an array for reading, in row-major order: in their place if so many strides describe them, and else
/// in a copy.
class Elements {
  public:
    Elements(nb::handle object, size_t strides, const char* call, const char* name = "x")
        : array_(object, Array::Access::read, call, name), element_(element_of(array_, call, name)) {
        in_place_ = array_.is_aligned() && (dimensions() <= strides || array_.is_contiguous());
        if (in_place_) return;
        copy_.resize(array_.size() * array_.item_bytes());
        Places places(array_);
        for (size_t i = 0; i < array_.size(); ++i)
            std::memcpy(copy_.data() + i * array_.item_bytes(), places.next(), array_.item_bytes());
    }
    [[nodiscard]] const Array& array() const { return array_; }
    [[nodiscard]] Element element() const { return element_; }
    [[nodiscard]] const std::byte* data() const { return in_place_ ? array_.data() : copy_.data(); }
    [[nodiscard]] size_t dimensions() const { return array_.shape().size(); }
    /// In elements.
    [[nodiscard]] ptrdiff_t stride(size_t k) const {
        if (in_place_) return array_.strides()[k] / static_cast<ptrdiff_t>(array_.item_bytes());
        size_t step = 1;
        for (size_t j = k + 1; j < dimensions(); ++j) step *= array_.shape()[j];
        return static_cast<ptrdiff_t>(step);
    }
    /// All of them as the terms of one result; they have one stride.
    [[nodiscard]] rng::detail::Terms line() const { return {data(), dimensions() == 1 ? stride(0) : 1, 0}; }

  private:
    Array array_;
    Element element_;
    bool in_place_ = true;
    std::vector<std::byte> copy_;
};

nb::object number_of(const double* parts, bool is_complex) {
    if (is_complex) return nb::steal(PyComplex_FromDoubles(parts[0], parts[1]));
    return nb::float_(parts[0]);
}

nb::object reduce_all(const std::string& call, nb::handle x_array, nb::handle y_array, bool in_double,
                      double correction) {
    const Reduction reduction = reduction_of(call);
    const Elements x(x_array, 1, call.c_str());
    const Element e = x.element();
    const bool is_double = in_double || e.stored == StoredReal::f64;
    ReductionRequest request{call.c_str(),     reduction, e.stored, e.parts, is_double,
                             x.array().size(), 1,         x.line(), {},      correction};
    double parts[2] = {};
    const auto run = [&] {
        const nb::gil_scoped_release released;
        if (is_double) {
            rng::detail::reduce(request, parts, 0);
        } else {
            float narrow[2] = {};
            rng::detail::reduce(request, narrow, 0);
            parts[0] = static_cast<double>(narrow[0]), parts[1] = static_cast<double>(narrow[1]);
        }
    };
    if (y_array.is_none()) {
        run();
    } else {
        const Elements y(y_array, 1, call.c_str(), "y");
        if (y.array().dtype() != x.array().dtype())
            throw nb::type_error((call + ": x and y must have elements of one type, got " +
                                  std::string(x.array().dtype()) + " and " + std::string(y.array().dtype()))
                                     .c_str());
        if (y.array().size() != x.array().size())
            throw nb::value_error((call + ": x and y must have the same size, got " + std::to_string(x.array().size()) +
                                   " and " + std::to_string(y.array().size()))
                                      .c_str());
        request.y = y.line();
        run();
    }
    return number_of(parts, e.parts == 2 && !is_real_result(reduction));
}

/// The axis of an argument, counted from the first dimension.
size_t checked_axis(const Elements& x, long long axis, const std::string& call) {
    const auto n = static_cast<long long>(x.dimensions());
    if (axis < -n || axis >= n)
        throw nb::value_error((call + ": axis must be in [" + std::to_string(-n) + ", " + std::to_string(n) +
                               "), got " + std::to_string(axis))
                                  .c_str());
    return static_cast<size_t>(axis < 0 ? axis + n : axis);
}

/// Shape and type of the results along an axis.
nb::tuple reduced_like(const std::string& call, nb::handle x_array, long long axis, bool in_double) {
    const Elements x(x_array, 2, call.c_str());
    const size_t along = checked_axis(x, axis, call);
    nb::list shape;
    for (size_t k = 0; k < x.dimensions(); ++k)
        if (k != along) shape.append(x.array().shape()[k]);
    const bool is_double = in_double || x.element().stored == StoredReal::f64;
    const bool is_complex = x.element().parts == 2 && !is_real_result(reduction_of(call));
    return nb::make_tuple(nb::tuple(shape), is_complex  ? is_double ? "complex128" : "complex64"
                                            : is_double ? "float64"
                                                        : "float32");
}

/// Writes the results along an axis to `out`, a new array without gaps.
void reduce_along(const std::string& call, nb::handle x_array, long long axis, nb::handle out_array, bool in_double,
                  double correction) {
    const Elements x(x_array, 2, call.c_str());
    const Array out(out_array, Array::Access::write, call.c_str(), "out");
    const size_t along = checked_axis(x, axis, call);
    const Element e = x.element();
    size_t outer = 1, inner = 1;
    for (size_t k = 0; k < along; ++k) outer *= x.array().shape()[k];
    for (size_t k = along + 1; k < x.dimensions(); ++k) inner *= x.array().shape()[k];
    const size_t bytes = x.array().item_bytes();
    const bool is_double = in_double || e.stored == StoredReal::f64;
    const nb::gil_scoped_release released;
    // With two dimensions, the other one is the line of results. With more, the elements lie without gaps.
    const bool rows = x.dimensions() == 2 && along == 1;
    ReductionRequest request{call.c_str(),
                             reduction_of(call),
                             e.stored,
                             e.parts,
                             is_double,
                             x.array().shape()[along],
                             rows ? outer : inner,
                             {},
                             {},
                             correction};
    const ptrdiff_t next = rows ? x.stride(0) : x.dimensions() == 2 ? x.stride(1) : 1;
    for (size_t k = 0; k < (rows ? 1 : outer); ++k) {
        request.x = {x.data() + k * inner * x.array().shape()[along] * bytes, x.stride(along), next};
        rng::detail::reduce(request, out.data() + k * inner * out.item_bytes(), 1);
    }
}

/// The index of an array, or of each of its elements.
rng::detail::IndexDescription index_of(const Array& index, const char* call) {
    const std::string_view dtype = index.dtype();
    const bool narrow = dtype == "i32" || dtype == "u32";
    if (!narrow && dtype != "i64" && dtype != "u64")
        throw nb::type_error(
            (std::string(call) + ": index must have integers of 32 or 64 bits, got " + std::string(dtype)).c_str());
    if (!index.is_aligned()) throw nb::value_error((std::string(call) + ": index must have aligned elements").c_str());
    return {index.data(), narrow ? 4 : 8, dtype[0] == 'i'};
}

ptrdiff_t in_elements(const Array& array, size_t k) {
    return array.shape().size() <= k ? 1 : array.strides()[k] / static_cast<ptrdiff_t>(array.item_bytes());
}

/// index_add if the index has one dimension, and else scatter_add.
void scatter(const std::string& call, nb::handle out_array, nb::handle index_array, nb::handle values_array,
             long long axis, double alpha) {
    const Array out(out_array, Array::Access::write, call.c_str(), "out");
    const Array index(index_array, Array::Access::read, call.c_str(), "index");
    const Array values(values_array, Array::Access::read, call.c_str(), "values");
    const Element e = element_of(values, call.c_str(), "values"), to = element_of(out, call.c_str(), "out");
    const bool is_double = to.stored == StoredReal::f64;
    if (to.parts != e.parts || (!is_double && (e.stored == StoredReal::f64 || to.stored != StoredReal::f32)))
        throw nb::type_error(
            (call + ": out must be of the type in which the values are added: their own, or in double precision; got " +
             std::string(out.dtype()) + " for " + std::string(values.dtype()))
                .c_str());
    const size_t n = values.shape().size();
    if (n < 1 || n > 2 || out.shape().size() != n)
        throw nb::value_error((call + ": out and values must have one or two dimensions, and as many; got " +
                               std::to_string(out.shape().size()) + " and " + std::to_string(n))
                                  .c_str());
    if (axis < 0 || axis >= static_cast<long long>(n))
        throw nb::value_error(
            (call + ": axis must be in [0, " + std::to_string(n) + "), got " + std::to_string(axis)).c_str());
    if (!out.is_aligned() || !values.is_aligned())
        throw nb::value_error((call + ": out and values must have aligned elements").c_str());
    const auto along = static_cast<size_t>(axis);
    const size_t other = 1 - along, lines = n == 2 ? values.shape()[other] : 1;
    if (n == 2 && out.shape()[other] != lines)
        throw nb::value_error((call + ": out and values must have the same number of " +
                               (along == 0 ? "columns" : "rows") + ", got " + std::to_string(out.shape()[other]) +
                               " and " + std::to_string(lines))
                                  .c_str());
    rng::detail::ScatterRequest request{};
    request.call = call.c_str();
    request.stored = e.stored;
    request.parts = e.parts;
    request.in_double = is_double;
    request.terms = values.shape()[along];
    request.lines = lines;
    request.targets = out.shape()[along];
    request.index = index_of(index, call.c_str());
    const bool one_index = call == "index_add";
    const std::span<const size_t> wanted = one_index ? values.shape().subspan(along, 1) : values.shape();
    if (!std::equal(wanted.begin(), wanted.end(), index.shape().begin(), index.shape().end()))
        throw nb::value_error((call + ": index must have " +
                               (one_index ? std::to_string(request.terms) + " elements" : "the shape of values"))
                                  .c_str());
    request.index.stride = in_elements(index, one_index ? 0 : along);
    request.index.line_stride = one_index ? 0 : n == 2 ? in_elements(index, other) : 0;
    request.values = values.data();
    request.value_stride = in_elements(values, along);
    request.value_line = n == 2 ? in_elements(values, other) : 0;
    request.out = out.data();
    request.out_stride = in_elements(out, along);
    request.out_line = n == 2 ? in_elements(out, other) : 0;
    request.alpha = alpha;
    if (request.terms == 0 || lines == 0) return;
    const Writing writing(out.tensor());
    const nb::gil_scoped_release released;
    rng::detail::scatter(request);
}

/// The index in its place, or in `copy` if it has gaps.
rng::detail::IndexDescription index_of(const Array& index, const char* call, std::vector<std::byte>& copy) {
    rng::detail::IndexDescription places = index_of(index, call);
    if (index.is_contiguous()) return places;
    Places each(index);
    copy.resize(index.size() * index.item_bytes());
    for (size_t i = 0; i < index.size(); ++i)
        std::memcpy(copy.data() + i * index.item_bytes(), each.next(), index.item_bytes());
    places.data = copy.data();
    return places;
}

nb::ndarray<nb::numpy, int64_t> counts(nb::handle index_array) {
    const Array index(index_array, Array::Access::read, "bincount", "index");
    std::vector<std::byte> copy;
    const rng::detail::IndexDescription places = index_of(index, "bincount", copy);
    auto* const made = new std::vector<int64_t>;
    const nb::capsule owner(made, [](void* p) noexcept { delete static_cast<std::vector<int64_t>*>(p); });
    {
        const nb::gil_scoped_release released;
        *made = rng::detail::counts_of("bincount", places, index.size());
    }
    return nb::ndarray<nb::numpy, int64_t>(made->data(), {made->size()}, owner);
}

void segmented_sum(nb::handle x_array, nb::handle offsets_array, nb::handle out_array, bool in_double) {
    constexpr const char* call = "segmented_sum";
    const Elements x(x_array, 0, call);
    const Array offsets(offsets_array, Array::Access::read, call, "offsets");
    const Array out(out_array, Array::Access::write, call, "out");
    const bool narrow = offsets.dtype() == "i32";
    if ((!narrow && offsets.dtype() != "i64") || !offsets.is_contiguous() || !offsets.is_aligned())
        throw nb::type_error((std::string(call) + ": offsets must have integers of 32 or 64 bits without gaps, got " +
                              std::string(offsets.dtype()))
                                 .c_str());
    if (offsets.size() != out.size() + 1)
        throw nb::value_error((std::string(call) + ": offsets must have at least 1 element").c_str());
    const Element e = x.element();
    const ReductionRequest request{
        call, Reduction::sum, e.stored, e.parts, in_double || e.stored == StoredReal::f64, x.array().size(),
        1,    x.line()};
    const nb::gil_scoped_release released;
    rng::detail::segmented_sum(request, offsets.data(), !narrow, out.size(), out.data());
}

/// rng::RunningSum of a type that is chosen at run time.
class RunningSum {
  public:
    RunningSum(std::string_view dtype, bool in_double) : dtype_(dtype), in_double_(in_double) {
        for (const auto& [name, element] : elements)
            if (name == dtype) {
                element_ = element;
                is_double_ = in_double || element.stored == StoredReal::f64;
                state_ = rng::detail::RunningSumState(element.stored, element.parts, is_double_);
                return;
            }
        throw nb::type_error(("RunningSum: dtype must be of real or complex numbers, got " + dtype_).c_str());
    }
    void push(nb::handle values, nb::handle first) {
        constexpr const char* call = "RunningSum.push";
        const Elements x(values, 0, call, "values");
        if (x.array().dtype() != dtype_)
            throw nb::type_error((std::string(call) + ": values must be of the sum's type, " + dtype_ + ", got " +
                                  std::string(x.array().dtype()))
                                     .c_str());
        state_.push(x.data(), x.array().size(), integer_of(first, call, "first"));
    }
    void merge(const RunningSum& other) {
        if (other.dtype_ != dtype_ || other.is_double_ != is_double_)
            throw nb::type_error(
                ("RunningSum.merge: both sums must be of one type, got " + dtype_ + " and " + other.dtype_).c_str());
        state_.merge(other.state_);
    }
    [[nodiscard]] nb::object total() const {
        double parts[2] = {};
        if (is_double_) {
            state_.total(parts);
        } else {
            float narrow[2] = {};
            state_.total(narrow);
            parts[0] = static_cast<double>(narrow[0]), parts[1] = static_cast<double>(narrow[1]);
        }
        return number_of(parts, element_.parts == 2);
    }
    [[nodiscard]] uint64_t size() const { return state_.size(); }
    [[nodiscard]] nb::bytes to_bytes() const {
        const std::vector<std::byte> bytes = state_.to_bytes();
        return nb::bytes(bytes.data(), bytes.size());
    }
    void set_bytes(const nb::bytes& bytes) {
        state_.from_bytes({static_cast<const std::byte*>(bytes.data()), bytes.size()});
    }
    [[nodiscard]] nb::tuple made_of() const { return nb::make_tuple(dtype_, in_double_); }

  private:
    std::string dtype_;
    bool in_double_, is_double_ = false;
    Element element_{};
    rng::detail::RunningSumState state_{StoredReal::f32, 1, false};
};

}  // namespace

void bind_reduce(nb::module_& m) {
    m.def("counts", counts, nb::arg("index").none());
    m.def("segmented_sum", segmented_sum, nb::arg("x").none(), nb::arg("offsets").none(), nb::arg("out").none(),
          nb::arg("in_double"));
    nb::class_<RunningSum>(m, "RunningSum")
        .def(nb::init<std::string_view, bool>(), nb::arg("dtype"), nb::arg("in_double"))
        .def(
            "push",
            [](RunningSum& s, nb::handle values, nb::handle first) {
                named("RunningSum.push", [&] { s.push(values, first); });
            },
            nb::arg("values").none(), nb::arg("first").none())
        .def(
            "merge", [](RunningSum& s, const RunningSum& other) { named("RunningSum.merge", [&] { s.merge(other); }); },
            nb::arg("other"))
        .def("total", [](const RunningSum& s) { return named("RunningSum.total", [&] { return s.total(); }); })
        .def("__len__", &RunningSum::size)
        .def("to_bytes", &RunningSum::to_bytes)
        .def("set_bytes", &RunningSum::set_bytes, nb::arg("bytes"))
        .def("made_of", &RunningSum::made_of);
    m.def("reduce_all", reduce_all, nb::arg("call"), nb::arg("x").none(), nb::arg("y").none(), nb::arg("in_double"),
          nb::arg("correction"));
    m.def("reduced_like", reduced_like, nb::arg("call"), nb::arg("x").none(), nb::arg("axis"), nb::arg("in_double"));
    m.def("reduce_along", reduce_along, nb::arg("call"), nb::arg("x").none(), nb::arg("axis"), nb::arg("out").none(),
          nb::arg("in_double"), nb::arg("correction"));
    m.def("scatter", scatter, nb::arg("call"), nb::arg("out").none(), nb::arg("index").none(), nb::arg("values").none(),
          nb::arg("axis"), nb::arg("alpha"));
}

}  // namespace python
