// piecewise_constant{boundaries, densities} and piecewise_linear{boundaries, densities}: distributions of a density
// that is a step function, or the line through given points; by inversion.
//
//     const std::vector<double> edges{0, 1, 4}, heights{3, 1};          // densities in any unit; areas 3 and 3
//     const rng::piecewise_constant dist(edges, heights);
//     const std::vector<double> x = rng::sample(dist, 1000, gen);
//     const std::vector<double> tops{0, 2, 0};                          // a triangle: one density at each boundary
//     const double y = rng::at(rng::Stream{42}, rng::piecewise_linear(edges, tops), 0);
//
// The distribution is a view of the lists, like std::span: they must outlive it, and not change. Kernels take
// piecewise_constant(boundaries, densities, pieces) with pointers that they can read. launch_fill() also reads them on
// the host, to check them.
// - Values lie in [first boundary, last boundary). A piece of density 0 never appears.
// - A value takes one 64-bit word, also in float. A greater word never gives a smaller value (of piecewise_linear: by
//   more than a rounding error).
// - Each piece has a whole number of the 2^64 words, its share of the area (detail/piecewise.hpp). So the distribution
//   is exact. A fill looks the piece up in a table. at(), draws and kernels walk through all pieces for each value.
// std::piecewise_constant_distribution takes the areas of its pieces; its intervals() and densities() give these lists.
// These two are not in the catalogue: `AnyDistribution`, the program and the library's kernels take no lists.
// Source: Devroye, "Non-Uniform Random Variate Generation", Springer 1986, chapters II.2 and III.2.4 (guide tables).
// Oracle: the word 0x4000000000000000 gives 1/2 of {0, 1, 4} with {3, 1}, to within 2^-52.
#pragma once

#include "../detail/piecewise.hpp"
#include "../draw.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Everything in both distributions except their names.
template <class T, bool Linear> struct Piecewise : PieceLists<T, Linear> {
    static_assert(is_real<T>, "piecewise laws are of float or double");
    using PieceLists<T, Linear>::PieceLists;
    using result_type = T;

    static constexpr const char* support = "[boundaries[0], boundaries[n])";
    static constexpr int slot_words = 2;
    static constexpr Shape map_shape = Shape::value;

    [[nodiscard]] size_t table_words() const { return PieceTable::size(this->pieces()); }
    void build_table(uint64_t* table) const { PieceTable::build(PieceMasses<PieceLists<T, Linear>>(*this), table); }
    /// Requires the table that build_table() made of the same lists.
    [[nodiscard]] PieceMap<T, Linear> map(const uint64_t* table) const {
        return {PieceMasses<PieceLists<T, Linear>>(*this, 0), table};
    }
    [[nodiscard]] RNG_FN PieceMap<T, Linear> map() const {
        return {PieceMasses<PieceLists<T, Linear>>(*this), nullptr};
    }
};

}  // namespace detail

/// The distribution whose density is densities[i] between boundaries[i] and boundaries[i + 1], times a constant.
template <class T> struct piecewise_constant : detail::Piecewise<T, false> {
    using detail::Piecewise<T, false>::Piecewise;
    static constexpr const char* name = "piecewise_constant";
    static constexpr const char* summary = "a step function as density, by inversion";
    template <class G> RNG_FN T operator()(G& engine) const { return draw(*this, engine); }
};
template <class B, class D> piecewise_constant(const B&, const D&) -> piecewise_constant<detail::number_of_list_t<B>>;
template <class T> RNG_GUIDE piecewise_constant(const T*, const T*, uint32_t)->piecewise_constant<T>;

/// The distribution whose density is densities[i] at boundaries[i], and linear between them, times a constant.
template <class T> struct piecewise_linear : detail::Piecewise<T, true> {
    using detail::Piecewise<T, true>::Piecewise;
    static constexpr const char* name = "piecewise_linear";
    static constexpr const char* summary = "straight lines as density, by inversion";
    template <class G> RNG_FN T operator()(G& engine) const { return draw(*this, engine); }
};
template <class B, class D> piecewise_linear(const B&, const D&) -> piecewise_linear<detail::number_of_list_t<B>>;
template <class T> RNG_GUIDE piecewise_linear(const T*, const T*, uint32_t)->piecewise_linear<T>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
