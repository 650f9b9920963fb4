// What the programs that run translated kernels of fills share: arguments, and values compared by their bits.
#pragma once

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
