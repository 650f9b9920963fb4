// Twice<L>: two registers of lane L side by side, so that two chains of a long map run in step.
//
// A map is one dependent chain of some forty operations; the processor's scheduler holds too few of them to overlap
// several iterations by itself.
#pragma once

#include <rng/lane/lane.hpp>

#if defined(__GNUC__) && !defined(__clang__)
// Vector registers as template arguments lose their may_alias attribute, which only memory needs: load and store have
// it.
#pragma GCC diagnostic ignored "-Wignored-attributes"
#endif

RNG_BEGIN_NAMESPACE
namespace wide {

template <class R> struct Two { R a, b; };

template <class L> struct Twice {
    using u32_reg = Two<typename L::u32_reg>;
    using u64_reg = Two<typename L::u64_reg>;
    using f32_reg = Two<typename L::f32_reg>;
    using f64_reg = Two<typename L::f64_reg>;
    static constexpr int bytes = 2 * L::bytes;
    static constexpr bool has_mul_wide = false;

    template <class T> RNG_FN static auto set(T x) { return both(L::set(x)); }
    RNG_FN static auto set64(uint64_t x) { return both(L::set64(x)); }

// clang-format off: a table
#define RNG_UNARY(op) \
    template <class R> RNG_FN static auto op(Two<R> x) { return Two<decltype(L::op(x.a))>{L::op(x.a), L::op(x.b)}; }
#define RNG_BINARY(op) \
    template <class R> RNG_FN static Two<R> op(Two<R> x, Two<R> y) { return {L::op(x.a, y.a), L::op(x.b, y.b)}; }
#define RNG_TERNARY(op)                                                        \
    template <class R> RNG_FN static Two<R> op(Two<R> x, Two<R> y, Two<R> z) { \
        return {L::op(x.a, y.a, z.a), L::op(x.b, y.b, z.b)};                   \
    }
#define RNG_SHIFT(op)                                             \
    template <int S, class R> RNG_FN static Two<R> op(Two<R> x) { \
        return {L::template op<S>(x.a), L::template op<S>(x.b)};  \
    }
    RNG_UNARY(abs_signed)
    RNG_UNARY(abs_signed64)
    RNG_UNARY(signed_to_f32) RNG_UNARY(small_to_f64) RNG_UNARY(bits) RNG_UNARY(from_bits) RNG_UNARY(from_bits64)
        RNG_UNARY(sqrt) RNG_BINARY(add) RNG_BINARY(sub) RNG_BINARY(mul) RNG_BINARY(bit_xor) RNG_BINARY(bit_and)
            RNG_BINARY(bit_or) RNG_BINARY(add64) RNG_BINARY(sub64) RNG_BINARY(bit_xor64) RNG_BINARY(bit_and64)
                RNG_BINARY(bit_or64) RNG_BINARY(select_less) RNG_BINARY(select_greater) RNG_TERNARY(fma)
                    RNG_TERNARY(fms) RNG_TERNARY(fnma) RNG_SHIFT(shl) RNG_SHIFT(shr) RNG_SHIFT(sar) RNG_SHIFT(shl64)
                        RNG_SHIFT(shr64) RNG_BINARY(mul_low) RNG_BINARY(mul_high) RNG_BINARY(is_below)
                            RNG_BINARY(mul_halves) RNG_BINARY(is_below64)
#undef RNG_UNARY
#undef RNG_BINARY
#undef RNG_TERNARY
#undef RNG_SHIFT

        // clang-format on
        template <class F, class W>
        RNG_FN static Two<F> flip_sign(Two<F> x, Two<W> w) {
        return {L::flip_sign(x.a, w.a), L::flip_sign(x.b, w.b)};
    }
    template <int B, class F, class W> RNG_FN static Two<F> select_bit(Two<W> w, Two<F> x, Two<F> y) {
        return {L::template select_bit<B>(w.a, x.a, y.a), L::template select_bit<B>(w.b, x.b, y.b)};
    }

    RNG_FN static u32_reg load(const uint32_t* p) { return {L::load(p), L::load(p + L::bytes / 4)}; }
    template <class R> RNG_FN static void store(void* p, Two<R> x) {
        L::store(p, x.a);
        L::store(static_cast<char*>(p) + L::bytes, x.b);
    }

    template <int Lane, int Bytes, class R> RNG_FN static void store_low(void* p, Two<R> x) {
        L::template store_low<Lane, Bytes>(p, x.a);
        L::template store_low<Lane, Bytes>(static_cast<char*>(p) + L::bytes / Lane * Bytes, x.b);
    }
    template <class R> RNG_FN static uint64_t lanes_set(Two<R> x) {
        return L::lanes_set(x.a) | L::lanes_set(x.b) << (L::bytes / 4);
    }
    template <class R> RNG_FN static uint64_t lanes_set64(Two<R> x) {
        return L::lanes_set64(x.a) | L::lanes_set64(x.b) << (L::bytes / 8);
    }

    // Each half of L pairs up by itself: x and y hold words in stream order.
    template <template <class> class W> RNG_FN static W<Twice> even_slots(W<Twice> x, W<Twice> y) {
        return {{L::even_slots(W<L>(x.v.a, 0), W<L>(x.v.b, 0)).v, L::even_slots(W<L>(y.v.a, 0), W<L>(y.v.b, 0)).v}, 0};
    }
    template <template <class> class W> RNG_FN static W<Twice> odd_slots(W<Twice> x, W<Twice> y) {
        return {{L::odd_slots(W<L>(x.v.a, 0), W<L>(x.v.b, 0)).v, L::odd_slots(W<L>(y.v.a, 0), W<L>(y.v.b, 0)).v}, 0};
    }
    template <class F> RNG_FN static Two<F> merge_low(Two<F> even, Two<F> odd) {
        return {L::merge_low(even.a, odd.a), L::merge_high(even.a, odd.a)};
    }
    template <class F> RNG_FN static Two<F> merge_high(Two<F> even, Two<F> odd) {
        return {L::merge_low(even.b, odd.b), L::merge_high(even.b, odd.b)};
    }

  private:
    template <class R> RNG_FN static Two<R> both(R x) { return {x, x}; }
};

}  // namespace wide
RNG_END_NAMESPACE
