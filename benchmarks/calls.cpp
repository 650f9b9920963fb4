// What one call costs: fills of few values from a Stream and from a Generator, draws one at a time, calls of an engine.
#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <string>

#include "rng/random.hpp"
#include "rng/rng.hpp"
#include "support.hpp"

namespace bench {
namespace {

template <class D> void add_small_fills(const std::string& what, const D& dist) {
    using T = typename D::result_type;
    for (const std::size_t n : small_sizes) {
        add_row(row_name("call", "stream", what, std::to_string(n), 1), 1, [=](benchmark::State& state) {
            use_defaults();
            const std::span<T> out(static_cast<T*>(buffer()), n);
            rng::Stream<> stream{42};
            for (auto _ : state) {
                rng::fill(out, dist, stream);
                benchmark::ClobberMemory();
                stream.position += n * static_cast<std::size_t>(D::slot_words);
            }
            count(state, n, sizeof(T));
        });
        add_row(row_name("call", "generator", what, std::to_string(n), 1), 1, [=](benchmark::State& state) {
            use_defaults();
            const std::span<T> out(static_cast<T*>(buffer()), n);
            rng::Generator generator(42);
            for (auto _ : state) {
                rng::fill(out, dist, generator);
                benchmark::ClobberMemory();
            }
            count(state, n, sizeof(T));
        });
    }
}

/// Fills of 1 to 200 values: none should take longer than one of more values. worst_ratio is the greatest t(n) / t(m)
/// with n <= m. Each t is the shortest of all passes over the sizes, in each of which a size has its turn.
template <class D> void add_sweep(const std::string& what, const D& dist) {
    using T = typename D::result_type;
    add_row(row_name("sweep", "stream", what, "200", 1), 1, [=](benchmark::State& state) {
        use_defaults();
        constexpr std::size_t most = 200, calls = 32;
        std::array<double, most + 1> ns;
        ns.fill(1e9);
        rng::Stream<> stream{42};
        for (auto _ : state) {
            for (std::size_t n = 1; n <= most; ++n) {
                const std::span<T> out(static_cast<T*>(buffer()), n);
                const auto begin = std::chrono::steady_clock::now();
                for (std::size_t c = 0; c < calls; ++c) {
                    rng::fill(out, dist, stream);
                    benchmark::ClobberMemory();
                    stream.position += n * static_cast<std::size_t>(D::slot_words);
                }
                const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
                ns[n] = std::min(ns[n], took.count() / calls);
            }
        }
        count(state, calls * most * (most + 1) / 2, sizeof(T));
        double worst = 0;
        std::size_t worst_n = 0, worst_m = 0;
        for (std::size_t n = most, m = most; n > 0; --n) {
            if (ns[n] < ns[m]) m = n;
            if (ns[n] <= worst * ns[m]) continue;
            worst = ns[n] / ns[m];
            worst_n = n, worst_m = m;
        }
        state.counters["worst_ratio"] = worst;
        state.counters["worst_n"] = static_cast<double>(worst_n);
        state.counters["worst_m"] = static_cast<double>(worst_m);
    });
}

/// A row of values that a Reader or a Cursor gives one at a time.
template <class Values, class D> void add_values(const std::string& who, const std::string& what, const D& dist) {
    add_row(row_name("draw", who, what, "1", 1), 1, [=](benchmark::State& state) {
        use_defaults();
        Values values(rng::Stream<>{42}, dist);
        constexpr std::size_t calls = 4096;
        for (auto _ : state) {
            decltype(addend(values.next())) sum = 0;
            for (std::size_t i = 0; i < calls; ++i) sum += addend(values.next());
            benchmark::DoNotOptimize(sum);
        }
        count(state, calls, sizeof(typename D::result_type));
    });
}

/// A row of a law that is prepared once: values at unrelated places, and fills of a few.
template <class D> void add_prepared(const std::string& what, const D& dist) {
    add_at("at, prepared", what, rng::Prepared(dist));
    add_row(row_name("call", "stream, prepared", what, "16", 1), 1,
            [law = rng::Prepared(dist)](benchmark::State& state) {
                use_defaults();
                constexpr std::size_t n = 16;
                const std::span<rng::result_t<D>> out(static_cast<rng::result_t<D>*>(buffer()), n);
                rng::Stream<> stream{42};
                for (auto _ : state) {
                    rng::fill(out, law, stream);
                    benchmark::ClobberMemory();
                    stream.position += n * static_cast<std::size_t>(D::slot_words);
                }
                count(state, n, sizeof(rng::result_t<D>));
            });
}

/// All ways to one value after another, for one distribution.
template <class D> void add_every_draw(const std::string& what, const D& dist) {
    add_draws<rng::philox4x32>("rng-philox4x32", what, dist, use_defaults);
    add_draws<rng::philox4x32>("std_distribution, rng-philox4x32", what, rng::std_distribution(dist), use_defaults);
    add_values<rng::Reader<D>>("Reader", what, dist);
    add_values<rng::Cursor<D>>("Cursor", what, dist);
}

/// A fill of a matrix whose elements are not side by side: 250 of 256 columns, by rows or by columns.
template <class D> void add_strided_fills(const std::string& what, const D& dist) {
    using T = typename D::result_type;
    constexpr std::size_t rows = 256, cols = 250;
    const auto add = [&](const std::string& order, std::ptrdiff_t row_stride, std::ptrdiff_t col_stride) {
        add_row(row_name("draw", "matrix_view, " + order, what, "1", 1), 1, [=](benchmark::State& state) {
            use_defaults();
            const rng::matrix_view<T> out{static_cast<T*>(buffer()), rows, cols, row_stride, col_stride};
            rng::Stream<> stream{42};
            for (auto _ : state) {
                rng::fill(out, dist, stream);
                benchmark::ClobberMemory();
                stream.position += rows * cols * static_cast<std::size_t>(D::slot_words);
            }
            count(state, rows * cols, sizeof(T));
        });
    };
    add("contiguous", cols, 1);
    add("rows of 256", 256, 1);
    add("columns of 256", 1, 256);
}

/// Fills of values that lie apart, beside neighbours: a rank's part of an array that is dealt out to several.
template <class D> void add_indexed_fills(const std::string& what, const D& dist) {
    using T = typename D::result_type;
    constexpr std::size_t n = std::size_t{1} << 16;
    const auto add = [&](const std::string& part, rng::indices numbers) {
        add_row(row_name("draw", "indices, " + part, what, "1", 1), 1, [=](benchmark::State& state) {
            use_defaults();
            const std::span<T> out(static_cast<T*>(buffer()), n);
            rng::Stream<> stream{42};
            for (auto _ : state) {
                rng::fill(out, dist, stream, numbers);
                benchmark::ClobberMemory();
                stream.position += n * static_cast<std::size_t>(D::slot_words);
            }
            count(state, n, sizeof(T));
        });
    };
    add("contiguous", {0, 1, 1});
    add("every 2nd", {1, 2, 1});
    add("every 64th", {1, 64, 1});
    add("blocks of 64", {64, 256, 64});
    add("blocks of 1024", {1024, 4096, 1024});
    add_row(row_name("draw", "at(), every 64th", what, "1", 1), 1, [=](benchmark::State& state) {
        use_defaults();
        const std::span<T> out(static_cast<T*>(buffer()), n);
        const rng::Stream<> stream{42};
        for (auto _ : state) {
            for (std::size_t k = 0; k < n; ++k) out[k] = rng::at(stream, dist, 64 * k);
            benchmark::ClobberMemory();
        }
        count(state, n, sizeof(T));
    });
}

}  // namespace

void use_defaults() {
    rng::reset_isa();
    rng::set_num_threads(1);
}

void add_calls() {
    const auto add_small = [](const char* what, const auto& dist) {
        add_small_fills(what, dist);
        add_sweep(what, dist);
    };
    add_small("u32", rng::bits<std::uint32_t>{});
    add_small("uniform_f32", rng::uniform<float>{});
    add_small("normal_f32", rng::normal<float>{});
    add_small("normal_f64", rng::normal<double>{});
    add_at_portable();
    add_at_native();
    add_engine<rng::philox4x32>("rng-philox4x32", use_defaults);
    add_engine<rng::philox4x32_7>("rng-philox4x32_7", use_defaults);
    add_engine<rng::philox4x64>("rng-philox4x64", use_defaults);
    add_engine<rng::threefry4x32>("rng-threefry4x32", use_defaults);
    add_engine<rng::threefry4x64>("rng-threefry4x64", use_defaults);
    add_every_draw("uniform_f32", rng::uniform<float>{});
    add_every_draw("uniform_f64", rng::uniform<double>{});
    add_every_draw("normal_f32", rng::normal<float>{});
    add_every_draw("normal_f64", rng::normal<double>{});
    add_every_draw("exponential_f64", rng::exponential<double>{});
    add_every_draw("normal_icdf_f32", rng::normal_icdf<float>{});
    add_every_draw("normal_icdf_f64", rng::normal_icdf<double>{});
    add_every_draw("complex_normal_c64", rng::complex_normal<float>{});
    add_every_draw("complex_normal_c128", rng::complex_normal<double>{});
    add_every_draw("bernoulli", rng::bernoulli{0.3});
    add_every_draw("uniform_int_i32(1,6)", rng::uniform_int{1, 6});
    add_every_draw("uniform_int_u32(0,2^31)", rng::uniform_int<std::uint32_t>{0, 1u << 31});
    add_every_draw("uniform_int_u64(0,2^63)", rng::uniform_int<std::uint64_t>{0, std::uint64_t{1} << 63});
    // The continuous laws that std has, through a Reader: values one by one.
    add_values<rng::Reader<rng::lognormal<double>>>("Reader", "lognormal_f64", rng::lognormal<double>{});
    add_values<rng::Reader<rng::gumbel<double>>>("Reader", "gumbel_f64", rng::gumbel<double>{});
    add_values<rng::Reader<rng::weibull<double>>>("Reader", "weibull_f64", rng::weibull{1.5, 1.0});
    add_values<rng::Reader<rng::cauchy<double>>>("Reader", "cauchy_f64", rng::cauchy<double>{});
    add_values<rng::Reader<rng::student_t<double>>>("Reader", "student_t_f64", rng::student_t{5.0});
    add_values<rng::Reader<rng::gamma<float>>>("Reader", "gamma_f32(2.5)", rng::gamma{2.5f, 1.0f});
    add_values<rng::Reader<rng::gamma<double>>>("Reader", "gamma_f64(2.5)", rng::gamma{2.5, 1.0});
    add_values<rng::Reader<rng::chi_squared<double>>>("Reader", "chi_squared_f64(5)", rng::chi_squared{5.0});
    add_values<rng::Reader<rng::fisher_f<double>>>("Reader", "fisher_f_f64(5,7)", rng::fisher_f{5.0, 7.0});
    add_values<rng::Reader<rng::poisson<int>>>("Reader", "poisson_i32(3.5)", rng::poisson{3.5});
    add_values<rng::Reader<rng::binomial<int>>>("Reader", "binomial_i32(100,0.3)", rng::binomial{100, 0.3});
    add_prepared("poisson_i32(3.5)", rng::poisson{3.5});
    add_prepared("poisson_i32(200)", rng::poisson{200});
    add_prepared("poisson_i32(1000000)", rng::poisson{1e6});
    add_prepared("binomial_i32(1000,0.3)", rng::binomial{1000, 0.3});
    add_strided_fills("normal_f32", rng::normal<float>{});
    add_indexed_fills("normal_f32", rng::normal<float>{});
    add_indexed_fills("uniform_f32", rng::uniform<float>{});
    add_indexed_fills("normal_f64", rng::normal<double>{});
    add_indexed_fills("gamma_f32(2.5)", rng::gamma{2.5f, 1.0f});
    add_engine<rng::block_engine<rng::Philox4x32_10>>("rng-block_engine<Philox4x32_10>", use_defaults);
}

}  // namespace bench
