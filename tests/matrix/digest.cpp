// Prints a digest of every golden, recomputed: by default from the headers alone (at()), with RNG_MATRIX_LIBRARY by the
// bulk fills of the compiled library. run.py builds it with many compilers and flags and compares the lines.
//
// A line is "distribution dtype (parameters) seed id position n digest"; "catalogue distribution dtype" lines list what
// must have a golden. The file needs nothing beyond the headers, so that a bare compiler is enough.
#include <rng/core/stream.hpp>
#include <rng/dist/catalogue.hpp>
#include <rng/lane/map.hpp>
#if defined(RNG_MATRIX_LIBRARY)
#include <rng/fill.hpp>
#endif

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace {

struct Golden {
    const char* distribution;
    const char* dtype;
    double parameters[4];
    int parameter_count;
    std::uint64_t seed, id, position, n, digest;
};

constexpr Golden goldens[] = {
#include "../../src/goldens.inc"
};

template <class T>
std::uint64_t fnv1a(const std::vector<T>& values) {
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    std::uint64_t h = 0xcbf29ce484222325u;
    for (const T& value : values) {
        Bits bits;
        std::memcpy(&bits, &value, sizeof bits);
        for (unsigned byte = 0; byte < sizeof bits; ++byte) {
            h = (h ^ ((bits >> (8 * byte)) & 0xff)) * 0x100000001b3u;
        }
    }
    return h;
}

template <class D>
std::vector<rng::result_t<D>> values(const rng::Stream<>& stream, const D& dist, std::size_t n) {
    std::vector<rng::result_t<D>> result(n);
#if defined(RNG_MATRIX_LIBRARY)
    rng::fill(std::span<rng::result_t<D>>(result), dist, stream);
#else
    for (std::size_t i = 0; i < n; ++i) {
        result[i] = rng::at(stream, dist, i);
    }
#endif
    return result;
}

template <class D>
void recompute(const Golden& golden) {
    D dist{};
    int used = 0;
    for (const auto& field : D::fields()) {
        auto& parameter = dist.*(field.member);
        parameter = static_cast<std::remove_reference_t<decltype(parameter)>>(golden.parameters[used++]);
    }
    std::printf("%s %s (", golden.distribution, golden.dtype);
    for (int k = 0; k < golden.parameter_count; ++k) {
        std::printf(k == 0 ? "%a" : " %a", golden.parameters[k]);
    }
    std::printf(") %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n", golden.seed, golden.id,
                golden.position, golden.n,
                fnv1a(values(rng::Stream<>{golden.seed, golden.id, golden.position}, dist,
                             static_cast<std::size_t>(golden.n))));
}

}  // namespace

int main() {
    rng::for_each_distribution([](auto tag) {
        using D = typename decltype(tag)::type;
        const char* dtype = rng::dtype_name<rng::result_t<D>>();
        std::printf("catalogue %s %s\n", D::name, dtype);
        for (const Golden& golden : goldens) {
            if (std::strcmp(golden.distribution, D::name) == 0 && std::strcmp(golden.dtype, dtype) == 0) {
                recompute<D>(golden);
            }
        }
    });
    return std::ferror(stdout) ? 1 : 0;
}
