// The catalogue: every distribution of list.hpp. Kernels, goldens, tests, the command line and `rng list` iterate over
// it.
#pragma once

#include "bernoulli.hpp"
#include "beta.hpp"
#include "beta_prime.hpp"
#include "binomial.hpp"
#include "bits.hpp"
#include "cauchy.hpp"
#include "chi.hpp"
#include "chi_squared.hpp"
#include "complex_normal.hpp"
#include "double_sided_maxwell.hpp"
#include "exponential.hpp"
#include "exponentially_modified_normal.hpp"
#include "fisher_f.hpp"
#include "frechet.hpp"
#include "gamma.hpp"
#include "generalized_normal.hpp"
#include "geometric.hpp"
#include "gumbel.hpp"
#include "half_cauchy.hpp"
#include "half_normal.hpp"
#include "hypergeometric.hpp"
#include "inverse_gamma.hpp"
#include "inverse_gaussian.hpp"
#include "kumaraswamy.hpp"
#include "laplace.hpp"
#include "list.hpp"
#include "log_gamma.hpp"
#include "log_series.hpp"
#include "logistic.hpp"
#include "lognormal.hpp"
#include "lomax.hpp"
#include "maxwell.hpp"
#include "negative_binomial.hpp"
#include "noncentral_chi_squared.hpp"
#include "noncentral_f.hpp"
#include "normal.hpp"
#include "normal_icdf.hpp"
#include "pareto.hpp"
#include "poisson.hpp"
#include "power.hpp"
#include "rademacher.hpp"
#include "rayleigh.hpp"
#include "student_t.hpp"
#include "triangular.hpp"
#include "truncated_normal.hpp"
#include "uniform.hpp"
#include "uniform_dense.hpp"
#include "uniform_int.hpp"
#include "unit_vector.hpp"
#include "von_mises.hpp"
#include "weibull.hpp"
#include "zipf.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Calls f(type_tag<D>{}) for each distribution of the catalogue, in order.
template <class F> constexpr void for_each_distribution(F&& f) {
    detail::for_each_in(catalogue{}, static_cast<F&&>(f));
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
