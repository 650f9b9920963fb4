// Uniform real numbers of other programs. Sound ones pass for any way to their type, on this library's grid or off it.
// A coarser grid fails and is named.
//
// The words are Philox4x32-10's from fixed seeds.
// A sound source is suspicious in one run of 1000 at most and fails in one of a million.
// All sources here are run once, so the verdicts repeat.
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>
#include <rng/float16.hpp>
#include <rng/stats/battery.hpp>
#include <rng/stats/values.hpp>

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "../support/sampled.hpp"

namespace {

using namespace rng::stats;

/// Words of 32 bits, as <random> wants them.
class Words {
  public:
    using result_type = uint32_t;
    explicit Words(uint64_t seed) : generator_(seed) {}
    static constexpr uint32_t min() { return 0; }
    static constexpr uint32_t max() { return UINT32_MAX; }
    uint32_t operator()() {
        if (next_ == words_.size()) {
            rng::fill(words_, rng::bits<uint32_t>{}, generator_);
            next_ = 0;
        }
        return words_[next_++];
    }
    double fraction() {  // of 53 bits, as NumPy's random()
        const uint64_t high = (*this)() >> 5, low = (*this)() >> 6;
        return static_cast<double>(high << 26 | low) * 0x1p-53;
    }

  private:
    rng::Generator generator_;
    std::vector<uint32_t> words_ = std::vector<uint32_t>(4096);
    std::size_t next_ = 4096;
};

template <class T> double as(double x) { return static_cast<double>(static_cast<float>(T(static_cast<float>(x)))); }

Options of(uint64_t values) {
    Options options;
    options.bytes = 4 * values;
    return options;
}

template <class F, class D> void expect_pass(const char* name, const D& dist, F value) {
    Words words(20261122);
    const Report report = test_values([&] { return value(words); }, dist, name, of(support::sampled(1 << 20)));
    EXPECT_EQ(report.verdict, Verdict::pass) << summary(report);
}

TEST(ForeignUniforms, Floats) {
    const rng::uniform<float> unit{0.0f, 1.0f};
    const auto standard = [](float lo, float hi) {
        return [d = std::uniform_real_distribution<float>(lo, hi)](Words& w) mutable { return d(w); };
    };
    expect_pass("std::uniform_real_distribution", unit, standard(0, 1));
    expect_pass("std::uniform_real_distribution, -3 to 7", rng::uniform{-3.0f, 7.0f}, standard(-3, 7));
    expect_pass("32 bits, nearest", unit, [](Words& w) { return static_cast<float>(w()) * 0x1p-32f; });
    expect_pass("27 bits, nearest", unit, [](Words& w) { return static_cast<float>(w() >> 5) * 0x1p-27f; });
    expect_pass("24 bits", unit, [](Words& w) { return static_cast<float>(w() >> 8) * 0x1p-24f; });
    expect_pass("53 bits, nearest", unit, [](Words& w) { return static_cast<float>(w.fraction()); });
    expect_pass("cuRAND's (0, 1]", rng::uniform_open_closed{0.0f, 1.0f},
                [](Words& w) { return static_cast<float>(w()) * 0x1p-32f + 0x1p-33f; });
}

TEST(ForeignUniforms, FloatsOfOtherIntervals) {
    const auto cast = [](double lo, double hi) {
        return [=](Words& w) { return static_cast<float>(lo + (hi - lo) * w.fraction()); };
    };
    expect_pass("-3 to 7, cast", rng::uniform{-3.0f, 7.0f}, cast(-3, 7));
    expect_pass("1 to 2, cast", rng::uniform{1.0f, 2.0f}, cast(1, 2));
    expect_pass("-1 to 1, cast", rng::uniform{-1.0f, 1.0f}, cast(-1, 1));
    expect_pass("100 to 101, cast", rng::uniform{100.0f, 101.0f}, cast(100, 101));
    expect_pass("-3 to 7 in floats", rng::uniform{-3.0f, 7.0f}, [](Words& w) {
        const float u = static_cast<float>(w() >> 8) * 0x1p-24f, product = u * 10.0f;
        return product - 3.0f;
    });
    expect_pass("-3 to 7, this library's", rng::uniform{-3.0f, 7.0f}, [d = rng::uniform{-3.0f, 7.0f}](Words& w) {
        return std::fma(static_cast<float>(w() >> 8), 0x1.4p-21f, d.lo);
    });
}

TEST(ForeignUniforms, Halves) {
    const auto half = []<class T>(T, double lo, double hi) {
        return [=](Words& w) { return as<T>(lo + (hi - lo) * w.fraction()); };
    };
    expect_pass("f16", rng::uniform<rng::float16>{}, half(rng::float16{}, 0, 1));
    expect_pass("bf16", rng::uniform<rng::bfloat16>{}, half(rng::bfloat16{}, 0, 1));
    expect_pass("f16, -3 to 7", rng::uniform<rng::float16>{-3.0f, 7.0f}, half(rng::float16{}, -3, 7));
    expect_pass("bf16, 1 to 2", rng::uniform<rng::bfloat16>{1.0f, 2.0f}, half(rng::bfloat16{}, 1, 2));
    expect_pass("f16, rounded down", rng::uniform<rng::float16>{},
                [](Words& w) { return static_cast<double>(w() >> 21) * 0x1p-11; });
    expect_pass("bf16, rounded down", rng::uniform<rng::bfloat16>{},
                [](Words& w) { return static_cast<double>(w() >> 24) * 0x1p-8; });
}

/// This library's own values.
template <class D> void expect_own_pass(const char* name, const D& dist) {
    using T = rng::result_t<D>;
    std::vector<T> values(support::sampled(1 << 18));
    rng::Generator generator(20261122);
    rng::fill(values, dist, generator);
    std::size_t next = 0;
    const Report report =
        test_values([&] { return static_cast<double>(values[next++]); }, law_of(dist), name, of(values.size()));
    EXPECT_EQ(report.verdict, Verdict::pass) << summary(report);
}

// Those few numbers that the type has there are all on a coarse grid.
TEST(ForeignUniforms, LawsNarrowerThanTheSpacingOfTheirType) {
    expect_own_pass("normal, 1e6 +- 0.01", rng::normal<float>{1e6f, 0.01f});
    expect_own_pass("1e6 to 1e6 + 0.1", rng::uniform<float>{1e6f, 1000000.1f});
    expect_own_pass("1 to 1 + 1e-7", rng::uniform<float>{1.0f, 1.0000001f});
}

template <class F, class D> void expect_grid(const char* step, const D& dist, F value, const std::string& advice = {}) {
    Words words(3);
    const Report report = test_values([&] { return value(words); }, dist, step, of(1 << 14));
    EXPECT_EQ(report.verdict, Verdict::fail) << step;
    EXPECT_NE(summary(report).find(std::string("The values lie on a grid of ") + step + ","), std::string::npos)
        << summary(report);
    EXPECT_NE(report.advice.find(advice), std::string::npos) << report.advice;
}

TEST(ForeignUniforms, ACoarserGridIsNamed) {
    const auto bits = [](int n) {
        return [n](Words& w) { return std::ldexp(static_cast<float>(w() >> (32 - n)), -n); };
    };
    expect_grid("2^-16", rng::uniform{0.0f, 1.0f}, bits(16));
    expect_grid("2^-23", rng::uniform{0.0f, 1.0f}, bits(23));  // every other float from 1/2 on
    expect_grid("2^-23", rng::uniform_open_closed{0.0f, 1.0f},
                [](Words& w) { return (static_cast<float>(w() >> 9) + 1) * 0x1p-23f; });
    expect_grid("2^-20", rng::uniform{0.0f, 1.0f}, bits(20));
    expect_grid("2^-24", rng::uniform{0.0, 1.0}, bits(24));
    const auto decimals = [](Words& w) { return std::round(w.fraction() * 1e6) / 1e6; };
    expect_grid("10^-6", rng::uniform{0.0, 1.0}, decimals);
    expect_grid("10^-6", rng::uniform{0.0f, 1.0f}, [=](Words& w) { return static_cast<float>(decimals(w)); });
    expect_grid("10^-3", rng::normal{0.0, 1.0},
                [z = std::normal_distribution<double>()](Words& w) mutable { return std::round(z(w) * 1e3) / 1e3; });
}

// The bits are those of the interval, for any length; a law without such a parameter has no such advice.
TEST(ForeignUniforms, TheAdviceIsOfTheLaw) {
    const auto whole = [](int n, double step) { return [=](Words& w) { return (w() >> (32 - n)) * step; }; };
    const std::string none = "Values that were rounded cannot be tested against this law.";
    expect_grid("2^-16", rng::uniform{0.0f, 1.0f}, whole(16, 0x1p-16), " bits=16 among");
    expect_grid("2^-3", rng::uniform{0.0, 128.0}, whole(10, 0.125), " bits=10 among");
    expect_grid("1", rng::uniform{0.0, 1024.0}, whole(10, 1), " bits=10 among");
    expect_grid(
        "1", rng::uniform{0.0, 1000.0}, [](Words& w) { return std::floor(w.fraction() * 1000); }, none);
    expect_grid(
        "2^-2", rng::uniform{0.125, 8.125}, [](Words& w) { return 0.25 + (w() >> 27) * 0.25; }, none);
    expect_grid(
        "10^-6", rng::uniform{0.0, 1.0}, [](Words& w) { return std::round(w.fraction() * 1e6) / 1e6; },
        " decimals=6 among");
    expect_grid(
        "10^-3", rng::normal{0.0, 1.0},
        [z = std::normal_distribution<double>()](Words& w) mutable { return std::round(z(w) * 1e3) / 1e3; }, none);
}

}  // namespace
