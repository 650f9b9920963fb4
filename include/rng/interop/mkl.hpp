// The numbers of oneMKL's generator VSL_BRNG_PHILOX4X32X10, as streams and distributions of rng.
//
//     std::vector<float> x(1000);
//     rng::fill(x, rng::mkl::uniform{-1.0f, 2.0f}, rng::mkl::stream(42));     // vsRngUniform of vslNewStream(..., 42)
//
// vslSkipAheadStream(stream, n) is at_position(n): both count words of 32 bits. The words themselves
// (viRngUniformBits32) are bits<uint32_t>. Uniform doubles have 32 random bits, as MKL's have.
// Source: Intel oneMKL, "Notes for Vector Statistics". docs/interop.md has the version that was compared.
// Oracle: the first number of [0, 1) of seed 42 is 0.113: word 0, 0x9ceaf053, as a signed number by 2^32, plus 1 / 2.
#pragma once

#include <rng/at.hpp>
#include <rng/core/stream.hpp>
#include <rng/lane/functions.hpp>

#include <rng/core/hide_macros.inc>

RNG_BEGIN_NAMESPACE

namespace mkl {

/// Returns the words of vslNewStream(&s, VSL_BRNG_PHILOX4X32X10, seed).
[[nodiscard]] inline Stream<> stream(uint32_t seed) { return Stream<>(seed); }

/// The numbers of vsRngUniform and vdRngUniform in [a, b): a word of 32 bits as a signed number, times (b - a) / 2^32,
/// plus (a + b) / 2. Product and sum are each rounded, as MKL's code for the processor that was compared does.
template <class T> struct uniform {
    static_assert(detail::is_same<T, float> || detail::is_same<T, double>, "mkl::uniform is of float or double");
    using result_type = T;
    T a = 0, b = 1;

    static constexpr const char* name = "mkl::uniform";
    static constexpr int slot_words = 1;
    static constexpr int operand_words = 1;
    static constexpr Shape map_shape = Shape::value;
    struct Map {
        T scale, middle;
        template <class L> RNG_FN lane::f32<L> operator()(lane::u32<L> w) const {
            using F = lane::f32<L>;
            return lane::add(lane::fma(lane::signed_to_f32(w), F(scale), F(0.0f)), F(middle));
        }
        // The word is the lower half of w. To read it as a signed number, its top bit is flipped, and 2^31 subtracted.
        template <class L> RNG_FN lane::f64<L> operator()(lane::u64<L> w) const {
            using F = lane::f64<L>;
            const F x = lane::sub(lane::small_to_f64(w ^ lane::u64<L>(0x80000000u)), F(0x1p31));
            return lane::add(lane::fma(x, F(scale), F(0.0)), F(middle));
        }
    };
    RNG_FN Map map() const {
        using S = lane::Scalar;
        return {S::fma(S::sub(b, a), T(0x1p-32), T(0)), S::fma(S::add(a, b), T(0.5), T(0))};
    }
};
template <class T> RNG_GUIDE uniform(T, T)->uniform<T>;

}  // namespace mkl

RNG_END_NAMESPACE

#include <rng/core/restore_macros.inc>
