// What throws inside of a fill or an SVD reaches its caller, and the threads live on. Without memory for a shuffle, a
// choice or sparse weights, the generator stays.
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "../support/allocations.hpp"
#include "../support/paths.hpp"
#include "../support/user_distributions.hpp"

namespace {

using rng::Generator;
using rng::Stream;
using support::allocations_left;
using support::Watched;

constexpr std::size_t many = 300'003;  // several threads are worth it

/// A type of a user's own.
struct Refused : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What f() throws, or "nothing".
template <class F> std::string thrown_by(const F& f) {
    try {
        f();
    } catch (const Refused& error) {
        return error.what();
    }
    return "nothing";
}

/// Waits until f(), for at most ten seconds, which only a machine without threads to give takes.
template <class F> void wait_until(const F& f) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!f() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

/// Fills with several threads give their values.
void expect_valid_fills() {
    const Stream<> s{42, 7, 3};
    std::vector<float> values(many);
    for (int again = 0; again < 3; ++again) {
        std::fill(values.begin(), values.end(), 0.0f);
        rng::fill(values, rng::normal{0.0f, 1.0f}, s);
        for (const std::size_t i : {std::size_t{0}, many / 3, many - 1})
            ASSERT_EQ(values[i], rng::at(s, rng::normal{0.0f, 1.0f}, i)) << i;
    }
}

// Several parts throw, often at once. The caller gets the exception that a single thread would have met first.
TEST(ThrowingMap, ExceptionIsThatOfOneThread) {
    const support::SavedSettings saved;
    const Stream<> s{42, 1, 4};  // a whole number of blocks: of a block in part, the other words are mapped too
    std::vector<uint32_t> values(many);
    for (const uint32_t one_in : {300'000u, 3'000u, 1u}) {
        const std::function<void(uint32_t)> see = [&](uint32_t w) {
            if (w % one_in == 0) throw Refused("the word " + std::to_string(w));
        };
        const auto fill = [&] { rng::fill(values, Watched{&see}, s); };
        std::string expected = "nothing";
        for (std::size_t i = 0; i < many && expected == "nothing"; ++i)
            if (const uint32_t w = rng::at(s, rng::bits<uint32_t>{}, i); w % one_in == 0)
                expected = "the word " + std::to_string(w);
        for (const int threads : {1, 2, 3, 7})
            for (int again = 0; again < 20; ++again) {
                rng::set_num_threads(threads);
                ASSERT_EQ(thrown_by(fill), expected) << threads << " threads";
            }
        expect_valid_fills();
    }
}

TEST(ThrowingMap, OnAnotherThread) {
    const support::SavedSettings saved;
    rng::set_num_threads(3);
    const auto caller = std::this_thread::get_id();
    std::atomic<bool> thrown = false;
    const std::function<void(uint32_t)> see = [&](uint32_t) {
        if (std::this_thread::get_id() == caller) return wait_until([&] { return thrown.load(); });
        thrown = true;
        throw Refused("not on this thread");
    };
    std::vector<uint32_t> values(many);
    EXPECT_EQ(thrown_by([&] { rng::fill(values, Watched{&see}, Stream<>{42}); }), "not on this thread");
    expect_valid_fills();
}

// The others are still inside when it throws: it must not leave before they do.
TEST(ThrowingMap, OnTheCallersThread) {
    const support::SavedSettings saved;
    rng::set_num_threads(3);
    const auto caller = std::this_thread::get_id();
    std::atomic<bool> entered = false, throwing = false;
    const std::function<void(uint32_t)> see = [&](uint32_t) {
        if (std::this_thread::get_id() != caller) {
            entered = true;
            return wait_until([&] { return throwing.load(); });
        }
        wait_until([&] { return entered.load(); });
        throwing = true;
        throw Refused("not on the caller's");
    };
    std::vector<uint32_t> values(many);
    EXPECT_EQ(thrown_by([&] { rng::fill(values, Watched{&see}, Stream<>{42}); }), "not on the caller's");
    expect_valid_fills();
}

// Objects that are no exceptions in the standard's sense are thrown too.
TEST(ThrowingMap, AnythingCanBeThrown) {
    const support::SavedSettings saved;
    rng::set_num_threads(3);
    const std::function<void(uint32_t)> see = [](uint32_t) { throw 17; };
    std::vector<uint32_t> values(many);
    try {
        rng::fill(values, Watched{&see}, Stream<>{42});
        ADD_FAILURE() << "nothing was thrown";
    } catch (int value) {
        EXPECT_EQ(value, 17);
    }
}

// The library's own errors too: below(retry stream, 0) in a user's sampler, say.
TEST(ThrowingMap, ErrorsOfTheLibrary) {
    const support::SavedSettings saved;
    rng::set_num_threads(3);
    const std::function<void(uint32_t)> see = [](uint32_t) { (void)rng::parse_device("gpu"); };
    std::vector<uint32_t> values(many);
    const std::string text =
        support::error_of(rng::ErrorCode::invalid_argument, [&] { rng::fill(values, Watched{&see}, Stream<>{42}); });
    EXPECT_EQ(text, "device: must be cpu, cuda or cuda:N, got \"gpu\"");
}

// The words were claimed before the map ran, and another thread may have those after them: they are not given back.
TEST(ThrowingMap, TheGeneratorHasMovedOn) {
    const support::SavedSettings saved;
    const std::function<void(uint32_t)> see = [](uint32_t w) {
        if (w % 1000 == 0) throw Refused("no");
    };
    std::vector<uint32_t> values(many);
    for (const int threads : {1, 3}) {
        rng::set_num_threads(threads);
        Generator generator(42);
        EXPECT_EQ(thrown_by([&] { rng::fill(values, Watched{&see}, generator); }), "no");
        EXPECT_EQ(generator.position(), many);
        EXPECT_EQ(rng::sample(rng::bits<uint32_t>{}, 1, generator)[0],
                  rng::at(Stream<>{42}, rng::bits<uint32_t>{}, many));
    }
}

// A map that fills itself, with threads if it could: the outer fill has them.
TEST(ThrowingMap, FillsInsideOfFills) {
    const support::SavedSettings saved;
    rng::set_num_threads(3);
    constexpr std::size_t inner = 100'003;
    const uint32_t last = rng::at(Stream<>{7}, rng::bits<uint32_t>{}, inner - 1);
    std::atomic<int> fills = 0, wrong = 0;
    std::function<void(uint32_t)> see = [&](uint32_t w) {
        if (w % 4096 != 0) return;
        wrong += rng::sample(rng::bits<uint32_t>{}, inner, Stream<>{7}).back() != last;
        ++fills;
    };
    std::vector<uint32_t> values(many);
    rng::fill(values, Watched{&see}, Stream<>{42});
    EXPECT_GT(fills, 10);
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(values, rng::sample(rng::bits<uint32_t>{}, many, Stream<>{42}));

    const std::function<void(uint32_t)> throws = [&](uint32_t) { throw Refused("from the inner fill"); };
    see = [&](uint32_t) {
        std::vector<uint32_t> inside(inner);
        rng::fill(inside, Watched{&throws}, Stream<>{7});
    };
    EXPECT_EQ(thrown_by([&] { rng::fill(values, Watched{&see}, Stream<>{42}); }), "from the inner fill");
    expect_valid_fills();
}

// Every allocation of an SVD may fail, on the caller's thread or another: bad_alloc, and the next one is right.
TEST(ThrowingMap, AnSvdWithoutMemory) {
    const support::SavedSettings saved;
    rng::set_num_threads(3);
    rng::Matrix<float> a(1500, 40);
    rng::fill(a.values, rng::normal{0.0f, 1.0f}, Stream<>{42});
    const rng::SvdOptions<float> options{.q = 8};
    const auto svd = [&] {
        Generator generator(3);
        return rng::svd_lowrank(a.view(), options, generator);
    };
    const auto expected = svd();
    const auto expect_right = [&] {
        const auto again = svd();
        ASSERT_TRUE(support::same_bits(again.U.values, expected.U.values));
        ASSERT_TRUE(support::same_bits(again.S, expected.S));
        ASSERT_TRUE(support::same_bits(again.V.values, expected.V.values));
    };
    bool ended = false;
    long failed = 0;
    for (long left = 0; !ended; left += left < 100 ? 1 : left / 16) {
        bool refused = false;
        allocations_left = left;
        try {
            (void)svd();
        } catch (const std::bad_alloc&) {
            refused = true;
        }
        ended = allocations_left.exchange(-1) > 0;
        if (!ended) {
            EXPECT_TRUE(refused) << "memory ran out after " << left << " allocations";
            ++failed;
        }
        if (left % 8 == 0) expect_right();
    }
    EXPECT_GT(failed, 100);
    expect_right();
    expect_valid_fills();
}

/// Gives the call more and more memory, until it has enough. Before, the generator must not move.
template <class F> void expect_generator_stays(const char* name, const F& call) {
    Generator gen{1};
    call(gen);  // what the library allocates once
    const uint64_t position = gen.position();
    for (long enough = 0;; ++enough) {
        ASSERT_LT(enough, 1000) << name;
        bool failed = false;
        allocations_left = enough;
        try {
            call(gen);
        } catch (const std::bad_alloc&) {
            failed = true;
        }
        allocations_left = -1;
        if (!failed) {
            EXPECT_GT(enough, 0) << name << " takes no memory";
            break;
        }
        EXPECT_EQ(gen.position(), position) << name << " with " << enough << " allocations";
    }
    EXPECT_GT(gen.position(), position) << name;
}

TEST(NoMemory, AShuffleAChoiceAndSparseWeightsLeaveTheGenerator) {
    const std::vector<double> weights{5, 1, 0, 3, 0.25};
    std::vector<std::string> few{"a", "b", "c"}, many_texts(5000, "d");
    expect_generator_stays("shuffle of 3", [&](Generator& gen) { rng::shuffle(few, gen); });
    expect_generator_stays("shuffle of 5000", [&](Generator& gen) { rng::shuffle(many_texts, gen); });
    expect_generator_stays("choice", [](Generator& gen) { (void)rng::choice(1000, 9, gen); });
    expect_generator_stays("choice, weighted", [&](Generator& gen) { (void)rng::choice(weights, 3, gen); });
    expect_generator_stays("choice_with_replacement",
                           [](Generator& gen) { (void)rng::choice_with_replacement(100, 9, gen); });
    expect_generator_stays("choice_with_replacement, weighted",
                           [&](Generator& gen) { (void)rng::choice_with_replacement(weights, 9, gen); });
    std::vector<float> matrix(30 * 20);
    const rng::shard<float> whole(matrix.data(), {30, 20});
    expect_generator_stays("sparse", [&](Generator& gen) { rng::init::sparse(whole, 0.1, 1.0f, gen); });
}

}  // namespace
