// A generator of one's own, tested, and the reports that rng test writes. Exits 0 if a sound one passes and a flawed
// one fails, and both reports say so.
#include <rng/random.hpp>
#include <rng/stats/battery.hpp>
#include <rng/stats/report.hpp>
#include <rng/stats/sources.hpp>
#include <rng/stats/test_catalogue.hpp>

#include <cstdint>
#include <iostream>
#include <string>

// A linear congruential generator: its lowest bit alternates.
struct Alternating {
    using result_type = uint32_t;
    static constexpr uint32_t min() { return 0; }
    static constexpr uint32_t max() { return UINT32_MAX; }
    uint32_t operator()() { return state = state * 1664525 + 1013904223; }
    uint32_t state = 1;
};

int main() {
    rng::stats::Options options;
    options.bytes = 1 << 20;
    const rng::stats::Report sound = rng::stats::test(rng::philox4x32(42), "philox4x32", options);
    options.bytes = 1 << 25;
    const rng::stats::Report flawed = rng::stats::test(Alternating(), "alternating", options);
    const rng::stats::CommandSource zeros("head -c 100 /dev/zero");  // what is defined in the library links too
    std::cout << summary(sound) << '\n' << summary(flawed) << zeros.name() << '\n';
    const rng::stats::Report both[] = {sound, flawed};
    const std::string page = rng::stats::html_report(both, "consumer"), json = rng::stats::json_report(both);
    const bool are_written = page.find("</html>") != std::string::npos &&
                             page.find("alternating") != std::string::npos &&
                             json.find("\"fail\"") != std::string::npos && !rng::stats::test_catalogue().empty();
    return are_written && sound.verdict != rng::stats::Verdict::fail && flawed.verdict == rng::stats::Verdict::fail ? 0
                                                                                                                    : 1;
}
