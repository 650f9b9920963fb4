// rng_bench_ranks: svd_lowrank of a matrix whose rows lie on the ranks of an MPI job, beside rank 0 alone with all of
// it. ranks.py runs it.
//
//     mpirun -n 2 rng_bench_ranks [ROWS COLUMNS Q ROUNDS]      200000 500 16 5 unless given
//
// One thread a rank, floats, niter 2. Rounds take turns, and the others sleep while rank 0 is alone. Before anything is
// timed, the bits of both results are compared; the exit code is 1 if one differs.
#include <rng/mpi.hpp>
#include <rng/rng.hpp>
#include <rng/svd/svd_ranks.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

namespace {

struct Sizes {
    std::size_t rows = 200000, columns = 500;
    long long q = 16;
    int rounds = 5;
};

double seconds_of(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// As MPI_Barrier, but ranks that wait leave their processors to others.
void meet_asleep() {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = 0; done == 0;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

double median(std::vector<double> v) {
    std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
    return v[v.size() / 2];
}

bool same(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

int run(rng::Ranks& ranks, const Sizes& sizes) {
    const auto r = static_cast<std::size_t>(ranks.rank());
    const std::vector<std::uint64_t> cuts = rng::aligned_rows(sizes.rows, ranks.size());
    const std::size_t first = cuts[r], count = cuts[r + 1] - first;
    const auto filled = [&](std::size_t begin, std::size_t rows) {
        std::vector<float> a(rows * sizes.columns);
        rng::fill(a, rng::normal{0.0f, 1.0f}, rng::Stream{1}, begin * sizes.columns);
        return a;
    };
    const std::vector<float> mine = filled(first, count);
    const std::vector<float> whole = r == 0 ? filled(0, sizes.rows) : std::vector<float>{};
    const auto matrix = [&](const std::vector<float>& a, std::size_t rows) {
        return rng::matrix_view<const float>::row_major(a.data(), rows, sizes.columns);
    };
    const rng::SvdOptions<float> options{.q = sizes.q};

    std::vector<double> alone, together;
    bool equal = true;
    for (int round = 0; round <= sizes.rounds; ++round) {  // round 0 warms up, and compares
        rng::Generator gen{2}, gen_of_one{2};
        rng::DistSvd<float> parts;
        decltype(rng::svd_lowrank(matrix(whole, 0), options, gen_of_one)) one;
        meet_asleep();
        if (r == 0)
            alone.push_back(
                seconds_of([&] { one = rng::svd_lowrank(matrix(whole, sizes.rows), options, gen_of_one); }));
        meet_asleep();
        MPI_Barrier(MPI_COMM_WORLD);
        together.push_back(seconds_of([&] {
            parts =
                rng::svd_lowrank(rng::dist_rows<float>{matrix(mine, count), first, sizes.rows}, options, ranks, gen);
            MPI_Barrier(MPI_COMM_WORLD);
        }));
        if (r == 0 && round == 0)
            equal = same(one.S, parts.S) && same(one.V.values, parts.V.values) &&
                    std::equal(parts.U_mine.values.begin(), parts.U_mine.values.end(), one.U.values.begin());
    }
    if (r != 0) return 0;
    alone.erase(alone.begin());
    together.erase(together.begin());
    std::printf(
        "{\"rows\": %zu, \"columns\": %zu, \"q\": %lld, \"ranks\": %d, \"one\": %.4f, \"ranks_s\": %.4f, "
        "\"ratio\": %.3f, \"same_bits\": %s}\n",
        sizes.rows, sizes.columns, sizes.q, ranks.size(), median(alone), median(together),
        median(alone) / median(together), equal ? "true" : "false");
    return equal ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    Sizes sizes;
    if (argc == 5)
        sizes = {std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10),
                 std::strtoll(argv[3], nullptr, 10), std::atoi(argv[4])};
    if ((argc != 1 && argc != 5) || sizes.rows * sizes.columns == 0 || sizes.rounds < 1) {
        std::fprintf(stderr, "rng_bench_ranks: it takes no argument, or ROWS COLUMNS Q ROUNDS, each 1 or more\n");
        MPI_Finalize();
        return 2;
    }
    rng::set_num_threads(1);
    int status = 0;
    {
        rng::mpi::Ranks ranks{MPI_COMM_WORLD};
        status = run(ranks, sizes);
    }
    MPI_Finalize();
    return status;
}
