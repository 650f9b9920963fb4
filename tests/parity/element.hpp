// Element<I, list>::type: kernels are told apart by an index in a list of types, which their mangled names show.
#pragma once

#include <rng/core/type_list.hpp>

namespace parity {

template <int I, class List> struct Element;
template <class First, class... Rest> struct Element<0, rng::type_list<First, Rest...>> { using type = First; };
template <int I, class First, class... Rest>
struct Element<I, rng::type_list<First, Rest...>> : Element<I - 1, rng::type_list<Rest...>> {};

}  // namespace parity
