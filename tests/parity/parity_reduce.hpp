// What parity_reduce.cpp and parity_scatter.cpp share.
#pragma once

#include <rng/reduce.hpp>

#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "../../cuda/reduce_backend.hpp"
#include "../../cuda/scatter_backend.hpp"
#include "ptx_device.hpp"
#include "reduce_kernels.hpp"

namespace parity {

/// Additions by index, and counts; defined in parity_scatter.cpp.
void compare_scatters(std::vector<Library>& libraries);

using ReduceDevice = ListedPtxDevice<reduce_kernels>;

template <class T> using Real = rng::detail::real_t<T>;

/// Numbers of many sizes, times 2^exponent.
template <class T> std::vector<T> numbers(size_t n, uint64_t seed, int exponent = 0) {
    std::vector<T> x(n);
    Numbers from(seed);
    const auto next = [&] { return std::ldexp(from.number(), exponent + static_cast<int>(from.next() % 9)); };
    for (T& value : x) {
        if constexpr (rng::detail::real_parts<T> == 2) {
            const double re = next();
            value = {static_cast<Real<T>>(re), static_cast<Real<T>>(next())};
        } else {
            value = as<T>(next());
        }
    }
    return x;
}

/// Runs f(device, library) in each library; if threads might meet, then with both orders of blocks and threads.
template <class F> void on_each(std::vector<Library>& libraries, bool may_meet, const F& f) {
    for (Library& library : libraries) {
        ReduceDevice forwards(library, false), backwards(library, true);
        f(forwards, library);
        if (may_meet) f(backwards, library);
    }
}

}  // namespace parity
