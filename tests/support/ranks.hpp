// Ranks for tests: transports that count what they carry, and errors that all ranks share.
#pragma once

#include <rng/core/error.hpp>
#include <rng/ranks.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "forwarding_ranks.hpp"
#include "rank_cuts.hpp"

namespace support {

/// Counts the messages that this rank sends.
class CountingRanks final : public ForwardingRanks {
  public:
    using ForwardingRanks::ForwardingRanks;
    size_t messages = 0, bytes = 0;

    void exchange(std::span<const Message> send, std::span<Message> receive) override {
        count(send);
        ForwardingRanks::exchange(send, receive);
    }
    void start(std::span<const Message> send, std::span<Message> receive) override {
        count(send);
        ForwardingRanks::start(send, receive);
    }

  private:
    void count(std::span<const Message> send) {
        for (const Message& message : send) {
            ++messages;
            bytes += message.bytes.size();
        }
    }
};

/// Calls work on the threads of so many ranks, each of which must throw an Error with this text and code.
inline void expect_one_error(int size, const std::string& text, rng::ErrorCode code,
                             const std::function<void(rng::Ranks&)>& work) {
    std::vector<std::string> texts(static_cast<size_t>(size), "no error");
    std::vector<rng::ErrorCode> codes(texts.size(), code);
    rng::ThreadRanks(size).run([&](rng::Ranks& ranks) {
        const auto r = static_cast<size_t>(ranks.rank());
        try {
            work(ranks);
        } catch (const rng::Error& error) {
            texts[r] = error.what();
            codes[r] = error.code();
        }
    });
    for (size_t r = 0; r < texts.size(); ++r) {
        EXPECT_EQ(texts[r], text) << "rank " << r;
        EXPECT_EQ(static_cast<int>(codes[r]), static_cast<int>(code)) << "rank " << r;
    }
}

/// Watches what the other ranks must do alike, and fail().
class WatchedRanks final : public ForwardingRanks {
  public:
    using ForwardingRanks::ForwardingRanks;
    size_t collectives = 0;
    bool has_failed = false;

    void broadcast(std::span<std::byte> bytes, int root) override {
        ++collectives;
        ForwardingRanks::broadcast(bytes, root);
    }
    void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
        ++collectives;
        ForwardingRanks::all_gather(mine, all);
    }
    void fail(std::string_view why) noexcept override {
        has_failed = true;
        ForwardingRanks::fail(why);
    }
};

/// The same for an error on which the ranks agreed: none waits for another, even if ranks never end, and none fails.
inline void expect_agreed_error(int size, const std::string& text, rng::ErrorCode code,
                                const std::function<void(rng::Ranks&)>& work) {
    std::vector<size_t> collectives(static_cast<size_t>(size));
    std::vector<char> failed(collectives.size());
    expect_one_error(size, text, code, [&](rng::Ranks& ranks) {
        WatchedRanks watched(ranks);
        const auto note = [&] {
            collectives[static_cast<size_t>(ranks.rank())] = watched.collectives;
            failed[static_cast<size_t>(ranks.rank())] = watched.has_failed;
        };
        try {
            work(watched);
        } catch (const rng::Error&) {
            note();
            throw;
        }
        note();
    });
    for (size_t r = 0; r < collectives.size(); ++r) {
        EXPECT_EQ(collectives[r], collectives[0]) << text << ", rank " << r;
        EXPECT_FALSE(failed[r]) << text << ", rank " << r;
    }
}

}  // namespace support
