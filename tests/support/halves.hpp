// Two halves of the catalogue, for a test that is compiled in two ways or more and would take too long with all in
// each. The types of one distribution alternate between the halves, and so do the first types of distributions.
#pragma once

#include <rng/distributions/catalogue.hpp>

#include <string_view>

namespace support {
namespace detail {

template <class... D> constexpr int half_of(int index, rng::type_list<D...>) {
    constexpr std::string_view names[] = {D::name...};
    int names_before = 0;
    for (int i = 1; i <= index; ++i) names_before += names[i] != names[i - 1];
    return (index + names_before) % 2;
}

}  // namespace detail

/// 0 or 1, by the index in the catalogue.
template <int I> inline constexpr int half_of = detail::half_of(I, rng::catalogue{});

}  // namespace support
