// binomial{trials, p}: the number of successes in `trials` independent trials, by inversion.
//
//     const std::vector<int> heads = rng::sample(rng::binomial{20, 0.5}, 1000, gen);
//     const rng::binomial<int64_t> infected{8'000'000'000, 1e-4};
//
// A greater word never gives a smaller value. p = 0 gives 0, and p = 1 gives `trials`.
// Total variation from the exact distribution: below 2^-46 if the variance is below 256. From there on the expansion is
// within 2^-42, and rounding adds an estimated 2^-51 of the standard deviation. Below 256 one value takes the last
// 2^-50 of either tail. If p is above 1/2, the failures are counted, whose probability 1 - p is exact.
// Sources: detail/count_map.hpp.
// Oracle: of one trial, the words from 2^64 (1 - p) on give 1, to within 2^-52.
#pragma once

#include "../detail/count_map.hpp"
#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The binomial distribution: integers of [0, trials], k with probability C(trials, k) p^k (1 - p)^(trials - k).
template <class T> struct binomial {
    static_assert(detail::is_count<T>, "binomial is of int32_t or int64_t: write binomial{20, 0.5}");
    using result_type = T;
    T trials = 1;
    double p = 0.5;

    static constexpr const char* name = "binomial";
    static constexpr const char* support = "{0, ..., trials}";
    static constexpr const char* summary = "binomial, by inversion";
    static constexpr int slot_words = 2;
    static constexpr Shape map_shape = Shape::value;
    static constexpr bool has_real_arithmetic = true;
    static constexpr int least_tabulated = 64;  // building a table takes as long as that many walks

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"trials",
                            &binomial::trials,
                            "number of trials",
                            {0, sizeof(T) == 4 ? detail::greatest<T> : T(int64_t{1} << 62)}},
                      Field{"p", &binomial::p, "probability of success", {0, 1}}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    using Map = detail::CountMap<true>;
    template <class L> [[nodiscard]] RNG_FN Map map_over() const {
        const bool is_mirrored = p > 0.5;
        const auto n = static_cast<uint64_t>(trials);
        Map made = detail::CountPreparation<L, true>::map(
            {n, is_mirrored ? lane::Scalar::sub(1.0, p) : lane::zero_below(0x1p-130, p)});
        made.mirror = is_mirrored ? ~uint64_t{0} : 0;
        made.offset = is_mirrored ? n + 1 : 0;
        return made;
    }
    [[nodiscard]] RNG_FN Map map() const { return detail::map_over_best_lane(*this); }
    [[nodiscard]] Map map(const uint64_t* table) const { return detail::with_table(map(), table); }
    [[nodiscard]] uint32_t table_words() const { return detail::table_words(map()); }
    void build_table(uint64_t* table) const { detail::build_table(map(), table); }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class T> RNG_GUIDE binomial(T, double)->binomial<T>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
