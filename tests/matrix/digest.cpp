// Prints a digest of every golden, recomputed: by default from the headers alone (at()), with RNG_MATRIX_LIBRARY by the
// bulk fills of the compiled library. run.py builds it with many compilers and flags and compares the lines.
//
// A line is "engine distribution dtype (parameters) seed id position n digest"; "catalogue engine distribution dtype"
// lines list what must have a golden. The library adds "svd_lowrank element case digest", and whether that is equal.
// The file needs nothing beyond the headers, so that a bare compiler is enough.
#include <rng/lane/map.hpp>
#if defined(RNG_MATRIX_LIBRARY)
#include <rng/fill.hpp>

#include "../../src/linalg/svd_cases.hpp"
#endif

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "../../src/goldens.hpp"

namespace {

template <class E, class D>
std::vector<rng::result_t<D>> values(const rng::Stream<E>& stream, const D& dist, std::size_t n) {
    std::vector<rng::result_t<D>> result(n);
#if defined(RNG_MATRIX_LIBRARY)
    rng::fill(result, dist, stream);
#else
    for (std::size_t i = 0; i < n; ++i) {
        result[i] = rng::at(stream, dist, i);
    }
#endif
    return result;
}

}  // namespace

int main() {
    rng::for_each_engine([](auto engine) {
        rng::for_each_distribution([&](auto tag) {
            using D = typename decltype(tag)::type;
            std::printf("catalogue %s %s %s\n", decltype(engine)::type::name, D::name,
                        rng::dtype_name<rng::result_t<D>>());
        });
    });
    for (const rng_goldens::Golden& golden : rng_goldens::short_goldens) {
        rng_goldens::visit_golden(golden, [&](const auto& stream, const auto& dist) {
            std::printf("%s %s %s (", golden.engine, golden.distribution, golden.dtype);
            for (int k = 0; k < 4 && golden.parameters[k] != nullptr; ++k) {
                std::printf(k == 0 ? "%s" : " %s", golden.parameters[k]);
            }
            std::printf(
                ") %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n", golden.seed, golden.id,
                golden.position, golden.n,
                rng_goldens::digest_of(values(stream, dist, static_cast<std::size_t>(golden.n)).data(), golden.n));
        });
    }
#if defined(RNG_MATRIX_LIBRARY)
    for (const auto& one : rng::detail::svd_cases()) {
        const uint64_t digest = rng::detail::run_svd_case(one).digest;
        std::printf("svd_lowrank %s %s %016" PRIx64 " %s\n", one.dtype, rng::detail::to_string(one).c_str(), digest,
                    digest == one.digest ? "equal" : "DIFFERENT");
    }
#endif
    return std::ferror(stdout) ? 1 : 0;
}
