// What every distribution declares: its shape, its parameters and their faults.
//
// A distribution is an aggregate of parameters with
//     result_type                      what a value is
//     slot_words, map_shape            how many 32-bit words a value takes (1, 2, 4 or 8); alone, or in pairs
//     map()                            the prepared map: words -> value over any lane (lane/lane.hpp)
// It declares more only if a default does not fit:
//     operand_words                    the words of each operand of the map, 1 or 2
//                                      (slots of one word: 1; joint: half the slot; else: 2)
//     parts, part_type                 how many numbers a value has, up to 4, and their type (joint: 2 parts; else: 1)
//     has_real_arithmetic              true if the map makes integers by real arithmetic
//     domain                           a domain of its own, from domain::own on (by shape and slot)
//     table_words(), build_table(p), map(p)       a table that a fill prepares for the map (none)
//     least_tabulated                  fills of fewer values prepare no table (0)
// A distribution of the catalogue adds name, support, summary, fields() with their ranges, and fault(). See
// docs/adding.md.
#pragma once

#include "engine.hpp"
#include "integer.hpp"

#include "hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// How a distribution computes values from words.
enum class Shape {
    value,    ///< one slot of domain 0 gives one value: uniform
    pair,     ///< two aligned slots of a domain for pairs give two values: normal
    sampler,  ///< proposals read words of the value's retry stream, the slot first, until one is accepted
              ///< (core/retry_stream.hpp): uniform_int
    joint     ///< one slot of domain 0, as two operands, gives the two parts of one value: complex_normal
};

/// The values that a parameter may have: the numbers from `least` to `most`, or those of a magnitude up to `most` if
/// least is -most. By default any value.
template <class T> struct ParameterRange {
    T least = 1, most = 0;
    [[nodiscard]] constexpr bool takes_all() const { return most < least; }
};

/// A parameter: its name (also the option of the command line), the member that holds it, its meaning and its range.
template <class D, class T> struct Field {
    using Member = T D::*;
    const char* name;
    Member member;
    const char* doc;
    ParameterRange<T> range = {};
};
template <class D, class T> RNG_GUIDE Field(const char*, T D::*, const char*)->Field<D, T>;
template <class D, class T> RNG_GUIDE Field(const char*, T D::*, const char*, ParameterRange<T>)->Field<D, T>;

/// The parameters of a distribution.
template <class... F> struct Fields {
    [[nodiscard]] static constexpr int size() { return 0; }
    template <class Call> constexpr void each(Call&&) const {}
};
template <class F, class... Rest> struct Fields<F, Rest...> {
    F first;
    Fields<Rest...> rest;
    constexpr Fields(const F& f, const Rest&... others) : first(f), rest{others...} {}
    [[nodiscard]] static constexpr int size() { return 1 + Fields<Rest...>::size(); }
    /// Calls call(field) for each parameter, in order.
    template <class Call> constexpr void each(Call&& call) const {
        call(first);
        rest.each(call);
    }
};
template <class... F> RNG_GUIDE Fields(const F&...)->Fields<F...>;

/// The first parameter that is out of range: "stddev", -1, "must be 0 or in [..]". If there is none, field == nullptr.
struct ParameterFault {
    const char* field = nullptr;
    double value = 0;
    const char* limit = nullptr;
    /// True if the value is `magnitude`, with the sign of `value`: doubles hold only 53 bits.
    bool is_integer = false;
    uint64_t magnitude = 0;
    /// True if the parameter is a list, and the value its element number `index`.
    bool is_element = false;
    uint64_t index = 0;

    template <class T> static constexpr ParameterFault of_integer(const char* field, T value, const char* limit) {
        const auto bits = static_cast<uint64_t>(value);
        // For the sign only: nvcc warns if an unsigned integer is compared with 0.
        const auto number = static_cast<double>(value);
        return {field, number, limit, true, number < 0 ? 0 - bits : bits, false, 0};
    }
    /// Element `i` of a list.
    static constexpr ParameterFault of_element(const char* field, uint64_t i, double value, const char* limit) {
        return {field, value, limit, false, 0, true, i};
    }
    explicit constexpr operator bool() const { return field != nullptr; }
};

namespace detail {

template <class D>
concept HasName = requires {
    D::name;
};
template <class D>
concept HasFault = requires(const D& d) {
    d.fault();
};

template <class D> constexpr const char* name_of() {
    if constexpr (HasName<D>)
        return D::name;
    else
        return "user's distribution";
}

}  // namespace detail

/// A type that fill() and at() take.
template <class D>
concept distribution = requires(const D& d) {
    typename D::result_type;
    {D::slot_words + 0};
    {D::map_shape == Shape::value};
    d.map();
};

template <class D> using result_t = typename D::result_type;

struct float16;
struct bfloat16;

namespace detail {

/// The value types of real distributions.
template <class T> inline constexpr bool is_real = is_same<T, float> || is_same<T, double>;

/// The 16-bit types (float16.hpp). Some distributions have them too.
template <class T> inline constexpr bool is_half = is_same<T, float16> || is_same<T, bfloat16>;

/// The common type of two parameters: the type of their sum.
template <class A, class B> struct CommonParameter { using type = decltype(A() + B()); };
template <class A> struct CommonParameter<A, A> { using type = A; };
template <class A, class B> using parameter_t = typename CommonParameter<A, B>::type;

template <class T>
inline constexpr T greatest = static_cast<T>(~uint64_t{0} >>
                                             (64 - 8 * sizeof(T) + (static_cast<T>(-1) < T(0) ? 1 : 0)));

/// The distribution whose map D caches (prepared_map.hpp); otherwise D itself.
template <class D> struct SourceOf { using type = D; };
template <class D>
requires requires { typename D::prepared_distribution; }
struct SourceOf<D> {
    using type = typename D::prepared_distribution;
};
template <class D> using source_t = typename SourceOf<D>::type;
template <class D> inline constexpr bool has_cached_map = !is_same<D, source_t<D>>;

/// The domain from which a distribution reads its words. Pairs have one domain for each slot size, so that units of
/// different sizes share no words.
template <class D> constexpr unsigned find_domain() {
    if constexpr (requires { D::domain; }) {
        static_assert(D::domain >= domain::own && D::domain < domain::own + domain::own_count,
                      "a distribution's own domain is one of domain::own to domain::own + 63");
        return D::domain;
    } else if constexpr (D::map_shape == Shape::pair) {
        return D::slot_words == 1   ? domain::pair32
               : D::slot_words == 2 ? domain::pair64
               : D::slot_words == 4 ? domain::pair128
                                    : domain::pair256;
    } else {
        return domain::draws;
    }
}
template <class D> inline constexpr unsigned domain_of = find_domain<source_t<D>>();

/// The name of a result type, for messages, the command line and the table of goldens.
template <class T> struct Dtype;
template <> struct Dtype<int8_t> { static constexpr const char* name = "i8"; };
template <> struct Dtype<int16_t> { static constexpr const char* name = "i16"; };
template <> struct Dtype<int32_t> { static constexpr const char* name = "i32"; };
template <> struct Dtype<int64_t> { static constexpr const char* name = "i64"; };
template <> struct Dtype<uint8_t> { static constexpr const char* name = "u8"; };
template <> struct Dtype<uint16_t> { static constexpr const char* name = "u16"; };
template <> struct Dtype<uint32_t> { static constexpr const char* name = "u32"; };
template <> struct Dtype<uint64_t> { static constexpr const char* name = "u64"; };
template <> struct Dtype<float> { static constexpr const char* name = "f32"; };
template <> struct Dtype<double> { static constexpr const char* name = "f64"; };

}  // namespace detail

template <class T> [[nodiscard]] constexpr const char* dtype_name() {
    return detail::Dtype<detail::fixed_width<T>>::name;
}

RNG_END_NAMESPACE

#include "restore_macros.inc"
