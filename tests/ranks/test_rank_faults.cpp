// What goes wrong on one rank is told to all of them in the same words, and no generator moves.
#include <gtest/gtest.h>

#include <rng/reduce/rank_sums.hpp>
#include <rng/rng.hpp>
#include <rng/svd/svd_ranks.hpp>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../src/ranks/rank_call.hpp"
#include "../support/ranks.hpp"

namespace {

using rng::ErrorCode;
using support::expect_agreed_error;
using support::expect_one_error;

constexpr size_t cols = 6, rows_each = 150;

/// What each rank gives; a test changes it on one of them.
struct Call {
    std::vector<float> a, mean;
    rng::matrix_view<const float> mine;
    uint64_t first_row, rows;
    rng::SvdOptions<float> options{.q = 3};
    rng::Generator gen{42};

    Call(size_t rank, size_t size) : a(rows_each * cols), first_row(rank * rows_each), rows(size * rows_each) {
        rng::fill(a, rng::normal<float>{}, rng::Stream<>{1}, first_row * cols);
        mean.assign(a.size(), 0.5f);
        mine = rng::matrix_view<const float>::row_major(a.data(), rows_each, cols);
    }
    void run(rng::Ranks& ranks) {
        (void)rng::svd_lowrank(rng::dist_rows<float>{mine, first_row, rows}, options, ranks, gen);
    }
};

/// Runs svd_lowrank on three ranks, each after spoil(rank, call). All must throw `text`.
void expect_refused(const std::string& text, ErrorCode code, const std::function<void(size_t, Call&)>& spoil) {
    expect_agreed_error(3, text, code, [&](rng::Ranks& ranks) {
        Call call(static_cast<size_t>(ranks.rank()), 3);
        spoil(static_cast<size_t>(ranks.rank()), call);
        const std::vector<std::byte> before = call.gen.get_state();
        try {
            call.run(ranks);
        } catch (const rng::Error&) {
            EXPECT_EQ(call.gen.get_state(), before);
            throw;
        }
    });
}
void expect_refused(const std::string& text, const std::function<void(size_t, Call&)>& spoil) {
    expect_refused(text, ErrorCode::invalid_argument, spoil);
}

TEST(RankFaults, WhatAllMustGiveAlike) {
    const std::string same = " must be the same on all ranks, ";
    expect_refused("svd_lowrank: q" + same + "got 3 on rank 0 and 4 on rank 1",
                   [](size_t r, Call& c) { c.options.q = r == 1 ? 4 : 3; });
    expect_refused("svd_lowrank: niter" + same + "got 2 on rank 0 and -1 on rank 2",
                   [](size_t r, Call& c) { c.options.niter = r == 2 ? -1 : 2; });
    expect_refused("svd_lowrank: oversampling" + same + "got 0 on rank 0 and 4 on rank 1",
                   [](size_t r, Call& c) { c.options.oversampling = r == 1 ? 4 : 0; });
    expect_refused("svd_lowrank: oversampling must be 0 or more, got -3",
                   [](size_t, Call& c) { c.options.oversampling = -3; });
    expect_refused("svd_lowrank: rows" + same + "got 450 on rank 0 and 451 on rank 2",
                   [](size_t r, Call& c) { c.rows += r == 2; });
    expect_refused("svd_lowrank: the number of columns" + same + "got 6 on rank 0 and 5 on rank 1",
                   [](size_t r, Call& c) { c.mine.cols -= r == 1; });
    expect_refused("svd_lowrank: test_matrix" + same + "but differs between rank 0 and rank 1", [](size_t r, Call& c) {
        if (r == 1) c.options.test_matrix = rng::TestMatrix::rademacher;
    });
    expect_refused("svd_lowrank: the generator's seed" + same + "got 42 on rank 0 and 7 on rank 2",
                   [](size_t r, Call& c) {
                       if (r == 2) c.gen.manual_seed(7);
                   });
    expect_refused("svd_lowrank: the generator's position" + same + "got 0 on rank 0 and 5 on rank 1",
                   [](size_t r, Call& c) {
                       if (r == 1) c.gen.skip_words(5);
                   });
    expect_refused("svd_lowrank: the generator's state" + same + "but differs between rank 0 and rank 1",
                   [](size_t r, Call& c) {
                       if (r == 1) (void)c.gen.fork();
                   });
    expect_refused("svd_lowrank: the generator's engine" + same + "but differs between rank 0 and rank 1",
                   [](size_t r, Call& c) {
                       if (r == 1) c.gen = rng::Generator(rng::cpu(), 42, rng::Engine::threefry4x32_20);
                   });
    // A default and the same number are alike.
    rng::ThreadRanks(2).run([](rng::Ranks& ranks) {
        Call call(static_cast<size_t>(ranks.rank()), 2);
        call.options.q = ranks.rank() == 0 ? std::optional<long long>{} : 6;
        call.run(ranks);
    });
}

TEST(RankFaults, CallsAndTypes) {
    const std::vector<double> wide(rows_each * cols, 1.0);
    expect_agreed_error(
        3, "svd_lowrank: the type of the elements must be the same on all ranks, but differs between rank 0 and rank 1",
        ErrorCode::invalid_argument, [&](rng::Ranks& ranks) {
            Call call(static_cast<size_t>(ranks.rank()), 3);
            if (ranks.rank() != 1) return call.run(ranks);
            const auto mine = rng::matrix_view<const double>::row_major(wide.data(), rows_each, cols);
            (void)rng::svd_lowrank(rng::dist_rows<double>{mine, rows_each, 3 * rows_each}, {.q = 3}, ranks, call.gen);
        });
    // Each rank names its own call; the text is that of the first rank that differs.
    std::vector<std::string> texts(3);
    rng::ThreadRanks(3).run([&](rng::Ranks& ranks) {
        const auto r = static_cast<size_t>(ranks.rank());
        Call call(r, 3);
        try {
            if (r != 0) return call.run(ranks);
            (void)rng::pca_lowrank(rng::dist_rows<float>{call.mine, call.first_row, call.rows}, {.q = 3}, ranks,
                                   call.gen);
        } catch (const rng::Error& error) {
            texts[r] = error.what();
        }
    });
    const std::string text = ": the call must be the same on all ranks, but differs between rank 0 and rank 1";
    EXPECT_EQ(texts[0], "pca_lowrank" + text);
    EXPECT_EQ(texts[1], "svd_lowrank" + text);
    EXPECT_EQ(texts[2], "svd_lowrank" + text);
}

/// Changes a field of what rank 0 tells the others, as a rank of another version or byte order would have it.
class ForeignRanks final : public support::ForwardingRanks {
  public:
    ForeignRanks(rng::Ranks& ranks, size_t field) : ForwardingRanks(ranks), field_(field) {}
    void broadcast(std::span<std::byte> bytes, int root) override {
        ForwardingRanks::broadcast(bytes, root);
        if (root == 0 && rank() == 1) bytes[8 * field_] ^= std::byte{1};
    }
    void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
        std::vector<std::byte> sent(mine.begin(), mine.end());
        if (rank() == 1) sent[0] ^= std::byte{1};
        ForwardingRanks::all_gather(sent, all);
    }

  private:
    size_t field_;
};

TEST(RankFaults, VersionAndByteOrder) {
    const char* const names[] = {"the byte order", "the version of the library"};
    for (const size_t field : {size_t{0}, size_t{1}})
        expect_agreed_error(2,
                            std::string("svd_lowrank: ") + names[field] +
                                " must be the same on all ranks, but differs between rank 0 and rank 1",
                            ErrorCode::invalid_argument, [&](rng::Ranks& ranks) {
                                ForeignRanks foreign(ranks, field);
                                Call(static_cast<size_t>(ranks.rank()), 2).run(foreign);
                            });
}

TEST(RankFaults, RowsThatDoNotFit) {
    expect_refused(
        "svd_lowrank: rows [145, 150) are on rank 0 and on rank 1: the ranks have their rows in the order of the ranks",
        [](size_t r, Call& c) { c.first_row -= r == 1 ? 5 : 0; });
    expect_refused("svd_lowrank: rows [150, 153) are on no rank: rank 0 ends before them, and rank 1 begins after them",
                   [](size_t r, Call& c) { c.first_row += r == 1 ? 3 : 0; });
    expect_refused("svd_lowrank: rows [0, 150) are on no rank: rank 1 begins after them",
                   [](size_t r, Call& c) { c.mine.rows = r == 0 ? 0 : rows_each; });
    expect_refused("svd_lowrank: rows [300, 450) are on no rank: the last is rank 1",
                   [](size_t r, Call& c) { c.mine.rows = r == 2 ? 0 : rows_each; });
    expect_refused("svd_lowrank: rank 2 has 150 rows from row 301 on, of 450",
                   [](size_t r, Call& c) { c.first_row += r == 2; });
    expect_refused("svd_lowrank: rows [0, 150) are on no rank: rank 0 begins after them", [](size_t r, Call& c) {
        c.first_row = (r + 1) % 3 * rows_each;  // the last rank has the first rows
    });
}

TEST(RankFaults, ArgumentsOfOneRank) {
    expect_refused("svd_lowrank: rank 1: A is null but has elements", [](size_t r, Call& c) {
        if (r == 1) c.mine.data = nullptr;
    });
    expect_refused(
        "svd_lowrank: rank 2: M must be 150 x 6, 1 x 6 or 150 x 1 (its rows of this rank, or one for all), got 149 x 6",
        [](size_t r, Call& c) {
            c.options.M = rng::matrix_view<const float>::row_major(c.mean.data(), rows_each - (r == 2), cols);
        });
    expect_refused("svd_lowrank: M is given on rank 0 and is not on rank 1", [](size_t r, Call& c) {
        if (r != 1) c.options.M = rng::matrix_view<const float>::row_major(c.mean.data(), rows_each, cols);
    });
    expect_refused("svd_lowrank: M has 6 columns on rank 0 and 1 on rank 2", [](size_t r, Call& c) {
        c.options.M = rng::matrix_view<const float>::row_major(c.mean.data(), rows_each, r == 2 ? 1 : cols);
    });
    expect_refused("svd_lowrank: M has one row on rank 1 and one for each row of A on rank 0", [](size_t r, Call& c) {
        c.options.M = rng::matrix_view<const float>::row_major(c.mean.data(), r == 1 ? 1 : rows_each, cols);
    });
    expect_refused("svd_lowrank: M has one row on rank 0 and another on rank 2", [](size_t r, Call& c) {
        c.mean[3] = r == 2 ? 1.0f : 0.0f;
        c.options.M = rng::matrix_view<const float>::row_major(c.mean.data(), 1, cols);
    });
    // Without a rank where all are wrong alike: the text of one process.
    expect_refused("svd_lowrank: q must be in [0, 6] for a matrix of 450 x 6, got 7",
                   [](size_t, Call& c) { c.options.q = 7; });
    expect_refused("svd_lowrank: niter must be 0 or more, got -2", [](size_t, Call& c) { c.options.niter = -2; });
    expect_refused("svd_lowrank: fast has results of one machine only; leave it off for ranks", ErrorCode::unsupported,
                   [](size_t, Call& c) { c.options.fast = true; });
}

TEST(RankFaults, NotFinite) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    for (const size_t rank : {0u, 1u, 2u})
        for (const size_t row : {0u, 77u, 149u})
            expect_refused(
                "svd_lowrank: A must be finite, got NaN at (" + std::to_string(rank * rows_each + row) + ", 4)",
                [&](size_t r, Call& c) {
                    if (r == rank) c.a[row * cols + 4] = nan;
                    if (r > rank) c.a[0] = infinity;  // later, and not named
                });
    expect_refused("svd_lowrank: M must be finite, got -infinity at (151, 2)", [&](size_t r, Call& c) {
        if (r == 1) c.mean[1 * cols + 2] = -infinity;
        c.options.M = rng::matrix_view<const float>::row_major(c.mean.data(), rows_each, cols);
    });
    expect_refused("svd_lowrank: M must be finite, got NaN at (0, 2)", [&](size_t, Call& c) {
        c.mean[2] = nan;
        c.options.M = rng::matrix_view<const float>::row_major(c.mean.data(), 1, cols);
    });
    expect_refused("svd_lowrank: A - M overflows", [&](size_t r, Call& c) {
        if (r == 2) c.a[0] = -3e38f;
        c.mean.assign(c.mean.size(), 3e38f);
        c.options.M = rng::matrix_view<const float>::row_major(c.mean.data(), rows_each, cols);
    });
}

TEST(RankFaults, SparseArrays) {
    const auto refused = [](const std::string& text, auto&& spoil) {
        expect_agreed_error(2, text, ErrorCode::invalid_argument, [&](rng::Ranks& ranks) {
            std::vector<int64_t> offsets(201), columns(200);
            std::vector<double> values(200, 1.0);
            for (size_t i = 0; i <= 200; ++i) offsets[i] = static_cast<int64_t>(i);
            for (size_t i = 0; i < 200; ++i) columns[i] = static_cast<int64_t>(i % 4);
            if (ranks.rank() == 1) spoil(offsets, columns, values);
            rng::Generator gen(42);
            const rng::dist_csr<double> part{
                {200, 4, offsets, columns, values}, 200 * static_cast<uint64_t>(ranks.rank()), 400};
            (void)rng::svd_lowrank(part, {.q = 2}, ranks, gen);
        });
    };
    refused("svd_lowrank: rank 1: A must have column indices in [0, 4), index 130 is 4",
            [](auto&, auto& columns, auto&) { columns[130] = 4; });
    refused(
        "svd_lowrank: rank 1: A must have row offsets that ascend from 0 to 200, the number of values; offset 9 is 3",
        [](auto& offsets, auto&, auto&) { offsets[9] = 3; });
    refused("svd_lowrank: rank 1: A must have 201 row offsets for 200 rows, got 200",
            [](auto& offsets, auto&, auto&) { offsets.pop_back(); });
    refused("svd_lowrank: rank 1: A has element (350, 2) twice", [](auto& offsets, auto& columns, auto&) {
        offsets[151] = 152;  // rows 150 and 151 of this rank become one of two elements and one of none
        columns[150] = columns[151] = 2;
    });
    refused("svd_lowrank: A must be finite, got NaN at (317, 1)",
            [](auto&, auto&, auto& values) { values[117] = std::numeric_limits<double>::quiet_NaN(); });
}

/// Does something in the first exchange.
class HookedRanks final : public support::ForwardingRanks {
  public:
    HookedRanks(rng::Ranks& ranks, std::function<void()> hook) : ForwardingRanks(ranks), hook_(std::move(hook)) {}
    void exchange(std::span<const Message> send, std::span<Message> receive) override {
        if (hook_) hook_();
        hook_ = nullptr;
        ForwardingRanks::exchange(send, receive);
    }

  private:
    std::function<void()> hook_;
};

TEST(RankFaults, AGeneratorThatMovesMeanwhile) {
    expect_agreed_error(3, "svd_lowrank: the generator of rank 1 was moved by another thread during the call",
                        ErrorCode::invalid_argument, [](rng::Ranks& ranks) {
                            Call call(static_cast<size_t>(ranks.rank()), 3);
                            HookedRanks hooked(ranks, [&] {
                                if (ranks.rank() == 1) call.gen.skip_words(4);
                            });
                            try {
                                call.run(hooked);
                            } catch (const rng::Error&) {
                                EXPECT_EQ(call.gen.position(), ranks.rank() == 1 ? 4u : 0u);
                                throw;
                            }
                        });
}

// A generator that one rank cannot use is found before any collective call of the ranks differs.
TEST(RankFaults, AGeneratorThatWasMovedFrom) {
    for (const int spoilt : {0, 2})
        expect_agreed_error(3,
                            "svd_lowrank: rank " + std::to_string(spoilt) + ": Generator: used after it was moved from",
                            ErrorCode::invalid_argument, [&](rng::Ranks& ranks) {
                                Call call(static_cast<size_t>(ranks.rank()), 3);
                                if (ranks.rank() == spoilt) (void)rng::Generator(std::move(call.gen));
                                call.run(ranks);
                            });
}

// At its end on all ranks, or only on one that another thread moves during the call.
TEST(RankFaults, AGeneratorAtItsEnd) {
    for (const bool is_raced : {false, true})
        expect_agreed_error(3,
                            std::string("svd_lowrank: rank ") + (is_raced ? "1" : "0") +
                                ": address past the end of the stream (a stream has 2^56 blocks)",
                            ErrorCode::end_of_stream, [&](rng::Ranks& ranks) {
                                Call call(static_cast<size_t>(ranks.rank()), 3);
                                const auto move_on = [&] { call.gen.skip_words((uint64_t{1} << 58) - 4); };
                                if (!is_raced) move_on();
                                HookedRanks hooked(ranks, [&] {
                                    if (is_raced && ranks.rank() == 1) move_on();
                                });
                                call.run(hooked);
                            });
}

// Settings that the environment of a process has wrong.
TEST(RankFaults, ABadSetting) {
    std::string isas;
    for (const rng::Isa isa : rng::available_isas()) isas += (isas.empty() ? "" : ", ") + std::string(to_string(isa));
    const char* const before = std::getenv("RNG_ISA");
    const std::string old = before == nullptr ? "" : before;
    const std::string text = ": rank 0: RNG_ISA: \"none\" is not available; this machine and build have " + isas;
    setenv("RNG_ISA", "none", 1);
    rng::reset_isa();
    rng::Generator gen(1);
    const std::vector<float> x(rows_each * cols, 1.0f);
    const auto part_of = [](rng::Ranks& ranks, size_t n) { return n * static_cast<uint64_t>(ranks.rank()); };
    expect_agreed_error(2, "svd_lowrank" + text, ErrorCode::unsupported, [&](rng::Ranks& ranks) {
        rng::Generator mine = gen.clone();
        const auto rows = rng::matrix_view<const float>::row_major(x.data(), rows_each, cols);
        (void)rng::svd_lowrank(rng::dist_rows<float>{rows, part_of(ranks, rows_each), 2 * rows_each}, {.q = 2}, ranks,
                               mine);
    });
    expect_agreed_error(2, "sum" + text, ErrorCode::unsupported, [&](rng::Ranks& ranks) {
        (void)rng::sum(rng::dist_span<float>{x, part_of(ranks, x.size()), 2 * x.size()}, ranks);
    });
    setenv("RNG_ISA", old.c_str(), 1);
    rng::reset_isa();
}

// One generator for all threads: the first claim moves it. The others must neither wait nor go on with other numbers.
TEST(RankFaults, ASharedGenerator) {
    rng::Generator shared(42);
    std::vector<std::string> texts(3);
    rng::ThreadRanks(3).run([&](rng::Ranks& ranks) {
        Call call(static_cast<size_t>(ranks.rank()), 3);
        try {
            (void)rng::svd_lowrank(rng::dist_rows<float>{call.mine, call.first_row, call.rows}, call.options, ranks,
                                   shared);
        } catch (const rng::Error& error) {
            texts[static_cast<size_t>(ranks.rank())] = error.what();
            EXPECT_EQ(error.code(), ErrorCode::ranks);
        }
    });
    for (const std::string& text : texts) EXPECT_NE(text.find("each rank needs its own"), std::string::npos) << text;
}

// An Error that nothing has made known to the others is one of this rank alone: those that wait get its text.
TEST(RankFaults, AnErrorOfOneRank) {
    expect_one_error(3, "sum: rank 1: mean: not here", ErrorCode::ranks, [](rng::Ranks& ranks) {
        rng::detail::RankCall::run("sum", ranks, [](rng::detail::RankCall& call) {
            if (call.rank() == 1) rng::detail::refuse("mean", "not here");
            (void)call.gathered(1);
        });
    });
    // All agree on this one.
    expect_agreed_error(3, "mean: not here", ErrorCode::invalid_argument, [](rng::Ranks& ranks) {
        rng::detail::RankCall::run("sum", ranks, [](rng::detail::RankCall& call) {
            call.alike([] { rng::detail::refuse("mean", "not here"); });
        });
    });
}

// An exception between collective calls ends the group: those that wait get its text.
TEST(RankFaults, AnExceptionOnOneRank) {
    expect_one_error(3, "svd_lowrank: rank 2: the network is gone", ErrorCode::ranks, [](rng::Ranks& ranks) {
        HookedRanks hooked(ranks, [&] {
            if (ranks.rank() == 2) throw std::runtime_error("the network is gone");
        });
        Call(static_cast<size_t>(ranks.rank()), 3).run(hooked);
    });
    // An Error of the transport too: it is no error that the ranks agreed on.
    expect_one_error(3, "MPI_Isend: no", ErrorCode::ranks, [](rng::Ranks& ranks) {
        HookedRanks hooked(ranks, [&] {
            if (ranks.rank() == 0) throw rng::Error(ErrorCode::ranks, "MPI_Isend: no");
        });
        Call(static_cast<size_t>(ranks.rank()), 3).run(hooked);
    });
}

}  // namespace
