// How the laws call Boost's functions.
#pragma once

#include <boost/math/policies/policy.hpp>

namespace rng::stats::detail {

namespace policies = boost::math::policies;
/// Boost's functions then return 0, infinity or NaN, and throw nothing.
using Quiet = policies::policy<
    policies::domain_error<policies::ignore_error>, policies::pole_error<policies::ignore_error>,
    policies::overflow_error<policies::ignore_error>, policies::underflow_error<policies::ignore_error>,
    policies::rounding_error<policies::ignore_error>, policies::evaluation_error<policies::ignore_error>>;
inline constexpr Quiet quiet;

}  // namespace rng::stats::detail
