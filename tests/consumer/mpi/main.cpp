#include <rng/mpi.hpp>
#include <rng/reduce.hpp>
#include <rng/reduce/rank_sums.hpp>
#include <rng/rng.hpp>

#include <vector>

int main(int argc, char** argv) {
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    bool is_same = false;
    {
        rng::mpi::Ranks ranks(MPI_COMM_WORLD);  // one process, without mpirun
        const std::vector<float> x = rng::sample(rng::normal{0.0f, 1.0f}, 5000, rng::Stream{1});
        is_same = rng::sum(rng::dist_span<float>{x, 0, x.size()}, ranks) == rng::sum(x);
    }
    MPI_Finalize();
    return is_same ? 0 : 1;
}
