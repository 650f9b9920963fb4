// The catalogue: every distribution of list.hpp. Kernels, goldens, tests, the command line and `rng list` iterate it.
#pragma once

#include "bernoulli.hpp"
#include "bits.hpp"
#include "complex_normal.hpp"
#include "exponential.hpp"
#include "list.hpp"
#include "normal.hpp"
#include "normal_icdf.hpp"
#include "uniform.hpp"
#include "uniform_dense.hpp"
#include "uniform_int.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Calls f(type_tag<D>{}) for each distribution of the catalogue, in order.
template <class F> constexpr void for_each_distribution(F&& f) {
    detail::for_each_in(catalogue{}, static_cast<F&&>(f));
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
