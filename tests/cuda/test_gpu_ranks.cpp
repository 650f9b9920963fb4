// svd_lowrank and pca_lowrank over ranks as threads, of which some are GPUs and others CPUs: the bits of one CPU.
// Skipped without a GPU; gpu-check.sh runs this file on one.
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <rng/rng.hpp>
#include <rng/svd/device_svd_ranks.hpp>

#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "../support/gpu.hpp"
#include "../support/paths.hpp"

namespace {

using rng::ErrorCode;
using support::error_of;
using support::ok;
using support::OnDevice;

class GpuRanks : public support::GpuTest {};

template <class T> using Real = rng::detail::real_t<T>;

template <class T> rng::Matrix<T> matrix(std::size_t rows, std::size_t cols, std::uint64_t seed) {
    rng::Matrix<T> a(rows, cols);
    const auto values = rng::sample(rng::normal<float>{}, 2 * a.values.size(), rng::Stream<>{seed});
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        if constexpr (rng::detail::SvdElement<T>::is_complex)
            a.values[i] = {static_cast<Real<T>>(values[2 * i]), static_cast<Real<T>>(values[2 * i + 1])};
        else
            a.values[i] = static_cast<T>(values[2 * i]);
    }
    return a;
}

/// Rank r has the rows [cuts[r], cuts[r + 1]), and is a GPU if bit r of `gpus` is set.
struct Job {
    std::vector<std::size_t> cuts;
    unsigned gpus;
    long long q = 6, niter = 2;
    [[nodiscard]] std::size_t rows() const { return cuts.back(); }
    [[nodiscard]] int size() const { return static_cast<int>(cuts.size()) - 1; }
    [[nodiscard]] bool is_gpu(std::size_t r) const { return (gpus >> r & 1) != 0; }
};

/// The memory of a rank's result on its GPU; U by columns with a gap.
template <class C> class Room {
  public:
    Room(std::size_t rows, std::size_t cols, std::size_t q)
        : rows_(rows), cols_(cols), q_(q), u_((rows + 3) * q), s_(q), v_(cols * q) {}
    [[nodiscard]] rng::DeviceSvd<C> room() const {
        return {{u_.data(), rows_, q_, 1, static_cast<std::ptrdiff_t>(rows_ + 3)},
                s_.span(),
                rng::device_matrix<C>::row_major(v_.data(), cols_, q_)};
    }
    [[nodiscard]] rng::DistSvd<C> on_host() const {
        rng::DistSvd<C> to{{rows_, q_}, s_.on_host(), {cols_, q_}};
        const std::vector<C> u = u_.on_host();
        for (std::size_t i = 0; i < rows_; ++i)
            for (std::size_t j = 0; j < q_; ++j) to.U_mine(i, j) = u[i + j * (rows_ + 3)];
        to.V.values = v_.on_host();
        return to;
    }

  private:
    std::size_t rows_, cols_, q_;
    OnDevice<C> u_;
    OnDevice<Real<C>> s_;
    OnDevice<C> v_;
};

/// Runs on_cpu(first, rows, ranks, generator) or on_gpu(the same, a room, a stream) on each rank, and compares.
template <class C, class Cpu, class Gpu>
void compare(const Job& job, const rng::LowRankSvd<C>& whole, std::uint64_t position, const std::string& what,
             const Cpu& on_cpu, const Gpu& on_gpu) {
    const std::size_t q = whole.S.size(), devices = rng::devices().size() - 1;
    std::vector<std::string> wrong(static_cast<std::size_t>(job.size()));
    rng::ThreadRanks(job.size()).run([&](rng::Ranks& ranks) {
        const auto r = static_cast<std::size_t>(ranks.rank());
        const std::size_t first = job.cuts[r], rows = job.cuts[r + 1] - first;
        rng::DistSvd<C> part;
        const int device = static_cast<int>(r % devices);
        rng::Generator generator(job.is_gpu(r) ? rng::cuda(device) : rng::cpu(), 42);
        if (job.is_gpu(r)) {
            ok(cudaSetDevice(device));
            cudaStream_t own = nullptr;
            ok(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
            const Room<C> room(rows, whole.V.rows, q);
            on_gpu(first, rows, ranks, generator, room.room(), own);
            part = room.on_host();
            ok(cudaStreamDestroy(own));
        } else {
            part = on_cpu(first, rows, ranks, generator);
        }
        const auto same = [&](const auto& a, const auto* b, std::size_t n) {
            return a.size() == n && (n == 0 || std::memcmp(a.data(), b, n * sizeof *b) == 0);
        };
        if (!same(part.S, whole.S.data(), q)) wrong[r] += " S";
        if (!same(part.U_mine.values, whole.U.values.data() + first * q, rows * q)) wrong[r] += " U";
        if (!same(part.V.values, whole.V.values.data(), whole.V.values.size())) wrong[r] += " V";
        if (generator.position() != position) wrong[r] += " the generator";
    });
    for (std::size_t r = 0; r < wrong.size(); ++r)
        EXPECT_EQ(wrong[r], "") << what << ": rank " << r << (job.is_gpu(r) ? ", a GPU" : ", a CPU");
}

template <class T> rng::matrix_view<const T> rows_of(const rng::Matrix<T>& a, std::size_t first, std::size_t rows) {
    return rng::matrix_view<const T>::row_major(a.values.data() + first * a.cols, rows, a.cols);
}
template <class T> std::vector<T> values_of(const rng::Matrix<T>& a, std::size_t first, std::size_t rows) {
    const auto begin = a.values.begin() + static_cast<std::ptrdiff_t>(first * a.cols);
    return {begin, begin + static_cast<std::ptrdiff_t>(rows * a.cols)};
}

/// A, or A less M if `mean` has rows, or A less its column means.
template <class T>
void compare_dense(const Job& job, std::size_t cols, const rng::Matrix<T>& mean, bool center, const std::string& what) {
    using C = rng::detail::computed_t<T>;
    const rng::Matrix<T> a = matrix<T>(job.rows(), cols, 1);
    const rng::PcaOptions pca{.q = job.q, .niter = job.niter};
    const auto options = [&](std::size_t first, std::size_t rows) {
        rng::SvdOptions<T> its{.q = job.q, .niter = job.niter};
        if (mean.rows > 0) its.M = mean.rows == 1 ? mean.view() : rows_of(mean, first, rows);
        return its;
    };
    rng::Generator one(42);
    const rng::LowRankSvd<C> whole =
        center ? rng::pca_lowrank(a.view(), pca, one) : rng::svd_lowrank(a.view(), options(0, job.rows()), one);
    compare(
        job, whole, one.position(), what,
        [&](std::size_t first, std::size_t rows, rng::Ranks& ranks, rng::Generator& generator) {
            const rng::dist_rows<T> part{rows_of(a, first, rows), first, job.rows()};
            return center ? rng::pca_lowrank(part, pca, ranks, generator)
                          : rng::svd_lowrank(part, options(first, rows), ranks, generator);
        },
        [&](std::size_t first, std::size_t rows, rng::Ranks& ranks, rng::Generator& generator,
            const rng::DeviceSvd<C>& room, cudaStream_t stream) {
            const OnDevice<T> mine(values_of(a, first, rows));
            const OnDevice<T> its_mean(mean.rows == job.rows() ? values_of(mean, first, rows) : mean.values);
            const rng::device_dist_rows<T> part{rng::device_matrix<const T>::row_major(mine.data(), rows, cols), first,
                                                job.rows()};
            rng::DeviceSvdOptions<T> on_device{.q = job.q, .niter = job.niter};
            if (mean.rows > 0)
                on_device.M = rng::device_matrix<const T>::row_major(its_mean.data(), mean.rows == 1 ? 1 : rows, cols);
            if (center)
                rng::pca_lowrank(part, pca, room, ranks, generator, stream);
            else
                rng::svd_lowrank(part, on_device, room, ranks, generator, stream);
        });
}

const Job ragged{{0, 1000, 1000, 2111, 3000}, 5};  // two GPUs; cuts inside of blocks, and a rank without rows

template <class T> void compare_type(const std::string& name) {
    const rng::Matrix<T> none;
    for (const unsigned gpus : {5u, 10u, 15u}) {
        Job job = ragged;
        job.gpus = gpus;
        compare_dense<T>(job, 70, none, false, name + ", tall");
    }
    compare_dense<T>({{0, 130, 300}, 2, 20, 1}, 900, none, false, name + ", wide");
    compare_dense<T>(ragged, 70, matrix<T>(1, 70, 2), false, name + ", less a row");
    compare_dense<T>(ragged, 70, matrix<T>(ragged.rows(), 70, 3), false, name + ", less a matrix");
    compare_dense<T>(ragged, 70, none, true, name + ", centred");
}

TEST_F(GpuRanks, MixedRanksHaveTheBitsOfOneCpu) {
    compare_type<float>("float");
    compare_type<double>("double");
    compare_type<rng::float16>("float16");
    compare_type<rng::bfloat16>("bfloat16");
    compare_type<std::complex<float>>("complex float");
    compare_type<std::complex<double>>("complex double");
}

TEST_F(GpuRanks, LargeResultsAndBroadSketches) {
    const rng::Matrix<float> none;
    compare_dense<float>({{0, 333, 700}, 2, 6, 1}, 20'000, none, false, "slices");
    compare_dense<float>({{0, 300, 700}, 1, 80, 1}, 200, none, false, "a sketch that the GPU rotates");
}

template <class T> void compare_sparse(bool center) {
    const std::size_t cols = 300;
    const rng::Matrix<T> a = matrix<T>(ragged.rows(), cols, 5);
    struct Csr {
        std::size_t rows, cols;
        std::vector<std::int64_t> offsets{0}, columns{};
        std::vector<T> values{};
        [[nodiscard]] rng::csr_view<T> view() const { return {rows, cols, offsets, columns, values}; }
    };
    const auto csr = [&](std::size_t first, std::size_t rows) {
        Csr to{rows, cols};
        for (std::size_t i = first; i < first + rows; ++i) {
            for (std::size_t j = cols; j-- > 0;)
                if ((7 * i + 13 * j + i * j) % 11 < 2) {
                    to.columns.push_back(static_cast<std::int64_t>(j));
                    to.values.push_back(a(i, j));
                }
            to.offsets.push_back(static_cast<std::int64_t>(to.values.size()));
        }
        return to;
    };
    const auto compute = [&](const auto& part, const auto& options, auto&&... rest) {
        if (center) return rng::pca_lowrank(part, rng::PcaOptions{.q = ragged.q}, rest...);
        return rng::svd_lowrank(part, options, rest...);
    };
    rng::Generator one(42);
    const rng::SvdOptions<T> options{.q = ragged.q};
    const auto whole = compute(csr(0, ragged.rows()).view(), options, one);
    compare(
        ragged, whole, one.position(), "sparse",
        [&](std::size_t first, std::size_t rows, rng::Ranks& ranks, rng::Generator& generator) {
            const Csr mine = csr(first, rows);
            return compute(rng::dist_csr<T>{mine.view(), first, ragged.rows()}, options, ranks, generator);
        },
        [&](std::size_t first, std::size_t rows, rng::Ranks& ranks, rng::Generator& generator,
            const rng::DeviceSvd<T>& room, cudaStream_t stream) {
            const Csr mine = csr(first, rows);
            const OnDevice<std::int64_t> offsets(mine.offsets), columns(mine.columns);
            const OnDevice<T> values(mine.values);
            const rng::device_csr<T> there{rows,
                                           cols,
                                           {offsets.data(), mine.offsets.size()},
                                           {columns.data(), mine.columns.size()},
                                           {values.data(), mine.values.size()}};
            compute(rng::device_dist_csr<T>{there, first, ragged.rows()}, rng::DeviceSvdOptions<T>{.q = ragged.q}, room,
                    ranks, generator, stream);
        });
}
TEST_F(GpuRanks, SparseRows) {
    for (const bool center : {false, true}) {
        compare_sparse<float>(center);
        compare_sparse<std::complex<double>>(center);
    }
}

/// A NaN on a GPU is named on all ranks with its row in the whole matrix, and no generator moves.
TEST_F(GpuRanks, ANumberThatIsNoneIsNamedOnAllRanks) {
    rng::Matrix<float> a = matrix<float>(500, 40, 1);
    a(301, 7) = std::numeric_limits<float>::quiet_NaN();
    std::vector<std::string> texts(2);
    std::vector<std::uint64_t> positions(2);
    rng::ThreadRanks(2).run([&](rng::Ranks& ranks) {
        const auto r = static_cast<std::size_t>(ranks.rank());
        rng::Generator generator(r == 1 ? rng::cuda(0) : rng::cpu(), 42);
        texts[r] = error_of(ErrorCode::invalid_argument, [&] {
            if (r == 0) {
                (void)rng::svd_lowrank(rng::dist_rows<float>{rows_of(a, 0, 250), 0, 500}, {.q = 4}, ranks, generator);
                return;
            }
            const OnDevice<float> mine(values_of(a, 250, 250));
            const Room<float> room(250, 40, 4);
            rng::svd_lowrank(
                rng::device_dist_rows<float>{rng::device_matrix<const float>::row_major(mine.data(), 250, 40), 250,
                                             500},
                {.q = 4}, room.room(), ranks, generator);
        });
        positions[r] = generator.position();
    });
    for (const std::string& text : texts) EXPECT_EQ(text, "svd_lowrank: A must be finite, got NaN at (301, 7)");
    EXPECT_EQ(positions, (std::vector<std::uint64_t>{0, 0}));
}

}  // namespace
