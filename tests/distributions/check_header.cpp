// The goldens of the distributions of one header, recomputed from the headers alone: what one compiles and runs again
// and again while that header is written. `cmake --build build/dev --target check_gamma` builds and runs it for
// gamma.hpp; the library is not built.
#include RNG_HEADER
#include <rng/at.hpp>
#include <rng/distributions/list.hpp>
#include <rng/lane/scalar.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

#include "../../src/verify/golden.hpp"

namespace {

int checked = 0, wrong = 0;

void check(const rng_goldens::Golden& golden, const char* call, uint64_t digest) {
    ++checked;
    if (digest == golden.digest) return;
    ++wrong;
    std::printf("%s of %s<%s>, seed %llu, position %llu: the digest is %016llx, the model's %016llx\n", call,
                golden.distribution, golden.dtype, static_cast<unsigned long long>(golden.seed),
                static_cast<unsigned long long>(golden.position), static_cast<unsigned long long>(digest),
                static_cast<unsigned long long>(golden.digest));
}

/// By at(), with this processor's fma and with that of libm, and by Cursor.
template <class D> void check_golden(const rng_goldens::Golden& golden) {
    const D dist = rng_goldens::distribution_of<D>(golden);
    const rng::Stream<> stream(golden.seed, golden.id, golden.position);
    std::vector<rng::result_t<D>> values(golden.n);
    for (size_t i = 0; i < values.size(); ++i) values[i] = rng::at(stream, dist, i);
    check(golden, "at()", rng_goldens::digest_of(values.data(), golden.n));

    constexpr uint64_t slot = D::slot_words;
    const uint64_t first = rng::detail::round_up(stream.position, slot);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = rng::detail::value_at_word<D, rng::lane::Scalar>(stream, dist.map(), first + i * slot);
    check(golden, "at() with libm's fma", rng_goldens::digest_of(values.data(), golden.n));

    rng::Cursor<D> cursor(stream, dist);
    for (auto& value : values) value = cursor.next();
    check(golden, "Cursor", rng_goldens::digest_of(values.data(), golden.n));
}

/// A distribution of another header is only declared.
template <class D> void check_distribution() {
    if constexpr (requires { sizeof(D); })
        for (const rng_goldens::Golden& golden : rng_goldens::short_goldens)
            if (rng_goldens::is_of<D>(golden) && std::strcmp(golden.engine, rng::Philox4x32_10::name) == 0)
                check_golden<D>(golden);
}
template <class... D> void check_all(rng::type_list<D...>) { (check_distribution<D>(), ...); }

}  // namespace

int main() {
    check_all(rng::catalogue{});
    std::printf("%d goldens of %s: %d wrong\n", checked, RNG_HEADER, wrong);
    return checked > 0 && wrong == 0 ? 0 : 1;
}
