// The numbers of jax.random with the default keys, threefry2x32, as functions of a value's index, also in kernels.
//
//     const rng::jax::Key key(42);                                             // jax.random.key(42)
//     std::vector<float> x(1000);
//     rng::jax::fill(x, rng::jax::uniform{0.0f, 1.0f}, key);                   // jax.random.uniform(key, 1000)
//     const float last = rng::jax::at(key, rng::jax::uniform{0.0f, 1.0f}, 999);
//     const std::vector<rng::jax::Key> keys = key.split(3);                    // jax.random.split(key, 3)
//
// JAX takes a block for each value, and combines its words, so its words are not those of a Stream
// (docs/decisions/interfaces.md).
// Keys, bits, integers, permutations and uniform numbers of [0, 1) are JAX's to the bit, in its default mode
// (jax_threefry_partitionable). Other bounds: XLA's code for CPUs with fma rounds u * (high - low) + low once, and so
// do these functions. Values are numbered in row-major order.
// Source: jax/_src/prng.py and jax/_src/random of JAX; J. Salmon et al., SC 2011.
// Oracle: split(key(42), 2)[0] is {1832780943, 270669613}.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include <rng/core/integer.hpp>
#include <rng/core/threefry.hpp>
#include <rng/fill.hpp>
#include <rng/interop/detail/fill_by_index.hpp>
#include <rng/lane/scalar.hpp>

#include <rng/core/hide_macros.inc>

RNG_BEGIN_NAMESPACE

namespace jax {

/// A key of impl "threefry2x32", as jax.random.key_data shows it.
struct Key {
    uint32_t high = 0, low = 0;

    Key() = default;
    /// Creates the key of jax.random.wrap_key_data from its two words.
    RNG_FN constexpr Key(uint32_t first, uint32_t second) : high(first), low(second) {}
    /// Creates the key of jax.random.key(seed). JAX takes seeds modulo 2^32 unless jax_enable_x64 is set.
    RNG_FN explicit constexpr Key(Integer seed)
        : high(static_cast<uint32_t>(seed >> 32)), low(static_cast<uint32_t>(seed)) {}

    /// Returns the two words of value i.
    [[nodiscard]] RNG_FN Words<uint32_t, 2> block(uint64_t i) const {
        return threefry<2, uint32_t, 20>({{static_cast<uint32_t>(i >> 32), static_cast<uint32_t>(i)}}, {{high, low}});
    }
    /// Returns jax.random.fold_in(key, d), which is also jax.random.split(key, n)[d].
    [[nodiscard]] RNG_FN Key fold_in(uint32_t d) const {
        const auto w = block(d);
        return {w[0], w[1]};
    }
    /// Returns jax.random.split(key, n).
    [[nodiscard]] std::vector<Key> split(uint32_t n) const {
        std::vector<Key> keys;
        for (uint32_t i = 0; i < n; ++i) keys.push_back(fold_in(i));
        return keys;
    }
    friend bool operator==(const Key&, const Key&) = default;
};

/// The words of jax.random.bits, as an unsigned T of 8 to 64 bits.
template <class T> struct bits {
    static_assert(detail::integer<T> && static_cast<T>(-1) > T(0), "jax::bits is of unsigned integers");
    using result_type = T;
    struct Values {
        Key key;
        RNG_FN T operator()(uint64_t i) const {
            const auto w = key.block(i);
            if constexpr (sizeof(T) == 8)
                return uint64_t{w[0]} << 32 | w[1];
            else
                return static_cast<T>(w[0] ^ w[1]);
        }
    };
    [[nodiscard]] RNG_FN Values of(const Key& key) const { return {key}; }
};

/// The numbers of jax.random.uniform in [low, high), of float or double; JAX calls the bounds minval and maxval.
template <class T> struct uniform {
    static_assert(detail::is_same<T, float> || detail::is_same<T, double>, "jax::uniform is of float or double");
    using result_type = T;
    T low = 0, high = 1;
    struct Values {
        Key key;
        T low, range;
        RNG_FN T operator()(uint64_t i) const {
            using S = lane::Scalar;
            T u;
            if constexpr (sizeof(T) == 4)
                u = S::sub(S::from_bits(bits<uint32_t>{}.of(key)(i) >> 9 | 0x3f800000u), 1.0f);
            else
                u = S::sub(S::from_bits64(bits<uint64_t>{}.of(key)(i) >> 12 | 0x3ff0000000000000u), 1.0);
            const T x = S::fma(u, range, low);
            return x < low ? low : x;
        }
    };
    [[nodiscard]] RNG_FN Values of(const Key& key) const { return {key, low, lane::Scalar::sub(high, low)}; }
};
template <class T> RNG_GUIDE uniform(T, T)->uniform<T>;

/// The numbers of jax.random.randint in [low, high), of 32 or 64 bits. Requires low < high.
template <class T> struct randint {
    static_assert(detail::integer<T> && sizeof(T) >= 4, "jax::randint is of integers of 32 or 64 bits");
    using result_type = T;
    using word = std::make_unsigned_t<T>;
    static constexpr const char* name = "randint";
    T low = 0, high = 1;
    struct Values {
        typename bits<word>::Values upper, lower;
        word low, n, power;  // 2^W mod n, W the bits of T, from a square that is taken modulo 2^W
        RNG_FN T operator()(uint64_t i) const {
            return static_cast<T>(low + (upper(i) % n * power + lower(i) % n) % n);
        }
    };
    [[nodiscard]] ParameterFault fault() const {
        if (low < high) return {};
        return ParameterFault::of_integer("high", high, "must be above low");
    }
    [[nodiscard]] RNG_FN Values of(const Key& key) const {
        const auto n = static_cast<word>(static_cast<word>(high) - static_cast<word>(low));
        const auto root = static_cast<word>((word{1} << (4 * sizeof(T))) % n);
        return {{key.fold_in(0)}, {key.fold_in(1)}, static_cast<word>(low), n, static_cast<word>(root * root % n)};
    }
};
template <class T> RNG_GUIDE randint(T, T)->randint<T>;

/// The values of jax.random.bernoulli(key, p): T is double with jax_enable_x64, otherwise float.
template <class T> struct bernoulli {
    using result_type = bool;
    T p = T(0.5);
    struct Values {
        typename uniform<T>::Values unit;
        T p;
        RNG_FN bool operator()(uint64_t i) const { return unit(i) < p; }
    };
    [[nodiscard]] RNG_FN Values of(const Key& key) const { return {uniform<T>{}.of(key), p}; }
};
template <class T> RNG_GUIDE bernoulli(T)->bernoulli<T>;

/// Returns value i of a draw of bits, uniform, randint or bernoulli.
template <class D> [[nodiscard]] RNG_FN result_t<D> at(const Key& key, const D& dist, uint64_t i) {
    return dist.of(key)(i);
}
/// Fills a contiguous range with values first, first + 1, ... of a draw, on the library's threads. Pure.
/// Throws Error if the data is null, or low is not below high.
template <std::ranges::contiguous_range R, class D>
requires std::ranges::sized_range<R>
void fill(R&& out, const D& dist, const Key& key, uint64_t first = 0) {
    detail::check_element_type<R, D>();
    detail::validate("jax::fill", dist);
    const auto data = std::ranges::data(out);
    const size_t n = detail::checked_size("jax", data, 1, std::ranges::size(out), "jax::fill");
    detail::fill_by_index(std::span(data, n), [values = dist.of(key), first](uint64_t i) { return values(first + i); });
}

/// Returns jax.random.permutation(key, n), which sorts by words of 32 bits, often enough that equal words in every sort
/// are unlikely. Equal words of one sort keep their order.
[[nodiscard]] inline std::vector<int64_t> permutation(Key key, size_t n) {
    std::vector<int64_t> values(n), before;
    std::vector<uint32_t> words(n);
    std::vector<std::pair<uint32_t, size_t>> order(n);
    std::iota(values.begin(), values.end(), int64_t{0});
    const double sorts = n < 2 ? 0 : std::ceil(3 * std::log(static_cast<double>(n)) / std::log(4294967295.0));
    for (int round = 0; round < sorts; ++round) {
        fill(words, bits<uint32_t>{}, key.fold_in(1));
        key = key.fold_in(0);
        for (size_t i = 0; i < n; ++i) order[i] = {words[i], i};
        std::sort(order.begin(), order.end());
        before = values;
        for (size_t i = 0; i < n; ++i) values[i] = before[order[i].second];
    }
    return values;
}

}  // namespace jax

RNG_END_NAMESPACE

#include <rng/core/restore_macros.inc>
