// Fills: rng on every ISA that this machine has, with one and two threads, and its peers.
#include <cstdio>
#include <cstdlib>
#include <span>
#include <type_traits>
#include <vector>

#include "peers.hpp"
#include "rng/rng.hpp"
#include "support.hpp"

namespace bench {
namespace {

/// A speed means nothing if the bits are wrong: every ISA, one and two threads, against scalar code and `at`.
template <class E, class D> void require_same_bits(const std::string& what, const D& dist) {
    using T = typename D::result_type;
    constexpr std::size_t n = 100'003;  // odd, and more than one thread's share
    const rng::Stream<E> stream{42, 7, 5};
    std::vector<T> expected(n), got(n);
    rng::set_num_threads(1);
    rng::set_isa(rng::Isa::scalar);
    rng::fill(std::span<T>(expected), dist, stream);
    const auto fail = [&](const char* isa, int threads) {
        std::fprintf(stderr, "%s: the bits of %s with %d threads differ from the scalar ones\n", what.c_str(), isa,
                     threads);
        std::exit(1);
    };
    for (std::size_t i = 0; i < n; i += 997) {
        const T value = rng::at(stream, dist, i);
        if (std::memcmp(&value, &expected[i], sizeof value) != 0) fail("at()", 1);
    }
    for (const rng::Isa isa : rng::available_isas()) {
        rng::set_isa(isa);
        for (const int threads : {1, 2}) {
            rng::set_num_threads(threads);
            std::memset(got.data(), 0, n * sizeof(T));
            rng::fill(std::span<T>(got), dist, stream);
            if (std::memcmp(got.data(), expected.data(), n * sizeof(T)) != 0) fail(rng::to_string(isa), threads);
        }
    }
}

template <class E, class D>
void add_fill(rng::Isa isa, const std::string& what, const D& dist, Size size, int threads) {
    const auto name = row_name("fill", std::string("rng-") + rng::to_string(isa), what, to_string(size), threads);
    add_row(name, threads, [=](benchmark::State& state) {
        using T = typename D::result_type;
        rng::set_isa(isa);
        rng::set_num_threads(threads);
        const std::span<T> out(static_cast<T*>(buffer()), bytes_of(size, threads) / sizeof(T));
        rng::Stream<E> stream{42};
        for (auto _ : state) {
            rng::fill(out, dist, stream);
            benchmark::ClobberMemory();
            stream.position += out.size() * static_cast<std::size_t>(D::slot_words);
        }
        count(state, out.size(), sizeof(T));
    });
}

/// Everything for the default parameters; for others (`plain` false) the fill in L2 with one thread tells
/// enough.
template <class E = rng::Philox4x32_10, class D> void add(const std::string& what, const D& dist, bool plain = true) {
    require_same_bits<E>(what, dist);
    for (const rng::Isa isa : rng::available_isas()) {
        add_fill<E>(isa, what, dist, Size::l2, 1);
        if (!plain || isa == rng::Isa::scalar) continue;
        add_fill<E>(isa, what, dist, Size::l2, 2);
        add_fill<E>(isa, what, dist, Size::shared, 2);
        add_fill<E>(isa, what, dist, Size::large, 1);
        add_fill<E>(isa, what, dist, Size::large, 2);
    }
}

/// fill_each() of Poisson means between 0 and 255, one for each value.
void add_each() {
    for (const rng::Isa isa : rng::available_isas()) {
        const auto who = std::string("rng-") + rng::to_string(isa);
        add_row(row_name("fill", who, "poisson_i32(0..255)", to_string(Size::l2), 1), 1, [=](benchmark::State& state) {
            rng::set_isa(isa);
            rng::set_num_threads(1);
            const std::span<int> out(static_cast<int*>(buffer()), bytes_of(Size::l2, 1) / sizeof(int));
            const auto means = rng::sample(rng::uniform{0.0, 255.0}, out.size(), rng::Stream{7});
            rng::Stream<> stream{42};
            for (auto _ : state) {
                rng::fill_each(
                    out, [&](std::uint64_t i) { return rng::poisson{means[i]}; }, stream);
                benchmark::ClobberMemory();
                stream.position += 2 * out.size();
            }
            count(state, out.size(), sizeof(int));
        });
    }
}

/// All values of a random permutation of a million, as NumPy's and torch's calls make them. The row says L2 as others
/// do, and writes 8 MB. A permutation follows another.
void add_permutation() {
    constexpr std::size_t n = 1'000'000;
    for (const rng::Isa isa : rng::available_isas()) {
        const auto who = std::string("rng-") + rng::to_string(isa);
        add_row(row_name("fill", who, "permutation_i64(1000000)", to_string(Size::l2), 1), 1,
                [=](benchmark::State& state) {
                    rng::set_isa(isa);
                    rng::set_num_threads(1);
                    const std::span<std::int64_t> out(static_cast<std::int64_t*>(buffer()), n);
                    std::uint64_t k = 0;
                    for (auto _ : state) {
                        rng::fill(out, rng::permutation{n}.of(rng::Stream{42}, k++));
                        benchmark::ClobberMemory();
                    }
                    count(state, n, sizeof(std::int64_t));
                });
    }
}

/// Scrambled Sobol points of so many dimensions, one after the other.
void add_sobol(rng::Isa isa, std::size_t dimensions) {
    const auto name = row_name("fill", std::string("rng-") + rng::to_string(isa),
                               "sobol_f64(" + std::to_string(dimensions) + ")", to_string(Size::l2), 1);
    add_row(name, 1, [=](benchmark::State& state) {
        rng::set_isa(isa);
        rng::set_num_threads(1);
        const rng::sobol<double> points(dimensions, rng::Stream{42});
        const std::size_t rows = bytes_of(Size::l2, 1) / sizeof(double) / dimensions;
        const auto out = rng::matrix_view<double>::row_major(static_cast<double*>(buffer()), rows, dimensions);
        std::uint64_t first = 0;
        for (auto _ : state) {
            rng::fill(out, points, first);
            benchmark::ClobberMemory();
            first += rows;
        }
        count(state, rows * dimensions, sizeof(double));
    });
}

/// fill_rows() of as many whole rows as 256 KiB hold. Lists that the distribution views must live as long.
template <class D> void add_rows(const std::string& what, const D& dist) {
    using T = typename D::result_type;
    for (const rng::Isa isa : rng::available_isas()) {
        const auto name = row_name("fill", std::string("rng-") + rng::to_string(isa), what, to_string(Size::l2), 1);
        add_row(name, 1, [=](benchmark::State& state) {
            rng::set_isa(isa);
            rng::set_num_threads(1);
            const std::size_t cols = dist.row_size(), rows = bytes_of(Size::l2, 1) / (cols * sizeof(T));
            const auto out = rng::matrix_view<T>::row_major(static_cast<T*>(buffer()), rows, cols);
            rng::Stream<> stream{42};
            for (auto _ : state) {
                rng::fill_rows(out, dist, stream);
                benchmark::ClobberMemory();
                stream.position += 4 * rows;
            }
            count(state, rows * cols, sizeof(T));
        });
    }
}

/// Rows of ten elements, or of ten times ten, as the peers make them.
template <class T> void add_rows_of_reals(const std::string& type) {
    static const std::vector<T> below_one(10, T(0.3)), one(10, T(1)), above_one(10, T(2.5)), mean(10, T(0.5));
    add_rows("dirichlet_" + type + "(0.3)", rng::dirichlet(below_one));
    add_rows("dirichlet_" + type + "(1)", rng::dirichlet(one));
    add_rows("dirichlet_" + type + "(2.5)", rng::dirichlet(above_one));
    static const std::vector<T> factor = [] {
        std::vector<T> covariance;
        for (int i = 0; i < 10; ++i)
            for (int j = 0; j < 10; ++j) covariance.push_back(i == j ? T(2) : T(1) / T(1 + std::abs(i - j)));
        return rng::cholesky(covariance, 10);
    }();
    add_rows("multivariate_normal_" + type, rng::multivariate_normal(mean, factor));
    add_rows("wishart_" + type + "(12)", rng::wishart(T(12), factor));
}
void add_rows_of_counts() {
    static const std::vector<double> weights(10, 0.1);
    for (const std::int64_t trials : {100, 1000, 100'000})
        add_rows("multinomial_i64(" + std::to_string(trials) + ")", rng::multinomial(trials, weights));
    static const std::vector<std::int64_t> kinds{20, 30, 50, 100, 200, 100, 50, 30, 20, 400};
    add_rows("multivariate_hypergeometric_i64(300)", rng::multivariate_hypergeometric(kinds, std::int64_t{300}));
}

}  // namespace

void add_fills() {
    add("u32", rng::bits<std::uint32_t>{});
    add("u64", rng::bits<std::uint64_t>{});
    add("uniform_f32", rng::uniform<float>{});
    add("uniform_f64", rng::uniform<double>{});
    add("normal_f32", rng::normal<float>{});
    add("normal_f64", rng::normal<double>{});
    add("exponential_f32", rng::exponential<float>{});
    add("exponential_f64", rng::exponential<double>{});
    add("uniform_f32(-3,5)", rng::uniform<float>{-3.0f, 5.0f}, false);
    add("uniform_f64(-3,5)", rng::uniform<double>{-3.0, 5.0}, false);
    add("uniform_open_f32", rng::uniform_open<float>{}, false);
    add("uniform_open_closed_f32", rng::uniform_open_closed<float>{}, false);
    add("normal_f32(1.5,2.5)", rng::normal<float>{1.5f, 2.5f}, false);
    add("normal_f64(1.5,2.5)", rng::normal<double>{1.5, 2.5}, false);
    add("exponential_f32(0.7)", rng::exponential<float>{0.7f}, false);
    add("exponential_f64(0.7)", rng::exponential<double>{0.7}, false);
    add("normal_icdf_f32", rng::normal_icdf<float>{}, false);
    add("normal_icdf_f64", rng::normal_icdf<double>{}, false);
    add("complex_normal_c64", rng::complex_normal<float>{}, false);
    add("complex_normal_c128", rng::complex_normal<double>{}, false);
    add("uniform_dense_f32", rng::uniform_dense<float>{}, false);
    add("uniform_dense_f64", rng::uniform_dense<double>{}, false);
    // The peers have the same shapes: weibull 1.5, pareto 1.5, student_t 5, inverse_gaussian 1 and 2.
    add("gumbel_f32", rng::gumbel<float>{}, false);
    add("gumbel_f64", rng::gumbel<double>{}, false);
    add("logistic_f32", rng::logistic<float>{}, false);
    add("logistic_f64", rng::logistic<double>{}, false);
    add("laplace_f32", rng::laplace<float>{}, false);
    add("laplace_f64", rng::laplace<double>{}, false);
    add("lognormal_f32", rng::lognormal<float>{}, false);
    add("lognormal_f64", rng::lognormal<double>{}, false);
    add("rayleigh_f32", rng::rayleigh<float>{}, false);
    add("rayleigh_f64", rng::rayleigh<double>{}, false);
    add("cauchy_f32", rng::cauchy<float>{}, false);
    add("cauchy_f64", rng::cauchy<double>{}, false);
    add("weibull_f32", rng::weibull<float>{1.5f, 1}, false);
    add("weibull_f64", rng::weibull<double>{1.5, 1}, false);
    add("pareto_f32", rng::pareto<float>{1.5f, 1}, false);
    add("pareto_f64", rng::pareto<double>{1.5, 1}, false);
    add("student_t_f32", rng::student_t<float>{5}, false);
    add("student_t_f64", rng::student_t<double>{5}, false);
    add("inverse_gaussian_f32", rng::inverse_gaussian<float>{1, 2}, false);
    add("inverse_gaussian_f64", rng::inverse_gaussian<double>{1, 2}, false);
    add("maxwell_f32", rng::maxwell<float>{}, false);
    add("maxwell_f64", rng::maxwell<double>{}, false);
    const auto add_both = []<template <class> class D>(const char* name, const D<float>& f32, const D<double>& f64) {
        add(std::string(name) + "_f32", f32, false);
        add(std::string(name) + "_f64", f64, false);
    };
    add_both("half_normal", rng::half_normal<float>{}, rng::half_normal<double>{});
    add_both("half_cauchy", rng::half_cauchy<float>{}, rng::half_cauchy<double>{});
    add_both("frechet", rng::frechet<float>{1.5f, 1}, rng::frechet<double>{1.5, 1});
    add_both("lomax", rng::lomax<float>{1.5f, 1}, rng::lomax<double>{1.5, 1});
    add_both("power", rng::power<float>{1.5f}, rng::power<double>{1.5});
    add_both("kumaraswamy", rng::kumaraswamy<float>{2, 3}, rng::kumaraswamy<double>{2, 3});
    add_both("double_sided_maxwell", rng::double_sided_maxwell<float>{}, rng::double_sided_maxwell<double>{});
    add_both("triangular", rng::triangular<float>{}, rng::triangular<double>{});
    add_both("log_gamma", rng::log_gamma<float>{2.5f}, rng::log_gamma<double>{2.5});
    add_both("inverse_gamma", rng::inverse_gamma<float>{2.5f, 1}, rng::inverse_gamma<double>{2.5, 1});
    add_both("chi", rng::chi<float>{5}, rng::chi<double>{5});
    add_both("beta_prime", rng::beta_prime<float>{2, 3}, rng::beta_prime<double>{2, 3});
    add_both("unit_vector2", rng::unit_vector2<float>{}, rng::unit_vector2<double>{});
    add_both("unit_vector3", rng::unit_vector3<float>{}, rng::unit_vector3<double>{});
    add_both("unit_vector4", rng::unit_vector4<float>{}, rng::unit_vector4<double>{});
    add("chi_squared_f32(5)", rng::chi_squared<float>{5}, false);
    add("fisher_f_f32(5,7)", rng::fisher_f<float>{5, 7}, false);
    add("noncentral_chi_squared_f32(5,2)", rng::noncentral_chi_squared<float>{5, 2}, false);
    add("noncentral_chi_squared_f64(5,2)", rng::noncentral_chi_squared<double>{5, 2}, false);
    add("noncentral_f_f32(5,7,2)", rng::noncentral_f<float>{5, 7, 2}, false);
    add("noncentral_f_f64(5,7,2)", rng::noncentral_f<double>{5, 7, 2}, false);
    add("generalized_normal_f32(1.5)", rng::generalized_normal<float>{0, 1, 1.5f}, false);
    add("von_mises_f32(4)", rng::von_mises<float>{0, 4}, false);
    add("gamma_f32(2.5)", rng::gamma<float>{2.5f, 1}, false);
    add("gamma_f64(2.5)", rng::gamma<double>{2.5, 1}, false);
    add("gamma_f32(0.3)", rng::gamma<float>{0.3f, 1}, false);
    add("gamma_f64(0.3)", rng::gamma<double>{0.3, 1}, false);
    add("chi_squared_f64(5)", rng::chi_squared<double>{5}, false);
    add("beta_f32(2,3)", rng::beta<float>{2, 3}, false);
    add("beta_f64(2,3)", rng::beta<double>{2, 3}, false);
    add("fisher_f_f64(5,7)", rng::fisher_f<double>{5, 7}, false);
    add("truncated_normal_f32(-2,2)", rng::truncated_normal<float>{}, false);
    add("truncated_normal_f64(-2,2)", rng::truncated_normal<double>{}, false);
    add("generalized_normal_f64(1.5)", rng::generalized_normal<double>{0, 1, 1.5}, false);
    add("von_mises_f64(4)", rng::von_mises<double>{0, 4}, false);
    add("uniform_f16", rng::uniform<rng::float16>{}, false);
    add("uniform_bf16", rng::uniform<rng::bfloat16>{}, false);
    add("normal_f16", rng::normal<rng::float16>{}, false);
    add("normal_bf16", rng::normal<rng::bfloat16>{}, false);
    add("bernoulli", rng::bernoulli{0.3}, false);
    for (const int mean : {50, 200, 1'000'000})
        add("poisson_i32(" + std::to_string(mean) + ")", rng::poisson{static_cast<double>(mean)}, false);
    add("poisson_i32(3.5)", rng::poisson{3.5}, false);
    add("poisson_i64(1000000)", rng::poisson<std::int64_t>{1e6}, false);
    add("binomial_i32(20,0.3)", rng::binomial{20, 0.3}, false);
    add("binomial_i32(100,0.3)", rng::binomial{100, 0.3}, false);
    add("binomial_i32(1000000,0.4)", rng::binomial{1'000'000, 0.4}, false);
    add("geometric_i32(0.25)", rng::geometric{0.25}, false);
    add("hypergeometric_i32(40,60,30)", rng::hypergeometric{40, 60, 30}, false);
    add("hypergeometric_i32(1000000,2000000,50000)", rng::hypergeometric{1'000'000, 2'000'000, 50'000}, false);
    add("negative_binomial_i32(5,0.25)", rng::negative_binomial{5, 0.25}, false);
    add("negative_binomial_i32(2000,0.5)", rng::negative_binomial{2000, 0.5}, false);
    add("negative_binomial_i32(5,0.01)", rng::negative_binomial{5, 0.01}, false);
    add("zipf_i32(2)", rng::zipf{2.0}, false);
    add("log_series_i32(0.9)", rng::log_series{0.9}, false);
    static const std::vector<double> weights = hundred_weights();
    static const rng::AliasTable table(weights);
    add("categorical_i32(100)", rng::categorical(table), false);
    add("categorical_icdf_i32(100)", rng::categorical_icdf(weights), false);
    add("rademacher", rng::rademacher{}, false);
    add_each();
    add_permutation();
    for (const rng::Isa isa : rng::available_isas())
        for (const std::size_t dimensions : {8u, 32u}) add_sobol(isa, dimensions);
    add_rows_of_reals<float>("f32");
    add_rows_of_reals<double>("f64");
    add_rows_of_counts();
    add("uniform_int_i32(1,6)", rng::uniform_int<std::int32_t>{1, 6}, false);
    add("uniform_int_i64(1,6)", rng::uniform_int<std::int64_t>{1, 6}, false);
    add("uniform_int_u8(0,99)", rng::uniform_int<std::uint8_t>{0, 99}, false);
    // The spans that reject most: nearly a half of the words of their own width.
    add("uniform_int_u32(0,2^31)", rng::uniform_int<std::uint32_t>{0, 1u << 31}, false);
    add("uniform_int_u64(0,2^63)", rng::uniform_int<std::uint64_t>{0, std::uint64_t{1} << 63}, false);
    rng::for_each_engine([](auto tag) {
        using E = typename decltype(tag)::type;
        if constexpr (!std::is_same_v<E, rng::Philox4x32_10>)
            add<E>(std::string("u32_") + E::name, rng::bits<std::uint32_t>{}, false);
    });
}

void add_peer_fills() {
    const auto add_peer = [](const Peer& peer, const char* group, const std::string& size, std::size_t n) {
        add_row(row_name(group, peer.name, peer.what, size, 1), 1, [=](benchmark::State& state) {
            for (auto _ : state) {
                peer.fill(buffer(), n);
                benchmark::ClobberMemory();
            }
            count(state, n, peer.element);
        });
    };
    for (const Peer& peer : peers()) {
        add_peer(peer, "fill", to_string(Size::l2), bytes_of(Size::l2, 1) / peer.element);
        if (!peer.small_calls) continue;
        for (const std::size_t n : small_sizes) add_peer(peer, "call", std::to_string(n), n);
    }
    const auto add_memset = [](Size size, int threads) {
        add_row(row_name("fill", "memset", "bytes", to_string(size), threads), threads, [=](benchmark::State& state) {
            const std::size_t bytes = bytes_of(size, threads);
            for (auto _ : state) {
                memset_threads(buffer(), bytes, threads);
                benchmark::ClobberMemory();
            }
            count(state, bytes, 1);
        });
    };
    add_memset(Size::l2, 1);
    add_memset(Size::large, 1);
    add_memset(Size::large, 2);
}

}  // namespace bench
