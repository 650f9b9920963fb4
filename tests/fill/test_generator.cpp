// Generators: the contract's section of that name, line by line. (Their states: test_generator_state.cpp.)
#include <gtest/gtest.h>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../support/generators.hpp"
#include "../support/paths.hpp"

namespace {

using rng::ErrorCode;
using rng::Generator;
using rng::Stream;
using namespace support;

// Everything that a generator is, but its device.
void expect_equal(const Generator& a, const Generator& b) { EXPECT_EQ(a.get_state(), b.get_state()); }

// ---- seeds

TEST(Generator, NobodySeededIt) {
    const Generator generator;
    EXPECT_EQ(generator.initial_seed(), 20111115u);
    EXPECT_EQ(rng::default_seed, 20111115u);
    EXPECT_EQ(generator.device(), rng::cpu());
    EXPECT_EQ(generator.engine(), rng::Engine::philox4x32_10);
    EXPECT_EQ(generator.stream(), Stream<>{20111115});
}

TEST(Generator, SeedsAreStreams) {
    Generator generator(0xdeadbeefcafef00d);
    EXPECT_EQ(generator.stream(), Stream<>{0xdeadbeefcafef00d});
    EXPECT_EQ(generator.initial_seed(), 0xdeadbeefcafef00d);
    expect_equal(Generator(rng::cpu(), 7), Generator(7));
}

TEST(Generator, ManualSeedStartsAgain) {
    Generator generator = Generator(1).fork(3);  // a child has an id
    generator.skip_words(10);
    (void)generator.fork();
    generator.manual_seed(42);
    expect_equal(generator, Generator(42));
}

TEST(Generator, SeedFromEntropy) {
    Generator generator = at_word(10);
    const uint64_t a = generator.seed();
    EXPECT_EQ(generator.initial_seed(), a);
    expect_equal(generator, Generator(a));
    EXPECT_NE(generator.seed(), a) << "two seeds of 64 random bits are equal with probability 2^-64";
}

TEST(Generator, MovesButDoesNotCopy) {
    static_assert(!std::is_copy_constructible_v<Generator> && !std::is_copy_assignable_v<Generator>);
    static_assert(std::is_nothrow_move_constructible_v<Generator> && std::is_nothrow_move_assignable_v<Generator>);
    static_assert(!std::is_convertible_v<uint64_t, Generator>, "a number is not taken for a generator");
    Generator a = at_word(10);
    Generator b = std::move(a);
    EXPECT_EQ(b.position(), 10u);
    Generator c(1);
    c = std::move(b);
    EXPECT_EQ(c.position(), 10u);
}

TEST(Generator, CloneRepeatsAndIsApart) {
    Generator a = at_word(5);
    (void)a.fork();
    Generator b = a.clone();
    expect_equal(a, b);
    EXPECT_TRUE(same_bits(rng::sample(unit, 100, a), rng::sample(unit, 100, b)));
    a.skip_words(1);
    (void)a.fork();
    EXPECT_EQ(b.position(), 105u);
    EXPECT_EQ(b.fork().stream(), Stream<>{42}.child(1, rng::domain::counted));
}

TEST(Generator, MovedFromIsAnError) {
    Generator a(42);
    const Bytes state = a.get_state();
    const Generator b = std::move(a);
    const auto refused = [](const auto& call) {
        EXPECT_EQ(error_of(ErrorCode::invalid_argument, call), "Generator: used after it was moved from");
    };
    refused([&] { (void)rng::sample(unit, 3, a); });  // NOLINT(bugprone-use-after-move): that is what is tested
    refused([&] { (void)a.clone(); });
    refused([&] { (void)a.fork(); });
    refused([&] { (void)a.fork(7); });
    refused([&] { (void)a.fork("worker"); });
    refused([&] { (void)a.split(2); });
    refused([&] { a.manual_seed(1); });
    refused([&] { (void)a.seed(); });
    refused([&] { (void)a.initial_seed(); });
    refused([&] { a.skip_words(1); });
    refused([&] { (void)a.device(); });
    refused([&] { (void)a.engine(); });
    refused([&] { (void)a.position(); });
    refused([&] { (void)a.id(); });
    refused([&] { (void)a.stream(); });
    refused([&] { (void)a.get_state(); });
    refused([&] { a.set_state(state); });
    a = Generator(1);
    EXPECT_EQ(a.initial_seed(), 1u) << "a new value makes it whole again";
}

// ---- children

TEST(Generator, ChildrenAreThoseOfTheStream) {
    Generator generator = at_word(10);
    const Stream<> s{42};
    const Bytes before = generator.get_state();
    EXPECT_EQ(generator.fork(7).stream(), s.fork(7));
    EXPECT_EQ(generator.fork("worker").stream(), s.fork("worker"));
    EXPECT_EQ(generator.fork("").stream(), s.fork(""));
    EXPECT_EQ(generator.fork(7).fork("worker").stream(), s.fork(7).fork("worker"));
    EXPECT_EQ(generator.get_state(), before) << "forks by tag and name are pure";

    EXPECT_EQ(generator.fork().stream(), s.child(0, rng::domain::counted));
    const auto children = generator.split(5);
    ASSERT_EQ(children.size(), 5u);
    for (uint64_t i = 0; i < 5; ++i) EXPECT_EQ(children[i].stream(), s.child(1 + i, rng::domain::counted));
    EXPECT_TRUE(generator.split(0).empty());
    EXPECT_EQ(generator.fork().stream(), s.child(6, rng::domain::counted));
    EXPECT_EQ(generator.position(), 10u) << "children take no words";
    EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { (void)generator.fork(uint64_t{1} << 56); }),
              "Generator::fork: tag must be below 2^56, got 72057594037927936");
}

TEST(Generator, ChildrenAreWhole) {
    Generator parent(42);
    const Generator child = parent.fork(7);
    EXPECT_EQ(child.initial_seed(), 0x2af151d86290610du) << "the low 64 bits of its key: 6290610d 2af151d8";
    EXPECT_EQ(child.id(), 0xed8f8e7ef66f9cc0u);
    EXPECT_EQ(child.position(), 0u);
    EXPECT_EQ(child.device(), parent.device());
    EXPECT_EQ(parent.fork("worker").initial_seed(), 0x5e478fd2e264099bu);
    const Generator counted = parent.fork();
    EXPECT_EQ(counted.initial_seed(), 0xcdb50e20bc9142b2u);
    EXPECT_EQ(parent.fork(7).fork().stream(), Stream<>{42}.fork(7).child(0, rng::domain::counted));
}

// No more children than blocks; the request must fail before anything is allocated or counted.
TEST(Generator, TooManyChildren) {
    Generator generator(42);
    (void)generator.fork();
    const Bytes before = generator.get_state();
    const std::size_t too_many = std::size_t{1} << 56;
    EXPECT_TRUE(
        contains(error_of(ErrorCode::end_of_stream, [&] { (void)generator.split(too_many); }), "2^56 children"));
    EXPECT_EQ(generator.get_state(), before);
}

// ---- positions

TEST(Generator, SkipsWords) {
    Generator generator(42);
    generator.skip_words(3);
    generator.skip_words(4);
    EXPECT_EQ(generator.position(), 7u);
    EXPECT_EQ(rng::sample(rng::bits<uint32_t>{}, 1, generator)[0], rng::word(Stream<>{42}, 7));
    generator.skip_words(stream_words - 8);
    EXPECT_EQ(generator.position(), stream_words);
    EXPECT_EQ(error_of(ErrorCode::end_of_stream, [&] { generator.skip_words(1); }),
              "Generator::skip_words: 0 words are left in the stream, got 1");
    error_of(ErrorCode::end_of_stream, [&] { generator.skip_words(~uint64_t{0}); });
    EXPECT_EQ(generator.position(), stream_words);
}

TEST(Generator, PositionsAreRoundedUpToTheSlot) {
    Generator generator = at_word(1);
    (void)rng::sample(rng::bits<uint64_t>{}, 1, generator);
    EXPECT_EQ(generator.position(), 4u);
    (void)rng::sample(unit, 1, generator);
    (void)rng::sample(rng::normal{0.0f, 1.0f}, 1, generator);
    EXPECT_EQ(generator.position(), 6u) << "a pair's slot is one value's, not the pair's";
    (void)rng::sample(rng::normal{0.0, 1.0}, 1, generator);
    EXPECT_EQ(generator.position(), 8u);
}

TEST(Generator, AFailedCallChangesNothing) {
    Generator generator = at_word(stream_words - 5);
    (void)generator.fork();
    const Bytes before = generator.get_state();
    std::vector<float> six(6);
    std::vector<double> three(3);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(contains(error_of(ErrorCode::end_of_stream, [&] { rng::fill(six, unit, generator); }), "fill: "));
    error_of(ErrorCode::end_of_stream, [&] { rng::fill(three, rng::normal{0.0, 1.0}, generator); });
    error_of(ErrorCode::end_of_stream,
             [&] { rng::fill(rng::matrix_view<float>::row_major(six.data(), 2, 3), unit, generator); });
    error_of(ErrorCode::invalid_argument, [&] { rng::fill(six, rng::normal{nan, 1.0f}, generator); });
    error_of(ErrorCode::end_of_stream, [&] { generator.skip_words(6); });
    EXPECT_EQ(generator.get_state(), before);
    EXPECT_EQ(six, std::vector<float>(6));
    EXPECT_EQ(rng::sample(rng::normal{0.0, 1.0}, 2, generator).size(), 2u) << "and two values of two words still fit";
    EXPECT_EQ(generator.position(), stream_words);
}

TEST(Generator, StreamIsThePresentPlace) {
    Generator generator = at_word(3);
    const Stream<> s = generator.stream();
    EXPECT_EQ(s, (Stream<>{42, 0, 3}));
    EXPECT_EQ(rng::sample(unit, 1, generator)[0], rng::at(s, unit, 0));
}

// ---- devices

TEST(Generator, AnEngineThatIsNotThere) {
    EXPECT_EQ(
        error_of(ErrorCode::invalid_argument, [] { (void)Generator(rng::cpu(), 1, static_cast<rng::Engine>(77)); }),
        "Generator: no engine has the number 77");
}

TEST(Device, TextRoundTrip) {
    for (const rng::Device device : {rng::cpu(), rng::cuda(0), rng::cuda(12)})
        EXPECT_EQ(rng::parse_device(rng::to_string(device)), device);
    EXPECT_EQ(rng::parse_device("cuda"), rng::cuda(0));
    for (const char* bad : {"", "gpu", "CPU", "cuda:", "cuda:-1", "cuda:1x", "cuda: 1", "cuda:99999999999", "cpu:0"})
        EXPECT_TRUE(contains(error_of(ErrorCode::invalid_argument, [&] { (void)rng::parse_device(bad); }),
                             '"' + std::string(bad) + '"'));
}

// ---- default generators

TEST(DefaultGenerator, IsOneAndIsUsed) {
    const rng::ScopedGenerators scope;
    rng::manual_seed(42);
    Generator& generator = rng::default_generator();
    EXPECT_EQ(&generator, &rng::default_generator(rng::cpu()));
    std::vector<float> x(5);
    rng::fill(x, unit);
    EXPECT_TRUE(same_bits(x, support::by_at(Stream<>{42}, unit, 5)));
    EXPECT_TRUE(same_bits(rng::sample(unit, 3), support::by_at(Stream<>{42, 0, 5}, unit, 3)));
    rng::fill(rng::matrix_view<float>::row_major(x.data(), 1, 5), unit);
    EXPECT_EQ(generator.position(), 13u);
    rng::manual_seed(42);
    expect_equal(generator, Generator(42));
}

TEST(DefaultGenerator, ScopesRestoreIt) {
    rng::default_generator().skip_words(3);
    const Bytes before = rng::default_generator().get_state();
    {
        const rng::ScopedGenerators outer;
        rng::manual_seed(1);
        const Bytes inside = rng::default_generator().get_state();
        try {
            const rng::ScopedGenerators inner;
            (void)rng::sample(unit, 100);
            (void)rng::default_generator().fork();
            throw 1;
        } catch (int) {
        }
        EXPECT_EQ(rng::default_generator().get_state(), inside) << "after an exception too";
    }
    EXPECT_EQ(rng::default_generator().get_state(), before);
}

}  // namespace
