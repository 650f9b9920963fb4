// KeyedStream: a stream prepared for a fill on a device. The host computes what all blocks of a domain have in common.
#pragma once

#include "../core/stream.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace detail {

/// The stream of a fill, whose blocks have one domain. For Philox it has the keys of all rounds.
template <class E, unsigned domain> struct KeyedStream : Stream<E> {
    explicit KeyedStream(const Stream<E>& s) : Stream<E>(s) {}
};
template <class E, unsigned domain>
requires requires { typename E::schedule_type; }
struct KeyedStream<E, domain> : Stream<E> {
    explicit KeyedStream(const Stream<E>& s) : Stream<E>(s), schedule(E::schedule(s.key)) {
        if constexpr (in_key) schedule[0] ^= E::counter(0, domain, 0)[1];
    }
    [[nodiscard]] RNG_FN typename E::counter_type block(uint64_t b, unsigned) const {
        return E::scheduled_block(E::counter(b, in_key ? 0 : domain, this->id), schedule);
    }

  private:
    // The counter word that has the domain is only xored with the first round's key, so the domain can go into the key.
    static constexpr bool in_key = sizeof(typename E::word) == 4;
    typename E::schedule_type schedule;
};

}  // namespace detail
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
