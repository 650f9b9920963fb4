#include <rng/core/error.hpp>
#include <rng/stats/permutations.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "../p_values/chi_square.hpp"

namespace rng::stats {
namespace {

/// Numbers of [0, n) in `parts` parts of nearly one size.
struct Parts {
    uint64_t n, parts;
    [[nodiscard]] std::size_t of(uint64_t x) const { return static_cast<std::size_t>(x * parts / n); }
    [[nodiscard]] double size(std::size_t part) const { return static_cast<double>(first(part + 1) - first(part)); }

  private:
    [[nodiscard]] uint64_t first(uint64_t part) const { return (part * n + parts - 1) / parts; }
};

/// Adds up what permutations have in common; each check makes its results from the sums.
class Sums {
  public:
    Sums(uint32_t n, uint32_t keys) : n_(n), keys_(keys), bits_(std::bit_width(n - 1)), value_parts_{n, pair_parts} {
        for (const uint32_t distance : {1u, 2u, 3u, 4u, 16u, 64u, 256u, n / 3, n / 2 - 1})
            pairs_.push_back({distance, std::vector<uint64_t>(pair_parts * pair_parts)});
        flips_.resize(static_cast<std::size_t>(bits_), std::vector<uint64_t>(xor_cells));
    }

    void add(std::span<const uint32_t> p) {
        for (auto& [distance, cells] : pairs_)
            for (uint32_t i = 0, j = distance; i < n_; ++i, j = j + 1 == n_ ? 0 : j + 1)
                ++cells[value_parts_.of(p[i]) * pair_parts + value_parts_.of(p[j])];
        for (int bit = 0; bit < bits_; ++bit)
            for (uint32_t i = 0, flip = 1u << bit; i < n_; ++i)
                if ((i & flip) == 0 && (i | flip) < n_)
                    ++flips_[static_cast<std::size_t>(bit)][(p[i] ^ p[i | flip]) >> (bits_ - 8)];
        const Parts places{n_, place_parts};
        for (uint32_t i = 0; i < n_; ++i) {
            ++by_place_[places.of(i) * place_parts + places.of(p[i])];
            fixed_ += p[i] == i ? 1 : 0;
        }
        add_cycles(p);
    }

    [[nodiscard]] std::vector<PermutationCheck> results() const {
        std::vector<PermutationCheck> all;
        const double n = n_;
        for (const auto& [distance, cells] : pairs_)
            all.push_back(square_of("pairs at distance " + std::to_string(distance), cells, value_parts_,
                                    [n](double a, double b, bool same) { return a * (same ? b - 1 : b) / (n - 1); }));
        const std::vector<double> shares = xor_shares();
        for (std::size_t bit = 0; bit < flips_.size(); ++bit) {
            double pairs = 0;
            for (const uint64_t count : flips_[bit]) pairs += static_cast<double>(count);
            std::vector<double> expected;
            for (const double share : shares) expected.push_back(share * pairs);
            if (pairs < 20 * static_cast<double>(xor_cells)) continue;  // the last bit of some n has few pairs
            const ChiSquare made = chi_square(flips_[bit], expected);
            all.push_back({"pairs of places that differ in bit " + std::to_string(bit), made.statistic, made.p});
        }
        all.push_back(square_of("values by place", by_place_, Parts{n_, place_parts},
                                [n](double a, double b, bool) { return a * b / n; }));
        const double keys = keys_;
        all.push_back({"fixed points", static_cast<double>(fixed_), poisson_p_value(fixed_, keys)});
        all.push_back({"cycles of two", static_cast<double>(twos_), poisson_p_value(twos_, keys / 2)});
        double mean = 0, variance = 0;
        for (double k = n; k > 0; --k) {
            mean += 1 / k;
            variance += 1 / k - 1 / (k * k);
        }
        const double z = (static_cast<double>(cycles_) - keys * mean) / std::sqrt(keys * variance);
        all.push_back({"cycles", z, normal_p_value(z)});
        all.push_back({"odd permutations", static_cast<double>(odd_), binomial_p_value(odd_, keys_, 0.5)});
        return all;
    }

  private:
    static constexpr std::size_t pair_parts = 32, place_parts = 64, xor_cells = 256;

    void add_cycles(std::span<const uint32_t> p) {
        seen_.assign(n_, false);
        uint32_t even_cycles = 0;  // each of them changes the sign
        for (uint32_t i = 0; i < n_; ++i) {
            if (seen_[i]) continue;
            uint32_t length = 0, j = i;
            for (; !seen_[j]; j = p[j], ++length) seen_[j] = true;
            if (j != i) refuse();
            ++cycles_;
            twos_ += length == 2 ? 1 : 0;
            even_cycles += length % 2 == 0 ? 1 : 0;
        }
        odd_ += even_cycles % 2;
    }
    [[noreturn]] static void refuse() {
        rng::detail::refuse("check_permutations", "the source's output must have each number below n once");
    }

    /// Pearson's statistic of a square of cells whose rows and columns have known sums.
    template <class Expected>
    [[nodiscard]] PermutationCheck square_of(std::string name, const std::vector<uint64_t>& cells, const Parts& parts,
                                             const Expected& expected) const {
        double statistic = 0;
        for (std::size_t a = 0; a < parts.parts; ++a)
            for (std::size_t b = 0; b < parts.parts; ++b) {
                const double mean = keys_ * expected(parts.size(a), parts.size(b), a == b);
                const double excess = static_cast<double>(cells[a * parts.parts + b]) - mean;
                statistic += excess * excess / mean;
            }
        const double side = static_cast<double>(parts.parts) - 1;
        return {std::move(name), statistic, chi_square_p_value(statistic, side * side)};
    }
    /// The probabilities of the top 8 bits of a xor b, for different a and b of [0, n).
    [[nodiscard]] std::vector<double> xor_shares() const {
        std::vector<double> size(xor_cells), share(xor_cells);
        const double whole = std::exp2(bits_ - 8);
        for (std::size_t c = 0; c < xor_cells; ++c)
            size[c] = std::min(whole, std::max(0.0, n_ - static_cast<double>(c) * whole));
        const double n = n_, all = n * (n - 1);
        for (std::size_t a = 0; a < xor_cells; ++a)
            for (std::size_t b = 0; b < xor_cells; ++b) share[a ^ b] += size[a] * size[b] / all;
        share[0] -= n / all;
        return share;
    }

    uint32_t n_, keys_;
    int bits_;
    Parts value_parts_;
    std::vector<std::pair<uint32_t, std::vector<uint64_t>>> pairs_;
    std::vector<std::vector<uint64_t>> flips_;
    std::vector<uint64_t> by_place_ = std::vector<uint64_t>(place_parts * place_parts);
    std::vector<bool> seen_;
    uint64_t fixed_ = 0, twos_ = 0, cycles_ = 0, odd_ = 0;
};

}  // namespace

std::vector<PermutationCheck> check_permutations(const PermutationSource& source, uint32_t n, uint32_t keys) {
    if (n < 1024 || n > 1u << 30)
        rng::detail::refuse("check_permutations", "n must be in [1024, 2^30], got " + std::to_string(n));
    if (keys == 0) rng::detail::refuse("check_permutations", "keys must be at least 1, got 0");
    Sums sums(n, keys);
    std::vector<uint32_t> values(n);
    for (uint32_t key = 0; key < keys; ++key) {
        source(key, values);
        for (const uint32_t value : values)
            if (value >= n)
                rng::detail::refuse("check_permutations", "the source's output must be below n = " + std::to_string(n) +
                                                              ", got " + std::to_string(value));
        sums.add(values);
    }
    return sums.results();
}

}  // namespace rng::stats
