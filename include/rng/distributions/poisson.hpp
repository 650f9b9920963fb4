// poisson{mean}: the number of events where `mean` are expected, by inversion.
//
//     const std::vector<int> arrivals = rng::sample(rng::poisson{3.5}, 1000, gen);
//     const int64_t photons = rng::at(rng::Stream{42}, rng::poisson<int64_t>{1e12}, 0);
//
// A greater word never gives a smaller value. A mean of 0 gives 0.
// Total variation from the exact distribution: below 2^-47 for means below 256. From there on the expansion is within
// 2^-42, and rounding adds an estimated 2^-51 of the standard deviation. Below 256 one value takes the last 2^-50 of
// either tail.
// Sources: detail/count_map.hpp.
// Oracle: of mean 3.5, the words up to 2^64 exp(-3.5) give 0, to within 2^-52.
#pragma once

#include "../detail/count_map.hpp"
#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The Poisson distribution: integers from 0, k with probability mean^k exp(-mean) / k!.
template <class T> struct poisson {
    static_assert(detail::is_count<T>, "poisson is of int32_t or int64_t: write poisson<int64_t>{1e12}");
    using result_type = T;
    double mean = 1;

    static constexpr const char* name = "poisson";
    static constexpr const char* support = "{0, 1, ...}";
    static constexpr const char* summary = "Poisson, by inversion";
    static constexpr int slot_words = 2;
    static constexpr Shape map_shape = Shape::value;
    static constexpr bool has_real_arithmetic = true;
    static constexpr int least_tabulated = 64;  // building a table takes as long as that many walks

    [[nodiscard]] static constexpr auto fields() {
        return Fields{
            Field{"mean", &poisson::mean, "expected number of events", {0, sizeof(T) == 4 ? 0x1p30 : 0x1p62}}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    using Map = detail::CountMap<false>;
    template <class L> [[nodiscard]] RNG_FN Map map_over() const {
        return detail::CountPreparation<L, false>::map({0, lane::zero_below(0x1p-64, mean)});
    }
    [[nodiscard]] RNG_FN Map map() const { return detail::map_over_best_lane(*this); }
    [[nodiscard]] Map map(const uint64_t* table) const { return detail::with_table(map(), table); }
    [[nodiscard]] uint32_t table_words() const { return detail::table_words(map()); }
    void build_table(uint64_t* table) const { detail::build_table(map(), table); }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

RNG_GUIDE poisson(double)->poisson<int>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
