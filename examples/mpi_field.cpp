// A field of normals that is spread over MPI ranks in blocks of rows, its sum and norm, and one file that all ranks
// write.
//
//     mpirun -n 4 mpi_field [FILE]        FILE is mpi_field.bin unless given: 1500 x 1000 floats
//
// Each rank fills its rows by their place in the whole field, from one seed. So field, sum, norm and file have the same
// bits for any number of ranks. Rank 0 makes the whole field alone and compares: the exit code is 1 if anything
// differs.
#include <rng/mpi.hpp>
#include <rng/reduce.hpp>
#include <rng/reduce/rank_sums.hpp>
#include <rng/rng.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <span>
#include <vector>

namespace {

constexpr std::uint64_t rows = 1500, cols = 1000;
constexpr rng::normal law{0.0f, 1.0f};
constexpr rng::Stream stream{2026};

/// The rows of one rank. Their numbers in the whole field are first * cols, first * cols + 1, ...
struct Block {
    std::uint64_t first, count;
};
Block block_of(std::uint64_t rank, std::uint64_t ranks) {
    const std::uint64_t first = rows * rank / ranks;
    return {first, rows * (rank + 1) / ranks - first};
}

/// Each rank writes its values at their place. The call is collective: MPI may join the writes of all ranks.
void write_part(const char* name, std::span<const float> values, std::uint64_t first) {
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 0);  // nothing of an older file stays
    MPI_File_write_at_all(file, static_cast<MPI_Offset>(first * sizeof(float)), values.data(),
                          static_cast<int>(values.size()), MPI_FLOAT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);  // who reads the file now, reads what all ranks have written
}

std::vector<float> read_all(const char* name) {
    std::ifstream file(name, std::ios::binary | std::ios::ate);
    std::vector<float> values(file ? static_cast<std::size_t>(file.tellg()) / sizeof(float) : 0);
    file.seekg(0);
    file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(float)));
    return values;
}

bool equal(const char* what, std::span<const float> a, std::span<const float> b) {
    const bool same = a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
    std::printf("%s: %s\n", what, same ? "the bits of one process" : "OTHER BITS");
    return same;
}

int run(rng::Ranks& ranks, const char* name) {
    const Block block = block_of(static_cast<std::uint64_t>(ranks.rank()), static_cast<std::uint64_t>(ranks.size()));
    const std::uint64_t first = block.first * cols;
    std::vector<float> mine(block.count * cols);
    rng::fill(mine, law, stream, first);  // no message

    const rng::dist_span<float> part{mine, first, rows * cols};
    const float sum = rng::sum(part, ranks), norm = rng::norm2(part, ranks);
    write_part(name, mine, first);
    if (ranks.rank() != 0) return 0;

    std::vector<float> whole(rows * cols);
    rng::fill(whole, law, stream);
    const float sum_of_one = rng::sum(whole), norm_of_one = rng::norm2(whole);
    std::printf("%d ranks, %g x %g normals, sum %.9g, norm %.9g\n", ranks.size(), double{rows}, double{cols},
                double{sum}, double{norm});
    const bool same_sum = equal("sum", {&sum, 1}, {&sum_of_one, 1});
    const bool same_norm = equal("norm", {&norm, 1}, {&norm_of_one, 1});
    const bool same_file = equal("file", read_all(name), whole);
    return same_sum && same_norm && same_file ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);  // of files that are opened from now on
    int code = 0;
    {
        rng::mpi::Ranks ranks(MPI_COMM_WORLD);
        code = run(ranks, argc > 1 ? argv[1] : "mpi_field.bin");
    }
    MPI_Finalize();
    return code;
}
