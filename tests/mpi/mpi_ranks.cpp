// Run by mpirun on several processes (CMakeLists.txt): calls over mpi::Ranks give the bits of one process.
//
//     mpi_ranks all        goldens, sums, messages and errors; the exit code says whether all is right
//     mpi_ranks isas       the goldens, with another instruction set on each rank
//     mpi_ranks fail       the last rank throws between two collective calls: the whole job must end
#include <rng/mpi.hpp>  // first: it must compile alone

#include <rng/reduce.hpp>
#include <rng/reduce/rank_sums.hpp>
#include <rng/rng.hpp>
#include <rng/svd/svd_ranks.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../src/verify/svd_cases.hpp"
#include "../support/forwarding_ranks.hpp"
#include "../support/rank_cuts.hpp"
#include "../support/sampled.hpp"

namespace {

int faults = 0;

/// Counts and names what is wrong on a rank.
void expect(rng::Ranks& ranks, bool is_right, const std::string& what) {
    if (is_right) return;
    ++faults;
    std::fprintf(stderr, "rank %d of %d: %s\n", ranks.rank(), ranks.size(), what.c_str());
}

void goldens(rng::Ranks& ranks, size_t step) {
    const auto cases = rng::detail::svd_cases();
    const auto r = static_cast<size_t>(ranks.rank());
    for (size_t k = 0; k < cases.size(); k += step) {
        const auto cuts = support::random_cuts(cases[k].rows, ranks.size(), 7 * k + 1);
        const rng::detail::SvdCasePart part{ranks, cuts[r], cuts[r + 1] - cuts[r]};
        expect(ranks, run_svd_case(cases[k], false, rng::cpu(), &part).digest == cases[k].digest, to_string(cases[k]));
    }
}

// A result of more than 1 MB goes in slices.
void slices(rng::Ranks& ranks) {
    const size_t m = 300, n = 20000;
    const auto cuts = support::random_cuts(m, ranks.size(), 5);
    const size_t first = cuts[static_cast<size_t>(ranks.rank())],
                 rows = cuts[static_cast<size_t>(ranks.rank()) + 1] - first;
    const std::vector<float> a = rng::sample(rng::normal{0.0f, 1.0f}, m * n, rng::Stream<>{3});
    const auto rows_of = [&](size_t begin, size_t count) {
        return rng::matrix_view<const float>::row_major(a.data() + begin * n, count, n);
    };
    rng::Generator one(9), mine(9);
    const auto whole = rng::svd_lowrank(rows_of(0, m), {.q = 16, .niter = 1}, one);
    const auto part =
        rng::svd_lowrank(rng::dist_rows<float>{rows_of(first, rows), first, m}, {.q = 16, .niter = 1}, ranks, mine);
    expect(ranks, part.V.values == whole.V.values && part.S == whole.S && one.position() == mine.position(), "slices");
    expect(ranks,
           std::memcmp(part.U_mine.values.data(), whole.U.values.data() + first * 16, rows * 16 * sizeof(float)) == 0,
           "U of slices");
}

void sums(rng::Ranks& ranks) {
    const std::vector<float> x = rng::sample(rng::normal{0.5f, 1.0f}, 50'000, rng::Stream<>{4});
    for (size_t seed = 0; seed < 10; ++seed) {
        const auto cuts = support::random_cuts(x.size(), ranks.size(), seed);
        const size_t first = cuts[static_cast<size_t>(ranks.rank())];
        const rng::dist_span<float> part{
            std::span(x).subspan(first, cuts[static_cast<size_t>(ranks.rank()) + 1] - first), first, x.size()};
        expect(ranks, rng::sum(part, ranks) == rng::sum(x), "sum");
        expect(ranks, rng::variance<double>(part, ranks) == rng::variance<double>(x), "variance");
        expect(ranks, rng::norm2(part, ranks) == rng::norm2(x), "norm2");
        expect(ranks, rng::dot(part, part, ranks) == rng::dot(x, x), "dot");
    }
}

/// Everyone sends to everyone, and messages are longer than a piece.
void messages(rng::Ranks& ranks) {
    const auto p = static_cast<size_t>(ranks.size()), r = static_cast<size_t>(ranks.rank()), n = size_t{2345};
    std::vector<uint32_t> sent(p * n), received(p * n), all(p * n);
    std::iota(sent.begin(), sent.end(), static_cast<uint32_t>(r * p * n));
    std::vector<rng::Ranks::Message> send, receive;
    for (size_t peer = 0; peer < p; ++peer) {
        send.push_back({static_cast<int>(peer), 3, std::as_writable_bytes(std::span(sent).subspan(peer * n, n))});
        receive.push_back(
            {static_cast<int>(peer), 3, std::as_writable_bytes(std::span(received).subspan(peer * n, n))});
    }
    ranks.exchange(send, receive);
    bool is_right = true;
    for (size_t i = 0; i < received.size(); ++i) is_right &= received[i] == i / n * p * n + r * n + i % n;
    expect(ranks, is_right, "messages");
    ranks.all_gather(std::as_bytes(std::span(sent).first(n)), std::as_writable_bytes(std::span(all)));
    for (size_t i = 0; i < all.size(); ++i) is_right &= all[i] == i / n * p * n + i % n;
    expect(ranks, is_right, "all_gather");
    std::vector<uint32_t> from_last = sent;
    ranks.broadcast(std::as_writable_bytes(std::span(from_last)), static_cast<int>(p) - 1);
    expect(ranks, from_last[0] == (p - 1) * p * n && from_last.back() == p * p * n - 1, "broadcast");
}

/// Expects an Error with this text.
template <class F> void expect_refused(rng::Ranks& ranks, const std::string& text, const F& f) {
    std::string got = "no error";
    try {
        f();
    } catch (const rng::Error& error) {
        got = error.what();
    }
    expect(ranks, got == text, "expected \"" + text + "\", got \"" + got + '"');
}

void errors(rng::Ranks& ranks) {
    const size_t rows = 200, last = static_cast<size_t>(ranks.size()) - 1, r = static_cast<size_t>(ranks.rank());
    std::vector<float> a(rows * 4, 1.0f);
    const rng::dist_rows<float> part{rng::matrix_view<const float>::row_major(a.data(), rows, 4), r * rows,
                                     rows * (last + 1)};
    rng::Generator gen(1), other(r == last && last > 0 ? 2 : 1);
    if (last > 0)
        expect_refused(
            ranks,
            "svd_lowrank: the generator's seed must be the same on all ranks, got 1 on rank 0 and 2 on rank " +
                std::to_string(last),
            [&] { (void)rng::svd_lowrank(part, {.q = 2}, ranks, other); });
    if (r == last) a[7 * 4 + 2] = std::numeric_limits<float>::quiet_NaN();
    expect_refused(ranks, "svd_lowrank: A must be finite, got NaN at (" + std::to_string(last * rows + 7) + ", 2)",
                   [&] { (void)rng::svd_lowrank(part, {.q = 2}, ranks, gen); });
    expect(ranks, gen.position() == 0, "the generator moved");
    expect_refused(ranks, "mpi::Ranks: comm must not be MPI_COMM_NULL", [] { rng::mpi::Ranks null(MPI_COMM_NULL); });
    expect_refused(ranks, "mpi::Ranks: most_bytes must be in [1, 2^30], got 0",
                   [] { rng::mpi::Ranks none(MPI_COMM_WORLD, 0); });
    // What one process gives is refused on all.
    for (const size_t bytes : {size_t{0}, (size_t{1} << 30) + 1})
        expect_refused(ranks, "mpi::Ranks: most_bytes must be in [1, 2^30], got " + std::to_string(bytes),
                       [&] { rng::mpi::Ranks none(MPI_COMM_WORLD, r == last ? bytes : 1000); });
    for (const int root : {-1, ranks.size()})
        expect_refused(
            ranks,
            "Ranks::broadcast: root must be in [0, " + std::to_string(ranks.size()) + "), got " + std::to_string(root),
            [&] { ranks.broadcast(std::as_writable_bytes(std::span(a)), root); });
    expect_refused(
        ranks,
        "Ranks::all_gather: all must have 4 bytes for each of " + std::to_string(ranks.size()) +
            " ranks, got 3200 in total",
        [&] { ranks.all_gather(std::as_bytes(std::span(a).first(1)), std::as_writable_bytes(std::span(a))); });
    // A generator and a setting of the last rank: the others must not wait for it.
    const std::string of_last = "svd_lowrank: rank " + std::to_string(last) + ": ";
    a[7 * 4 + 2] = 1.0f;
    if (r == last) (void)rng::Generator(std::move(other));
    expect_refused(ranks, of_last + "Generator: used after it was moved from",
                   [&] { (void)rng::svd_lowrank(part, {.q = 2}, ranks, other); });
    std::string isas;
    for (const rng::Isa isa : rng::available_isas()) isas += (isas.empty() ? "" : ", ") + std::string(to_string(isa));
    if (r == last) setenv("RNG_ISA", "none", 1);
    rng::reset_isa();
    expect_refused(ranks, of_last + "RNG_ISA: \"none\" is not available; this machine and build have " + isas,
                   [&] { (void)rng::svd_lowrank(part, {.q = 2}, ranks, gen); });
    unsetenv("RNG_ISA");
    rng::reset_isa();
    // MPI's own errors come back as ours.
    int number = 0;
    const rng::Ranks::Message nobody{static_cast<int>(last) + 5, 0, std::as_writable_bytes(std::span(&number, 1))};
    try {
        ranks.exchange({&nobody, 1}, {});
        expect(ranks, false, "a message to nobody was sent");
    } catch (const rng::Error& error) {
        expect(ranks, error.code() == rng::ErrorCode::ranks && std::strncmp(error.what(), "MPI_Isend: ", 11) == 0,
               error.what());
    }
}

/// Throws in the first exchange of the last rank.
class Broken final : public support::ForwardingRanks {
  public:
    explicit Broken(rng::Ranks& ranks) : ForwardingRanks(ranks) {}
    void exchange(std::span<const Message> send, std::span<Message> receive) override {
        if (rank() == size() - 1) throw std::runtime_error("the network is gone");
        ForwardingRanks::exchange(send, receive);
    }
};

void run(const std::string& what) {
    rng::mpi::Ranks ranks(MPI_COMM_WORLD);
    // The processes ask for other pieces, and agree on those of 1000 bytes.
    rng::mpi::Ranks in_pieces(MPI_COMM_WORLD, 1300 - 300 * static_cast<size_t>(ranks.rank() == ranks.size() - 1));
    if (what == "fail") {
        Broken broken(ranks);
        const std::vector<float> a(100 * 4, 1.0f);
        const auto r = static_cast<uint64_t>(ranks.rank());
        rng::Generator gen(1);
        (void)rng::svd_lowrank(rng::dist_rows<float>{rng::matrix_view<const float>::row_major(a.data(), 100, 4),
                                                     100 * r, 100 * static_cast<uint64_t>(ranks.size())},
                               {.q = 2}, broken, gen);
        return;
    }
    if (what == "isas") {
        const auto isas = rng::available_isas();
        rng::set_isa(isas[static_cast<size_t>(ranks.rank()) % isas.size()]);
        return goldens(ranks, support::share());
    }
    goldens(ranks, support::share());
    goldens(in_pieces, 10 * support::share());
    slices(ranks);
    sums(ranks);
    messages(ranks);
    messages(in_pieces);
    errors(ranks);
}

}  // namespace

int main(int argc, char** argv) {
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    rng::set_num_threads(1);
    run(argc > 1 ? argv[1] : "all");
    int all = 0;
    MPI_Allreduce(&faults, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all == 0 ? 0 : 1;
}
