// A rank runs out of memory: in no allocation may the others wait for ever, and before any work all get one text.
#include <gtest/gtest.h>

#include <rng/rng.hpp>
#include <rng/svd/svd_ranks.hpp>

#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "../support/ranks.hpp"
#include "../support/sampled.hpp"

namespace {
/// Of this thread: how many allocations succeed before one fails (below 0: all), and the largest that may.
thread_local long allocations_left = -1;
thread_local std::size_t most_bytes = SIZE_MAX;

void* allocate(std::size_t size, std::size_t alignment) {
    if (size > most_bytes || (allocations_left >= 0 && allocations_left-- == 0)) throw std::bad_alloc();
    void* p = nullptr;
    if (posix_memalign(&p, std::max(alignment, sizeof(void*)), std::max<std::size_t>(size, 1)) != 0)
        throw std::bad_alloc();
    return p;
}
}  // namespace

// Not inlined: GCC would see malloc's memory given to delete.
#define RNG_TEST_NOINLINE __attribute__((noinline))
RNG_TEST_NOINLINE void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
RNG_TEST_NOINLINE void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, static_cast<std::size_t>(alignment));
}
RNG_TEST_NOINLINE void operator delete(void* p) noexcept { std::free(p); }
RNG_TEST_NOINLINE void operator delete(void* p, std::size_t) noexcept { std::free(p); }
RNG_TEST_NOINLINE void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
RNG_TEST_NOINLINE void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace {

constexpr std::size_t rows_each = 300, cols = 40;

void run(rng::Ranks& ranks, const std::vector<float>& a, rng::Generator& gen) {
    const auto first = rows_each * static_cast<std::size_t>(ranks.rank()),
               rows = rows_each * static_cast<std::size_t>(ranks.size());
    const auto mine = rng::matrix_view<const float>::row_major(a.data() + first * cols, rows_each, cols);
    (void)rng::svd_lowrank(rng::dist_rows<float>{mine, first, rows}, {.q = 4}, ranks, gen);
}

// One rank cannot have its part of X, whose size is known before any work.
TEST(RankMemory, NoRoomForAPart) {
    const std::vector<float> a = rng::sample(rng::normal{0.0f, 1.0f}, 3 * rows_each * cols, rng::Stream<>{1});
    for (const int poor : {0, 2})
        support::expect_agreed_error(3, "svd_lowrank: rank " + std::to_string(poor) + ": not enough memory",
                                     rng::ErrorCode::ranks, [&](rng::Ranks& ranks) {
                                         rng::Generator gen(7);
                                         if (ranks.rank() == poor) most_bytes = 256 * 16 * sizeof(float) - 1;
                                         try {
                                             run(ranks, a, gen);
                                             most_bytes = SIZE_MAX;
                                         } catch (const rng::Error&) {
                                             most_bytes = SIZE_MAX;
                                             EXPECT_EQ(gen.position(), 0u);
                                             throw;
                                         }
                                     });
}

// Rank 0 gets 84 rows of rank 1, and has no memory for them: they are not sent.
TEST(RankMemory, NoRoomForMovedRows) {
    const std::vector<float> a = rng::sample(rng::normal{0.0f, 1.0f}, 3 * rows_each * cols, rng::Stream<>{1});
    std::size_t messages[3] = {};
    support::expect_agreed_error(3, "svd_lowrank: rank 0: not enough memory", rng::ErrorCode::ranks,
                                 [&](rng::Ranks& ranks) {
                                     support::CountingRanks counting(ranks);
                                     rng::Generator gen(7);
                                     if (ranks.rank() == 0) most_bytes = 84 * cols * sizeof(float) - 1;
                                     try {
                                         run(counting, a, gen);
                                         most_bytes = SIZE_MAX;
                                     } catch (const rng::Error&) {
                                         most_bytes = SIZE_MAX;
                                         messages[ranks.rank()] = counting.messages;
                                         throw;
                                     }
                                 });
    for (const std::size_t sent : messages) EXPECT_EQ(sent, 0u);
}

// Each allocation of a call fails once on one rank. The library then has one thread, so that all are the rank's own.
TEST(RankMemory, EachAllocation) {
    rng::set_num_threads(1);
    const std::vector<float> a = rng::sample(rng::normal{0.0f, 1.0f}, 2 * rows_each * cols, rng::Stream<>{1});
    bool is_done = false;
    long failed = 0;
    for (long k = 0; !is_done; k += static_cast<long>(support::share())) {
        std::string texts[2];
        rng::ThreadRanks(2).run([&](rng::Ranks& ranks) {
            const auto r = static_cast<std::size_t>(ranks.rank());
            rng::Generator gen(7);
            if (r == 1) allocations_left = k;
            try {
                run(ranks, a, gen);
                if (r == 1) is_done = allocations_left >= 0;
            } catch (const rng::Error& error) {
                allocations_left = -1;
                texts[r] = error.what();
            } catch (const std::bad_alloc&) {  // before the call began, or for the text of its error
                allocations_left = -1;
                texts[r] = "bad_alloc";
            }
            allocations_left = -1;
        });
        if (is_done) break;
        ++failed;
        EXPECT_FALSE(texts[1].empty()) << "allocation " << k;
        // The other rank learns of it, or had ended its part before.
        EXPECT_TRUE(texts[0].empty() || texts[0] == "svd_lowrank: rank 1: not enough memory" ||
                    texts[0] == "rank 1 has ended, and rank 0 waits for a message of it")
            << texts[0];
    }
    EXPECT_GT(failed, 50 / static_cast<long>(support::share()));
}

}  // namespace
