// The exact covariance of gap counts (gap16.cpp, docs/statistics/gap16.md). The header exists for the unit test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rng::stats {

/// Returns the covariance of the numbers of gaps that are at most width, 2 width, ..., bins * width long, by rows. The
/// gaps start at `starts` successive places. Values are independent and uniform, and there are 1 / p of them. Requires
/// starts > bins * width.
[[nodiscard]] std::vector<double> gap_covariance(double p, uint64_t width, std::size_t bins, uint64_t starts);

/// Returns x' c^-1 x. Requires c to be a positive definite matrix by rows.
[[nodiscard]] double quadratic_form(std::vector<double> c, std::vector<double> x);

}  // namespace rng::stats
