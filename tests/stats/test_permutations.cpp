// check_permutations: the library's permutations and those of std::shuffle pass; rounds that are too few do not.
#include <gtest/gtest.h>
#include <rng/rng.hpp>
#include <rng/stats/permutations.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <random>
#include <vector>

namespace {

using rng::stats::check_permutations;
using rng::stats::PermutationCheck;

void of_library(uint64_t key, std::span<uint32_t> out) {
    rng::fill(out, rng::permutation{out.size()}.of(rng::Stream{42}, key));
}
void of_std(uint64_t key, std::span<uint32_t> out) {
    std::mt19937_64 entropy(key);
    std::iota(out.begin(), out.end(), 0u);
    std::shuffle(out.begin(), out.end(), entropy);
}
/// The library's rounds, but so many half rounds; with or without the exchange that makes signs fair.
template <int Rounds, bool Exchange = true> void of_rounds(uint64_t key, std::span<uint32_t> out) {
    const auto own = rng::permutation{out.size()}.of(rng::Stream{42}, key).own_stream();
    uint32_t keys[Rounds + 1];
    for (unsigned r = 0; r <= Rounds; ++r) keys[r] = word(own, r);
    if (!Exchange) keys[Rounds] = 0;
    const rng::detail::Feistel<Rounds> feistel(out.size(), keys);
    for (uint32_t i = 0; i < out.size(); ++i) out[i] = static_cast<uint32_t>(feistel.at(i));
}

/// The least p-value of all checks, times their number: below 1e-6 once in a million runs.
double least_p(const rng::stats::PermutationSource& source, uint32_t n, uint32_t keys) {
    const auto checks = check_permutations(source, n, keys);
    const auto least = std::min_element(checks.begin(), checks.end(), [](const auto& a, const auto& b) {
        return a.p.log10_two_sided() < b.p.log10_two_sided();
    });
    const double p = least->p.two_sided() * static_cast<double>(checks.size());
    if (std::getenv("RNG_SHOW") != nullptr)
        std::cout << "n " << n << " keys " << keys << ": " << least->name << ", statistic " << least->statistic
                  << ", p " << p << " of " << checks.size() << " checks\n";
    return p;
}

TEST(Permutations, OfTheLibraryAndOfStdPass) {
    for (const uint32_t n : {1024u, 2048u, 2049u, 4096u, 5000u}) {
        EXPECT_GT(least_p(of_library, n, 300'000 / n), 1e-6) << n;
        EXPECT_GT(least_p(of_std, n, 300'000 / n), 1e-6) << n;
    }
}

TEST(Permutations, TooFewRoundsAreFound) {
    for (const uint32_t n : {2049u, 4096u, 5000u}) EXPECT_LT(least_p(of_rounds<4>, n, 300'000 / n), 1e-30) << n;
    EXPECT_LT(least_p(of_rounds<6>, 4096, 800), 1e-10);
    EXPECT_GT(least_p(of_rounds<rng::detail::feistel_rounds>, 4096, 800), 1e-6);
}

/// P-values are uniform on permutations that are not ours: 0.01 is reached by one in a hundred.
TEST(Permutations, PValuesAreUniform) {
    int checks = 0, low = 0, high = 0;
    for (uint64_t run = 0; run < 40; ++run)
        for (const PermutationCheck& check : check_permutations(
                 [run](uint64_t key, std::span<uint32_t> out) { of_std(1000 * run + key, out); }, 2048, 16)) {
            ++checks;
            low += check.p.lower() < 0.05 ? 1 : 0;
            high += check.p.upper() < 0.05 ? 1 : 0;
        }
    const double expected = 0.05 * checks, deviation = std::sqrt(expected);
    EXPECT_LT(std::abs(low - expected), 5 * deviation) << low << " of " << checks;
    EXPECT_LT(std::abs(high - expected), 5 * deviation) << high << " of " << checks;
}

/// For a power of two, rounds alone make even permutations only; just below one, odd ones or even ones mostly.
TEST(Permutations, UnfairSignsAreFound) {
    const auto signs = [](const rng::stats::PermutationSource& source, uint32_t n) {
        const auto checks = check_permutations(source, n, 100);
        EXPECT_EQ(checks.back().name, "odd permutations");
        return checks.back();
    };
    for (const uint32_t n : {4096u, 4093u}) {
        EXPECT_LT(signs(of_rounds<rng::detail::feistel_rounds, false>, n).p.two_sided(), 1e-20) << n;
        EXPECT_GT(signs(of_rounds<rng::detail::feistel_rounds>, n).p.two_sided(), 1e-6) << n;
        EXPECT_GT(signs(of_std, n).p.two_sided(), 1e-6) << n;
    }
    EXPECT_EQ(signs(of_rounds<rng::detail::feistel_rounds, false>, 4096).statistic, 0);
    const auto reversed = [](uint64_t, std::span<uint32_t> out) {  // 512 cycles of two, and 1 fixed point
        std::iota(out.rbegin(), out.rend(), 0u);
    };
    EXPECT_EQ(signs(reversed, 1025).statistic, 0);
    EXPECT_EQ(signs(reversed, 1026).statistic, 100);
}

TEST(Permutations, Errors) {
    EXPECT_THROW((void)check_permutations(of_std, 1023, 1), rng::Error);
    EXPECT_THROW((void)check_permutations(of_std, 1024, 0), rng::Error);
    const auto constant = [](uint64_t, std::span<uint32_t> out) { std::fill(out.begin(), out.end(), 7u); };
    EXPECT_THROW((void)check_permutations(constant, 1024, 1), rng::Error);
    const auto outside = [](uint64_t, std::span<uint32_t> out) { std::iota(out.begin(), out.end(), 1u); };
    EXPECT_THROW((void)check_permutations(outside, 1024, 1), rng::Error);
}

TEST(PermutationsSlow, OfTheLibraryPassAtLargeSizes) {
    for (const uint32_t n : {1u << 16, 100'000u, 1'000'000u}) {
        EXPECT_GT(least_p(of_library, n, 100'000'000 / n), 1e-6) << n;
        EXPECT_LT(least_p(of_rounds<4>, n, 4'000'000 / n), 1e-30) << n;
    }
    EXPECT_LT(least_p(of_rounds<6>, 1u << 16, 600), 1e-6);
    EXPECT_GT(least_p(of_library, 4096, 20'000), 1e-6);
}

}  // namespace
