// Sums of arrays, and additions by index: rng/reduce.hpp for arrays of any strides.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <rng/reduce.hpp>
#include <rng/reduce/device_reduce.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "destination.hpp"
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
const Element* find_element(std::string_view dtype) {
    for (const auto& [name, element] : elements)
        if (name == dtype) return &element;
    return nullptr;
}
Element element_of(const Array& array, const char* call, const char* name) {
    const Element* const element = find_element(array.dtype());
    if (element == nullptr)
        throw_type_error(call, ": ", name, " must have real or complex elements, got ", array.dtype());
    return *element;
}
Reduction reduction_of(std::string_view call) {
    constexpr std::pair<std::string_view, Reduction> all[] = {
        {"sum", Reduction::sum},          {"mean", Reduction::mean}, {"variance", Reduction::variance},
        {"norm2", Reduction::norm2},      {"dot", Reduction::dot},   {"vdot", Reduction::vdot},
        {"segmented_sum", Reduction::sum}};
    for (const auto& [name, reduction] : all)
        if (call == name) return reduction;
    throw_value_error("no reduction ", call);
}
bool is_real_result(Reduction reduction) { return reduction == Reduction::variance || reduction == Reduction::norm2; }

/// The elements of an array for reading, in row-major order: in their place if so many strides describe them, and else
/// in a copy.
class Elements {
  public:
    Elements(nb::handle object, size_t strides, const char* call, const char* name = "x")
        : array_(object, call, name), element_(element_of(array_, call, name)) {
        in_place_ = array_.is_aligned() && (dimensions() <= strides || array_.is_contiguous());
        if (!in_place_) copy_ = array_.packed();
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

/// What f(parts) writes in single or double precision, as a number of Python.
template <class F> nb::object number_from(bool is_double, bool is_complex, const F& f) {
    double parts[2] = {};
    if (is_double) {
        f(parts);
    } else {
        float narrow[2] = {};
        f(narrow);
        std::ranges::copy(narrow, parts);
    }
    if (is_complex) return nb::steal(PyComplex_FromDoubles(parts[0], parts[1]));
    return nb::float_(parts[0]);
}

/// The reduction of all elements of x.
ReductionRequest request_of(const char* call, const Elements& x, bool in_double, double correction = 0) {
    const auto [stored, parts] = x.element();
    return {call, reduction_of(call), stored, parts,     in_double || stored == StoredReal::f64, x.array().size(),
            1,    x.line(),           {},     correction};
}
bool is_complex(const ReductionRequest& request) {
    return request.parts == 2 && request.reduction != Reduction::variance && request.reduction != Reduction::norm2;
}

nb::object reduce_all(const char* call, nb::handle x_array, nb::handle y_array, bool in_double, double correction) {
    const Elements x(x_array, 1, call);
    std::optional<Elements> y;
    ReductionRequest request = request_of(call, x, in_double, correction);
    if (!y_array.is_none()) {
        const Array &a = x.array(), &b = y.emplace(y_array, 1, call, "y").array();
        if (a.dtype() != b.dtype())
            throw_type_error(call, ": x and y must have elements of one type, got ", a.dtype(), " and ", b.dtype());
        if (a.size() != b.size())
            throw_value_error(call, ": x and y must have the same size, got ", a.size(), " and ", b.size());
        request.y = y->line();
    }
    return number_from(request.in_double, is_complex(request), [&](void* parts) {
        const nb::gil_scoped_release released;
        rng::detail::reduce(request, parts, 0);
    });
}

/// The axis of an argument, counted from the first dimension.
size_t checked_axis(const Elements& x, long long axis, const char* call) {
    const auto n = static_cast<long long>(x.dimensions());
    if (axis < -n || axis >= n) throw_value_error(call, ": axis must be in [", -n, ", ", n, "), got ", axis);
    return static_cast<size_t>(axis < 0 ? axis + n : axis);
}

/// Shape and type of the results along an axis.
nb::tuple reduced_like(const char* call, nb::handle x_array, long long axis, bool in_double) {
    const Elements x(x_array, 2, call);
    const size_t along = checked_axis(x, axis, call);
    nb::list shape;
    for (size_t k = 0; k < x.dimensions(); ++k)
        if (k != along) shape.append(x.array().shape()[k]);
    const ReductionRequest request = request_of(call, x, in_double);
    constexpr const char* types[2][2] = {{"float32", "float64"}, {"complex64", "complex128"}};
    return nb::make_tuple(nb::tuple(shape), types[is_complex(request)][request.in_double]);
}

/// Writes the results along an axis to `out`, a new array without gaps.
void reduce_along(const char* call, nb::handle x_array, long long axis, nb::handle out_array, bool in_double,
                  double correction) {
    const Elements x(x_array, 2, call);
    const Array out(out_array, call, "out", Array::Access::write);
    const size_t along = checked_axis(x, axis, call);
    size_t outer = 1, inner = 1;
    for (size_t k = 0; k < along; ++k) outer *= x.array().shape()[k];
    for (size_t k = along + 1; k < x.dimensions(); ++k) inner *= x.array().shape()[k];
    // With two dimensions, the other one is the line of results. With more, the elements lie without gaps.
    const bool rows = x.dimensions() == 2 && along == 1;
    ReductionRequest request = request_of(call, x, in_double, correction);
    request.terms = x.array().shape()[along];
    request.results = rows ? outer : inner;
    const ptrdiff_t next = rows ? x.stride(0) : x.dimensions() == 2 ? x.stride(1) : 1;
    const nb::gil_scoped_release released;
    for (size_t k = 0; k < (rows ? 1 : outer); ++k) {
        request.x = {x.data() + k * inner * request.terms * x.array().item_bytes(), x.stride(along), next};
        rng::detail::reduce(request, out.data() + k * inner * out.item_bytes(), 1);
    }
}

/// The index of an array, or of each of its elements.
rng::detail::IndexDescription index_of(const Array& index, const char* call) {
    rng::detail::IndexDescription description{};
    const auto describe = [&]<class T>(rng::type_tag<T>) {
        description = rng::detail::described_index(index.elements<T>().data());
    };
    if (!visit_type<int32_t, uint32_t, int64_t, uint64_t>(index.dtype(), describe))
        throw_type_error(call, ": index must have integers of 32 or 64 bits, got ", index.dtype());
    if (!index.is_aligned()) throw_value_error(call, ": index must have aligned elements");
    return description;
}

ptrdiff_t in_elements(const Array& array, size_t k) {
    return array.shape().size() <= k ? 1 : array.strides()[k] / static_cast<ptrdiff_t>(array.item_bytes());
}

/// index_add if the index has one dimension, and else scatter_add.
void scatter(const std::string& name, nb::handle out_array, nb::handle index_array, nb::handle values_array,
             long long axis, double alpha) {
    const char* const call = name.c_str();
    const Array out(out_array, call, "out", Array::Access::write);
    const Array index(index_array, call, "index");
    const Array values(values_array, call, "values");
    const Element e = element_of(values, call, "values"), to = element_of(out, call, "out");
    const bool is_double = to.stored == StoredReal::f64;
    if (to.parts != e.parts || (!is_double && (e.stored == StoredReal::f64 || to.stored != StoredReal::f32)))
        throw_type_error(
            call, ": out must be of the type in which the values are added: their own, or in double precision; got ",
            out.dtype(), " for ", values.dtype());
    const size_t n = values.shape().size();
    if (n < 1 || n > 2 || out.shape().size() != n)
        throw_value_error(call, ": out and values must have one or two dimensions, and as many; got ",
                          out.shape().size(), " and ", n);
    if (axis < 0 || axis >= static_cast<long long>(n))
        throw_value_error(call, ": axis must be in [0, ", n, "), got ", axis);
    if (!out.is_aligned() || !values.is_aligned())
        throw_value_error(call, ": out and values must have aligned elements");
    const auto along = static_cast<size_t>(axis);
    const size_t other = 1 - along, lines = n == 2 ? values.shape()[other] : 1;
    if (n == 2 && out.shape()[other] != lines)
        throw_value_error(call, ": out and values must have the same number of ", along == 0 ? "columns" : "rows",
                          ", got ", out.shape()[other], " and ", lines);
    rng::detail::ScatterRequest request{};
    request.call = call;
    request.stored = e.stored;
    request.parts = e.parts;
    request.in_double = is_double;
    request.terms = values.shape()[along];
    request.lines = lines;
    request.targets = out.shape()[along];
    request.index = index_of(index, call);
    const bool one_index = name == "index_add";
    const std::span<const size_t> wanted = one_index ? values.shape().subspan(along, 1) : values.shape();
    if (!std::equal(wanted.begin(), wanted.end(), index.shape().begin(), index.shape().end()))
        throw_value_error(call, ": index must have ",
                          one_index ? concat(request.terms, " elements") : "the shape of values");
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

nb::ndarray<nb::numpy, int64_t> counts(nb::handle index_array) {
    const Array index(index_array, "bincount", "index");
    rng::detail::IndexDescription places = index_of(index, "bincount");
    std::vector<std::byte> copy;
    if (!index.is_contiguous()) places.data = (copy = index.packed()).data();
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
    const Array offsets(offsets_array, call, "offsets");
    const Array out(out_array, call, "out", Array::Access::write);
    const bool narrow = offsets.dtype() == "i32";
    if ((!narrow && offsets.dtype() != "i64") || !offsets.is_direct())
        throw_type_error(call, ": offsets must have integers of 32 or 64 bits without gaps, got ", offsets.dtype());
    if (offsets.size() != out.size() + 1) throw_value_error(call, ": offsets must have at least 1 element");
    const ReductionRequest request = request_of(call, x, in_double);
    const nb::gil_scoped_release released;
    rng::detail::segmented_sum(request, offsets.data(), !narrow, out.size(), out.data());
}

/// rng::RunningSum of a type that is chosen at run time.
class RunningSum {
  public:
    RunningSum(std::string_view dtype, bool in_double) : dtype_(dtype), in_double_(in_double) {
        const Element* const element = find_element(dtype);
        if (element == nullptr) throw_type_error("RunningSum: dtype must be of real or complex numbers, got ", dtype);
        element_ = *element;
        is_double_ = in_double || element_.stored == StoredReal::f64;
        state_ = rng::detail::RunningSumState(element_.stored, element_.parts, is_double_);
    }
    void push(nb::handle values, nb::handle first) {
        constexpr const char* call = "RunningSum.push";
        const Elements x(values, 0, call, "values");
        if (x.array().dtype() != dtype_)
            throw_type_error(call, ": values must be of the sum's type, ", dtype_, ", got ", x.array().dtype());
        state_.push(x.data(), x.array().size(), integer_of(first, call, "first"));
    }
    void merge(const RunningSum& other) {
        if (other.dtype_ != dtype_ || other.is_double_ != is_double_)
            throw_type_error("RunningSum.merge: both sums must be of one type, got ", dtype_, " and ", other.dtype_);
        state_.merge(other.state_);
    }
    [[nodiscard]] nb::object total() const {
        return number_from(is_double_, element_.parts == 2, [&](auto* parts) { state_.total(parts); });
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

/// The elements of a type that are added in their own precision, or in float.
Element element_named(const char* call, std::string_view dtype) {
    const Element* const element = find_element(dtype);
    if (element == nullptr) throw_type_error(call, ": elements must be real or complex numbers, got ", dtype);
    return *element;
}

/// Reductions of the rows, or with `by_columns` the columns, of a matrix without gaps, at addresses that the caller has
/// checked. The device is -1 for memory of the host.
void reduce_at(const char* call, const char* reduction, uintptr_t x, uintptr_t y, const char* dtype, size_t terms,
               size_t results, bool by_columns, uintptr_t out, double correction, int device, uintptr_t cuda_stream) {
    const auto [stored, parts] = element_named(call, dtype);
    const auto stride = static_cast<ptrdiff_t>(by_columns ? results : 1);
    const auto next = static_cast<ptrdiff_t>(by_columns ? 1 : terms);
    const ReductionRequest request{call,
                                   reduction_of(reduction),
                                   stored,
                                   parts,
                                   stored == StoredReal::f64,
                                   terms,
                                   results,
                                   {reinterpret_cast<const void*>(x), stride, next},
                                   {reinterpret_cast<const void*>(y), stride, next},
                                   correction};
    const nb::gil_scoped_release released;
    auto* const to = reinterpret_cast<void*>(out);
    if (device < 0)
        rng::detail::reduce(request, to, 1);
    else
        rng::detail::reduce_on_device(request, to, results, reinterpret_cast<rng::cuda_stream>(cuda_stream));
}

/// out[index[k], j] += alpha * values[k, j] in the order of k, of matrices without gaps; with `has_own_lines` index is
/// such a matrix too. The integers have 64 bits.
void scatter_at(const char* call, uintptr_t out, const char* dtype, size_t targets, size_t lines, uintptr_t index,
                bool has_own_lines, size_t terms, uintptr_t values, double alpha, int device, uintptr_t cuda_stream) {
    const auto [stored, parts] = element_named(call, dtype);
    const auto step = static_cast<ptrdiff_t>(lines);
    rng::detail::IndexDescription places = rng::detail::described_index(reinterpret_cast<const int64_t*>(index));
    places.stride = has_own_lines ? step : 1;
    places.line_stride = has_own_lines ? 1 : 0;
    const rng::detail::ScatterRequest request{call,
                                              stored,
                                              parts,
                                              stored == StoredReal::f64,
                                              terms,
                                              lines,
                                              targets,
                                              places,
                                              reinterpret_cast<const void*>(values),
                                              step,
                                              1,
                                              reinterpret_cast<void*>(out),
                                              step,
                                              1,
                                              alpha};
    const nb::gil_scoped_release released;
    if (device < 0)
        rng::detail::scatter(request);
    else
        rng::detail::scatter_on_device(request, reinterpret_cast<rng::cuda_stream>(cuda_stream));
}

}  // namespace

void bind_reduce(nb::module_& m) {
    m.def("counts", counts, any_arg("index"));
    m.def("segmented_sum", segmented_sum, any_arg("x"), any_arg("offsets"), any_arg("out"), "in_double"_a);
    nb::class_<RunningSum>(m, "RunningSum")
        .def(nb::init<std::string_view, bool>(), "dtype"_a, "in_double"_a)
        .def(
            "push",
            [](RunningSum& s, nb::handle values, nb::handle first) {
                named("RunningSum.push", [&] { s.push(values, first); });
            },
            any_arg("values"), any_arg("first"))
        .def(
            "merge", [](RunningSum& s, const RunningSum& other) { named("RunningSum.merge", [&] { s.merge(other); }); },
            "other"_a)
        .def("total", [](const RunningSum& s) { return named("RunningSum.total", [&] { return s.total(); }); })
        .def("__len__", &RunningSum::size)
        .def("to_bytes", &RunningSum::to_bytes)
        .def("set_bytes", &RunningSum::set_bytes, "bytes"_a)
        .def("made_of", &RunningSum::made_of);
    m.def("reduce_all", reduce_all, "call"_a, any_arg("x"), any_arg("y"), "in_double"_a, "correction"_a);
    m.def("reduced_like", reduced_like, "call"_a, any_arg("x"), "axis"_a, "in_double"_a);
    m.def("reduce_along", reduce_along, "call"_a, any_arg("x"), "axis"_a, any_arg("out"), "in_double"_a,
          "correction"_a);
    m.def("reduce_at", reduce_at);
    m.def("scatter_at", scatter_at);
    m.def("scatter", scatter, "call"_a, any_arg("out"), any_arg("index"), any_arg("values"), "axis"_a, "alpha"_a);
}

}  // namespace python
