#include "bindings.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <rng/permutation.hpp>
#include <rng/shuffle.hpp>

#include <cstddef>
#include <optional>
#include <span>

#include "destination.hpp"
#include "distributions.hpp"

namespace python {
namespace {

using rng::AnyStream;
using rng::Generator;

/// Calls f(stream) with the stream in its type.
template <class F> void with_stream(const AnyStream& any, const F& f) {
    rng::visit_engine(any.engine(), [&]<class E>(rng::type_tag<E>) { f(any.stream<E>()); });
}

nb::bytes bytes_of(const std::vector<std::byte>& state) { return nb::bytes(state.data(), state.size()); }

/// Sets the state of the bytes of any buffer.
void set_state(Generator& generator, nb::handle state, const char* call) {
    if (!PyObject_CheckBuffer(state.ptr())) throw_type_error(call, ": state must be bytes, got ", type_of(state));
    const nb::bytes bytes(nb::steal(PyBytes_FromObject(state.ptr())));
    if (!bytes.is_valid()) nb::raise_python_error();
    named(call, [&] { generator.set_state({static_cast<const std::byte*>(bytes.data()), bytes.size()}); });
}

/// What pickle takes, in every protocol: __new__ without arguments, then __setstate__.
nb::tuple reduced(nb::handle self) {
    return nb::make_tuple(nb::module_::import_("copyreg").attr("__newobj__"), nb::make_tuple(self.type()),
                          self.attr("__getstate__")());
}

rng::Engine engine_of(nb::handle name, const char* call) {
    return named(call, [&] { return rng::parse_engine(string_of(name, call, "engine")); });
}

/// The device of its name, or of a torch.device.
rng::Device device_of(nb::handle device) {
    const bool is_torchs = nb::cast<std::string>(nb::str(device.type())) == "<class 'torch.device'>";
    const std::string name =
        is_torchs ? nb::cast<std::string>(nb::str(device)) : string_of(device, "Generator", "device");
    return named("Generator: device", [&] { return rng::parse_device(name); });
}

/// A generator of a seed, or one that goes on where a stream stands. The engine of None is that of the stream, or the
/// default.
Generator generator_of(nb::handle seed, nb::handle engine, nb::handle device) {
    const rng::Device on = device_of(device);
    if (!nb::isinstance<AnyStream>(seed)) {
        const uint64_t number = integer_of(seed, "Generator", "seed");
        return Generator(on, number, engine.is_none() ? rng::Engine::philox4x32_10 : engine_of(engine, "Generator"));
    }
    const auto& stream = nb::cast<const AnyStream&>(seed);
    if (!engine.is_none())
        throw_type_error("Generator: engine must not be given beside a Stream, whose engine is ",
                         rng::engine_name(stream.engine()));
    Generator made(on, 0, stream.engine());
    with_stream(stream, [&](const auto& s) { made.set_state(Generator(s).get_state()); });
    return made;
}

nb::bytes state_of(const AnyStream& any) {
    nb::bytes state;
    with_stream(any, [&](const auto& s) { state = bytes_of(Generator(s).get_state()); });
    return state;
}

nb::tuple key_of(const AnyStream& any) {
    nb::list key;
    with_stream(any, [&](const auto& s) {
        for (int i = 0; i < s.key.size(); ++i) key.append(static_cast<uint64_t>(s.key[i]));
    });
    return nb::tuple(key);
}

/// The stream of a key, as Stream.key tells it.
AnyStream stream_of_key(nb::handle words, nb::handle id, nb::handle position, nb::handle engine_name) {
    constexpr const char* call = "Stream.from_key";
    const rng::Engine engine = engine_of(engine_name, call);
    std::optional<AnyStream> made;
    rng::visit_engine(engine, [&]<class E>(rng::type_tag<E>) {
        typename E::key_type key;
        if (!PySequence_Check(words.ptr()) || nb::len(words) != static_cast<size_t>(key.size()))
            throw_value_error(call, ": key must be a sequence of ", key.size(), " words of ", E::name);
        for (int i = 0; i < key.size(); ++i) {
            const uint64_t word = integer_of(nb::object(words[i]), call, "a word of the key");
            if (word > static_cast<typename E::word>(~typename E::word{0}))
                throw_value_error(call, ": a word of the key must be below 2^", 8 * sizeof(typename E::word), ", got ",
                                  word);
            key[i] = static_cast<typename E::word>(word);
        }
        made = AnyStream(rng::Stream<E>{key, integer_of(id, call, "id"), 0})
                   .at_position(integer_of(position, call, "position"));
    });
    return *made;
}

bool equal(const AnyStream& a, const AnyStream& b) {
    bool same = false;
    if (a.engine() == b.engine())
        rng::visit_engine(a.engine(), [&]<class E>(rng::type_tag<E>) { same = a.stream<E>() == b.stream<E>(); });
    return same;
}

std::string text_of(const AnyStream& s) {
    return concat("librng.Stream(key=", nb::repr(key_of(s)).c_str(), ", id=", s.id(), ", position=", s.position(),
                  ", engine='", rng::engine_name(s.engine()), "')");
}

/// Calls f(child by number) or f(child by name).
template <class F> auto by_tag(nb::handle tag, const char* call, const F& f) {
    if (nb::isinstance<nb::str>(tag)) return f(nb::cast<std::string>(tag));
    if (PyBool_Check(tag.ptr()) || !PyIndex_Check(tag.ptr()))
        throw_type_error(call, ": the tag must be an integer or a string, got ", type_of(tag));
    return f(rng::Integer(integer_of(tag, call, "the tag")));
}

/// Calls f(span) with the integers of an array for the values of a permutation.
template <class F> void with_places(nb::handle out, const F& f) {
    const Array array(out, "permutation", "out", Array::Access::write);
    if (!array.is_direct()) throw_value_error("permutation: out must be C-contiguous and aligned");
    const auto call = [&]<class T>(rng::type_tag<T>) {
        const nb::gil_scoped_release released;
        f(array.elements<T>());
    };
    if (!visit_type<int32_t, uint32_t, int64_t, uint64_t>(array.dtype(), call))
        throw_type_error("permutation: out must be of integers of 32 or 64 bits");
}

nb::object fill_permutation(nb::object out, nb::handle n, const AnyStream& stream, nb::handle k, nb::handle first) {
    const rng::permutation law{integer_of(n, "permutation", "n")};
    const uint64_t begin = integer_of(first, "permutation", "first"), number = integer_of(k, "permutation", "k");
    with_places(out, [&](auto places) {
        with_stream(stream, [&](const auto& s) { rng::fill(places, law.of(s, number), begin); });
    });
    return out;
}

/// The first values of the generator's next permutation.
nb::object next_permutation(nb::object out, nb::handle n, Generator& generator) {
    const rng::permutation law{integer_of(n, "permutation", "n")};
    with_places(out, [&](auto places) { rng::fill(places, law, generator); });
    return out;
}

}  // namespace

void bind_generators(nb::module_& m) {
    nb::class_<AnyStream>(m, "Stream", "A stream of random numbers: a value that never changes.")
        .def(
            "__init__",
            [](AnyStream* self, nb::handle seed, nb::handle id, nb::handle engine) {
                new (self) AnyStream(integer_of(seed, "Stream", "seed"), engine_of(engine, "Stream"),
                                     integer_of(id, "Stream", "id"));
            },
            any_arg("seed"), any_arg("id") = 0, nb::kw_only(), any_arg("engine") = "philox4x32-10")
        .def_static("from_key", stream_of_key, any_arg("key"), any_arg("id") = 0, any_arg("position") = 0,
                    nb::kw_only(), any_arg("engine") = "philox4x32-10")
        .def_prop_ro("engine", [](const AnyStream& s) { return rng::engine_name(s.engine()); })
        .def_prop_ro("key", key_of)
        .def_prop_ro("id", &AnyStream::id)
        .def_prop_ro("position", &AnyStream::position)
        .def_prop_ro("size_words", &AnyStream::size_words)
        .def(
            "at_position",
            [](const AnyStream& s, nb::handle words) {
                return s.at_position(integer_of(words, "Stream.at_position", "words"));
            },
            any_arg("words"))
        .def(
            "fork",
            [](const AnyStream& s, nb::handle tag) {
                return named("Stream.fork",
                             [&] { return by_tag(tag, "Stream.fork", [&](const auto& t) { return s.fork(t); }); });
            },
            any_arg("tag"))
        .def("__eq__",
             [](const AnyStream& a, nb::handle b) {
                 return nb::isinstance<AnyStream>(b) && equal(a, nb::cast<const AnyStream&>(b));
             })
        .def("__hash__", [](const AnyStream& s) { return nb::hash(nb::str(text_of(s).c_str())); })
        .def("__repr__", text_of)
        .def("__getstate__", state_of)
        .def("__reduce__", reduced)
        .def(
            "__setstate__",
            [](AnyStream& self, nb::handle state) {
                Generator generator;
                set_state(generator, state, "Stream");
                new (&self) AnyStream(generator);
            },
            any_arg("state"));

    nb::class_<Generator>(m, "Generator", "A stream that moves on as it is used.")
        .def(
            "__init__",
            [](Generator* self, nb::handle seed, nb::handle engine, nb::handle device) {
                new (self) Generator(generator_of(seed, engine, device));
            },
            any_arg("seed"), nb::kw_only(), any_arg("engine") = nb::none(), any_arg("device") = "cpu")
        .def_prop_ro("engine", [](const Generator& g) { return rng::engine_name(g.engine()); })
        .def_prop_ro("device", [](const Generator& g) { return rng::to_string(g.device()); })
        .def_prop_ro("position", &Generator::position)
        .def_prop_ro("id", &Generator::id)
        .def_prop_ro("initial_seed", &Generator::initial_seed)
        .def("stream", [](const Generator& g) { return AnyStream(g); })
        .def("clone", &Generator::clone)
        .def(
            "fork",
            [](Generator& g, nb::handle tag) {
                if (tag.is_none()) return g.fork();
                return named("Generator.fork", [&] {
                    return by_tag(tag, "Generator.fork", [&](const auto& t) { return std::as_const(g).fork(t); });
                });
            },
            any_arg("tag") = nb::none())
        .def(
            "split",
            [](Generator& g, nb::handle n) {
                return named("Generator.split", [&] { return g.split(integer_of(n, "Generator.split", "n")); });
            },
            any_arg("n"))
        .def(
            "manual_seed",
            [](Generator& g, nb::handle seed) { g.manual_seed(integer_of(seed, "Generator.manual_seed", "seed")); },
            any_arg("seed"))
        .def(
            "skip_words",
            [](Generator& g, nb::handle n) {
                named("Generator.skip_words", [&] { g.skip_words(integer_of(n, "Generator.skip_words", "n")); });
            },
            any_arg("n"))
        .def("get_state", [](const Generator& g) { return bytes_of(g.get_state()); })
        .def(
            "set_state", [](Generator& g, nb::handle state) { set_state(g, state, "Generator.set_state"); },
            any_arg("state"))
        .def("__getstate__", [](const Generator& g) { return bytes_of(g.get_state()); })
        .def("__reduce__", reduced)
        .def(
            "__setstate__",
            [](Generator& self, nb::handle state) {
                Generator made;
                set_state(made, state, "Generator");
                new (&self) Generator(std::move(made));
            },
            any_arg("state"))
        .def("__repr__", [](const Generator& g) {
            return concat("<librng.Generator seed ", g.initial_seed(), ", position ", g.position(), ", ",
                          rng::engine_name(g.engine()), ", ", rng::to_string(g.device()), ">");
        });

    m.def("fill_permutation", fill_permutation, any_arg("out"), any_arg("n"), any_arg("stream"), nb::kw_only(),
          any_arg("k") = 0, any_arg("first") = 0);
    m.def("next_permutation", next_permutation, any_arg("out"), any_arg("n"), any_arg("generator"));
}

}  // namespace python
