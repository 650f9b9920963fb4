// svd_lowrank with a C interface, for svd_torch.py: matrices are row-major, calls return 0 or (for an Error, whose text
// goes to standard error) 1.
#include <rng/rng.hpp>

#include <algorithm>
#include <cstdio>

namespace {

template <class T>
int svd_lowrank(const T* a, long long m, long long n, long long q, long long niter, unsigned long long seed, T* u, T* s,
                T* v) {
    try {
        rng::Generator generator{rng::cpu(), seed};
        const auto view =
            rng::matrix_view<const T>::row_major(a, static_cast<std::size_t>(m), static_cast<std::size_t>(n));
        const auto result = rng::svd_lowrank(view, {.q = q, .niter = niter}, generator);
        std::copy(result.U.values.begin(), result.U.values.end(), u);
        std::copy(result.S.begin(), result.S.end(), s);
        std::copy(result.V.values.begin(), result.V.values.end(), v);
        return 0;
    } catch (const rng::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

}  // namespace

#define RNG_BENCH_EXPORT extern "C" __attribute__((visibility("default")))

RNG_BENCH_EXPORT int rng_svd_f32(const float* a, long long m, long long n, long long q, long long niter,
                                 unsigned long long seed, float* u, float* s, float* v) {
    return svd_lowrank(a, m, n, q, niter, seed, u, s, v);
}
RNG_BENCH_EXPORT int rng_svd_f64(const double* a, long long m, long long n, long long q, long long niter,
                                 unsigned long long seed, double* u, double* s, double* v) {
    return svd_lowrank(a, m, n, q, niter, seed, u, s, v);
}
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
