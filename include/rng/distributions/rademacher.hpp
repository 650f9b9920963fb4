// rademacher{}: -1 or 1, with equal probability.
//
//     const std::vector<int8_t> signs = rng::sample(rng::rademacher{}, 1000, gen);
//
// The value is -1 if the word's top bit is set.
#pragma once

#include "../draw.hpp"
#include "../lane/lane.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The Rademacher distribution: -1 or 1.
struct rademacher {
    using result_type = int8_t;

    static constexpr const char* name = "rademacher";
    static constexpr const char* support = "{-1, 1}";
    static constexpr const char* summary = "random signs";
    static constexpr int slot_words = 1;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() { return Fields<>{}; }
    [[nodiscard]] static constexpr ParameterFault fault() { return {}; }

    struct Map {
        template <class L> RNG_FN lane::u32<L> operator()(lane::u32<L> w) const {
            return lane::u32<L>(1u) - lane::shl<1>(lane::shr<31>(w));
        }
    };
    [[nodiscard]] RNG_FN static Map map() { return {}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
