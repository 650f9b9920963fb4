// The goldens: digests of fills that any implementation of docs/contract.md reproduces.
//
// Short goldens come from the Python model (tests/reference). Long ones come from the scalar code, after it agreed with
// the short ones.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <rng/core/stream.hpp>

#include "digest_of.hpp"

namespace rng_goldens {

struct Golden {
    const char* engine;
    const char* distribution;
    const char* dtype;
    const char* parameters[4];  ///< as C reads them, in the order of fields(); then null
    uint64_t seed, id, position, n;
    uint64_t digest;  ///< FNV-1a 64 of the values' little-endian bytes
};

inline constexpr Golden short_goldens[] = {
#include "goldens.inc"
};
inline constexpr Golden long_goldens[] = {
#include "goldens_long.inc"
};

template <class T> void read_parameter(const char* text, T& value) {
    if constexpr (T(1) / 2 != 0)
        value = static_cast<T>(std::strtod(text, nullptr));
    else if constexpr (T(0) > T(-1))
        value = static_cast<T>(std::strtoll(text, nullptr, 10));
    else
        value = static_cast<T>(std::strtoull(text, nullptr, 10));
}

/// Returns true if the golden has values of D.
template <class D> bool is_of(const Golden& g) {
    return std::strcmp(g.distribution, D::name) == 0 && std::strcmp(g.dtype, rng::dtype_name<rng::result_t<D>>()) == 0;
}
/// Returns the golden's distribution, which is a D.
template <class D> D distribution_of(const Golden& g) {
    D dist{};
    int i = 0;
    D::fields().each([&](const auto& field) { read_parameter(g.parameters[i++], dist.*field.member); });
    return dist;
}

}  // namespace rng_goldens
