// A stream of an engine chosen at run time.
#pragma once

#include "../core/config.hpp"
#include "../core/stream.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// A stream of an engine chosen at run time.
struct StreamRecord {
    Engine engine;
    uint64_t key[4];
    uint64_t id;
    uint64_t position;
};

template <class E> [[nodiscard]] StreamRecord record(const Stream<E>& s) {
    StreamRecord r{E::number, {}, s.id, s.position};
    for (int i = 0; i < s.key.size(); ++i) r.key[i] = s.key[i];
    return r;
}

template <class E> [[nodiscard]] Stream<E> stream_of(const StreamRecord& r) {
    typename E::key_type key;
    for (int i = 0; i < key.size(); ++i) key[i] = static_cast<typename E::word>(r.key[i]);
    return {key, r.id, r.position};
}

[[noreturn]] RNG_API void throw_wrong_engine(const char* call, Engine have, Engine wanted);

class DefaultGenerators;

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
