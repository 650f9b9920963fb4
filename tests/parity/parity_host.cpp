// Runs kernels translated from PTX (shared libraries made by run.py) against at() compiled for this machine.
//
//     parity_host [--values N] [--only NAME] LIBRARY...
//
// Each distribution is compared over N values (default 2^16) of streams at awkward places.
// It is also compared over a table of edge words and over many parameters. Its goldens are recomputed from the
// translated kernels.
// Exit code 0: no bit differs, no flush to zero changed an instruction's result, and no subnormal number was made.
// 1: a difference. 2: misuse.
#include <rng/distributions/catalogue.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "../../src/verify/goldens.hpp"
#include "../../src/verify/verify_at.hpp"
#include "comparison.hpp"
#include "inputs.hpp"
#include "parameter_sets.hpp"
#include "ptx_library.hpp"
#include "table_engine.hpp"
#include "table_loops.hpp"

namespace {

using parity::Arguments;
using parity::compare;
using parity::fail;
using parity::FillArguments;
using parity::from_ptx;
using parity::Library;
using parity::Place;
using parity::places;
using parity::same_bits;

struct ForkArguments {
    rng::Stream<> stream;
    std::uint64_t first;
    std::uint32_t n;
    std::uint32_t* out;
    static constexpr std::uint32_t parameter_bytes = 24 + 8 + 8 + 8;
};

template <class D> std::string describe(const D& dist) {
    std::string text = std::string(D::name) + "<" + rng::dtype_name<rng::result_t<D>>() + ">{";
    D::fields().each([&](const auto& field) {
        char value[64];
        std::snprintf(value, sizeof value, "%s%s %a", text.back() == '{' ? "" : ", ", field.name,
                      static_cast<double>(dist.*(field.member)));
        text += value;
    });
    return text + "}";
}

/// Values [first, first + n) by the host, in loops without types.
template <class E, class D>
std::vector<rng::result_t<D>> by_host(const rng::Stream<E>& stream, const D& dist, std::uint64_t first,
                                      std::uint32_t n) {
    std::vector<rng::result_t<D>> values(n);
    if constexpr (std::is_same_v<E, rng::Philox4x32_10>) {
        constexpr std::uint64_t slot = D::slot_words;
        const auto from = stream.at_position(rng::detail::round_up(stream.position, slot) + first * slot);
        rng::detail::by_at(rng::catalogue_index<D>)(rng::detail::record(from), &dist, values.data(), n);
    } else {
        parity::table_loop(rng::catalogue_index<D>)(stream, &dist, first, values.data(), n);
    }
    return values;
}

/// Values [first, first + n) by the host and by the kernel of each library that has it.
template <class E, class D>
void compare_values(std::vector<Library>& libraries, const std::string& prefix, const rng::Stream<E>& stream,
                    const D& dist, std::uint64_t first, std::uint32_t n) {
    const auto host = by_host(stream, dist, first, n);
    const Arguments<E, D> arguments{stream, dist, first, n, nullptr};
    for (Library& library : libraries) {
        if (!library.find(prefix)) continue;
        compare(library, host, from_ptx(library, prefix, arguments, &Arguments<E, D>::out), [&](std::size_t t) {
            return prefix + " " + describe(dist) + ", id " + std::to_string(stream.id) + ", position " +
                   std::to_string(stream.position) + ", value " + std::to_string(first + t);
        });
    }
}

template <int I> const std::string fill_name = "_Z11fill_kernelILi" + std::to_string(I) + "E";

/// Returns values [first, first + n) by fill_kernel, on a grid with fewer threads than values.
/// The destination is `offset` values past a multiple of 16; values around it must not change. With an offset the fill
/// is a replay of a graph.
template <int I>
auto filled_by_ptx(Library& library, const rng::Stream<>& stream, const parity::Distribution<I>& dist,
                   std::uint64_t first, std::uint64_t n, std::size_t offset) {
    using D = parity::Distribution<I>;
    using T = rng::result_t<D>;
    constexpr std::size_t guard = 16;
    std::vector<T> memory(2 * guard + n + 1), values(n);
    std::memset(memory.data(), 0xa5, memory.size() * sizeof(T));
    T* const out = memory.data() + guard + offset;
    const std::uint64_t word = rng::detail::round_up(stream.position, D::slot_words) + first * D::slot_words;
    const std::uint64_t replay = 3, before = replay * n * D::slot_words;
    const bool replayed = offset > 0 && word >= before;
    const FillArguments<parity::Fill<I>> arguments(stream, dist.map(), replayed ? word - before : word, out, n,
                                                   replayed ? &replay : nullptr);
    library.replayed += replayed ? n : 0;
    library.run(fill_name<I>, arguments, 64, 5);
    std::memcpy(values.data(), out, n * sizeof(T));
    std::memset(out, 0xa5, n * sizeof(T));
    const auto* bytes = reinterpret_cast<const unsigned char*>(memory.data());
    for (std::size_t i = 0; i < memory.size() * sizeof(T); ++i)
        if (bytes[i] != 0xa5) fail(library.name + ": fill_kernel of " + D::name + " writes outside its destination");
    return values;
}

template <int I> const std::string map_name = "_Z10map_kernelILi" + std::to_string(I) + "E";

/// Returns values [first, first + n) by fill_kernel, or by map_kernel from a library that leaves out this fill.
/// Without a table, TableEngine has the words of Philox.
template <int I>
auto values_by_ptx(Library& library, const rng::Stream<>& stream, const parity::Distribution<I>& dist,
                   std::uint64_t first, std::uint32_t n, std::size_t offset) {
    if (library.find(fill_name<I>)) return filled_by_ptx<I>(library, stream, dist, first, n, offset);
    using Arguments = parity::Arguments<parity::TableEngine, parity::Distribution<I>>;
    const rng::Stream<parity::TableEngine> words{parity::TableKey{nullptr, stream.key}, stream.id, stream.position};
    return from_ptx(library, map_name<I>, Arguments{words, dist, first, n, nullptr}, &Arguments::out);
}

template <int I>
void compare_fills(std::vector<Library>& libraries, const Place& place, const parity::Distribution<I>& dist,
                   std::uint32_t n, std::size_t offset) {
    const auto host = by_host(place.stream, dist, place.first, n);
    for (Library& library : libraries)
        if (library.find(map_name<I>))
            compare(library, host, values_by_ptx<I>(library, place.stream, dist, place.first, n, offset),
                    [&](std::size_t t) {
                        return "fill of " + describe(dist) + ", id " + std::to_string(place.stream.id) + ", position " +
                               std::to_string(place.stream.position) + ", value " + std::to_string(place.first + t);
                    });
}

// A visit of the goldens would be compiled for each engine and each pair of distributions.
template <int I> void compare_goldens(std::vector<Library>& libraries) {
    using D = parity::Distribution<I>;
    for (const rng_goldens::Golden& golden : rng_goldens::short_goldens) {
        if (!rng_goldens::is_of<D>(golden) || std::strcmp(golden.engine, rng::Philox4x32_10::name) != 0) continue;
        const D dist = rng_goldens::distribution_of<D>(golden);
        const rng::Stream<> stream(golden.seed, golden.id, golden.position);
        for (Library& library : libraries) {
            if (!library.find(map_name<I>)) continue;
            const auto values = values_by_ptx<I>(library, stream, dist, 0, static_cast<std::uint32_t>(golden.n), 0);
            ++library.digests;
            if (rng_goldens::digest_of(values.data(), golden.n) == golden.digest) continue;
            ++library.digest_mismatches;
            std::printf("%s: the digest of golden %s is wrong\n", library.name.c_str(), describe(dist).c_str());
        }
    }
}

/// Values of parameters of any bits mean nothing, but kernels end. Their arithmetic is not counted.
template <int I> void expect_ends(std::vector<Library>& libraries) {
    using D = parity::Distribution<I>;
    for (Library& library : libraries) {
        if (!library.find(map_name<I>)) continue;
        const ptx_counts before = *library.counts;
        std::mt19937_64 bits(1);
        for (int k = 0; k < 100; ++k)
            (void)values_by_ptx<I>(library, rng::Stream<>(5), parity::with_any_bits<D>(bits), 0, 2, 0);
        *library.counts = before;
    }
}

template <int I>
void compare_distribution(std::vector<Library>& libraries, const std::vector<std::uint32_t>& table,
                          std::uint32_t values) {
    using D = parity::Distribution<I>;
    constexpr std::uint64_t slot = D::slot_words;
    const std::string& map = map_name<I>;
    const rng::Stream<parity::TableEngine> words{parity::TableKey{table.data(), {}}, 0, 0};
    const std::uint64_t table_values = table.size() / slot;
    const std::uint32_t share = values / 8, few = values / 256;

    const parity::ParameterSets<D> sets(64);
    std::size_t offset = 0;
    for (const std::string& kernel : {map, parity::is_first_fill<I> ? fill_name<I> : map})
        if (std::none_of(libraries.begin(), libraries.end(), [&](const Library& l) { return l.find(kernel); }))
            fail("no library has the kernel " + kernel + " of " + D::name);
    for (const Place& place : places(slot, share)) compare_fills<I>(libraries, place, D{}, share - 1, offset++ % 2);
    compare_values(libraries, map, words, D{}, 0, static_cast<std::uint32_t>(table_values));
    for (std::size_t k = 1; k < sets.size(); ++k) {
        const Place place = places(slot, few)[k % 8];
        compare_fills<I>(libraries, place, sets[k], few, 0);
        compare_values(libraries, map, words, sets[k], few * k % (table_values - few), few);
    }
    compare_goldens<I>(libraries);
    expect_ends<I>(libraries);
    std::printf("  %s<%s>: %zu parameter sets\n", D::name, rng::dtype_name<rng::result_t<D>>(), sets.size());
    for (Library& library : libraries) {
        if (library.counts->culprit)
            std::printf("%s: %s<%s>: %s met or made subnormal numbers, and its result depends on flushing\n",
                        library.name.c_str(), D::name, rng::dtype_name<rng::result_t<D>>(), library.counts->culprit);
        library.counts->culprit = nullptr;
    }
}

template <int I>
void compare_catalogue(std::vector<Library>& libraries, const std::vector<std::uint32_t>& table, std::uint32_t values,
                       const std::string& only) {
    if constexpr (I < rng::catalogue_size) {
        if (only.empty() || only == parity::Distribution<I>::name) compare_distribution<I>(libraries, table, values);
        compare_catalogue<I + 1>(libraries, table, values, only);
    }
}

void compare_forks(std::vector<Library>& libraries, std::uint32_t n) {
    const rng::Stream<> stream(0x123456789abcdef0, 3, 1);
    for (const std::uint64_t first :
         {std::uint64_t{0}, (std::uint64_t{1} << 32) - n / 2, (std::uint64_t{1} << 56) - n}) {
        std::vector<std::uint32_t> host(n);
        for (std::uint32_t t = 0; t < n; ++t) host[t] = rng::word(stream.fork(first + t).fork(t), 0);
        for (Library& library : libraries)
            compare(library, host,
                    from_ptx(library, "_Z11fork_kernel", ForkArguments{stream, first, n, nullptr}, &ForkArguments::out),
                    [&](std::size_t t) { return "fork " + std::to_string(first + t); });
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::uint32_t values = 1u << 16;
    std::string only;
    std::vector<Library> libraries;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--values" && i + 1 < argc)
            values = static_cast<std::uint32_t>(std::strtoul(argv[++i], nullptr, 0));
        else if (argument == "--only" && i + 1 < argc)
            only = argv[++i];
        else
            libraries.emplace_back(argv[i]);
    }
    if (libraries.empty() || values < 256 || values > 1u << 26)
        fail("usage: parity_host [--values N] [--only NAME] LIBRARY...");

    const std::vector<std::uint32_t> table = parity::edge_table();
    std::printf("%u values per distribution, %zu edge words\n", values, table.size());
    compare_catalogue<0>(libraries, table, values, only);
    if (only.empty()) compare_forks(libraries, values / 64);

    bool sound = true;
    for (const Library& library : libraries) {
        const ptx_counts& counts = *library.counts;
        const std::uint64_t faults =
            library.mismatches + library.digest_mismatches + counts.flushes_changed + counts.subnormals;
        std::printf("%s: %" PRIu64 " values compared (%" PRIu64 " of a graph's replays), %" PRIu64
                    " mismatches; %" PRIu64 " golden digests, %" PRIu64 " mismatches; %" PRIu64 " flushes, %" PRIu64
                    " changed a bit; %" PRIu64 " subnormals made\n",
                    library.name.c_str(), library.compared, library.replayed, library.mismatches, library.digests,
                    library.digest_mismatches, counts.flushes, counts.flushes_changed, counts.subnormals);
        sound = sound && faults == 0 && library.compared > 0 && library.replayed > 0;
    }
    return sound ? 0 : 1;
}
