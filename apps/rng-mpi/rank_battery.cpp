#include "rank_battery.hpp"

#include <rng/isa.hpp>

#include <utility>

#include "apps/rng/stop_signals.hpp"
#include "apps/rng/test_generator.hpp"
#include "apps/rng/usage_error.hpp"

namespace cli {
namespace {

using namespace rng::stats;

// Segment 0 is analysed at ten sizes below it, by one thread, and every test that samples segments takes it. So it
// takes as long as this many other segments. The first cases of Tier::structural take longer than others too.
constexpr uint64_t extra_of_first_segment = 32;

CountRange counter(const GeneratorUnderTest& generator, rng::stats::Options battery,
                   std::vector<std::string> arguments) {
    battery.checkpoint.clear();
    battery.resume = false;
    return [=](SegmentRange range, const std::string& file) {
        return count_segments(generator, battery, range, file, arguments);
    };
}

Report report_of_ranks(rng::Ranks& ranks, const TestOptions& options, const std::string& view,
                       const GeneratorUnderTest& generator, const rng::stats::Options& battery) {
    if (!generator.source->is_random_access())
        throw UsageError(
            "ranks need a source that can be read from the middle: a file of known size or an engine, got " +
            generator.source->name());
    require_outside_checkpoint(
        battery.checkpoint,
        {{"--file", options.file}, {"--npy", options.npy}, {"--json", options.json}, {"--html", options.html}});
    RankRun run{"test", options.arguments(view), options.threads, segments_of(generator, battery), {}, {}, {}, false};
    run.first_extra =
        extra_of_first_segment * static_cast<uint64_t>(battery.threads > 0 ? battery.threads : rng::num_threads());
    run.count = counter(generator, battery, run.arguments);
    run.checkpoint = battery.checkpoint;
    run.resume = battery.resume;
    const CountedFiles counted = counted_by_ranks(ranks, run);
    rng::stats::Options merged = battery;
    merged.checkpoint.clear();
    merged.resume = false;
    return merge_counts(generator, merged, counted.files);
}

}  // namespace

BatteryOfView battery_over(rng::Ranks& ranks) {
    return [&ranks](const TestOptions& options, const std::string& view, const GeneratorUnderTest& generator,
                    const rng::stats::Options& battery) {
        return report_of_ranks(ranks, options, view, generator, battery);
    };
}

CountRange segment_counter(std::vector<std::string> arguments) {
    const TestOptions options = options_of<TestOptions>(std::move(arguments));
    const std::string view = options.views.empty() ? "" : options.views[0];
    rng::stats::Options battery = options.battery();
    battery.stop = StopSignals::flag();
    return counter(viewed(make_generator(options), view), battery, options.arguments(view));
}

}  // namespace cli
