// von_mises{mu, kappa}: an angle of [-pi, pi] about mu, of density exp(kappa cos(x - mu)) / (2 pi I0(kappa)).
//
//     const std::vector<double> x = rng::sample(rng::von_mises{0.0, 4.0}, 1000, gen);
//
// kappa = 0 is a uniform angle. Best and Fisher's method: an angle of a wrapped Cauchy variable is accepted if an
// exponential variable exceeds a bar. At least 66 of 100 are accepted. Nothing cancels for a small or a large kappa, so
// values are as dense as their type allows.
// Largest error seen of an accepted value, at mu = 0: 3.1 ulp.
// Source: Best, Fisher, "Efficient simulation of the von Mises distribution", Applied Statistics 28, 1979.
// Oracle: mu = kappa = 0, the words 0xc0000000 and 0 give pi / 2 = 1.5707963.
#pragma once

#include "../core/retry_stream.hpp"
#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The von Mises distribution, of angles in radians.
template <class T> struct von_mises {
    static_assert(detail::is_real<T> || detail::is_half<T>,
                  "von_mises is of float or double: write von_mises{0.0, 4.0}, not von_mises{0, 4}");
    using result_type = T;
    using Parameter = detail::arithmetic_t<T>;  ///< float for the 16-bit types too
    Parameter mu = 0;
    Parameter kappa = 1;

    static constexpr const char* name = "von_mises";
    static constexpr const char* support = "[-pi, pi]";
    static constexpr const char* summary = "von Mises, by Best and Fisher's method";
    static constexpr int slot_words = sizeof(Parameter) / 2;
    static constexpr int operand_words = sizeof(Parameter) / 4;
    static constexpr Shape map_shape = Shape::sampler;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"mu", &von_mises::mu, "mean direction, in radians", detail::up_to(pi)},
                      Field{"kappa",
                            &von_mises::kappa,
                            "concentration; 0 is uniform",
                            {0, detail::in_float<T> ? Parameter(0x1p40) : Parameter(0x1p60)}}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    /// (1 - rho) / (1 + rho) = narrowing, for the wrapped Cauchy variable's rho. least = kappa (1 - rho)^2 / (2 rho).
    struct Map {
        static constexpr bool is_long = true;
        static constexpr uint32_t most_proposals = detail::most_proposals;
        Parameter mu, kappa, narrowing, least;

        template <class W> RNG_FN auto operator()(W first, W second) const {
            const auto terms = lane::tan_terms_of_half_turn(first);
            using F = decltype(lane::neglog(first));
            // The tangent of half the angle is n / d.
            const F n = lane::fma(terms.odd, F(narrowing), F(0)), d = terms.even;
            const F square = lane::fma(n, n, F(0));
            const F versine = lane::div(lane::add(square, square), lane::fma(d, d, square));  // 1 - the cosine
            const F k = lane::fma(versine, F(kappa), F(least));
            const F bar = lane::sub(lane::sub(k, F(1)), lane::ln(k));
            const F half = lane::atan_of_ratio(n, d);
            return lane::Proposal{wrapped(lane::flip_sign(lane::add(half, half), ~first)),
                                  lane::lanes_below(lane::neglog(second), bar)};
        }

      private:
        template <class F> RNG_FN auto wrapped(F angle) const {
            const F x = lane::add(angle, F(mu)), turn = lane::flip_sign(F(two_pi), lane::bits(x));
            const F back = lane::sub(lane::sub(x, turn), lane::flip_sign(F(two_pi_low), lane::bits(x)));
            const F inside = lane::select(lane::lanes_below(F(pi), lane::magnitude(x)), back, x);
            return detail::as_result<T>(lane::select_less(lane::select_greater(inside, F(-pi)), F(pi)));
        }
    };
    [[nodiscard]] RNG_FN Map map() const {
        using F = lane::real_t<lane::Scalar, Parameter>;
        const Parameter m = detail::location(mu);
        if (lane::is_zero(lane::zero_below(detail::in_float<T> ? Parameter(0x1p-40) : Parameter(0x1p-60), kappa)))
            return {m, 0, 1, 1};
        const F one(1), k(kappa), twice = lane::add(k, k);
        const F q = lane::sqrt(lane::fma(twice, twice, one)), r = lane::add(one, q), root = lane::sqrt(r);
        const F sum = lane::add(root, F(root_two));
        const F rho = lane::div(lane::fma(twice, root, F(0)), lane::fma(r, sum, F(0)));
        const F rest = lane::sub(one, rho);
        const F least = lane::div(lane::fma(lane::mul(rest, rest), k, F(0)), lane::add(rho, rho));
        return {m, kappa, lane::div(rest, lane::add(one, rho)).v, least.v};
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }

  private:
    static constexpr Parameter root_two =
        detail::in_float<T> ? Parameter(0x1.6a09e6p+0) : Parameter(0x1.6a09e667f3bcdp+0);
    /// The greatest number below pi, and twice pi in two parts.
    static constexpr Parameter pi = detail::in_float<T> ? Parameter(0x1.921fb4p+1) : Parameter(0x1.921fb54442d18p+1);
    static constexpr Parameter two_pi =
        detail::in_float<T> ? Parameter(0x1.921fb6p+2) : Parameter(0x1.921fb54442d18p+2);
    static constexpr Parameter two_pi_low =
        detail::in_float<T> ? Parameter(-0x1.777a5cp-23) : Parameter(0x1.1a62633145c07p-52);
};

template <class A, class B> RNG_GUIDE von_mises(A, B)->von_mises<detail::parameter_t<A, B>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
