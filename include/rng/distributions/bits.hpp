// bits<uint32_t>, bits<uint64_t>: the words of the stream themselves, every value equally likely.
//
//     const std::vector<uint64_t> words = rng::sample(rng::bits<uint64_t>{}, 1000, gen);
//
// Oracle: bits<uint32_t> of Stream{20111115} is C++26's std::philox4x32, value for value.
#pragma once

#include "../draw.hpp"
#include "../lane/lane.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Words of 32 or 64 bits.
template <class T> struct bits {
    static_assert(detail::integer<T> && std::is_unsigned_v<T> && sizeof(T) >= 4,
                  "bits<T>: T is an unsigned integer of 32 or 64 bits: bits<uint32_t>, bits<uint64_t>");
    using result_type = T;

    static constexpr const char* name = "bits";
    static constexpr const char* support = sizeof(T) == 4 ? "[0, 2^32)" : "[0, 2^64)";
    static constexpr const char* summary = "raw words; 64-bit values take two, low word first";
    static constexpr int slot_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() { return Fields<>{}; }
    [[nodiscard]] ParameterFault fault() const { return {}; }

    struct Map {
        static constexpr bool is_short = true;
        template <class L> RNG_FN lane::u32<L> operator()(lane::u32<L> w) const { return w; }
        template <class L> RNG_FN lane::u64<L> operator()(lane::u64<L> w) const { return w; }
    };
    [[nodiscard]] RNG_FN Map map() const { return {}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
