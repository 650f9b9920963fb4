// Neighbouring values differ on every engine: values whose slots share a block must not repeat each other.
#include <gtest/gtest.h>
#include <rng/any_distribution.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace {

/// How many of 4096 values have the bits of the value before them.
int repetitions(const rng::AnyDistribution& dist, rng::Engine engine) {
    constexpr std::size_t n = 4096;
    const std::size_t bytes = dist.info().value_bytes;
    std::vector<double> memory(n * bytes / sizeof(double));
    dist.fill(memory.data(), n, rng::AnyStream(1, engine));
    const auto* const value = reinterpret_cast<const unsigned char*>(memory.data());
    int equal = 0;
    for (std::size_t i = 1; i < n; ++i) equal += std::memcmp(value + i * bytes, value + (i - 1) * bytes, bytes) == 0;
    return equal;
}
void expect_new_neighbours(const rng::AnyDistribution& dist) {
    rng::for_each_engine([&dist](auto tag) {
        using E = typename decltype(tag)::type;
        // 2^32 words or 2^24 floats: one of 4095 pairs may be equal by chance.
        EXPECT_LE(repetitions(dist, E::number), 1) << dist.info().name << ' ' << dist.info().dtype << ' ' << E::name;
    });
}

TEST(Neighbours, DifferOnEveryEngine) {
    int distributions = 0;
    for (const rng::DistributionInfo& info : rng::known_distributions()) {
        // Values of 8 and 16 bits, and small counts, are so few that neighbours often are equal.
        const std::string_view name = info.name;
        if (info.value_bytes < 4 || name == "poisson" || name == "binomial" || name == "geometric" ||
            name == "hypergeometric" || name == "negative_binomial" || name == "zipf" || name == "log_series")
            continue;
        ++distributions;
        expect_new_neighbours(rng::AnyDistribution(info.name, info.dtype));
    }
    EXPECT_GE(distributions, 80) << "the catalogue was not walked through";
}

TEST(Neighbours, GreatCountsDifferToo) {
    expect_new_neighbours(rng::AnyDistribution("poisson", "i64", {{"mean", 0x1p60}}));
    expect_new_neighbours(rng::AnyDistribution("binomial", "i64", {{"trials", int64_t{1} << 62}, {"p", 0.25}}));
    expect_new_neighbours(rng::AnyDistribution("geometric", "i64", {{"p", 0x1p-40}}));
    expect_new_neighbours(rng::AnyDistribution("negative_binomial", "i64", {{"r", 0x1p40}, {"p", 0.25}}));
    expect_new_neighbours(rng::AnyDistribution("negative_binomial", "i64", {{"r", 3.5}, {"p", 0x1p-40}}));
    expect_new_neighbours(rng::AnyDistribution("zipf", "i64", {{"a", 0.5}, {"most", int64_t{1} << 45}}));
    constexpr int64_t many = int64_t{1} << 51;
    expect_new_neighbours(
        rng::AnyDistribution("hypergeometric", "i64", {{"good", many}, {"bad", many}, {"draws", many}}));
}

// Samplers that reject more of their trials than with their default parameters, or go another way.
TEST(Neighbours, DifferWithOtherParametersToo) {
    for (const char* const dtype : {"f32", "f64"}) {
        expect_new_neighbours(rng::AnyDistribution("gamma", dtype, {{"shape", 0.25}}));
        expect_new_neighbours(rng::AnyDistribution("beta", dtype, {{"a", 0.5}, {"b", 0.5}}));
        expect_new_neighbours(rng::AnyDistribution("fisher_f", dtype, {{"d1", 3}, {"d2", 5}}));
        // Two of three trials fail.
        expect_new_neighbours(rng::AnyDistribution("truncated_normal", dtype, {{"lo", 0.25}, {"hi", 1.5}}));
        expect_new_neighbours(rng::AnyDistribution("von_mises", dtype, {{"kappa", 4}}));
        expect_new_neighbours(rng::AnyDistribution("noncentral_chi_squared", dtype, {{"nu", 3}, {"lambda", 600}}));
        expect_new_neighbours(rng::AnyDistribution("noncentral_f", dtype, {{"d1", 3}, {"d2", 5}, {"lambda", 600}}));
    }
}

}  // namespace
