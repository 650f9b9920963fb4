// bernoulli{p}: 1 with probability p, else 0.
//
//     const std::vector<uint8_t> tosses = rng::sample(rng::bernoulli{0.25}, 1000, gen);
//
// One 32-bit word is compared with p * 2^32, rounded to the nearest integer (ties to even). The value is 1 if the word
// is below that number.
// p = 0 and p = 1 are exact; any other probability is within 2^-33 of p.
// Oracle: bernoulli{0.5} is 1 where the word's top bit is clear.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"
#include "../lane/lane.hpp"
#include "../lane/prepare.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// 1 with probability p, else 0.
struct bernoulli {
    using result_type = uint8_t;  // not bool: a std::vector<bool> has no array of elements to fill
    double p = 0.5;

    static constexpr const char* name = "bernoulli";
    static constexpr const char* support = "{0, 1}";
    static constexpr const char* summary = "1 with probability p, else 0";
    static constexpr int slot_words = 1;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"p", &bernoulli::p, "probability of 1", {0, 1}}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        uint32_t most;  // words up to this one give `one`
        uint32_t one;   // 0 if even word 0 gives 0; otherwise 1

        template <class L> RNG_FN lane::u32<L> operator()(lane::u32<L> w) const {
            const lane::u32<L> above = lane::is_below(lane::u32<L>(most), w);  // all ones, or zero
            return (above ^ lane::u32<L>(~0u)) & lane::u32<L>(one);
        }
    };
    [[nodiscard]] RNG_FN Map map() const {
        // The last bit of p 2^32 + 2^52 is worth 1: the sum rounds to the threshold, and its bits hold it.
        const uint64_t sum = lane::Scalar::bits(lane::Scalar::fma(lane::Scalar::set(p), 0x1p32, 0x1p52));
        const uint64_t threshold = sum & 0xfffffffffffffu;
        return threshold == 0 ? Map{0, 0} : Map{static_cast<uint32_t>(threshold - 1), 1};
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
