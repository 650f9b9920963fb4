// Sums whose bits depend on the numbers and their order alone: not on threads, vectors, strides, devices or ranks.
// docs/reduce.md has the order of every addition, and recipes.
//
//     const double price = rng::mean(payoffs);                           // a Monte Carlo estimate, the same everywhere
//     rng::index_add(gradient_rows, 0, tokens, gradient_of_each_token);  // no atomic additions
#pragma once

#include "reduce/index_add.hpp"
#include "reduce/running_sum.hpp"
#include "reduce/sparse_product.hpp"
#include "reduce/sums.hpp"
