// An epidemic in ten thousand towns: each day a binomial number of people falls ill and recovers in each town, and a
// Poisson number of travellers brings the illness in. Every town has parameters of its own each day.
//
// fill_each() draws a whole day of one quantity. Its numbers belong to (seed, quantity, day, town): the result does not
// depend on the number of threads, and one town of one day can be drawn again alone, by rng::at().
// Prints the days around the peak, and checks the bytes of 1, 2 and 3 threads.
#include <rng/rng.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

namespace {

constexpr std::size_t towns = 10'000;
constexpr std::uint64_t days = 100;
constexpr double contacts_per_day = 0.4, recovery = 0.1;

constexpr rng::Stream all = rng::Stream{2026};
constexpr rng::Stream infections = all.fork("infections"), recoveries = all.fork("recoveries"),
                      travels = all.fork("travels");

struct Day {
    std::int64_t healthy, ill, recovered;
};

struct Towns {
    std::vector<int> healthy, ill, recovered;
};

int inhabitants(std::size_t town) { return 500 + static_cast<int>(town * 7919 % 5000); }

/// The chance of a healthy person to fall ill on a day.
double risk(const Towns& t, std::size_t i) {
    const int all_people = t.healthy[i] + t.ill[i] + t.recovered[i];
    return -std::expm1(-contacts_per_day * t.ill[i] / all_people);
}
rng::binomial<int> infections_of(const Towns& t, std::size_t i) { return {t.healthy[i], risk(t, i)}; }

Day totals(const Towns& t) {
    const auto sum = [](const std::vector<int>& x) { return std::accumulate(x.begin(), x.end(), std::int64_t{0}); };
    return {sum(t.healthy), sum(t.ill), sum(t.recovered)};
}

/// Lets `count` days pass.
std::vector<Day> simulate(Towns& t, std::uint64_t count) {
    for (std::size_t i = 0; i < towns; ++i) t.healthy.push_back(inhabitants(i));
    t.ill.resize(towns);
    t.recovered.resize(towns);
    std::vector<int> infected(towns), cured(towns), brought(towns);
    std::vector<Day> course;
    for (std::uint64_t day = 0; day < count; ++day) {
        rng::fill_each(
            infected, [&](std::uint64_t i) { return infections_of(t, i); }, infections.fork(day));
        rng::fill_each(
            cured,
            [&](std::uint64_t i) {
                return rng::binomial{t.ill[i], recovery};
            },
            recoveries.fork(day));
        rng::fill_each(
            brought, [](std::uint64_t i) { return rng::poisson{inhabitants(i) * 1e-6}; }, travels.fork(day));
        for (std::size_t i = 0; i < towns; ++i) {
            const int new_ill = std::min(t.healthy[i], infected[i] + brought[i]);
            t.healthy[i] -= new_ill;
            t.ill[i] += new_ill - cured[i];
            t.recovered[i] += cured[i];
        }
        course.push_back(totals(t));
    }
    return course;
}

}  // namespace

int main() {
    std::vector<Day> course;
    for (const int threads : {1, 2, 3}) {
        rng::set_num_threads(threads);
        Towns t;
        const std::vector<Day> again = simulate(t, days);
        if (course.empty()) course = again;
        const bool is_equal = std::memcmp(again.data(), course.data(), days * sizeof(Day)) == 0;
        std::printf("%d thread%s: %s\n", threads, threads == 1 ? "" : "s",
                    is_equal ? "the same course" : "ANOTHER COURSE");
        if (!is_equal) return 1;
    }
    std::printf("\n day   healthy       ill  recovered\n");
    for (std::uint64_t day = 9; day < days; day += 10)
        std::printf("%4llu %9lld %9lld %10lld\n", static_cast<unsigned long long>(day + 1),
                    static_cast<long long>(course[day].healthy), static_cast<long long>(course[day].ill),
                    static_cast<long long>(course[day].recovered));

    // What happened on day 51 in the town with the most new cases, drawn again without the other towns.
    constexpr std::uint64_t day = 50;
    Towns before, after;
    simulate(before, day);
    simulate(after, day + 1);
    const auto new_cases = [&](std::size_t i) { return before.healthy[i] - after.healthy[i]; };
    std::size_t town = 0;
    for (std::size_t i = 1; i < towns; ++i)
        if (new_cases(i) > new_cases(town)) town = i;
    const int infected = rng::at(infections.fork(day), infections_of(before, town), town);
    const int brought = rng::at(travels.fork(day), rng::poisson{inhabitants(town) * 1e-6}, town);
    std::printf("\ntown %zu, day %llu: %d infected there, %d by travellers\n", town,
                static_cast<unsigned long long>(day + 1), infected, brought);
    return new_cases(town) == infected + brought ? 0 : 1;
}
