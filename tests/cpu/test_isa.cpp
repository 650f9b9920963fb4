// Instruction sets and threads: what can be chosen, from the program and from the environment, and what is refused.
#include <gtest/gtest.h>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>
#include <rng/isa.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../src/cpu/dispatch.hpp"
#include "../support/paths.hpp"

namespace {

using rng::ErrorCode;
using rng::Isa;
using support::error_of;

// ---- from the program

TEST(Isa, ScalarIsAlwaysThere) {
    const auto isas = rng::available_isas();
    ASSERT_FALSE(isas.empty());
    EXPECT_EQ(isas.front(), Isa::scalar);
    EXPECT_TRUE(std::is_sorted(isas.begin(), isas.end())) << "narrowest first";
    EXPECT_EQ(std::adjacent_find(isas.begin(), isas.end()), isas.end());
#if defined(__x86_64__)
    EXPECT_EQ(std::count(isas.begin(), isas.end(), Isa::avx2) == 1,
              __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
#endif
#if defined(__aarch64__)
    EXPECT_EQ(isas, (std::vector{Isa::scalar, Isa::neon}));
#endif
}

TEST(Isa, Names) {
    EXPECT_STREQ(rng::to_string(Isa::scalar), "scalar");
    EXPECT_STREQ(rng::to_string(Isa::avx2), "avx2");
    EXPECT_STREQ(rng::to_string(Isa::avx512), "avx512");
    EXPECT_STREQ(rng::to_string(Isa::neon), "neon");
}

TEST(Isa, SetIsWhatIsCurrent) {
    const support::SavedSettings saved;
    for (const Isa isa : rng::available_isas()) {
        rng::set_isa(isa);
        EXPECT_EQ(rng::current_isa(), isa);
    }
}

TEST(Isa, WideVectorsGiveWayWhereTheySlowTheProgram) {
    using rng_cpu::effect_of_wide_vectors, rng_cpu::prefers_256_bits, rng_cpu::WideVectors;
    EXPECT_EQ(effect_of_wide_vectors(true, 6, 0x55), WideVectors::slow_for_1_ms);    // Skylake-SP
    EXPECT_EQ(effect_of_wide_vectors(true, 6, 0x8f), WideVectors::slow_for_100_us);  // Sapphire Rapids
    EXPECT_EQ(effect_of_wide_vectors(false, 0x19, 0x11), WideVectors::harmless);     // Zen 4
    EXPECT_EQ(effect_of_wide_vectors(false, 6, 0x55), WideVectors::harmless);
    for (const std::size_t bytes : {std::size_t{4}, std::size_t{1024}, std::size_t{262'143}, std::size_t{262'144}}) {
        EXPECT_EQ(prefers_256_bits(WideVectors::slow_for_1_ms, bytes, false), bytes < 262'144);
        EXPECT_FALSE(prefers_256_bits(WideVectors::slow_for_100_us, bytes, false));
        EXPECT_FALSE(prefers_256_bits(WideVectors::harmless, bytes, false));
        EXPECT_FALSE(prefers_256_bits(WideVectors::harmless, bytes, true));
        EXPECT_TRUE(prefers_256_bits(WideVectors::slow_for_100_us, bytes, true));
        EXPECT_TRUE(prefers_256_bits(WideVectors::slow_for_1_ms, bytes, true));
    }
    // A choice holds for calls of any size.
    const support::SavedSettings saved;
    for (const Isa isa : rng::available_isas()) {
        rng::set_isa(isa);
        EXPECT_EQ(&rng_cpu::kernels_for(16, true), &rng_cpu::current_kernels());
        EXPECT_EQ(&rng_cpu::kernels_for(16, false), &rng_cpu::current_kernels());
    }
}

TEST(Isa, ResetTakesTheChoiceBack) {
    const support::SavedSettings saved;
    rng::reset_isa();
    const Isa first = rng::current_isa();
    rng::set_isa(Isa::scalar);
    EXPECT_EQ(rng::current_isa(), Isa::scalar);
    rng::reset_isa();
    EXPECT_EQ(rng::current_isa(), first);
}

TEST(Isa, RefusesWhatIsNotThere) {
    const support::SavedSettings saved;
    const auto isas = rng::available_isas();
    rng::set_isa(Isa::scalar);
    for (const Isa isa : {Isa::avx2, Isa::avx512, Isa::neon}) {
        if (std::count(isas.begin(), isas.end(), isa) > 0) continue;
        const std::string text = error_of(ErrorCode::unsupported, [&] { rng::set_isa(isa); });
        EXPECT_EQ(text.find(std::string("set_isa: ") + rng::to_string(isa) + " is not available"), 0u) << text;
    }
    error_of(ErrorCode::unsupported, [] { rng::set_isa(static_cast<Isa>(99)); });
    EXPECT_EQ(rng::current_isa(), Isa::scalar);
}

TEST(Threads, Range) {
    const support::SavedSettings saved;
    for (const int n : {1, 2, 1024}) {
        rng::set_num_threads(n);
        EXPECT_EQ(rng::num_threads(), n);
    }
    for (const int n : {0, -1, 1025}) {
        EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { rng::set_num_threads(n); }),
                  "set_num_threads: n must be in [1, 1024], got " + std::to_string(n));
        EXPECT_EQ(rng::num_threads(), 1024);
    }
}

// ---- from the environment, which is read once: so each of these runs in a process of its own

using Variable = std::pair<const char*, std::optional<std::string>>;

/// Sets the environment, writes what f() returns or the Error that it throws to stderr, and ends the process.
[[noreturn]] void report(const std::vector<Variable>& variables, const std::function<std::string()>& f) {
    for (const auto& [name, value] : variables)
        if (value)
            setenv(name, value->c_str(), 1);
        else
            unsetenv(name);
    std::string text;
    try {
        text = f();
    } catch (const rng::Error& error) {
        text = std::string(error.code() == ErrorCode::unsupported ? "unsupported: " : "invalid: ") + error.what();
    }
    std::fprintf(stderr, "<%s>\n", text.c_str());
    std::_Exit(0);
}

std::string isa_in_use() { return rng::to_string(rng::current_isa()); }
std::string threads_in_use() { return std::to_string(rng::num_threads()); }

class EnvironmentDeathTest : public testing::Test {
  protected:
    // A fresh process, not a fork of this one, whose settings are already read.
    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

#define EXPECT_REPORT(variables, f, text) EXPECT_EXIT(report(variables, f), testing::ExitedWithCode(0), text)

TEST_F(EnvironmentDeathTest, IsaIsForced) {
    for (const Isa isa : rng::available_isas()) {
        const std::vector<Variable> variables{{"RNG_ISA", rng::to_string(isa)}};
        EXPECT_REPORT(variables, isa_in_use, std::string("<") + rng::to_string(isa) + ">");
    }
}

TEST_F(EnvironmentDeathTest, IsaIsTheWidestOtherwise) {
    const std::string widest = std::string("<") + rng::to_string(rng::available_isas().back()) + ">";
    const std::vector<Variable> unset{{"RNG_ISA", std::nullopt}}, empty{{"RNG_ISA", ""}};
    EXPECT_REPORT(unset, isa_in_use, widest);
    EXPECT_REPORT(empty, isa_in_use, widest);
}

TEST_F(EnvironmentDeathTest, IsaMustBeKnown) {
    for (const char* bad : {"neon", "AVX2", "avx2 ", "0", "scalar,avx2"}) {
        const std::vector<Variable> variables{{"RNG_ISA", bad}};
        EXPECT_REPORT(
            variables, isa_in_use,
            std::string("<unsupported: RNG_ISA: \"") + bad + "\" is not available; this machine and build have scalar");
    }
}

TEST_F(EnvironmentDeathTest, SetIsaWinsOverTheEnvironment) {
    const std::vector<Variable> variables{{"RNG_ISA", "neon"}};
    const auto set_then_ask = [] {
        rng::set_isa(Isa::scalar);
        return isa_in_use();
    };
    EXPECT_REPORT(variables, set_then_ask, "<scalar>");
}

TEST_F(EnvironmentDeathTest, ThreadsAreForced) {
    for (const char* n : {"1", "7", "1024"}) {
        const std::vector<Variable> variables{{"RNG_NUM_THREADS", n}};
        EXPECT_REPORT(variables, threads_in_use, std::string("<") + n + ">");
    }
    const std::vector<Variable> empty{{"RNG_NUM_THREADS", ""}};
    EXPECT_REPORT(empty, threads_in_use, "<[1-9]");
}

TEST_F(EnvironmentDeathTest, ThreadsMustBeInRange) {
    for (const char* bad : {"0", "-1", "1025", "99999999999999999999", "two", "2 threads", "2.5", "0x10"}) {
        const std::vector<Variable> variables{{"RNG_NUM_THREADS", bad}};
        EXPECT_REPORT(variables, threads_in_use,
                      std::string("<invalid: RNG_NUM_THREADS: must be a number in .1, 1024., got \"") + bad + "\">");
    }
}

// What is wrong with the environment is said before the generator moves on: a call that fails changes nothing.
TEST_F(EnvironmentDeathTest, ARefusedFillChangesNothing) {
    const auto fill_and_report = [] {
        rng::Generator generator(42);
        std::vector<float> x(8);
        std::string text;
        try {
            rng::fill(x, rng::uniform<float>{}, generator);
        } catch (const rng::Error& error) {
            text = error.what();
        }
        return text.substr(0, text.find(':')) + " at " + std::to_string(generator.position());
    };
    const std::vector<Variable> isa{{"RNG_ISA", "neon"}}, threads{{"RNG_NUM_THREADS", "0"}, {"RNG_ISA", "scalar"}};
    EXPECT_REPORT(isa, fill_and_report, "<RNG_ISA at 0>");
    EXPECT_REPORT(threads, fill_and_report, "<RNG_NUM_THREADS at 0>");
}

// The environment changes how numbers are made, not the numbers.
TEST_F(EnvironmentDeathTest, SameNumbers) {
    const auto digest_of_fill = [] {
        std::vector<double> x(500'000);
        rng::fill(std::span(x), rng::normal{0.0, 1.0}, rng::Stream<>{42});
        uint64_t sum = 0;
        for (const double value : x) sum = sum * 31 + rng::lane::Scalar::bits(value);
        return std::to_string(sum);
    };
    const std::string expected = "<" + digest_of_fill() + ">";
    for (const Isa isa : rng::available_isas()) {
        const std::vector<Variable> variables{{"RNG_ISA", rng::to_string(isa)}, {"RNG_NUM_THREADS", "3"}};
        EXPECT_REPORT(variables, digest_of_fill, expected);
    }
}

}  // namespace
