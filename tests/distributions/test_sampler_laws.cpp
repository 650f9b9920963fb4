// The laws of samplers and of distributions with shapes, at parameters that test_statistics.cpp does not have: each
// algorithm on both sides of its limits. Kolmogorov-Smirnov, chi-square and tails.
//
// False alarms: seeds are fixed. If they were drawn anew, a sound library would fail the file with a probability below
// 1e-6: each of fewer than a thousand checks has a share of 1e-9.
#include <gtest/gtest.h>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "../support/paths.hpp"
#include "values_and_law.hpp"

namespace {

constexpr double share = 1e-9;
template <class T> constexpr T inf = std::numeric_limits<T>::infinity();

template <class D> std::string described(const D& dist) {
    std::string text = std::string(D::name) + (sizeof(rng::result_t<D>) == 4 ? " f32" : " f64");
    D::fields().each(
        [&](const auto& field) { text += std::string(" ") + field.name + " " + std::to_string(dist.*field.member); });
    return text;
}

/// With `has_tails` the quantiles of 1e-5 are far from the ends of the support, where values are coarse.
template <class D> void expect_law(const D& dist, std::size_t n, bool has_tails = true) {
    std::vector<rng::result_t<D>> values(n);
    rng::fill(values, dist, rng::Stream<>{271828, static_cast<uint64_t>(rng::catalogue_index<D>)});
    EXPECT_GE(support::fit(dist, values).least(), share) << described(dist);
    if (has_tails) {
        EXPECT_GE(support::tails(dist, values), share) << described(dist);
    }
}

/// The twin without a sampler's heart: what each trial proposes, whether it is accepted or not.
template <class D> void expect_proposals_fail(const D& dist) {
    using T = rng::result_t<D>;
    using W = std::conditional_t<sizeof(T) == 8, rng::lane::u64<rng::lane::Scalar>, rng::lane::u32<rng::lane::Scalar>>;
    std::mt19937_64 entropy(1);
    const auto word = [&] { return W(static_cast<std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>>(entropy())); };
    const auto map = dist.map();
    std::vector<T> values(std::size_t{1} << 18);
    for (T& x : values) {
        const W a = word(), b = word();
        if constexpr (rng::detail::Unit<D>::operands == 2) {
            x = map(a, b).value.v;
        } else {
            const W c = word(), d = word();
            x = map(a, b, c, d).value.v;
        }
    }
    EXPECT_LT(support::fit(dist, values).greatest(), share) << described(dist);
}

template <class T> void expect_laws(std::size_t n) {
    if (support::sanitized)
        GTEST_SKIP() << "minutes, in which a sanitizer sees nothing that the tests of fills do not do";
    for (const T shape : {T(0.15), T(0.3), T(0.999), T(1.001), T(1.54), T(2.5), T(30), T(1000)}) {
        expect_law(rng::gamma<T>{shape, 1}, n);
    }
    expect_law(rng::log_gamma<T>{T(0.01)}, n);
    expect_law(rng::log_gamma<T>{T(7)}, n);
    expect_law(rng::inverse_gamma<T>{T(0.6), 2}, n);
    expect_law(rng::inverse_gamma<T>{T(3.5), 2}, n);
    expect_law(rng::chi_squared<T>{T(0.5)}, n);
    expect_law(rng::chi_squared<T>{9}, n);
    expect_law(rng::chi<T>{T(1.25)}, n);
    expect_law(rng::chi<T>{6}, n);
    for (const T shape : {T(0.5), T(0.99), T(1), T(1.5), T(4), T(20)}) {
        expect_law(rng::generalized_normal<T>{1, 2, shape}, n);
    }
    for (const auto& [a, b] : std::vector<std::pair<T, T>>{
             {T(0.5), T(0.5)}, {T(0.2), 3}, {2, T(0.75)}, {2, 3}, {1, 1}, {50, T(1.5)}, {400, 900}}) {
        expect_law(rng::beta<T>{a, b}, n, b >= 1);
    }
    expect_law(rng::beta_prime<T>{T(0.75), 2}, n);
    expect_law(rng::beta_prime<T>{5, 6}, n);
    expect_law(rng::fisher_f<T>{1, 8}, n);
    expect_law(rng::fisher_f<T>{10, 4}, n);
    // With the logarithm and without, each with arrivals and without; far from 0.
    for (const auto& [nu, lambda] : std::vector<std::pair<T, T>>{{T(0.25), 1},
                                                                 {T(0.5), 0},
                                                                 {1, T(0.5)},
                                                                 {T(1.5), 30},
                                                                 {2, 0},
                                                                 {T(7.5), 4},
                                                                 {3, 511},
                                                                 {3, 512},
                                                                 {300, 700}}) {
        // The quantile of 1e-5 of the first law is 0.57 times 2^-126, the least value of a float.
        const bool has_tails = sizeof(T) == 8 || nu > T(0.25);
        expect_law(rng::noncentral_chi_squared<T>{nu, lambda}, n, has_tails);
    }
    expect_law(rng::noncentral_f<T>{T(0.5), 3, 1}, n);
    expect_law(rng::noncentral_f<T>{3, T(1.5), 8}, n);
    expect_law(rng::noncentral_f<T>{5, 7, 0}, n);
    expect_law(rng::noncentral_f<T>{20, 30, 600}, n);
    for (const auto& [lo, hi] : std::vector<std::pair<T, T>>{{-2, 2},
                                                             {T(-0.25), T(0.5)},
                                                             {T(0.5), inf<T>},
                                                             {T(0.55), inf<T>},
                                                             {T(0.55), 2},
                                                             {4, T(4.5)},
                                                             {-30, -8},
                                                             {-inf<T>, 1},
                                                             {T(-0.75), T(0.75)},
                                                             {-1, inf<T>}}) {
        const rng::truncated_normal<T> dist{1, 2, 1 + 2 * lo, 1 + 2 * hi};
        expect_law(dist, n);
        if (lo > -8) expect_proposals_fail(dist);
    }
    for (const T kappa : {T(0), T(0.01), T(0.5), T(4), T(100), T(1e5)}) {
        expect_law(rng::von_mises<T>{T(0.5), kappa}, n);
        if (kappa > T(0.1)) expect_proposals_fail(rng::von_mises<T>{T(0.5), kappa});
    }
    // Where trials reject the most.
    expect_proposals_fail(rng::gamma<T>{T(0.05), 1});
    expect_proposals_fail(rng::gamma<T>{T(1.001), 1});
    expect_proposals_fail(rng::inverse_gamma<T>{1, 1});
    expect_proposals_fail(rng::chi<T>{2});
    expect_proposals_fail(rng::log_gamma<T>{1});
    expect_proposals_fail(rng::generalized_normal<T>{1, 2, 1});
    expect_proposals_fail(rng::beta<T>{1, 2});
    expect_proposals_fail(rng::beta_prime<T>{1, 2});
    expect_proposals_fail(rng::fisher_f<T>{2, 4});
    expect_proposals_fail(rng::noncentral_chi_squared<T>{T(0.25), 0});
    expect_law(rng::student_t<T>{T(2.5)}, n);
    expect_law(rng::student_t<T>{100}, n);
    expect_law(rng::weibull<T>{T(0.5), 3}, n);
    expect_law(rng::weibull<T>{8, 3}, n);
    expect_law(rng::kumaraswamy<T>{T(0.4), 5}, n);
    expect_law(rng::kumaraswamy<T>{6, T(0.9)}, n);
    expect_law(rng::inverse_gaussian<T>{2, T(0.25)}, n);
    expect_law(rng::inverse_gaussian<T>{2, 60}, n);
    expect_law(rng::lognormal<T>{1, 3}, n);
    expect_law(rng::pareto<T>{T(0.75), 2}, n);
    expect_law(rng::lomax<T>{3, 2}, n);
    expect_law(rng::triangular<T>{-1, -1, 2}, n);
}

TEST(SamplerLaws, OfFloats) { expect_laws<float>(std::size_t{1} << 18); }
TEST(SamplerLaws, OfDoubles) { expect_laws<double>(std::size_t{1} << 18); }
TEST(SamplerLawsSlow, OfFloats) { expect_laws<float>(10'000'000); }
TEST(SamplerLawsSlow, OfDoubles) { expect_laws<double>(10'000'000); }

}  // namespace
