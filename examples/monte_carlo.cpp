// A Monte Carlo program whose results do not depend on its threads: an Asian call option, and pi.
//
// The usual way, one engine a thread, gives another estimate for another number of threads. Here the numbers
// belong to the work instead: whoever does path 17 finds the numbers of path 17. Two ways to say so:
//
//     stream.fork(path)            a stream for each path: where items draw many numbers, or unknown many
//     stream.at_position(words)    a place in one stream for each dart: where all items draw the same few
//
// Both fill buffers, because fills use SIMD; rng::at() makes single values, here to look into one path later.
// Prints estimates, standard errors and time for 1, 2 and 3 threads, and checks that the bytes are equal.
#include <rng/rng.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

namespace {

constexpr std::uint64_t seed = 2024;

// Different quantities get different streams. Names are easier to keep apart than numbers, and a quantity
// added later changes none of the others.
constexpr rng::Stream all_shocks = rng::Stream{seed}.fork("asian call: shocks");
constexpr rng::Stream all_darts = rng::Stream{seed}.fork("pi: darts");

/// Calls work(first, last) on each thread, for its share of 0 .. n-1.
template <class Work> void share_out(std::size_t threads, std::size_t n, const Work& work) {
    std::vector<std::thread> workers;
    for (std::size_t t = 0; t < threads; ++t)
        workers.emplace_back([=, &work] { work(n * t / threads, n * (t + 1) / threads); });
    for (std::thread& worker : workers) worker.join();
}

struct Estimate {
    double value, standard_error;
};

// ---- Asian call: the payoff depends on the mean price along a path ----------------------------------------

constexpr std::size_t paths = 200'000, steps = 64;
constexpr rng::normal standard_normal{0.0, 1.0};  // doubles, since its arguments are
using Shocks = std::array<double, steps>;

double discounted_payoff(const Shocks& shocks) {
    constexpr double spot = 100, strike = 100, rate = 0.05, volatility = 0.2, years = 1;
    constexpr double dt = years / steps;
    const double drift = (rate - volatility * volatility / 2) * dt, diffusion = volatility * std::sqrt(dt);
    double log_growth = 0, sum = 0;
    for (const double z : shocks) {
        log_growth += drift + diffusion * z;
        sum += spot * std::exp(log_growth);
    }
    return std::exp(-rate * years) * std::max(sum / steps - strike, 0.0);
}

std::vector<double> asian_payoffs(std::size_t threads) {
    std::vector<double> payoffs(paths);
    share_out(threads, paths, [&](std::size_t first, std::size_t last) {
        Shocks shocks;
        for (std::size_t path = first; path < last; ++path) {
            rng::fill(shocks, standard_normal, all_shocks.fork(path));
            payoffs[path] = discounted_payoff(shocks);
        }
    });
    return payoffs;
}

/// Adds in the order of the paths: sums of threads, added up, would round differently for each number of
/// threads.
Estimate mean_of(std::span<const double> x) {
    const double n = static_cast<double>(x.size()), mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
    double squares = 0;
    for (const double v : x) squares += (v - mean) * (v - mean);
    return {mean, std::sqrt(squares / (n - 1) / n)};
}

/// One path again, from its number alone: nothing had to be kept. Value by value, as a kernel would.
double replayed_payoff(std::size_t path) {
    const rng::Stream stream = all_shocks.fork(path);
    Shocks shocks;
    for (std::size_t i = 0; i < steps; ++i) shocks[i] = rng::at(stream, standard_normal, i);
    return discounted_payoff(shocks);
}

// ---- pi: the share of darts in the unit square that hit the quarter disc ----------------------------------

constexpr std::size_t darts = 5'000'000;
constexpr rng::uniform unit{0.0, 1.0};

std::size_t quarter_disc_hits(std::size_t threads) {
    constexpr std::size_t words_per_dart = 2 * decltype(unit)::slot_words;  // positions count 32-bit words
    constexpr std::size_t per_fill = 1024;  // 16 KiB: fits the first cache, and the fill starts no threads
    std::atomic<std::size_t> hits = 0;      // integers: the order of addition does not matter
    share_out(threads, darts, [&](std::size_t first, std::size_t last) {
        std::array<double, 2 * per_fill> xy;
        for (std::size_t start = first; start < last; start += per_fill) {
            // Dart i is values 2i and 2i + 1 of the stream, wherever a share or a buffer begins.
            const std::size_t count = std::min(per_fill, last - start);
            rng::fill(std::span(xy).first(2 * count), unit, all_darts.at_position(start * words_per_dart));
            std::size_t inside = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const double x = xy[2 * i], y = xy[2 * i + 1];
                inside += x * x + y * y < 1;
            }
            hits += inside;
        }
    });
    return hits;
}

Estimate pi_of(std::size_t hits) {
    const double n = darts, p = static_cast<double>(hits) / n;
    return {4 * p, 4 * std::sqrt(p * (1 - p) / n)};
}

}  // namespace

int main() {
    std::printf("Asian call: %zu paths of %zu steps; pi: %zu darts\n\n", paths, steps, darts);
    std::printf("  threads  price and its error     pi and its error           time  digest of payoffs\n");
    std::vector<double> payoffs;  // those of one thread, and its hits
    std::size_t hits = 0;
    bool equal = true;
    for (const std::size_t threads : {1u, 2u, 3u}) {
        const auto start = std::chrono::steady_clock::now();
        const std::vector<double> these_payoffs = asian_payoffs(threads);
        const std::size_t these_hits = quarter_disc_hits(threads);
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;

        const Estimate price = mean_of(these_payoffs), pi = pi_of(these_hits);
        // std::exp() differs between C libraries, and the payoffs with it; the shocks are equal everywhere.
        const std::uint64_t digest = rng::digest(std::as_bytes(std::span(these_payoffs)));
        std::printf("  %7zu  %.6f +- %.6f  %.6f +- %.6f  %6.3f s   %016llx\n", threads, price.value,
                    price.standard_error, pi.value, pi.standard_error, time.count(),
                    static_cast<unsigned long long>(digest));
        if (threads == 1) {
            payoffs = these_payoffs;
            hits = these_hits;
        }
        equal &= std::memcmp(these_payoffs.data(), payoffs.data(), paths * sizeof payoffs[0]) == 0;
        equal &= these_hits == hits;
    }
    std::printf("  %s\n", equal ? "1, 2 and 3 threads give the same bytes: all payoffs, and the hits."
                                : "THE BYTES DIFFER. This is a bug: please report it.");

    const auto highest = std::max_element(payoffs.begin(), payoffs.end());
    const auto path = static_cast<std::size_t>(highest - payoffs.begin());
    const bool replayed = replayed_payoff(path) == *highest;
    std::printf("\nPath %zu has the highest payoff, %.4f. Again, from its number: %s.\n", path, *highest,
                replayed ? "the same" : "DIFFERENT. This is a bug: please report it");
    return equal && replayed ? 0 : 1;
}
