// The goldens of the distributions of one header, recomputed from the headers alone: what one compiles and runs again
// and again while that header is written. `cmake --build build/dev --target check_gamma` builds and runs it for
// gamma.hpp; the library is not built. `build/dev/tests/distributions/goldens_of_gamma --long` prints the rows of
// src/verify/goldens_long.inc once these goldens are right: digests of 2^20 + 3 values at the odd positions.
#include RNG_HEADER
#include <rng/at.hpp>
#include <rng/distributions/list.hpp>
#include <rng/lane/scalar.hpp>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <vector>

#include "../../src/verify/golden.hpp"

namespace {

int checked = 0, wrong = 0;
constexpr uint64_t long_size = (1u << 20) + 3;

void check(const rng_goldens::Golden& golden, const char* call, uint64_t digest) {
    ++checked;
    if (digest == golden.digest) return;
    ++wrong;
    std::printf("%s of %s<%s>, seed %llu, position %llu: the digest is %016llx, the model's %016llx\n", call,
                golden.distribution, golden.dtype, static_cast<unsigned long long>(golden.seed),
                static_cast<unsigned long long>(golden.position), static_cast<unsigned long long>(digest),
                static_cast<unsigned long long>(golden.digest));
}

template <class D, class E> uint64_t digest_by_at(const rng::Stream<E>& stream, const D& dist, uint64_t n) {
    std::vector<rng::result_t<D>> values(n);
    for (size_t i = 0; i < values.size(); ++i) values[i] = rng::at(stream, dist, i);
    return rng_goldens::digest_of(values.data(), n);
}

template <class D, class E> void print_long(const rng_goldens::Golden& g) {
    const D dist = rng_goldens::distribution_of<D>(g);
    const rng::Stream<E> stream(g.seed, g.id, g.position);
    std::printf("{\"%s\", \"%s\", \"%s\", {", g.engine, g.distribution, g.dtype);
    for (int i = 0; i < 4 && g.parameters[i]; ++i) std::printf("%s\"%s\"", i ? ", " : "", g.parameters[i]);
    std::printf("}, %#" PRIx64 ", %#" PRIx64 ", %" PRIu64 ", %" PRIu64 ", %#" PRIx64 "},\n", g.seed, g.id, g.position,
                long_size, digest_by_at(stream, dist, long_size));
}
/// Maps do not know the engine: the rows are those of the default one, and for bits of all.
template <class D, class... E> void print_rows(rng::type_list<E...>) {
    for (const rng_goldens::Golden& golden : rng_goldens::short_goldens)
        if (rng_goldens::is_of<D>(golden) && golden.position > 0 && golden.position >> 32 == 0)
            (void)((std::strcmp(golden.engine, E::name) == 0 && (print_long<D, E>(golden), true)) || ...);
}

/// By at(), with this processor's fma and with that of libm, and by Cursor.
template <class D> void check_golden(const rng_goldens::Golden& golden) {
    const D dist = rng_goldens::distribution_of<D>(golden);
    const rng::Stream<> stream(golden.seed, golden.id, golden.position);
    std::vector<rng::result_t<D>> values(golden.n);
    check(golden, "at()", digest_by_at(stream, dist, golden.n));

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
template <class D> void print_distribution() {
    using Engines = std::conditional_t<std::is_same_v<D, rng::bits<uint32_t>> || std::is_same_v<D, rng::bits<uint64_t>>,
                                       rng::engines, rng::type_list<rng::Philox4x32_10>>;
    if constexpr (requires { sizeof(D); }) print_rows<D>(Engines{});
}
template <class... D> void check_all(rng::type_list<D...>) { (check_distribution<D>(), ...); }
template <class... D> void print_all(rng::type_list<D...>) { (print_distribution<D>(), ...); }

}  // namespace

int main(int argc, char** argv) {
    check_all(rng::catalogue{});
    const bool is_right = checked > 0 && wrong == 0;
    if (argc == 2 && std::strcmp(argv[1], "--long") == 0 && is_right)
        print_all(rng::catalogue{});
    else
        std::printf("%d goldens of %s: %d wrong\n", checked, RNG_HEADER, wrong);
    return is_right ? 0 : 1;
}
