// The kernel of CUDA fills on simulated grids: every element is written once, by one thread, with the bits of at().
// Nothing around the elements is written, for any length, position, alignment and number of threads.
#include <gtest/gtest.h>
#include <rng/detail/device_fill_kernel.hpp>
#include <rng/detail/device_row_fill.hpp>
#include <rng/detail/device_sobol_fill.hpp>
#include <rng/rng.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "../support/paths.hpp"

namespace {

/// A distribution with a domain of its own shares no kernel, since it reads other words.
struct OfOwnDomain {
    using result_type = float;
    static constexpr int slot_words = 1;
    static constexpr unsigned domain = rng::domain::own + 1;
    static constexpr rng::Shape map_shape = rng::Shape::value;
    [[nodiscard]] auto map() const { return rng::uniform<float>{}.map(); }
};
template <class D> using Fill = rng::detail::SharedFill<D, rng::Philox4x32_10>;
static_assert(std::is_same_v<Fill<OfOwnDomain>, rng::detail::DeviceFill<OfOwnDomain, rng::Philox4x32_10>>);
static_assert(Fill<OfOwnDomain>::item_values == 4);
static_assert(std::is_same_v<Fill<rng::gamma<double>>, Fill<rng::chi<double>>>);
static_assert(std::is_same_v<Fill<rng::uniform_int<int32_t>>, Fill<rng::uniform_int<uint32_t>>>);
static_assert(!std::is_same_v<Fill<rng::poisson<int32_t>>, Fill<rng::poisson<int64_t>>>);

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
                const rng::detail::DeviceFill<D, E> fill(stream, dist.map(), first, memory.data(), n, replay);
                vector_stores += fill.placement().segments_end > fill.placement().segment;
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
        const rng::detail::DeviceFill<rng::uniform<float>, rng::Philox4x32_10> fill(
            rng::Stream<>{1}, rng::uniform<float>{}.map(), 0, out.data(), out.size(), &replay);
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

/// Runs a fill of a matrix, and checks each element, that each is written once, and nothing else.
template <class D, class E>
void simulate_matrix(const D& dist, const std::string& name, uint64_t first, std::size_t rows, std::size_t cols,
                     std::ptrdiff_t row_stride, std::ptrdiff_t col_stride, uint64_t threads) {
    using T = rng::result_t<D>;
    const rng::Stream<E> stream(42, 7, 0);
    const auto reach = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(rows) * std::abs(row_stride) +
                                                static_cast<std::ptrdiff_t>(cols) * std::abs(col_stride));
    std::vector<T> expected(2 * reach), memory(2 * reach), untouched(2 * reach);
    std::vector<int> writes(2 * reach), wanted(2 * reach);
    const auto place = [&](std::size_t i) {
        return reach + static_cast<std::size_t>(static_cast<std::ptrdiff_t>(i / cols) * row_stride +
                                                static_cast<std::ptrdiff_t>(i % cols) * col_stride);
    };
    for (std::size_t i = 0; i < rows * cols; ++i) {
        expected[place(i)] = rng::at(stream.at_position(first), dist, i);
        ++wanted[place(i)];
    }
    const rng::device_matrix<T> view{memory.data() + reach, rows, cols, row_stride, col_stride};
    for (uint64_t t = 0; t < threads; ++t) {
        std::vector<bool> written(2 * reach);
        for (const int background : {0xa5, 0x5a}) {  // two, since a value may look like one of them
            std::memset(memory.data(), background, 2 * reach * sizeof(T));
            std::memset(untouched.data(), background, 2 * reach * sizeof(T));
            const rng::detail::DeviceFill<D, E> fill(stream, dist.map(), first, view.data, rows * cols, nullptr,
                                                     rng::detail::strides_of(view));
            rng::detail::fill_thread(fill, t, threads);
            for (std::size_t k = 0; k < 2 * reach; ++k) {
                if (std::memcmp(&memory[k], &untouched[k], sizeof(T)) == 0) continue;
                written[k] = true;
                ASSERT_EQ(std::memcmp(&memory[k], &expected[k], sizeof(T)), 0) << name << " element " << k;
            }
        }
        for (std::size_t k = 0; k < 2 * reach; ++k) writes[k] += written[k];
    }
    ASSERT_EQ(writes, wanted) << name << " " << rows << " x " << cols << ", strides " << row_stride << " and "
                              << col_stride << ", from word " << first << ", " << threads << " threads";
}

TEST(CudaLaunch, MatricesOfAnyStrides) {
    struct Layout {
        std::size_t rows, cols;
        std::ptrdiff_t row_stride, col_stride;
    };
    const Layout layouts[] = {{5, 7, 7, 1}, {5, 7, 9, 1}, {5, 7, 1, 5},  {5, 7, -1, 6}, {7, 3, -4, -1}, {3, 2, 5, 2},
                              {9, 1, 3, 1}, {9, 1, 1, 9}, {1, 9, 50, 2}, {2, 40, 1, 2}, {40, 2, 1, 40}, {1, 1, 3, 3}};
    support::for_each_kind([&](const auto& dist, const std::string& name) {
        using D = std::decay_t<decltype(dist)>;
        for (const Layout& l : layouts)
            for (const uint64_t first : {uint64_t{0}, uint64_t{3} * D::slot_words})
                for (const uint64_t threads : {1u, 3u, 32u})
                    simulate_matrix<D, rng::Philox4x32_10>(dist, name, first, l.rows, l.cols, l.row_stride,
                                                           l.col_stride, threads);
    });
    simulate_matrix<rng::normal<float>, rng::Threefry4x64_20>({}, "Threefry", 5, 40, 20, 1, 41, 3);
}

// Random bytes at any address; the last word of a fill may give fewer than four.
template <class E> void simulate_bytes() {
    const rng::Stream<E> origin(42, 7, 0);
    for (const uint64_t first : {0u, 1u, 3u, 9u})
        for (const std::size_t n : {0u, 1u, 3u, 4u, 21u, 200u})
            for (const std::size_t offset : {0u, 1u, 2u, 7u, 15u})
                for (const uint64_t replay : {0u, 1u, 7u}) {
                    std::vector<std::byte> expected(n);
                    rng::fill_bytes(expected, origin.at_position(first + replay * ((n + 3) / 4)));
                    support::Guarded<std::uint8_t> memory(n, offset);
                    const rng::detail::DeviceFill<rng::detail::StreamBytes, E> fill(origin, {}, first, memory.data(), n,
                                                                                    &replay);
                    for (uint64_t t = 0; t < 3; ++t) rng::detail::fill_thread(fill, t, 3);
                    ASSERT_TRUE(n == 0 || std::memcmp(memory.data(), expected.data(), n) == 0)
                        << n << " bytes from word " << first << ", offset " << offset << ", replay " << replay;
                    ASSERT_TRUE(memory.guards_intact());
                }
}
TEST(CudaLaunch, BytesAreThoseOfTheCpu) {
    simulate_bytes<rng::Philox4x32_10>();
    simulate_bytes<rng::Threefry4x64_20>();
}
TEST(CudaLaunch, ReplaysOfBytesEndWithTheStream) {
    std::uint8_t memory[5];
    using Fill = rng::detail::DeviceFill<rng::detail::StreamBytes, rng::Philox4x32_10>;
    EXPECT_EQ(Fill(rng::Stream<>{1}, {}, 0, memory, 5).replays, rng::Stream<>::size_words / 2);
    EXPECT_EQ(Fill(rng::Stream<>{1}, {}, rng::Stream<>::size_words - 3, memory, 5).replays, 1u);
}

// Each run of a graph makes the rows after those of the run before.
TEST(CudaLaunch, ReplaysOfRowsFollowEachOther) {
    constexpr std::size_t rows = 5, cols = 3;
    const rng::Stream<> stream(42, 7, 8);
    const rng::sphere<float> dist{cols};
    std::vector<float> made(rows * cols), expected(rows * cols);
    const uint64_t room = (rng::Stream<>::size_words - 8) / 4 / rows;
    for (const uint64_t replay : {uint64_t{0}, uint64_t{1}, uint64_t{1'000'003}, room - 1, room}) {
        const rng::detail::DeviceRowFill<rng::sphere<float>, rng::Philox4x32_10> fill{stream, dist, made.data(), rows,
                                                                                      cols,   1,    &replay,     room};
        if (replay == room) {
            EXPECT_EQ(support::error_of(rng::ErrorCode::end_of_stream, [&] { rng::detail::write_rows(fill, 0, 1); }),
                      "fill: replay: address past the end of the stream (a stream has 2^56 blocks)");
            continue;
        }
        for (uint64_t t = 0; t < 2; ++t) rng::detail::write_rows(fill, t, 2);
        rng::fill_rows(rng::matrix_view<float>::row_major(expected.data(), rows, cols), dist, stream, replay * rows);
        EXPECT_TRUE(support::same_bits(made, expected)) << replay;
    }
}

/// Sobol points by some threads, on a device that holds so many. Each element is written once, and nothing else.
template <class T>
void simulate_sobol(const rng::sobol<T>& points, uint64_t first, std::size_t rows, std::ptrdiff_t row_stride,
                    std::ptrdiff_t col_stride, uint64_t threads) {
    const std::size_t cols = points.dimensions();
    const auto reach = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(rows) * std::abs(row_stride) +
                                                static_cast<std::ptrdiff_t>(cols) * std::abs(col_stride));
    std::vector<T> expected(2 * reach, T(-1)), memory(2 * reach, T(-1));
    std::vector<int> writes(2 * reach), wanted(2 * reach);
    rng::fill(rng::matrix_view<T>{expected.data() + reach, rows, cols, row_stride, col_stride}, points, first);
    for (std::size_t k = 0; k < 2 * reach; ++k) wanted[k] = expected[k] >= 0;
    rng::detail::DeviceSobolFill<T> fill{
        points.view(), first, memory.data() + reach, rows, {cols, row_stride, col_stride}};
    fill.spread_over(threads);
    EXPECT_TRUE(fill.walkers() <= threads || fill.step_bits == 1);
    std::vector<T> all(2 * reach, T(-1));
    for (uint64_t t = 0; t < threads; ++t) {
        std::fill(memory.begin(), memory.end(), T(-1));
        rng::detail::write_points(fill, t, threads);
        for (std::size_t k = 0; k < 2 * reach; ++k)
            if (memory[k] >= 0) all[k] = memory[k], ++writes[k];
    }
    ASSERT_TRUE(support::same_bits(all, expected) && writes == wanted)
        << rows << " points of " << cols << " dimensions from " << first << ", strides " << row_stride << " and "
        << col_stride << ", " << threads << " threads";
}
template <class T> void simulate_sobol_layouts() {
    const std::vector<rng::sobol<T>> all{rng::sobol<T>(1), rng::sobol<T>(7), rng::sobol<T>(5, rng::Stream<>(42, 7, 3))};
    for (const auto& points : all) {
        const auto d = static_cast<std::ptrdiff_t>(points.dimensions());
        for (const std::size_t rows : {1u, 2u, 3u, 64u, 165u})
            for (const uint64_t first : {uint64_t{0}, uint64_t{1}, uint64_t{250}, (uint64_t{1} << 63) - rows})
                for (const uint64_t threads : {1u, 13u, 64u, 256u}) {
                    const auto n = static_cast<std::ptrdiff_t>(rows);
                    simulate_sobol(points, first, rows, d, 1, threads);
                    simulate_sobol(points, first, rows, 1, n, threads);
                    simulate_sobol(points, first, rows, -d - 2, -1, threads);
                }
    }
}
TEST(CudaLaunch, SobolPointsAreThoseOfTheCpu) {
    simulate_sobol_layouts<float>();
    simulate_sobol_layouts<double>();
}

// As many walkers as the device has threads, but no more than there are points.
TEST(CudaLaunch, SobolPointsKeepTheThreadsBusy) {
    using Fill = rng::detail::DeviceSobolFill<float>;
    const auto steps = [](uint32_t dimensions, uint64_t rows, uint64_t threads) {
        Fill fill{{nullptr, dimensions}, 0, nullptr, rows, {dimensions, dimensions, 1}};
        fill.spread_over(threads);
        return uint64_t{1} << fill.step_bits;
    };
    EXPECT_EQ(steps(3, 1 << 20, 256), 64u);
    EXPECT_EQ(steps(3, 1 << 20, 16384), 4096u);
    EXPECT_EQ(steps(3, 10, 16384), 16u);
    EXPECT_EQ(steps(21201, 1 << 20, 256), 2u);
}

// 16 bytes at once wherever memory from an allocator is filled from. Without a lead, units need no neighbours. Values
// of 12 or 24 bytes reach a multiple of 16 at few places; elsewhere they are written one by one.
TEST(CudaLaunch, SegmentsAreAligned) {
    alignas(256) unsigned char memory[4096];
    support::for_each_kind([&memory](const auto& dist, const std::string& name) {
        using D = std::decay_t<decltype(dist)>;
        using T = rng::result_t<D>;
        auto* out = reinterpret_cast<T*>(memory);
        using Fill = rng::detail::DeviceFill<D, rng::Philox4x32_10>;
        constexpr uint64_t slot = D::slot_words;
        const auto placed = [&dist](uint64_t first, T* to) {
            return Fill(rng::Stream<>{1}, dist.map(), first, to, 100).placement();
        };
        if (16 % sizeof(T) != 0 && sizeof(T) % 16 != 0) {
            EXPECT_GT(placed(0, out).segments_end, placed(0, out).segment) << name;
            EXPECT_EQ(placed(0, out).lead, 0u) << name;
            return;
        }
        const std::size_t values = static_cast<std::size_t>(Fill::group_values);
        const std::size_t values_of_16_bytes = sizeof(T) < 16 ? 16 / sizeof(T) : 1;
        for (const auto& p : {placed(0, out), placed(4, out + values), placed(4, out)}) {
            EXPECT_GT(p.segments_end, p.segment) << name;
            EXPECT_EQ(p.lead, 0u) << name;
        }
        for (uint64_t i = 0; i < values; ++i) {
            const auto p = placed(i * slot, out);
            EXPECT_EQ(p.lead, i % std::min(values_of_16_bytes, values)) << name;
            EXPECT_EQ(p.index(p.segment), 0u) << name;
        }
        EXPECT_EQ(Fill::item_bytes % 16, 0);
    });
}

}  // namespace
