// Integer: a parameter type that takes integers only (integer_traits.hpp defines which types these are).
//
//     void skip(rng::Integer n);    skip(7), skip(7u) and skip(7LL) compile; skip(7.0), skip(true) and skip('7') do not
#pragma once

#include "integer_traits.hpp"

#include "hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// A parameter of type uint64_t that takes integers only. A floating-point number, a bool or a character does not
/// compile.
/// An integer below 0 becomes its value modulo 2^64. Seeds may be negative.
/// A negative tag, index or count is out of range; below() takes any count.
struct Integer {
    uint64_t value;

    template <class T>
    requires(!std::is_class_v<T> && std::is_convertible_v<T, uint64_t>) RNG_FN constexpr Integer(T number)
        : value(static_cast<uint64_t>(number)) {
        static_assert(detail::stands_for_an_integer<T>,
                      "rng: a seed, tag, id, position, index or count is an integer: write fork(7), not fork(7.0), "
                      "fork(true) or fork('7')");
    }
    /// Takes a reference, because a std::atomic cannot be copied.
    template <class T>
    requires(std::is_class_v<T>&& std::is_convertible_v<const T&, uint64_t>) RNG_FN constexpr Integer(const T& number)
        : value(static_cast<uint64_t>(number)) {
        static_assert(detail::stands_for_an_integer<T>,
                      "rng: a seed, tag, id, position, index or count is an integer: write fork(7), not fork(7.0), "
                      "fork(true) or fork('7')");
    }
    RNG_FN constexpr operator uint64_t() const { return value; }
};

RNG_END_NAMESPACE

#include "restore_macros.inc"
