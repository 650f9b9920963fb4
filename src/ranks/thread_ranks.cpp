// Ranks as threads of one process: messages wait in a mailbox until they are taken.
#include <rng/core/error.hpp>
#include <rng/ranks.hpp>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

RNG_BEGIN_NAMESPACE

Ranks::~Ranks() = default;
void Ranks::start(std::span<const Message> send, std::span<Message> receive) { exchange(send, receive); }
void Ranks::check_broadcast(int root) const {
    if (root < 0 || root >= size())
        detail::raise_text(ErrorCode::invalid_argument, "Ranks::broadcast: root must be in [0, %d), got %d", size(),
                           root);
}
void Ranks::check_all_gather(std::span<const std::byte> mine, std::span<const std::byte> all) const {
    const auto ranks = static_cast<size_t>(size());
    if (all.size() / ranks != mine.size() || all.size() % ranks != 0)  // a product could wrap
        detail::raise_text(ErrorCode::invalid_argument,
                           "Ranks::all_gather: all must have %zu bytes for each of %zu ranks, got %zu in total",
                           mine.size(), ranks, all.size());
}
void Ranks::finish() {}

namespace {

/// The state that the threads share.
class Group {
  public:
    explicit Group(int size) : has_ended_(static_cast<size_t>(size)) {}

    [[nodiscard]] int size() const { return static_cast<int>(has_ended_.size()); }

    void post(int from, int to, int tag, std::span<const std::byte> bytes) {
        std::vector<std::byte> copy(bytes.begin(), bytes.end());
        {
            const std::lock_guard lock(mutex_);
            mail_[{from, to, tag}].push_back(std::move(copy));
        }
        changed_.notify_all();
    }

    /// Waits for the next message and takes it.
    void take(int from, int to, int tag, std::span<std::byte> bytes) {
        std::unique_lock lock(mutex_);
        auto& queue = mail_[{from, to, tag}];
        changed_.wait(lock, [&] { return !queue.empty() || failed_ || has_ended_[static_cast<size_t>(from)]; });
        if (queue.empty() && failed_) detail::raise(ErrorCode::ranks, why_);
        if (queue.empty())
            detail::raise_text(ErrorCode::ranks, "rank %d has ended, and rank %d waits for a message of it", from, to);
        const std::vector<std::byte> message = std::move(queue.front());
        queue.pop_front();
        if (message.size() != bytes.size())
            detail::raise_text(ErrorCode::ranks, "rank %d sent %zu bytes to rank %d, which expects %zu", from,
                               message.size(), to, bytes.size());
        std::copy(message.begin(), message.end(), bytes.begin());
    }

    void fail(std::string_view why) noexcept {
        {
            const std::lock_guard lock(mutex_);
            try {
                if (!failed_) why_ = why;
            } catch (...) {  // no memory for the text
            }
            failed_ = true;
        }
        changed_.notify_all();
    }

    void end(int rank) {
        {
            const std::lock_guard lock(mutex_);
            has_ended_[static_cast<size_t>(rank)] = true;
        }
        changed_.notify_all();
    }

  private:
    std::mutex mutex_;  // guards the members below
    std::condition_variable changed_;
    std::map<std::tuple<int, int, int>, std::deque<std::vector<std::byte>>> mail_;
    std::vector<bool> has_ended_;
    bool failed_ = false;
    std::string why_;
};

class ThreadRank final : public Ranks {
  public:
    ThreadRank(Group& group, int rank) : group_(group), rank_(rank) {}

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return group_.size(); }

    void exchange(std::span<const Message> send, std::span<Message> receive) override {
        start(send, receive);
        finish();
    }
    void start(std::span<const Message> send, std::span<Message> receive) override {
        for (const Message& message : send) {
            check(message);
            group_.post(rank_, message.peer, message.tag, message.bytes);
        }
        expected_ = receive;
    }
    void finish() override {
        for (const Message& message : std::exchange(expected_, {})) {
            check(message);
            group_.take(message.peer, rank_, message.tag, message.bytes);
        }
    }
    void broadcast(std::span<std::byte> bytes, int root) override {
        check_broadcast(root);
        if (rank_ != root) return group_.take(root, rank_, tag_of_broadcasts, bytes);
        for (int to = 0; to < size(); ++to)
            if (to != root) group_.post(root, to, tag_of_broadcasts, bytes);
    }
    void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
        check_all_gather(mine, all);
        for (int to = 0; to < size(); ++to) group_.post(rank_, to, tag_of_gathers, mine);  // to itself too
        for (int from = 0; from < size(); ++from)
            group_.take(from, rank_, tag_of_gathers, all.subspan(static_cast<size_t>(from) * mine.size(), mine.size()));
    }
    void fail(std::string_view why) noexcept override { group_.fail(why); }

  private:
    static constexpr int tag_of_broadcasts = -1, tag_of_gathers = -2, last_tag = 32767;

    void check(const Message& message) const {
        if (message.peer < 0 || message.peer >= size())
            detail::raise_text(ErrorCode::invalid_argument, "Ranks: peer must be in [0, %d), got %d", size(),
                               message.peer);
        if (message.tag < 0 || message.tag > last_tag)
            detail::raise_text(ErrorCode::invalid_argument, "Ranks: tag must be in [0, %d], got %d", last_tag,
                               message.tag);
    }

    Group& group_;
    int rank_;
    std::span<Message> expected_;  // of the exchange that has begun
};

}  // namespace

ThreadRanks::ThreadRanks(int size) : size_(size) {
    if (size < 1 || size > 1024)
        detail::raise_text(ErrorCode::invalid_argument, "ThreadRanks: size must be in [1, 1024], got %d", size);
}

void ThreadRanks::run(const std::function<void(Ranks&)>& work) const {
    Group group(size_);
    std::vector<std::exception_ptr> thrown(static_cast<size_t>(size_));
    const auto run_rank = [&](int rank) {
        try {
            ThreadRank ranks(group, rank);
            work(ranks);
        } catch (...) {
            thrown[static_cast<size_t>(rank)] = std::current_exception();
        }
        group.end(rank);
    };
    {
        std::vector<std::jthread> threads;
        try {
            for (int rank = 0; rank < size_; ++rank) threads.emplace_back(run_rank, rank);
        } catch (...) {  // the system has no more threads: those that run must not wait for the others
            group.fail("ThreadRanks: a thread cannot be made");
            throw;
        }
    }
    for (const std::exception_ptr& one : thrown)
        if (one != nullptr) std::rethrow_exception(one);
}

RNG_END_NAMESPACE
