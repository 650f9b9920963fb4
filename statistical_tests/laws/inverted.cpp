#include <rng/core/error.hpp>
#include <rng/stats/inverted.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "../p_values/require.hpp"
#include "laws.hpp"

namespace rng::stats {
namespace {

/// Returns the first 32 bits of a fraction; all ones if the fraction is 1.
uint32_t word_of(double fraction) {
    return static_cast<uint32_t>(std::min(fraction * 0x1p32, static_cast<double>(UINT32_MAX)));
}

}  // namespace

InvertedPairs::InvertedPairs(std::shared_ptr<ValueSource> values) : values_(std::move(values)) {
    detail::require(values_->law()->is_normal(), "InvertedPairs", "values must be normally distributed",
                    values_->name());
}

std::size_t InvertedPairs::read(uint64_t position, std::span<std::byte> to) {
    constexpr std::size_t batch = 2048;
    double values[batch], z[batch];
    uint64_t random[batch];
    uint32_t words[batch];
    const uint64_t first = position / 4;
    const std::size_t n = to.size() / 8 * 2;
    for (std::size_t at = 0; at < n; at += batch) {
        const std::size_t size = std::min(batch, n - at),
                          got = values_->read_values(first + at, {values, size}) / 2 * 2;
        detail::random_points(first + at, {random, got});
        values_->law()->standardise({values, got}, {random, got}, {z, got});
        for (std::size_t i = 0; i < got; i += 2) {
            const double turn = std::atan2(z[i + 1], z[i]) / (2 * std::numbers::pi);
            const bool known = !std::isnan(z[i]) && !std::isnan(z[i + 1]);
            words[i] = known ? word_of(std::exp(-(z[i] * z[i] + z[i + 1] * z[i + 1]) / 2)) : 0;
            words[i + 1] = known ? word_of(turn < 0 ? turn + 1 : turn) : 0;
        }
        std::memcpy(to.data() + 4 * at, words, 4 * got);
        if (got < size) return 4 * (at + got);
    }
    return 4 * n;
}

}  // namespace rng::stats
