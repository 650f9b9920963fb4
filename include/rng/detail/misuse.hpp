// Overloads for common mistakes in calls of fill(), fill_each() and sample(). Such a call does not compile, and the
// message shows how to write it. Without the overload, a compiler would list every other overload with its reasons.
// tests/misuse has the mistakes.
#pragma once

#include <iterator>
#include <ranges>
#include <type_traits>
#include <vector>

#include "../draw.hpp"
#include "../generator.hpp"
#include "../matrix_view.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

template <class T> struct device_span;

namespace detail {

// The overloads for such calls are at the end of this file.

template <class E> void takes_stream(const Stream<E>&);
/// A Generator, a Stream or one of this library's engines.
template <class S>
concept source = std::is_convertible_v<S, Generator&> || std::is_convertible_v<S, const Generator&> ||
    our_engine<std::remove_cvref_t<S>> || requires(const S& s) {
    takes_stream(s);
};

/// True for one of this library's engines that is not const, so that it can advance.
template <class G>
concept movable_engine = our_engine<std::remove_cvref_t<G>> && !std::is_const_v<std::remove_reference_t<G>>;

template <class T> inline constexpr bool is_of_device = false;
template <class T> inline constexpr bool is_of_device<device_span<T>> = true;
template <class T> inline constexpr bool is_of_device<device_matrix<T>> = true;
/// Memory of a device that fill() writes.
template <class Out>
concept device_destination = is_of_device<Out>;

template <class R>
concept destination = device_destination<std::remove_cvref_t<R>> || host_destination<R>;

template <class... From> inline constexpr bool first_is_source = true;
template <class S, class... Rest> inline constexpr bool first_is_source<S, Rest...> = source<S>;

/// True for a wrong call that has a distribution as an argument. A call of a program's own fill() or sample() finds
/// these overloads by its arguments, so a call without a distribution never counts as wrong. Every call of fill()
/// evaluates this function, so the most common case comes first. The compiler has already evaluated the concepts of
/// Out&.
template <class Out, class Dist, class... From> constexpr bool misused_fill() {
    using D = std::remove_cvref_t<Dist>;
    if constexpr (distribution<D>)
        return !destination<Out&> || (!is_of_device<std::remove_cvref_t<Out>> && !first_is_source<From...>);
    else if constexpr (distribution<std::remove_cvref_t<Out>> || (distribution<std::remove_cvref_t<From>> || ...))
        return true;
    else if constexpr (requires { typename D::param_type; })  // a distribution of std
        return sizeof...(From) > 0 && first_is_source<From...>;
    else
        return false;
}

template <class... From> constexpr void explain_source() {
    constexpr bool seed = (std::is_arithmetic_v<std::remove_cvref_t<From>> || ...);
    static_assert(!seed, "rng: a seed is not a generator: write rng::Stream{42}, or rng::Generator gen{42} and gen");
    static_assert(
        seed || never<From...>,
        "rng: values come from a Generator, a Stream or an engine of rng; from another engine, one by one: for "
        "(auto& v : x) v = dist(engine)");
}

template <class Out, class Dist, class... From> constexpr void explain_fill() {
    using O = std::remove_cvref_t<Out>;
    using D = std::remove_cvref_t<Dist>;
    if constexpr (distribution<O>)
        static_assert(never<O>, "fill: the destination comes first: write fill(x, dist, generator)");
    else if constexpr (source<D>)
        static_assert(never<O>, "fill: the distribution comes second: write fill(x, dist, generator)");
    else if constexpr (std::input_or_output_iterator<O> && is_same<O, D>)
        static_assert(never<O>, "fill: write fill(std::span(first, last), dist, generator) of two iterators");
    else if constexpr (std::is_pointer_v<O>)
        static_assert(never<O>, "fill: write fill(std::span(pointer, n), dist, generator) of a pointer");
    else if constexpr (is_same<O, std::vector<bool>>)
        static_assert(never<O>, "fill: a std::vector<bool> has no bools in memory: write std::vector<uint8_t>");
    else if constexpr (!destination<Out&>)
        static_assert(never<O>,
                      "fill: the first argument is memory: a std::vector, array or span, a matrix_view, a device_span "
                      "or a device_matrix");
    else if constexpr (!distribution<D>)
        static_assert(
            never<O>,
            "fill: the second argument is not a distribution of rng: for std::normal_distribution d(0, 1) write "
            "rng::normal{0.0, 1.0}");
    else
        explain_source<From...>();
}

/// A function of a value's number that returns a distribution of rng.
template <class F>
concept gives_distributions = std::is_invocable_v<const F&, uint64_t> &&
    distribution<std::remove_cvref_t<std::invoke_result_t<const F&, uint64_t>>>;
template <class... From> inline constexpr bool first_is_engine = false;
template <class S, class... Rest>
inline constexpr bool first_is_engine<S, Rest...> = our_engine<std::remove_cvref_t<S>>;

/// True for a wrong call of fill_each() that has a distribution or a source of random numbers as an argument.
template <class Out, class F, class... From> constexpr bool misused_each() {
    if constexpr (gives_distributions<F>)
        return !host_range<Out&> || !first_is_source<From...> || first_is_engine<From...>;
    else
        return distribution<F> || (sizeof...(From) > 0 && first_is_source<From...>);
}

template <class Out, class F, class... From> constexpr void explain_each() {
    if constexpr (distribution<F>)
        static_assert(never<F>, "fill_each: one distribution of all values: write fill(x, dist, generator)");
    else if constexpr (std::is_invocable_v<const F&, uint64_t> && !gives_distributions<F>)
        static_assert(never<F>,
                      "fill_each: the function returns no distribution of rng: write "
                      "[&](uint64_t i) { return rng::poisson{mean[i]}; }");
    else if constexpr (std::is_invocable_v<F&, uint64_t> && !gives_distributions<F>)
        static_assert(
            never<F>,
            "fill_each: several threads call the function: write one that is const, a lambda without mutable");
    else if constexpr (!gives_distributions<F>)
        static_assert(never<F>,
                      "fill_each: the second argument is a function of the value's number: write "
                      "[&](uint64_t i) { return rng::poisson{mean[i]}; }");
    else if constexpr (!host_range<Out&>)
        static_assert(never<F>, "fill_each: the first argument is memory: a std::vector, array or span");
    else if constexpr (first_is_engine<From...>)
        static_assert(never<F>, "fill_each: values come from a Stream or a Generator: write to_stream(engine)");
    else
        explain_source<From...>();
}

/// Converts to any type, so that there is no second error.
struct AnyResult {
    template <class T> operator T() const;
};

}  // namespace detail

// The parameters are const references and Integer, so that a program's own fill() or sample() is a better match.
template <class Out, class Dist, class... From>
requires(!std::is_arithmetic_v<Dist> && detail::misused_fill<Out, Dist, From...>())  //
    void fill(const Out&, const Dist&, const From&...) {
    detail::explain_fill<Out, Dist, From...>();
}
template <class Out, class... From>
requires(detail::misused_fill<Out, uint64_t, From...>()) void fill(const Out&, Integer, const From&...) {
    detail::explain_fill<Out, uint64_t, From...>();
}
template <class Out, class F, class... From>
requires(detail::misused_each<Out, F, From...>()) void fill_each(const Out&, const F&, const From&...) {
    detail::explain_each<Out, F, From...>();
}
template <distribution Dist, class... From>
requires(!detail::first_is_source<From...>) detail::AnyResult sample(const Dist&, Integer, const From&...) {
    detail::explain_source<From...>();
    return {};
}
template <distribution Dist, class... From> detail::AnyResult sample(Integer, const Dist&, const From&...) {
    static_assert(detail::never<Dist>, "sample: the distribution comes first: write sample(dist, n, generator)");
    return {};
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
