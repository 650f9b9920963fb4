// ThreadRanks: messages arrive in their order, and no rank waits for one that cannot answer.
#include <gtest/gtest.h>

#include <rng/core/error.hpp>
#include <rng/ranks.hpp>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "../support/ranks.hpp"

namespace {

using rng::ErrorCode;
using rng::Ranks;
using rng::ThreadRanks;
using support::expect_one_error;

template <class T> std::span<std::byte> bytes_of(T& value) { return std::as_writable_bytes(std::span(&value, 1)); }

TEST(ThreadRanks, EachRankHasItsNumber) {
    std::vector<int> sizes(7);
    ThreadRanks(7).run([&](Ranks& ranks) { sizes[static_cast<size_t>(ranks.rank())] = ranks.size(); });
    EXPECT_EQ(sizes, std::vector<int>(7, 7));
    EXPECT_THROW(ThreadRanks(0), rng::Error);
    EXPECT_THROW(ThreadRanks(1025), rng::Error);
}

TEST(ThreadRanks, BroadcastAndGather) {
    ThreadRanks(5).run([](Ranks& ranks) {
        for (int root = 0; root < 5; ++root) {
            int number = 100 * root + ranks.rank();
            ranks.broadcast(bytes_of(number), root);
            EXPECT_EQ(number, 101 * root);
            std::vector<int> all(5), expected(5);
            ranks.all_gather(bytes_of(number), std::as_writable_bytes(std::span(all)));
            EXPECT_EQ(all, std::vector<int>(5, 101 * root));
            const int mine = ranks.rank() + root;
            ranks.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
            std::iota(expected.begin(), expected.end(), root);
            EXPECT_EQ(all, expected);
        }
    });
}

// Everyone sends to everyone at once, twice with one tag; a receiver chooses among tags.
TEST(ThreadRanks, Messages) {
    for (const bool is_split : {false, true})
        ThreadRanks(4).run([&](Ranks& ranks) {
            std::vector<int> sent, received(12, -1);
            std::vector<Ranks::Message> send, receive;
            for (int to = 0; to < 4; ++to)
                for (int k = 0; k < 3; ++k) sent.push_back(1000 * ranks.rank() + 10 * to + k);
            for (int peer = 0; peer < 4; ++peer) {
                const auto at = static_cast<size_t>(peer) * 3;
                send.push_back({peer, 5, bytes_of(sent[at])});
                send.push_back({peer, 5, bytes_of(sent[at + 1])});
                send.push_back({peer, 6, bytes_of(sent[at + 2])});
                receive.push_back({peer, 6, bytes_of(received[at + 2])});
                receive.push_back({peer, 5, bytes_of(received[at])});
                receive.push_back({peer, 5, bytes_of(received[at + 1])});
            }
            if (is_split) {
                ranks.start(send, receive);
                ranks.finish();
            } else {
                ranks.exchange(send, receive);
            }
            for (int from = 0; from < 4; ++from)
                for (int k = 0; k < 3; ++k)
                    EXPECT_EQ(received[static_cast<size_t>(3 * from + k)], 1000 * from + 10 * ranks.rank() + k);
        });
}

TEST(ThreadRanks, TheLowestRanksException) {
    try {
        ThreadRanks(4).run([](Ranks& ranks) {
            if (ranks.rank() > 0) throw std::runtime_error(std::to_string(ranks.rank()));
        });
        ADD_FAILURE();
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "1");
    }
}

// A rank ends, by itself or by an exception, while others wait for it.
TEST(ThreadRanks, NobodyWaitsForARankThatHasEnded) {
    for (const bool throws : {false, true}) {
        std::vector<std::string> texts(3);
        const auto work = [&](Ranks& ranks) {
            if (ranks.rank() == 1 && throws) throw std::runtime_error("an error");
            if (ranks.rank() == 1) return;
            int number = 0;
            try {
                ranks.broadcast(bytes_of(number), 1);
            } catch (const rng::Error& error) {
                texts[static_cast<size_t>(ranks.rank())] = error.what();
                EXPECT_EQ(error.code(), ErrorCode::ranks);
            }
        };
        if (throws)
            EXPECT_THROW(ThreadRanks(3).run(work), std::runtime_error);
        else
            ThreadRanks(3).run(work);
        EXPECT_EQ(texts[0], "rank 1 has ended, and rank 0 waits for a message of it");
        EXPECT_EQ(texts[2], "rank 1 has ended, and rank 2 waits for a message of it");
    }
}

TEST(ThreadRanks, FailReachesAllThatWait) {
    std::vector<std::string> texts(3);
    ThreadRanks(3).run([&](Ranks& ranks) {
        if (ranks.rank() == 2) return ranks.fail("no memory on rank 2");
        int number = 0;
        Ranks::Message message{1 - ranks.rank(), 0, bytes_of(number)};  // each waits for the other
        try {
            ranks.exchange({}, {&message, 1});
        } catch (const rng::Error& error) {
            texts[static_cast<size_t>(ranks.rank())] = error.what();
        }
    });
    EXPECT_EQ(texts[0], "no memory on rank 2");
    EXPECT_EQ(texts[1], "no memory on rank 2");
}

TEST(ThreadRanks, MessagesThatDoNotFit) {
    const auto fails = [](const std::string& text, const std::function<void(Ranks&)>& work) {
        try {
            ThreadRanks(2).run(work);
            ADD_FAILURE() << text;
        } catch (const rng::Error& error) {
            EXPECT_EQ(error.what(), text);
        }
    };
    int64_t wide = 0;
    int narrow = 0;
    fails("rank 1 sent 8 bytes to rank 0, which expects 4", [&](Ranks& ranks) {
        Ranks::Message message{1 - ranks.rank(), 0, ranks.rank() == 1 ? bytes_of(wide) : bytes_of(narrow)};
        ranks.rank() == 1 ? ranks.exchange({&message, 1}, {}) : ranks.exchange({}, {&message, 1});
    });
    for (const int peer : {-1, 2})
        fails("Ranks: peer must be in [0, 2), got " + std::to_string(peer), [&](Ranks& ranks) {
            const Ranks::Message message{peer, 0, bytes_of(narrow)};
            ranks.exchange({&message, 1}, {});
        });
    for (const int root : {-1, 2})
        fails("Ranks::broadcast: root must be in [0, 2), got " + std::to_string(root),
              [&](Ranks& ranks) { ranks.broadcast(bytes_of(narrow), root); });
    for (const size_t bytes : {size_t{0}, size_t{4}, size_t{9}, size_t{12}})
        fails(
            "Ranks::all_gather: all must have 4 bytes for each of 2 ranks, got " + std::to_string(bytes) + " in total",
            [&](Ranks& ranks) {
                const int mine = 1;
                std::vector<std::byte> all(bytes);
                ranks.all_gather(std::as_bytes(std::span(&mine, 1)), all);
            });
    fails("Ranks: tag must be in [0, 32767], got 32768", [&](Ranks& ranks) {
        const Ranks::Message message{0, 32768, bytes_of(narrow)};
        ranks.exchange({&message, 1}, {});
    });
}

}  // namespace
