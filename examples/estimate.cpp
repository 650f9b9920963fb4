// A Monte Carlo estimate with its error: the mean length of a walk of 100 steps in the plane, from a million walks.
//
// Each walk has numbers of its own, and the sums have one order. So estimate and error have the same bits for any
// number of threads, and for a run in pieces: here three pieces, the last one first, as ranks or restarts would have
// them.
#include <rng/reduce.hpp>
#include <rng/rng.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <vector>

namespace {

constexpr std::size_t walks = 1'000'000;
constexpr int steps = 100;
constexpr rng::Stream stream{2026};

/// Writes the lengths of walks first, first + 1, ... A sum of 100 steps is nearly normal; these steps are normal.
void walk(std::span<double> lengths, std::uint64_t first) {
    std::vector<double> x(lengths.size()), y(lengths.size());
    const rng::normal step{0.0, std::sqrt(double{steps})};
    rng::fill(x, step, stream.fork("x"), first);
    rng::fill(y, step, stream.fork("y"), first);
    for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = std::sqrt(x[i] * x[i] + y[i] * y[i]);
}

struct Estimate {
    double mean, error;
};
Estimate estimate(std::span<const double> values) {
    return {rng::mean(values), std::sqrt(rng::variance(values) / static_cast<double>(values.size()))};
}

}  // namespace

int main() {
    std::vector<double> lengths(walks);
    walk(lengths, 0);
    const Estimate first = estimate(lengths);
    std::printf("mean length %.17g +- %.2g, exactly %.6g\n", first.mean, first.error, std::sqrt(steps * M_PI / 2));

    for (const int threads : {1, 2, 3, 7}) {
        rng::set_num_threads(threads);
        walk(lengths, 0);
        const Estimate again = estimate(lengths);
        const bool same = std::memcmp(&first, &again, sizeof first) == 0;
        std::printf("%d threads: %s\n", threads, same ? "the same bits" : "OTHER BITS");
        if (!same) return 1;
    }

    rng::RunningSum<double> whole;
    for (const std::uint64_t begin : {700'001, 1'234, 0}) {
        const std::uint64_t end = begin == 0 ? 1'234 : begin == 1'234 ? 700'001 : walks;
        std::vector<double> piece(end - begin);
        walk(piece, begin);
        rng::RunningSum<double> part;
        part.push(piece, begin);
        whole.merge(rng::RunningSum<double>::from_bytes(part.to_bytes()));  // as a rank would send it
    }
    const double mean = whole.total() / static_cast<double>(whole.size());
    std::printf("in three pieces: %s\n", mean == first.mean ? "the same bits" : "OTHER BITS");
    return mean == first.mean ? 0 : 1;
}
