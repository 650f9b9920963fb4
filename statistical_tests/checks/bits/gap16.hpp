// The exact covariance of gap counts: see gap16.cpp. Here for its unit test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rng::stats {

/// Values are independent and uniform, 1 / p of them. Of the gaps that start at `starts` successive places, how many
/// are at most width, 2 width, ..., bins * width long: the covariance of these counts, by rows. starts > bins * width.
[[nodiscard]] std::vector<double> gap_covariance(double p, uint64_t width, std::size_t bins, uint64_t starts);

/// x' c^-1 x of a positive definite matrix by rows.
[[nodiscard]] double quadratic_form(std::vector<double> c, std::vector<double> x);

}  // namespace rng::stats
