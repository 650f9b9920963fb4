// exponentially_modified_normal{loc, scale, shape}: loc + scale (z + shape e), the sum of a normal value and of an
// exponential one with the mean scale * shape. SciPy's exponnorm(K=shape, loc, scale).
//
//     const std::vector<double> x = rng::sample(rng::exponentially_modified_normal{0.5, 2.0, 1.5}, 1000, gen);
//
// It is used for retention times in chromatography and response times in psychology. The first word gives the
// exponential value, the second the normal one, by inversion. Error of z + shape e: 2.3 ulp of |z| + shape e.
// Source: Grushka, "Characterization of exponentially modified Gaussian peaks in chromatography", Analytical Chemistry
// 44, 1972.
// Oracle: shape = 1, the words 0x80000000 and 0xf9999999 (e = ln 2, z = 1.95996) give 2.65311.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"
#include "../lane/quantile.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The exponentially modified normal (Gaussian) distribution.
template <class T> struct exponentially_modified_normal {
    static_assert(detail::is_real<T>,
                  "exponentially_modified_normal is of float or double: write "
                  "exponentially_modified_normal{0.5, 2.0, 1.5}, not of integers");
    using result_type = T;
    T loc = 0;
    T scale = 1;
    T shape = 1;

    static constexpr const char* name = "exponentially_modified_normal";
    static constexpr const char* support = "(-inf, inf)";
    static constexpr const char* summary = "normal plus exponential, by inversion";
    static constexpr int slot_words = sizeof(T) / 2;
    static constexpr int operand_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        using D = exponentially_modified_normal;
        // z + shape e is 0 or at least 2^-80 (f32), 2^-169 (f64) in magnitude; its product with any scale in range is a
        // normal number.
        return Fields{
            Field{"loc", &D::loc, "mean of the normal part", detail::location_range<T>()},
            Field{"scale", &D::scale, "its standard deviation", detail::powers<T>({-46, 90}, {-800, 900})},
            Field{"shape", &D::shape, "mean of the exponential part / scale", detail::powers<T>({-20, 20}, {-40, 40})}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        static constexpr bool is_long = true;
        T loc, scale, shape;

        template <class W> RNG_FN auto operator()(W first, W second) const {
            using F = decltype(lane::neglog(first));
            const F sum = lane::fma(lane::neglog(first), F(shape), lane::normal_quantile(second));
            return lane::fma(F(scale), sum, F(loc));
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {detail::location(loc), scale, shape}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B, class C>
RNG_GUIDE exponentially_modified_normal(A, B, C)
    ->exponentially_modified_normal<detail::parameter_t<detail::parameter_t<A, B>, C>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
