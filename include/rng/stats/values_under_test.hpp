// Values under test: this library's distributions, and files from any program.
//
//     const rng::stats::GeneratorUnderTest ours = rng::stats::distribution_under_test("normal(mean=0,stddev=1)",
//     "f32"); const rng::stats::GeneratorUnderTest theirs = rng::stats::npy_under_test("z.npy", "normal"); const
//     rng::stats::Report report = run_battery(invert_box_muller(theirs));         // Box-Muller inverted
//
// A distribution is written NAME or NAME(PARAMETER=VALUE,...), with the names of the catalogue (`rng list`).
// A parameter that is left out has the catalogue's default. Tests of values take a word of 32 bits for each value, so 4
// bytes are one value.
#pragma once

#include <rng/core/engine.hpp>
#include <rng/core/stream.hpp>

#include <string>

#include "generator_under_test.hpp"
#include "value_law.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// How this library makes the values that are under test.
struct DistributionOptions {
    std::string engine = Philox4x32_10::name;
    uint64_t seed = default_seed;
};

/// Returns values of a distribution of the catalogue as a generator under test. `dtype` is as in `rng list` ("f32",
/// "bf16", "u64"; empty: the first). Throws Error (invalid_argument) on an unknown name, parameter, type or engine, or
/// a parameter out of range.
[[nodiscard]] GeneratorUnderTest distribution_under_test(const std::string& distribution, const std::string& dtype = "",
                                                         const DistributionOptions& options = {});

/// Returns the elements of a NumPy file, in their stored order, as values of `distribution`.
/// Types: f2, f4, f8, c8 and c16 (real and imaginary parts in turn), b1, i1 to i8 and u1 to u8. Either byte order, any
/// shape.
/// Uniform real numbers may have come to their type in any way (real_uniform_law()). Two parameters say more:
/// - `bits=20`: the values are multiples of 2^-20 of the interval, made as this library makes them;
/// - `decimals=6`: the values were rounded to six decimal digits.
/// Throws Error (invalid_argument) if the file or the distribution is wrong.
[[nodiscard]] GeneratorUnderTest npy_under_test(const std::string& file, const std::string& distribution);

/// Returns the words from which Box and Muller's map would have made these values, in pairs of neighbours.
/// The words show what marginal distributions hide. Throws Error (invalid_argument) unless the generator has normally
/// distributed values.
[[nodiscard]] GeneratorUnderTest invert_box_muller(const GeneratorUnderTest& generator);

/// Returns true if invert_box_muller() takes this generator.
[[nodiscard]] bool is_invertible(const GeneratorUnderTest& generator);

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
