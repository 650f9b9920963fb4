// Values as words: the randomised probability-integral transform.
#include <rng/distributions/bits.hpp>
#include <rng/fill.hpp>
#include <rng/stats/value_law.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "laws.hpp"

namespace rng::stats {
namespace {

constexpr std::size_t batch = 2048;  // length of each array; a fill of a batch is too small for threads of its own

/// The random points: a stream that nothing else uses, by a key of the digits of pi (0.14159... in hexadecimal).
const Stream<Philox4x32_10> points(0x243f6a8885a308d3, 0x13198a2e03707344);

uint32_t word_of(double probability) {
    if (std::isnan(probability)) return 0;
    const double scaled = std::fabs(probability) * 0x1p32;
    return std::signbit(probability) ? ~static_cast<uint32_t>(scaled) : static_cast<uint32_t>(scaled);
}

}  // namespace

void detail::random_points(uint64_t first, std::span<uint64_t> to) { fill(to, bits<uint64_t>{}, points, first); }

std::size_t ValueSource::read(uint64_t position, std::span<std::byte> to, std::span<double> values,
                              std::span<double> probabilities) {
    const uint64_t first = position / 4;
    const std::size_t n = read_values(first, values.first(to.size() / 4));
    uint64_t random[batch];
    for (std::size_t at = 0; at < n; at += batch) {
        const std::size_t size = std::min(batch, n - at);
        detail::random_points(first + at, {random, size});
        law()->probabilities(values.subspan(at, size), {random, size}, probabilities.subspan(at, size));
        uint32_t words[batch];
        for (std::size_t i = 0; i < size; ++i) words[i] = word_of(probabilities[at + i]);
        std::memcpy(to.data() + 4 * at, words, 4 * size);
    }
    return 4 * n;
}

std::size_t ValueSource::read(uint64_t position, std::span<std::byte> to) {
    std::vector<double> values(batch), probabilities(batch);
    std::size_t done = 0;
    while (to.size() - done >= 4) {
        const std::size_t asked = std::min(to.size() - done, 4 * batch);
        const std::size_t got = read(position + done, to.subspan(done, asked), values, probabilities);
        done += got;
        if (got < asked / 4 * 4) break;
    }
    return done;
}

}  // namespace rng::stats
