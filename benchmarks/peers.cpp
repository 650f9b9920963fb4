#include "peers.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <thread>

#include "support.hpp"

#if __has_include(<boost/random/mersenne_twister.hpp>)
#include <boost/random/beta_distribution.hpp>
#include <boost/random/binomial_distribution.hpp>
#include <boost/random/discrete_distribution.hpp>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/extreme_value_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/geometric_distribution.hpp>
#include <boost/random/laplace_distribution.hpp>
#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/negative_binomial_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/poisson_distribution.hpp>
#include <boost/random/student_t_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/weibull_distribution.hpp>
#define RNG_BENCH_BOOST 1
#endif

#if defined(RNG_BENCH_MKL)
#include <mkl_vsl.h>
#endif

#if __has_include(<Random123/philox.h>)
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wexpansion-to-defined"
#endif
#include <Random123/philox.h>
#include <Random123/threefry.h>
#include <Random123/boxmuller.hpp>
#include <Random123/conventional/Engine.hpp>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#define RNG_BENCH_RANDOM123 1
#endif

#if defined(RNG_BENCH_CURAND)
#include <curand.h>
#endif

namespace bench {
namespace {

/// A peer that draws value by value: n times `next(state)`, where the state is an engine and a distribution.
template <class T, class State, class Next>
Peer by_value(std::string name, std::string what, State initial, Next next) {
    auto state = std::make_shared<State>(std::move(initial));
    return {std::move(name), std::move(what), sizeof(T), [state, next](void* out, std::size_t n) {
                T* const values = static_cast<T*>(out);
                for (std::size_t i = 0; i < n; ++i) values[i] = next(*state);
            }};
}

template <class Engine, class Dist> struct Drawn {
    Engine engine;
    Dist dist;
};

template <class T, class Engine, class Dist> Peer drawn(std::string name, std::string what, Dist dist = Dist()) {
    return by_value<T>(std::move(name), std::move(what), Drawn<Engine, Dist>{Engine(42u), dist},
                       [](auto& s) { return static_cast<T>(s.dist(s.engine)); });
}

template <class T, class Engine> Peer words(std::string name, std::string what) {
    return by_value<T>(std::move(name), std::move(what), Engine(42u), [](auto& e) { return static_cast<T>(e()); });
}

/// The spans of 2^31 + 1 and 2^63 + 1 values, for which nearly a half of the words of their own width are rejected.
const std::uniform_int_distribution<std::uint32_t> worst_u32(0, 1u << 31);
const std::uniform_int_distribution<std::uint64_t> worst_u64(0, std::uint64_t{1} << 63);

/// What a user of std writes for complex normal numbers.
template <class T> struct StdComplexNormal {
    struct result_type {
        T re, im;
    };
    std::normal_distribution<T> part{0, T(0.70710678118654752)};
    result_type operator()(auto& engine) {
        const T re = part(engine);
        return {re, part(engine)};
    }
};

/// The counts of a library in the style of <random>.
template <class E, class Poisson, class Binomial, class Geometric, class NegativeBinomial, class Discrete>
void add_counts(std::vector<Peer>& all, const char* name) {
    all.push_back(drawn<int, E>(name, "negative_binomial_i32(5,0.25)", NegativeBinomial(5, 0.25)));
    all.push_back(drawn<int, E>(name, "negative_binomial_i32(2000,0.5)", NegativeBinomial(2000, 0.5)));
    all.push_back(drawn<int, E>(name, "negative_binomial_i32(5,0.01)", NegativeBinomial(5, 0.01)));
    const std::vector<double> weights = hundred_weights();
    all.push_back(drawn<int, E>(name, "categorical_i32(100)", Discrete(weights.begin(), weights.end())));
    all.push_back(drawn<int, E>(name, "poisson_i32(3.5)", Poisson(3.5)));
    all.push_back(drawn<int, E>(name, "poisson_i32(50)", Poisson(50)));
    all.push_back(drawn<int, E>(name, "poisson_i32(200)", Poisson(200)));
    all.push_back(drawn<int, E>(name, "poisson_i32(1000000)", Poisson(1e6)));
    all.push_back(drawn<int, E>(name, "binomial_i32(20,0.3)", Binomial(20, 0.3)));
    all.push_back(drawn<int, E>(name, "binomial_i32(100,0.3)", Binomial(100, 0.3)));
    all.push_back(drawn<int, E>(name, "binomial_i32(1000000,0.4)", Binomial(1'000'000, 0.4)));
    all.push_back(drawn<int, E>(name, "geometric_i32(0.25)", Geometric(0.25)));
}

void add_std(std::vector<Peer>& all) {
    using E = std::mt19937;
    using E64 = std::mt19937_64;
    all.push_back(words<std::uint32_t, E>("std-mt19937", "u32"));
    all.push_back(words<std::uint64_t, E64>("std-mt19937_64", "u64"));
    all.push_back(drawn<float, E, std::uniform_real_distribution<float>>("std-mt19937", "uniform_f32"));
    all.push_back(drawn<double, E, std::uniform_real_distribution<double>>("std-mt19937", "uniform_f64"));
    all.push_back(drawn<double, E64, std::uniform_real_distribution<double>>("std-mt19937_64", "uniform_f64"));
    all.push_back(drawn<float, E, std::normal_distribution<float>>("std-mt19937", "normal_f32"));
    all.push_back(drawn<double, E, std::normal_distribution<double>>("std-mt19937", "normal_f64"));
    all.push_back(drawn<double, E64, std::normal_distribution<double>>("std-mt19937_64", "normal_f64"));
    all.push_back(drawn<float, E, std::exponential_distribution<float>>("std-mt19937", "exponential_f32"));
    all.push_back(drawn<double, E, std::exponential_distribution<double>>("std-mt19937", "exponential_f64"));
    all.push_back(drawn<float, E, std::lognormal_distribution<float>>("std-mt19937", "lognormal_f32"));
    all.push_back(drawn<double, E64, std::lognormal_distribution<double>>("std-mt19937_64", "lognormal_f64"));
    all.push_back(drawn<float, E, std::extreme_value_distribution<float>>("std-mt19937", "gumbel_f32"));
    all.push_back(drawn<double, E64, std::extreme_value_distribution<double>>("std-mt19937_64", "gumbel_f64"));
    all.push_back(drawn<float, E>("std-mt19937", "weibull_f32", std::weibull_distribution<float>(1.5f)));
    all.push_back(drawn<double, E64>("std-mt19937_64", "weibull_f64", std::weibull_distribution<double>(1.5)));
    all.push_back(drawn<float, E, std::cauchy_distribution<float>>("std-mt19937", "cauchy_f32"));
    all.push_back(drawn<double, E64, std::cauchy_distribution<double>>("std-mt19937_64", "cauchy_f64"));
    all.push_back(drawn<float, E>("std-mt19937", "student_t_f32", std::student_t_distribution<float>(5)));
    all.push_back(drawn<double, E64>("std-mt19937_64", "student_t_f64", std::student_t_distribution<double>(5)));
    all.push_back(drawn<float, E>("std-mt19937", "gamma_f32(2.5)", std::gamma_distribution<float>(2.5f)));
    all.push_back(drawn<double, E64>("std-mt19937_64", "gamma_f64(2.5)", std::gamma_distribution<double>(2.5)));
    all.push_back(drawn<float, E>("std-mt19937", "gamma_f32(0.3)", std::gamma_distribution<float>(0.3f)));
    all.push_back(drawn<double, E64>("std-mt19937_64", "gamma_f64(0.3)", std::gamma_distribution<double>(0.3)));
    all.push_back(drawn<double, E64>("std-mt19937_64", "chi_squared_f64(5)", std::chi_squared_distribution<double>(5)));
    all.push_back(drawn<double, E64>("std-mt19937_64", "fisher_f_f64(5,7)", std::fisher_f_distribution<double>(5, 7)));
    all.push_back(
        drawn<StdComplexNormal<float>::result_type, E, StdComplexNormal<float>>("std-mt19937", "complex_normal_c64"));
    all.push_back(drawn<StdComplexNormal<double>::result_type, E, StdComplexNormal<double>>("std-mt19937",
                                                                                            "complex_normal_c128"));
    all.push_back(drawn<std::uint8_t, E>("std-mt19937", "bernoulli", std::bernoulli_distribution(0.3)));
    add_counts<E, std::poisson_distribution<int>, std::binomial_distribution<int>, std::geometric_distribution<int>,
               std::negative_binomial_distribution<int>, std::discrete_distribution<int>>(all, "std-mt19937");
    all.push_back(drawn<int, E>("std-mt19937", "uniform_int_i32(1,6)", std::uniform_int_distribution<int>(1, 6)));
    all.push_back(drawn<std::uint32_t, E>("std-mt19937", "uniform_int_u32(0,2^31)", worst_u32));
    all.push_back(drawn<std::uint64_t, E>("std-mt19937", "uniform_int_u64(0,2^63)", worst_u64));
    all.push_back(drawn<std::uint64_t, E64>("std-mt19937_64", "uniform_int_u64(0,2^63)", worst_u64));
}

void add_boost([[maybe_unused]] std::vector<Peer>& all) {
#if defined(RNG_BENCH_BOOST)
    namespace br = boost::random;
    using E = br::mt19937;
    all.push_back(words<std::uint32_t, E>("boost-mt19937", "u32"));
    all.push_back(words<std::uint64_t, br::mt19937_64>("boost-mt19937_64", "u64"));
    all.push_back(drawn<float, E, br::uniform_01<float>>("boost-mt19937", "uniform_f32"));
    all.push_back(drawn<double, E, br::uniform_01<double>>("boost-mt19937", "uniform_f64"));
    all.push_back(drawn<float, E, br::normal_distribution<float>>("boost-mt19937", "normal_f32"));
    all.push_back(drawn<double, E, br::normal_distribution<double>>("boost-mt19937", "normal_f64"));
    all.push_back(drawn<float, E, br::exponential_distribution<float>>("boost-mt19937", "exponential_f32"));
    all.push_back(drawn<double, E, br::exponential_distribution<double>>("boost-mt19937", "exponential_f64"));
    all.push_back(drawn<double, E, br::lognormal_distribution<double>>("boost-mt19937", "lognormal_f64"));
    add_counts<E, br::poisson_distribution<int>, br::binomial_distribution<int>, br::geometric_distribution<int>,
               br::negative_binomial_distribution<int>, br::discrete_distribution<int>>(all, "boost-mt19937");
    all.push_back(drawn<double, E, br::extreme_value_distribution<double>>("boost-mt19937", "gumbel_f64"));
    all.push_back(drawn<double, E>("boost-mt19937", "weibull_f64", br::weibull_distribution<double>(1.5)));
    all.push_back(drawn<double, E, br::laplace_distribution<double>>("boost-mt19937", "laplace_f64"));
    all.push_back(drawn<double, E>("boost-mt19937", "student_t_f64", br::student_t_distribution<double>(5)));
    all.push_back(drawn<float, E>("boost-mt19937", "gamma_f32(2.5)", br::gamma_distribution<float>(2.5f)));
    all.push_back(drawn<double, E>("boost-mt19937", "gamma_f64(2.5)", br::gamma_distribution<double>(2.5)));
    all.push_back(drawn<double, E>("boost-mt19937", "gamma_f64(0.3)", br::gamma_distribution<double>(0.3)));
    all.push_back(drawn<double, E>("boost-mt19937", "beta_f64(2,3)", br::beta_distribution<double>(2, 3)));
#endif
}

#if defined(RNG_BENCH_RANDOM123)
/// The loop that Random123's users write: a block per step, then `store(words, out + i)` for its values.
template <class T, int PerBlock, class Store> Peer random123(std::string what, Store store) {
    auto position = std::make_shared<std::uint32_t>(0);
    return {"random123-philox", std::move(what), sizeof(T), [position, store](void* out, std::size_t n) {
                T* const values = static_cast<T*>(out);
                const r123::Philox4x32 philox;
                const r123::Philox4x32::key_type key = {{42, 0}};
                r123::Philox4x32::ctr_type counter = {{*position, 0, 0, 0}};
                for (std::size_t i = 0; i < n; i += PerBlock) {
                    store(philox(counter, key), values + i);
                    ++counter[0];
                }
                *position = counter[0];
            }};
}

std::uint64_t joined(std::uint32_t low, std::uint32_t high) { return low | std::uint64_t{high} << 32; }
#endif

void add_random123([[maybe_unused]] std::vector<Peer>& all) {
#if defined(RNG_BENCH_RANDOM123)
    using Block = r123::Philox4x32::ctr_type;
    all.push_back(random123<std::uint32_t, 4>("u32", [](const Block& w, std::uint32_t* out) {
        for (unsigned j = 0; j < 4; ++j) out[j] = w[j];
    }));
    all.push_back(random123<float, 4>("uniform_f32", [](const Block& w, float* out) {
        for (unsigned j = 0; j < 4; ++j) out[j] = static_cast<float>(w[j] >> 8) * 0x1p-24f;
    }));
    all.push_back(random123<double, 2>("uniform_f64", [](const Block& w, double* out) {
        out[0] = static_cast<double>(joined(w[0], w[1]) >> 11) * 0x1p-53;
        out[1] = static_cast<double>(joined(w[2], w[3]) >> 11) * 0x1p-53;
    }));
    all.push_back(random123<float, 4>("normal_f32", [](const Block& w, float* out) {
        for (unsigned j = 0; j < 4; j += 2) {
            const auto pair = r123::boxmuller(w[j], w[j + 1]);
            out[j] = pair.x;
            out[j + 1] = pair.y;
        }
    }));
    all.push_back(random123<double, 2>("normal_f64", [](const Block& w, double* out) {
        const auto pair = r123::boxmuller(joined(w[0], w[1]), joined(w[2], w[3]));
        out[0] = pair.x;
        out[1] = pair.y;
    }));
#endif
}

void add_curand([[maybe_unused]] std::vector<Peer>& all) {
#if defined(RNG_BENCH_CURAND)
    curandGenerator_t handle = nullptr;
    if (curandCreateGeneratorHost(&handle, CURAND_RNG_PSEUDO_PHILOX4_32_10) != CURAND_STATUS_SUCCESS) return;
    const std::shared_ptr<curandGenerator_st> g(handle, [](curandGenerator_t h) { curandDestroyGenerator(h); });
    const auto add = [&all, g](const char* what, std::size_t element, auto draw) {
        all.push_back({"curand-host-philox", what, element, [g, draw](void* out, std::size_t n) {
                           if (draw(g.get(), out, n) != CURAND_STATUS_SUCCESS) std::abort();
                       }});
    };
    using H = curandGenerator_t;
    add("u32", 4, [](H h, void* p, std::size_t n) { return curandGenerate(h, static_cast<unsigned*>(p), n); });
    add("uniform_f32", 4,
        [](H h, void* p, std::size_t n) { return curandGenerateUniform(h, static_cast<float*>(p), n); });
    add("uniform_f64", 8,
        [](H h, void* p, std::size_t n) { return curandGenerateUniformDouble(h, static_cast<double*>(p), n); });
    add("normal_f32", 4,
        [](H h, void* p, std::size_t n) { return curandGenerateNormal(h, static_cast<float*>(p), n, 0.0f, 1.0f); });
    add("normal_f64", 8, [](H h, void* p, std::size_t n) {
        return curandGenerateNormalDouble(h, static_cast<double*>(p), n, 0.0, 1.0);
    });
#endif
}

// MKL's Philox is Philox4x32-10 too. Its doubles have 32 random bits, half of ours: half the blocks. It is one thread's
// work here, as all peers' is (run.sh sets MKL_THREADING_LAYER). On processors of other makers it takes slower code.
void add_mkl([[maybe_unused]] std::vector<Peer>& all) {
#if defined(RNG_BENCH_MKL)
    VSLStreamStatePtr handle = nullptr;
    if (vslNewStream(&handle, VSL_BRNG_PHILOX4X32X10, 42) != VSL_STATUS_OK) return;
    const std::shared_ptr<void> g(handle, [](void* h) { vslDeleteStream(&h); });
    const auto add = [&all, g](const char* what, std::size_t element, auto draw) {
        all.push_back({"mkl-philox", what, element, [g, draw](void* out, std::size_t n) {
                           if (draw(g.get(), static_cast<MKL_INT>(n), out) != VSL_STATUS_OK) std::abort();
                       }});
    };
    using H = void*;
    add("u64", 8, [](H h, MKL_INT n, void* p) {
        return viRngUniformBits64(VSL_RNG_METHOD_UNIFORMBITS64_STD, h, n, static_cast<unsigned MKL_INT64*>(p));
    });
    add("u32", 4, [](H h, MKL_INT n, void* p) {
        return viRngUniformBits32(VSL_RNG_METHOD_UNIFORMBITS32_STD, h, n, static_cast<unsigned*>(p));
    });
    add("uniform_f32", 4, [](H h, MKL_INT n, void* p) {
        return vsRngUniform(VSL_RNG_METHOD_UNIFORM_STD, h, n, static_cast<float*>(p), 0, 1);
    });
    add("uniform_f64", 8, [](H h, MKL_INT n, void* p) {
        return vdRngUniform(VSL_RNG_METHOD_UNIFORM_STD, h, n, static_cast<double*>(p), 0, 1);
    });
    add("normal_f32", 4, [](H h, MKL_INT n, void* p) {
        return vsRngGaussian(VSL_RNG_METHOD_GAUSSIAN_BOXMULLER2, h, n, static_cast<float*>(p), 0, 1);
    });
    add("normal_f64", 8, [](H h, MKL_INT n, void* p) {
        return vdRngGaussian(VSL_RNG_METHOD_GAUSSIAN_BOXMULLER2, h, n, static_cast<double*>(p), 0, 1);
    });
    add("normal_icdf_f32", 4, [](H h, MKL_INT n, void* p) {
        return vsRngGaussian(VSL_RNG_METHOD_GAUSSIAN_ICDF, h, n, static_cast<float*>(p), 0, 1);
    });
    add("normal_icdf_f64", 8, [](H h, MKL_INT n, void* p) {
        return vdRngGaussian(VSL_RNG_METHOD_GAUSSIAN_ICDF, h, n, static_cast<double*>(p), 0, 1);
    });
    add("exponential_f32", 4, [](H h, MKL_INT n, void* p) {
        return vsRngExponential(VSL_RNG_METHOD_EXPONENTIAL_ICDF, h, n, static_cast<float*>(p), 0, 1);
    });
    add("exponential_f64", 8, [](H h, MKL_INT n, void* p) {
        return vdRngExponential(VSL_RNG_METHOD_EXPONENTIAL_ICDF, h, n, static_cast<double*>(p), 0, 1);
    });
    add("lognormal_f32", 4, [](H h, MKL_INT n, void* p) {
        return vsRngLognormal(VSL_RNG_METHOD_LOGNORMAL_BOXMULLER2, h, n, static_cast<float*>(p), 0, 1, 0, 1);
    });
    add("lognormal_f64", 8, [](H h, MKL_INT n, void* p) {
        return vdRngLognormal(VSL_RNG_METHOD_LOGNORMAL_BOXMULLER2, h, n, static_cast<double*>(p), 0, 1, 0, 1);
    });
    add("gumbel_f32", 4, [](H h, MKL_INT n, void* p) {
        return vsRngGumbel(VSL_RNG_METHOD_GUMBEL_ICDF, h, n, static_cast<float*>(p), 0, 1);
    });
    add("gumbel_f64", 8, [](H h, MKL_INT n, void* p) {
        return vdRngGumbel(VSL_RNG_METHOD_GUMBEL_ICDF, h, n, static_cast<double*>(p), 0, 1);
    });
    add("weibull_f32", 4, [](H h, MKL_INT n, void* p) {
        return vsRngWeibull(VSL_RNG_METHOD_WEIBULL_ICDF, h, n, static_cast<float*>(p), 1.5f, 0, 1);
    });
    add("weibull_f64", 8, [](H h, MKL_INT n, void* p) {
        return vdRngWeibull(VSL_RNG_METHOD_WEIBULL_ICDF, h, n, static_cast<double*>(p), 1.5, 0, 1);
    });
    add("laplace_f32", 4, [](H h, MKL_INT n, void* p) {
        return vsRngLaplace(VSL_RNG_METHOD_LAPLACE_ICDF, h, n, static_cast<float*>(p), 0, 1);
    });
    add("laplace_f64", 8, [](H h, MKL_INT n, void* p) {
        return vdRngLaplace(VSL_RNG_METHOD_LAPLACE_ICDF, h, n, static_cast<double*>(p), 0, 1);
    });
    add("gamma_f32(2.5)", 4, [](H h, MKL_INT n, void* p) {
        return vsRngGamma(VSL_RNG_METHOD_GAMMA_GNORM, h, n, static_cast<float*>(p), 2.5f, 0, 1);
    });
    add("gamma_f64(2.5)", 8, [](H h, MKL_INT n, void* p) {
        return vdRngGamma(VSL_RNG_METHOD_GAMMA_GNORM, h, n, static_cast<double*>(p), 2.5, 0, 1);
    });
    add("gamma_f32(0.3)", 4, [](H h, MKL_INT n, void* p) {
        return vsRngGamma(VSL_RNG_METHOD_GAMMA_GNORM, h, n, static_cast<float*>(p), 0.3f, 0, 1);
    });
    add("gamma_f64(0.3)", 8, [](H h, MKL_INT n, void* p) {
        return vdRngGamma(VSL_RNG_METHOD_GAMMA_GNORM, h, n, static_cast<double*>(p), 0.3, 0, 1);
    });
    add("chi_squared_f64(5)", 8, [](H h, MKL_INT n, void* p) {
        return vdRngChiSquare(VSL_RNG_METHOD_CHISQUARE_CHI2GAMMA, h, n, static_cast<double*>(p), 5);
    });
    add("beta_f32(2,3)", 4, [](H h, MKL_INT n, void* p) {
        return vsRngBeta(VSL_RNG_METHOD_BETA_CJA, h, n, static_cast<float*>(p), 2, 3, 0, 1);
    });
    add("beta_f64(2,3)", 8, [](H h, MKL_INT n, void* p) {
        return vdRngBeta(VSL_RNG_METHOD_BETA_CJA, h, n, static_cast<double*>(p), 2, 3, 0, 1);
    });
    add("rayleigh_f64", 8, [](H h, MKL_INT n, void* p) {
        return vdRngRayleigh(VSL_RNG_METHOD_RAYLEIGH_ICDF, h, n, static_cast<double*>(p), 0, 1.4142135623730951);
    });
    add("cauchy_f64", 8, [](H h, MKL_INT n, void* p) {
        return vdRngCauchy(VSL_RNG_METHOD_CAUCHY_ICDF, h, n, static_cast<double*>(p), 0, 1);
    });
    add("bernoulli", 4, [](H h, MKL_INT n, void* p) {
        return viRngBernoulli(VSL_RNG_METHOD_BERNOULLI_ICDF, h, n, static_cast<int*>(p), 0.3);
    });
    add("poisson_i32(3.5)", 4, [](H h, MKL_INT n, void* p) {
        return viRngPoisson(VSL_RNG_METHOD_POISSON_PTPE, h, n, static_cast<int*>(p), 3.5);
    });
    add("poisson_i32(50)", 4, [](H h, MKL_INT n, void* p) {
        return viRngPoisson(VSL_RNG_METHOD_POISSON_PTPE, h, n, static_cast<int*>(p), 50);
    });
    add("poisson_i32(200)", 4, [](H h, MKL_INT n, void* p) {
        return viRngPoisson(VSL_RNG_METHOD_POISSON_PTPE, h, n, static_cast<int*>(p), 200);
    });
    add("poisson_i32(1000000)", 4, [](H h, MKL_INT n, void* p) {
        return viRngPoisson(VSL_RNG_METHOD_POISSON_PTPE, h, n, static_cast<int*>(p), 1e6);
    });
    add("binomial_i32(20,0.3)", 4, [](H h, MKL_INT n, void* p) {
        return viRngBinomial(VSL_RNG_METHOD_BINOMIAL_BTPE, h, n, static_cast<int*>(p), 20, 0.3);
    });
    add("binomial_i32(100,0.3)", 4, [](H h, MKL_INT n, void* p) {
        return viRngBinomial(VSL_RNG_METHOD_BINOMIAL_BTPE, h, n, static_cast<int*>(p), 100, 0.3);
    });
    add("binomial_i32(1000000,0.4)", 4, [](H h, MKL_INT n, void* p) {
        return viRngBinomial(VSL_RNG_METHOD_BINOMIAL_BTPE, h, n, static_cast<int*>(p), 1000000, 0.4);
    });
    add("hypergeometric_i32(40,60,30)", 4, [](H h, MKL_INT n, void* p) {
        return viRngHypergeometric(VSL_RNG_METHOD_HYPERGEOMETRIC_H2PE, h, n, static_cast<int*>(p), 100, 30, 40);
    });
    add("hypergeometric_i32(1000000,2000000,50000)", 4, [](H h, MKL_INT n, void* p) {
        return viRngHypergeometric(VSL_RNG_METHOD_HYPERGEOMETRIC_H2PE, h, n, static_cast<int*>(p), 3000000, 50000,
                                   1000000);
    });
    add("negative_binomial_i32(5,0.25)", 4, [](H h, MKL_INT n, void* p) {
        return viRngNegbinomial(VSL_RNG_METHOD_NEGBINOMIAL_NBAR, h, n, static_cast<int*>(p), 5, 0.25);
    });
    add("negative_binomial_i32(2000,0.5)", 4, [](H h, MKL_INT n, void* p) {
        return viRngNegbinomial(VSL_RNG_METHOD_NEGBINOMIAL_NBAR, h, n, static_cast<int*>(p), 2000, 0.5);
    });
    add("negative_binomial_i32(5,0.01)", 4, [](H h, MKL_INT n, void* p) {
        return viRngNegbinomial(VSL_RNG_METHOD_NEGBINOMIAL_NBAR, h, n, static_cast<int*>(p), 5, 0.01);
    });
    add("geometric_i32(0.25)", 4, [](H h, MKL_INT n, void* p) {
        return viRngGeometric(VSL_RNG_METHOD_GEOMETRIC_ICDF, h, n, static_cast<int*>(p), 0.25);
    });
    add("uniform_int_i32(1,6)", 4, [](H h, MKL_INT n, void* p) {
        return viRngUniform(VSL_RNG_METHOD_UNIFORM_STD, h, n, static_cast<int*>(p), 1, 7);
    });
    add("uniform_int_u32(0,2^31)", 4, [](H h, MKL_INT n, void* p) {  // as many values, about 0
        return viRngUniform(VSL_RNG_METHOD_UNIFORM_STD, h, n, static_cast<int*>(p), -(1 << 30), (1 << 30) + 1);
    });
    add("complex_normal_c64", 8, [](H h, MKL_INT n, void* p) {
        return vsRngGaussian(VSL_RNG_METHOD_GAUSSIAN_BOXMULLER2, h, 2 * n, static_cast<float*>(p), 0, 0.70710678f);
    });
    add("complex_normal_c128", 16, [](H h, MKL_INT n, void* p) {
        return vdRngGaussian(VSL_RNG_METHOD_GAUSSIAN_BOXMULLER2, h, 2 * n, static_cast<double*>(p), 0,
                             0.70710678118654752);
    });
#endif
}

}  // namespace

std::vector<Peer> peers() {
    std::vector<Peer> all;
    add_std(all);
    add_boost(all);
    add_random123(all);
    add_curand(all);
    add_mkl(all);
    for (Peer& peer : all) {
        const bool often_small = peer.what == "u32" || peer.what == "uniform_f32" || peer.what.starts_with("normal_f");
        peer.small_calls = often_small && (peer.name == "std-mt19937" || peer.name == "mkl-philox");
    }
    return all;
}

void memset_threads(void* out, std::size_t bytes, int threads) {
    const std::size_t share = bytes / static_cast<std::size_t>(threads);
    std::vector<std::thread> others;
    for (int t = 1; t < threads; ++t)
        others.emplace_back(
            [=] { std::memset(static_cast<char*>(out) + share * static_cast<std::size_t>(t), 0, share); });
    std::memset(out, 0, share);
    for (auto& other : others) other.join();
}

void add_engine_calls() {
    const auto nothing = [] {};
    add_engine<std::mt19937>("std-mt19937", nothing);
    add_engine<std::mt19937_64>("std-mt19937_64", nothing);
    add_draws<std::mt19937>("std-mt19937", "uniform_f32", std::uniform_real_distribution<float>(), nothing);
    add_draws<std::mt19937>("std-mt19937", "uniform_f64", std::uniform_real_distribution<double>(), nothing);
    add_draws<std::mt19937>("std-mt19937", "normal_f32", std::normal_distribution<float>(), nothing);
    add_draws<std::mt19937>("std-mt19937", "normal_f64", std::normal_distribution<double>(), nothing);
    add_draws<std::mt19937>("std-mt19937", "uniform_int_i32(1,6)", std::uniform_int_distribution<int>(1, 6), nothing);
    add_draws<std::mt19937>("std-mt19937", "uniform_int_u32(0,2^31)", worst_u32, nothing);
    add_draws<std::mt19937>("std-mt19937", "uniform_int_u64(0,2^63)", worst_u64, nothing);
    add_draws<std::mt19937>("std-mt19937", "bernoulli", std::bernoulli_distribution(0.3), nothing);
    add_draws<std::mt19937>("std-mt19937", "complex_normal_c64", StdComplexNormal<float>(), nothing);
    add_draws<std::mt19937>("std-mt19937", "complex_normal_c128", StdComplexNormal<double>(), nothing);
    add_draws<std::mt19937_64>("std-mt19937_64", "uniform_int_u64(0,2^63)", worst_u64, nothing);
    add_draws<std::mt19937_64>("std-mt19937_64", "uniform_f64", std::uniform_real_distribution<double>(), nothing);
    add_draws<std::mt19937_64>("std-mt19937_64", "normal_f64", std::normal_distribution<double>(), nothing);
    add_draws<std::mt19937_64>("std-mt19937_64", "exponential_f64", std::exponential_distribution<double>(), nothing);
    const auto add_std_draw = [nothing](const char* what, const auto& dist) {
        add_draws<std::mt19937_64>("std-mt19937_64", what, dist, nothing);
    };
    add_std_draw("lognormal_f64", std::lognormal_distribution<double>());
    add_std_draw("gumbel_f64", std::extreme_value_distribution<double>());
    add_std_draw("weibull_f64", std::weibull_distribution<double>(1.5));
    add_std_draw("cauchy_f64", std::cauchy_distribution<double>());
    add_std_draw("student_t_f64", std::student_t_distribution<double>(5));
    add_std_draw("gamma_f64(2.5)", std::gamma_distribution<double>(2.5));
    add_std_draw("chi_squared_f64(5)", std::chi_squared_distribution<double>(5));
    add_std_draw("fisher_f_f64(5,7)", std::fisher_f_distribution<double>(5, 7));
    add_draws<std::mt19937>("std-mt19937", "gamma_f32(2.5)", std::gamma_distribution<float>(2.5f), nothing);
#if defined(RNG_BENCH_BOOST)
    add_draws<boost::random::mt19937>("boost-mt19937", "normal_f32", boost::random::normal_distribution<float>(),
                                      nothing);
    add_draws<boost::random::mt19937>("boost-mt19937", "normal_f64", boost::random::normal_distribution<double>(),
                                      nothing);
    add_engine<boost::random::mt19937>("boost-mt19937", nothing);
    add_engine<boost::random::mt19937_64>("boost-mt19937_64", nothing);
#endif
#if defined(RNG_BENCH_RANDOM123)
    add_engine<r123::Engine<r123::Philox4x32>>("random123-philox4x32", nothing);
    add_engine<r123::Engine<r123::Philox4x64>>("random123-philox4x64", nothing);
    add_engine<r123::Engine<r123::Threefry4x32>>("random123-threefry4x32", nothing);
    add_engine<r123::Engine<r123::Threefry4x64>>("random123-threefry4x64", nothing);
#endif
}

}  // namespace bench
