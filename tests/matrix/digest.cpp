// Prints a digest of every golden, recomputed. By default it uses only the headers (at()).
// With RNG_MATRIX_LIBRARY it uses the bulk fills of the compiled library.
// run.py builds this program with many compilers and flags and compares the lines.
// RNG_MATRIX_QUICK leaves out most of the engines that are not the default one: each keeps one distribution of every
// shape. RNG_MATRIX_COMPILER=k RNG_MATRIX_COMPILERS=n is the share of compiler k of n in that: half of the catalogue on
// the default engine (support/halves.hpp), and every n-th pair of another engine and a shape.
// RNG_MATRIX_NO_CATALOGUE leaves all of the catalogue out; the lines of the model's own answers remain.
//
// A line is "engine distribution dtype (parameters) seed id position n digest"; "catalogue engine distribution dtype"
// lines list what must have a golden; "left-out" is before a golden that was not recomputed. "prepared distribution
// dtype digest" is of numbers that maps prepare. The library adds "svd_lowrank element case digest", and whether that
// is equal. The file needs nothing beyond the headers, so that a
// bare compiler is enough.
#include <rng/at.hpp>
#include <rng/distributions/piecewise.hpp>
#if defined(RNG_MATRIX_LIBRARY)
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>

#include "../../src/verify/svd_cases.hpp"
#endif

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <type_traits>
#include <vector>

#include "../../src/verify/goldens.hpp"
#include "../support/halves.hpp"
#include "../support/piece_lists.hpp"
#include "row_digests.hpp"

namespace {

template <class E, class D>
std::vector<rng::result_t<D>> values(const rng::Stream<E>& stream, const D& dist, std::size_t n) {
    std::vector<rng::result_t<D>> result(n);
#if defined(RNG_MATRIX_LIBRARY)
    rng::fill(result, dist, stream);
#else
    for (std::size_t i = 0; i < n; ++i) {
        result[i] = rng::at(stream, dist, i);
#if RNG_FMA_BY_PROCESSOR
        // at() has taken the processor's fma; every other value is made with the fma of libm.
        const std::uint64_t slot = D::slot_words, word = rng::detail::round_up(stream.position, slot) + i * slot;
        if (i % 2 == 1)
            result[i] = rng::detail::over_lane<rng::lane::Scalar>(
                [&]<class L>(rng::type_tag<L>) { return rng::detail::value_at_word<D, L>(stream, dist.map(), word); });
#endif
    }
#endif
    return result;
}

#if defined(RNG_MATRIX_QUICK)
constexpr bool quick = true;
#else
constexpr bool quick = false;
#endif

template <class... D> struct Shapes {
    explicit constexpr Shapes(rng::type_list<D...>) {}
    static constexpr rng::Shape all[] = {D::map_shape...};
};
/// Returns true if no distribution before D in the catalogue has its shape.
template <class D> constexpr bool first_of_its_shape() {
    for (int i = 0; i < rng::catalogue_index<D>; ++i)
        if (decltype(Shapes(rng::catalogue{}))::all[i] == D::map_shape) return false;
    return true;
}

#if !defined(RNG_MATRIX_COMPILERS)
#define RNG_MATRIX_COMPILER 0
#define RNG_MATRIX_COMPILERS 1
#endif

/// Returns true if this program recomputes the goldens of E and D.
template <class E, class D> constexpr bool is_taken() {
    constexpr int compiler = RNG_MATRIX_COMPILER, compilers = RNG_MATRIX_COMPILERS;
    constexpr bool is_default = std::is_same_v<E, rng::Philox4x32_10>;
    if (!quick) return true;
    if (!is_default && !first_of_its_shape<D>()) return false;
    if (compilers == 1) return true;
    if (is_default) return support::half_of<rng::catalogue_index<D>> == compiler % 2;
    return (static_cast<int>(E::number) + static_cast<int>(D::map_shape)) % compilers == compiler;
}

/// Digests of the numbers that maps prepare, for 256 parameters that the model has too (known_answers.py).
template <class T> void print_prepared() {
    std::vector<T> gamma, von_mises, truncated;
    for (int k = 0; k < 256; ++k) {
        T x = static_cast<T>(256 + k) / 256;
        for (int e = k % 20 - 12; e != 0; e -= e > 0 ? 1 : -1) x *= e > 0 ? T(2) : T(0.5);
        const auto trial = rng::detail::GammaTrial<T>::of(x);
        const auto circular = rng::von_mises<T>{0, x}.map();
        const T lo = k % 3 == 0 ? -x : x;
        const auto bounded = rng::truncated_normal<T>{0, 1, lo, lo + static_cast<T>(k + 1) / 32}.map();
        gamma.insert(gamma.end(), {trial.d, trial.three_d, trial.c, trial.minus_inverse});
        von_mises.insert(von_mises.end(), {circular.narrowing, circular.least});
        truncated.insert(truncated.end(), {bounded.from, bounded.width, bounded.mean_step, bounded.least_bar});
    }
    const auto print = [](const char* name, const std::vector<T>& numbers) {
        std::printf("prepared %s %s %016" PRIx64 "\n", name, rng::dtype_name<T>(),
                    rng_goldens::digest_of(numbers.data(), numbers.size()));
    };
    print("gamma", gamma);
    print("von_mises", von_mises);
    print("truncated_normal", truncated);
}

/// Digests of the piecewise laws whose lists the model has too.
template <class T> void print_piecewise() {
    const auto print = [](int lists, const auto& dist) {
        const std::vector<T> numbers = values(rng::Stream<>(42), dist, 512);
        std::printf("piecewise %s %s %d %016" PRIx64 "\n", dist.name, rng::dtype_name<T>(), lists,
                    rng_goldens::digest_of(numbers.data(), numbers.size()));
    };
    int k = 0;
    for (const auto& lists : support::piece_lists<T>()) {
        print(k, rng::piecewise_constant(lists.boundaries, lists.heights));
        print(k, rng::piecewise_linear(lists.boundaries, lists.tops));
        ++k;
    }
}

}  // namespace

int main() {
#if !defined(RNG_MATRIX_NO_CATALOGUE)
    rng::for_each_engine([](auto engine) {
        rng::for_each_distribution([&](auto tag) {
            using D = typename decltype(tag)::type;
            std::printf("catalogue %s %s %s\n", decltype(engine)::type::name, D::name,
                        rng::dtype_name<rng::result_t<D>>());
        });
    });
    for (const rng_goldens::Golden& golden : rng_goldens::short_goldens) {
        rng_goldens::visit_golden(golden, [&]<class E, class D>(const rng::Stream<E>& stream, const D& dist) {
            constexpr bool is_in = is_taken<E, D>();
            if constexpr (!is_in) std::printf("left-out ");
            std::printf("%s %s %s (", golden.engine, golden.distribution, golden.dtype);
            for (int k = 0; k < 4 && golden.parameters[k] != nullptr; ++k) {
                std::printf(k == 0 ? "%s" : " %s", golden.parameters[k]);
            }
            uint64_t digest = golden.digest;
            if constexpr (is_in)
                digest =
                    rng_goldens::digest_of(values(stream, dist, static_cast<std::size_t>(golden.n)).data(), golden.n);
            std::printf(") %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n", golden.seed, golden.id,
                        golden.position, golden.n, digest);
        });
    }
#endif
    print_prepared<float>();
    print_prepared<double>();
    print_piecewise<float>();
    print_piecewise<double>();
    row_digests::print_all();
#if defined(RNG_MATRIX_LIBRARY)
    for (const auto& one : rng::detail::svd_cases()) {
        const uint64_t digest = rng::detail::run_svd_case(one).digest;
        std::printf("svd_lowrank %s %s %016" PRIx64 " %s\n", one.dtype, rng::detail::to_string(one).c_str(), digest,
                    digest == one.digest ? "equal" : "DIFFERENT");
    }
#endif
    return std::ferror(stdout) ? 1 : 0;
}
