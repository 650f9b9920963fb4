// fill and at: values into arrays of the CPU's memory or of a GPU's, and single values.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <rng/any_distribution.hpp>
#include <rng/fill.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "distributions.hpp"

namespace python {
namespace {

using rng::AnyStream;
using rng::Generator;

/// Fills of so many bytes let other threads of Python run. Below, that costs more than it gains.
constexpr size_t least_released = 1 << 16;

/// The C++ object of an argument. Throws TypeError "call: what, got int" if it is another one.
template <class T> T& argument(nb::handle object, const char* what) {
    if (!nb::isinstance<T>(object)) throw_type_error(what, ", got ", type_of(object));
    return nb::cast<T&>(object);
}
Distribution& distribution(nb::handle object, const char* call) {
    return argument<Distribution>(object,
                                  concat(call, ": dist must be a distribution, such as librng.normal(0, 1)").c_str());
}

/// The name of a type of values: "f32" of "float32", numpy.float32, numpy.dtype('float32'), torch.float32 or any name
/// that NumPy has for it; "" of None. Throws a TypeError that begins with "call: dtype".
std::string dtype_of(nb::handle object, const std::string& call) {
    if (object.is_none()) return "";
    std::string text = nb::isinstance<nb::type_object>(object) ? nb::cast<std::string>(object.attr("__name__"))
                                                               : nb::cast<std::string>(nb::str(object));
    const auto refuse = [&](const auto&... why) { throw_type_error(call, ": dtype ", why...); };
    if (text.rfind("torch.", 0) == 0) text = text.substr(6);
    if (const ElementType* const type = element_type_named(text)) return type->dtype;
    for (const auto& [name, ours, numpys] : {std::array{"i8", "int8", "int64"}, std::array{"u8", "uint8", "uint64"},
                                             std::array{"f16", "float16", "float128"}})
        if (nb::isinstance<nb::str>(object) && text == name)
            refuse("'", text, "' is ", ours, " in C++ and ", numpys, " in NumPy: write '", ours, "' or '", numpys, "'");
    for (const ElementType& type : element_types())
        if (text == type.dtype) return text;  // "f32"
    if (text == "float") return "f64";
    if (text == "int") return "i64";
    if (text == "complex") return "c128";
    nb::object type;
    try {
        type = nb::module_::import_("numpy").attr("dtype")(object);
    } catch (nb::python_error&) {  // no NumPy, or no name of its
    }
    if (type.is_valid()) {
        if (!nb::cast<bool>(type.attr("isnative"))) refuse("must have the byte order of this machine, got ", text);
        // An integer may be of another type of C, such as long long.
        const auto kind = nb::cast<std::string>(type.attr("kind"));
        const char* const integers = kind == "i" ? "int" : kind == "u" ? "uint" : "";
        for (const std::string& name :
             {nb::cast<std::string>(type.attr("name")), concat(integers, 8 * nb::cast<size_t>(type.attr("itemsize")))})
            if (const ElementType* const known = element_type_named(name)) return known->dtype;
    }
    refuse("must be the name or the type of a number, such as 'float32', got ", text);
    return "";
}

/// The type of a distribution's values whose numbers have a type: "f32x3" of "f32".
std::string type_of_values(const Distribution& dist, std::string_view dtype) {
    return dist.parts() == 1 ? std::string(dtype) : concat(dtype, "x", dist.parts());
}

/// Values that a distribution would write into an array.
struct Fill {
    Array out;
    const rng::AnyDistribution& law;
    size_t parts, n;

    Fill(const char* call, nb::handle array, Distribution& dist, Array::Place place)
        : out(array, call, "out", Array::Access::write, place),
          law(dist.of_type(call, type_of_values(dist, out.dtype()))),
          parts(dist.parts()),
          n(out.size() / parts) {
        if (parts > 1 &&
            (out.shape().empty() || out.shape().back() != parts || !out.is_contiguous(out.shape().size() - 1)))
            throw_value_error(call, ": out must have a last dimension of ", parts, " without gaps for ", dist.name());
    }

    void run(const AnyStream& stream, uint64_t first) const {
        const size_t bytes = n * law.info().value_bytes;
        rng::FillOptions options;
        const Writing writing(out.tensor());
        if (bytes < least_released) return write(stream, first, options);
        options.go_on = [](uint64_t) {
            const nb::gil_scoped_acquire gil;
            if (PyErr_CheckSignals() != 0) nb::raise_python_error();  // Ctrl-C
            return true;
        };
        const nb::gil_scoped_release released;
        write(stream, first, options);
    }

  private:
    void write(const AnyStream& stream, uint64_t first, const rng::FillOptions& options) const {
        if (out.is_direct()) {
            law.fill(out.data(), n, stream, first, options);
        } else if (n > 0) {
            scatter(stream, first, options);
        }
    }
    /// Makes values in a buffer, and copies each to its place.
    void scatter(const AnyStream& stream, uint64_t first, const rng::FillOptions& options) const {
        constexpr size_t buffer_bytes = 1 << 16;
        std::vector<std::max_align_t> buffer(buffer_bytes / sizeof(std::max_align_t));
        auto* const values = reinterpret_cast<std::byte*>(buffer.data());
        const size_t bytes = law.info().value_bytes, most = buffer_bytes / bytes;
        law.fill(values, 1, stream, first + (n - 1));  // the last one: a stream that ends before it writes nothing
        Places places(out, parts > 1 ? 1 : 0);
        for (size_t done = 0; done < n;) {
            const size_t now = std::min(most, n - done);
            law.fill(values, now, stream, first + done);
            for (size_t i = 0; i < now; ++i) std::memcpy(places.next(), values + i * bytes, bytes);
            done += now;
            if (options.go_on) (void)options.go_on(done);
        }
    }
};

AnyStream claimed(Generator& generator, size_t n, const rng::AnyDistribution& law) {
    const auto record = generator.claim("fill", n, static_cast<uint64_t>(law.info().slot_words));
    std::optional<AnyStream> stream;
    rng::visit_engine(record.engine,
                      [&]<class E>(rng::type_tag<E>) { stream.emplace(rng::detail::stream_of<E>(record)); });
    return *stream;
}

/// Submits the fill of memory of a GPU. The first values of `source` are `first...`, if there are such.
template <class Source, class... First>
void submit(const Fill& job, rng::cuda_stream to, Source& source, const First&... first) {
    const auto matrix = job.out.matrix("fill", "out", job.law.info().value_bytes, job.parts > 1 ? 1 : 0);
    const nb::gil_scoped_release released;  // a launch waits if the queue of launches is full
    job.law.fill(matrix, source, first..., to);
}

/// rng.fill for a call of any name.
nb::object fill_as(const char* call, nb::object out, nb::handle law, nb::handle source, nb::handle first,
                   nb::handle stream) {
    Distribution& dist = distribution(law, call);
    const bool from_stream = nb::isinstance<AnyStream>(source);
    if (!from_stream && !nb::isinstance<Generator>(source))
        throw_type_error(call, ": the source must be a Generator or a Stream, got ", type_of(source));
    const uint64_t begin = integer_of(first, call, "first");
    if (!from_stream && begin != 0)
        throw_value_error(call, ": first is for a Stream; a Generator gives its next values");

    if (is_on_gpu(out)) {
        const nb::handle tensor = is_tensor(out) ? nb::handle(out) : nb::handle();
        if (tensor.is_valid()) require_writable(tensor, call, "out");
        const nb::object made = nb::module_::import_("librng._cuda").attr("described")(out, stream);
        const Fill job(call, nb::object(made[0]), dist, Array::Place::gpu);
        const Writing writing(tensor);
        const auto to = reinterpret_cast<rng::cuda_stream>(nb::cast<uintptr_t>(nb::int_(made[1])));
        if (from_stream)
            submit(job, to, nb::cast<const AnyStream&>(source), begin);
        else
            submit(job, to, nb::cast<Generator&>(source));
        return out;
    }
    if (!stream.is_none()) throw_value_error(call, ": stream is for memory of a GPU; out is in the CPU's memory");
    const Fill job(call, out, dist, Array::Place::host);
    if (from_stream) {
        job.run(nb::cast<const AnyStream&>(source), begin);
    } else {
        auto& generator = nb::cast<Generator&>(source);
        rng::detail::require_cpu(call, generator.device());
        if (job.n > 0) job.run(claimed(generator, job.n, job.law), 0);
    }
    return out;
}

nb::object fill(nb::object out, nb::handle law, nb::handle source, nb::handle first, nb::handle stream) {
    return named("fill", [&] { return fill_as("fill", out, law, source, first, stream); });
}

template <class T> nb::object python_value(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    if constexpr (std::is_integral_v<T>)
        return nb::int_(value);
    else if constexpr (requires { value.re; })
        return nb::steal(PyComplex_FromDoubles(static_cast<double>(value.re), static_cast<double>(value.im)));
    else if constexpr (requires { value.x; }) {
        nb::list parts;
        const auto* each = reinterpret_cast<const decltype(value.x)*>(&value);
        for (size_t i = 0; i < sizeof(T) / sizeof value.x; ++i) parts.append(nb::float_(static_cast<double>(each[i])));
        return nb::tuple(parts);
    } else
        return nb::float_(static_cast<double>(value));
}

nb::object at(nb::handle source, nb::handle law_of, nb::handle i, nb::handle dtype) {
    const auto& stream = argument<AnyStream>(source, "at: stream must be a Stream");
    Distribution& dist = distribution(law_of, "at");
    std::string type = dtype_of(dtype, "at");
    if (type.empty()) type = dist.default_type();
    const rng::AnyDistribution& law = dist.of_type("at", type_of_values(dist, type));
    alignas(32) std::byte value[32];
    const uint64_t number = integer_of(i, "at", "i");
    named("at", [&] { law.fill(value, 1, stream, number); });
    if (type == "bool") return nb::bool_(value[0] != std::byte{0});
    nb::object result;
    rng::visit_dtype(law.info().dtype, [&](auto tag) { result = python_value<typename decltype(tag)::type>(value); });
    return result;
}

}  // namespace

void bind_fills(nb::module_& m) {
    m.def("fill", fill, any_arg("out"), any_arg("dist"), any_arg("source"), nb::kw_only(), any_arg("first") = 0,
          any_arg("stream") = nb::none());
    m.def(
        "fill_as",
        [](const char* call, nb::object out, nb::handle dist, nb::handle source) {
            return named(call, [&] { return fill_as(call, out, dist, source, nb::int_(0), nb::none()); });
        },
        "call"_a, any_arg("out"), any_arg("dist"), any_arg("source"));
    m.def("at", at, any_arg("stream"), any_arg("dist"), any_arg("i"), nb::kw_only(), any_arg("dtype") = nb::none());
    m.def("dtype_name", dtype_of, any_arg("dtype"), "call"_a);
    nb::dict names;
    for (const ElementType& type : element_types()) names[type.dtype] = type.name;
    m.attr("dtype_names") = names;
    m.def("require_places",
          [](const char* call, const char* name, size_t item_bytes, const std::vector<size_t>& shape,
             const std::vector<ptrdiff_t>& strides) { require_places(call, name, item_bytes, shape, strides); });
}

}  // namespace python
