// The parts of structured results: the place of a row, its private stream, its components, sums.
//
// A row has a slot of four words, which are not read: the slot only determines the row's private stream P. The
// components of the row are values of P. docs/contract.md, A.24, has the operations.
#pragma once

#include "../distributions/normal.hpp"
#include "../lane/functions.hpp"
#include "piecewise.hpp"
#include "value.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

template <class T> struct dirichlet;                      // #include <rng/structured/dirichlet.hpp>
template <class T> struct multivariate_normal;            // #include <rng/structured/multivariate_normal.hpp>
template <class T> struct wishart;                        // #include <rng/structured/wishart.hpp>
template <class T, class W = double> struct multinomial;  // #include <rng/structured/multinomial.hpp>

namespace detail {

/// The distributions with a for_each_component() and a finish().
using rows_of_components = type_list<dirichlet<float>, dirichlet<double>, multivariate_normal<float>,
                                     multivariate_normal<double>, wishart<float>, wishart<double>>;
/// The index in this list, or -1.
template <class D> inline constexpr int rows_index = index_in<D>(rows_of_components{});

/// The words of a row's slot, whatever its distribution, type and engine.
inline constexpr uint64_t row_slot_words = 4;

/// The elements of a row, at a stride.
template <class T> struct RowPlace {
    T* data;
    int64_t stride;  // in elements, from one to the next; may be negative
    [[nodiscard]] RNG_FN T& operator[](uint64_t j) const { return data[static_cast<int64_t>(j) * stride]; }
};

/// at(p, dist, j), over the lane L.
template <class L, class D, class E>
[[nodiscard]] RNG_FN result_t<D> component(const Stream<E>& p, const D& dist, uint64_t j) {
    return value_at_word<D, L>(p, map_over<L>(dist), j * D::slot_words);
}

/// component() for many j of one distribution: the values of a block are computed together.
template <class D, class L, class E> class Components {
  public:
    RNG_FN Components(const Stream<E>& p, const D& dist) : stream_(p), map_(map_over<L>(dist)) {}

    [[nodiscard]] RNG_FN result_t<D> operator[](uint64_t j) {
        const uint64_t word = j * D::slot_words, group = word / words;
        if (group != group_) {
            values_ = values_of_group<D, L>(stream_, map_, group);
            group_ = group;
        }
        const auto place = static_cast<int>(word % words / D::slot_words);
        result_t<D> value = values_[0];  // a run-time index would send the values through memory
        RNG_UNROLL
        for (int k = 1; k < Group<D, E>::values; ++k)
            if (k == place) value = values_[k];
        return value;
    }

  private:
    static constexpr uint64_t words = Group<D, E>::words;

    Stream<E> stream_;
    decltype(map_over<L>(D{})) map_;
    uint64_t group_ = ~uint64_t{0};
    Words<result_t<D>, Group<D, E>::values> values_{};
};

/// A sum before it is rounded to T. Magnitudes below 2^-126 (float) or 2^-400 (double) count as 0, so that no product
/// of results is subnormal.
template <class T, class L> [[nodiscard]] RNG_FN lane::f64<L> without_small(lane::f64<L> x) {
    using F = lane::f64<L>;
    constexpr double least = sizeof(T) == 4 ? 0x1p-126 : 0x1p-400;
    return lane::select(lane::lanes_below(lane::magnitude(x), F(least)), F(0.0), x);
}
/// without_small() of one value, rounded once.
template <class T, class L> [[nodiscard]] RNG_FN T flushed(lane::f64<L> x) {
    return static_cast<T>(without_small<T>(x).v);
}

/// A number as a double in a register of the lane L.
template <class L, class T> [[nodiscard]] RNG_FN lane::f64<L> as_double(T x) {
    return lane::f64<L>(static_cast<double>(x));
}

/// A row whose numbers are in registers of a lane L of one value. The functions that finish rows are templates over
/// such a type. src/cpu/row_lanes.hpp has the one that holds many rows side by side.
template <class L, class T> struct OneRow {
    using Real = lane::real_t<L, T>;
    using Double = lane::f64<L>;
    RowPlace<T> place;

    [[nodiscard]] RNG_FN Real operator[](uint64_t j) const { return Real(place[j]); }
    [[nodiscard]] RNG_FN Double as_double(uint64_t j) const { return detail::as_double<L>(place[j]); }
    [[nodiscard]] RNG_FN static Real rounded(Double x) { return Real(static_cast<T>(x.v)); }
    RNG_FN void set(uint64_t j, Real x) const { place[j] = x.v; }
    /// Sets element j to without_small() of a sum of doubles.
    RNG_FN void settle(uint64_t j, Double x) const { set(j, rounded(without_small<T>(x))); }
};

/// Writes the components of a row of the private stream p: dist.for_each_component(f) calls f(place, distribution, j)
/// if element `place` has the component at(p, distribution, j). All distributions of type Shared are `shared`.
template <class L, class D, class Shared, class E>
RNG_FN void write_components(const D& dist, const Shared& shared, const Stream<E>& p, RowPlace<result_t<D>> x) {
    Components<Shared, L, E> values(p, shared);
    dist.for_each_component([&]<class Base>(uint64_t place, const Base& base, uint64_t j) RNG_LAMBDA_INLINE {
        if constexpr (is_same<Base, Shared>)
            x[place] = values[j];
        else
            x[place] = component<L>(p, base, j);
    });
}

/// A view of a list of numbers, like std::span.
template <class T> struct NumberList {
    const T* data = nullptr;
    uint64_t size = 0;

    NumberList() = default;
    RNG_FN constexpr NumberList(const T* first, uint64_t count) : data(first), size(count) {}
    template <list_of<T> List> constexpr NumberList(const List& list) : data(list_data(list)), size(list_size(list)) {}

    [[nodiscard]] RNG_FN T operator[](uint64_t i) const { return data[i]; }
    /// Returns the fault of the first element for which is_valid(x) is false.
    template <class IsValid>
    [[nodiscard]] ParameterFault fault_unless(const char* field, const char* limit, const IsValid& is_valid) const {
        for (uint64_t i = 0; i < size; ++i)
            if (!is_valid(data[i])) return ParameterFault::of_element(field, i, static_cast<double>(data[i]), limit);
        return {};
    }
};

/// The greatest length of a vector, and the most rows of a square matrix, that are one row of results.
inline constexpr uint64_t most_elements = uint64_t{1} << 24, most_dimension = uint64_t{1} << 16;
[[nodiscard]] inline ParameterFault length_fault(const char* field, uint64_t n) {
    return n >= 1 && n <= most_elements ? ParameterFault{}
                                        : ParameterFault::of_integer(field, n, "must have 1 to 2^24 elements");
}
[[nodiscard]] inline ParameterFault dimension_fault(uint64_t d) {
    return d >= 1 && d <= most_dimension ? ParameterFault{}
                                         : ParameterFault::of_integer("dimension", d, "must be in [1, 2^16]");
}

}  // namespace detail

/// A type that row_at() and fill_rows() take: a row of row_size() elements is one value. If it has lists of parameters
/// (NumberList), fills of device memory find them by for_each_list(self, f).
template <class D>
concept row_distribution = requires(const D& dist) {
    typename D::result_type;
    dist.row_size();
    dist.fault();
};

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
