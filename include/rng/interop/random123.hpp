// Conversions between the generators of Random123 and the engines of this library. Needs Random123's headers (Debian:
// librandom123-dev); no other header includes this one.
//
//     using E = rng::interop::From123<r123::Threefry4x32_R<13>>;   // their generators as engines:
//     rng::at(rng::Stream<E>{42}, rng::normal{0.0f, 1.0f}, i);     //   streams, forks and at(); fills are for our list
//
//     using G = rng::interop::To123<rng::Philox4x32_10>;           // our engines as their CBRNGs:
//     r123::Engine<G> engine; r123::MicroURNG<G> urng({{}}, {{}}); r123::u01<float>(G{}(counter, key)[0]);
//
// Random123 defines macros philox4x32(c, k), threefry4x64(c, k) ...
// If a source includes its headers, write rng::philox4x32 engine(42) or rng::philox4x32{42}, not rng::philox4x32(42).
// Source: the CBRNG interface of Random123 1.14 (ctr_type, key_type, ukey_type, operator()(ctr, key)).
// Oracle: From123<r123::Philox4x32>::block({{0, 0, 0, 0}}, {{0, 0}})[0] = 0x6627e8d5.
#pragma once

#include <Random123/philox.h>
#include <Random123/threefry.h>

#include "../core/engine.hpp"
#include "detail/random123_arrays.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace interop {

/// A generator of Random123, with counters of four words, as an engine of Stream. Counters, keys and children are as in
/// docs/contract.md.
/// R's key has as many words as Philox's (2) or Threefry's (4). The engine has no number, so Generator and fill() do
/// not take it.
/// block() is not constexpr, because R's function is not.
template <class R>
struct From123 : rng::detail::FourWordEngine<detail::word123<R>, static_cast<int>(R::ukey_type::static_size)> {
    static_assert(R::ctr_type::static_size == 4, "From123: streams need counters of four words");
    using base = rng::detail::FourWordEngine<detail::word123<R>, static_cast<int>(R::ukey_type::static_size)>;
    using typename base::counter_type, typename base::key_type;
    using algorithm = From123;

    /// Returns the block of a counter and a key, by R's function.
    [[nodiscard]] RNG_FN static counter_type block(const counter_type& counter, const key_type& key) {
        const auto c = detail::copy_words<typename R::ctr_type>(counter);
        const auto k = detail::copy_words<typename R::ukey_type>(key);
        return detail::copy_words<counter_type>(R{}(c, typename R::key_type(k)));
    }
};

/// An engine of this library (or any type with word, counter_type, key_type and block()) as a CBRNG for r123::Engine,
/// r123::MicroURNG and r123::ReinterpretCtr.
template <class E> struct To123 {
    using ctr_type = typename detail::Array123<typename E::word, E::counter_type::size()>::type;
    using key_type = typename detail::Array123<typename E::word, E::key_type::size()>::type;
    using ukey_type = key_type;

    /// Returns the block of a counter and a key, by the engine's function.
    [[nodiscard]] RNG_FN ctr_type operator()(const ctr_type& counter, const key_type& key) const {
        const auto c = detail::copy_words<typename E::counter_type>(counter);
        const auto k = detail::copy_words<typename E::key_type>(key);
        return detail::copy_words<ctr_type>(E::block(c, k));
    }
};

}  // namespace interop
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
