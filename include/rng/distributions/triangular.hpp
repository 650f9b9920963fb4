// triangular{left, mode, right}: a density that rises to the mode and falls from there, by inversion.
//
//     const std::vector<double> x = rng::sample(rng::triangular{0.0, 0.5, 1.0}, 1000, gen);
//
// A greater word never gives a smaller value by more than a rounding error.
// Largest error: 2 ulp of the greater of |left| and |right|.
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1995, chapter 26.
// Oracle: triangular{0, 1, 1} and the word 0x40000000 (p = 1/4) give 1/2 to within 2^-24.
#pragma once

#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The triangular distribution.
template <class T> struct triangular {
    static_assert(detail::is_real<T> || detail::is_half<T>,
                  "triangular is of float or double: write triangular{0.0, 0.5, 1.0}, not triangular{0, 0, 1}");
    using result_type = T;
    using Parameter = detail::arithmetic_t<T>;  ///< float for the 16-bit types too
    Parameter left = 0;
    Parameter mode = 0.5;
    Parameter right = 1;

    static constexpr const char* name = "triangular";
    static constexpr const char* support = "[left, right]";
    static constexpr const char* summary = "triangular, by inversion";
    static constexpr int slot_words = sizeof(T) <= 4 ? 1 : 2;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        constexpr auto range = detail::up_to(detail::in_float<T> ? Parameter(0x1p126) : Parameter(0x1p1022));
        return Fields{Field{"left", &triangular::left, "least value", range},
                      Field{"mode", &triangular::mode, "value of greatest density", range},
                      Field{"right", &triangular::right, "greatest value", range}};
    }
    [[nodiscard]] ParameterFault fault() const {
        ParameterFault wrong = detail::range_fault(*this);
        fields().each([&](const auto& field) {
            const Parameter x = this->*field.member;
            if (!wrong && !detail::is_value_of<T>(x))
                wrong = {field.name, static_cast<double>(x), "must be a value of the type"};
        });
        if (wrong) return wrong;
        constexpr bool f32 = detail::in_float<T>;
        const Parameter l = place(left), m = place(mode), r = place(right);
        if (!(l <= m)) return {"mode", static_cast<double>(mode), "must be at least left"};
        if (!(m <= r)) return {"right", static_cast<double>(right), "must be at least mode"};
        if (!(r - l >= (f32 ? Parameter(0x1p-78) : Parameter(0x1p-900))))
            return {"right", static_cast<double>(right),
                    f32 ? "must be left + 2^-78 at least" : "must be left + 2^-900 at least"};
        return {};
    }

    struct Map {
        Parameter left, right, width, rising, rise, fall;  // rising / width: the probability of values below the mode

        template <class W> RNG_FN auto operator()(W w) const {
            const auto u = lane::midpoint_fraction(w), v = lane::midpoint_fraction(~w);  // v = 1 - u
            using F = decltype(lane::neglog(w));
            const F below = lane::fma(lane::sqrt(u), F(rise), F(left));
            const F above = lane::fnma(lane::sqrt(v), F(fall), F(right));
            const F x = lane::select(lane::lanes_below(lane::fma(u, F(width), F(0)), F(rising)), below, above);
            return detail::as_result<T>(lane::select_less(lane::select_greater(x, F(left)), F(right)));
        }
    };
    [[nodiscard]] RNG_FN Map map() const {
        using F = lane::real_t<lane::Scalar, Parameter>;
        const F l(place(left)), m(place(mode)), r(place(right));
        const F whole = lane::sub(r, l), root = lane::sqrt(whole), below = lane::sub(m, l);
        const auto side = [&](F part) { return lane::fma(root, lane::sqrt(part), F(0)).v; };
        return {l.v, r.v, whole.v, below.v, side(below), side(lane::sub(r, m))};
    }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }

  private:
    /// Returns a parameter as the map uses it: what is below 2^-100 (float arithmetic) or 2^-900 in magnitude counts as
    /// 0.
    [[nodiscard]] RNG_FN static Parameter place(Parameter x) {
        return lane::zero_below(detail::in_float<T> ? Parameter(0x1p-100) : Parameter(0x1p-900), x);
    }
};

template <class A, class B, class C>
RNG_GUIDE triangular(A, B, C)->triangular<detail::parameter_t<detail::parameter_t<A, B>, C>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
