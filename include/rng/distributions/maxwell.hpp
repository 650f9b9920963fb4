// maxwell{sigma}: the length of a vector of three normal values (Maxwell and Boltzmann's distribution of speeds).
//
//     const std::vector<double> x = rng::sample(rng::maxwell{1.0}, 1000, gen);
//
// The square of the length is twice an exponential of the first word plus the square of a normal of the second.
// Largest error seen at sigma 1: 1.6 ulp.
// Source: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions", Wiley 1994, chapter 18.
// Oracle: the words 0x80000000 and 0xf9999999 give sqrt(2 ln 2 + 1.95996^2) = 2.28643.
#pragma once

#include "../detail/maxwell_map.hpp"
#include "../detail/ranges.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The Maxwell distribution; its mean is 2 sigma sqrt(2 / pi).
template <class T> struct maxwell {
    static_assert(detail::is_real<T>, "maxwell is of float or double: write maxwell{1.0}, not maxwell{1}");
    using result_type = T;
    T sigma = 1;

    static constexpr const char* name = "maxwell";
    static constexpr const char* support = "(0, inf)";
    static constexpr const char* summary = "Maxwell-Boltzmann: the length of three normals";
    static constexpr int slot_words = sizeof(T) / 2;
    static constexpr int operand_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] static constexpr auto fields() {
        return Fields{Field{"sigma", &maxwell::sigma, "standard deviation of each component of the vector",
                            detail::scale_range<T>()}};
    }
    [[nodiscard]] ParameterFault fault() const { return detail::range_fault(*this); }

    using Map = detail::MaxwellMap<T>;
    [[nodiscard]] RNG_FN Map map() const { return {0, sigma, 0}; }
    template <class G> RNG_FN result_type operator()(G& engine) const { return draw(*this, engine); }
};

template <class T> RNG_GUIDE maxwell(T)->maxwell<T>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
