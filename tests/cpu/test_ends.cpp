// Processes that fork or end while the library is in use: children fill, destructors of static objects fill, exit()
// waits for no fill.
#include <gtest/gtest.h>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>
#include <rng/isa.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "../support/paths.hpp"
#include "../support/processes.hpp"
#include "../support/user_distributions.hpp"

/// Made before everything else and destroyed after it, what the library has included.
struct Last {
    std::function<void()> f;
    ~Last() {
        if (f) f();
    }
};
__attribute__((init_priority(101))) static Last last;

namespace {

using rng::Stream;
using support::in_child_process;
using support::Watched;

constexpr std::size_t many = 200'003;  // several threads are worth it
constexpr rng::normal dist{0.0f, 1.0f};

/// A pure fill with three threads, then one from the default generator: true if the values are right.
bool fills_are_right() {
    rng::set_num_threads(3);
    for (const bool pure : {true, false}) {
        const Stream<> s = pure ? Stream<>{42, 1, 2} : rng::default_generator().stream();
        const auto values = pure ? rng::sample(dist, many, s) : rng::sample(dist, many);
        for (std::size_t i = 0; i < many; i += i < 8 || i + 8 >= many ? 1 : 499)
            if (values[i] != rng::at(s, dist, i)) return false;
    }
    return true;
}

/// A thread that is inside a fill until it is let go: its map waits.
class LongFill {
  public:
    LongFill() : thread_([this] { rng::fill(values_, Watched{&see_}, Stream<>{42}); }) {
        while (!inside_) std::this_thread::yield();
    }
    /// Lets the fill go on and waits for it; true if its values are right.
    bool end() {
        go_on_ = true;
        thread_.join();
        return values_ == rng::sample(rng::bits<uint32_t>{}, many, Stream<>{42});
    }

  private:
    std::atomic<bool> inside_ = false, go_on_ = false;
    std::function<void(uint32_t)> see_ = [this](uint32_t) {
        inside_ = true;
        while (!go_on_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    std::vector<uint32_t> values_ = std::vector<uint32_t>(many);
    std::thread thread_;
};

// ---- forks

class Forks : public testing::Test {
  protected:
    void SetUp() override {
        if (support::under_tsan)
            GTEST_SKIP() << "ThreadSanitizer allows no threads in a fork of a process with threads";
        rng::set_num_threads(3);
    }
    const support::SavedSettings saved;
};

// fork() copies the caller's thread alone: the child must not wait for its parent's workers.
TEST_F(Forks, ChildrenFill) {
    const auto fill = [] { return fills_are_right() ? 0 : 1; };
    ASSERT_EQ(fill(), 0);
    EXPECT_EQ(in_child_process([&] { return fill() + fill(); }), 0);
    // A child that never fills must be able to end, and so must a grandchild that does.
    EXPECT_EQ(in_child_process([&] { return in_child_process(fill); }), 0);
    EXPECT_EQ(fill(), 0) << "the parent's pool goes on";
    std::atomic<bool> stop = false, wrong = false;
    std::thread filler([&] {
        while (!stop)
            if (rng::sample(dist, many, Stream<>{42}).back() != rng::at(Stream<>{42}, dist, many - 1)) wrong = true;
    });
    for (int k = 0; k < 10; ++k) EXPECT_EQ(in_child_process(fill), 0);
    stop = true;
    filler.join();
    EXPECT_FALSE(wrong);
}

// The pool was busy when the process forked: the child has one of its own.
TEST_F(Forks, ChildrenHaveThreads) {
    LongFill fill;
    EXPECT_EQ(in_child_process([&] {
                  if (!fills_are_right()) return 1;
                  const std::filesystem::directory_iterator threads("/proc/self/task");
                  return std::distance(begin(threads), end(threads)) > 1 ? 0 : 2;
              }),
              0);
    EXPECT_TRUE(fill.end());
}

// Another thread was changing the default generator when the process forked.
TEST_F(Forks, DefaultGeneratorIsWhole) {
    std::atomic<bool> inside = false;
    std::thread other([&] {
        (void)rng::default_generator().claim("test", 3, 1, [&](const rng::detail::StreamRecord&) {
            inside = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
        });
    });
    while (!inside) std::this_thread::yield();
    EXPECT_EQ(in_child_process([] {
                  rng::manual_seed(42);
                  return fills_are_right() && rng::default_generator().position() == many ? 0 : 1;
              }),
              0);
    other.join();
    EXPECT_TRUE(fills_are_right()) << "the parent's is not locked either";
}

// The child's exit() runs destructors: they must not join threads that it does not have.
TEST_F(Forks, ChildrenEnd) {
    ASSERT_TRUE(fills_are_right());
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        alarm(30);
        std::exit(0);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

// ---- ends

/// Ends the process with code 1 if fills go wrong.
void require_right_fills(const char* where) {
    if (fills_are_right()) return;
    std::fprintf(stderr, "wrong values in %s\n", where);
    std::_Exit(1);
}

struct FillsAtTheEnd {
    const char* where;
    ~FillsAtTheEnd() { require_right_fills(where); }
};

class EndsDeathTest : public testing::Test {
  protected:
    // A fresh process, not a fork of this one.
    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

#define EXPECT_END(f) EXPECT_EXIT((alarm(60), f), testing::ExitedWithCode(0), "")

[[noreturn]] void end_with_fills(bool filled_before) {
    static const FillsAtTheEnd before{"an object made before the first fill"};
    if (std::atexit([] { require_right_fills("a handler of atexit"); }) != 0) std::_Exit(2);
    last.f = [] { require_right_fills("the object destroyed last"); };
    if (filled_before) require_right_fills("the program");
    static const FillsAtTheEnd after{"an object made after the first fill"};
    thread_local const FillsAtTheEnd of_this_thread{"an object of the main thread"};
    std::thread([] { thread_local const FillsAtTheEnd of_thread{"an object of a thread that ends"}; }).join();
    std::exit(0);
}
TEST_F(EndsDeathTest, DestructorsFill) { EXPECT_END(end_with_fills(true)); }
TEST_F(EndsDeathTest, DestructorsFillFirst) { EXPECT_END(end_with_fills(false)); }

// Another thread fills: exit() does not wait for it, and it goes on until the process is gone.
[[noreturn]] void end_during_a_fill() {
    rng::set_num_threads(3);
    static LongFill* const fill = new LongFill;
    last.f = [] {
        if (!fill->end()) std::_Exit(1);
        require_right_fills("the object destroyed last");
    };
    std::exit(0);
}
TEST_F(EndsDeathTest, FillsGoOnWhileItEnds) { EXPECT_END(end_during_a_fill()); }

[[noreturn]] void end_inside_a_fill(bool on_the_callers_thread) {
    rng::set_num_threads(3);
    const auto caller = std::this_thread::get_id();
    const std::function<void(uint32_t)> see = [&](uint32_t) {
        if ((std::this_thread::get_id() == caller) == on_the_callers_thread) {
            static std::atomic_flag begun;  // two threads must not call it at once
            if (!begun.test_and_set()) std::exit(0);
        }
        for (;;) pause();
    };
    std::vector<uint32_t> values(many);
    rng::fill(values, Watched{&see}, Stream<>{42});
    std::_Exit(1);
}
TEST_F(EndsDeathTest, AMapEndsItOnTheCallersThread) { EXPECT_END(end_inside_a_fill(true)); }
TEST_F(EndsDeathTest, AMapEndsItOnAnotherThread) { EXPECT_END(end_inside_a_fill(false)); }

}  // namespace
