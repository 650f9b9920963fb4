// Kernel I, value_kernel<I>: a value of distribution I of the catalogue and a sum of the caller's with it, for
// hip_lint.py. HIP contracts by default: were the value a product, the caller's sum would fuse with it. ROCm's headers
// are not needed.
#define __global__ __attribute__((global))
#include <rng/distributions/catalogue.hpp>

// Distributions 0, STEP, 2 * STEP ... of the catalogue are compiled.
#ifndef LINT_STEP
#define LINT_STEP 1
#endif

namespace {

/// Adds x to every component that is float or double. Other values stay as they are.
template <class T, class X> RNG_FN void add_to(T& value, const X& x) {
    if constexpr (requires { value.im; }) {
        add_to(value.re, x);
        add_to(value.im, x);
    } else if constexpr (requires { value.y; }) {
        add_to(value.x, x);
        add_to(value.y, x);
        if constexpr (requires { value.z; }) add_to(value.z, x);
        if constexpr (requires { value.w; }) add_to(value.w, x);
    } else if constexpr (rng::detail::is_real<T>) {
        value = value + static_cast<T>(x);
    }
}

}  // namespace

template <int I, class D> __global__ void value_kernel(rng::Stream<> stream, D dist, double x, rng::result_t<D>* out) {
    const uint32_t i = __builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x();
    rng::result_t<D> value = rng::at(stream, dist, i);
    add_to(value, x);
    out[i] = value;
}

template <class... D> void emit_all(rng::type_list<D...>) {
    const auto emit = []<class X>(rng::type_tag<X>) {
        constexpr int index = static_cast<int>(rng::catalogue_index<X>);
        if constexpr (index % LINT_STEP == 0) {
            static void* const kernel = reinterpret_cast<void*>(&value_kernel<index, X>);
            (void)kernel;
        }
    };
    (emit(rng::type_tag<D>{}), ...);
}
void all_kernels() { emit_all(rng::catalogue{}); }
