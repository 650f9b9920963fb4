// uniform_dense: uniform on [0, 1) with full precision near zero.
//
//     rng::fill(x, rng::uniform_dense<float>{}, gen);
//
// The value is the infinite binary fraction 0.w0 w1 w2 ... of the retry stream's words, rounded down to the type's
// precision. Every float of [0, 1) that is 0 or normal appears, with the probability of the reals that round down to
// it. uniform<float> has 2^24 values, and none between 0 and 2^-24. Values below the type's smallest normal number are
// 0 (probability 2^-126, 2^-1022).
// Oracle: the word 0xffffffff gives 1 - 2^-24, the words 0 and 0x80000000 give 2^-33.
#pragma once

#include "../draw.hpp"
#include "../lane/lane.hpp"
#include "../lane/scalar.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Real numbers of [0, 1), rounded down to the precision of T.
template <class T> struct uniform_dense {
    static_assert(detail::is_real<T>, "uniform_dense is of float or double");
    using result_type = T;

    static constexpr const char* name = "uniform_dense";
    static constexpr const char* support = "[0, 1)";
    static constexpr const char* summary = "uniform with full precision near zero";
    static constexpr int slot_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::sampler;

    [[nodiscard]] static constexpr auto fields() { return Fields<>{}; }
    [[nodiscard]] constexpr ParameterFault fault() const { return {}; }

    struct Map {
        /// The first word decides the value if it has at least as many bits, from its leading one on, as a significand.
        template <class L> RNG_FN auto operator()(lane::u32<L> w) const {
            using F = lane::f32<L>;
            using U = lane::u32<L>;
            // The float nearest to the word; if it is above the word, one place less.
            const F upper = lane::signed_to_f32(lane::shr<8>(w)), lower = lane::signed_to_f32(w & U(0xffu));
            const F nearest = lane::fma(upper, F(256.0f), lower);
            const F rest = lane::add(lane::fms(upper, F(256.0f), nearest), lower);  // exact
            const U down = lane::bits(nearest) + lane::sar<31>(lane::bits(rest));
            return lane::Proposal{lane::from_bits(down - U(32u << 23)), lane::is_below(w, U(1u << 23))};
        }
        template <class L> RNG_FN auto operator()(lane::u64<L> w) const {
            using F = lane::f64<L>;
            using U = lane::u64<L>;
            const F upper = lane::small_to_f64(lane::shr<11>(w)), lower = lane::small_to_f64(w & U(0x7ffu));
            const F nearest = lane::fma(upper, F(2048.0), lower);
            const F rest = lane::add(lane::fms(upper, F(2048.0), nearest), lower);
            const U sign = lane::shr<63>(lane::bits(rest));
            return lane::Proposal{lane::from_bits(lane::bits(nearest) - sign - U(uint64_t{64} << 52)),
                                  lane::is_below(w, U(uint64_t{1} << 52))};
        }

        template <class RetryStream> RNG_FN T sample(RetryStream& retry_stream) const {
            using W = std_word;
            constexpr int width = 8 * sizeof(W), fraction_bits = sizeof(T) == 4 ? 23 : 52;
            constexpr int least_exponent = sizeof(T) == 4 ? -126 : -1022;
            int exponent = -1;  // the exponent of the top bit of w
            W w = next(retry_stream);
            while (w == 0) {
                exponent -= width;
                if (exponent < least_exponent) return 0;
                w = next(retry_stream);
            }
            int shift = 0;
            while (!(w >> (width - 1))) w <<= 1, ++shift;
            if (shift > width - 1 - fraction_bits) w |= next(retry_stream) >> (width - shift);
            exponent -= shift;
            if (exponent < least_exponent) return 0;
            const W bits = (static_cast<W>(exponent - least_exponent + 1) << fraction_bits) |
                           ((w << 1) >> (width - fraction_bits));
            if constexpr (sizeof(T) == 4)
                return lane::Scalar::from_bits(bits);
            else
                return lane::Scalar::from_bits64(bits);
        }

      private:
        template <bool Short, class A, class B> struct Either { using type = A; };
        template <class A, class B> struct Either<false, A, B> { using type = B; };
        using std_word = typename Either<sizeof(T) == 4, uint32_t, uint64_t>::type;
        template <class RetryStream> RNG_FN static std_word next(RetryStream& retry_stream) {
            if constexpr (sizeof(T) == 4)
                return retry_stream.word();
            else
                return retry_stream.word64();
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
