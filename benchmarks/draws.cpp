// rng_bench_draws: dist(engine) whose parameters change at every call, beside std; of two laws also a Reader of the
// standard law, with location and scale outside. "Chained": each draw waits for the last one, which its parameter
// needs. Rounds of both take turns, so that what else the machine does falls on both; printed are the medians of a
// call's time and of its ratio.
#include <rng/rng.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <random>
#include <vector>

namespace {

constexpr std::size_t count = 1024;
constexpr int calls = 16 * count, rounds = 41;
volatile double sink;

double median(std::vector<double> x) {
    std::nth_element(x.begin(), x.begin() + rounds / 2, x.end());
    return x[rounds / 2];
}

/// The nanoseconds of draw(i, nothing), where `nothing` is too little to change a parameter.
template <bool Chained, class F> double time_of(const F& draw) {
    const std::clock_t begin = std::clock();
    double sum = 0, last = 0;
    for (int i = 0; i < calls; ++i) {
        last = static_cast<double>(draw(static_cast<std::size_t>(i) % count, Chained ? last * 1e-30 : 0.0));
        sum += last;
    }
    const double spent = static_cast<double>(std::clock() - begin) * (1e9 / CLOCKS_PER_SEC);
    sink = sum;
    return spent / calls;
}

template <bool Chained, class Ours, class Theirs> void compare_calls(const Ours& ours, const Theirs& theirs) {
    std::vector<double> of_rng(rounds), of_std(rounds), ratio(rounds);
    for (std::size_t r = 0; r < rounds; ++r) {
        of_rng[r] = time_of<Chained>(ours);
        of_std[r] = time_of<Chained>(theirs);
        ratio[r] = of_rng[r] / of_std[r];
    }
    std::printf("%srng %6.1f ns  std %6.1f ns  rng/std %.2f", Chained ? "   chained: " : "", median(of_rng),
                median(of_std), median(ratio));
}

/// Ours and theirs draw from the law whose parameter is x, in [lo, hi).
template <class T, class Ours, class Theirs>
void compare(const char* name, T lo, T hi, const Ours& ours, const Theirs& theirs) {
    std::vector<T> x(count);
    rng::fill(x, rng::uniform{lo, hi}, rng::Stream{1});
    rng::philox4x32 engine(42);
    std::mt19937 other(42);
    const auto of_rng = [&](std::size_t i, double nothing) { return ours(x[i] + static_cast<T>(nothing))(engine); };
    const auto of_std = [&](std::size_t i, double nothing) { return theirs(x[i] + static_cast<T>(nothing))(other); };
    std::printf("%-28s", name);
    compare_calls<false>(of_rng, of_std);
    compare_calls<true>(of_rng, of_std);
    std::printf("\n");
}

}  // namespace

int main() {
    const auto compare_f64 = [](const char* name, double lo, double hi, const auto& ours, const auto& theirs) {
        compare(name, lo, hi, ours, theirs);
    };
    compare_f64(
        "uniform f64", 1, 2,
        [](double x) {
            return rng::uniform{0.0, x};
        },
        [](double x) { return std::uniform_real_distribution<double>(0, x); });
    compare_f64(
        "uniform_int i32", 1, 1e6,
        [](double x) {
            return rng::uniform_int{0, static_cast<int>(x)};
        },
        [](double x) { return std::uniform_int_distribution<int>(0, static_cast<int>(x)); });
    compare_f64(
        "bernoulli", 0.01, 0.99, [](double x) { return rng::bernoulli{x}; },
        [](double x) { return std::bernoulli_distribution(x); });
    compare_f64(
        "normal f64", -5, 5,
        [](double x) {
            return rng::normal{x, 1.0};
        },
        [](double x) { return std::normal_distribution<double>(x, 1); });
    rng::Reader z(rng::Stream{2}, rng::normal{0.0, 1.0});
    compare_f64(
        "normal f64, x + sd * z()", -5, 5, [&z](double x) { return [&z, x](auto&) { return x + 1.0 * z(); }; },
        [](double x) { return std::normal_distribution<double>(x, 1); });
    compare_f64(
        "lognormal f64", -1, 1,
        [](double x) {
            return rng::lognormal{x, 0.5};
        },
        [](double x) { return std::lognormal_distribution<double>(x, 0.5); });
    compare_f64(
        "exponential f64", 0.1, 10, [](double x) { return rng::exponential{x}; },
        [](double x) { return std::exponential_distribution<double>(x); });
    compare(
        "exponential f32", 0.1f, 10.0f, [](float x) { return rng::exponential{x}; },
        [](float x) { return std::exponential_distribution<float>(x); });
    rng::Reader e(rng::Stream{3}, rng::exponential{1.0});
    compare_f64(
        "exponential f64, e() / rate", 0.1, 10, [&e](double x) { return [&e, x](auto&) { return e() / x; }; },
        [](double x) { return std::exponential_distribution<double>(x); });
    compare_f64(
        "gamma f64, shape 1 to 10", 1, 10,
        [](double x) {
            return rng::gamma{x, 1.5};
        },
        [](double x) { return std::gamma_distribution<double>(x, 1.5); });
    compare_f64(
        "gamma f64, shape to 1", 0.1, 1,
        [](double x) {
            return rng::gamma{x, 1.5};
        },
        [](double x) { return std::gamma_distribution<double>(x, 1.5); });
    compare_f64(
        "student_t f64", 1, 20, [](double x) { return rng::student_t{x}; },
        [](double x) { return std::student_t_distribution<double>(x); });
    compare_f64(
        "poisson i32, mean to 3", 0.1, 3, [](double x) { return rng::poisson{x}; },
        [](double x) { return std::poisson_distribution<int>(x); });
    compare_f64(
        "poisson i32, mean to 30", 1, 30, [](double x) { return rng::poisson{x}; },
        [](double x) { return std::poisson_distribution<int>(x); });
    compare_f64(
        "binomial i32, 100 trials", 0.01, 0.99,
        [](double x) {
            return rng::binomial{100, x};
        },
        [](double x) { return std::binomial_distribution<int>(100, x); });
    compare_f64(
        "geometric i32", 0.05, 0.95, [](double x) { return rng::geometric{x}; },
        [](double x) { return std::geometric_distribution<int>(x); });
    compare_f64(
        "negative_binomial i32", 0.1, 0.9,
        [](double x) {
            return rng::negative_binomial{5.0, x};
        },
        [](double x) { return std::negative_binomial_distribution<int>(5, x); });
}
