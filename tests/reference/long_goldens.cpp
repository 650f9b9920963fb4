// Prints src/goldens_long.inc: digests of 2^20 + 3 values of the rows of src/goldens.inc at odd positions, from the headers' scalar code.
//
// Run it only once that code agrees with the Python model on src/goldens.inc (this program checks, and refuses
// otherwise). From the root:
//     g++ -std=c++20 -O2 -Iinclude -Isrc tests/reference/long_goldens.cpp -o long_goldens && ./long_goldens
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string_view>

#include <rng/dist/catalogue.hpp>
#include <rng/lane/map.hpp>

struct Golden {
    const char* name;
    const char* dtype;
    double parameters[4];
    int parameter_count;
    uint64_t seed, id, position, n, digest;
};

static constexpr Golden goldens[] = {
#include "goldens.inc"
};

template <class D>
uint64_t digest(const Golden& g, uint64_t n) {
    D dist{};
    if constexpr (D::fields().size() > 0) {
        int i = 0;
        for (const auto& field : D::fields()) dist.*field.member = static_cast<rng::result_t<D>>(g.parameters[i++]);
    }
    const rng::Stream<> stream(g.seed, g.id, g.position);
    uint64_t h = 0xcbf29ce484222325u;
    for (uint64_t i = 0; i < n; ++i) {
        const auto value = rng::at(stream, dist, i);
        unsigned char bytes[sizeof value];  // little-endian machines only; the digest is of little-endian bytes
        std::memcpy(bytes, &value, sizeof value);
        for (const unsigned char b : bytes) h = (h ^ b) * 0x100000001b3u;
    }
    return h;
}

int main() {
    constexpr uint64_t n = (1u << 20) + 3;
    int wrong = 0;
    std::printf("// Written by tests/reference/long_goldens.cpp once the scalar code agreed with the Python model. Do not edit.\n"
                "// The columns are those of goldens.inc.\n");
    for (const Golden& g : goldens)
        rng::for_each_distribution([&](auto tag) {
            using D = typename decltype(tag)::type;
            if (std::string_view(g.name) != D::name || std::string_view(g.dtype) != rng::dtype_name<rng::result_t<D>>())
                return;
            if (digest<D>(g, g.n) != g.digest) {
                std::fprintf(stderr, "long_goldens: %s %s differs from the Python model\n", g.name, g.dtype);
                ++wrong;
                return;
            }
            if (g.position == 0 || g.position >> 32) return;  // odd positions are the harder ones
            std::printf("{\"%s\", \"%s\", {", g.name, g.dtype);
            for (int i = 0; i < g.parameter_count; ++i) std::printf("%s%a", i ? ", " : "", g.parameters[i]);
            std::printf("}, %d, %#" PRIx64 ", %#" PRIx64 ", %" PRIu64 ", %" PRIu64 ", %#" PRIx64 "},\n", g.parameter_count,
                        g.seed, g.id, g.position, n, digest<D>(g, n));
        });
    return wrong == 0 ? 0 : 1;
}
