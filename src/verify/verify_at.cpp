#include "verify_at.hpp"

RNG_BEGIN_NAMESPACE

detail::ByAt detail::by_at(int distribution) { return {rng_abi::at_loop(distribution)}; }

RNG_END_NAMESPACE
