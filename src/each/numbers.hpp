// The numbers of a parameter in their types.
#pragma once

#include <rng/detail/each.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// Returns the parameter of value i.
inline Number number_of_value(const EachNumbers& numbers, size_t i) {
    return with_numbers(numbers, [&](const auto* data) { return Number(data[numbers.varies ? i : 0]); });
}

/// Writes the parameters of values begin, begin + 1, ... begin + n - 1 as numbers T.
template <class T> void read_numbers(const EachNumbers& numbers, size_t begin, T* to, size_t n) {
    with_numbers(numbers, [&](const auto* data) {
        if (numbers.varies)
            for (size_t i = 0; i < n; ++i) to[i] = static_cast<T>(data[begin + i]);
        else
            for (size_t i = 0; i < n; ++i) to[i] = static_cast<T>(data[0]);
    });
}

}  // namespace detail
RNG_END_NAMESPACE
