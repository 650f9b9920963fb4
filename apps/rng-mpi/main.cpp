// The program rng-mpi: rng test and rng calibrate on the processes of an MPI job. Rank 0 is the program, and the others
// count for it.
#include <rng/mpi.hpp>

#include <rng/isa.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "apps/rng/command.hpp"
#include "apps/rng/program.hpp"
#include "apps/rng/test_run.hpp"
#include "rank_battery.hpp"
#include "rank_calibration.hpp"

namespace {

constexpr const char* footer =
    "mpirun -n P rng-mpi COMMAND: rank 0 reads the arguments and writes all output.\n\n"
    "Environment:\n"
    "  RNG_ISA            scalar, avx2, avx512 or neon instead of the best of a machine\n"
    "  RNG_NUM_THREADS    threads of each rank, 1 to 1024 (default: the ranks of a machine share its processors)\n"
    "Neither changes a result.\n\n"
    "Exit codes: those of rng test and rng calibrate; 128 + signal interrupted.\n";

constexpr const char* test_footer =
    "rng test, with its segments shared out over the ranks of an MPI job. Text, JSON, HTML and exit code are those of "
    "rng test with the same arguments, for any number of ranks. The source must be an engine or a file of known size, "
    "which all ranks can open.\n\n"
    "--checkpoint names a folder here. It has the counts of segments that are done, and --resume goes on from them, "
    "also with another number of ranks.\n\n"
    "Each rank uses --threads threads. Without it the ranks of a machine share its processors.\n\n"
    "Examples:\n"
    "  mpirun -n 8 rng-mpi test --tier standard --threads 4\n"
    "  mpirun -n 64 rng-mpi test --tier deep --checkpoint state       and again with --resume\n"
    "  mpirun -n 4 rng-mpi test --file words.bin --json report.json\n";

constexpr const char* calibrate_footer =
    "rng calibrate, with its batteries shared out over the ranks of an MPI job. Text, JSON and exit code are those of "
    "rng calibrate with the same arguments, for any number of ranks.\n\n"
    "--checkpoint names a folder here. It has the counts of batteries that are done, and --resume goes on from them, "
    "also with another number of ranks.\n\n"
    "Each rank runs --threads batteries at a time. Without it the ranks of a machine share its processors.\n\n"
    "Examples:\n"
    "  mpirun -n 8 rng-mpi calibrate --batteries 10000 --bytes 4Mi --threads 4\n"
    "  mpirun -n 64 rng-mpi calibrate --bytes 1Gi --checkpoint state    and again with --resume\n";

/// Shares the processors of a machine out among its ranks, unless the user says how many threads a rank has.
void share_processors() {
    if (std::getenv("RNG_NUM_THREADS") != nullptr) return;
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    int ranks = 1;
    MPI_Comm_size(machine, &ranks);
    MPI_Comm_free(&machine);
    rng::set_num_threads(std::max(1, rng::num_threads() / ranks));  // a rank bound to one processor sees that alone
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    share_processors();
    int code = 0;
    {
        rng::mpi::Ranks ranks(MPI_COMM_WORLD);
        if (ranks.rank() == 0) {
            const auto commands = [&](cli::CommandLine& program) {
                cli::Command test = cli::add_test(program, cli::battery_over(ranks));
                test.line.set_footer(test_footer);
                cli::Command calibrate = cli::add_calibrate(program, cli::calibration_over(ranks));
                calibrate.line.set_footer(calibrate_footer);
                return std::vector{test, calibrate};
            };
            try {
                code = cli::run_program(argc, argv,
                                        {"rng-mpi", "Statistical tests on the ranks of an MPI job.", footer, commands});
            } catch (const cli::Interrupted& interrupted) {
                std::fprintf(stderr,
                             "rng-mpi %s: interrupted: --resume goes on from the counts of --checkpoint, if it was "
                             "given\n",
                             interrupted.command.c_str());
                code = cli::exit_by_signal + interrupted.signal;
            }
            cli::release(ranks);
        } else {
            try {
                cli::count_for_rank_0(ranks, {{"test", cli::segment_counter}, {"calibrate", cli::battery_counter}});
            } catch (const std::exception& error) {
                ranks.fail(error.what());
            }
        }
    }
    MPI_Finalize();
    return code;
}
