// Numbers of other libraries (rng/interop) in arrays of any strides: librng.compat.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>

#include <rng/any_distribution.hpp>
#include <rng/interop/curand.hpp>
#include <rng/interop/jax.hpp>
#include <rng/interop/mkl.hpp>
#include <rng/interop/numpy.hpp>
#include <rng/interop/tensorflow.hpp>
#include <rng/interop/torch.hpp>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "destination.hpp"
#include "distributions.hpp"

namespace python {
namespace {

/// A parameter of type T. Throws TypeError, or ValueError if it is an integer out of T's range.
template <class T> T parameter(nb::handle object, const char* call, const char* name) {
    const rng::Number number = number_of(object, call, name);
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(number.real());
    } else {
        if (PyIndex_Check(object.ptr()) == 0)
            throw_type_error(call, ": ", name, " must be an integer, got ", type_of(object));
        const auto value = static_cast<T>(number.integer());
        if (!number.is_integer() || static_cast<uint64_t>(value) != number.integer() ||
            (value < T(0)) != number.is_negative())
            throw_value_error(call, ": ", name, " must be a value of ", rng::dtype_name<T>(), ", got ",
                              nb::str(object).c_str());
        return value;
    }
}
/// The stream in its type. Throws TypeError or ValueError if it is no stream of that engine.
template <class E = rng::Philox4x32_10> rng::Stream<E> stream_of(nb::handle source, const char* call) {
    if (!nb::isinstance<rng::AnyStream>(source))
        throw_type_error(call, ": stream must be a Stream, got ", type_of(source));
    const auto& any = nb::cast<const rng::AnyStream&>(source);
    if (any.engine() != E::number)
        throw_value_error(call, ": stream must be of the engine ", E::name, ", got ", rng::engine_name(any.engine()));
    return any.stream<E>();
}

/// An integer from -2^31 to 2^32 - 1; one below 0 becomes its value modulo 2^32.
uint32_t word_of(nb::handle object, const char* call, const char* name) {
    const auto number = static_cast<int64_t>(integer_of(object, call, name));
    if (number < -(int64_t{1} << 31) || number >= int64_t{1} << 32)
        throw_invalid_argument(call, ": ", name, " must be in [-2^31, 2^32), got ", nb::str(object).c_str());
    return static_cast<uint32_t>(number);
}

/// The two words of a key.
std::pair<nb::object, nb::object> words_of(nb::handle key, const char* call, const char* kind) {
    if (!nb::isinstance<nb::tuple>(key) || nb::len(key) != 2)
        throw_type_error(call, ": key must be a ", kind, ", got ", type_of(key));
    return {key[0], key[1]};
}
rng::torch::Key torch_key(nb::handle key, const char* call) {
    const auto [seed, offset] = words_of(key, call, "TorchKey");
    return {integer_of(seed, call, "seed"), integer_of(offset, call, "offset")};
}
rng::jax::Key jax_key(nb::handle key, const char* call) {
    const auto [high, low] = words_of(key, call, "JaxKey");
    return {word_of(high, call, "high"), word_of(low, call, "low")};
}

/// An argument of a call as a number, of the type that its place takes.
struct Parameter {
    nb::object object;
    const char *call, *name;
    template <class T>
    requires std::is_arithmetic_v<T>
    operator T() const { return parameter<T>(object, call, name); }
};

/// Binds call(out, source, first, parameters...), which fills an array by fill(span, law, source, first) and returns
/// it. The elements are of one of Types. source_of(handle, call) is the stream or the key of a peer, and
/// law(type_tag<T>, p) the law for elements of T, where p("a") is the next parameter. The function has another name
/// than the call in `bound`.
template <class... Types, class Source, class Law>
void bind_fill(nb::module_& m, const char* call, Source (*source_of)(nb::handle, const char*), const Law& law,
               const char* bound = nullptr) {
    m.def(bound == nullptr ? call : bound, [=](const nb::args& arguments) {
        const nb::object array = arguments[0];
        const Destination out(call, array);
        const Source source = source_of(nb::object(arguments[1]), call);
        const uint64_t first = integer_of(nb::object(arguments[2]), call, "first");
        with_type<Types...>(call, out, [&]<class T>(rng::type_tag<T> tag) {
            size_t next = 3;
            const auto dist = law(tag, [&](const char* name) { return Parameter{arguments[next++], call, name}; });
            named(call,
                  [&] { out.write<T>([&](std::span<T> to, uint64_t from) { fill(to, dist, source, from); }, first); });
        });
        return array;
    });
}

/// Writes the numbers of make(size of the array), and returns the array.
template <class... Types, class F> nb::object permuted(const char* call, nb::object array, const F& make) {
    const Destination out(call, array);
    with_type<Types...>(call, out, [&]<class T>(rng::type_tag<T>) {
        const std::vector<int64_t> values = [&] {
            const nb::gil_scoped_release released;
            return make(out.size());
        }();
        out.write<T>(
            [&](std::span<T> to, uint64_t from) {
                for (size_t i = 0; i < to.size(); ++i) to[i] = static_cast<T>(values[from + i]);
            },
            0);
    });
    return array;
}

/// numpy::Generator for several threads of Python: one draws at a time.
class NumpyGenerator {
  public:
    explicit NumpyGenerator(nb::handle stream) : generator_(stream_of<rng::Philox4x64_10>(stream, "NumpyGenerator")) {}

    /// Fills an array by draw(generator, type_tag<T>) for each value, and returns the array.
    template <class... Types, class F> nb::object filled(const char* call, nb::object array, const F& draw) {
        const Destination out(call, array);
        with_type<Types...>(call, out, [&]<class T>(rng::type_tag<T> tag) {
            named(call, [&] {
                out.write_in_order<T>([&](std::span<T> to, uint64_t) {
                    const std::lock_guard lock(mutex_);
                    for (T& x : to) x = draw(generator_, tag);
                });
            });
        });
        return array;
    }
    nb::object integers(nb::object array, nb::handle low, nb::handle high) {
        constexpr const char* call = "NumpyGenerator.integers";
        const Destination out(call, array);
        with_type<int32_t, int64_t, uint32_t, uint64_t>(call, out, [&]<class T>(rng::type_tag<T>) {
            const T from = parameter<T>(low, call, "low"), to = parameter<T>(high, call, "high");
            named(call, [&] {
                (void)generator_.integers<T>(from, to, 0);  // an empty range is refused before anything is written
                out.write_in_order<T>([&](std::span<T> values, uint64_t) {
                    const std::lock_guard lock(mutex_);
                    std::ranges::copy(generator_.integers<T>(from, to, values.size()), values.begin());
                });
            });
        });
        return array;
    }
    nb::object permutation(nb::object array) {
        return permuted<int64_t>("NumpyGenerator.permutation", array, [&](size_t n) {
            const std::lock_guard lock(mutex_);
            return generator_.permutation(n);
        });
    }

  private:
    rng::numpy::Generator generator_;
    std::mutex mutex_;
};

void bind_numpy(nb::module_& m) {
    bind_fill<double>(m, "numpy_uniform", stream_of<rng::Philox4x64_10>, [](auto, const auto& p) {
        return rng::numpy::uniform{p("low"), p("high")};
    });
    using G = NumpyGenerator;
    nb::class_<G> bound(m, "NumpyGenerator", "numpy.random.Generator over Philox, one draw after the other.");
    const auto def_draw = [&](const char* call, const auto& draw) {
        bound.def(
            std::strchr(call, '.') + 1, [=](G& g, nb::object out) { return g.filled<float, double>(call, out, draw); },
            any_arg("out"));
    };
    def_draw("NumpyGenerator.random", []<class T>(auto& its, rng::type_tag<T>) { return its.template random<T>(); });
    def_draw("NumpyGenerator.standard_normal",
             []<class T>(auto& its, rng::type_tag<T>) { return its.template standard_normal<T>(); });
    def_draw("NumpyGenerator.standard_exponential",
             []<class T>(auto& its, rng::type_tag<T>) { return its.template standard_exponential<T>(); });
    bound.def(nb::init<nb::handle>(), any_arg("stream"))
        .def(
            "normal",
            [](G& g, nb::object out, nb::handle loc, nb::handle scale) {
                constexpr const char* call = "NumpyGenerator.normal";
                const double mean = parameter<double>(loc, call, "loc"),
                             width = parameter<double>(scale, call, "scale");
                return g.filled<double>(call, out, [=](auto& its, auto) { return its.normal(mean, width); });
            },
            any_arg("out"), any_arg("loc") = 0.0, any_arg("scale") = 1.0)
        .def(
            "exponential",
            [](G& g, nb::object out, nb::handle scale) {
                constexpr const char* call = "NumpyGenerator.exponential";
                const double mean = parameter<double>(scale, call, "scale");
                return g.filled<double>(call, out, [=](auto& its, auto) { return its.exponential(mean); });
            },
            any_arg("out"), any_arg("scale") = 1.0)
        .def("integers", &G::integers, any_arg("out"), any_arg("low"), any_arg("high"))
        .def("permutation", &G::permutation, any_arg("out"));
}

/// The host API's words or uniform numbers, by the type of the elements.
struct CurandGenerate {
    uint64_t seed;
};
template <class T> void fill(std::span<T> out, rng::type_tag<T>, const CurandGenerate& source, uint64_t first) {
    if constexpr (std::is_integral_v<T>)
        rng::curand::generate(out, source.seed, first);
    else
        rng::curand::generate_uniform(out, source.seed, first);
}

void bind_curand(nb::module_& m) {
    bind_fill<float, double>(m, "curand_uniform", stream_of<>, []<class T>(rng::type_tag<T>, auto) {
        return std::conditional_t<sizeof(T) == 4, rng::curand::uniform, rng::curand::uniform2_double>{};
    });
    bind_fill<double>(m, "curand_uniform_double", stream_of<>,
                      [](auto, auto) { return rng::curand::uniform_double{}; });
    bind_fill<uint32_t, float, double>(
        m, "curand_generate",
        +[](nb::handle seed, const char* call) { return CurandGenerate{integer_of(seed, call, "seed")}; },
        [](auto tag, auto) { return tag; });
}

void bind_mkl(nb::module_& m) {
    bind_fill<float, double>(m, "mkl_uniform", stream_of<>, []<class T>(rng::type_tag<T>, const auto& p) {
        return rng::mkl::uniform<T>{p("a"), p("b")};
    });
}

void bind_torch(nb::module_& m) {
    m.def("torch_fold_in", [](nb::handle key, nb::handle d) {
        constexpr const char* call = "TorchKey.fold_in";
        const rng::torch::Key child = torch_key(key, call).fold_in(integer_of(d, call, "data"));
        return std::pair(child.seed, child.offset);
    });
    bind_fill<uint32_t>(m, "torch_bits", torch_key, [](auto, auto) { return rng::bits<uint32_t>{}; });
    bind_fill<float, double>(m, "torch_uniform", torch_key,
                             []<class T>(rng::type_tag<T>, auto) { return rng::torch::uniform<T>{}; });
    m.def("torch_cuda_rand",
          [](nb::object array, nb::handle seed, nb::handle offset, nb::handle multiprocessors, nb::handle threads) {
              constexpr const char* call = "torch_cuda_rand";
              const uint64_t key = integer_of(seed, call, "seed"), begin = integer_of(offset, call, "offset");
              const rng::torch::Gpu gpu{parameter<uint32_t>(multiprocessors, call, "multiprocessors"),
                                        parameter<uint32_t>(threads, call, "threads_per_multiprocessor")};
              const Destination out(call, array);
              with_type<float>(call, out, [&](auto) {
                  out.write<float>(
                      [&](std::span<float> to, uint64_t first) {
                          rng::torch::fill_cuda_rand(to, key, begin, gpu, out.size(), first);
                      },
                      0);
              });
              return array;
          });
}

void bind_tensorflow(nb::module_& m) {
    m.def("tensorflow_stateless", [](nb::handle seed0, nb::handle seed1) {
        constexpr const char* call = "tensorflow_stateless";
        return rng::AnyStream(
            rng::tensorflow::stateless(integer_of(seed0, call, "seed0"), integer_of(seed1, call, "seed1")));
    });
    m.def("tensorflow_generator", [](nb::handle seed, nb::handle drawn) {
        constexpr const char* call = "tensorflow_generator";
        return rng::AnyStream(
            rng::tensorflow::generator(integer_of(seed, call, "seed"), integer_of(drawn, call, "drawn")));
    });
    m.def("tensorflow_op", [](nb::handle seed, nb::handle op_seed) {
        constexpr const char* call = "tensorflow_op";
        return rng::AnyStream(
            rng::tensorflow::op(parameter<int64_t>(seed, call, "seed"), parameter<int64_t>(op_seed, call, "op_seed")));
    });
    bind_fill<float, double, int32_t, int64_t>(
        m, "tensorflow_uniform", stream_of<>, []<class T>(rng::type_tag<T>, const auto& p) {
            using D =
                std::conditional_t<std::is_integral_v<T>, rng::tensorflow::uniform_int<T>, rng::tensorflow::uniform<T>>;
            return D{p("low"), p("high")};
        });
}

void bind_jax(nb::module_& m) {
    m.def("jax_fold_in", [](nb::handle key, nb::handle d) {
        constexpr const char* call = "JaxKey.fold_in";
        const rng::jax::Key child = jax_key(key, call).fold_in(word_of(d, call, "data"));
        return std::pair(child.high, child.low);
    });
    bind_fill<uint8_t, uint16_t, uint32_t, uint64_t>(
        m, "jax_bits", jax_key, []<class T>(rng::type_tag<T>, auto) { return rng::jax::bits<T>{}; });
    bind_fill<float, double>(m, "jax_uniform", jax_key, []<class T>(rng::type_tag<T>, const auto& p) {
        return rng::jax::uniform<T>{p("low"), p("high")};
    });
    bind_fill<int32_t, int64_t, uint32_t, uint64_t>(m, "jax_randint", jax_key,
                                                    []<class T>(rng::type_tag<T>, const auto& p) {
                                                        return rng::jax::randint<T>{p("low"), p("high")};
                                                    });
    const auto bind_bernoulli = [&]<class T>(const char* name, rng::type_tag<T>) {
        bind_fill<bool>(
            m, "jax_bernoulli", jax_key, [](auto, const auto& p) { return rng::jax::bernoulli<T>{p("p")}; }, name);
    };
    bind_bernoulli("jax_bernoulli_f32", rng::type_tag<float>{});
    bind_bernoulli("jax_bernoulli_f64", rng::type_tag<double>{});
    m.def("jax_permutation", [](nb::object array, nb::handle key) {
        constexpr const char* call = "jax_permutation";
        return permuted<int32_t, int64_t>(
            call, array, [key = jax_key(key, call)](size_t n) { return rng::jax::permutation(key, n); });
    });
}

}  // namespace

void bind_compat(nb::module_& m) {
    bind_numpy(m);
    bind_curand(m);
    bind_mkl(m);
    bind_torch(m);
    bind_tensorflow(m);
    bind_jax(m);
}

}  // namespace python
