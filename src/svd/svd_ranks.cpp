// svd_lowrank and pca_lowrank over ranks: their arguments, and the algorithm over a backend of each rank.
#include <rng/svd/svd_ranks.hpp>

#include <rng/verify.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "../cpu/fp_environment.hpp"
#include "host_backend.hpp"
#include "range_finder.hpp"
#include "rank_slabs.hpp"
#include "texts.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

/// A rank owns whole blocks of rows. X^H X has a term for each row, A^H X has two for a row of complex numbers: these
/// blocks hold whole blocks of either.
constexpr size_t block_rows = rng_abi::sum_block;

/// Returns the arguments for checked_svd, without those that differ between ranks.
SvdInput common(const SvdInput& in) {
    SvdInput all = in;
    all.a.parts.clear();
    all.a.sparse = {};
    all.a.mean = {};
    return all;
}

/// The arguments that must be the same on all ranks.
std::vector<RankField> fields_of(const SvdInput& in, const Generator& generator, std::span<const std::byte> state) {
    const MatrixDescription& a = in.a;
    const long long q = in.q.value_or(static_cast<long long>(std::min<size_t>({6, a.rows, a.cols})));
    const auto yes = [](bool b) { return b ? uint64_t{1} : uint64_t{0}; };
    const uint64_t type = static_cast<uint64_t>(a.type) * 4 + yes(a.is_double) * 2 + yes(a.is_complex);
    const auto index_bytes = static_cast<uint64_t>(a.sparse.index_bytes);
    return {{"the type of the elements", type, false},
            {"the kind of the matrix (dense or CSR)", yes(index_bytes != 0), false},
            {"the bytes of an index", index_bytes},
            {"rows", a.rows},
            {"the number of columns", a.cols},
            {"q", static_cast<uint64_t>(q)},
            {"niter", static_cast<uint64_t>(in.niter)},
            {"test_matrix", static_cast<uint64_t>(in.test_matrix), false},
            {"center", yes(in.center)},
            {"fast", yes(in.fast)},
            {"oversampling", static_cast<uint64_t>(in.oversampling)},
            {"the generator's engine", static_cast<uint64_t>(generator.engine()), false},
            {"the generator's seed", generator.initial_seed()},
            {"the generator's stream id", generator.id()},
            {"the generator's position", generator.position()},
            {"the generator's state", digest(state), false}};
}

/// Checks M's shape and the arrays of a sparse matrix, both on this rank alone.
void check_mine(const SvdInput& in, uint64_t rows, RankPlace& place) {
    const MatrixDescription& a = in.a;
    const DenseDescription& mean = a.mean;
    if (rows > 0 && mean.data != nullptr &&
        !((mean.rows == rows || mean.rows == 1) && (mean.cols == a.cols || mean.cols == 1)))
        refuse(in.call, "M must be " + shape_text(rows, a.cols) + ", " + shape_text(1, a.cols) + " or " +
                            shape_text(rows, 1) + " (its rows of this rank, or one for all), got " +
                            shape_text(mean.rows, mean.cols));
    if (a.sparse.index_bytes == 0) return;
    MatrixDescription mine = a;
    mine.rows = rows;
    place.check_sparse(in.call, mine);
}

template <class T>
void run(const SvdInput& in, const RankLayout& layout, const SvdShape& shape, const RankSide& side, RankPlace& place,
         Generator& generator, std::vector<std::byte> state) {
    RankCall& call = layout.call();
    const RankMean mean = rank_mean(call, place, in.a, layout.given_count());
    const RankSlabs slabs(layout, in.a, mean, place);
    std::unique_ptr<SvdBackend<T>> backend;
    call.attempt([&] {
        place.make({in, shape, slabs.all(), side.make_room(shape.returned_q), &layout},
                   in.center || mean != RankMean::none, backend);
    });
    svd_lowrank_at<T>({in, shape, &call, std::move(state)}, {&backend, 1}, generator);
    place.wait();
}

}  // namespace

void svd_over_ranks(const SvdInput& in, RankRows mine, const RankSide& side, Ranks& ranks, Generator& generator) {
    const rng_cpu::FpEnvironment environment;
    RankCall::run(in.call, ranks, [&](RankCall& call) {
        std::vector<std::byte> state;
        call.require_same([&] {
            state = generator.get_state();
            return fields_of(in, generator, state);
        });
        if (in.fast)
            call.refuse_alike("fast has results of one machine only; leave it off for ranks", ErrorCode::unsupported);
        const SvdShape shape = call.alike([&] { return checked_shape(common(in)); });
        std::unique_ptr<RankPlace> place;
        call.attempt([&] {
            place = side.place(shape.returned_q);
            check_mine(in, mine.count, *place);
        });
        const RankLayout layout(call, "row", mine.first, mine.count, in.a.rows, block_rows);
        in.a.is_double ? run<double>(in, layout, shape, side, *place, generator, std::move(state))
                       : run<float>(in, layout, shape, side, *place, generator, std::move(state));
    });
}

void run_svd_ranks(const SvdInput& in, RankRows mine, const std::function<SvdOutput(size_t)>& make_room, Ranks& ranks,
                   Generator& generator) {
    const auto place = [&](size_t) {
        if (!(generator.device() == cpu()))
            refuse(in.call, "the matrix is in host memory but the generator is on " + to_string(generator.device()));
        for (const DenseDescription& part : in.a.parts)
            if (part.data == nullptr && part.rows * in.a.cols > 0)
                refuse(in.call, in.a.name + " is null but has elements");
        return host_rank_place();
    };
    svd_over_ranks(in, mine, {place, make_room}, ranks, generator);
}

}  // namespace detail

std::vector<uint64_t> aligned_rows(uint64_t rows, int ranks) {
    if (ranks < 1)
        detail::raise_text(ErrorCode::invalid_argument, "aligned_rows: ranks must be 1 or more, got %d", ranks);
    const auto n = static_cast<uint64_t>(ranks);
    // Eight units for each rank: the greatest part is at most an eighth larger than the others.
    uint64_t unit = detail::block_rows;
    while (rows / n / 16 >= unit) unit *= 2;
    const uint64_t units = rows / unit + (rows % unit != 0 ? 1 : 0);
    std::vector<uint64_t> cuts;
    for (uint64_t r = 0; r <= n; ++r) {
        const uint64_t now = units / n * r + units % n * r / n;
        cuts.push_back(now >= units ? rows : now * unit);
    }
    return cuts;
}

RNG_END_NAMESPACE
