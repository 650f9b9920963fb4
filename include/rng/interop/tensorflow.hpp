// The numbers of TensorFlow's Philox, as streams and distributions of rng: addressable, threaded, in kernels.
//
//     const rng::Stream<> s = rng::tensorflow::stateless(1, 2);                    // seed=[1, 2]
//     std::vector<float> x(1000);
//     rng::fill(x, rng::tensorflow::uniform{0.0f, 1.0f}, s);                       // stateless_uniform([1000], seed)
//     const rng::Stream<> drawn = rng::tensorflow::generator(42);
//     rng::fill(x, rng::tensorflow::uniform{0.0f, 1.0f}, drawn);                   // Generator.from_seed(42).uniform
//
// Uniform floats, doubles and integers, and words, are TensorFlow's to the bit. Integers are words modulo the number of
// values, and a float uses the low bits of a word. Normal numbers are not offered.
// Source: TensorFlow, stateless_random_ops.cc, random_distributions.h, stateful_random_ops.py, random_seed.py.
// Oracle: the first number of stateless_uniform([3], [1, 2]) is 0.8440604.
#pragma once

#include <string>

#include <rng/at.hpp>
#include <rng/core/stream.hpp>
#include <rng/lane/functions.hpp>

#include <rng/core/hide_macros.inc>

RNG_BEGIN_NAMESPACE

namespace tensorflow {

/// Returns the words of a stateless draw with seed=[seed0, seed1], of the algorithm "philox" (which "auto_select"
/// selects on a CPU).
[[nodiscard]] RNG_FN Stream<> stateless(uint64_t seed0, uint64_t seed1) {
    const auto low = [](uint64_t x) { return static_cast<uint32_t>(x); };
    const auto high = [](uint64_t x) { return static_cast<uint32_t>(x >> 32); };
    const auto w =
        Philox4x32_10::block({{low(seed0), high(seed0), low(seed1), high(seed1)}}, {{0x3ec8f720, 0x02461e29}});
    return {{{w[0], w[1]}}, w[2] | uint64_t{w[3]} << 32, 0};
}
/// Returns the words of the next draw of tf.random.Generator.from_seed(seed), after draws of `drawn` values in all.
/// Throws Error (invalid_argument) unless seed + 256 drawn is below 2^56, where a Stream ends.
[[nodiscard]] inline Stream<> generator(uint64_t seed, uint64_t drawn = 0) {
    constexpr uint64_t blocks = detail::blocks_per_stream, per_value = 256;
    if (seed >= blocks || drawn >= (blocks - seed) / per_value)
        detail::refuse("tensorflow::generator", "seed + 256 drawn must be below 2^56, got seed " +
                                                    std::to_string(seed) + " and drawn " + std::to_string(drawn));
    return Stream<>({{0, 0}}, 0, 4 * (seed + per_value * drawn));
}
/// Returns the words of the first draw with seed=op_seed after tf.random.set_seed(seed). Without seed= TensorFlow takes
/// random.Random(seed).randint(0, 2**31 - 1) of Python for the first draw, the next such number for the next one.
[[nodiscard]] inline Stream<> op(int64_t seed, int64_t op_seed) {
    constexpr int64_t most = 0x7fffffff;
    const auto reduced = [](int64_t x) { return static_cast<uint64_t>((x % most + most) % most); };
    const uint64_t key = reduced(seed), id = reduced(op_seed);
    return Stream<>(key, key == 0 && id == 0 ? uint64_t{most} : id);
}

/// TensorFlow's uniform numbers of [low, high), of float or double: u * (high - low) + low, rounded twice. TensorFlow
/// calls the bounds minval and maxval.
template <class T> struct uniform {
    static_assert(detail::is_same<T, float> || detail::is_same<T, double>, "tensorflow::uniform is of float or double");
    using result_type = T;
    T low = 0, high = 1;

    static constexpr const char* name = "tensorflow::uniform";
    static constexpr int slot_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::value;
    struct Map {
        T low, range;
        template <class L> RNG_FN lane::f32<L> operator()(lane::u32<L> w) const {
            using U = lane::u32<L>;
            return scaled(lane::sub(lane::from_bits((w & U(0x7fffff)) | U(0x3f800000)), lane::f32<L>(1.0f)));
        }
        template <class L> RNG_FN lane::f64<L> operator()(lane::u64<L> w) const {
            using U = lane::u64<L>;
            const U fraction = lane::shl<32>(w & U(0xfffff)) | lane::shr<32>(w);
            return scaled(lane::sub(lane::from_bits(fraction | U(0x3ff0000000000000)), lane::f64<L>(1.0)));
        }

      private:
        template <class F> RNG_FN F scaled(F u) const { return lane::add(lane::fma(u, F(range), F(T(0))), F(low)); }
    };
    RNG_FN Map map() const { return {low, lane::Scalar::sub(high, low)}; }
};
template <class T> RNG_GUIDE uniform(T, T)->uniform<T>;

/// TensorFlow's uniform integers of [low, high), of 32 or 64 bits: low + word mod (high - low). Requires low < high.
template <class T> struct uniform_int {
    static_assert(detail::integer<T> && sizeof(T) >= 4, "tensorflow::uniform_int is of integers of 32 or 64 bits");
    using result_type = T;
    using word = std::make_unsigned_t<T>;
    T low = 0, high = 1;

    static constexpr const char* name = "tensorflow::uniform_int";
    static constexpr int slot_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::value;
    [[nodiscard]] ParameterFault fault() const {
        if (low < high) return {};
        return ParameterFault::of_integer("high", high, "must be above low");
    }
    struct Map {
        word low, n, inverse;  // inverse: floor((2^W - 1) / n)
        // The quotient's estimate by the inverse is the quotient or one less.
        template <class L> RNG_FN lane::u32<L> operator()(lane::u32<L> w) const {
            using U = lane::u32<L>;
            return finished<U>(w - lane::mul_low(lane::mul_high(w, U(inverse)), U(n)));
        }
        template <class L> RNG_FN lane::u64<L> operator()(lane::u64<L> w) const {
            return finished<lane::u64<L>>(w - lane::mul_wide(lane::mul_wide(w, inverse).high, n).low);
        }

      private:
        template <class U> RNG_FN U finished(U rest) const {
            return rest - (U(n) & ~lane::is_below(rest, U(n))) + U(low);
        }
    };
    RNG_FN Map map() const {
        const auto n = static_cast<word>(static_cast<word>(high) - static_cast<word>(low));
        return {static_cast<word>(low), n, static_cast<word>(static_cast<word>(~word{0}) / n)};
    }
};
template <class T> RNG_GUIDE uniform_int(T, T)->uniform_int<T>;

}  // namespace tensorflow

RNG_END_NAMESPACE

#include <rng/core/restore_macros.inc>
