// Runs the kernels of user_kernels.cu, translated from PTX, against at() on this machine: fills of users'
// distributions, of random bytes, of every engine by kernels that learn the engine at run time. They write runs of
// values at any address, replays of graphs, and matrices of any strides. Other kernels make single values of piecewise
// laws.
//
//     parity_user LIBRARY...
//
// Exit code 0: no bit differs, and nothing else was written. 1: a difference. 2: misuse.
#include <rng/at.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "../support/piece_lists.hpp"
#include "comparison.hpp"
#include "user_fills.hpp"

namespace {

using parity::AnyEngine;
using parity::fail;
using parity::Library;
using rng::detail::Strides;

template <class D> inline constexpr bool is_piecewise = false;
template <class T> inline constexpr bool is_piecewise<rng::piecewise_constant<T>> = true;
template <class T> inline constexpr bool is_piecewise<rng::piecewise_linear<T>> = true;

/// All lists, which live as long as the program. Those of the model are of floats: their areas are hardly rounded.
template <class T> const std::vector<support::PieceLists<T>>& all_lists() {
    static const std::vector<support::PieceLists<T>> lists = [] {
        auto all = support::piece_lists<T>();
        all.push_back({{0, T(0.1), T(0.7), T(3.3)}, {T(0.3), T(1.7), T(0.9)}, {T(0.3), T(1.7), 0, T(2.9)}});
        return all;
    }();
    return lists;
}
template <class D, class T> D law_of(const support::PieceLists<T>& lists) {
    if constexpr (std::is_same_v<D, rng::piecewise_constant<T>>)
        return D(lists.boundaries, lists.heights);
    else
        return D(lists.boundaries, lists.tops);
}
/// The distribution of a fill.
template <class D> D distribution() {
    if constexpr (is_piecewise<D>)
        return law_of<D>(all_lists<rng::result_t<D>>().at(1));
    else
        return {};
}

/// Value i of a fill from word `first` on.
template <class D, class E>
rng::result_t<D> value_of(const rng::Stream<E>& stream, const D& dist, std::uint64_t first, std::uint64_t i) {
    if constexpr (std::is_same_v<D, rng::detail::StreamBytes>)
        return static_cast<std::uint8_t>(rng::word(stream, first + i / 4) >> i % 4 * 8);
    else
        return rng::at(stream.at_position(first), dist, i);
}

/// Fills of one kernel, from streams of engine E.
template <class D, class E, class OfKernel> struct Fills {
    using T = rng::result_t<D>;
    using Fill = rng::detail::DeviceFill<D, OfKernel>;
    static constexpr std::uint64_t slot = D::slot_words;

    std::vector<Library>& libraries;
    const std::string& kernel;

    /// n values from word `first` on, at the places that the strides give. All other memory must stay as it is, and no
    /// two blocks may write one place: GPUs run blocks in any order. With a replay it is that run of a graph.
    void compare(std::uint64_t first, std::uint64_t n, std::size_t offset, const Strides& strides = {},
                 const std::uint64_t* replay = nullptr) const {
        const rng::Stream<E> stream(0xdeadbeefcafef00d, 0x8000000000000005, 0);
        const D dist = distribution<D>();
        const std::uint64_t cols = strides.cols == 0 ? n : strides.cols, rows = n / cols;
        const std::size_t reach = rows * static_cast<std::size_t>(std::abs(strides.row)) +
                                  cols * static_cast<std::size_t>(std::abs(strides.col)) + 16;
        const std::size_t origin = (reach + 15) / 16 * 16 + offset;
        std::vector<T> memory(2 * origin), expected(memory.size());
        std::memset(expected.data(), 0xa5, expected.size() * sizeof(T));
        const std::vector<T> untouched = expected;
        const std::uint64_t from = first + (replay ? *replay * Fill::words_of(n) : 0);
        for (std::uint64_t i = 0; i < n; ++i)
            expected[origin + static_cast<std::size_t>(static_cast<std::int64_t>(i / cols) * strides.row +
                                                       static_cast<std::int64_t>(i % cols) * strides.col)] =
                value_of(stream, dist, from, i);
        const auto of_kernel = [&stream] {
            if constexpr (std::is_same_v<E, OfKernel>)
                return stream;
            else
                return rng::detail::any_stream(rng::detail::record(stream));
        };
        for (Library& library : libraries) {
            if (!library.find(kernel)) continue;
            const parity::FillArguments<Fill> arguments(of_kernel(), dist.map(), first, memory.data() + origin, n,
                                                        replay, strides);
            std::vector<T> written = untouched;
            for (std::uint32_t block = 0; block < 5; ++block) {
                std::memcpy(memory.data(), untouched.data(), memory.size() * sizeof(T));
                library.run_one_block(kernel, arguments, 64, 5, block);
                for (std::size_t t = 0; t < memory.size(); ++t) {
                    if (parity::same_bits(memory[t], untouched[t])) continue;
                    if (!parity::same_bits(written[t], untouched[t])) fail(kernel + ": two blocks write one element");
                    written[t] = memory[t];
                }
            }
            library.replayed += replay ? n : 0;
            parity::compare(library, expected, written, [&](std::size_t t) {
                return kernel + ", " + E::name + ": element " +
                       std::to_string(static_cast<std::ptrdiff_t>(t - origin)) + " of " + std::to_string(rows) + " x " +
                       std::to_string(cols) + ", strides " + std::to_string(strides.row) + " and " +
                       std::to_string(strides.col) + ", from word " + std::to_string(first);
            });
        }
    }
    void compare_all() const {
        constexpr std::uint64_t two34 = std::uint64_t{1} << 34;
        for (const std::uint64_t first : {std::uint64_t{0}, 5 * slot, two34 - 8 * slot})
            for (const std::size_t offset : {0u, 1u, 7u})
                for (const std::uint64_t n : {std::uint64_t{3}, std::uint64_t{1001}}) compare(first, n, offset);
        compare(0, 4099, 0);
        const std::uint64_t replay = 3;
        compare(slot, 1001, 1, {}, &replay);
        // Rows with gaps, columns one after the other, both the other way round.
        compare(3 * slot, 21 * 17, 0, {17, 19, 1});
        compare(slot, 21 * 17, 1, {17, 1, 21});
        compare(two34 - 8, 40 * 3, 2, {3, -2, -90});
    }
};

template <int I> void compare_fill(std::vector<Library>& libraries) {
    const std::string kernel = "_Z10own_kernelILi" + std::to_string(I) + "E";
    if (std::none_of(libraries.begin(), libraries.end(), [&](const Library& l) { return l.find(kernel); }))
        fail("no library has " + kernel);
    [&]<class D, class E>(rng::type_tag<rng::detail::DeviceFill<D, E>>) {
        if constexpr (std::is_same_v<E, AnyEngine>)
            rng::for_each_engine([&](auto tag) {
                Fills<D, typename decltype(tag)::type, AnyEngine>{libraries, kernel}.compare_all();
            });
        else
            Fills<D, E, E>{libraries, kernel}.compare_all();
    }(rng::type_tag<parity::UserFill<I>>{});
}
template <int... I> void compare_fills(std::vector<Library>& libraries, std::integer_sequence<int, I...>) {
    (compare_fill<I>(libraries), ...);
}

/// Words at both ends of each piece, at powers of two and in between: low halves first, in whole blocks.
template <class D> std::vector<std::uint32_t> hard_words(const D& law) {
    const auto masses = law.map().masses;
    std::vector<std::uint32_t> table;
    const auto push = [&table](std::uint64_t word) {
        for (std::uint64_t w = word - 1; w != word + 2; ++w)
            table.insert(table.end(), {static_cast<std::uint32_t>(w), static_cast<std::uint32_t>(w >> 32)});
    };
    std::uint64_t first = 0;
    for (std::uint32_t i = 0; i < law.pieces(); first += masses.mass(i++)) {
        push(first);
        for (int part = 1; part < 8; ++part) push(first + masses.mass(i) / 8 * static_cast<unsigned>(part));
    }
    for (int k = 0; k < 64; ++k) push(std::uint64_t{1} << k);
    table.resize((table.size() + 3) / 4 * 4);
    return table;
}

/// Values [0, n) of a law by the host and by each library's kernel.
template <int I, bool FromTable>
void compare_law(std::vector<Library>& libraries, const parity::ListStream<FromTable>& stream,
                 const parity::ListLaw<I>& law, std::uint32_t n) {
    using Arguments = parity::Arguments<typename parity::ListStream<FromTable>::engine, parity::ListLaw<I>>;
    const std::string kernel = "_Z12lists_kernelILi" + std::to_string(I) + "ELb" + std::to_string(int{FromTable}) + "E";
    std::vector<rng::result_t<parity::ListLaw<I>>> expected(n);
    for (std::uint32_t i = 0; i < n; ++i) expected[i] = rng::at(stream, law, i);
    for (Library& library : libraries)
        parity::compare(library, expected,
                        parity::from_ptx(library, kernel, Arguments{stream, law, 0, n, nullptr}, &Arguments::out),
                        [&](std::size_t i) {
                            return kernel + ": value " + std::to_string(i) + " of " + std::to_string(law.pieces()) +
                                   " pieces";
                        });
}
template <int... I> void compare_laws(std::vector<Library>& libraries, std::integer_sequence<int, I...>) {
    const auto compare_one = [&]<int J>(std::integral_constant<int, J>) {
        using D = parity::ListLaw<J>;
        for (const auto& lists : all_lists<rng::result_t<D>>()) {
            const D law = law_of<D>(lists);
            compare_law<J, false>(libraries, rng::Stream<>(0xdeadbeefcafef00d, 0x8000000000000005, 3), law, 1001);
            const std::vector<std::uint32_t> table = hard_words(law);
            const rng::Stream<parity::TableEngine> stream({table.data(), {}}, 0, 0);
            compare_law<J, true>(libraries, stream, law, static_cast<std::uint32_t>(table.size() / 2));
        }
    };
    (compare_one(std::integral_constant<int, I>{}), ...);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) fail("usage: parity_user LIBRARY...");
    std::vector<Library> libraries(argv + 1, argv + argc);
    compare_fills(libraries, std::make_integer_sequence<int, parity::user_fills::size>{});
    compare_laws(libraries, std::make_integer_sequence<int, parity::list_laws::size>{});
    bool sound = true;
    for (const Library& library : libraries) {
        std::printf("%s: %" PRIu64 " values compared (%" PRIu64 " of a graph's replays), %" PRIu64 " mismatches\n",
                    library.name.c_str(), library.compared, library.replayed, library.mismatches);
        sound = sound && library.mismatches == 0 && library.replayed > 0 && library.counts->flushes_changed == 0 &&
                library.counts->subnormals == 0;
    }
    return sound ? 0 : 1;
}
