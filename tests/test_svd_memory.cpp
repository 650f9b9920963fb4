// svd_host_workspace: what svd_lowrank takes at its peak is what was announced.
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <malloc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <complex>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "support/paths.hpp"

// The program's allocations are counted, with what the C library rounds them up to. What a process holds of them
// depends on the system: pages that are not written are not held, and freed ones may be.
namespace {
std::atomic<std::size_t> held{0}, most_held{0};

void* allocate(std::size_t size, std::size_t alignment) {
    void* p = nullptr;
    if (posix_memalign(&p, std::max(alignment, sizeof(void*)), std::max<std::size_t>(size, 1)) != 0)
        throw std::bad_alloc();
    const std::size_t bytes = malloc_usable_size(p), now = held.fetch_add(bytes) + bytes;
    for (std::size_t most = most_held; now > most && !most_held.compare_exchange_weak(most, now);) {
    }
    return p;
}
void release(void* p) {
    if (p != nullptr) held -= malloc_usable_size(p);
    std::free(p);
}
}  // namespace

// Not inlined: GCC would see malloc's memory given to delete.
#define RNG_TEST_NOINLINE __attribute__((noinline))
RNG_TEST_NOINLINE void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
RNG_TEST_NOINLINE void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, static_cast<std::size_t>(alignment));
}
// AddressSanitizer has this one of its own, whose memory is not for free().
RNG_TEST_NOINLINE void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    try {
        return allocate(size, alignof(std::max_align_t));
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
RNG_TEST_NOINLINE void operator delete(void* p) noexcept { release(p); }
RNG_TEST_NOINLINE void operator delete(void* p, std::size_t) noexcept { release(p); }
RNG_TEST_NOINLINE void operator delete(void* p, std::align_val_t) noexcept { release(p); }
RNG_TEST_NOINLINE void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }

namespace {

/// Holds f's peak to what is announced: `announced(threads)` and the result. It is never above, and with one thread not
/// far below; with more, how many have their workspaces at once is up to the system.
template <class A, class F> void compare(const std::string& what, const A& announced, double result, const F& f) {
    const support::SavedSettings saved;
    for (const int threads : {1, 4}) {
        rng::set_num_threads(threads);
        f();  // threads start, and the library's tables are made
        const std::size_t before = held;
        most_held = before;
        f();
        const auto peak = static_cast<double>(most_held - before), expected = static_cast<double>(announced()) + result;
        EXPECT_LE(peak, expected) << what << ", " << threads << " threads";
        if (threads > 1) continue;
        EXPECT_LE(expected, 1.3 * peak + 1e6) << what;  // narrow registers take less room for sums
    }
}

struct Case {
    std::size_t rows, cols;
    long long q;
    rng::TestMatrix test_matrix = rng::TestMatrix::normal;
};

template <class T> class SvdMemory : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SvdMemory, Types);

TYPED_TEST(SvdMemory, IsWhatIsAnnounced) {
    for (const Case& c : std::vector<Case>{{8000, 1, 1},
                                           {8000, 2, 2},
                                           {14000, 8, 6},
                                           {1, 6000, 1},
                                           {20, 4000, 18},
                                           {1200, 60, 40, rng::TestMatrix::rademacher},
                                           {200, 150, 20},
                                           {60, 55, 35},
                                           {60, 50, 6}}) {
        rng::Matrix<TypeParam> a(c.rows, c.cols);
        for (std::size_t i = 0; i < a.values.size(); ++i)
            a.values[i] = TypeParam(static_cast<float>(i * 37 % 101) - 50);
        const double result =
            static_cast<double>(sizeof(TypeParam)) * static_cast<double>(c.q) * static_cast<double>(c.rows + c.cols);
        const std::string what = std::to_string(c.rows) + " x " + std::to_string(c.cols) + " q " + std::to_string(c.q);
        const rng::SvdOptions<TypeParam> options{.q = c.q, .niter = 0, .test_matrix = c.test_matrix};
        rng::Generator gen(1);
        compare(
            what, [&] { return rng::svd_host_workspace<TypeParam>(c.rows, c.cols, options); }, result,
            [&] { (void)rng::svd_lowrank(a.view(), options, gen); });
        const rng::PcaOptions pca{.q = c.q, .niter = 0};
        compare(
            what + " centred", [&] { return rng::pca_host_workspace<TypeParam>(c.rows, c.cols, pca); }, result,
            [&] { (void)rng::pca_lowrank(a.view(), pca, gen); });
    }
}

TYPED_TEST(SvdMemory, OfSparseMatricesToo) {
    for (const auto& [rows, cols, each] :
         std::vector<std::array<std::size_t, 3>>{{200, 100, 50}, {8000, 50, 2}, {50, 8000, 200}}) {
        std::vector<int64_t> offsets{0}, columns;
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t k = 0; k < each; ++k)
                columns.push_back(static_cast<int64_t>((k * (cols / each) + i) % cols));
            offsets.push_back(static_cast<int64_t>(columns.size()));
        }
        std::vector<TypeParam> values(columns.size());
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = TypeParam(static_cast<float>(i * 37 % 101) - 50);
        const rng::csr_view<TypeParam> a{rows, cols, offsets, columns, values};
        const rng::SvdOptions<TypeParam> options{.q = 5, .niter = 0};
        rng::Generator gen(1);
        const std::size_t entries = values.size();
        const std::size_t m = rows, n = cols;
        compare(
            std::to_string(m) + " x " + std::to_string(n) + " sparse",
            [&] { return rng::svd_host_workspace<TypeParam>(m, n, options, entries); },
            static_cast<double>(sizeof(TypeParam)) * 5 * static_cast<double>(m + n),
            [&] { (void)rng::svd_lowrank(a, options, gen); });
    }
}

TEST(SvdHostWorkspace, OfShapesThatThereIsNoMemoryFor) {
    constexpr std::size_t huge = std::size_t{9} << 60;
    EXPECT_EQ(rng::svd_host_workspace<double>(huge, huge, {.q = 100}), std::numeric_limits<std::size_t>::max());
    EXPECT_EQ(rng::svd_host_workspace<float>(huge, 0), 0u);
    EXPECT_EQ(rng::pca_host_workspace<float>(0, huge), 0u);
    EXPECT_GT(rng::svd_host_workspace<float>(1 << 20, 1 << 20, {.q = 6}), (std::size_t{1} << 21) * 6 * 4);
    EXPECT_EQ(support::error_of(rng::ErrorCode::invalid_argument,
                                [] { (void)rng::svd_host_workspace<float>(8, 5, {.q = 6}); }),
              "svd_lowrank: q must be in [0, 5] for a matrix of 8 x 5, got 6");
}

}  // namespace
