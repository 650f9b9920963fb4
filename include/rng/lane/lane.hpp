// Lanes: the types in which a distribution's map is written once and compiled for every instruction set.
//
// A lane type L holds one or several values side by side. The lane types are Scalar (here and in CUDA kernels), Avx2,
// Avx512 and Neon (src/cpu). The concept Lane, at the end of this file, lists the members of L: names of registers, and
// static operations on them. The wrappers f32<L>, u32<L>, f64<L>, u64<L> give these registers deducible types and
// operators, so that maps are easy to read.
//
// The rules of maps (docs/contract.md):
// - every add of a product is an explicit fma;
// - a lone mul feeds only fma operands or integer operations;
// - division by div() alone; no libm.
// Types enforce the rules: mul returns a Product, which add and sub do not take, so a compiler finds no sum to
// contract.
// If a compiler may also reassociate, Scalar hides each result (docs/decisions/arithmetic.md).
#pragma once

#include "../core/config.hpp"
#include "../core/type_list.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace lane {

template <class L> struct u32 {
    typename L::u32_reg v;
    u32() = default;
    RNG_FN u32(typename L::u32_reg reg, int) : v(reg) {}
    RNG_FN u32(uint32_t x) : v(L::set(x)) {}

    friend RNG_FN u32 operator+(u32 a, u32 b) { return {L::add(a.v, b.v), 0}; }
    friend RNG_FN u32 operator-(u32 a, u32 b) { return {L::sub(a.v, b.v), 0}; }
    friend RNG_FN u32 operator^(u32 a, u32 b) { return {L::bit_xor(a.v, b.v), 0}; }
    friend RNG_FN u32 operator&(u32 a, u32 b) { return {L::bit_and(a.v, b.v), 0}; }
    friend RNG_FN u32 operator|(u32 a, u32 b) { return {L::bit_or(a.v, b.v), 0}; }
    friend RNG_FN u32 operator~(u32 a) { return a ^ u32(0xffffffffu); }
};

template <class L> struct u64 {
    typename L::u64_reg v;
    u64() = default;
    RNG_FN u64(typename L::u64_reg reg, int) : v(reg) {}
    RNG_FN u64(uint64_t x) : v(L::set64(x)) {}

    friend RNG_FN u64 operator+(u64 a, u64 b) { return {L::add64(a.v, b.v), 0}; }
    friend RNG_FN u64 operator-(u64 a, u64 b) { return {L::sub64(a.v, b.v), 0}; }
    friend RNG_FN u64 operator^(u64 a, u64 b) { return {L::bit_xor64(a.v, b.v), 0}; }
    friend RNG_FN u64 operator&(u64 a, u64 b) { return {L::bit_and64(a.v, b.v), 0}; }
    friend RNG_FN u64 operator|(u64 a, u64 b) { return {L::bit_or64(a.v, b.v), 0}; }
    friend RNG_FN u64 operator~(u64 a) { return a ^ u64(~uint64_t{0}); }
};

template <class L> struct f32 {
    typename L::f32_reg v;
    f32() = default;
    RNG_FN f32(typename L::f32_reg reg, int) : v(reg) {}
    RNG_FN f32(float x) : v(L::set(x)) {}
};

template <class L> struct f64 {
    typename L::f64_reg v;
    f64() = default;
    RNG_FN f64(typename L::f64_reg reg, int) : v(reg) {}
    RNG_FN f64(double x) : v(L::set(x)) {}
};

/// A rounded product of two F<L>, F = f32 or f64. It may go into an fma, another mul, or integer operations (bits,
/// flip_sign). Some compilers would contract a sum of a product into an fma, and others would not, so add, sub and a
/// map's results do not take a Product.
template <template <class> class F, class L> struct Product { F<L> factor; };

// ---- integers: shifts (S < width), magnitude of a two's complement number
template <int S, class L> RNG_FN u32<L> shl(u32<L> a) { return {L::template shl<S>(a.v), 0}; }
template <int S, class L> RNG_FN u32<L> shr(u32<L> a) { return {L::template shr<S>(a.v), 0}; }
template <int S, class L> RNG_FN u32<L> sar(u32<L> a) { return {L::template sar<S>(a.v), 0}; }
template <int S, class L> RNG_FN u64<L> shl(u64<L> a) { return {L::template shl64<S>(a.v), 0}; }
template <int S, class L> RNG_FN u64<L> shr(u64<L> a) { return {L::template shr64<S>(a.v), 0}; }
/// a >> n, each lane by its own n: 0 for n of 64 or more.
template <class L> RNG_FN u64<L> shr_each(u64<L> a, u64<L> n) { return {L::shr_each64(a.v, n.v), 0}; }
template <class L> RNG_FN u32<L> mul_low(u32<L> a, u32<L> b) { return {L::mul_low(a.v, b.v), 0}; }
template <class L> RNG_FN u32<L> mul_high(u32<L> a, u32<L> b) { return {L::mul_high(a.v, b.v), 0}; }
/// The product of the lower halves.
template <class L> RNG_FN u64<L> mul_halves(u64<L> a, u64<L> b) { return {L::mul_halves(a.v, b.v), 0}; }
/// All ones where a < b as unsigned numbers, else 0.
template <class L> RNG_FN u32<L> is_below(u32<L> a, u32<L> b) { return {L::is_below(a.v, b.v), 0}; }
template <class L> RNG_FN u64<L> is_below(u64<L> a, u64<L> b) { return {L::is_below64(a.v, b.v), 0}; }
/// A set of lanes, the result of a comparison, in the form that is fastest for L. Sets are combined by &, | and ~,
/// choose values by select(), and hold the undecided lanes of a Proposal.
template <class L> struct Mask32 {
    decltype(L::lanes_below(L::set(uint32_t{}), L::set(uint32_t{}))) v;
    friend RNG_FN Mask32 operator&(Mask32 a, Mask32 b) { return {L::mask_and(a.v, b.v)}; }
    friend RNG_FN Mask32 operator|(Mask32 a, Mask32 b) { return {L::mask_or(a.v, b.v)}; }
    friend RNG_FN Mask32 operator~(Mask32 a) { return {L::mask_not(a.v)}; }
};
template <class L> struct Mask64 {
    decltype(L::lanes_below64(L::set64(0), L::set64(0))) v;
    friend RNG_FN Mask64 operator&(Mask64 a, Mask64 b) { return {L::mask_and(a.v, b.v)}; }
    friend RNG_FN Mask64 operator|(Mask64 a, Mask64 b) { return {L::mask_or(a.v, b.v)}; }
    friend RNG_FN Mask64 operator~(Mask64 a) { return {L::mask_not(a.v)}; }
};
/// The lanes with a < b: as unsigned numbers, or as numbers that are not NaN.
template <class L> RNG_FN Mask32<L> lanes_below(u32<L> a, u32<L> b) { return {L::lanes_below(a.v, b.v)}; }
template <class L> RNG_FN Mask64<L> lanes_below(u64<L> a, u64<L> b) { return {L::lanes_below64(a.v, b.v)}; }
template <class L> RNG_FN Mask32<L> lanes_below(f32<L> a, f32<L> b) { return {L::lanes_less(a.v, b.v)}; }
template <class L> RNG_FN Mask64<L> lanes_below(f64<L> a, f64<L> b) { return {L::lanes_less(a.v, b.v)}; }
template <class L> RNG_FN u32<L> abs_signed(u32<L> a) { return {L::abs_signed(a.v), 0}; }
template <class L> RNG_FN u64<L> abs_signed(u64<L> a) { return {L::abs_signed64(a.v), 0}; }

// ---- conversions and bit casts. signed_to_f32: a two's complement word, rounded to nearest even.
// small_to_f64: a word below 2^53, exact.
template <class L> RNG_FN f32<L> signed_to_f32(u32<L> a) { return {L::signed_to_f32(a.v), 0}; }
template <class L> RNG_FN f64<L> small_to_f64(u64<L> a) { return {L::small_to_f64(a.v), 0}; }
template <class L> RNG_FN u32<L> bits(f32<L> a) { return {L::bits(a.v), 0}; }
template <class L> RNG_FN u64<L> bits(f64<L> a) { return {L::bits(a.v), 0}; }
template <class L> RNG_FN f32<L> from_bits(u32<L> a) { return {L::from_bits(a.v), 0}; }
template <class L> RNG_FN f64<L> from_bits(u64<L> a) { return {L::from_bits64(a.v), 0}; }

// ---- arithmetic, F = f32<L> or f64<L>; each rounds once to nearest even. fms = a*b - c, fnma = c - a*b.
namespace detail {
template <class L> RNG_FN f32<L> factor(f32<L> x) { return x; }
template <class L> RNG_FN f64<L> factor(f64<L> x) { return x; }
template <template <class> class F, class L> RNG_FN F<L> factor(Product<F, L> x) { return x.factor; }
// The operands determine the lane: all have the same one.
template <template <class> class F, class L> RNG_FN F<L> fma_of(F<L> a, F<L> b, F<L> c) {
    return {L::fma(a.v, b.v, c.v), 0};
}
template <template <class> class F, class L> RNG_FN F<L> fms_of(F<L> a, F<L> b, F<L> c) {
    return {L::fms(a.v, b.v, c.v), 0};
}
template <template <class> class F, class L> RNG_FN F<L> fnma_of(F<L> a, F<L> b, F<L> c) {
    return {L::fnma(a.v, b.v, c.v), 0};
}
template <template <class> class F, class L> RNG_FN F<L> div_of(F<L> a, F<L> b) { return {L::div(a.v, b.v), 0}; }
template <template <class> class F, class L> RNG_FN Product<F, L> mul_of(F<L> a, F<L> b) {
    return {{L::mul(a.v, b.v), 0}};
}
}  // namespace detail
/// True for a number or a Product.
template <class T>
concept Factor = requires(T x) {
    detail::factor(x);
};
template <Factor A, Factor B, Factor C> RNG_FN auto fma(A a, B b, C c) {
    return detail::fma_of(detail::factor(a), detail::factor(b), detail::factor(c));
}
template <Factor A, Factor B, Factor C> RNG_FN auto fms(A a, B b, C c) {
    return detail::fms_of(detail::factor(a), detail::factor(b), detail::factor(c));
}
template <Factor A, Factor B, Factor C> RNG_FN auto fnma(A a, B b, C c) {
    return detail::fnma_of(detail::factor(a), detail::factor(b), detail::factor(c));
}
template <Factor A, Factor B> RNG_FN auto mul(A a, B b) { return detail::mul_of(detail::factor(a), detail::factor(b)); }
template <template <class> class F, class L> RNG_FN F<L> add(F<L> a, F<L> b) { return {L::add(a.v, b.v), 0}; }
template <template <class> class F, class L> RNG_FN F<L> sub(F<L> a, F<L> b) { return {L::sub(a.v, b.v), 0}; }
template <template <class> class F, class L> RNG_FN F<L> sqrt(F<L> a) { return {L::sqrt(a.v), 0}; }
/// The square root of a number in [2^-100, 2^100], which GPUs compute without a branch.
template <template <class> class F, class L> RNG_FN F<L> sqrt_in_range(F<L> a) {
#if defined(__CUDA_ARCH__)
    return {L::sqrt_in_range(a.v), 0};
#else
    return sqrt(a);
#endif
}
template <Factor A, Factor B> RNG_FN auto div(A a, B b) { return detail::div_of(detail::factor(a), detail::factor(b)); }
/// a < b ? a : b (not fmin: no NaN or signed-zero rules).
template <template <class> class F, class L> RNG_FN F<L> select_less(F<L> a, F<L> b) {
    return {L::select_less(a.v, b.v), 0};
}
/// a > b ? a : b.
template <template <class> class F, class L> RNG_FN F<L> select_greater(F<L> a, F<L> b) {
    return {L::select_greater(a.v, b.v), 0};
}
/// Returns a in the lanes of the mask, otherwise b.
template <class L> RNG_FN f32<L> select(Mask32<L> m, f32<L> a, f32<L> b) { return {L::select(m.v, a.v, b.v), 0}; }
template <class L> RNG_FN f64<L> select(Mask64<L> m, f64<L> a, f64<L> b) { return {L::select(m.v, a.v, b.v), 0}; }
/// True if any lane is in the mask.
template <class L> RNG_FN bool any(Mask32<L> m) { return L::lanes_set(m.v) != 0; }
template <class L> RNG_FN bool any(Mask64<L> m) { return L::lanes_set64(m.v) != 0; }
/// Flips the sign of x if the top bit of w is set. x may be a product.
template <class L> RNG_FN f32<L> flip_sign(f32<L> x, u32<L> w) { return {L::flip_sign(x.v, w.v), 0}; }
template <class L> RNG_FN f64<L> flip_sign(f64<L> x, u64<L> w) { return {L::flip_sign(x.v, w.v), 0}; }
template <template <class> class F, class L> RNG_FN auto bits(Product<F, L> x) { return bits(x.factor); }
template <template <class> class F, class L, class W> RNG_FN F<L> flip_sign(Product<F, L> x, W w) {
    return flip_sign(x.factor, w);
}
template <class L> RNG_FN u64<L> select(Mask64<L> m, u64<L> a, u64<L> b) {
    return bits(select(m, from_bits(a), from_bits(b)));
}
/// |x|
template <template <class> class F, class L> RNG_FN F<L> magnitude(F<L> x) { return flip_sign(x, bits(x)); }
/// Returns a if bit B of w is set, otherwise b.
template <int B, class L> RNG_FN f32<L> select_bit(u32<L> w, f32<L> a, f32<L> b) {
    return {L::template select_bit<B>(w.v, a.v, b.v), 0};
}
template <int B, class L> RNG_FN f64<L> select_bit(u64<L> w, f64<L> a, f64<L> b) {
    return {L::template select_bit<B>(w.v, a.v, b.v), 0};
}

/// True if bit B of w is set in any lane. A map may skip the work for such lanes otherwise.
template <int B, class L> RNG_FN bool any_bit(u32<L> w) { return L::template any_bit<B>(w.v); }
template <int B, class L> RNG_FN bool any_bit(u64<L> w) { return L::template any_bit64<B>(w.v); }

/// Calls f(word) for the word of each lane, and returns the results. Wide lanes go through memory.
template <class L, class F> RNG_FN u64<L> each_lane(u64<L> w, const F& f) {
    if constexpr (requires { L::bytes; }) {
        alignas(64) uint64_t words[static_cast<unsigned>(L::bytes / 8)];
        L::store(words, w.v);
        for (uint64_t& word : words) word = f(word);
        return {L::load(reinterpret_cast<const uint32_t*>(words)), 0};
    } else {
        return {f(w.v)};
    }
}

/// c0 + x (c1 + x (c2 + ...)), with one fma for each step.
template <Factor X, class F> RNG_FN F horner(X, F c) { return c; }
template <Factor X, class F, class... C> RNG_FN F horner(X x, F c0, C... rest) {
    return fma(horner(x, F(rest)...), x, c0);
}

/// Both halves of w * m.
template <class L> struct WideProduct { u64<L> high, low; };
template <class L> RNG_FN WideProduct<L> mul_wide(u64<L> w, uint64_t m) {
    if constexpr (L::has_mul_wide) {
        return {{L::mul_high64(w.v, m), 0}, {L::mul_low64(w.v, m), 0}};
    } else {
        const u64<L> lower(0xffffffffu), m0(m & 0xffffffffu), m1(m >> 32), w1 = shr<32>(w);
        const u64<L> p00 = mul_halves(w, m0);
        const u64<L> middle = mul_halves(w1, m0) + shr<32>(p00);
        const u64<L> middle2 = mul_halves(w, m1) + (middle & lower);
        return {mul_halves(w1, m1) + shr<32>(middle) + shr<32>(middle2), shl<32>(middle2) | (p00 & lower)};
    }
}

/// Both halves of w * m, for m up to 2^32: two multiplies in place of four.
template <class L> RNG_FN WideProduct<L> mul_wide_by_word(u64<L> w, uint64_t m) {
    if constexpr (L::has_mul_wide) {
        return mul_wide(w, m);
    } else {
        const u64<L> word(m), w1 = shr<32>(w);
        const u64<L> p0 = mul_halves(w, word), p1 = mul_halves(w1, word);  // both 0 for m = 2^32
        const u64<L> high = m >> 32 != 0 ? w1 : shr<32>(p1 + shr<32>(p0));
        return {high, shl<32>(p1) + p0};
    }
}

/// A proposal of a sampler from one slot: the values, and the lanes whose value sample() must compute again.
template <class V, class M> struct Proposal {
    V value;
    M undecided;
};
template <class V, class M> RNG_GUIDE Proposal(V, M)->Proposal<V, M>;
/// Deprecated: use Proposal. (It lacks the attribute, for which g++ would warn about the guide too.)
template <class V, class M> struct Attempt : Proposal<V, M> {};
template <class V, class M> RNG_GUIDE Attempt(V, M)->Attempt<V, M>;

/// The two results of a pair map: for the even slot and for the odd slot.
template <class V> struct Pair { V even, odd; };

/// The parts of a value: V is the type of a lane's number.
template <class V, int N> struct Parts { V part[static_cast<unsigned>(N)]; };

/// Output k of a map: the value of slot k of a pair, or part k of a value.
template <class V> RNG_FN V output(const V& made, int) { return made; }
template <class V> RNG_FN V output(const Pair<V>& made, int k) { return k == 0 ? made.even : made.odd; }
template <class V, int N> RNG_FN V output(const Parts<V, N>& made, int k) { return made.part[k]; }
template <class V, class M> RNG_FN auto output(const Proposal<V, M>& made, int k) { return output(made.value, k); }

namespace detail {
template <class T, class U>
concept same = rng::detail::is_same<T, U>;

/// Arithmetic on registers of float or double: each operation rounds once, and there are no other operations.
template <class L, class F>
concept FloatingLane = requires(F a, F b, F c) {
    { L::add(a, b) } -> same<F>;
    { L::sub(a, b) } -> same<F>;
    { L::mul(a, b) } -> same<F>;
    { L::fma(a, b, c) } -> same<F>;
    { L::fms(a, b, c) } -> same<F>;
    { L::fnma(a, b, c) } -> same<F>;
    { L::sqrt(a) } -> same<F>;
    { L::div(a, b) } -> same<F>;
    { L::select(L::lanes_less(a, b), a, b) } -> same<F>;
    { L::select_less(a, b) } -> same<F>;
    { L::select_greater(a, b) } -> same<F>;
};
}  // namespace detail

/// A lane type: four registers, and these operations on them. The functions above define the result of each operation.
/// Vectors have one type for u32_reg and u64_reg, because load() and store() serve both.
template <class L>
concept Lane = detail::FloatingLane<L, typename L::f32_reg> && detail::FloatingLane<L, typename L::f64_reg> &&
    requires(typename L::u32_reg w, typename L::u64_reg x, typename L::f32_reg f, typename L::f64_reg d) {
    { L::set(uint32_t{}) } -> detail::same<typename L::u32_reg>;
    { L::set64(uint64_t{}) } -> detail::same<typename L::u64_reg>;
    { L::set(float{}) } -> detail::same<typename L::f32_reg>;
    { L::set(double{}) } -> detail::same<typename L::f64_reg>;

    { L::add(w, w) } -> detail::same<typename L::u32_reg>;
    { L::sub(w, w) } -> detail::same<typename L::u32_reg>;
    { L::bit_xor(w, w) } -> detail::same<typename L::u32_reg>;
    { L::bit_and(w, w) } -> detail::same<typename L::u32_reg>;
    { L::bit_or(w, w) } -> detail::same<typename L::u32_reg>;
    { L::template shl<1>(w) } -> detail::same<typename L::u32_reg>;
    { L::template shr<1>(w) } -> detail::same<typename L::u32_reg>;
    { L::template sar<1>(w) } -> detail::same<typename L::u32_reg>;
    { L::abs_signed(w) } -> detail::same<typename L::u32_reg>;
    { L::mul_low(w, w) } -> detail::same<typename L::u32_reg>;
    { L::mul_high(w, w) } -> detail::same<typename L::u32_reg>;
    { L::is_below(w, w) } -> detail::same<typename L::u32_reg>;

    { L::add64(x, x) } -> detail::same<typename L::u64_reg>;
    { L::sub64(x, x) } -> detail::same<typename L::u64_reg>;
    { L::bit_xor64(x, x) } -> detail::same<typename L::u64_reg>;
    { L::bit_and64(x, x) } -> detail::same<typename L::u64_reg>;
    { L::bit_or64(x, x) } -> detail::same<typename L::u64_reg>;
    { L::template shl64<1>(x) } -> detail::same<typename L::u64_reg>;
    { L::template shr64<1>(x) } -> detail::same<typename L::u64_reg>;
    { L::shr_each64(x, x) } -> detail::same<typename L::u64_reg>;
    { L::abs_signed64(x) } -> detail::same<typename L::u64_reg>;
    { L::mul_halves(x, x) } -> detail::same<typename L::u64_reg>;
    { L::is_below64(x, x) } -> detail::same<typename L::u64_reg>;
    L::lanes_below(w, w);
    L::lanes_below64(x, x);

    { L::signed_to_f32(w) } -> detail::same<typename L::f32_reg>;
    { L::small_to_f64(x) } -> detail::same<typename L::f64_reg>;
    { L::bits(f) } -> detail::same<typename L::u32_reg>;
    { L::bits(d) } -> detail::same<typename L::u64_reg>;
    { L::from_bits(w) } -> detail::same<typename L::f32_reg>;
    { L::from_bits64(x) } -> detail::same<typename L::f64_reg>;
    { L::flip_sign(f, w) } -> detail::same<typename L::f32_reg>;
    { L::flip_sign(d, x) } -> detail::same<typename L::f64_reg>;
    { L::template select_bit<0>(w, f, f) } -> detail::same<typename L::f32_reg>;
    { L::template select_bit<0>(x, d, d) } -> detail::same<typename L::f64_reg>;
    { L::template any_bit<0>(w) } -> detail::same<bool>;
    { L::template any_bit64<0>(x) } -> detail::same<bool>;
    L::has_mul_wide;
};

}  // namespace lane
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
