// Fills that share the process's threads: many callers at once, settings that change meanwhile, no threads to be had.
// (What throws inside of fills: test_throwing.cpp. Forks and ends of processes: test_ends.cpp.)
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>
#include <rng/isa.hpp>
#include <rng/verify.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../support/paths.hpp"
#include "../support/processes.hpp"
#include "../support/user_distributions.hpp"

namespace {

using rng::Generator;
using rng::Stream;

constexpr std::size_t many = 200'003;  // several threads are worth it

template <class D> uint64_t digest_of(const D& dist, const Stream<>& s, std::size_t n) {
    std::vector<rng::result_t<D>> values(n);
    rng::fill(std::span(values), dist, s);
    return rng::digest(std::as_bytes(std::span(values)));
}

/// Runs f(t) on n threads that begin together.
void together(std::size_t n, const std::function<void(std::size_t)>& f) {
    std::atomic<std::size_t> waiting = n;
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < n; ++t)
        threads.emplace_back([&, t] {
            for (--waiting; waiting > 0;) std::this_thread::yield();
            f(t);
        });
    for (std::thread& thread : threads) thread.join();
}

TEST(ThreadsTest, CallersWithTheirOwnStreams) {
    const support::SavedSettings saved;
    rng::set_num_threads(3);
    constexpr std::size_t callers = 4;
    std::vector<uint64_t> expected, got(callers);
    for (std::size_t t = 0; t < callers; ++t)
        expected.push_back(digest_of(rng::normal{0.0f, 1.0f}, Stream<>{42, t, 1}, many + t));
    for (int round = 0; round < 5; ++round) {
        together(callers, [&](std::size_t t) {
            got[t] = digest_of(rng::normal{0.0f, 1.0f}, Stream<>{42, t, 1}, many + t);
        });
        EXPECT_EQ(got, expected);
    }
}

TEST(ThreadsTest, CallersWithForkedGenerators) {
    const support::SavedSettings saved;
    rng::set_num_threads(2);
    const Generator parent(42);
    std::vector<uint64_t> expected, got(3);
    for (uint64_t t = 0; t < got.size(); ++t)
        expected.push_back(digest_of(rng::uniform{-1.0, 1.0}, Stream<>{42}.fork(t), many));
    together(got.size(), [&](std::size_t t) {
        Generator mine = parent.fork(t);
        std::vector<double> values(many);
        rng::fill(std::span(values).first(777), rng::uniform{-1.0, 1.0}, mine);
        rng::fill(std::span(values).subspan(777), rng::uniform{-1.0, 1.0}, mine);
        got[t] = rng::digest(std::as_bytes(std::span(values)));
    });
    EXPECT_EQ(got, expected);
}

// Long fills of one generator from several threads: pieces of its sequence, none of them twice.
TEST(ThreadsTest, CallersOfOneGenerator) {
    const support::SavedSettings saved;
    rng::set_num_threads(3);
    constexpr std::size_t n = 100'000, callers = 3, rounds = 3;
    std::vector<uint64_t> expected, got(callers * rounds);
    for (std::size_t k = 0; k < got.size(); ++k)
        expected.push_back(digest_of(rng::bits<uint64_t>{}, Stream<>{42, 0, 2 * n * k}, n));
    Generator generator(42);
    together(callers, [&](std::size_t t) {
        for (std::size_t k = 0; k < rounds; ++k) {
            const auto values = rng::sample(rng::bits<uint64_t>{}, n, generator);
            got[t * rounds + k] = rng::digest(std::as_bytes(std::span(values)));
        }
    });
    std::sort(expected.begin(), expected.end());
    std::sort(got.begin(), got.end());
    EXPECT_EQ(got, expected);
}

// The pool grows, is used in part, and is left and taken up again.
TEST(ThreadsTest, PoolIsReusedAtEverySize) {
    const support::SavedSettings saved;
    rng::set_num_threads(1);
    const Stream<> s{42, 3, 5};
    const uint64_t expected = digest_of(rng::exponential{2.0f}, s, 600'001);
    for (const int n : {2, 7, 3, 1, 16, 5, 2})
        for (int again = 0; again < 8; ++again) {
            rng::set_num_threads(n);
            ASSERT_EQ(digest_of(rng::exponential{2.0f}, s, 600'001), expected) << n << " threads";
        }
}

TEST(ThreadsTest, SettingsChangeMeanwhile) {
    const support::SavedSettings saved;
    const auto isas = rng::available_isas();
    const uint64_t expected = digest_of(rng::normal{0.0, 1.0}, Stream<>{42}, many);
    std::atomic<int> wrong = 0;
    std::atomic<bool> stop = false;
    std::thread changer([&] {
        for (std::size_t k = 0; !stop; ++k) {
            rng::set_num_threads(1 + static_cast<int>(k % 5));
            rng::set_isa(isas[k % isas.size()]);
            std::this_thread::yield();
        }
    });
    together(2, [&](std::size_t) {
        for (int k = 0; k < 10; ++k) wrong += digest_of(rng::normal{0.0, 1.0}, Stream<>{42}, many) != expected;
    });
    stop = true;
    changer.join();
    EXPECT_EQ(wrong, 0);
}

TEST(ThreadsTest, DefaultGeneratorIsShared) {
    const rng::ScopedGenerators scope;
    rng::manual_seed(42);
    together(3, [](std::size_t) {
        for (int k = 0; k < 100; ++k) (void)rng::sample(rng::normal{0.0f, 1.0f}, 10);
    });
    EXPECT_EQ(rng::default_generator().position(), 3000u);
}

// ---- one generator shared between threads

// Fills of one generator from several threads are pieces of its one sequence, each taken once.
TEST(GeneratorThreadsTest, ConcurrentFillsNeverOverlap) {
    constexpr std::size_t threads = 4, fills = 300;
    constexpr std::size_t sizes[] = {1, 3, 64, 1000};
    Generator generator(42);
    std::vector<std::vector<uint64_t>> drawn[threads];
    std::vector<std::thread> workers;
    for (std::size_t t = 0; t < threads; ++t)
        workers.emplace_back([&, t] {
            for (std::size_t k = 0; k < fills; ++k)
                drawn[t].push_back(rng::sample(rng::bits<uint64_t>{}, sizes[(k + t) % std::size(sizes)], generator));
        });
    for (std::thread& worker : workers) worker.join();

    const std::size_t n = generator.position() / 2;
    const auto sequence = support::by_at(Stream<>{42}, rng::bits<uint64_t>{}, n);
    std::vector<std::pair<uint64_t, std::size_t>> places(n);
    for (std::size_t i = 0; i < n; ++i) places[i] = {sequence[i], i};
    std::sort(places.begin(), places.end());
    std::vector<bool> taken(n);
    for (const auto& of_thread : drawn)
        for (const auto& piece : of_thread) {
            const auto found = std::lower_bound(places.begin(), places.end(), std::pair{piece[0], std::size_t{0}});
            ASSERT_TRUE(found != places.end() && found->first == piece[0]) << "not a value of the sequence";
            for (std::size_t i = 0; i < piece.size(); ++i) {
                ASSERT_LT(found->second + i, n);
                ASSERT_EQ(piece[i], sequence[found->second + i]);
                ASSERT_FALSE(taken[found->second + i]) << "a value was given out twice";
                taken[found->second + i] = true;
            }
        }
    EXPECT_EQ(std::count(taken.begin(), taken.end(), true), static_cast<std::ptrdiff_t>(n)) << "a value was lost";
}

// Short fills, one claim after another: a claim that is not exclusive loses some.
TEST(GeneratorThreadsTest, EveryClaimCounts) {
    constexpr std::size_t callers = 4, fills = support::under_tsan ? 10'000 : 400'000;
    Generator generator(42);
    together(callers, [&](std::size_t) {
        uint32_t x[1];
        for (std::size_t k = 0; k < fills; ++k) rng::fill(x, rng::bits<uint32_t>{}, generator);
    });
    EXPECT_EQ(generator.position(), callers * fills);
}

TEST(GeneratorThreadsTest, ConcurrentForksAreCountedOnce) {
    Generator generator(42);
    std::vector<uint64_t> ids[4];
    std::vector<std::thread> workers;
    for (auto& mine : ids)
        workers.emplace_back([&] {
            for (int k = 0; k < 100; ++k) {
                mine.push_back(generator.fork().id());
                for (const Generator& child : generator.split(2)) mine.push_back(child.id());
                (void)generator.get_state();
                (void)generator.clone();
                (void)generator.stream();
            }
        });
    for (std::thread& worker : workers) worker.join();
    std::vector<uint64_t> got, expected;
    for (const auto& mine : ids) got.insert(got.end(), mine.begin(), mine.end());
    for (uint64_t count = 0; count < got.size(); ++count)
        expected.push_back(Stream<>{42}.child(count, rng::domain::counted).id);
    std::sort(got.begin(), got.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(got, expected);
}

// A child's number is counted in the child's own stream, for any seeds and states that are set meanwhile.
// Each stream is set once, so its children are 0, 1, 2, ... in this order.
// A child of one stream with the number of another breaks the order, even if its number is not given out twice.
TEST(GeneratorThreadsTest, ForksBesideNewSeedsAndStatesAreCountedOnce) {
    constexpr uint64_t streams = support::under_tsan ? 5'000 : 50'000;
    for (const bool by_state : {false, true}) {
        Generator generator(uint64_t{0});
        std::atomic<bool> done = false;
        std::thread seeder([&] {
            for (uint64_t seed = 1; seed < streams; ++seed)
                if (by_state)
                    generator.set_state(Generator(seed).get_state());
                else
                    generator.manual_seed(seed);
            done = true;
        });
        std::vector<uint64_t> ids;
        for (int last = 3; last > 0; last -= done) {  // and three times when nothing happens any more
            ids.push_back(generator.fork().id());
            for (const Generator& child : generator.split(2)) ids.push_back(child.id());
        }
        seeder.join();
        const auto id_of = [](uint64_t seed, uint64_t count) {
            return Stream<>{seed}.child(count, rng::domain::counted).id;
        };
        uint64_t seed = 0, count = 0;
        for (std::size_t i = 0; i < ids.size(); ++i, ++count) {
            if (ids[i] == id_of(seed, count)) continue;
            count = 0;
            do ++seed;
            while (seed < streams && ids[i] != id_of(seed, 0));
            ASSERT_LT(seed, streams) << (by_state ? "set_state" : "manual_seed") << ": child " << i << " of "
                                     << ids.size() << " is not the next of its stream";
        }
        EXPECT_EQ(seed, streams - 1);
    }
}

// States are taken whole while others fill.
TEST(GeneratorThreadsTest, StatesAreConsistent) {
    Generator generator(42);
    std::thread filler([&] {
        for (int k = 0; k < 500; ++k) (void)rng::sample(rng::uniform<float>{}, 100, generator);
    });
    for (int k = 0; k < 500; ++k) {
        Generator copy(1);
        copy.set_state(generator.get_state());
        EXPECT_EQ(copy.position() % 100, 0u);
        EXPECT_EQ(copy.initial_seed(), 42u);
    }
    filler.join();
    EXPECT_EQ(generator.position(), 50'000u);
}

// A user's map runs on the library's threads too, with round-to-nearest set for it.
TEST(ThreadsTest, OwnDistributionsRunOnThem) {
    const support::SavedSettings saved;
    rng::set_num_threads(1);
    const uint64_t expected = digest_of(support::Coin{}, Stream<>{42}, many);
    rng::set_num_threads(4);
    std::vector<uint64_t> got(3);
    together(3, [&](std::size_t t) { got[t] = digest_of(support::Coin{}, Stream<>{42}, many); });
    EXPECT_EQ(got, std::vector<uint64_t>(3, expected));
}

// Threads make fills fast; a fill must not depend on getting them.
TEST(ThreadsTest, NoThreadsToBeHad) {
    if (support::sanitized) GTEST_SKIP() << "sanitizers need the address space that this test takes away";
    const support::SavedSettings saved;
    const Stream<> s{42};
    constexpr std::size_t n = 40'000'000;  // 160 MB: enough for a thousand threads to be worth it
    EXPECT_EQ(support::in_child_process([&] {
                  rng::set_num_threads(1);
                  std::vector<uint32_t> values(n);
                  rng::fill(std::span(values), rng::bits<uint32_t>{}, s);
                  const uint32_t last = values.back();
                  // Room for a few stacks of 8 MB beyond what is in use, not for a thousand.
                  const rlimit limit{rlim_t{600} << 20, rlim_t{600} << 20};
                  if (setrlimit(RLIMIT_AS, &limit) != 0) return 2;
                  rng::set_num_threads(1024);
                  values.back() = 0;
                  rng::fill(std::span(values), rng::bits<uint32_t>{}, s);
                  return values.back() == last ? 0 : 1;
              }),
              0);
}

}  // namespace
