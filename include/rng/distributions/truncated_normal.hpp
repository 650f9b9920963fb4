// truncated_normal{mean, stddev, lo, hi}: a normal variable, given that it lies in [lo, hi]. A bound may be infinite.
//
//     const std::vector<double> x = rng::sample(rng::truncated_normal{0.0, 1.0, -2.0, 2.0}, 1000, gen);
//
// There are three kinds of trials. Each is accepted in at least 24 of 100 cases, however far from the mean the bounds
// are:
// - bounds that leave room around the mean: a normal value that must lie inside;
// - a long tail: an exponential step from the bound that is nearer to the mean (Robert);
// - bounds near each other: a uniform step from that bound.
// With a step, the value is the bound plus the step, so no digits are lost far out.
//
// Largest error seen of an accepted value, at mean 0, stddev 1: 1.6 ulp.
// Source: Robert, "Simulation of truncated normal variables", Statistics and Computing 5, 1995.
// Oracle: mean = 0, stddev = 1, lo = 3/2, hi = inf: the words 0x80000000 and 0 give 3/2 + ln(2) / 2 = 1.8465736.
#pragma once

#include "../core/retry_stream.hpp"
#include "../detail/ranges.hpp"
#include "../draw.hpp"
#include "../lane/quantile.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The truncated normal distribution. mean and stddev are those of the normal variable before it is truncated.
template <class T> struct truncated_normal {
    static_assert(detail::is_real<T> || detail::is_half<T>,
                  "truncated_normal is of float or double: write truncated_normal{0.0, 1.0, -2.0, 2.0}, not "
                  "truncated_normal{0, 1, -2, 2}");
    using result_type = T;
    using Parameter = detail::arithmetic_t<T>;  ///< float for the 16-bit types too
    Parameter mean = 0;
    Parameter stddev = 1;
    Parameter lo = -2;
    Parameter hi = 2;

    static constexpr const char* name = "truncated_normal";
    static constexpr const char* support = "[lo, hi]";
    static constexpr const char* summary = "normal between two bounds";
    static constexpr int slot_words = sizeof(Parameter) / 2;
    static constexpr int operand_words = sizeof(Parameter) / 4;
    static constexpr Shape map_shape = Shape::sampler;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{
            Field{"mean", &truncated_normal::mean, "mean of the normal variable", detail::location_range<T>()},
            Field{"stddev", &truncated_normal::stddev, "standard deviation of the normal variable",
                  detail::scale_range<T>()},
            Field{"lo", &truncated_normal::lo, "least value; -inf for none"},
            Field{"hi", &truncated_normal::hi, "greatest value; inf for none"}};
    }
    [[nodiscard]] ParameterFault fault() const {
        constexpr bool f32 = detail::in_float<T>;
        if (const ParameterFault wrong = detail::range_fault(*this)) return wrong;
        if (const ParameterFault wrong = bound_fault("lo", lo, -far)) return wrong;
        if (const ParameterFault wrong = bound_fault("hi", hi, far)) return wrong;
        const bool has_two = is_bounded(lo) && is_bounded(hi);
        if (has_two &&
            !(detail::location(hi) - detail::location(lo) >= (f32 ? Parameter(0x1p-78) : Parameter(0x1p-900))))
            return {"hi", static_cast<double>(hi),
                    f32 ? "must be lo + 2^-78 at least" : "must be lo + 2^-900 at least"};
        const Map prepared = map();
        if (prepared.method == Method::normal) return {};
        const bool from_lo = prepared.signed_stddev > 0;
        if (prepared.from > (f32 ? Parameter(0x1p12) : Parameter(0x1p50)))
            return {from_lo ? "lo" : "hi", static_cast<double>(from_lo ? lo : hi),
                    f32 ? "must be at most 2^12 standard deviations from the mean"
                        : "must be at most 2^50 standard deviations from the mean"};
        if (prepared.width < tiny)
            return {"hi", static_cast<double>(hi),
                    f32 ? "must be lo + 2^-28 stddev at least" : "must be lo + 2^-100 stddev at least"};
        return {};
    }

    enum class Method : int32_t { normal, exponential, uniform };

    /// Steps lead away from the bound that is nearer to the mean; their unit is the standard deviation.
    struct Map {
        static constexpr bool is_long = true;
        static constexpr uint32_t most_proposals = detail::most_proposals;
        Parameter origin, signed_stddev;  // the mean, or that bound; the sign is that of the steps
        Parameter lo, hi;                 // finite
        Parameter from;   // standard deviations from the mean to that bound; below 0 if the mean lies inside
        Parameter width;  // of the interval, in standard deviations
        Parameter mean_step, least_bar;  // of the exponential steps; of the uniform ones
        Method method;

        template <class W> RNG_FN auto operator()(W first, W second) const {
            using F = decltype(lane::neglog(first));
            if (method == Method::normal) {
                const F x = lane::fma(F(signed_stddev), lane::normal_quantile(first), F(origin));
                return lane::Proposal{inside(x), lane::lanes_below(x, F(lo)) | lane::lanes_below(F(hi), x)};
            }
            // Accepted if an exponential variable exceeds the bar: (x^2 - c) / 2 at the step's end x. c is such that
            // the bar is 0 where the quotient of the normal density by that of the steps is greatest.
            const F bound = lane::neglog(second);
            if (method == Method::exponential) {
                const F e = lane::neglog(first), step = lane::fma(e, F(mean_step), F(0));
                const F away = lane::fma(lane::sub(e, F(1)), F(mean_step), F(0));
                const F bar = lane::fma(away, lane::mul(away, F(0.5f)), F(0));
                return lane::Proposal{inside(after(step)),
                                      ~lane::lanes_below(bar, bound) | lane::lanes_below(F(width), step)};
            }
            const F step = lane::fma(lane::midpoint_fraction(first), F(width), F(0));
            const F bar = lane::fma(step, lane::fma(step, F(0.5f), F(from)), F(least_bar));
            return lane::Proposal{inside(after(step)), ~lane::lanes_below(bar, bound)};
        }

      private:
        template <class F> RNG_FN F after(F step) const { return lane::fma(F(signed_stddev), step, F(origin)); }
        template <class F> RNG_FN auto inside(F x) const {
            return detail::as_result<T>(lane::select_less(lane::select_greater(x, F(lo)), F(hi)));
        }
    };
    [[nodiscard]] RNG_FN Map map() const {
        using F = lane::real_t<lane::Scalar, Parameter>;
        const Parameter m = detail::location(mean);
        const Parameter least = is_bounded(lo) ? detail::location(lo) : -greatest;
        const Parameter most = is_bounded(hi) ? detail::location(hi) : greatest;
        const F a(deviations(least, m)), b(deviations(most, m)), width(deviations(most, least));
        const bool mirrored = lane::add(a, b).v < 0;
        const F from = mirrored ? lane::sub(F(0), b) : a;
        const F half(0.5f), root = lane::sqrt(lane::fma(from, from, F(4)));
        Map result{m, stddev, least, most, from.v, width.v, 1, 0, Method::normal};
        if (!(from.v > half.v) && !(width.v < 1)) return result;
        result.origin = mirrored ? most : least;
        if (mirrored) result.signed_stddev = -stddev;
        if (!(from.v > half.v) || !(lane::fma(width, from, F(0)).v > 1)) {
            result.method = Method::uniform;
            if (from.v < 0) result.least_bar = lane::fma(from, lane::mul(from, half), F(0)).v;
        } else {
            result.method = Method::exponential;
            result.mean_step = lane::one_over(lane::fma(lane::add(from, root), half, F(0)).v);
        }
        return result;
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }

  private:
    /// A bound of this magnitude has no effect: no value of a normal variable is so great. No sum overflows.
    static constexpr Parameter greatest = detail::in_float<T> ? Parameter(0x1p126) : Parameter(0x1p1022);
    /// More standard deviations than any value or step has.
    static constexpr Parameter far = detail::in_float<T> ? Parameter(0x1p20) : Parameter(0x1p60);
    /// The least width of an interval that steps fill, in standard deviations, so that squares of steps stay normal
    /// numbers.
    static constexpr Parameter tiny = detail::in_float<T> ? Parameter(0x1p-28) : Parameter(0x1p-100);

    [[nodiscard]] RNG_FN static bool is_bounded(Parameter bound) { return lane::is_finite(bound); }
    /// Returns the fault of a bound that may be infinite with the sign of `side`.
    [[nodiscard]] static ParameterFault bound_fault(const char* field, Parameter bound, Parameter side) {
        if (lane::is_infinite(bound) && (bound < 0) == (side < 0)) return {};
        if (lane::is_finite(bound) && !detail::is_value_of<T>(bound))
            return {field, static_cast<double>(bound), "must be a value of the type"};
        constexpr auto range = detail::location_range<T>();
        static constexpr auto text = detail::RangeText::of(range);
        if (detail::is_in(range, bound)) return {};
        return {field, static_cast<double>(bound),
                lane::is_finite(bound) ? text.text
                : side < 0             ? "must be a number or -inf"
                                       : "must be a number or inf"};
    }

    /// Returns (x - y) / stddev, of magnitude `far` at most, and 0 for a magnitude below `tiny`.
    [[nodiscard]] RNG_FN Parameter deviations(Parameter x, Parameter y) const {
        using F = lane::real_t<lane::Scalar, Parameter>;
        const F difference = lane::sub(F(x), F(y));
        const Parameter size = lane::magnitude(difference).v;
        if (size > lane::Scalar::fma(stddev, far, 0)) return difference.v < 0 ? -far : far;
        if (size < lane::Scalar::fma(stddev, tiny, 0)) return 0;
        return lane::div(difference, F(stddev)).v;
    }
};

template <class A, class B, class C, class D>
RNG_GUIDE truncated_normal(A, B, C, D)
    ->truncated_normal<detail::parameter_t<detail::parameter_t<A, B>, detail::parameter_t<C, D>>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
