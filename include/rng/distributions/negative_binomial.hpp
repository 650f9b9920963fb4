// negative_binomial{r, p}: the number of failures before success number r; r may be any positive real number.
//
//     const std::vector<int> failures = rng::sample(rng::negative_binomial{2.5, 0.25}, 1000, gen);
//
// std, Boost, NumPy and torch also count the failures; torch's probs is 1 - p. p = 1 gives 0. r = 1 is the distribution
// of geometric.
// Distributions of variance below 256 (with p of at least 1/32), and those of skewness up to 1/16, use inversion. There
// a greater first word never gives a smaller value. Total variation from the exact distribution: below 2^-45 for the
// former. The expansion of the latter is within 2^-42, and rounding adds an estimated 2^-51 of the standard deviation.
// In all other cases a value is a Poisson variable whose mean is a gamma variable.
// Sources: detail/negative_binomial_map.hpp.
// Oracle: of r = 2, p = 1/2, the words up to 2^62 give 0, those from there to 2^63 give 1, to within 2^-48.
#pragma once

#include "../detail/negative_binomial_map.hpp"
#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The negative binomial distribution: integers from 0, k with probability Gamma(r + k) p^r (1 - p)^k / (k! Gamma(r)).
template <class T> struct negative_binomial {
    static_assert(detail::is_count<T>,
                  "negative_binomial is of int32_t or int64_t: write negative_binomial<int64_t>{2.5, 1e-9}");
    using result_type = T;
    double r = 1;
    double p = 0.5;

    static constexpr const char* name = "negative_binomial";
    static constexpr const char* support = "{0, 1, ...}";
    static constexpr const char* summary = "negative binomial: failures before success r, by inversion or a mixture";
    static constexpr int slot_words = 4;
    static constexpr int operand_words = 2;
    static constexpr Shape map_shape = Shape::sampler;
    static constexpr bool has_real_arithmetic = true;
    static constexpr bool retries_take_slots = false;
    static constexpr int least_tabulated = 64;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"r", &negative_binomial::r, "number of successes", {0x1p-20, 0x1p60}},
                      Field{"p", &negative_binomial::p, "probability of success",
                            detail::powers<double>(sizeof(T) == 4, {-24, 0}, {-40, 0})}};
    }
    [[nodiscard]] ParameterFault fault() const {
        if (const ParameterFault wrong = detail::range_fault(*this)) return wrong;
        constexpr bool i32 = sizeof(T) == 4;
        using S = lane::Scalar;
        const double mean = S::fma(S::div(S::sub(1.0, p), p), r, 0.0), variance = S::div(mean, p);
        const double far = S::add(S::fma(S::sqrt(variance), 40.0, mean), S::div(64.0, p));
        if (far > (i32 ? 0x1.fffffffcp30 : 0x1p62))
            return {"r", r,
                    i32 ? "must leave the mean, 40 standard deviations and 64 / p together below 2^31"
                        : "must leave the mean, 40 standard deviations and 64 / p together up to 2^62"};
        return {};
    }

    struct Map : detail::NegativeBinomialMap {
        template <class RetryStream> RNG_FN T sample(RetryStream& retry_stream) const {
            return static_cast<T>(this->count(retry_stream));
        }
    };
    template <class L> [[nodiscard]] RNG_FN Map map_over() const {
        return {detail::negative_binomial_map<L>(r, p, static_cast<uint64_t>(detail::greatest<T>))};
    }
    [[nodiscard]] RNG_FN Map map() const { return detail::map_over_best_lane(*this); }
    [[nodiscard]] Map map(const uint64_t* table) const {
        Map made = map();
        if (made.method == Map::Method::walk) made.table = table;
        return made;
    }
    [[nodiscard]] uint32_t table_words() const {
        return map().method == Map::Method::walk ? static_cast<uint32_t>(Map::Table::size) : 0;
    }
    void build_table(uint64_t* table) const {
        const Map made = map();
        if (made.method == Map::Method::walk) Map::Table::build(made.walk, table);
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

RNG_GUIDE negative_binomial(double, double)->negative_binomial<int>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
