// soft_fma: a * b + c, rounded once, from integers alone. scalar.hpp takes it where neither the processor nor the C
// library has a right fma.
//
// Every argument has the result that IEEE 754 defines for round to nearest even; of NaNs the payload is not defined. No
// number of floating point is computed, so neither compiler flags nor the modes of the processor change a bit.
#pragma once

#include "../core/block.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace lane {
namespace detail {

/// An unsigned integer of 128 bits, which MSVC does not have.
struct Wide {
    uint64_t high, low;

    RNG_FN bool is_zero() const { return (high | low) == 0; }
    RNG_FN int leading_zeros() const { return high != 0 ? __builtin_clzll(high) : 64 + __builtin_clzll(low); }
    /// Requires 0 <= n < 128.
    RNG_FN Wide shifted_left(int n) const {
        if (n == 0) return *this;
        if (n >= 64) return {low << (n - 64), 0};
        return {high << n | low >> (64 - n), low << n};
    }
    /// Requires n >= 0. If a bit that is lost was set, the last bit is.
    RNG_FN Wide shifted_right(int n) const {
        if (n == 0) return *this;
        if (n >= 128) return {0, is_zero() ? 0u : 1u};
        const Wide back = shifted_left(128 - n);
        const uint64_t lost = back.is_zero() ? 0 : 1;
        if (n == 64) return {0, high | lost};
        if (n > 64) return {0, high >> (n - 64) | lost};
        return {high >> n, low >> n | high << (64 - n) | lost};
    }
    friend RNG_FN bool operator<(Wide a, Wide b) { return a.high != b.high ? a.high < b.high : a.low < b.low; }
    friend RNG_FN Wide operator+(Wide a, Wide b) {
        const uint64_t sum = a.low + b.low;
        return {a.high + b.high + (sum < b.low ? 1u : 0u), sum};
    }
    friend RNG_FN Wide operator-(Wide a, Wide b) {
        return {a.high - b.high - (a.low < b.low ? 1u : 0u), a.low - b.low};
    }
};

/// Numbers in the bits of a float or double. Digits is the number of bits of a significand, with the one that is not
/// stored.
template <class U, int Digits> struct SoftFloat {
    using word = U;
    static constexpr int width = static_cast<int>(sizeof(U)) * 8;
    static constexpr int bias = (1 << (width - Digits - 1)) - 1, largest_exponent = 2 * bias + 1;
    static constexpr U implicit_bit = U{1} << (Digits - 1), sign_bit = U{1} << (width - 1);
    static constexpr U infinity = static_cast<U>(largest_exponent) * implicit_bit;

    /// significand * 2^exponent. The significand has its implicit bit, for a subnormal number too; that of 0 is 0.
    struct Number {
        uint64_t significand;
        int exponent;
    };
    RNG_FN static Number number(U bits) {
        const int exponent = static_cast<int>((bits & ~sign_bit) / implicit_bit);
        uint64_t significand = bits & (implicit_bit - 1);
        int scale = 1 - bias - (Digits - 1);
        if (exponent != 0) return {significand | implicit_bit, scale + exponent - 1};
        if (significand != 0) {
            const int shift = __builtin_clzll(significand) - (64 - Digits);
            significand <<= shift, scale -= shift;
        }
        return {significand, scale};
    }

    /// The bits of x * 2^exponent without its sign, rounded to nearest even. Requires 0 < x < 2^127.
    RNG_FN static U rounded(Wide x, int exponent) {
        const int leading = 127 - x.leading_zeros();
        int biased = leading + exponent + bias;
        if (biased >= largest_exponent) return infinity;
        int dropped = leading - (Digits - 1);
        if (biased < 1) dropped += 1 - biased, biased = 1;  // of a subnormal result fewer bits are kept
        // The bits that are kept, the next one, and one for all behind it.
        const uint64_t bits = (dropped >= 2 ? x.shifted_right(dropped - 2) : x.shifted_left(2 - dropped)).low;
        const U kept = static_cast<U>(bits >> 2), up = (bits & 2) != 0 && (bits & 5) != 0 ? 1 : 0;
        // A carry goes on into the exponent, and from the largest one into infinity.
        return static_cast<U>(biased - 1) * implicit_bit + kept + up;
    }

    RNG_FN static U fma(U a, U b, U c) {
        const U sign = (a ^ b) & sign_bit, sign_c = c & sign_bit;
        const U size_a = a & ~sign_bit, size_b = b & ~sign_bit, size_c = c & ~sign_bit;
        if (size_a >= infinity || size_b >= infinity || size_c >= infinity) {
            const U nan = infinity | implicit_bit >> 1;
            if (size_a > infinity || size_b > infinity || size_c > infinity) return nan;
            if (size_a < infinity && size_b < infinity) return c;
            const bool is_undefined = size_a == 0 || size_b == 0 || (size_c == infinity && sign != sign_c);
            return is_undefined ? nan : sign | infinity;
        }
        if (size_a == 0 || size_b == 0) return size_c != 0 ? c : sign & sign_c;

        // The product and c below 2^126, both in the scale of the product. Bits that fall out of the smaller one lie
        // far below the last bit of the sum: where numbers cancel, their exponents are close and no bit falls out.
        const Number x = number(size_a), y = number(size_b), z = number(size_c);
        const auto exact = rng::detail::multiply(x.significand, y.significand);
        constexpr int lift_of_product = 126 - 2 * Digits, lift_of_c = 125 - Digits;
        Wide product = Wide{exact.high, exact.low}.shifted_left(lift_of_product);
        Wide other = Wide{0, z.significand}.shifted_left(lift_of_c);
        int exponent = x.exponent + y.exponent - lift_of_product;
        if (size_c == 0) return sign | rounded(product, exponent);
        const int distance = exponent - (z.exponent - lift_of_c);
        if (distance >= 0) {
            other = other.shifted_right(distance);
        } else {
            product = product.shifted_right(-distance);
            exponent -= distance;
        }
        if (sign == sign_c) return sign | rounded(product + other, exponent);
        const Wide difference = product < other ? other - product : product - other;
        if (difference.is_zero()) return 0;
        return (product < other ? sign_c : sign) | rounded(difference, exponent);
    }
};

template <class F> struct SoftFloatOf;
template <> struct SoftFloatOf<float> { using type = SoftFloat<uint32_t, 24>; };
template <> struct SoftFloatOf<double> { using type = SoftFloat<uint64_t, 53>; };

/// a * b + c of float or double.
template <class F> RNG_COLD_FN F soft_fma(F a, F b, F c) {
    using Soft = typename SoftFloatOf<F>::type;
    typename Soft::word x, y, z;
    __builtin_memcpy(&x, &a, sizeof(F));
    __builtin_memcpy(&y, &b, sizeof(F));
    __builtin_memcpy(&z, &c, sizeof(F));
    const typename Soft::word sum = Soft::fma(x, y, z);
    F result;
    __builtin_memcpy(&result, &sum, sizeof(F));
    return result;
}

}  // namespace detail
}  // namespace lane
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
