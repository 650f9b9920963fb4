// The operations of this machine's lane, each against the lane Scalar. The digests of paths.cpp do not meet every
// argument that an operation must serve, such as the shifts by more than 127 bits of long walks.
#define RNG_ABI_NAMESPACE v1_emulated_lanes
#include "lanes.hpp"

#include <rng/lane/scalar.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <type_traits>
#include <vector>

#if defined(__aarch64__)
#include "../../src/cpu/lane_neon.hpp"

namespace {

using Lane = rng::wide::Neon;
using rng::lane::Scalar;

std::uint64_t random_word() {  // splitmix64
    static std::uint64_t state = 1;
    std::uint64_t x = state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

template <class T> T hard_number() {
    constexpr bool is_real = std::is_floating_point_v<T>;
    using W = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    const auto word = static_cast<W>(random_word());
    const auto kind = random_word() % 8;
    if constexpr (is_real) {
        using Limits = std::numeric_limits<T>;
        static const T corners[] = {0,      Limits::denorm_min(), Limits::min(),     Limits::epsilon() / 2, 1,
                                    T(1.5), Limits::max(),        Limits::infinity()};
        const T sign = word & 1 ? T(-1) : T(1);
        if (kind == 0) return sign * corners[word >> 1 & 7];
        if (kind == 1) return sign * Limits::quiet_NaN();
        if (kind <= 5) return sign * static_cast<T>(static_cast<double>(word >> 8) * 0x1p-20);
        return std::bit_cast<T>(word);
    } else {
        if (kind == 0) return static_cast<W>(word % 5 - 2);
        if (kind == 1) return static_cast<W>((W{1} << (8 * sizeof(W) - 1)) + word % 5 - 2);
        if (kind == 2) return static_cast<W>(W{1} << word % (8 * sizeof(W)));
        if (kind == 3) return static_cast<W>(word % 2048);
        return word;
    }
}

int wrong = 0;

/// Compares op(Lane, a, b, c) for registers of T with op(Scalar, a, b, c) for each number.
template <class T, class Op> void compare(const char* name, const Op& op) {
    constexpr int lanes = Lane::bytes / static_cast<int>(sizeof(T));
    using Loaded = std::conditional_t<std::is_integral_v<T>, std::uint32_t, T>;
    using Result = decltype(op(Scalar{}, T{}, T{}, T{}));
    static_assert(sizeof(Result) == sizeof(T));
    for (int trial = 0; trial < 20'000; ++trial) {
        alignas(16) T x[3][lanes];
        for (auto& numbers : x)
            for (T& number : numbers) number = hard_number<T>();
        if (trial % 4 == 0) x[1][0] = x[0][0];  // equal numbers, and sums that cancel
        const auto load = [&](int i) { return Lane::load(reinterpret_cast<const Loaded*>(x[i])); };
        alignas(16) Result got[lanes];
        Lane::store(got, op(Lane{}, load(0), load(1), load(2)));
        for (int i = 0; i < lanes; ++i) {
            const Result expected = op(Scalar{}, x[0][i], x[1][i], x[2][i]);
            bool is_same = __builtin_memcmp(&expected, &got[i], sizeof expected) == 0;
            if constexpr (std::is_floating_point_v<Result>) is_same |= std::isnan(expected) && std::isnan(got[i]);
            if (is_same) continue;
            ++wrong;
            std::printf("%s: of %.17g, %.17g, %.17g: %.17g, expected %.17g\n", name, static_cast<double>(x[0][i]),
                        static_cast<double>(x[1][i]), static_cast<double>(x[2][i]), static_cast<double>(got[i]),
                        static_cast<double>(expected));
            return;
        }
    }
}

/// The same of the functions that return a bit for each lane.
template <class T, class Set> void compare_sets(const char* name, const Set& set) {
    constexpr int lanes = Lane::bytes / static_cast<int>(sizeof(T));
    using Loaded = std::conditional_t<std::is_integral_v<T>, std::uint32_t, T>;
    for (int trial = 0; trial < 20'000; ++trial) {
        alignas(16) T a[lanes], b[lanes];
        std::uint64_t expected = 0;
        for (int i = 0; i < lanes; ++i) {
            a[i] = hard_number<T>(), b[i] = hard_number<T>();
            expected |= set(Scalar{}, a[i], b[i]) << i;
        }
        const std::uint64_t got =
            set(Lane{}, Lane::load(reinterpret_cast<const Loaded*>(a)), Lane::load(reinterpret_cast<const Loaded*>(b)));
        if (got == expected) continue;
        ++wrong;
        std::printf("%s: the set %llx, expected %llx\n", name, static_cast<unsigned long long>(got),
                    static_cast<unsigned long long>(expected));
        return;
    }
}

#define OPERATION(T, expression)                                     \
    compare<T>(#expression, []<class L>(L, auto a, auto b, auto c) { \
        (void)a, (void)b, (void)c;                                   \
        return expression;                                           \
    })
#define SET(T, expression) compare_sets<T>(#expression, []<class L>(L, auto a, auto b) { return expression; })

template <class T> void compare_real_numbers() {
    OPERATION(T, L::fma(a, b, c));
    OPERATION(T, L::fms(a, b, c));
    OPERATION(T, L::fnma(a, b, c));
    OPERATION(T, L::fms(a, b, L::mul(a, b)));
    OPERATION(T, L::fnma(a, b, L::mul(a, b)));
    OPERATION(T, L::mul(a, b));
    OPERATION(T, L::add(a, b));
    OPERATION(T, L::sub(a, b));
    OPERATION(T, L::div(a, b));
    OPERATION(T, L::sqrt(a));
    OPERATION(T, L::select_less(a, b));
    OPERATION(T, L::select_greater(a, b));
    OPERATION(T, L::select(L::lanes_less(a, b), b, c));
    OPERATION(T, L::select(L::mask_not(L::lanes_less(a, b)), b, c));
    OPERATION(T, L::select(L::mask_and(L::lanes_less(a, b), L::lanes_less(b, c)), b, c));
    OPERATION(T, L::select(L::mask_or(L::lanes_less(a, b), L::lanes_less(b, c)), b, c));
    OPERATION(T, L::flip_sign(a, L::bits(b)));
    OPERATION(T, L::template select_bit<0>(L::bits(a), b, c));
    OPERATION(T, L::template select_bit<31>(L::bits(a), b, c));
}

}  // namespace

int emulated::wrong_operations() {
    using std::uint32_t, std::uint64_t;
    compare_real_numbers<float>();
    compare_real_numbers<double>();
    SET(float, L::lanes_set(L::lanes_less(a, b)));
    SET(double, L::lanes_set64(L::lanes_less(a, b)));
    SET(uint32_t, L::lanes_set(L::lanes_below(a, b)));
    SET(uint64_t, L::lanes_set64(L::lanes_below64(a, b)));

    OPERATION(uint32_t, L::add(a, b));
    OPERATION(uint32_t, L::sub(a, b));
    OPERATION(uint32_t, L::bit_xor(a, b));
    OPERATION(uint32_t, L::bit_and(a, b));
    OPERATION(uint32_t, L::bit_or(a, b));
    OPERATION(uint32_t, L::template shl<1>(a));
    OPERATION(uint32_t, L::template shl<31>(a));
    OPERATION(uint32_t, L::template shr<1>(a));
    OPERATION(uint32_t, L::template shr<31>(a));
    OPERATION(uint32_t, L::template sar<5>(a));
    OPERATION(uint32_t, L::abs_signed(a));
    OPERATION(uint32_t, L::mul_low(a, b));
    OPERATION(uint32_t, L::mul_high(a, b));
    OPERATION(uint32_t, L::is_below(a, b));
    OPERATION(uint32_t, L::signed_to_f32(a));

    OPERATION(uint64_t, L::add64(a, b));
    OPERATION(uint64_t, L::sub64(a, b));
    OPERATION(uint64_t, L::bit_xor64(a, b));
    OPERATION(uint64_t, L::bit_and64(a, b));
    OPERATION(uint64_t, L::bit_or64(a, b));
    OPERATION(uint64_t, L::template shl64<1>(a));
    OPERATION(uint64_t, L::template shl64<63>(a));
    OPERATION(uint64_t, L::template shr64<1>(a));
    OPERATION(uint64_t, L::template shr64<63>(a));
    OPERATION(uint64_t, L::shr_each64(a, b));
    OPERATION(uint64_t, L::abs_signed64(a));
    OPERATION(uint64_t, L::mul_halves(a, b));
    OPERATION(uint64_t, L::is_below64(a, b));
    OPERATION(uint64_t, L::small_to_f64(L::template shr64<11>(a)));
    return wrong;
}

#else

int emulated::wrong_operations() { return 0; }

#endif
