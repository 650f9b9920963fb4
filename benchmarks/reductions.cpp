// rng_bench_reduce: sums and additions by index beside plain loops and OpenBLAS.
//
// A row times both in turn, many times, and has the medians: rng_ns and peer_ns for each element, and `of_peer`, the
// time of rng over that of its peer. `limit` is what docs/reduce.md asks of it.
#include <benchmark/benchmark.h>
#include <rng/isa.hpp>
#include <rng/reduce.hpp>
#include <rng/rng.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "reduction_peers.hpp"

#if defined(RNG_BENCH_OPENBLAS)
extern "C" {
float cblas_sdot(int n, const float* x, int x_step, const float* y, int y_step);
double cblas_ddot(int n, const double* x, int x_step, const double* y, int y_step);
void openblas_set_num_threads(int n);
}
#endif

namespace {

using Work = std::function<void()>;

double ns_of(const Work& work, std::size_t times) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t k = 0; k < times; ++k) {
        work();
        benchmark::ClobberMemory();
    }
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() /
           static_cast<double>(times);
}
double median(std::vector<double> all) {
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
    return all[all.size() / 2];
}

/// A row of n elements. The peer has one thread, rng has `threads`.
void add(const std::string& name, std::size_t n, int threads, const Work& rng_work, const Work& peer, double limit) {
    benchmark::RegisterBenchmark(name.c_str(),
                                 [=](benchmark::State& state) {
                                     constexpr int rounds = 41;
                                     const std::size_t times = std::max<std::size_t>(1, (std::size_t{1} << 22) / n);
                                     std::vector<double> ours, theirs;
                                     for (auto _ : state)
                                         for (int round = 0; round < rounds; ++round) {
                                             rng::set_num_threads(1);
                                             theirs.push_back(ns_of(peer, times));
                                             rng::set_num_threads(threads);
                                             ours.push_back(ns_of(rng_work, times));
                                         }
                                     const auto each = static_cast<double>(n);
                                     state.counters["rng_ns"] = median(ours) / each;
                                     state.counters["peer_ns"] = median(theirs) / each;
                                     state.counters["of_peer"] = median(ours) / median(theirs);
                                     state.counters["limit"] = limit;
                                 })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
}

template <class T> std::vector<T> normals(std::size_t n, std::uint64_t id) {
    return rng::sample(rng::normal<T>{}, n, rng::Stream<>{1, id});
}
template <class T> void keep(T x) { benchmark::DoNotOptimize(x); }

template <class T> void add_sums(const std::string& type, double l1_limit) {
    for (const auto& [size, n, limit] : {std::tuple{"16KiB", (std::size_t{16} << 10) / sizeof(T), l1_limit},
                                         {"256KiB", (std::size_t{256} << 10) / sizeof(T), 0.0},
                                         {"64MiB", (std::size_t{64} << 20) / sizeof(T), 1.1}}) {
        const auto x = std::make_shared<std::vector<T>>(normals<T>(n, 1));
        const auto y = std::make_shared<std::vector<T>>(normals<T>(n, 2));
        add(
            "sum_" + type + "/" + size, n, 1, [x] { keep(rng::sum(*x)); },
            [x] { keep(bench::plain_sum(x->data(), x->size())); }, limit);
        add(
            "sum_" + type + "/" + size + "/two_threads_of_one", n, 2, [x] { keep(rng::sum(*x)); },
            [x] { keep(rng::sum(*x)); }, n == (std::size_t{256} << 10) / sizeof(T) ? 1 / 1.8 : 0);
#if defined(RNG_BENCH_OPENBLAS)
        add(
            "dot_" + type + "/" + size, n, 1, [x, y] { keep(rng::dot(*x, *y)); },
            [x, y] {
                if constexpr (sizeof(T) == 4)
                    keep(cblas_sdot(static_cast<int>(x->size()), x->data(), 1, y->data(), 1));
                else
                    keep(cblas_ddot(static_cast<int>(x->size()), x->data(), 1, y->data(), 1));
            },
            n == (std::size_t{64} << 20) / sizeof(T) ? 1.15 : 0);
#endif
    }
}

void add_index_adds() {
    constexpr std::size_t n = std::size_t{1} << 22;
    const auto values = std::make_shared<std::vector<float>>(normals<float>(n, 3));
    for (const std::int64_t targets : {std::int64_t{1000}, std::int64_t{1'000'000}}) {
        const auto index = std::make_shared<std::vector<std::int64_t>>(
            rng::sample(rng::uniform_int<std::int64_t>{0, targets - 1}, n, rng::Stream<>{2}));
        const auto out = std::make_shared<std::vector<float>>(static_cast<std::size_t>(targets));
        const auto counts = std::make_shared<std::vector<std::int64_t>>(static_cast<std::size_t>(targets));
        const std::string into = "/into_" + std::to_string(targets);
        const Work plain = [=] { bench::plain_index_add(out->data(), index->data(), values->data(), n); };
        for (const int threads : {1, 2}) {
            const std::string by = "/t" + std::to_string(threads);
            add(
                "index_add_f32" + into + by, n, threads, [=] { rng::index_add(*out, *index, *values); }, plain,
                threads == 2 ? 1 : 0);
            add(
                "bincount" + into + by, n, threads, [=] { keep(rng::bincount(*index).data()); },
                [=] { bench::plain_count(counts->data(), index->data(), n); }, 0);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::AddCustomContext("compiler", RNG_BENCH_COMPILER);
    benchmark::AddCustomContext("isa", rng::to_string(rng::current_isa()));
#if defined(RNG_BENCH_OPENBLAS)
    openblas_set_num_threads(1);
#endif
    add_sums<float>("f32", 2.5);
    add_sums<double>("f64", 2.8);
    add_index_adds();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
