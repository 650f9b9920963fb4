// svd_host_workspace: what svd_lowrank takes at its peak is what was announced.
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <complex>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "support/paths.hpp"

namespace {

/// A line of /proc/self/status, in bytes; 0 if there is none.
double memory(const std::string& name) {
    std::ifstream file("/proc/self/status");
    std::string word;
    double kilobytes = 0;
    while (file >> word)
        if (word == name + ":") {
            file >> kilobytes;
            break;
        }
    return kilobytes * 1024;
}

/// How far the peak of a child process rises above what it has before f, in bytes.
template <class F> double peak_of(const F& f) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    const pid_t child = fork();
    if (child == 0) {
        const double before = memory("VmRSS");
        f();
        const double rise = memory("VmHWM") - before;
        _exit(write(ends[1], &rise, sizeof rise) == sizeof rise ? 0 : 1);
    }
    double rise = -1;
    const bool got = child > 0 && read(ends[0], &rise, sizeof rise) == sizeof rise;
    int status = 0;
    (void)waitpid(child, &status, 0);
    (void)close(ends[0]);
    (void)close(ends[1]);
    return got && status == 0 ? rise : -1;
}

/// The peak is the announced one and the result, within 1.3 and 12 MB.
void compare(const std::string& what, double announced, double result, double peak) {
    constexpr double few = 12e6;
    EXPECT_LT(peak, 1.3 * (announced + result) + few) << what;
    EXPECT_GT(1.3 * peak + few, announced + result) << what;
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
    if (memory("VmHWM") == 0) GTEST_SKIP() << "no /proc/self/status";
    rng::set_num_threads(1);
    for (const Case& c : std::vector<Case>{{400000, 1, 1},
                                           {400000, 2, 2},
                                           {200000, 8, 6},
                                           {1, 300000, 1},
                                           {20, 200000, 18},
                                           {60000, 100, 40, rng::TestMatrix::rademacher},
                                           {300, 290, 150}}) {
        rng::Matrix<TypeParam> a(c.rows, c.cols);
        for (std::size_t i = 0; i < a.values.size(); ++i)
            a.values[i] = TypeParam(static_cast<float>(i * 37 % 101) - 50);
        const double result =
            static_cast<double>(sizeof(TypeParam)) * static_cast<double>(c.q) * static_cast<double>(c.rows + c.cols);
        const std::string what = std::to_string(c.rows) + " x " + std::to_string(c.cols) + " q " + std::to_string(c.q);
        const rng::SvdOptions<TypeParam> options{.q = c.q, .niter = 1, .test_matrix = c.test_matrix};
        rng::Generator gen(1);
        compare(what, static_cast<double>(rng::svd_host_workspace<TypeParam>(c.rows, c.cols, options)), result,
                peak_of([&] { (void)rng::svd_lowrank(a.view(), options, gen); }));
        const rng::PcaOptions pca{.q = c.q, .niter = 1};
        compare(what + " centred", static_cast<double>(rng::pca_host_workspace<TypeParam>(c.rows, c.cols, pca)), result,
                peak_of([&] { (void)rng::pca_lowrank(a.view(), pca, gen); }));
    }
}

TYPED_TEST(SvdMemory, OfSparseMatricesToo) {
    if (memory("VmHWM") == 0) GTEST_SKIP() << "no /proc/self/status";
    rng::set_num_threads(1);
    for (const auto& [rows, cols, each] :
         std::vector<std::array<std::size_t, 3>>{{2000, 1000, 500}, {200000, 50, 2}, {50, 200000, 5000}}) {
        std::vector<int64_t> offsets{0}, columns;
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t k = 0; k < each; ++k)
                columns.push_back(static_cast<int64_t>((k * (cols / each) + i) % cols));
            offsets.push_back(static_cast<int64_t>(columns.size()));
        }
        std::vector<TypeParam> values(columns.size());
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = TypeParam(static_cast<float>(i * 37 % 101) - 50);
        const rng::csr_view<TypeParam> a{rows, cols, offsets, columns, values};
        const rng::SvdOptions<TypeParam> options{.q = 5, .niter = 1};
        rng::Generator gen(1);
        compare(std::to_string(rows) + " x " + std::to_string(cols) + " sparse",
                static_cast<double>(rng::svd_host_workspace<TypeParam>(rows, cols, options, values.size())),
                static_cast<double>(sizeof(TypeParam)) * 5 * static_cast<double>(rows + cols),
                peak_of([&] { (void)rng::svd_lowrank(a, options, gen); }));
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
