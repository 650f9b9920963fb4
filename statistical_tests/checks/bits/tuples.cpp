#include "tuples.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace rng::stats {

namespace {

constexpr std::size_t nine_tuples = 19683;   // 3^9
constexpr std::size_t chunk_symbols = 1024;  // their symbols and indices lie in the first cache beside the counters
constexpr std::size_t chunk_tuples = chunk_symbols / 2;
constexpr std::size_t step = 64;  // loops run to the next multiple of step, so scratch is that much longer

/// Computes the indices of `n` 9-tuples that begin at even symbols.
RNG_STATS_CLONES void index_tuples(const uint8_t* __restrict symbols, std::size_t n, uint16_t* __restrict digits,
                                   uint16_t* __restrict fours, uint16_t* __restrict indices) {
    const auto* const pairs = reinterpret_cast<const uint16_t*>(symbols);
    for (std::size_t i = 0; i < n + 4; i += step)
        for (std::size_t j = i; j < i + step; ++j)
            digits[j] = static_cast<uint16_t>(3 * (pairs[j] & 0xff) + (pairs[j] >> 8));
    for (std::size_t i = 0; i < n + 2; i += step)
        for (std::size_t j = i; j < i + step; ++j) fours[j] = static_cast<uint16_t>(9 * digits[j] + digits[j + 1]);
    for (std::size_t i = 0; i < n; i += step)
        for (std::size_t j = i; j < i + step; ++j)
            indices[j] = static_cast<uint16_t>(243 * fours[j] + 3 * fours[j + 2] + (pairs[j + 4] & 0xff));
}

RNG_STATS_CLONES void count(const uint16_t* indices, std::size_t n, uint16_t* counters) {
    for (std::size_t i = 0; i < n; ++i) ++counters[indices[i]];
}

RNG_STATS_CLONES void fold(uint16_t* __restrict counters, uint64_t* __restrict counts) {
    for (std::size_t i = 0; i < nine_tuples; ++i) {
        counts[i] += counters[i];
        counters[i] = 0;
    }
}

/// Values f[degree][symbol] of the orthonormal polynomials.
using Basis = std::array<std::array<double, 3>, 3>;
Basis basis_of(const SymbolLaw& law) {
    const auto& p = law.p;
    const auto mean = [&](const auto& g) { return p[0] * g(0) + p[1] * g(1) + p[2] * g(2); };
    Basis f{};
    f[0] = {1, 1, 1};
    const double centre = p[1] + 2 * p[2];
    const double deviation = std::sqrt(mean([&](int s) { return (s - centre) * (s - centre); }));
    for (int s = 0; s < 3; ++s) f[1][s] = (s - centre) / deviation;
    const double square = mean([&](int s) { return s * s; }), slope = mean([&](int s) { return s * s * f[1][s]; });
    for (int s = 0; s < 3; ++s) f[2][s] = s * s - square - slope * f[1][s];
    const double length = std::sqrt(mean([&](int s) { return f[2][s] * f[2][s]; }));
    for (double& value : f[2]) value /= length;
    return f;
}

/// Returns, for each index, the sum of its products over all tuples. The digits of an index are the degrees of the
/// factors.
std::vector<double> coefficients(std::span<const uint64_t> counts, const Basis& f) {
    std::vector<double> w(counts.begin(), counts.end());
    for (std::size_t stride = 1; stride < w.size(); stride *= 3)
        for (std::size_t t = 0; t < w.size(); ++t) {
            if (t / stride % 3 != 0) continue;
            const double x[3] = {w[t], w[t + stride], w[t + 2 * stride]};
            for (std::size_t d = 0; d < 3; ++d) w[t + d * stride] = f[d][0] * x[0] + f[d][1] * x[1] + f[d][2] * x[2];
        }
    return w;
}

}  // namespace

WeightBand WeightBand::of(uint64_t bits) {
    const double n = static_cast<double>(bits);
    const uint64_t middle = bits / 2;
    const auto pmf = [&](uint64_t k) {
        return std::exp(detail::log_binomial_pmf(static_cast<double>(k), n, n / 2 - static_cast<double>(k)));
    };
    double within = pmf(middle);
    uint64_t reach = 0;
    for (;;) {
        const double wider = within + 2 * pmf(middle - reach - 1);
        if (std::abs(wider - 1.0 / 3) >= std::abs(within - 1.0 / 3)) break;
        within = wider;
        ++reach;
    }
    const double beyond = (1 - within) / 2;
    return {static_cast<uint32_t>(middle - reach), static_cast<uint32_t>(middle + reach), {{beyond, within, beyond}}};
}

// A part is left out below these numbers of tuples, by weight. At the least n a p-value of 1e-11 is too small by a
// factor of two at most, at twice that n by 2^(1/2) (docs/statistics/tuples.md).
constexpr double least_tuples[] = {0, 4000, 8000, 16000, 32000, 65000, 130000, 260000, 260000};
// A coefficient takes part in "max" if n is this many times the fourth moment of its terms (docs/statistics/tuples.md).
constexpr double least_tuples_of_moment = 7000;
// "max" needs so many coefficients. The largest of few coefficients says the same as the sums of squares. The largest
// also takes few values, so that its p-values are not uniform.
constexpr double least_candidates = 16;

void add_tuple_results(Results& results, const std::string& prefix, std::span<const uint64_t> counts, int k,
                       const SymbolLaw& law, std::span<const int> weights) {
    double n = 0;
    for (const uint64_t c : counts) n += static_cast<double>(c);
    if (n < least_tuples[1]) return;
    const Basis f = basis_of(law);
    std::array<double, 3> fourth{};
    for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t s = 0; s < 3; ++s) fourth[d] += law.p[s] * std::pow(f[d][s], 4);

    const std::vector<double> sums = coefficients(counts, f);
    std::vector<double> squares(static_cast<std::size_t>(k) + 1), degrees(squares);
    double largest = 0, candidates = 0;
    for (std::size_t t = counts.size() / 3; t < counts.size(); ++t) {
        std::size_t weight = 0;
        double moment = 1;
        for (std::size_t rest = t; rest > 0; rest /= 3) {
            weight += rest % 3 != 0;
            moment *= fourth[rest % 3];
        }
        const double square = sums[t] * sums[t] / n;
        squares[weight] += square;
        ++degrees[weight];
        if (n < least_tuples_of_moment * moment) continue;
        ++candidates;
        largest = std::max(largest, square);
    }
    for (std::size_t w = 1; w < squares.size(); ++w) {
        squares[w] += squares[w - 1];
        degrees[w] += degrees[w - 1];
    }
    for (const int w : weights) {
        const auto i = static_cast<std::size_t>(w);
        if (n < least_tuples[i]) break;
        results.add(prefix + "w<=" + std::to_string(w), chi_square_p_value(squares[i], degrees[i]));
    }
    if (candidates < least_candidates) return;
    const double of_one = std::log10(2.0) + normal_p_value(std::sqrt(largest)).log10_upper;
    results.add(prefix + "max", largest_of(candidates, of_one, of_one));
}

Tuples::Tuples(Map map, std::size_t bytes_per_symbol, const SymbolLaw& law)
    : map_(map),
      bytes_per_symbol_(bytes_per_symbol),
      law_(law),
      here_(nine_tuples),
      symbols_(chunk_symbols + 8 + 2 * (step + 8)),
      digits_(chunk_tuples + 2 * step),
      fours_(chunk_tuples + 2 * step),
      indices_(chunk_tuples + step) {
    counts.resize(nine_tuples);
}

void Tuples::add(const Segment& segment) {
    const std::size_t n = segment.data.size() / bytes_per_symbol_;
    std::size_t carried = 0, counted = 0;
    for (std::size_t at = 0; at < n; at += chunk_symbols) {
        const std::size_t fresh = std::min(chunk_symbols, n - at), have = carried + fresh;
        map_(segment.data.data() + at * bytes_per_symbol_, fresh, symbols_.data() + carried);
        const std::size_t tuples = have < 9 ? 0 : (have - 7) / 2;
        index_tuples(symbols_.data(), tuples, digits_.data(), fours_.data(), indices_.data());
        count(indices_.data(), tuples, here_.data());
        counted += tuples;
        if (counted + chunk_tuples > UINT16_MAX) {
            fold(here_.data(), counts.data());
            counted = 0;
        }
        carried = have - 2 * tuples;
        std::memmove(symbols_.data(), symbols_.data() + 2 * tuples, carried);
    }
    fold(here_.data(), counts.data());
}

std::vector<uint64_t> Tuples::tuples() const {
    std::vector<uint64_t> eights(nine_tuples / 3);
    for (std::size_t t = 0; t < nine_tuples; ++t) {
        eights[t / 3] += counts[t];
        eights[t % eights.size()] += counts[t];
    }
    return eights;
}

void Tuples::results(Results& results) const {
    static constexpr int weights[] = {1, 2, 3, 4, 5, 6, 7, 8};
    add_tuple_results(results, "", tuples(), k, law_, weights);
}

}  // namespace rng::stats
