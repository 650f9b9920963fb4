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
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "destination.hpp"
#include "distributions.hpp"

namespace python {
namespace {

/// Fills an array by fill(span, law, source, number), and returns the array. law(type_tag<T>) is the law for elements
/// of T, one of Types; the source is a stream, or a peer's key.
template <class... Types, class S, class F>
nb::object filled(const char* call, nb::object array, const S& source, nb::handle first, const F& law) {
    const Destination out(call, array);
    const uint64_t number = integer_of(first, call, "first");
    with_type<Types...>(call, out, [&]<class T>(rng::type_tag<T> tag) {
        const auto dist = law(tag);
        named(call,
              [&] { out.write<T>([&](std::span<T> to, uint64_t from) { fill(to, dist, source, from); }, number); });
    });
    return array;
}

/// A parameter of type T. Throws TypeError, or ValueError if it is an integer out of T's range.
template <class T> T parameter(nb::handle object, const char* call, const char* name) {
    const rng::Number number = number_of(object, call, name);
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(number.real());
    } else {
        if (PyIndex_Check(object.ptr()) == 0)
            throw nb::type_error(
                (std::string(call) + ": " + name + " must be an integer, got " + type_of(object)).c_str());
        const auto value = static_cast<T>(number.integer());
        if (!number.is_integer() || static_cast<uint64_t>(value) != number.integer() ||
            (value < T(0)) != number.is_negative())
            throw nb::value_error((std::string(call) + ": " + name + " must be a value of " + rng::dtype_name<T>() +
                                   ", got " + nb::cast<std::string>(nb::str(object)))
                                      .c_str());
        return value;
    }
}
/// The stream in its type. Throws TypeError or ValueError if it is no stream of that engine.
template <class E = rng::Philox4x32_10> rng::Stream<E> stream_of(nb::handle source, const char* call) {
    if (!nb::isinstance<rng::AnyStream>(source))
        throw nb::type_error((std::string(call) + ": stream must be a Stream, got " + type_of(source)).c_str());
    const auto& any = nb::cast<const rng::AnyStream&>(source);
    if (any.engine() != E::number)
        throw nb::value_error((std::string(call) + ": stream must be of the engine " + E::name + ", got " +
                               rng::engine_name(any.engine()))
                                  .c_str());
    return any.stream<E>();
}

rng::torch::Key torch_key(nb::handle seed, nb::handle offset, const char* call) {
    return {integer_of(seed, call, "seed"), integer_of(offset, call, "offset")};
}
std::pair<uint64_t, uint64_t> pair_of(const rng::torch::Key& key) { return {key.seed, key.offset}; }

/// An integer from -2^31 to 2^32 - 1; one below 0 becomes its value modulo 2^32.
uint32_t word_of(nb::handle object, const char* call, const char* name) {
    const auto number = static_cast<int64_t>(integer_of(object, call, name));
    if (number < -(int64_t{1} << 31) || number >= int64_t{1} << 32)
        throw rng::Error(rng::ErrorCode::invalid_argument, std::string(call) + ": " + name +
                                                               " must be in [-2^31, 2^32), got " +
                                                               nb::cast<std::string>(nb::str(object)));
    return static_cast<uint32_t>(number);
}

rng::jax::Key jax_key(nb::handle high, nb::handle low, const char* call) {
    return {word_of(high, call, "high"), word_of(low, call, "low")};
}
std::pair<uint32_t, uint32_t> pair_of(const rng::jax::Key& key) { return {key.high, key.low}; }

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
        constexpr const char* call = "NumpyGenerator.permutation";
        const Destination out(call, array);
        with_type<int64_t>(call, out, [&](auto) {
            const std::vector<int64_t> values = [&] {
                const nb::gil_scoped_release released;
                const std::lock_guard lock(mutex_);
                return generator_.permutation(out.size());
            }();
            out.write<int64_t>(
                [&](std::span<int64_t> to, uint64_t from) {
                    std::copy_n(values.begin() + static_cast<ptrdiff_t>(from), to.size(), to.begin());
                },
                0);
        });
        return array;
    }

  private:
    rng::numpy::Generator generator_;
    std::mutex mutex_;
};

void bind_numpy(nb::module_& m) {
    m.def("numpy_uniform", [](nb::object out, nb::handle stream, nb::handle low, nb::handle high, nb::handle first) {
        constexpr const char* call = "numpy_uniform";
        return filled<double>(call, out, stream_of<rng::Philox4x64_10>(stream, call), first, [&](auto) {
            return rng::numpy::uniform{parameter<double>(low, call, "low"), parameter<double>(high, call, "high")};
        });
    });
    using G = NumpyGenerator;
    nb::class_<G>(m, "NumpyGenerator", "numpy.random.Generator over Philox, one draw after the other.")
        .def(nb::init<nb::handle>(), nb::arg("stream").none())
        .def(
            "random",
            [](G& g, nb::object out) {
                return g.filled<float, double>("NumpyGenerator.random", out, []<class T>(auto& its, rng::type_tag<T>) {
                    return its.template random<T>();
                });
            },
            nb::arg("out").none())
        .def(
            "standard_normal",
            [](G& g, nb::object out) {
                return g.filled<float, double>(
                    "NumpyGenerator.standard_normal", out,
                    []<class T>(auto& its, rng::type_tag<T>) { return its.template standard_normal<T>(); });
            },
            nb::arg("out").none())
        .def(
            "standard_exponential",
            [](G& g, nb::object out) {
                return g.filled<float, double>(
                    "NumpyGenerator.standard_exponential", out,
                    []<class T>(auto& its, rng::type_tag<T>) { return its.template standard_exponential<T>(); });
            },
            nb::arg("out").none())
        .def(
            "normal",
            [](G& g, nb::object out, nb::handle loc, nb::handle scale) {
                constexpr const char* call = "NumpyGenerator.normal";
                const double mean = parameter<double>(loc, call, "loc"),
                             width = parameter<double>(scale, call, "scale");
                return g.filled<double>(call, out, [=](auto& its, auto) { return its.normal(mean, width); });
            },
            nb::arg("out").none(), nb::arg("loc").none() = 0.0, nb::arg("scale").none() = 1.0)
        .def(
            "exponential",
            [](G& g, nb::object out, nb::handle scale) {
                constexpr const char* call = "NumpyGenerator.exponential";
                const double mean = parameter<double>(scale, call, "scale");
                return g.filled<double>(call, out, [=](auto& its, auto) { return its.exponential(mean); });
            },
            nb::arg("out").none(), nb::arg("scale").none() = 1.0)
        .def("integers", &G::integers, nb::arg("out").none(), nb::arg("low").none(), nb::arg("high").none())
        .def("permutation", &G::permutation, nb::arg("out").none());
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
    m.def("curand_uniform", [](nb::object out, nb::handle stream, nb::handle first) {
        return filled<float, double>(
            "curand_uniform", out, stream_of(stream, "curand_uniform"), first, []<class T>(rng::type_tag<T>) {
                return std::conditional_t<sizeof(T) == 4, rng::curand::uniform, rng::curand::uniform2_double>{};
            });
    });
    m.def("curand_uniform_double", [](nb::object out, nb::handle stream, nb::handle first) {
        return filled<double>("curand_uniform_double", out, stream_of(stream, "curand_uniform_double"), first,
                              [](auto) { return rng::curand::uniform_double{}; });
    });
    m.def("curand_generate", [](nb::object out, nb::handle seed, nb::handle first) {
        return filled<uint32_t, float, double>("curand_generate", out,
                                               CurandGenerate{integer_of(seed, "curand_generate", "seed")}, first,
                                               [](auto tag) { return tag; });
    });
}

void bind_mkl(nb::module_& m) {
    m.def("mkl_uniform", [](nb::object out, nb::handle stream, nb::handle a, nb::handle b, nb::handle first) {
        constexpr const char* call = "mkl_uniform";
        return filled<float, double>(call, out, stream_of(stream, call), first, [&]<class T>(rng::type_tag<T>) {
            return rng::mkl::uniform<T>{parameter<T>(a, call, "a"), parameter<T>(b, call, "b")};
        });
    });
}

void bind_torch(nb::module_& m) {
    m.def("torch_fold_in", [](nb::handle seed, nb::handle offset, nb::handle d) {
        constexpr const char* call = "TorchKey.fold_in";
        return pair_of(torch_key(seed, offset, call).fold_in(integer_of(d, call, "data")));
    });
    m.def("torch_bits", [](nb::object out, nb::handle seed, nb::handle offset, nb::handle first) {
        return filled<uint32_t>("torch_bits", out, torch_key(seed, offset, "torch_bits"), first,
                                [](auto) { return rng::bits<uint32_t>{}; });
    });
    m.def("torch_uniform", [](nb::object out, nb::handle seed, nb::handle offset, nb::handle first) {
        return filled<float, double>("torch_uniform", out, torch_key(seed, offset, "torch_uniform"), first,
                                     []<class T>(rng::type_tag<T>) { return rng::torch::uniform<T>{}; });
    });
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
    m.def("tensorflow_uniform",
          [](nb::object out, nb::handle stream, nb::handle low, nb::handle high, nb::handle first) {
              constexpr const char* call = "tensorflow_uniform";
              return filled<float, double, int32_t, int64_t>(
                  call, out, stream_of(stream, call), first, [&]<class T>(rng::type_tag<T>) {
                      using D = std::conditional_t<std::is_integral_v<T>, rng::tensorflow::uniform_int<T>,
                                                   rng::tensorflow::uniform<T>>;
                      return D{parameter<T>(low, call, "low"), parameter<T>(high, call, "high")};
                  });
          });
}

void bind_jax(nb::module_& m) {
    m.def("jax_fold_in", [](nb::handle high, nb::handle low, nb::handle d) {
        constexpr const char* call = "JaxKey.fold_in";
        return pair_of(jax_key(high, low, call).fold_in(word_of(d, call, "data")));
    });
    m.def("jax_bits", [](nb::object out, nb::handle high, nb::handle low, nb::handle first) {
        return filled<uint8_t, uint16_t, uint32_t, uint64_t>(
            "jax_bits", out, jax_key(high, low, "jax_bits"), first,
            []<class T>(rng::type_tag<T>) { return rng::jax::bits<T>{}; });
    });
    m.def("jax_uniform",
          [](nb::object out, nb::handle high, nb::handle low, nb::handle least, nb::handle most, nb::handle first) {
              constexpr const char* call = "jax_uniform";
              return filled<float, double>(call, out, jax_key(high, low, call), first, [&]<class T>(rng::type_tag<T>) {
                  return rng::jax::uniform<T>{parameter<T>(least, call, "low"), parameter<T>(most, call, "high")};
              });
          });
    m.def("jax_randint",
          [](nb::object out, nb::handle high, nb::handle low, nb::handle least, nb::handle most, nb::handle first) {
              constexpr const char* call = "jax_randint";
              return filled<int32_t, int64_t, uint32_t, uint64_t>(
                  call, out, jax_key(high, low, call), first, [&]<class T>(rng::type_tag<T>) {
                      return rng::jax::randint<T>{parameter<T>(least, call, "low"), parameter<T>(most, call, "high")};
                  });
          });
    const auto bind_bernoulli = [&]<class T>(const char* name, rng::type_tag<T>) {
        m.def(name, [](nb::object out, nb::handle high, nb::handle low, nb::handle p, nb::handle first) {
            constexpr const char* call = "jax_bernoulli";
            return filled<bool>(call, out, jax_key(high, low, call), first,
                                [&](auto) { return rng::jax::bernoulli<T>{parameter<T>(p, call, "p")}; });
        });
    };
    bind_bernoulli("jax_bernoulli_f32", rng::type_tag<float>{});
    bind_bernoulli("jax_bernoulli_f64", rng::type_tag<double>{});
    m.def("jax_permutation", [](nb::object array, nb::handle high, nb::handle low) {
        constexpr const char* call = "jax_permutation";
        const rng::jax::Key key = jax_key(high, low, call);
        const Destination out(call, array);
        with_type<int32_t, int64_t>(call, out, [&]<class T>(rng::type_tag<T>) {
            const std::vector<int64_t> values = [&] {
                const nb::gil_scoped_release released;
                return rng::jax::permutation(key, out.size());
            }();
            out.write<T>(
                [&](std::span<T> to, uint64_t from) {
                    for (size_t i = 0; i < to.size(); ++i) to[i] = static_cast<T>(values[from + i]);
                },
                0);
        });
        return array;
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
