// mpi::Ranks: the processes of an MPI communicator as rng::Ranks.
//
//     int level = 0;
//     MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
//     {
//         rng::mpi::Ranks ranks(MPI_COMM_WORLD);      // for rng::svd_lowrank(part, options, ranks, gen) and so on
//         std::printf("rank %d of %d\n", ranks.rank(), ranks.size());
//     }
//     MPI_Finalize();
//
// This header is compiled with the program's MPI. librng itself does not use MPI, so it works with any implementation.
// With CMake: find_package(MPI), then target_link_libraries(... rng::mpi). Only the calling thread calls MPI, but
// librng starts threads of its own. So a program must request at least MPI_THREAD_FUNNELED, or MPI_THREAD_SERIALIZED if
// it calls the library from a thread other than the main one.
#pragma once

#include "core/error.hpp"  // first: under C++17 its message says what is wrong

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "ranks.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace mpi {

/// The ranks of an MPI communicator. They use a duplicate of it, so messages of the program and of the library do not
/// mix. Errors of MPI become Error (ranks), with the name of the MPI function and its text. fail() calls MPI_Abort.
class Ranks final : public rng::Ranks {
  public:
    /// Duplicates the communicator: all its processes must create a Ranks, and destroy it before MPI_Finalize.
    /// Messages of more than most_bytes (1 to 2^30) are sent in chunks, since MPI counts with an int. If processes give
    /// different limits, the least holds for all.
    /// Throws Error (invalid_argument) for MPI_COMM_NULL, an inter-communicator, or most_bytes out of range on any
    /// process, and Error (ranks) if MPI is not initialised or already finalised.
    explicit Ranks(MPI_Comm comm, std::size_t most_bytes = std::size_t{1} << 30) : most_bytes_(most_bytes) {
        int has_begun = 0, has_ended = 0, is_inter = 0;
        check("MPI_Initialized", MPI_Initialized(&has_begun));
        check("MPI_Finalized", MPI_Finalized(&has_ended));
        if (has_begun == 0 || has_ended != 0)
            detail::raise(ErrorCode::ranks, has_begun == 0 ? "mpi::Ranks: MPI_Init has not been called"
                                                           : "mpi::Ranks: MPI_Finalize has been called");
        if (comm == MPI_COMM_NULL)
            detail::raise(ErrorCode::invalid_argument, "mpi::Ranks: comm must not be MPI_COMM_NULL");
        check("MPI_Comm_test_inter", MPI_Comm_test_inter(comm, &is_inter));
        if (is_inter != 0)
            detail::raise(ErrorCode::invalid_argument, "mpi::Ranks: comm must not be an inter-communicator");
        check("MPI_Comm_dup", MPI_Comm_dup(comm, &comm_));
        check("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN));
        check("MPI_Comm_rank", MPI_Comm_rank(comm_, &rank_));
        check("MPI_Comm_size", MPI_Comm_size(comm_, &size_));
        agree_on_most_bytes();
    }
    ~Ranks() override {
        int has_ended = 0;
        if (MPI_Finalized(&has_ended) == MPI_SUCCESS && has_ended == 0) MPI_Comm_free(&comm_);
    }

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return size_; }

    void exchange(std::span<const Message> send, std::span<Message> receive) override {
        start(send, receive);
        finish();
    }
    void start(std::span<const Message> send, std::span<Message> receive) override {
        for (const Message& message : receive)
            each_chunk(message.bytes, [&](std::byte* data, int bytes) {
                expected_.push_back({message.peer, bytes});
                check("MPI_Irecv", MPI_Irecv(data, bytes, MPI_BYTE, message.peer, message.tag, comm_, next_request()));
            });
        for (const Message& message : send)
            each_chunk(message.bytes, [&](std::byte* data, int bytes) {
                check("MPI_Isend", MPI_Isend(data, bytes, MPI_BYTE, message.peer, message.tag, comm_, next_request()));
            });
    }
    void finish() override {
        std::vector<MPI_Request> requests = std::exchange(requests_, {});
        const std::vector<Expected> expected = std::exchange(expected_, {});
        std::vector<MPI_Status> statuses(requests.size());
        int code = MPI_Waitall(static_cast<int>(requests.size()), requests.data(), statuses.data());
        if (code == MPI_ERR_IN_STATUS)
            for (const MPI_Status& status : statuses)
                if (status.MPI_ERROR != MPI_SUCCESS && status.MPI_ERROR != MPI_ERR_PENDING) code = status.MPI_ERROR;
        check("MPI_Waitall", code);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            int bytes = 0;
            check("MPI_Get_count", MPI_Get_count(&statuses[i], MPI_BYTE, &bytes));
            if (bytes != expected[i].bytes)
                detail::raise_text(ErrorCode::ranks, "rank %d sent %d bytes to rank %d, which expects %d",
                                   expected[i].peer, bytes, rank_, expected[i].bytes);
        }
    }
    void broadcast(std::span<std::byte> bytes, int root) override {
        check_broadcast(root);
        each_chunk(bytes,
                   [&](std::byte* data, int now) { check("MPI_Bcast", MPI_Bcast(data, now, MPI_BYTE, root, comm_)); });
    }
    void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
        check_all_gather(mine, all);
        if (mine.size() <= most_bytes_) {
            const int n = static_cast<int>(mine.size());
            check("MPI_Allgather", MPI_Allgather(mine.data(), n, MPI_BYTE, all.data(), n, MPI_BYTE, comm_));
            return;
        }
        const auto part_of = [&](int rank) {
            return all.subspan(static_cast<std::size_t>(rank) * mine.size(), mine.size());
        };
        std::copy(mine.begin(), mine.end(), part_of(rank_).begin());
        for (int root = 0; root < size_; ++root) broadcast(part_of(root), root);
    }
    void fail(std::string_view why) noexcept override {
        std::fprintf(stderr, "rng: rank %d: %.*s\n", rank_, static_cast<int>(why.size()), why.data());
        std::fflush(stderr);
        MPI_Abort(comm_, 1);
    }

  private:
    /// Sets the least most_bytes of all processes. A sender and a receiver with different chunk sizes would wait for
    /// each other, or a message would be too long.
    void agree_on_most_bytes() {
        const unsigned long long mine[] = {most_bytes_, ~static_cast<unsigned long long>(most_bytes_)};
        unsigned long long least[2] = {};
        const int code = MPI_Allreduce(mine, least, 2, MPI_UNSIGNED_LONG_LONG, MPI_MIN, comm_);
        const unsigned long long greatest = ~least[1], limit = 1ULL << 30;
        if (code == MPI_SUCCESS && least[0] >= 1 && greatest <= limit) {
            most_bytes_ = static_cast<std::size_t>(least[0]);
            return;
        }
        MPI_Comm_free(&comm_);  // the destructor does not run if the constructor throws
        check("MPI_Allreduce", code);
        detail::raise_text(ErrorCode::invalid_argument, "mpi::Ranks: most_bytes must be in [1, 2^30], got %llu",
                           least[0] < 1 ? least[0] : greatest);
    }
    /// What a request receives.
    struct Expected {
        int peer, bytes;
    };

    static void check(const char* function, int code) {
        if (code == MPI_SUCCESS) return;
        char text[MPI_MAX_ERROR_STRING + 1] = {};
        int length = 0;
        if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) std::snprintf(text, sizeof text, "code %d", code);
        detail::raise(ErrorCode::ranks, std::string(function) + ": " + text);
    }
    /// Calls f(data, bytes) for each chunk that MPI can count.
    template <class F> void each_chunk(std::span<std::byte> bytes, const F& f) const {
        for (std::size_t i = 0; i < bytes.size(); i += most_bytes_)
            f(bytes.data() + i, static_cast<int>(std::min(most_bytes_, bytes.size() - i)));
    }
    MPI_Request* next_request() { return &requests_.emplace_back(MPI_REQUEST_NULL); }

    MPI_Comm comm_ = MPI_COMM_NULL;
    std::size_t most_bytes_;
    int rank_ = 0, size_ = 1;
    std::vector<MPI_Request> requests_;  // of the exchange in progress; those that receive come first
    std::vector<Expected> expected_;
};

}  // namespace mpi

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
