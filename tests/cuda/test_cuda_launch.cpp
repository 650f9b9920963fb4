// The kernel of CUDA fills on simulated grids: every element is written once, by one thread, with the bits of at().
// Nothing around the elements is written, for any length, position, alignment and number of threads.
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "../../cuda/fill_kernel.hpp"
#include "../support/paths.hpp"

namespace {

template <class E, class D> struct Simulation {
    using T = rng::result_t<D>;

    D dist;
    std::string name;
    std::size_t vector_stores = 0;

    /// Runs the threads one after another, each on fresh memory, so that a second write shows. With a replay it is
    /// that run of a graph.
    void run(uint64_t first, std::size_t offset, std::size_t n, uint64_t threads, const uint64_t* replay = nullptr) {
        const rng::Stream<E> stream(42, 7, 0);
        std::vector<T> expected(n);
        const uint64_t before = replay ? *replay * n : 0;
        for (std::size_t i = 0; i < n; ++i) expected[i] = rng::at(stream.at_position(first), dist, before + i);
        std::vector<int> writes(n);
        support::Guarded<T> memory(n, offset);
        for (uint64_t t = 0; t < threads; ++t) {
            // Two backgrounds, since a value may look like one of them.
            std::vector<bool> written(n);
            for (const int background : {0xa5, 0x5a}) {
                if (n > 0) std::memset(memory.data(), background, n * sizeof(T));
                const rng::detail::DeviceFill<D, E> fill(stream, dist, first, memory.data(), n, replay);
                vector_stores += fill.placement().pieces_end > fill.placement().piece;
                rng::detail::fill_thread(fill, t, threads);
                for (std::size_t i = 0; i < n; ++i) {
                    unsigned char untouched[sizeof(T)];
                    std::memset(untouched, background, sizeof(T));
                    if (std::memcmp(memory.data() + i, untouched, sizeof(T)) == 0) continue;
                    written[i] = true;
                    ASSERT_EQ(std::memcmp(memory.data() + i, &expected[i], sizeof(T)), 0)
                        << name << " value " << i << " of " << n << " from word " << first << ", offset " << offset;
                }
            }
            for (std::size_t i = 0; i < n; ++i) writes[i] += written[i];
        }
        ASSERT_TRUE(memory.guards_intact()) << name;
        ASSERT_EQ(std::count(writes.begin(), writes.end(), 1), static_cast<std::ptrdiff_t>(n))
            << name << " " << n << " values from word " << first << ", offset " << offset << ", " << threads
            << " threads";
    }
};

template <class E, class D> void simulate(const D& dist, const std::string& name) {
    Simulation<E, D> simulation{dist, name + " " + E::name};
    constexpr uint64_t slot = D::slot_words;
    for (const std::size_t n : {0u, 1u, 2u, 5u, 16u, 47u})
        for (const std::size_t offset : {0u, 1u, 2u, 3u, 7u})
            for (const uint64_t first : {uint64_t{0}, slot, 3 * slot, 5 * slot, (uint64_t{1} << 34) - 8})
                for (const uint64_t threads : {1u, 3u, 32u}) simulation.run(first, offset, n, threads);
    EXPECT_GT(simulation.vector_stores, 0u) << name;
}

TEST(CudaLaunch, WritesEveryElementOnce) {
    support::for_each_kind([](const auto& dist, const std::string& name) { simulate<rng::Philox4x32_10>(dist, name); });
    simulate<rng::Threefry4x64_20>(rng::bits<uint32_t>{}, "bits");
    simulate<rng::Threefry4x64_20>(rng::normal<double>{}, "normal");
}

// A graph's fill continues after its previous run, at any place in a block.
TEST(CudaLaunch, ReplaysFollowEachOther) {
    support::for_each_kind([](const auto& dist, const std::string& name) {
        Simulation<rng::Philox4x32_10, std::decay_t<decltype(dist)>> simulation{dist, name};
        for (const uint64_t replay : {0u, 1u, 2u, 3u, 1'000'003u})
            for (const std::size_t n : {1u, 5u, 47u})
                for (const std::size_t offset : {0u, 1u}) simulation.run(0, offset, n, 3, &replay);
    });
}

TEST(CudaLaunch, ReplaysEndWithTheStream) {
    std::vector<float> out(1 << 10);
    const uint64_t fits = rng::Stream<>::size_words / out.size();
    for (const uint64_t replay : {fits - 1, fits}) {
        const rng::detail::DeviceFill<rng::uniform<float>, rng::Philox4x32_10> fill(rng::Stream<>{1}, {}, 0, out.data(),
                                                                                    out.size(), &replay);
        EXPECT_EQ(fill.replays, fits);
        if (replay < fits) {
            rng::detail::fill_thread(fill, 0, 1);
        } else {
            EXPECT_EQ(
                support::error_of(rng::ErrorCode::end_of_stream, [&fill] { rng::detail::fill_thread(fill, 0, 1); }),
                "fill: replay: address past the end of the stream (a stream has 2^56 blocks)");
        }
    }
}

// 16 bytes at once wherever memory from an allocator is filled from. Without a lead, units need no neighbours.
TEST(CudaLaunch, PiecesAreAligned) {
    alignas(256) unsigned char memory[4096];
    support::for_each_kind([&memory](const auto& dist, const std::string& name) {
        using D = std::decay_t<decltype(dist)>;
        using T = rng::result_t<D>;
        auto* out = reinterpret_cast<T*>(memory);
        using Fill = rng::detail::DeviceFill<D, rng::Philox4x32_10>;
        constexpr uint64_t slot = D::slot_words;
        const auto placed = [&dist](uint64_t first, T* to) {
            return Fill(rng::Stream<>{1}, dist, first, to, 100).placement();
        };
        const std::size_t values = static_cast<std::size_t>(Fill::group_values);
        for (const auto& p : {placed(0, out), placed(4, out + values), placed(4, out)}) {
            EXPECT_GT(p.pieces_end, p.piece) << name;
            EXPECT_EQ(p.lead, 0u) << name;
        }
        for (uint64_t i = 0; i < values; ++i) {
            const auto p = placed(i * slot, out);
            EXPECT_EQ(p.lead, i % (16 / sizeof(T) < values ? 16 / sizeof(T) : values)) << name;
            EXPECT_EQ(p.index(p.piece), 0u) << name;
        }
        EXPECT_EQ(Fill::unit_bytes % 16, 0);
    });
}

}  // namespace
