// What the programs that run translated kernels share: arguments, values that kernels write, and values compared by
// their bits.
#pragma once

#include <rng/core/distribution.hpp>
#include <rng/core/stream.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "ptx_library.hpp"

namespace parity {

/// The argument of a fill's kernel, which is aligned as its members ask for.
template <class F> struct FillArguments : F {
    using F::F;
    static constexpr std::uint32_t parameter_bytes = sizeof(F);
};

/// The arguments of a kernel of single values, laid out as in PTX.
template <class E, class D> struct Arguments {
    rng::Stream<E> stream;
    D dist;
    std::uint64_t first;
    std::uint32_t n;
    rng::result_t<D>* out;
    static const std::uint32_t parameter_bytes;
};
template <class E, class D>
const std::uint32_t Arguments<E, D>::parameter_bytes = offsetof(Arguments, out) + sizeof(void*);

/// The bytes of a value as a hexadecimal number, the first byte last.
template <class T> std::string bits_of(const T& value) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    std::string text;
    for (std::size_t i = sizeof(T); i-- > 0;) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
        text += digits;
    }
    return text;
}

template <class T> bool same_bits(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; }

/// Values from `n` threads of a kernel, into a buffer whose end shows any write past it.
template <class Args, class T>
std::vector<T> from_ptx(const Library& library, const std::string& prefix, Args arguments, T* Args::*out) {
    std::vector<T> values(std::size_t{arguments.n} + 1);
    std::memset(values.data(), 0xa5, values.size() * sizeof(T));
    const T canary = values.back();
    arguments.*out = values.data();
    library.run(prefix, arguments);
    if (!same_bits(values.back(), canary)) fail(library.name + ": " + prefix + " writes past its end");
    values.pop_back();
    return values;
}

template <class T, class Describe>
void compare(Library& library, const std::vector<T>& host, const std::vector<T>& ptx, Describe where) {
    library.compared += host.size();
    for (std::size_t t = 0; t < host.size(); ++t) {
        if (same_bits(host[t], ptx[t])) continue;
        if (library.mismatches++ < 10)
            std::printf("%s: %s: host %s, PTX %s\n", library.name.c_str(), where(t).c_str(), bits_of(host[t]).c_str(),
                        bits_of(ptx[t]).c_str());
    }
}

}  // namespace parity
