// Runs the kernels of thrust_kernels.cu, translated from PTX (run.py), against at() and the words of streams on this
// machine. Exit code 0: no bit differs. 1: a difference. 2: misuse.
//
//     parity_thrust LIBRARY...
#include <cinttypes>
#include <cstdio>
#include <string>
#include <vector>

#include "ptx_library.hpp"
#include "thrust_values.hpp"

namespace {

using parity::Library;

constexpr std::uint32_t n = 20'011;

/// The arguments of a kernel, laid out as in PTX.
template <class Values, class T> struct Arguments {
    Values values;
    std::uint32_t n;
    T* out;
    static const std::uint32_t parameter_bytes;
};
template <class Values, class T> const std::uint32_t Arguments<Values, T>::parameter_bytes = sizeof(Arguments);

/// Compares element t of a kernel's result with expected(t).
template <class T, class Values, class Expected>
void compare(Library& library, const std::string& kernel, const Values& values, const Expected& expected) {
    std::vector<T> out(n + 1, T{77});
    const Arguments<Values, T> arguments{values, n, out.data()};
    library.run("_Z" + std::to_string(kernel.size()) + kernel, arguments);
    if (out.back() != T{77}) parity::fail(library.name + ": " + kernel + " writes past its end");
    for (std::uint32_t t = 0; t < n; ++t) {
        const T host = expected(t);
        ++library.compared;
        if (std::memcmp(&host, &out[t], sizeof(T)) != 0 && library.mismatches++ < 10)
            std::printf("%s: %s, element %u: host %.17g, PTX %.17g\n", library.name.c_str(), kernel.c_str(), t,
                        static_cast<double>(host), static_cast<double>(out[t]));
    }
}

/// An iterator over values of the distribution, from `first` on.
template <class T, class D, class E>
void compare_values(Library& library, const char* kernel, const rng::Stream<E>& stream, const D& dist,
                    std::uint64_t first) {
    compare<T>(library, kernel, rng::interop::value_iterator(stream, dist, first),
               [&](std::uint32_t t) { return rng::at(stream, dist, first + t); });
}

/// Permutation 3 of the stream: by exchanges and by rounds, with walks.
template <class E> void compare_permutations(Library& library, const char* kernel, const rng::Stream<E>& stream) {
    for (const std::uint64_t size : {uint64_t{1}, uint64_t{70}, uint64_t{2049}, (uint64_t{1} << 45) + 1}) {
        const parity::Permuted<E> values{rng::permutation{size}.of(stream, 3)};
        compare<std::uint64_t>(library, kernel, values, [&](std::uint32_t t) { return values[t]; });
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) parity::fail("usage: parity_thrust LIBRARY...");
    bool sound = true;
    for (int i = 1; i < argc; ++i) {
        Library library(argv[i]);
        const rng::Stream<> stream(0x123456789abcdef0, 3, 5);
        for (const std::uint64_t first : {std::uint64_t{0}, (std::uint64_t{1} << 34) - n / 2}) {
            compare_values<float>(library, "pairs", stream, rng::normal{1.0f, 2.5f}, first);
            compare_values<double>(library, "long_words", rng::Stream<rng::Threefry4x64_20>(42, 7, 3),
                                   rng::normal{-1.0, 0.5}, first);
            compare_values<int>(library, "samples", stream, rng::uniform_int<int>{-5, 2'000'000'000}, first);
        }
        compare<uint32_t>(library, "words", parity::Words{stream},
                          [&](std::uint32_t t) { return rng::word(stream, 4 * uint64_t{t} + 3); });
        compare_permutations(library, "permuted", stream);
        compare_permutations(library, "permuted_wide", rng::Stream<rng::Threefry4x64_20>(42, 7, 3));
        std::printf("%s: %" PRIu64 " values compared, %" PRIu64 " mismatches\n", library.name.c_str(), library.compared,
                    library.mismatches);
        sound = sound && library.mismatches == 0;
    }
    return sound ? 0 : 1;
}
