// Runs the kernels of own_kernels.cu, translated from PTX, against at() on this machine: fills of users' distributions,
// of random bytes, of every engine by kernels that learn the engine at run time. They write runs of values at any
// address, replays of graphs, and matrices of any strides.
//
//     parity_own LIBRARY...
//
// Exit code 0: no bit differs, and nothing else was written. 1: a difference. 2: misuse.
#include <rng/at.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "comparison.hpp"
#include "own_fills.hpp"

namespace {

using parity::AnyEngine;
using parity::fail;
using parity::Library;
using rng::detail::Strides;

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
        const D dist{};
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
            const parity::FillArguments<Fill> arguments(of_kernel(), dist, first, memory.data() + origin, n, replay,
                                                        strides);
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
    }(rng::type_tag<parity::OwnFill<I>>{});
}
template <int... I> void compare_fills(std::vector<Library>& libraries, std::integer_sequence<int, I...>) {
    (compare_fill<I>(libraries), ...);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) fail("usage: parity_own LIBRARY...");
    std::vector<Library> libraries(argv + 1, argv + argc);
    compare_fills(libraries, std::make_integer_sequence<int, parity::own_fills::size>{});
    bool sound = true;
    for (const Library& library : libraries) {
        std::printf("%s: %" PRIu64 " values compared (%" PRIu64 " of a graph's replays), %" PRIu64 " mismatches\n",
                    library.name.c_str(), library.compared, library.replayed, library.mismatches);
        sound = sound && library.mismatches == 0 && library.replayed > 0 && library.counts->flushes_changed == 0 &&
                library.counts->subnormals == 0;
    }
    return sound ? 0 : 1;
}
