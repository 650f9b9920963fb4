// Prints src/verify/goldens_long.inc: digests of 2^20 + 3 values of the rows of src/verify/goldens.inc at odd
// positions, from the headers' scalar code.
//
// Run it only once that code agrees with the Python model on src/verify/goldens.inc (this program checks, and refuses
// otherwise). From the root:
//     g++ -std=c++20 -O2 -Iinclude -Isrc tests/reference/long_goldens.cpp -o long_goldens && ./long_goldens
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <vector>

#include <rng/at.hpp>

#include "verify/goldens.hpp"

template <class E, class D> static uint64_t digest(const rng::Stream<E>& stream, const D& dist, uint64_t n) {
    std::vector<rng::result_t<D>> values;
    for (uint64_t i = 0; i < n; ++i) values.push_back(rng::at(stream, dist, i));
    return rng_goldens::digest_of(values.data(), n);
}

int main() {
    constexpr uint64_t n = (1u << 20) + 3;
    int wrong = 0;
    std::printf(
        "// Written by tests/reference/long_goldens.cpp once the scalar code agreed with the Python model. Do not "
        "edit.\n"
        "// The columns are those of goldens.inc.\n");
    for (const rng_goldens::Golden& g : rng_goldens::short_goldens) {
        const bool known = rng_goldens::visit_golden(g, [&](const auto& stream, const auto& dist) {
            if (digest(stream, dist, g.n) != g.digest) {
                std::fprintf(stderr, "long_goldens: %s %s of %s differs from the Python model\n", g.distribution,
                             g.dtype, g.engine);
                ++wrong;
                return;
            }
            if (g.position == 0 || g.position >> 32) return;  // odd positions are the harder ones
            const bool is_default = std::strcmp(g.engine, rng::Philox4x32_10::name) == 0;
            if (!is_default && std::strcmp(g.distribution, "bits") != 0) return;  // maps do not know the engine
            std::printf("{\"%s\", \"%s\", \"%s\", {", g.engine, g.distribution, g.dtype);
            for (int i = 0; i < 4 && g.parameters[i]; ++i) std::printf("%s\"%s\"", i ? ", " : "", g.parameters[i]);
            std::printf("}, %#" PRIx64 ", %#" PRIx64 ", %" PRIu64 ", %" PRIu64 ", %#" PRIx64 "},\n", g.seed, g.id,
                        g.position, n, digest(stream, dist, n));
        });
        if (!known) {
            std::fprintf(stderr, "long_goldens: no %s %s of %s here\n", g.distribution, g.dtype, g.engine);
            ++wrong;
        }
    }
    return wrong == 0 ? 0 : 1;
}
