// The kernel of CUDA fills on simulated grids: every element is written once, by one thread, with the bits of at(), and
// nothing around them, whatever the length, the position, the alignment and the number of threads.
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "../cuda/fill_kernel.hpp"
#include "support/paths.hpp"

namespace {

template <class E, class D> struct Simulation {
    using T = rng::result_t<D>;

    D dist;
    std::string name;
    std::size_t vector_stores = 0;

    /// Runs the threads one after another, each on fresh memory, so that a second write shows.
    void run(uint64_t first, std::size_t offset, std::size_t n, uint64_t threads) {
        const rng::Stream<E> stream(42, 7, 0);
        std::vector<T> expected(n);
        for (std::size_t i = 0; i < n; ++i) expected[i] = rng::at(stream.at_position(first), dist, i);
        std::vector<int> writes(n);
        support::Guarded<T> memory(n, offset);
        for (uint64_t t = 0; t < threads; ++t) {
            // Two backgrounds, since a value may look like one of them.
            std::vector<bool> written(n);
            for (const int background : {0xa5, 0x5a}) {
                if (n > 0) std::memset(memory.data(), background, n * sizeof(T));
                const rng::detail::DeviceFill<D, E> fill(stream, dist, first, memory.data(), n);
                vector_stores += fill.aligned;
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

/// Calls f(distribution, name) for one of each shape, slot and size of values: what the kernel's stores depend on.
template <class F> void for_each_kind(const F& f) {
    const auto call = [&](const auto&... dists) { (f(dists, std::decay_t<decltype(dists)>::name), ...); };
    call(rng::bits<uint32_t>{}, rng::bits<uint64_t>{}, rng::uniform<rng::float16>{}, rng::bernoulli{},
         rng::normal<float>{}, rng::normal<double>{}, rng::normal<rng::bfloat16>{}, rng::complex_normal<float>{},
         rng::complex_normal<double>{}, rng::uniform_int<int16_t>{1, 6}, rng::uniform_int<uint64_t>{0, 1ull << 63});
}

TEST(CudaLaunch, WritesEveryElementOnce) {
    for_each_kind([](const auto& dist, const std::string& name) { simulate<rng::Philox4x32_10>(dist, name); });
    simulate<rng::Threefry4x64_20>(rng::bits<uint32_t>{}, "bits");
    simulate<rng::Threefry4x64_20>(rng::normal<double>{}, "normal");
}

// 16 bytes at once whenever the destination is as aligned as memory from an allocator, and the position is even.
TEST(CudaLaunch, UnitsAreAligned) {
    alignas(256) unsigned char memory[4096];
    for_each_kind([&memory](const auto& dist, const std::string& name) {
        using D = std::decay_t<decltype(dist)>;
        auto* out = reinterpret_cast<rng::result_t<D>*>(memory);
        using Fill = rng::detail::DeviceFill<D, rng::Philox4x32_10>;
        const rng::Stream<> stream{1};
        EXPECT_TRUE(Fill(stream, dist, 0, out, 100).aligned) << name;
        const std::size_t values = static_cast<std::size_t>(Fill::block_values);
        EXPECT_TRUE(Fill(stream, dist, 4, out + values, 100).aligned) << name;
        EXPECT_TRUE(Fill(stream, dist, 4, out, 100).aligned) << name;
        EXPECT_EQ(Fill::unit_bytes % 16, 0);
    });
}

}  // namespace
