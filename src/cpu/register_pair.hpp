// Unrolled2<L>: a lane of two registers of lane L, so that two chains of a long map run side by side.
//
// A map is one dependent chain of about forty operations. The processor's scheduler cannot hold enough of them to
// overlap several iterations.
#pragma once

#include <rng/lane/lane.hpp>

#if defined(__GNUC__) && !defined(__clang__)
// Vector registers lose their may_alias attribute as template arguments. Only memory operations need it, and load and
// store have it.
#pragma GCC diagnostic ignored "-Wignored-attributes"
#endif

RNG_BEGIN_NAMESPACE
namespace wide {

/// Two registers, to which operations apply element by element.
template <class R> struct RegisterPair { R a, b; };

template <class L> struct Unrolled2 {
    using u32_reg = RegisterPair<typename L::u32_reg>;
    using u64_reg = RegisterPair<typename L::u64_reg>;
    using f32_reg = RegisterPair<typename L::f32_reg>;
    using f64_reg = RegisterPair<typename L::f64_reg>;
    static constexpr int bytes = 2 * L::bytes;
    static constexpr bool has_mul_wide = false;

    template <class T> RNG_FN static auto set(T x) { return both(L::set(x)); }
    RNG_FN static auto set64(uint64_t x) { return both(L::set64(x)); }

    // clang-format off
    // A list of operations by their operands. clang-format would indent each call more than the one before.
    // It would also treat the code after the calls as their continuation, so it is off up to the end of a whole
    // function.
#define RNG_PAIR_OPERATION(op, parameters, a_arguments, b_arguments) \
    template <class R> RNG_FN static auto op parameters { return RegisterPair<decltype(L::op a_arguments)>{L::op a_arguments, L::op b_arguments}; }
#define RNG_PAIR_UNARY(op) RNG_PAIR_OPERATION(op, (RegisterPair<R> x), (x.a), (x.b))
#define RNG_PAIR_BINARY(op) RNG_PAIR_OPERATION(op, (RegisterPair<R> x, RegisterPair<R> y), (x.a, y.a), (x.b, y.b))
#define RNG_PAIR_TERNARY(op) RNG_PAIR_OPERATION(op, (RegisterPair<R> x, RegisterPair<R> y, RegisterPair<R> z), (x.a, y.a, z.a), (x.b, y.b, z.b))
#define RNG_PAIR_SHIFT(op) \
    template <int S, class R> RNG_FN static RegisterPair<R> op(RegisterPair<R> x) { return {L::template op<S>(x.a), L::template op<S>(x.b)}; }
    RNG_PAIR_UNARY(abs_signed)     RNG_PAIR_UNARY(abs_signed64)    RNG_PAIR_UNARY(signed_to_f32)  RNG_PAIR_UNARY(small_to_f64)
    RNG_PAIR_UNARY(bits)           RNG_PAIR_UNARY(from_bits)       RNG_PAIR_UNARY(from_bits64)    RNG_PAIR_UNARY(sqrt)
    RNG_PAIR_BINARY(add)           RNG_PAIR_BINARY(sub)            RNG_PAIR_BINARY(mul)
    RNG_PAIR_BINARY(bit_xor)       RNG_PAIR_BINARY(bit_and)        RNG_PAIR_BINARY(bit_or)
    RNG_PAIR_BINARY(add64)         RNG_PAIR_BINARY(sub64)          RNG_PAIR_BINARY(shr_each64)
    RNG_PAIR_BINARY(bit_xor64)     RNG_PAIR_BINARY(bit_and64)      RNG_PAIR_BINARY(bit_or64)
    RNG_PAIR_BINARY(select_less)   RNG_PAIR_BINARY(select_greater) RNG_PAIR_BINARY(is_below)      RNG_PAIR_BINARY(is_below64)
    RNG_PAIR_BINARY(lanes_below)   RNG_PAIR_BINARY(lanes_below64)  RNG_PAIR_BINARY(lanes_less)    RNG_PAIR_BINARY(div)
    RNG_PAIR_BINARY(mask_and)      RNG_PAIR_BINARY(mask_or)        RNG_PAIR_UNARY(mask_not)
    RNG_PAIR_BINARY(mul_low)       RNG_PAIR_BINARY(mul_high)       RNG_PAIR_BINARY(mul_halves)
    RNG_PAIR_TERNARY(fma)          RNG_PAIR_TERNARY(fms)           RNG_PAIR_TERNARY(fnma)
    RNG_PAIR_SHIFT(shl)            RNG_PAIR_SHIFT(shr)             RNG_PAIR_SHIFT(sar)
    RNG_PAIR_SHIFT(shl64)          RNG_PAIR_SHIFT(shr64)
#undef RNG_PAIR_SHIFT
#undef RNG_PAIR_TERNARY
#undef RNG_PAIR_BINARY
#undef RNG_PAIR_UNARY
#undef RNG_PAIR_OPERATION

    template <class F, class W> RNG_FN static RegisterPair<F> flip_sign(RegisterPair<F> x, RegisterPair<W> w) {
        return {L::flip_sign(x.a, w.a), L::flip_sign(x.b, w.b)};
    }
    // clang-format on
    template <class F, class M>
    RNG_FN static RegisterPair<F> select(RegisterPair<M> m, RegisterPair<F> x, RegisterPair<F> y) {
        return {L::select(m.a, x.a, y.a), L::select(m.b, x.b, y.b)};
    }
    template <int B, class F, class W>
    RNG_FN static RegisterPair<F> select_bit(RegisterPair<W> w, RegisterPair<F> x, RegisterPair<F> y) {
        return {L::template select_bit<B>(w.a, x.a, y.a), L::template select_bit<B>(w.b, x.b, y.b)};
    }

    template <int B, class W> RNG_FN static bool any_bit(RegisterPair<W> w) {
        return L::template any_bit<B>(L::bit_or(w.a, w.b));
    }
    template <int B, class W> RNG_FN static bool any_bit64(RegisterPair<W> w) {
        return L::template any_bit64<B>(L::bit_or64(w.a, w.b));
    }

    RNG_FN static u32_reg load(const uint32_t* p) { return {L::load(p), L::load(p + L::bytes / 4)}; }
    RNG_FN static f32_reg load(const float* p) { return {L::load(p), L::load(p + L::bytes / 4)}; }
    RNG_FN static f64_reg load(const double* p) { return {L::load(p), L::load(p + L::bytes / 8)}; }
    RNG_FN static f64_reg load_widened(const float* p) {
        return {L::load_widened(p), L::load_widened(p + L::bytes / 8)};
    }
    RNG_FN static f32_reg narrowed(f64_reg x, f64_reg y) { return {L::narrowed(x.a, x.b), L::narrowed(y.a, y.b)}; }
    RNG_FN static void store_narrowed(float* p, f64_reg x) {
        L::store_narrowed(p, x.a);
        L::store_narrowed(p + L::bytes / 8, x.b);
    }
    RNG_FN static u64_reg load_widened(const uint32_t* p) {
        return {L::load_widened(p), L::load_widened(p + L::bytes / 8)};
    }
    template <class R> RNG_FN static void store(void* p, RegisterPair<R> x) {
        L::store(p, x.a);
        L::store(static_cast<char*>(p) + L::bytes, x.b);
    }

    template <int Lane, int Bytes, class R> RNG_FN static void store_low(void* p, RegisterPair<R> x) {
        L::template store_low<Lane, Bytes>(p, x.a);
        L::template store_low<Lane, Bytes>(static_cast<char*>(p) + L::bytes / Lane * Bytes, x.b);
    }
    template <class R> RNG_FN static uint64_t lanes_set(RegisterPair<R> x) {
        return L::lanes_set(x.a) | L::lanes_set(x.b) << (L::bytes / 4);
    }
    template <class R> RNG_FN static uint64_t lanes_set64(RegisterPair<R> x) {
        return L::lanes_set64(x.a) | L::lanes_set64(x.b) << (L::bytes / 8);
    }

    // x and y hold words in stream order, and each gives its pairs by itself.
    template <template <class> class W> RNG_FN static W<Unrolled2> even_slots(W<Unrolled2> x, W<Unrolled2> y) {
        return {{L::even_slots(W<L>(x.v.a, 0), W<L>(x.v.b, 0)).v, L::even_slots(W<L>(y.v.a, 0), W<L>(y.v.b, 0)).v}, 0};
    }
    template <template <class> class W> RNG_FN static W<Unrolled2> odd_slots(W<Unrolled2> x, W<Unrolled2> y) {
        return {{L::odd_slots(W<L>(x.v.a, 0), W<L>(x.v.b, 0)).v, L::odd_slots(W<L>(y.v.a, 0), W<L>(y.v.b, 0)).v}, 0};
    }
    template <class F> RNG_FN static RegisterPair<F> merge_low(RegisterPair<F> even, RegisterPair<F> odd) {
        return {L::merge_low(even.a, odd.a), L::merge_high(even.a, odd.a)};
    }
    template <class F> RNG_FN static RegisterPair<F> merge_high(RegisterPair<F> even, RegisterPair<F> odd) {
        return {L::merge_low(even.b, odd.b), L::merge_high(even.b, odd.b)};
    }
    template <class R> RNG_FN static RegisterPair<R> in_order(RegisterPair<R> x) {
        return {L::in_order(x.a), L::in_order(x.b)};
    }
    template <class R> RNG_FN static RegisterPair<R> by_parts(RegisterPair<R> x) {
        return {L::by_parts(x.a), L::by_parts(x.b)};
    }

  private:
    template <class R> RNG_FN static RegisterPair<R> both(R x) { return {x, x}; }
};

}  // namespace wide
RNG_END_NAMESPACE
