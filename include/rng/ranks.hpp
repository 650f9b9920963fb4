// Ranks: the transport that calls over several processes use. Each rank is a process or a thread.
//
//     rng::ThreadRanks(3).run([](rng::Ranks& ranks) {                  // three ranks as threads, to test without MPI
//         int number = ranks.rank();
//         ranks.broadcast(std::as_writable_bytes(std::span(&number, 1)), 0);
//     });
//
// rng/mpi.hpp implements Ranks for an MPI communicator. rng/svd/svd_ranks.hpp and rng/reduce/rank_sums.hpp compute over
// them. Every call is collective: all ranks call the same functions in the same order. docs/scale-out.md has the rules.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include "core/config.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// A group of processes or threads that exchange bytes. An object belongs to one rank, and must be used by one thread
/// at a time. Messages of one sender, receiver and tag arrive in the order in which they were sent.
class RNG_API Ranks {
  public:
    /// Bytes for another rank, or from it. Both sides give the same number of bytes.
    struct Message {
        int peer;                    ///< the other rank, in [0, size())
        int tag;                     ///< 0 to 32767; a receiver gets messages with the tag that it names
        std::span<std::byte> bytes;  ///< read if the message is sent, written if it is received
    };

    Ranks() = default;
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;
    virtual ~Ranks();

    [[nodiscard]] virtual int rank() const = 0;  ///< Returns this rank, in [0, size())
    [[nodiscard]] virtual int size() const = 0;  ///< Returns the number of ranks, at least 1

    /// Sends and receives messages, and returns when all are done. A rank without messages need not call.
    /// Throws Error (ranks) if the transport fails, as do the functions below.
    virtual void exchange(std::span<const Message> send, std::span<Message> receive) = 0;
    /// Begins an exchange, which finish() ends. The bytes of both sides must not be accessed in between, and no other
    /// function may be called. The default implementation does the whole exchange.
    virtual void start(std::span<const Message> send, std::span<Message> receive);
    /// Returns when the exchange that start() began is done.
    virtual void finish();
    /// Copies the bytes of `root` to all ranks. All give the same number of bytes.
    /// Throws Error (invalid_argument) unless root is in [0, size()).
    virtual void broadcast(std::span<std::byte> bytes, int root) = 0;
    /// Writes the bytes of all ranks to `all`, in the order of the ranks. All give the same number of bytes.
    /// Throws Error (invalid_argument) unless `all` has size() times as many as `mine`.
    virtual void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) = 0;
    /// Ends the group because this rank cannot continue, so that ranks that wait for its messages do not wait for ever.
    virtual void fail(std::string_view why) noexcept = 0;

  protected:
    /// For transports: throws the Error of broadcast for this root.
    void check_broadcast(int root) const;
    /// For transports: throws the Error of all_gather for these bytes.
    void check_all_gather(std::span<const std::byte> mine, std::span<const std::byte> all) const;
};

/// A group of ranks that are threads of this process: for tests, and where there is no MPI.
class RNG_API ThreadRanks {
  public:
    /// Creates a group of `size` ranks. Throws Error (invalid_argument) unless `size` is in [1, 1024].
    explicit ThreadRanks(int size);

    /// Calls work(ranks) on a thread for each rank, and returns when all have ended. If some ended by an exception,
    /// rethrows that of the lowest rank. A rank that waits for one that has ended throws Error (ranks); after
    /// fail(why), all waiting ranks throw it, with the text `why`. Throws std::system_error if the system has no more
    /// threads. Ranks that have begun end first then; those that wait throw Error (ranks).
    void run(const std::function<void(Ranks&)>& work) const;

  private:
    int size_;
};

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
