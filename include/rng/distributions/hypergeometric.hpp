// hypergeometric{good, bad, draws}: the number of good items among `draws` items, drawn from good + bad without
// putting any back.
//
//     const std::vector<int> aces = rng::sample(rng::hypergeometric{4, 48, 5}, 1000, gen);
//     const rng::hypergeometric<int64_t> votes{5'000'000'000, 3'000'000'000, 1000};
//
// Where only one value is possible, it is exact: no draws, all items, no good or no bad ones.
// If the variance is below 256, a greater first word never gives a smaller value. The total variation from the exact
// distribution is below 2^-46 then; one value takes the last 2^-50 of either tail. From there on values are accepted or
// rejected, and the logarithms of their masses have an error of about 2^-45.
// Sources: detail/hypergeometric_map.hpp.
// Oracle: of {1, 1, 1}, the words from 2^63 on give 1, to within 2^-52.
#pragma once

#include "../detail/hypergeometric_map.hpp"
#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The hypergeometric distribution: k with probability C(good, k) C(bad, draws - k) / C(good + bad, draws).
template <class T> struct hypergeometric {
    static_assert(detail::is_count<T>, "hypergeometric is of int32_t or int64_t: write hypergeometric{4, 48, 5}");
    using result_type = T;
    T good = 1;
    T bad = 1;
    T draws = 1;

    static constexpr const char* name = "hypergeometric";
    static constexpr const char* support = "{max(0, draws - bad), ..., min(good, draws)}";
    static constexpr const char* summary = "hypergeometric, by inversion or a ratio of uniforms";
    static constexpr int slot_words = 4;
    static constexpr int operand_words = 2;
    static constexpr Shape map_shape = Shape::sampler;
    static constexpr bool has_real_arithmetic = true;
    static constexpr int least_tabulated = 64;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"good", &hypergeometric::good, "number of good items", {0, most}},
                      Field{"bad", &hypergeometric::bad, "number of bad items", {0, most}},
                      Field{"draws", &hypergeometric::draws, "number of items drawn"}};
    }
    [[nodiscard]] ParameterFault fault() const {
        if (const ParameterFault wrong = detail::range_fault(*this)) return wrong;
        if (sizeof(T) == 8 && bad > most - good)
            return ParameterFault::of_integer("bad", bad, "must be at most 2^53 - 1 - good");
        if (draws < 0 || static_cast<uint64_t>(draws) > static_cast<uint64_t>(good) + static_cast<uint64_t>(bad))
            return ParameterFault::of_integer("draws", draws, "must be in [0, good + bad]");
        return {};
    }

    using Map = detail::HypergeometricMap;
    [[nodiscard]] RNG_FN Map map() const {
        return detail::hypergeometric_map(static_cast<uint64_t>(good), static_cast<uint64_t>(bad),
                                          static_cast<uint64_t>(draws));
    }
    [[nodiscard]] Map map(const uint64_t* table) const {
        Map made = map();
        if (!made.has_trials) made.table = table;
        return made;
    }
    [[nodiscard]] uint32_t table_words() const {
        return map().has_trials ? 0 : static_cast<uint32_t>(detail::MassTable::size);
    }
    void build_table(uint64_t* table) const {
        const Map made = map();
        if (!made.has_trials) detail::MassTable::build(made.walk, table);
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }

  private:
    static constexpr auto most = static_cast<T>(sizeof(T) == 4 ? (int64_t{1} << 31) - 1 : (int64_t{1} << 53) - 1);
};

template <class A, class B, class C>
RNG_GUIDE hypergeometric(A, B, C)->hypergeometric<detail::parameter_t<detail::parameter_t<A, B>, C>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
