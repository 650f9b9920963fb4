// The main job on one screen: the same seed gives the same bits on every path of this machine, and quickly.
#include <rng/rng.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace {

constexpr std::uint64_t seed = 42;
constexpr std::size_t million = 1'000'000;
const rng::normal<float> standard_normal{0.0f, 1.0f};

// ---- The same bits --------------------------------------------------------------------------------------------------

/// Prints one line of the table; true if the values have the expected digest.
bool show_path(const std::string& path, const std::vector<float>& x, std::uint64_t expected) {
    const std::uint64_t digest = rng::digest(std::as_bytes(std::span(x)));
    std::printf("  %-22s", path.c_str());
    for (int i = 0; i < 4; ++i) std::printf(" %+.8f", static_cast<double>(x[static_cast<std::size_t>(i)]));
    std::printf("  %016llx  %s\n", static_cast<unsigned long long>(digest), digest == expected ? "equal" : "DIFFERENT");
    return digest == expected;
}

bool show_paths(std::vector<float>& x) {
    std::printf("\nSeed %d, a million of normal<float>: the first values, and a digest of all\n",
                static_cast<int>(seed));
    const rng::Stream<> stream{seed};
    for (std::size_t i = 0; i < million; ++i) x[i] = rng::at(stream, standard_normal, i);
    const std::uint64_t expected = rng::digest(std::as_bytes(std::span(x)));
    bool equal = show_path("one by one, in a loop", x, expected);

    const auto fill_with = [&](rng::Isa isa, int threads) {
        rng::set_isa(isa);
        rng::set_num_threads(threads);
        std::fill(x.begin(), x.end(), 0.0f);
        rng::Generator generator{seed};
        rng::fill(x, standard_normal, generator);
        const std::string path = std::string(rng::to_string(isa)) + ", " + std::to_string(threads) + " thread";
        equal &= show_path(path + (threads == 1 ? "" : "s"), x, expected);
    };
    const std::vector<rng::Isa> isas = rng::available_isas();
    for (const rng::Isa isa : isas) fill_with(isa, 1);
    for (const int threads : {2, 3, 7}) fill_with(isas.back(), threads);
    return equal;
}

// ---- What they look like --------------------------------------------------------------------------------------------

void show_histogram(const std::vector<float>& x) {
    constexpr int bins = 12;  // of width 0.5, from -3 to 3; the outermost take the tails
    std::array<int, bins> counts{};
    double sum = 0, squares = 0;
    for (const float value : x) {
        const double v = static_cast<double>(value);
        sum += v;
        squares += v * v;
        ++counts[static_cast<std::size_t>(std::clamp(static_cast<int>(std::floor(v * 2)) + bins / 2, 0, bins - 1))];
    }
    const double n = static_cast<double>(x.size()), mean = sum / n;
    std::printf("\nThe million: mean %+.4f, standard deviation %.4f\n", mean, std::sqrt(squares / n - mean * mean));
    const int highest = *std::max_element(counts.begin(), counts.end());
    for (int bin = 0; bin < bins; ++bin) {
        const int count = counts[static_cast<std::size_t>(bin)];
        const double from = 0.5 * (bin - bins / 2);
        const std::string bar(static_cast<std::size_t>(56.0 * count / highest + 0.5), '#');
        if (bin == 0) {
            std::printf("        below %+.1f", from + 0.5);
        } else if (bin == bins - 1) {
            std::printf("         from %+.1f", from);
        } else {
            std::printf("  %+.1f up to %+.1f", from, from + 0.5);
        }
        std::printf(" %7d %s\n", count, bar.c_str());
    }
}

// ---- How fast -------------------------------------------------------------------------------------------------------

double seconds_of(auto&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> x) {
    std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
    return x[x.size() / 2];
}

/// One row: a fill of 256 KiB by rng and by the standard library, in turns; medians.
template <class D, class StdDistribution> void show_speed(const char* what, const D& dist, StdDistribution std_dist) {
    constexpr int rounds = 25, fills = 8;
    std::vector<typename D::result_type> x(256 * 1024 / sizeof(typename D::result_type));  // zeroed: its pages exist
    rng::Generator generator{seed};
    std::mt19937 mt{static_cast<std::mt19937::result_type>(seed)};
    std::vector<double> ours, theirs;
    for (int round = -2; round < rounds; ++round) {  // two to warm up
        const double a = seconds_of([&] {
            for (int i = 0; i < fills; ++i) rng::fill(x, dist, generator);
        });
        const double b = seconds_of([&] {
            for (auto& value : x) value = std_dist(mt);
        });
        if (round >= 0) {
            ours.push_back(a / fills / static_cast<double>(x.size()));
            theirs.push_back(b / static_cast<double>(x.size()));
        }
    }
    const double nanoseconds = median(ours) * 1e9, std_nanoseconds = median(theirs) * 1e9;
    std::printf("  %-22s %8.2f ns %8.1f GB/s %14.2f ns %10.1f x\n", what, nanoseconds,
                static_cast<double>(sizeof x[0]) / nanoseconds, std_nanoseconds, std_nanoseconds / nanoseconds);
}

void show_speeds() {
    rng::set_num_threads(1);
    const std::string heading = std::string("Speed, one thread, ") + rng::to_string(rng::current_isa());
    std::printf("\n%-33s rng %31s     faster\n", heading.c_str(), "std::mt19937");
    show_speed("32 random bits", rng::bits<std::uint32_t>{}, [](std::mt19937& mt) { return std::uint32_t(mt()); });
#if !defined(__clang__)  // clang computes a logarithm for each value of libstdc++'s: a comparison would flatter us
    show_speed("uniform float", rng::uniform<float>{}, std::uniform_real_distribution<float>{});
    show_speed("uniform double", rng::uniform<double>{}, std::uniform_real_distribution<double>{});
#endif
    show_speed("normal float", rng::normal<float>{}, std::normal_distribution<float>{});
    show_speed("normal double", rng::normal<double>{}, std::normal_distribution<double>{});
}

}  // namespace

int main() {
    const int threads = rng::num_threads();
    std::printf("rng %s: one seed, the same bits everywhere. This machine: %s, %d thread%s.\n", RNG_VERSION,
                rng::to_string(rng::available_isas().back()), threads, threads == 1 ? "" : "s");
    std::vector<float> x(million);
    const bool equal = show_paths(x);
    std::printf("  %s\n", equal ? "Every path gives the same million values, to the bit."
                                : "THE PATHS DIFFER. This is a bug: please report it.");
    show_histogram(x);
    show_speeds();
    return equal ? 0 : 1;
}
