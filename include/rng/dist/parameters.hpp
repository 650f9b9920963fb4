// What every distribution says of itself: its shape, its parameters and what is wrong with them.
//
// A distribution is an aggregate of parameters with
//     result_type                      what a value is
//     slot_words, shape                how many 32-bit words a value takes; alone, or in pairs
//     map()                            the prepared map: words -> value over any lane (lane/lane.hpp)
// A distribution of the catalogue adds name, support, summary, fields() and fault(). See docs/adding.md.
#pragma once

#include "../core/engine.hpp"

RNG_BEGIN_NAMESPACE

/// value: one slot, one value, from domain 0. pair: two aligned slots, two values, from a domain of their own.
enum class Shape { value, pair };

/// A parameter: its name (also the option of the command line), the member that holds it, what it is.
template <class D, class T> struct Field {
    using Member = T D::*;
    const char* name;
    Member member;
    const char* doc;
};

template <class D, class T, int N> struct FieldList {
    Field<D, T> v[N > 0 ? N : 1];
    [[nodiscard]] static constexpr int size() { return N; }
    [[nodiscard]] constexpr const Field<D, T>& operator[](int i) const { return v[i]; }
    [[nodiscard]] constexpr const Field<D, T>* begin() const { return v; }
    [[nodiscard]] constexpr const Field<D, T>* end() const { return v + N; }
};

/// The first parameter that is out of range, or none (field == nullptr): "stddev", -1, "must be 0 or in [..]".
struct ParameterFault {
    const char* field = nullptr;
    double value = 0;
    const char* limit = nullptr;
    explicit constexpr operator bool() const { return field != nullptr; }
};

template <class D> using result_t = typename D::result_type;

namespace detail {

/// The types of real distributions.
template <class T> inline constexpr bool is_real = is_same<T, float> || is_same<T, double>;

/// The domain whose words a distribution reads.
template <class D>
inline constexpr unsigned domain_of = D::shape == Shape::value ? domain::draws
                                      : D::slot_words == 1     ? domain::pair32
                                                               : domain::pair64;

/// The name of a result type: in messages, on the command line, in the table of goldens.
template <class T> struct Dtype;
template <> struct Dtype<uint32_t> { static constexpr const char* name = "u32"; };
template <> struct Dtype<uint64_t> { static constexpr const char* name = "u64"; };
template <> struct Dtype<float> { static constexpr const char* name = "f32"; };
template <> struct Dtype<double> { static constexpr const char* name = "f64"; };

}  // namespace detail

template <class T> [[nodiscard]] constexpr const char* dtype_name() { return detail::Dtype<T>::name; }

RNG_END_NAMESPACE
