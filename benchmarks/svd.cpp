// rng_bench_svd: the low-rank SVD on every instruction set, beside Eigen's.
// Most of its time goes into products with a tall, narrow matrix; these are also timed with OpenBLAS.
// svd_torch.py has torch and scikit-learn.
//
// Rows are named as in support.hpp: "svd/rng-avx512/f32/20000x2000q16/t1". GFLOP/s count the products with A alone.
#include <rng/rng.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "support.hpp"
#include "svd_peers.hpp"

namespace {

struct Shape {
    std::size_t m, n, q;
    [[nodiscard]] std::string name() const {
        return std::to_string(m) + 'x' + std::to_string(n) + 'q' + std::to_string(q);
    }
};
// benchmarks/README.md, "Low-rank SVD".
constexpr Shape shapes[] = {{20000, 2000, 16}, {20000, 2000, 64}, {4096, 4096, 16},
                            {4096, 4096, 64},  {2000, 500, 128},  {1000, 1000, 6}};
constexpr int niter = 2;

template <class T> constexpr const char* type_name = sizeof(T) == 4 ? "f32" : "f64";

/// Normal values, written once before anything is timed; one matrix is kept, for the rows of a shape follow each other.
template <class T> const T* matrix_of(const Shape& shape) {
    static std::vector<T> values;
    if (values.size() != shape.m * shape.n) {
        values.resize(shape.m * shape.n);
        rng::fill(values, rng::normal<T>{}, rng::Stream<>{1});
    }
    return values.data();
}

void count_flops(benchmark::State& state, const Shape& shape, int products) {
    const double flops = 2.0 * static_cast<double>(shape.m * shape.n * shape.q) * products;
    state.counters["GFLOP"] = benchmark::Counter(flops * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
    state.counters["ghz"] = bench::clock_ghz();
}

void add(const std::string& name, int threads, auto&& body) {
    auto* row = benchmark::RegisterBenchmark(name.c_str(), body)->Unit(benchmark::kMillisecond);
    if (threads > 1) row->UseRealTime();
}

template <class T> void add_rows(const Shape& shape, int most_threads) {
    const std::string type = type_name<T>;
    for (const rng::Isa isa : rng::available_isas())
        for (int threads = 1; threads <= most_threads; ++threads)
            add(bench::row_name("svd", std::string("rng-") + to_string(isa), type, shape.name(), threads), threads,
                [=](benchmark::State& state) {
                    rng::set_isa(isa);
                    rng::set_num_threads(threads);
                    const auto a = rng::matrix_view<const T>::row_major(matrix_of<T>(shape), shape.m, shape.n);
                    rng::Generator generator{rng::cpu(), 42};
                    for (auto _ : state)
                        benchmark::DoNotOptimize(
                            rng::svd_lowrank(a, {.q = static_cast<long long>(shape.q), .niter = niter}, generator));
                    count_flops(state, shape, 2 * niter + 2);
                });
    add(bench::row_name("svd", "eigen", type, shape.name(), 1), 1, [=](benchmark::State& state) {
        const T* a = matrix_of<T>(shape);
        const auto omega = rng::sample(rng::normal<T>{}, std::min(shape.m, shape.n) * shape.q, rng::Stream<>{42});
        std::vector<T> u(shape.m * shape.q), s(shape.q), v(shape.n * shape.q);
        for (auto _ : state)
            bench::eigen_svd_lowrank(a, shape.m, shape.n, shape.q, niter, omega.data(), u.data(), s.data(), v.data());
        count_flops(state, shape, 2 * niter + 2);
    });
    if (!bench::have_openblas()) return;
    for (const bool transposed : {false, true})
        for (int threads = 1; threads <= most_threads; ++threads)
            add(bench::row_name(transposed ? "ATX" : "AX", "openblas", type, shape.name(), threads), threads,
                [=](benchmark::State& state) {
                    const T* a = matrix_of<T>(shape);
                    const auto x =
                        rng::sample(rng::normal<T>{}, (transposed ? shape.m : shape.n) * shape.q, rng::Stream<>{42});
                    std::vector<T> out((transposed ? shape.n : shape.m) * shape.q);
                    for (auto _ : state)
                        bench::openblas_product(a, shape.m, shape.n, shape.q, transposed, x.data(), out.data(),
                                                threads);
                    count_flops(state, shape, 1);
                });
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::AddCustomContext("rng_version", RNG_VERSION);
    benchmark::AddCustomContext("compiler", RNG_BENCH_COMPILER);
    benchmark::AddCustomContext("openblas", bench::have_openblas() ? "yes" : "not found when this was configured");
    const int most_threads = std::min(2, rng::num_threads());
    for (const Shape& shape : shapes) {
        add_rows<float>(shape, most_threads);
        add_rows<double>(shape, most_threads);
    }
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
