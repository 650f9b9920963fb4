// svd_lowrank with a C interface, for svd_torch.py: matrices are row-major, calls return 0 or (for an Error, whose text
// goes to standard error) 1.
#include <rng/rng.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

template <class T> struct Call {
    long long m, n, q, niter;
    T *u, *s, *v;  // of matrix after matrix

    /// Calls svd(options, generator), which returns a result or a vector of them.
    template <class F> int run(const F& svd) {
        try {
            rng::Generator generator{rng::cpu(), 42};
            write(svd(rng::SvdOptions<T>{.q = q, .niter = niter}, generator));
            return 0;
        } catch (const rng::Error& error) {
            std::fprintf(stderr, "%s\n", error.what());
            return 1;
        }
    }
    void write(const rng::LowRankSvd<T>& result) {
        u = std::copy(result.U.values.begin(), result.U.values.end(), u);
        s = std::copy(result.S.begin(), result.S.end(), s);
        v = std::copy(result.V.values.begin(), result.V.values.end(), v);
    }
    void write(const std::vector<rng::LowRankSvd<T>>& results) {
        for (const auto& result : results) write(result);
    }
};

template <class T> int dense(const T* a, long long count, Call<T> call) {
    return call.run([&](const auto& options, rng::Generator& generator) {
        const auto rows = static_cast<std::size_t>(call.m), cols = static_cast<std::size_t>(call.n);
        const auto first = rng::matrix_view<const T>::row_major(a, rows, cols);
        const rng::batch_view<const T> all{first, static_cast<std::size_t>(count), call.m * call.n};
        return rng::svd_lowrank(all, options, generator);
    });
}
template <class T> int sparse(const int32_t* offsets, const int32_t* columns, const T* values, Call<T> call) {
    return call.run([&](const auto& options, rng::Generator& generator) {
        const auto rows = static_cast<std::size_t>(call.m), entries = static_cast<std::size_t>(offsets[rows]);
        const rng::csr_view<T, int32_t> a{
            rows, static_cast<std::size_t>(call.n), {offsets, rows + 1}, {columns, entries}, {values, entries}};
        return rng::svd_lowrank(a, options, generator);
    });
}

}  // namespace

#define RNG_BENCH_EXPORT extern "C" __attribute__((visibility("default")))

#define RNG_BENCH_SVD(T, name)                                                                                  \
    RNG_BENCH_EXPORT int rng_svd_##name(const T* a, long long count, long long m, long long n, long long q,     \
                                        long long niter, T* u, T* s, T* v) {                                    \
        return dense<T>(a, count, {m, n, q, niter, u, s, v});                                                   \
    }                                                                                                           \
    RNG_BENCH_EXPORT int rng_svd_csr_##name(const int32_t* offsets, const int32_t* columns, const T* values,    \
                                            long long m, long long n, long long q, long long niter, T* u, T* s, \
                                            T* v) {                                                             \
        return sparse<T>(offsets, columns, values, {m, n, q, niter, u, s, v});                                  \
    }
RNG_BENCH_SVD(float, f32)
RNG_BENCH_SVD(double, f64)

RNG_BENCH_EXPORT void rng_threads(int threads) { rng::set_num_threads(threads); }
/// 1 if the instruction set is there.
RNG_BENCH_EXPORT int rng_isa(int isa) {
    for (const rng::Isa available : rng::available_isas())
        if (static_cast<int>(available) == isa) {
            rng::set_isa(available);
            return 1;
        }
    return 0;
}
