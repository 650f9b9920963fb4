// Lists of types: kernels are told apart by an index in a list, which their mangled names show.
#pragma once

#include <rng/core/type_list.hpp>

namespace parity {

/// Element<I, list>::type is type I of a list.
template <int I, class List> struct Element;
template <class First, class... Rest> struct Element<0, rng::type_list<First, Rest...>> { using type = First; };
template <int I, class First, class... Rest>
struct Element<I, rng::type_list<First, Rest...>> : Element<I - 1, rng::type_list<Rest...>> {};

/// joined_t<lists...> has the types of all lists.
template <class... Lists> struct Joined;
template <class List> struct Joined<List> { using type = List; };
template <class... A, class... B, class... Rest>
struct Joined<rng::type_list<A...>, rng::type_list<B...>, Rest...> : Joined<rng::type_list<A..., B...>, Rest...> {};
template <class... Lists> using joined_t = typename Joined<Lists...>::type;

}  // namespace parity
