// Lists of types, such as the list of engines (engine.hpp) and the list of distributions (distributions/list.hpp).
#pragma once

#include "config.hpp"

#include "hide_macros.inc"

RNG_BEGIN_NAMESPACE

template <class... T> struct type_list { static constexpr int size = sizeof...(T); };

template <class T> struct type_tag { using type = T; };

namespace detail {

template <class A, class B> inline constexpr bool is_same = false;
template <class A> inline constexpr bool is_same<A, A> = true;

/// The index of T in a list, or -1.
template <class T, class... E> constexpr int index_in(type_list<E...>) {
    int index = 0, found = -1;
    ((found = is_same<T, E> ? index : found, ++index), ...);
    return found;
}

template <class... Lists> struct Concatenated { using type = type_list<>; };
template <class... T> struct Concatenated<type_list<T...>> { using type = type_list<T...>; };
template <class... A, class... B, class... Rest> struct Concatenated<type_list<A...>, type_list<B...>, Rest...> {
    using type = typename Concatenated<type_list<A..., B...>, Rest...>::type;
};
/// One list of all types of several lists.
template <class... Lists> using concatenated = typename Concatenated<Lists...>::type;

template <class F, class... T> constexpr void for_each_in(type_list<T...>, F&& f) { (f(type_tag<T>{}), ...); }

}  // namespace detail

RNG_END_NAMESPACE

#include "restore_macros.inc"
