#include "rank_calibration.hpp"

#include <utility>

#include "apps/rng/stop_signals.hpp"

namespace cli {

#if defined(RNG_HAVE_CALIBRATION)

namespace {

using namespace rng::stats;

CountRange counter(CalibrationOptions batteries, std::vector<std::string> arguments) {
    batteries.stop = StopSignals::flag();
    batteries.progress = nullptr;  // a rank only knows its own share
    return
        [=](SegmentRange range, const std::string& file) { return count_batteries(batteries, range, file, arguments); };
}

}  // namespace

CalibrationOf calibration_over(rng::Ranks& ranks) {
    return [&ranks](const CalibrateOptions& options, const CalibrationOptions& batteries) {
        const StopSignals signals;
        RankRun run{"calibrate", options.arguments(), options.threads, batteries.batteries, {}, {}, {}, options.resume};
        run.count = counter(batteries, run.arguments);
        run.checkpoint = options.checkpoint.value_or("");
        require_outside_checkpoint(run.checkpoint, {{"--json", options.json}});
        const CountedFiles counted = counted_by_ranks(ranks, run);
        return merge_batteries(batteries, counted.files);
    };
}

CountRange battery_counter(std::vector<std::string> arguments) {
    const CalibrateOptions options = options_of<CalibrateOptions>(std::move(arguments));
    return counter(options.calibration(), options.arguments());
}

#else

// rng calibrate refuses its options before it would call these.
CalibrationOf calibration_over(rng::Ranks&) {
    return [](const CalibrateOptions&, const rng::stats::CalibrationOptions&) { return rng::stats::Calibration{}; };
}
CountRange battery_counter(std::vector<std::string> arguments) {
    static_cast<void>(options_of<CalibrateOptions>(std::move(arguments)).calibration());
    return {};
}

#endif

}  // namespace cli
