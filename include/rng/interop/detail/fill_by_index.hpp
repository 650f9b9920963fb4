// fill_by_index: a fill whose values are a function of their numbers alone, for other libraries' orders and words.
#pragma once

#include <span>

#include <rng/detail/fill_request.hpp>

#include <rng/core/hide_macros.inc>

RNG_BEGIN_NAMESPACE

namespace detail {

/// Writes value_of(i) to out[i], on the library's threads.
template <class T, class F> void fill_by_index(std::span<T> out, const F& value_of) {
    struct Job {
        T* out;
        const F& value_of;
    } job{out.data(), value_of};
    constexpr size_t least = 4096;  // the least number of values worth a thread: some 30 microseconds of work
    run_in_chunks(
        out.size(), out.size() / least,
        [](void* context, size_t from, size_t to) {
            const Job& its = *static_cast<const Job*>(context);
            for (size_t i = from; i < to; ++i) its.out[i] = its.value_of(i);
        },
        &job);
}

}  // namespace detail

RNG_END_NAMESPACE

#include <rng/core/restore_macros.inc>
