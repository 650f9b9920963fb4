// Distributions as a user would write them: nothing of them is in the catalogue or in the library.
#pragma once

#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>

#include <cstdint>
#include <functional>

namespace support {

/// 0.0f or 1.0f: the example of docs/adding.md, the least that a distribution can say of itself.
struct Coin {
    using result_type = float;
    static constexpr int slot_words = 1;
    static constexpr rng::Shape map_shape = rng::Shape::value;
    struct Map {
        template <class L> RNG_FN rng::lane::f32<L> operator()(rng::lane::u32<L> w) const {
            return rng::lane::signed_to_f32(rng::lane::shr<31>(w));
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {}; }
};

/// A result smaller than its word: maps cannot work in place.
struct Byte {
    using result_type = uint8_t;
    static constexpr int slot_words = 1;
    static constexpr rng::Shape map_shape = rng::Shape::value;
    struct Result {
        uint8_t v;
    };
    struct Map {
        RNG_FN Result operator()(rng::lane::u32<rng::lane::Scalar> w) const {
            return {static_cast<uint8_t>(w.v >> 24)};
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {}; }
};

/// A result larger than its word, with a parameter that is checked.
struct Complex {
    double re, im;
};
struct OnCircle {
    using result_type = Complex;
    double radius = 1;

    static constexpr const char* name = "on_circle";
    static constexpr int slot_words = 1;
    static constexpr rng::Shape map_shape = rng::Shape::value;
    [[nodiscard]] rng::ParameterFault fault() const {
        return radius > 0 ? rng::ParameterFault{} : rng::ParameterFault{"radius", radius, "must be positive"};
    }
    struct Result {
        Complex v;
    };
    struct Map {
        double radius;
        RNG_FN Result operator()(rng::lane::u32<rng::lane::Scalar> w) const {
            const auto t = rng::lane::cos_sin_magnitude(rng::lane::u64<rng::lane::Scalar>(uint64_t{w.v} << 32));
            return {{rng::lane::Scalar::mul(radius, t.even.v), rng::lane::Scalar::mul(radius, t.odd.v)}};
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {radius}; }
};

/// The word, after the test has seen it: see(w) may wait, fill or throw.
struct Watched {
    const std::function<void(uint32_t)>* see = nullptr;

    using result_type = uint32_t;
    static constexpr int slot_words = 1;
    static constexpr rng::Shape map_shape = rng::Shape::value;
    struct Result {
        uint32_t v;
    };
    struct Map {
        const std::function<void(uint32_t)>* see;
        Result operator()(rng::lane::u32<rng::lane::Scalar> w) const {
            (*see)(w.v);
            return {w.v};
        }
    };
    [[nodiscard]] Map map() const { return {see}; }
};

/// Pairs: the larger and the smaller of two words.
template <class T> struct Sorted {
    using result_type = T;
    static constexpr int slot_words = sizeof(T) / 4;
    static constexpr rng::Shape map_shape = rng::Shape::pair;
    struct Map {
        template <class W> RNG_FN rng::lane::Pair<W> operator()(W a, W b) const {
            return a.v < b.v ? rng::lane::Pair<W>{b, a} : rng::lane::Pair<W>{a, b};
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {}; }
};

/// Calls f(distribution, name) for each.
template <class F> void for_each_own_distribution(const F& f) {
    f(Coin{}, "Coin");
    f(Byte{}, "Byte");
    f(OnCircle{2.5}, "OnCircle");
    f(Sorted<uint32_t>{}, "Sorted<u32>");
    f(Sorted<uint64_t>{}, "Sorted<u64>");
}

}  // namespace support
