// student_t{nu}: Student's t, by Bailey's form of Box and Muller's method.
//
//     const std::vector<double> x = rng::sample(rng::student_t{5.0}, 1000, gen);
//
// sqrt(nu (u^(-2 / nu) - 1)) cos(2 pi v): exact for every nu, without rejection. The first word gives u, the second v.
// Largest error seen: 4 ulp, and for small nu an ulp of 2 ln|x|.
// Source: Bailey, "Polar generation of random variates with the t-distribution", Math. Comp. 62, 1994.
// Oracle: nu = 2, the words 0x80000000 and 0 (u = 1/2, v = 0) give sqrt(2) = 1.4142136.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Student's t distribution.
template <class T> struct student_t {
    static_assert(detail::is_real<T>, "student_t is of float or double: write student_t{5.0}, not student_t{5}");
    using result_type = T;
    T nu = 1;

    static constexpr const char* name = "student_t";
    static constexpr const char* support = "(-inf, inf)";
    static constexpr const char* summary = "Student's t, by Bailey's method";
    static constexpr int slot_words = sizeof(T) / 2;
    static constexpr int operand_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{
            Field{"nu", &student_t::nu, "degrees of freedom", {sizeof(T) == 4 ? T(0.6) : T(0.15), T(0x1p60)}}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        static constexpr bool is_long = true;
        T nu, two_over_nu;

        template <class W> RNG_FN auto operator()(W first, W second) const {
            using F = decltype(lane::neglog(first));
            const F t = lane::fma(lane::neglog(first), F(two_over_nu), F(0));
            const F radius = lane::sqrt(lane::fma(F(nu), lane::expm1(t), F(0)));
            const F cosine = lane::cos_sin_magnitude(second).even;
            // The cosine is negative in the second and third quarter turn: if the two top bits differ.
            return lane::fma(radius, lane::flip_sign(cosine, second ^ lane::shl<1>(second)), F(0));
        }
    };
    [[nodiscard]] RNG_FN Map map() const {
        const T inverse = lane::one_over(nu);
        return {nu, lane::Scalar::add(inverse, inverse)};
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class T> RNG_GUIDE student_t(T)->student_t<T>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
