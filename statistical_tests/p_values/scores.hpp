// Sums of scores of cells: an observation in cell c adds score c. Their distribution by its saddle point.
//
// Sources: Lugannani, Rice, Adv. Appl. Probab. 12, 1980, in Barndorff-Nielsen's form r* (Biometrika 73, 1986). Its
// relative error is of order 1 / n in the tails too, where the normal limit is wrong by orders of magnitude.
// Oracle: 600 scores 0, 1, 3, 40 have the probabilities 0.5, 0.3, 0.19, 0.01. The sum is above 1420, or half of the
// time equal to 1420, with probability 8.70876e-8 (by convolution). This gives 8.70861e-8, the normal limit 1.6e-11.
#pragma once

#include <rng/stats/p_value.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace rng::stats {

/// Returns the p-value of the sum of scores of n independent observations: `counts` of them in cells of these
/// `probabilities`. Takes the distribution as continuous, so `scores` should have many values. Requires positive
/// probabilities of sum 1. Throws Error (invalid_argument) if the lengths differ.
[[nodiscard]] PValue score_p_value(std::span<const uint64_t> counts, std::span<const double> probabilities,
                                   std::span<const double> scores);

/// Returns polynomials in x of degrees 1 to `most` by their values in the cells, which have these probabilities and
/// places x. The polynomials are orthonormal to each other and to 1. There are fewer if x has too few different values.
[[nodiscard]] std::vector<std::vector<double>> orthonormal_polynomials(std::span<const double> x,
                                                                       std::span<const double> probabilities, int most);

}  // namespace rng::stats
