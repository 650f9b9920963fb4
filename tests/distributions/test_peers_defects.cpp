// Defects that users reported to other libraries, each as a test of this one. Names have the library and the number of
// its report: numpy/numpy, pytorch/pytorch, jax-ml/jax, acts-project/acts. std and Boost stand without numbers.
// Distributions are chosen at run time where types do not matter: each test takes float and double.
#include <gtest/gtest.h>
#include <rng/any_distribution.hpp>
#include <rng/distributions/beta.hpp>
#include <rng/distributions/chi_squared.hpp>
#include <rng/distributions/gamma.hpp>
#include <rng/distributions/hypergeometric.hpp>
#include <rng/distributions/inverse_gamma.hpp>
#include <rng/distributions/noncentral_chi_squared.hpp>
#include <rng/distributions/noncentral_f.hpp>
#include <rng/distributions/von_mises.hpp>
#include <rng/fill.hpp>
#include <rng/random.hpp>
#include <rng/row_at.hpp>
#include <rng/structured/dirichlet.hpp>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../support/paths.hpp"
#include "../support/sampled.hpp"

namespace {

using Given = std::vector<rng::AnyDistribution::Parameter>;

template <class T> constexpr bool is_single = std::is_same_v<T, float>;
template <class T> constexpr T inf = std::numeric_limits<T>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The least and the greatest shape of gamma variables, and the greatest of beta variables.
template <class T> constexpr double least_shape = is_single<T> ? 0x1p-20 : 0x1p-40;
template <class T> constexpr double greatest_shape = is_single<T> ? 0x1p30 : 0x1p60;
template <class T> constexpr double greatest_of_beta = is_single<T> ? 0x1p24 : 0x1p60;

template <class T> std::vector<T> values(std::string_view name, const Given& given, std::size_t n) {
    std::vector<T> x(n);
    rng::AnyDistribution(name, rng::dtype_name<T>(), given).fill(std::span(x), rng::Stream{5});
    return x;
}
rng::ParameterFault fault(std::string_view name, std::string_view dtype, const Given& given) {
    return rng::AnyDistribution::find_fault(name, dtype, given);
}
std::string text(std::string_view name, const Given& given) {
    std::string text(name);
    for (const auto& [field, value] : given) text += ' ' + std::string(field) + ' ' + std::to_string(value.real());
    return text;
}

/// Values that are normal numbers: not 0, not subnormal, not infinite, no NaN; and above `lo` and below `hi`.
template <class T>
void expect_inside(std::string_view name, const Given& given, T lo = -inf<T>, T hi = inf<T>, std::size_t n = 20000) {
    for (const T x : values<T>(name, given, support::sampled(n)))
        ASSERT_TRUE(std::isnormal(x) && lo < x && x < hi) << text(name, given) << ": " << x;
}

template <class T> class PeersDefects : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(PeersDefects, Types);

// ---- shapes of 0 and small ones

TYPED_TEST(PeersDefects, Numpy12367GammaOfShape0IsRefused) {
    const char* const dtype = rng::dtype_name<TypeParam>();
    for (const double shape : {0.0, -0.0, -1.0}) {
        for (const char* const name : {"gamma", "log_gamma", "inverse_gamma"})
            EXPECT_TRUE(fault(name, dtype, {{"shape", shape}})) << name << ' ' << shape;
        for (const char* const name : {"chi_squared", "chi"})
            EXPECT_TRUE(fault(name, dtype, {{"nu", shape}})) << name << ' ' << shape;
    }
}

TYPED_TEST(PeersDefects, StdAndBoostGammaOfSmallShapeIsNever0) {
    using T = TypeParam;
    for (const double shape : {least_shape<T>, 1e-3, 0.03}) {
        expect_inside<T>("gamma", {{"shape", shape}}, 0);
        expect_inside<T>("inverse_gamma", {{"shape", shape}}, 0);
        expect_inside<T>("chi_squared", {{"nu", 2 * shape}}, 0);
        expect_inside<T>("chi", {{"nu", 2 * shape}}, 0);
    }
}

TYPED_TEST(PeersDefects, StdAndBoostPowersOfSmallShapeAreNeither0NorInfinite) {
    using T = TypeParam;
    const double shape = is_single<T> ? 0x1p-6 : 0x1p-9, scale = is_single<T> ? 0x1p90 : 0x1p900;
    expect_inside<T>("weibull", {{"shape", shape}}, 0);
    expect_inside<T>("frechet", {{"shape", shape}}, 0);
    expect_inside<T>("pareto", {{"shape", shape}, {"scale", scale}}, std::nextafter(static_cast<T>(scale), T(0)));
    expect_inside<T>("power", {{"shape", least_shape<T>}}, 0, 1);
    expect_inside<T>("kumaraswamy", {{"a", least_shape<T>}, {"b", least_shape<T>}}, 0, 1);
}

TYPED_TEST(PeersDefects, Jax17922LogGammaIsNeverNotANumber) {
    using T = TypeParam;
    // An exponential variable of a word is below 23 or 45, and the logarithm at most that many times 1 / shape.
    const T most = static_cast<T>((is_single<T> ? 23 : 45) / least_shape<T>);
    for (const double shape : {least_shape<T>, 1e-3, 1.0, greatest_shape<T>})
        for (const T x : values<T>("log_gamma", {{"shape", shape}}, 20000))
            ASSERT_TRUE(std::isfinite(x) && std::abs(x) < most) << shape << ": " << x;
}

TYPED_TEST(PeersDefects, Numpy5851And24266BetaOfSmallShapesIsInside) {
    using T = TypeParam;
    for (const double a : {least_shape<T>, 1e-3, 0.5, 1.0, greatest_of_beta<T>})
        for (const double b : {least_shape<T>, 1e-3, 1.0, greatest_of_beta<T>}) {
            expect_inside<T>("beta", {{"a", a}, {"b", b}}, 0, 1, 3000);
            expect_inside<T>("beta_prime", {{"a", a}, {"b", b}}, 0, inf<T>, 3000);
            expect_inside<T>("fisher_f", {{"d1", 2 * a}, {"d2", 2 * b}}, 0, inf<T>, 3000);
        }
}

// One degree of freedom or fewer was refused (5766, 6638, SciPy's 4720).
TYPED_TEST(PeersDefects, Numpy5766And6638NoncentralLawsHaveAnyDegrees) {
    using T = TypeParam;
    for (const double nu : {2 * least_shape<T>, 0.25, 1.0, 2.0, 2 * greatest_shape<T>})
        for (const double lambda : {0.0, 1e-30, 1.0, 511.0, 512.0, 2 * greatest_shape<T>}) {
            expect_inside<T>("noncentral_chi_squared", {{"nu", nu}, {"lambda", lambda}}, 0, inf<T>, 3000);
            for (const double d2 : {2 * least_shape<T>, 3.0, 2 * greatest_shape<T>})
                expect_inside<T>("noncentral_f", {{"d1", nu}, {"d2", d2}, {"lambda", lambda}}, 0, inf<T>, 500);
        }
}

// SciPy's laws were NaN for a noncentrality of 0 (10120, 11660): that is the central law.
TYPED_TEST(PeersDefects, Scipy10120And11660ANoncentralityOf0IsTheCentralLaw) {
    using T = TypeParam;
    const auto mean_and_square = [](std::string_view name, const Given& given) {
        std::pair<double, double> sums{};
        const std::vector<T> x = values<T>(name, given, 100000);
        for (const T v : x) sums.first += static_cast<double>(v), sums.second += static_cast<double>(v * v);
        return std::pair(sums.first / 100000, sums.second / 100000);
    };
    for (const double nu : {0.5, 5.0}) {
        const auto [mean, square] = mean_and_square("noncentral_chi_squared", {{"nu", nu}, {"lambda", -0.0}});
        EXPECT_NEAR(mean / nu, 1, 6 * std::sqrt(2 / nu / 100000)) << nu;
        EXPECT_NEAR(square / (nu * nu + 2 * nu), 1, 0.1) << nu;
    }
    EXPECT_NEAR(mean_and_square("noncentral_f", {{"d1", 3}, {"d2", 46}, {"lambda", 0}}).first, 46. / 44, 0.02);
}

// Dirichlet vectors of small alpha were NaN (5851, 24210), or the call failed (19637) or did not end (24203).
TYPED_TEST(PeersDefects, Numpy5851And19637And24203And24210SharesOfSmallAlphaAreSound) {
    using T = TypeParam;
    constexpr auto least = static_cast<T>(least_shape<T>), greatest = static_cast<T>(greatest_shape<T>);
    for (const T alpha : {least, T(1e-4), T(1), greatest}) {
        const std::vector<T> alphas{alpha, least, least, alpha};
        const std::size_t rows = support::sampled(2000);
        std::vector<T> x(4 * rows);
        std::feclearexcept(FE_ALL_EXCEPT);
        for (std::size_t i = 0; i < rows; ++i) rng::row_at(rng::Stream{3}, rng::dirichlet(alphas), i, &x[4 * i]);
        EXPECT_EQ(std::fetestexcept(FE_UNDERFLOW | FE_OVERFLOW | FE_INVALID | FE_DIVBYZERO), 0) << alpha;
        for (std::size_t i = 0; i < x.size(); i += 4) {
            T sum = 0;
            for (std::size_t j = i; j < i + 4; ++j) {
                ASSERT_TRUE(std::isnormal(x[j]) && x[j] > 0 && x[j] <= 1) << alpha << ": " << x[j];
                sum += x[j];
            }
            ASSERT_NEAR(sum, 1, 4 * std::numeric_limits<T>::epsilon()) << alpha;
        }
    }
}

// Programs that trap floating-point exceptions ended in std::gamma_distribution, by underflow. A draw that raises no
// flag would not trap either. Fills mask exceptions and restore the flags, on each instruction set.
constexpr int traps = FE_UNDERFLOW | FE_OVERFLOW | FE_INVALID | FE_DIVBYZERO;
template <class D> void expect_no_flags(const D& dist, const std::string& name) {
    rng::philox4x32 ours(42);
    std::mt19937 theirs(42);
    std::vector<rng::result_t<D>> x(support::sampled(20000));
    const auto expect_none = [&](const char* path) {
        const int raised = std::fetestexcept(traps);
        EXPECT_EQ(raised, 0) << name << ", " << path << ": underflow " << FE_UNDERFLOW << ", overflow " << FE_OVERFLOW
                             << ", invalid " << FE_INVALID << ", division by 0 " << FE_DIVBYZERO;
        std::feclearexcept(FE_ALL_EXCEPT);
    };
    std::feclearexcept(FE_ALL_EXCEPT);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = dist(ours);
    expect_none("draws");
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = dist(theirs);
    expect_none("draws from another library's engine");
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = rng::at(rng::Stream{5}, dist, i);
    expect_none("at");
    support::on_every_isa([&](const std::string& path) {
        std::feclearexcept(FE_ALL_EXCEPT);
        rng::fill(x, dist, rng::Stream{5});
        expect_none(path.c_str());
    });
}
TYPED_TEST(PeersDefects, Acts4339SmallShapesRaiseNoException) {
    using T = TypeParam;
    const auto least = static_cast<T>(least_shape<T>);
    for (const T shape : {least, T(1e-3), T(0.03), T(0.5)}) {
        const std::string of_shape = " of shape " + std::to_string(shape);
        expect_no_flags(rng::gamma<T>{shape, 1}, "gamma" + of_shape);
        expect_no_flags(rng::inverse_gamma<T>{shape, 1}, "inverse_gamma" + of_shape);
        expect_no_flags(rng::chi_squared<T>{2 * shape}, "chi_squared" + of_shape);
        expect_no_flags(rng::beta<T>{shape, shape}, "beta" + of_shape);
        expect_no_flags(rng::beta<T>{shape, 3}, "beta with 3" + of_shape);
        for (const T lambda : {T(0), T(2), T(600)}) {
            expect_no_flags(rng::noncentral_chi_squared<T>{2 * shape, lambda}, "noncentral_chi_squared" + of_shape);
            expect_no_flags(rng::noncentral_f<T>{2 * shape, 2 * shape, lambda}, "noncentral_f" + of_shape);
        }
    }
    // Scales at their limits, where products come near to the least and the greatest normal number.
    const auto small = static_cast<T>(is_single<T> ? 0x1p-50 : 0x1p-800);
    const auto great = static_cast<T>(is_single<T> ? 0x1p90 : 0x1p900);
    for (const T scale : {small, great}) expect_no_flags(rng::gamma<T>{least, scale}, "gamma of the least shape");
    for (const T scale : {1 / great, 1 / small})
        expect_no_flags(rng::inverse_gamma<T>{least, scale}, "inverse_gamma of the least shape");
}

// ---- digits that cancel

TYPED_TEST(PeersDefects, Numpy29603WaldIsNeverNegative) {
    using T = TypeParam;
    const double most = is_single<T> ? 0x1p40 : 0x1p100;
    for (const double mean : {1e-15, 1e-3, 1.0, 250.0, 1e15})
        for (const double ratio : {1 / most, 1e-12, 1e-6, 1e-3, 1.0, 1e6, most}) {
            const Given given{{"mean", mean}, {"lambda", mean * ratio}};
            // The product is rounded: at the limit of the ratio it may lie outside.
            if (!fault("inverse_gaussian", rng::dtype_name<T>(), given)) expect_inside<T>("inverse_gaussian", given, 0);
        }
    for (const double ratio : {1 / most, most}) expect_inside<T>("inverse_gaussian", {{"lambda", ratio}}, 0);
}

// Above kappa = 1e8 NumPy's values lay on a lattice: 2^53 steps of a cosine near 1 leave few angles.
TYPED_TEST(PeersDefects, Numpy17275VonMisesHasNoLattice) {
    using T = TypeParam;
    constexpr std::size_t n = 100000;
    for (const double kappa : {1e8, 1e12, is_single<T> ? 0x1p40 : 0x1p60}) {
        std::vector<T> x = values<T>("von_mises", {{"mu", 0}, {"kappa", kappa}}, n);
        double squares = 0;
        for (const T angle : x) squares += static_cast<double>(angle) * static_cast<double>(angle);
        EXPECT_NEAR(squares / n * kappa, 1, 0.03) << kappa;
        std::sort(x.begin(), x.end());
        const auto distinct = std::unique(x.begin(), x.end()) - x.begin();
        // Floats have only 2^23 numbers between powers of two: some angles come twice by chance.
        EXPECT_GE(distinct, is_single<T> ? 99000 : 100000) << kappa;
    }
}

// ---- NaN

// jax.random.poisson hung. The test takes every distribution of the catalogue, every type and every parameter.
TEST(PeersDefects, Jax9719NotANumberIsRefusedAtOnce) {
    int parameters = 0;
    for (const rng::DistributionInfo& info : rng::known_distributions())
        for (const rng::ParameterInfo& field : info.parameters) {
            if (field.default_value.is_integer()) continue;
            ++parameters;
            const rng::ParameterFault wrong = fault(info.name, info.dtype, {{field.name, nan}});
            ASSERT_TRUE(wrong) << info.name << ' ' << info.dtype << ' ' << field.name;
            EXPECT_STREQ(wrong.field, field.name) << info.name << ' ' << info.dtype;
            EXPECT_THROW(rng::AnyDistribution(info.name, info.dtype, {{field.name, nan}}), rng::Error) << info.name;
        }
    EXPECT_GE(parameters, 150) << "the catalogue was not walked through";
}

// A von Mises draw of NumPy never ended.
TYPED_TEST(PeersDefects, Numpy13283NotANumberIsRefusedByFills) {
    using T = TypeParam;
    std::vector<T> x(4, -1);
    const auto expect_refused = [&x](const auto& dist) {
        EXPECT_THROW(rng::fill(x, dist, rng::Stream{1}), rng::Error) << dist.name;
        EXPECT_THROW((void)rng::sample(dist, 4, rng::Stream{1}), rng::Error) << dist.name;
    };
    for (const T bad : {std::numeric_limits<T>::quiet_NaN(), inf<T>, -inf<T>}) {
        expect_refused(rng::von_mises<T>{0, bad});
        expect_refused(rng::von_mises<T>{bad, 1});
        expect_refused(rng::gamma<T>{bad, 1});
        expect_refused(rng::gamma<T>{1, bad});
        expect_refused(rng::beta<T>{bad, 1});
        expect_refused(rng::beta<T>{1, bad});
    }
    EXPECT_EQ(x, std::vector<T>(4, -1)) << "a refused fill writes nothing";
}

// A binomial draw from an array of NaN gave an integer far below 0.
TEST(PeersDefects, Numpy14268NotANumberIsNoInteger) {
    int types = 0;
    for (const rng::DistributionInfo& info : rng::known_distributions()) {
        const std::string_view name = info.name;
        if (std::string_view(info.dtype)[0] != 'i' && std::string_view(info.dtype)[0] != 'u') continue;
        ++types;
        for (const rng::ParameterInfo& field : info.parameters)
            EXPECT_THROW(rng::AnyDistribution(name, info.dtype, {{field.name, nan}}), rng::Error)
                << name << ' ' << info.dtype << ' ' << field.name;
    }
    EXPECT_EQ(types, 26);
}

// ---- counts

// NumPy's logarithms of factorials lost all digits from 2^37 items on, and its values were wrong.
TEST(PeersDefects, Numpy11443HypergeometricOfManyItemsHasItsMoments) {
    const int64_t all = (int64_t{1} << 53) - 1;
    for (const auto& [good, draws] : {std::pair{int64_t{1} << 37, int64_t{1} << 37}, std::pair{all / 2, all / 2},
                                      std::pair{int64_t{1} << 40, int64_t{1} << 20}}) {
        const std::size_t n = support::sampled(20000);
        const auto x = rng::sample(rng::hypergeometric<int64_t>{good, all - good, draws}, n, rng::Stream{5});
        const auto all_ = static_cast<double>(all), g = static_cast<double>(good), d = static_cast<double>(draws);
        const double mean = g * (d / all_), variance = mean * (1 - g / all_) * (1 - d / all_);
        double sum = 0, squares = 0;
        for (const int64_t value : x) {
            const double z = (static_cast<double>(value) - mean) / std::sqrt(variance);
            sum += z;
            squares += z * z;
        }
        const double size = static_cast<double>(n);
        EXPECT_LT(std::abs(sum), 5 * std::sqrt(size)) << good << ' ' << draws;
        EXPECT_LT(std::abs(squares - size), 5 * std::sqrt(size * (2 + 1 / variance))) << good << ' ' << draws;
    }
}

// NumPy hung for some numbers of items at the limits.
TEST(PeersDefects, Numpy9834HypergeometricEndsAtEveryLimit) {
    constexpr int most = std::numeric_limits<int>::max();
    for (const int good : {0, 1, 2, most - 1, most})
        for (const int bad : {0, 1, 2, most - 1, most})
            for (const int draws : {0, 1, 2, most - 1, most}) {
                if (draws > int64_t{good} + bad) continue;
                for (const int x : rng::sample(rng::hypergeometric{good, bad, draws}, 100, rng::Stream{5}))
                    ASSERT_TRUE(x >= 0 && x <= good && x <= draws && draws - x <= bad)
                        << good << ' ' << bad << ' ' << draws << ": " << x;
            }
}

// ---- other bits elsewhere

// Values depended on the device and on how many were made. at() is the code that kernels run; parity.ptx runs theirs.
template <class D> void expect_one_set_of_bits(const D& dist) {
    const std::vector<rng::result_t<D>> expected = support::by_at(rng::Stream{9}, dist, 5001);
    support::on_every_path({1, 2, 3}, [&](const std::string& path) {
        for (const std::size_t n : {1u, 7u, 100u, 5001u}) {
            const auto x = rng::sample(dist, n, rng::Stream{9});
            EXPECT_EQ(support::first_difference(x.data(), expected.data(), n), n) << dist.name << ' ' << path;
        }
    });
}
TYPED_TEST(PeersDefects, Torch114045EveryPathHasTheSameBits) {
    using T = TypeParam;
    expect_one_set_of_bits(rng::gamma<T>{T(0.3), 2});
    expect_one_set_of_bits(rng::beta<T>{T(0.5), 3});
    expect_one_set_of_bits(rng::von_mises<T>{1, 4});
}

}  // namespace
