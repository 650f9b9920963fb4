// The caller's floating-point environment. None of the caller's rounding modes, flushes or exception masks changes a
// bit.
// Afterwards, every bit of the caller's environment is as before.
#include <gtest/gtest.h>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>
#include <rng/verify.hpp>

#include <cfenv>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "../../src/verify/svd_cases.hpp"
#include "../support/paths.hpp"
#include "../support/user_distributions.hpp"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace {

using rng::Generator;
using rng::Stream;

/// Restores the caller's environment, so that a failed test does not spoil the next.
class SavedEnvironment {
  public:
    SavedEnvironment() { std::fegetenv(&saved_); }
    ~SavedEnvironment() { std::fesetenv(&saved_); }
    SavedEnvironment(const SavedEnvironment&) = delete;
    SavedEnvironment& operator=(const SavedEnvironment&) = delete;

  private:
    std::fenv_t saved_;
};

struct Mode {
    std::string name;
    int rounding;
    unsigned extra;  // bits of MXCSR beyond the rounding, where there is one
};

std::vector<Mode> modes() {
    std::vector<Mode> all;
    for (const auto& [name, rounding] : {std::pair{"to nearest", FE_TONEAREST},
                                         {"upward", FE_UPWARD},
                                         {"downward", FE_DOWNWARD},
                                         {"toward zero", FE_TOWARDZERO}}) {
        all.push_back({name, rounding, 0});
#if defined(__SSE2__)
        all.push_back({std::string(name) + ", FTZ", rounding, 0x8000});
        all.push_back({std::string(name) + ", DAZ", rounding, 0x0040});
        all.push_back({std::string(name) + ", FTZ and DAZ", rounding, 0x8040});
#endif
    }
    return all;
}

/// Calls f() in a mode, and tells whether the mode was exactly the same afterwards.
template <class F> void in_mode(const Mode& mode, const F& f) {
    const SavedEnvironment saved;
    std::fesetround(mode.rounding);
#if defined(__SSE2__)
    const unsigned before = _mm_getcsr() | mode.extra;
    _mm_setcsr(before);
    f();
    const unsigned after = _mm_getcsr();
    EXPECT_EQ(after, before) << mode.name;
#else
    f();
#endif
    EXPECT_EQ(std::fegetround(), mode.rounding) << mode.name;
}

// The modes do what they say on this machine: otherwise the tests below would pass for nothing.
TEST(Environment, ModesAreReal) {
    volatile float third = 0, tiny = std::numeric_limits<float>::min(), one = 1, three = 3, half = 0.5f;
    const auto divide = [&](int rounding) {
        const SavedEnvironment saved;
        std::fesetround(rounding);
        third = one / three;
        return static_cast<float>(third);
    };
    EXPECT_GT(divide(FE_UPWARD), divide(FE_DOWNWARD));
#if defined(__SSE2__)
    const SavedEnvironment saved;
    EXPECT_NE(tiny * half, 0.0f);
    _mm_setcsr(_mm_getcsr() | 0x8000);
    const float flushed = tiny * half;
    EXPECT_EQ(rng::lane::Scalar::bits(flushed), 0u);
#endif
}

template <class D> uint64_t digest_of(const D& dist, std::size_t n) {
    std::vector<rng::result_t<D>> values(n);
    rng::fill(std::span(values), dist, Stream<>{42, 0, 1});
    return rng::digest(std::as_bytes(std::span(values)));
}

TEST(Environment, ChangesNoBit) {
    support::for_each_case_of_kinds(6, [](auto dist, const std::string& name) {
        constexpr std::size_t n = 5001;
        std::vector<rng::result_t<decltype(dist)>> expected = support::by_at(Stream<>{42, 0, 1}, dist, n), got(n);
        for (const Mode& mode : modes())
            support::on_every_isa([&](const std::string& path) {
                in_mode(mode, [&] { rng::fill(std::span(got), dist, Stream<>{42, 0, 1}); });
                EXPECT_TRUE(support::same_bits(got, expected)) << name << ", " << path << ", " << mode.name;
            });
    });
}

// The library's own threads, made while the caller's mode is odd, and afterwards.
TEST(Environment, ChangesNoBitOnThreads) {
    const support::SavedSettings saved;
    constexpr std::size_t n = 200'003;
    rng::set_num_threads(1);
    const uint64_t f32 = digest_of(rng::normal{3.0f, 0.7f}, n), f64 = digest_of(rng::exponential{2.75}, n);
    int threads = 2;
    for (const Mode& mode : modes()) {
        rng::set_num_threads(++threads);  // more than ever before: new threads are made in this mode
        uint64_t got_f32 = 0, got_f64 = 0;
        in_mode(mode, [&] { got_f32 = digest_of(rng::normal{3.0f, 0.7f}, n); });
        rng::set_num_threads(3);
        in_mode(mode, [&] { got_f64 = digest_of(rng::exponential{2.75}, n); });
        EXPECT_EQ(got_f32, f32) << mode.name;
        EXPECT_EQ(got_f64, f64) << mode.name;
    }
}

TEST(Environment, ChangesNoBitOfMatricesGeneratorsAndOwnDistributions) {
    const auto all = [] {
        std::vector<float> x(20'000), y(10'000);
        std::vector<support::Complex> z(1000);
        Generator generator(42);
        rng::fill(rng::matrix_view<float>{x.data(), 100, 100, 1, 200}, rng::normal{3.0f, 0.7f}, generator);
        rng::fill(y, rng::uniform{-2.5f, 7.25f}, generator);
        rng::fill(z, support::OnCircle{2.5}, generator);
        return std::vector<uint64_t>{rng::digest(std::as_bytes(std::span(x))), rng::digest(std::as_bytes(std::span(y))),
                                     rng::digest(std::as_bytes(std::span(z)))};
    };
    const auto expected = all();
    for (const Mode& mode : modes()) {
        std::vector<uint64_t> got;
        in_mode(mode, [&] { got = all(); });
        EXPECT_EQ(got, expected) << mode.name;
    }
}

#if defined(__SSE2__)

// Sticky flags belong to the caller: our arithmetic neither sets nor clears them.
// svd_lowrank sets the modes for itself. The inputs of a golden and its digest are computed in these modes too.
TEST(Environment, ChangesNoGoldenSvd) {
    for (const Mode& mode : modes())
        for (const rng::detail::SvdCase& one : rng::detail::svd_cases()) {
            if (one.rows > 100 || one.cols > 100) continue;
            uint64_t digest = 0;
            in_mode(mode, [&] { digest = rng::detail::run_svd_case(one).digest; });
            EXPECT_EQ(digest, one.digest) << mode.name << ": " << one.dtype << " " << to_string(one);
        }
}

TEST(Environment, StickyFlagsAreRestored) {
    const support::SavedSettings settings;
    const SavedEnvironment saved;
    std::vector<float> x(200'003);
    std::vector<double> y(1001);
    for (const int threads : {1, 3}) {
        rng::set_num_threads(threads);
        for (unsigned flags = 0; flags < 0x40; ++flags) {
            const unsigned before = 0x1f80 | flags;
            _mm_setcsr(before);
            rng::fill(std::span(y), rng::normal{1.0, 3.0}, Stream<>{42});
            if (flags % 21 == 0) rng::fill(std::span(x), rng::exponential{3.0f}, Stream<>{42});
            const unsigned after = _mm_getcsr();
            ASSERT_EQ(after, before);
        }
    }
}

// A caller who lets exceptions trap gets no signal for our rounding, and keeps his masks.
TEST(Environment, UnmaskedExceptionsDoNotTrap) {
    const SavedEnvironment saved;
    std::vector<float> x(1001);
    support::on_every_isa([&](const std::string& path) {
        const unsigned before = 0x1f80 & ~0x1e80u;  // invalid, zero divide, overflow, underflow and denormal trap ...
        _mm_setcsr(before | 0x1000);                // ... but not inexact: every cast of a test's own would
        rng::fill(std::span(x), rng::normal{1.0f, 3.0f}, Stream<>{42});
        const unsigned after = _mm_getcsr();
        _mm_setcsr(0x1f80);
        EXPECT_EQ(after, before | 0x1000) << path;
    });
}

// An Error does not change the environment either.
TEST(Environment, RestoredAfterAnError) {
    const SavedEnvironment saved;
    Generator generator(42);
    std::vector<float> x(8);
    const unsigned before = 0x9fc0 | 0x4000;  // FTZ, DAZ, upward
    _mm_setcsr(before);
    bool thrown = false;
    try {
        rng::fill(std::span(x), rng::bits<uint32_t>{}.fault() ? rng::normal{0.0f, 1.0f} : rng::normal{0.0f, -1.0f},
                  generator);
    } catch (const rng::Error&) {
        thrown = true;
    }
    const unsigned after = _mm_getcsr();
    _mm_setcsr(0x1f80);
    EXPECT_TRUE(thrown);
    EXPECT_EQ(after, before);
}

#endif

// The caller's mode must not decide which parameters are accepted.
// Here hi - lo overflows, or falls short of the least span, by less than a rounding.
TEST(Environment, ChangesNoRefusal) {
    const float f32_max = std::numeric_limits<float>::max();
    const double f64_max = std::numeric_limits<double>::max();
    const rng::uniform<float> f32[] = {
        {-0x1p-100f, f32_max},        {-0x1p102f, f32_max},         {-0x1p103f, f32_max},        {-0x1p104f, f32_max},
        {-0x1.fffffep-80f, 0x1p-79f}, {-0x1.fffffcp-80f, 0x1p-79f}, {0x1p-78f, 0x1.fffffep-78f}, {0x1p-78f, 0x1p-77f}};
    const rng::uniform<double> f64[] = {
        {-0x1p-900, f64_max}, {-0x1p969, f64_max}, {-0x1p970, f64_max}, {-0x1p971, f64_max}};
    const auto accepted = [](const auto& dist) {
        std::vector<rng::result_t<std::decay_t<decltype(dist)>>> values(500);
        try {
            rng::fill(std::span(values), dist, Stream<>{42});
        } catch (const rng::Error&) {
            return std::string("refused");
        }
        return std::to_string(rng::digest(std::as_bytes(std::span(values))));
    };
    const auto expect_same_in_every_mode = [&](const auto& dist) {
        const std::string expected = accepted(dist);
        for (const Mode& mode : modes()) {
            std::string got;
            in_mode(mode, [&] { got = accepted(dist); });
            EXPECT_EQ(got, expected) << "uniform{" << dist.lo << ", " << dist.hi << "}, " << mode.name;
        }
    };
    for (const auto& dist : f32) expect_same_in_every_mode(dist);
    for (const auto& dist : f64) expect_same_in_every_mode(dist);
}

}  // namespace
