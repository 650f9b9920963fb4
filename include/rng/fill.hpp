// fill: values of a distribution into memory, the fastest way this machine has, the same bits on each.
//
//     rng::fill(x, rng::normal{0.0f, 1.0f}, generator);     // moves the generator on
//     rng::fill(x, rng::normal{0.0f, 1.0f}, stream);        // pure: x[i] = at(stream, dist, i)
//     rng::fill(x, rng::normal{0.0f, 1.0f}, engine);        // an rng::philox4x32: moves it on as dist(engine) does
//
// fill(n) then fill(m) equals fill(n + m). A fill of no values changes nothing. The distributions of the catalogue are
// compiled into the library; any other type with result_type, slot_words, shape and map() works too (docs/adding.md).
#pragma once

#include "dist/catalogue.hpp"
#include "fill_values.hpp"
