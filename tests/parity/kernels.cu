// For each distribution of the catalogue, I its index there:
//     map_kernel<I>    thread t writes at(stream, dist, first + t) over TableEngine: the map on chosen words
//     fill_kernel<I>   a fill of device memory by the backend's own code: the engine and the map
// and fork_kernel for child streams. Streams and parameters arrive at run time, so that the compiler folds nothing.
// run.py compiles this file to PTX, and ptx_to_c.py turns the PTX into C.
// parity_host.cpp finds the kernels by name.
// If check_mutations.py defines PARITY_ONLY, the name of a distribution, only the kernels of this distribution are
// compiled. If run.py defines PARITY_HALF as 0 or 1, only that half of the catalogue is compiled (support/halves.hpp),
// and fill_kernel only for the first distribution of each kind. The code of a fill takes four times as long as a map's.
#include <rng/at.hpp>
#include <rng/distributions/catalogue.hpp>

#include <string_view>
#include <utility>

#include "../support/halves.hpp"
#include "table_engine.hpp"

#ifndef PARITY_ONLY
#define PARITY_ONLY ""
#endif
#ifndef PARITY_HALF
#define PARITY_HALF -1
#endif

namespace {

template <class E, class D>
__device__ void write_value(const rng::Stream<E>& stream, const D& dist, uint64_t first, uint32_t n,
                            rng::result_t<D>* out) {
    const uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n) out[t] = rng::at(stream, dist, first + t);
}

}  // namespace

template <int I>
__global__ void __launch_bounds__(rng::detail::threads_per_block,
                                  rng::detail::resident_blocks<parity::Distribution<I>, rng::Philox4x32_10>)
    fill_kernel(const __grid_constant__ parity::Fill<I> fill) {
    const uint64_t threads = uint64_t{gridDim.x} * blockDim.x;
    rng::detail::fill_thread(fill, uint64_t{blockIdx.x} * blockDim.x + threadIdx.x, threads);
}

template <int I>
__global__ void map_kernel(rng::Stream<parity::TableEngine> stream, parity::Distribution<I> dist, uint64_t first,
                           uint32_t n, rng::result_t<parity::Distribution<I>>* out) {
    write_value(stream, dist, first, n, out);
}

/// out[t] = the first word of the grandchild (first + t, t).
__global__ void fork_kernel(rng::Stream<> stream, uint64_t first, uint32_t n, uint32_t* out) {
    const uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n) out[t] = rng::word(stream.fork(first + t).fork(t), 0);
}

template <int I>
constexpr bool wanted = (std::string_view(PARITY_ONLY).empty() ||
                         PARITY_ONLY == std::string_view(parity::Distribution<I>::name)) &&
                        (PARITY_HALF < 0 || support::half_of<I> == PARITY_HALF);

/// Taking a kernel's address makes the compiler emit it; nothing here is called.
template <int I> void emit() {
    if constexpr (wanted<I>) {
        static void* const map = reinterpret_cast<void*>(&map_kernel<I>);
        (void)map;
        if constexpr (PARITY_HALF < 0 || parity::is_first_fill<I>) {
            static void* const fill = reinterpret_cast<void*>(&fill_kernel<I>);
            (void)fill;
        }
    }
}
template <int... I> void emit_all(std::integer_sequence<int, I...>) { (emit<I>(), ...); }
void all_kernels() { emit_all(std::make_integer_sequence<int, rng::catalogue_size>{}); }
