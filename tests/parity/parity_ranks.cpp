// svd_lowrank over ranks in parity_svd: some ranks are CPUs, and others execute the PTX of the GPU's kernels. Every
// rank must have the bits of one process.
#include <rng/svd/device_svd_ranks.hpp>

#include <algorithm>
#include <complex>
#include <cstring>
#include <limits>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "../../src/verify/svd_cases.hpp"
#include "../support/rank_cuts.hpp"
#include "parity_svd.hpp"

namespace {

using namespace parity;
using rng::detail::computed_t;
using rng::detail::real_t;

/// A device of which several threads have one each. The threads of a block share what the library has once.
class RankDevice : public PtxDevice {
  public:
    using PtxDevice::PtxDevice;
    template <class K> void launch(const K& kernel, uint64_t blocks, uint32_t blocks_y, size_t shared_bytes = 0) const {
        if (blocks == 0) fail("a kernel was launched without threads, which CUDA refuses");
        const std::lock_guard lock(mutex_);
        PtxDevice::launch(kernel, blocks, blocks_y, shared_bytes);
    }
    [[nodiscard]] static std::shared_ptr<std::byte> memory(size_t bytes) {
        const std::shared_ptr<Memory> owner(new Memory(bytes), [](const Memory* m) {
            m->check("a rank");
            delete m;
        });
        return {owner, owner->data()};
    }
    static void wait() {}

  private:
    static inline std::mutex mutex_;
};

/// A call over ranks. Rank r has the rows [cuts[r], cuts[r + 1]), and is a GPU if bit r of `gpus` is set.
template <class T> struct RankCase {
    std::string name;
    rng::SvdOptions<T> options;
    std::vector<size_t> cuts;
    unsigned gpus;
    bool center = false;
    std::string error = {};  // by default that of one process
    rng::Engine engine = rng::Engine::philox4x32_10;
    bool subnormal = false;  // as in CallOptions
};

/// What one rank gets.
template <class T> struct RankResult {
    rng::DistSvd<computed_t<T>> svd;
    std::vector<std::byte> state;
    std::string error;
};

template <class T> rng::Matrix<T> packed(const Memory& memory, size_t rows, size_t cols, size_t pitch) {
    rng::Matrix<T> to(rows, cols);
    for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < cols; ++j) to(i, j) = reinterpret_cast<const T*>(memory.data())[i + j * pitch];
    return to;
}

/// The rows of a rank that is a GPU; U and V by columns, with gaps.
template <class T, class View>
rng::DistSvd<computed_t<T>> on_gpu(const Library& library, const View& mine, const rng::SvdOptions<T>& options,
                                   const RankCase<T>& c, size_t r, rng::Ranks& ranks, rng::Generator& generator) {
    using C = computed_t<T>;
    SvdInput input = rng::detail::svd_input(c.center ? "pca_lowrank" : "svd_lowrank", mine);
    rng::detail::set_options(input, options);
    input.center = c.center;
    input.a.rows = c.cuts.back();
    const size_t rows = mine.rows, u_gap = rows + 3, v_gap = mine.cols + 1;
    std::unique_ptr<Memory> u, v;
    rng::DistSvd<C> result;
    size_t q = 0;
    RankDevice device(library);
    const auto place = [&](size_t) { return std::make_unique<svd::DeviceRankPlace<RankDevice>>(device); };
    const auto make_room = [&](size_t columns) {
        q = columns;
        result.S.resize(q);
        u = std::make_unique<Memory>(u_gap * q * sizeof(C));
        v = std::make_unique<Memory>(v_gap * q * sizeof(C));
        return SvdOutput{u->data(), 1, static_cast<ptrdiff_t>(u_gap), result.S.data(),
                         v->data(), 1, static_cast<ptrdiff_t>(v_gap)};
    };
    rng::detail::svd_over_ranks(input, {c.cuts[r], rows}, {place, make_room}, ranks, generator);
    u->check(c.name);
    v->check(c.name);
    result.U_mine = packed<C>(*u, rows, q, u_gap);
    result.V = packed<C>(*v, mine.cols, q, v_gap);
    return result;
}

template <class T> rng::matrix_view<const T> mean_of(const rng::matrix_view<const T>& m, size_t first, size_t rows) {
    if (m.data == nullptr || m.rows == 1) return m;
    return {m.data + static_cast<ptrdiff_t>(first) * m.row_stride, rows, m.cols, m.row_stride, m.col_stride};
}

/// Compares what all ranks get with what one process gets of `whole`. part(first, rows) has some rows of it: view()
/// gives them, as a matrix_view or a csr_view.
template <class T, class Whole, class Part>
void compare_ranks(std::vector<Library>& libraries, const Whole& whole, const Part& part, const RankCase<T>& c) {
    using C = computed_t<T>;
    const auto generator = [&] {
        rng::Generator g(rng::cpu(), 42, c.engine);
        g.skip_words(5);
        return g;
    };
    const rng::PcaOptions pca{.q = c.options.q, .niter = c.options.niter, .oversampling = c.options.oversampling};
    rng::Generator of_one = generator();
    rng::LowRankSvd<C> expected;
    std::string error = error_of([&] {
        expected = c.center ? rng::pca_lowrank(whole, pca, of_one) : rng::svd_lowrank(whole, c.options, of_one);
    });
    if (!c.error.empty()) error = c.error;
    const std::vector<std::byte> state = error.empty() ? of_one.get_state() : generator().get_state();
    const size_t size = c.cuts.size() - 1;
    for (Library& library : libraries) {
        if (c.subnormal && flushes(library)) continue;
        std::vector<RankResult<T>> results(size);
        rng::ThreadRanks(static_cast<int>(size)).run([&](rng::Ranks& ranks) {
            const auto r = static_cast<size_t>(ranks.rank());
            const size_t first = c.cuts[r], rows = c.cuts[r + 1] - first;
            rng::Generator mine = generator();
            const auto its = part(first, rows);
            rng::SvdOptions<T> options = c.options;
            options.M = mean_of(options.M, first, rows);
            results[r].error = error_of([&] {
                if (c.gpus >> r & 1)
                    results[r].svd = on_gpu<T>(library, its.view(), options, c, r, ranks, mine);
                else if (c.center)
                    results[r].svd = rng::pca_lowrank(its.on_cpu(first, c.cuts.back()), pca, ranks, mine);
                else
                    results[r].svd = rng::svd_lowrank(its.on_cpu(first, c.cuts.back()), options, ranks, mine);
            });
            results[r].state = mine.get_state();
        });
        for (size_t r = 0; r < size; ++r) {
            const RankResult<T>& got = results[r];
            const std::string what = "ranks, " + c.name + ", " + std::to_string(sizeof(T)) + " bytes: rank " +
                                     std::to_string(r) + (c.gpus >> r & 1 ? ", a GPU" : ", a CPU");
            count(library, 1, got.error == error, what + ": the error '" + got.error + "', not '" + error + "',");
            count(library, 1, got.state == state, what + ": the generator");
            if (!error.empty() || !got.error.empty()) continue;
            const size_t q = expected.S.size(), rows = c.cuts[r + 1] - c.cuts[r];
            const auto compare = [&](const auto& a, const auto* b, size_t n, const char* which) {
                count(library, n, a.size() == n && (n == 0 || same(a.data(), b, n * sizeof *b)), what + ": " + which);
            };
            compare(got.svd.S, expected.S.data(), q, "S");
            compare(got.svd.U_mine.values, expected.U.values.data() + c.cuts[r] * q, rows * q, "U");
            compare(got.svd.V.values, expected.V.values.data(), expected.V.values.size(), "V");
        }
    }
}

/// Rows of a dense matrix by columns, with gaps of NaN.
template <class T> struct DensePart {
    size_t rows, cols;
    std::vector<T> values;

    DensePart(const rng::Matrix<T>& whole, size_t first, size_t n)
        : rows(n), cols(whole.cols), values((n + 3) * whole.cols) {
        std::memset(static_cast<void*>(values.data()), 0xff, values.size() * sizeof(T));
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < cols; ++j) values[i + j * (n + 3)] = whole(first + i, j);
    }
    [[nodiscard]] rng::matrix_view<const T> view() const {
        return {values.data(), rows, cols, 1, static_cast<ptrdiff_t>(rows + 3)};
    }
    [[nodiscard]] rng::dist_rows<T> on_cpu(size_t first, size_t all) const { return {view(), first, all}; }
};
template <class T> void compare_dense(std::vector<Library>& libraries, const rng::Matrix<T>& a, const RankCase<T>& c) {
    compare_ranks<T>(
        libraries, a.view(), [&](size_t first, size_t rows) { return DensePart<T>(a, first, rows); }, c);
}

/// Elements of a dense matrix that their place chooses, some rows of them; the columns of a row descend.
template <class T, class Index> struct CsrPart {
    size_t rows, cols;
    std::vector<Index> offsets{0}, columns{};
    std::vector<T> values{};

    CsrPart(const rng::Matrix<T>& whole, size_t first, size_t n) : rows(n), cols(whole.cols) {
        for (size_t i = first; i < first + n; ++i) {
            for (size_t j = cols; j-- > 0;)
                if ((7 * i + 13 * j + i * j) % 11 < 3 && i % 5 != 3) {
                    columns.push_back(static_cast<Index>(j));
                    values.push_back(whole(i, j));
                }
            offsets.push_back(static_cast<Index>(values.size()));
        }
    }
    [[nodiscard]] rng::csr_view<T, Index> view() const { return {rows, cols, offsets, columns, values}; }
    [[nodiscard]] rng::dist_csr<T, Index> on_cpu(size_t first, size_t all) const { return {view(), first, all}; }
};
template <class Index, class T>
void compare_csr(std::vector<Library>& libraries, const rng::Matrix<T>& a, const RankCase<T>& c) {
    compare_ranks<T>(
        libraries, CsrPart<T, Index>(a, 0, a.rows).view(),
        [&](size_t first, size_t rows) { return CsrPart<T, Index>(a, first, rows); }, c);
}

/// The types that sums over ranks distinguish get every case; the half types get those that read A and M.
template <class T> void compare_type(std::vector<Library>& libraries) {
    const rng::Matrix<T> row = matrix<T>(1, 24, 7), column = matrix<T>(300, 1, 8), full = matrix<T>(300, 24, 9),
                         tall = matrix<T>(300, 24, 1);
    const std::vector<size_t> ragged{0, 131, 131, 205, 300};  // no multiples of 128, and a rank without rows
    const auto dense = [&](const rng::Matrix<T>& a, const RankCase<T>& c) { compare_dense(libraries, a, c); };
    dense(tall, {"all are GPUs", {.q = 5}, ragged, 15});
    dense(tall, {"less a matrix", {.q = 4, .niter = 1, .M = full.view()}, ragged, 5});
    compare_csr<int32_t>(libraries, tall, {"sparse", {.q = 5, .niter = 1}, ragged, 9});
    compare_csr<int64_t>(libraries, tall, {"sparse less a matrix", {.q = 4, .niter = 0, .M = full.view()}, ragged, 6});
    if constexpr (sizeof(T) > 2) {
        dense(tall, {"the first is a CPU", {.q = 5, .niter = 0}, {0, 1, 129, 300}, 6});
        dense(tall, {"only the empty one is a GPU", {.q = 3, .niter = 0}, ragged, 2});
        dense(tall, {"less a row", {.q = 4, .niter = 0, .M = row.view()}, ragged, 10});
        dense(tall, {"less a column", {.q = 4, .niter = 0, .M = column.view()}, ragged, 9});
        dense(tall, {"principal components", {.q = 4, .niter = 1}, ragged, 9, true});
        dense(tall, {"oversampling", {.q = 3, .niter = 0, .oversampling = 15}, ragged, 9});
        dense(matrix<T>(150, 300, 2), {"a wide matrix", {.q = 17, .niter = 1}, {0, 40, 70, 150}, 5});
        dense(matrix<T>(300, 24, 3, 3), {"a low rank", {.q = 9, .niter = 1}, ragged, 12});  // lost columns
        dense(rng::Matrix<T>(150, 20), {"zeros", {.q = 3}, {0, 20, 150}, 2});
        dense(matrix<T>(700, 8, 4),  // pieces of several blocks, and nodes that travel up
              {"signs", {.q = 3, .niter = 1, .test_matrix = rng::TestMatrix::rademacher}, {0, 300, 513, 700}, 3});
        dense(tall, {"q of 0", {.q = 0}, ragged, 5});
        compare_csr<int32_t>(libraries, matrix<T>(150, 260, 5),
                             {"principal components, sparse", {.q = 4, .niter = 0}, {0, 40, 141, 150}, 6, true});
        rng::Matrix<T> bad = tall;
        // In a block that the last rank owns, a GPU.
        bad(258, 7) = bad(260, 1) = as<T>(std::numeric_limits<double>::quiet_NaN());
        dense(bad, {"no number", {.q = 4}, ragged, 8});
        dense(tall, {"less no number", {.q = 4, .M = std::as_const(bad).view()}, ragged, 8});
    }
}

void compare_engines(std::vector<Library>& libraries) {
    using T = std::complex<float>;
    for (const rng::Engine engine : {rng::Engine::philox4x64_10, rng::Engine::threefry4x64_20})
        compare_dense(libraries, matrix<T>(200, 16, 3, 2),
                      RankCase<T>{.name = "another engine, of low rank",
                                  .options = {.q = 6, .niter = 1},
                                  .cuts = {0, 60, 200},
                                  .gpus = 2,
                                  .engine = engine});
}

/// The GPU rotates the small matrix, and the CPU the same one.
void compare_broad(std::vector<Library>& libraries) {
    compare_dense(libraries, matrix<float>(150, 80, 22),
                  RankCase<float>{"a broad sketch", {.q = 66, .niter = 0}, {0, 70, 150}, 2});
}

/// Entries of one magnitude on two ranks: the first one decides.
void compare_ties(std::vector<Library>& libraries) {
    rng::Matrix<double> a(256, 1);
    for (size_t i = 0; i < a.rows; ++i) a(i, 0) = i < 128 ? -1 : 1;
    for (const unsigned gpus : {1u, 2u, 3u})
        compare_dense(libraries, a, RankCase<double>{"entries of one size", {.q = 1}, {0, 128, 256}, gpus});
}

/// A result above 1 MB is added up in slices: the ranks ask for some rows of a product at a time.
void compare_slices(std::vector<Library>& libraries) {
    const size_t n = 16 * 1024 + 200;
    const auto few = matrix<float>(40, n, 6);
    const auto half = matrix<rng::float16>(40, n, 6), row = matrix<rng::float16>(1, n, 7);
    const std::vector<size_t> cuts{0, 30, 40};
    compare_dense(libraries, matrix<float>(140, n, 6),
                  RankCase<float>{"slices", {.q = 3, .niter = 0}, {0, 50, 140}, 2});
    compare_dense(libraries, half,
                  RankCase<rng::float16>{"slices less a row", {.q = 3, .niter = 0, .M = row.view()}, cuts, 1});
    compare_dense(libraries, half, RankCase<rng::float16>{"slices, centred", {.q = 3, .niter = 0}, cuts, 1, true});
    compare_csr<int32_t>(libraries, few, RankCase<float>{"slices, sparse", {.q = 3, .niter = 0}, cuts, 1});
    compare_csr<int32_t>(libraries, few,
                         RankCase<float>{"slices, sparse, centred", {.q = 3, .niter = 0}, cuts, 1, true});
}

/// What only ranks refuse: the message names the rank.
void compare_faults(std::vector<Library>& libraries) {
    const rng::Matrix<float> a = matrix<float>(300, 24, 1);
    const std::vector<size_t> cuts{0, 140, 300};
    const auto spoilt = [&](const std::string& error, const auto& spoil) {
        compare_ranks<float>(
            libraries, CsrPart<float, int32_t>(a, 0, a.rows).view(),
            [&](size_t first, size_t rows) {
                CsrPart<float, int32_t> part(a, first, rows);
                if (first == 140) spoil(part);
                return part;
            },
            RankCase<float>{"a fault", {.q = 2}, cuts, 2, false, error});
    };
    using Part = CsrPart<float, int32_t>;
    spoilt("svd_lowrank: rank 1: A must have column indices in [0, 24), index 30 is 24",
           [](Part& part) { part.columns[30] = 24; });
    spoilt("svd_lowrank: rank 1: A must have 161 row offsets for 160 rows, got 160",
           [](Part& part) { part.offsets.pop_back(); });
    // Row 260, in a block that rank 1 owns.
    spoilt("svd_lowrank: rank 1: A has element (260, 23) twice", [](Part& part) {
        const auto at = static_cast<size_t>(part.offsets[120]);
        part.columns[at] = part.columns[at + 1] = 23;
    });
}

/// The goldens, whose digests LAPACK vouches for: each on ranks with random cuts.
template <class T> void compare_golden(std::vector<Library>& libraries, const rng::detail::SvdCase& one, size_t k) {
    const rng::detail::SvdCaseResult golden = run_svd_case(one, true);
    if (golden.digest != one.digest) fail("golden " + to_string(one));
    rng::Matrix<T> a(one.rows, one.cols);
    constexpr size_t parts = rng::detail::SvdElement<T>::is_complex ? 2 : 1;
    for (size_t i = 0; i < a.values.size(); ++i) {
        if constexpr (parts == 2)
            a.values[i] = {static_cast<real_t<T>>(golden.a[2 * i]), static_cast<real_t<T>>(golden.a[2 * i + 1])};
        else
            a.values[i] = as<T>(golden.a[i]);
    }
    const int size = 2 + static_cast<int>(k % 3);
    RankCase<T> c{.name = to_string(one),
                  .options = {.q = static_cast<long long>(one.q), .niter = one.niter},
                  .cuts = support::random_cuts(one.rows, size, k),
                  .gpus = static_cast<unsigned>(1 + k % 7),
                  .subnormal = true};
    if (one.variant == rng::detail::SvdVariant::rademacher) c.options.test_matrix = rng::TestMatrix::rademacher;
    compare_dense(libraries, a, c);
}
/// Every step-th of them. A less M is computed before, so cases with an M of half types are left out.
void compare_goldens(std::vector<Library>& libraries, size_t step) {
    const auto cases = rng::detail::svd_cases();
    using Variant = rng::detail::SvdVariant;
    for (size_t k = 0; k < cases.size(); k += step) {
        const auto is = [&](const char* dtype) { return std::strcmp(cases[k].dtype, dtype) == 0; };
        const Variant variant = cases[k].variant;
        const bool has_mean = variant == Variant::less_row || variant == Variant::less_all ||
                              variant == Variant::centred || variant == Variant::sparse_less_row;
        if (is("f32")) compare_golden<float>(libraries, cases[k], k);
        if (is("f64")) compare_golden<double>(libraries, cases[k], k);
        if (is("c64")) compare_golden<std::complex<float>>(libraries, cases[k], k);
        if (is("c128")) compare_golden<std::complex<double>>(libraries, cases[k], k);
        if (is("f16") && !has_mean) compare_golden<rng::float16>(libraries, cases[k], k);
        if (is("bf16") && !has_mean) compare_golden<rng::bfloat16>(libraries, cases[k], k);
    }
}

}  // namespace

void parity::compare_over_ranks(std::vector<Library>& libraries) {
    each_type([&]<class T>(T) { compare_type<T>(libraries); });
    compare_engines(libraries);
    compare_broad(libraries);
    compare_ties(libraries);
    compare_slices(libraries);
    compare_faults(libraries);
    // All of them if several architectures are compared.
    compare_goldens(libraries, libraries.size() > 1 ? 1 : 13);
}
