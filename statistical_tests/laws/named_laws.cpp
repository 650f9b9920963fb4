// Each law as a function of a standard law: Johnson, Kotz, Balakrishnan, "Continuous Univariate Distributions".
#include "named_laws.hpp"

#include <rng/core/error.hpp>

#include <array>
#include <vector>

#include "base_laws.hpp"
#include "transformed.hpp"

namespace rng::stats::detail {
namespace {

Continuous scaled(Continuous base, double loc, double scale) {
    return std::make_shared<const ScaledLaw>(std::move(base), loc, scale);
}
Continuous symmetric(Continuous base) { return std::make_shared<const SymmetricLaw>(std::move(base)); }
template <class F> Continuous mapped(Continuous base, F g, double lo, double hi, double moment_limit = infinity) {
    return std::make_shared<const MappedLaw<F>>(std::move(base), g, lo, hi, moment_limit);
}

/// y^exponent.
struct Power {
    double exponent;
    bool is_rising = exponent > 0;
    [[nodiscard]] double forward(double y) const { return std::pow(y, exponent); }
    [[nodiscard]] double backward(double x) const { return std::pow(x, 1 / exponent); }
    [[nodiscard]] double slope(double x) const { return backward(x) / x / std::fabs(exponent); }
};
/// exp(mu + sigma y) for normal y: in long double, because a small sigma magnifies the logarithm's error.
struct Exponential {
    double mu, sigma;
    static constexpr bool is_rising = true;
    [[nodiscard]] double forward(double y) const { return std::exp(mu + sigma * y); }
    [[nodiscard]] double backward(double x) const {
        return static_cast<double>((std::log(static_cast<long double>(x)) - mu) / sigma);
    }
    [[nodiscard]] double slope(double x) const { return 1 / (x * sigma); }
};
/// y / (1 + y).
struct Share {
    static constexpr bool is_rising = true;
    [[nodiscard]] static double forward(double y) { return y <= 1 ? y / (1 + y) : 1 - 1 / (1 + y); }
    [[nodiscard]] static double backward(double x) { return x / (1 - x); }
    [[nodiscard]] static double slope(double x) { return 1 / ((1 - x) * (1 - x)); }
};

// Functions of an exponential variable y: the distribution function of each law is 1 - exp(-y) or exp(-y).

/// log(exp(y) - 1).
struct Logistic {
    static constexpr bool is_rising = true;
    [[nodiscard]] static double forward(double y) {
        return y < 1 ? std::log(std::expm1(y)) : y + std::log1p(-std::exp(-y));
    }
    [[nodiscard]] static double backward(double x) {
        return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
    }
    [[nodiscard]] static double slope(double x) { return 1 / (1 + std::exp(-x)); }
};
/// -log(y).
struct Gumbel {
    static constexpr bool is_rising = false;
    [[nodiscard]] static double forward(double y) { return -std::log(y); }
    [[nodiscard]] static double backward(double x) { return std::exp(-x); }
    [[nodiscard]] static double slope(double x) { return std::exp(-x); }
};
/// exp(y / shape) - 1.
struct Lomax {
    double shape;
    static constexpr bool is_rising = true;
    [[nodiscard]] double forward(double y) const { return std::expm1(y / shape); }
    [[nodiscard]] double backward(double x) const { return shape * std::log1p(x); }
    [[nodiscard]] double slope(double x) const { return shape / (1 + x); }
};
/// exp(-y / shape).
struct UnitPower {
    double shape;
    static constexpr bool is_rising = false;
    [[nodiscard]] double forward(double y) const { return std::exp(-y / shape); }
    [[nodiscard]] double backward(double x) const { return -shape * (x > 0.5 ? std::log1p(x - 1) : std::log(x)); }
    [[nodiscard]] double slope(double x) const { return shape / x; }
};
/// (1 - exp(-y / b))^(1 / a).
struct Kumaraswamy {
    double a, b;
    static constexpr bool is_rising = true;
    [[nodiscard]] double forward(double y) const { return std::pow(-std::expm1(-y / b), 1 / a); }
    /// Returns 1 - x^a without loss of digits near 1.
    [[nodiscard]] double rest(double x) const { return -std::expm1(a * (x > 0.5 ? std::log1p(x - 1) : std::log(x))); }
    [[nodiscard]] double backward(double x) const {
        const double power = std::pow(x, a);
        return -b * (power < 0.5 ? std::log1p(-power) : std::log(rest(x)));
    }
    [[nodiscard]] double slope(double x) const { return a * b * std::pow(x, a - 1) / rest(x); }
};

Continuous powered(Continuous base, double exponent, double moment_limit = infinity) {
    return mapped(std::move(base), Power{exponent}, 0, infinity, moment_limit);
}
/// sqrt(2 G) for a gamma variable G: the length of a normal vector with 2 * shape coordinates.
Continuous length(double shape) { return scaled(powered(gamma_base(shape), 0.5), 0, std::sqrt(2.0)); }
Continuous lomax(double shape) { return mapped(exponential_base(), Lomax{shape}, 0, infinity, shape); }
Continuous weibull(double shape) { return powered(exponential_base(), 1 / shape); }
Continuous student(double nu) {
    return scaled(symmetric(powered(beta_prime_base(0.5, nu / 2), 0.5, nu)), 0, std::sqrt(nu));
}

struct Row {
    const char* name;
    std::array<const char*, 4> parameters;
    Continuous (*make)(const double* p);
};
constexpr Row rows[] = {
    {"lognormal",
     {"mu", "sigma"},
     [](const double* p) {
         return mapped(normal_base(), Exponential{p[0], p[1]}, 0, infinity);
     }},
    {"half_normal", {"sigma"}, [](const double* p) { return scaled(truncated_base(0, infinity), 0, p[0]); }},
    {"truncated_normal",
     {"mean", "stddev", "lo", "hi"},
     [](const double* p) { return scaled(truncated_base((p[2] - p[0]) / p[1], (p[3] - p[0]) / p[1]), p[0], p[1]); }},
    {"gamma", {"shape", "scale"}, [](const double* p) { return scaled(gamma_base(p[0]), 0, p[1]); }},
    {"log_gamma", {"shape"}, [](const double* p) { return log_gamma_base(p[0]); }},
    {"inverse_gamma",
     {"shape", "scale"},
     [](const double* p) { return scaled(powered(gamma_base(p[0]), -1, p[0]), 0, p[1]); }},
    {"chi_squared", {"nu"}, [](const double* p) { return scaled(gamma_base(p[0] / 2), 0, 2); }},
    {"chi", {"nu"}, [](const double* p) { return length(p[0] / 2); }},
    {"laplace", {"loc", "scale"}, [](const double* p) { return scaled(symmetric(exponential_base()), p[0], p[1]); }},
    {"logistic",
     {"loc", "scale"},
     [](const double* p) { return scaled(mapped(exponential_base(), Logistic{}, -infinity, infinity), p[0], p[1]); }},
    {"gumbel",
     {"loc", "scale"},
     [](const double* p) { return scaled(mapped(exponential_base(), Gumbel{}, -infinity, infinity), p[0], p[1]); }},
    {"weibull", {"shape", "scale"}, [](const double* p) { return scaled(weibull(p[0]), 0, p[1]); }},
    {"frechet",
     {"shape", "scale"},
     [](const double* p) { return scaled(powered(exponential_base(), -1 / p[0], p[0]), 0, p[1]); }},
    {"pareto", {"shape", "scale"}, [](const double* p) { return scaled(lomax(p[0]), p[1], p[1]); }},
    {"lomax", {"shape", "scale"}, [](const double* p) { return scaled(lomax(p[0]), 0, p[1]); }},
    {"power", {"shape"}, [](const double* p) { return mapped(exponential_base(), UnitPower{p[0]}, 0, 1); }},
    {"kumaraswamy",
     {"a", "b"},
     [](const double* p) {
         return mapped(exponential_base(), Kumaraswamy{p[0], p[1]}, 0, 1);
     }},
    {"rayleigh", {"sigma"}, [](const double* p) { return scaled(weibull(2), 0, p[0] * std::sqrt(2.0)); }},
    {"maxwell", {"sigma"}, [](const double* p) { return scaled(length(1.5), 0, p[0]); }},
    {"double_sided_maxwell",
     {"loc", "scale"},
     [](const double* p) { return scaled(symmetric(length(1.5)), p[0], p[1]); }},
    {"triangular", {"left", "mode", "right"}, [](const double* p) { return triangular_base(p[0], p[1], p[2]); }},
    {"cauchy", {"loc", "scale"}, [](const double* p) { return scaled(symmetric(half_cauchy_base()), p[0], p[1]); }},
    {"half_cauchy", {"scale"}, [](const double* p) { return scaled(half_cauchy_base(), 0, p[0]); }},
    {"student_t", {"nu"}, [](const double* p) { return student(p[0]); }},
    {"inverse_gaussian", {"mean", "lambda"}, [](const double* p) { return inverse_gaussian_base(p[0], p[1]); }},
    {"exponentially_modified_normal",
     {"loc", "scale", "shape"},
     [](const double* p) { return scaled(exponentially_modified_normal_base(p[2]), p[0], p[1]); }},
    {"von_mises", {"mu", "kappa"}, [](const double* p) { return von_mises_base(p[0], p[1]); }},
    {"beta", {"a", "b"}, [](const double* p) { return mapped(beta_prime_base(p[0], p[1]), Share{}, 0, 1); }},
    {"beta_prime", {"a", "b"}, [](const double* p) { return beta_prime_base(p[0], p[1]); }},
    {"fisher_f",
     {"d1", "d2"},
     [](const double* p) { return scaled(beta_prime_base(p[0] / 2, p[1] / 2), 0, p[1] / p[0]); }},
    {"noncentral_chi_squared",
     {"nu", "lambda"},
     [](const double* p) { return scaled(noncentral_gamma_base(p[0] / 2, p[1] / 2), 0, 2); }},
    {"noncentral_f",
     {"d1", "d2", "lambda"},
     [](const double* p) { return scaled(noncentral_beta_prime_base(p[0] / 2, p[1] / 2, p[2] / 2), 0, p[1] / p[0]); }},
    {"generalized_normal",
     {"loc", "scale", "shape"},
     [](const double* p) { return scaled(symmetric(powered(gamma_base(1 / p[2]), 1 / p[2])), p[0], p[1]); }},
};

}  // namespace

bool has_named_law(const std::string& name) {
    for (const Row& row : rows)
        if (name == row.name) return true;
    return false;
}

Continuous named_law(const std::string& name, std::span<const Parameter> parameters) {
    for (const Row& row : rows) {
        if (name != row.name) continue;
        std::array<double, 4> values{};
        std::size_t found = 0;
        for (const Parameter& given : parameters)
            for (std::size_t i = 0; i < values.size() && row.parameters[i]; ++i)
                if (given.name == std::string(row.parameters[i])) values[i] = given.value, ++found;
        std::size_t wanted = 0;
        while (wanted < values.size() && row.parameters[wanted]) ++wanted;
        if (found != wanted || found != parameters.size())
            rng::detail::refuse("named_law", "the law of " + name + " has other parameters");
        return row.make(values.data());
    }
    rng::detail::refuse("named_law", "no law of real numbers is named " + name);
}

}  // namespace rng::stats::detail
