// noncentral_f{d1, d2, lambda}: (X / d1) / (Y / d2). X is a noncentral chi-squared variable of d1 degrees of
// freedom and noncentrality lambda, Y a chi-squared variable of d2.
//
//     const std::vector<double> x = rng::sample(rng::noncentral_f{5.0, 7.0, 2.0}, 1000, gen);
//
// NumPy, SciPy and Boost have the same parameters. lambda = 0 is the distribution of fisher_f, from other words.
// X is computed from the first words of a value's retry stream, four for each trial (detail/noncentral_trial.hpp), and
// Y from the words after them, two for each trial. A slot of floats has the words of both first trials, so fills use
// SIMD vectors. With fewer than 2 degrees the quotient is computed by logarithms; values outside the range of normal
// numbers become about the least or the greatest of them.
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1995, chapter 30.
// Oracle: d1 = 2, d2 = 4, lambda = 2, three words 0x80000000, then 0x40000000, 0x80000000 and 0 give (5/3 + 1 - ln 2) /
// (5/3) * 2 = 2.3682234.
#pragma once

#include "../core/retry_stream.hpp"
#include "../detail/noncentral_trial.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The noncentral F distribution with d1 and d2 degrees of freedom and the noncentrality lambda of the numerator.
template <class T> struct noncentral_f {
    static_assert(detail::is_real<T>,
                  "noncentral_f is of float or double: write noncentral_f{5.0, 7.0, 2.0}, not noncentral_f{5, 7, 2}");
    using result_type = T;
    T d1 = 1;
    T d2 = 1;
    T lambda = 1;

    static constexpr const char* name = "noncentral_f";
    static constexpr const char* support = "(0, inf)";
    static constexpr const char* summary = "noncentral F: a noncentral chi-squared variable over another one";
    static constexpr int slot_words = 8;
    static constexpr int operand_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::sampler;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{
            Field{"d1", &noncentral_f::d1, "degrees of freedom of the numerator", detail::twice_gamma_shapes<T>()},
            Field{"d2", &noncentral_f::d2, "degrees of freedom of the denominator", detail::twice_gamma_shapes<T>()},
            Field{"lambda", &noncentral_f::lambda, "noncentrality of the numerator", detail::noncentralities<T>()}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    struct Map {
        detail::NoncentralTrial<T> numerator;
        detail::GammaTrial<T> denominator;
        detail::ScaledExp<T> ratio;

        /// Computes both first trials, which fit into a slot if they are of floats.
        template <class L>
        RNG_FN auto operator()(lane::u32<L> normal, lane::u32<L> exponential, lane::u32<L> radius, lane::u32<L> angle,
                               lane::u32<L> other_normal, lane::u32<L> other_exponential, lane::u32<L>,
                               lane::u32<L>) const {
            const auto x = numerator(normal, exponential, radius, angle);
            const auto y = denominator(lane::normal_quantile(other_normal), lane::neglog(other_exponential));
            return lane::Proposal{quotient(x, y), x.is_rejected | denominator.is_rejected(y)};
        }
        template <class RetryStream> RNG_FN T sample(RetryStream& retry_stream) const {
            const auto x = accepted_numerator(retry_stream);
            return quotient(x, accepted_denominator(retry_stream)).v;
        }

      private:
        template <class X, class Y> RNG_FN auto quotient(const X& x, const Y& y) const {
            using F = decltype(x.half);
            if (!numerator.is_by_log && !denominator.is_by_log())
                return lane::fma(lane::div(x.half, y.cube), F(ratio.scale), F(0));
            F log = lane::ln(x.half);
            if (numerator.is_by_log) log = lane::select(x.is_central, x.log, log);
            return ratio(lane::sub(log, denominator.log_of(y)));
        }
        template <class RetryStream> RNG_FN auto accepted_numerator(RetryStream& retry_stream) const {
            RNG_ROLLED
            for (uint32_t left = detail::most_proposals;;) {
                const auto normal = word(retry_stream), exponential = word(retry_stream), radius = word(retry_stream),
                           angle = word(retry_stream);
                const auto made = numerator(normal, exponential, radius, angle);
                if (!made.is_rejected.v || --left == 0) return made;
            }
        }
        template <class RetryStream> RNG_FN auto accepted_denominator(RetryStream& retry_stream) const {
            RNG_ROLLED
            for (uint32_t left = detail::most_proposals;;) {
                const auto normal = word(retry_stream), exponential = word(retry_stream);
                const auto made = denominator(lane::normal_quantile(normal), lane::neglog(exponential));
                if (!denominator.is_rejected(made).v || --left == 0) return made;
            }
        }
        template <class RetryStream> RNG_FN static auto word(RetryStream& retry_stream) {
            if constexpr (sizeof(T) == 4)
                return lane::u32<lane::Scalar>(retry_stream.word());
            else
                return lane::u64<lane::Scalar>(retry_stream.word64());
        }
    };
    [[nodiscard]] RNG_FN Map map() const {
        using F = lane::real_t<lane::Scalar, T>;
        return {detail::NoncentralTrial<T>::of(d1, lambda), detail::GammaTrial<T>::of(detail::half_of(d2)),
                detail::ScaledExp<T>::of(lane::div(F(d2), F(d1)).v)};
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class A, class B, class C>
RNG_GUIDE noncentral_f(A, B, C)->noncentral_f<detail::parameter_t<detail::parameter_t<A, B>, C>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
