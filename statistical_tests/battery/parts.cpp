#include <rng/stats/battery_parts.hpp>

#include <rng/core/error.hpp>

#include <utility>

#include "part_files.hpp"
#include "whole_run.hpp"

namespace rng::stats {

uint64_t segments_of(const GeneratorUnderTest& generator, const Options& options) {
    const Plan plan = checked_plan(generator, options);
    State state;
    return Run(generator, options, options.only, plan.effort, plan.bytes, state, state.analyses).parts();
}

bool count_segments(const GeneratorUnderTest& generator, const Options& given, SegmentRange range,
                    const std::string& file, std::span<const std::string> arguments) {
    Options options = given;
    options.checkpoint.clear();
    options.repeat_suspicious = true;  // a part repeats nothing, so its name must not depend on this
    const Plan plan = checked_plan(generator, options);
    State state;
    Run run(generator, options, options.only, plan.effort, plan.bytes, state, state.analyses);
    if (range.first >= range.last || range.last > run.parts())
        rng::detail::refuse("count_segments", "segments must be A:B with 0 <= A < B <= " + std::to_string(run.parts()) +
                                                  ", got " + text_of(range));
    if (run.has_stream() && !generator.source->is_random_access())
        rng::detail::refuse("count_segments", generator.source->name() +
                                                  " can only be read from its beginning; segments need a file of known "
                                                  "size or an engine");
    require_writable(file, StateFile::counts);  // reported at once, not after the work
    state.run = identity(generator, options, plan, run.tests());
    state.arguments.assign(arguments.begin(), arguments.end());
    if (!run.count(range)) return false;
    save_state(file, state);
    return true;
}

std::vector<std::string> counts_arguments(const std::string& file) {
    return load_state(file, {}, StateFile::counts, RangesOf::none).arguments;
}

Report merge_counts(const GeneratorUnderTest& generator, const Options& given, std::span<const std::string> files) {
    Options options = given;
    options.progress = {};             // no work is done here
    options.repeat_suspicious = true;  // as in count_segments()
    const Plan plan = checked_plan(generator, options);
    State state;
    Run run(generator, options, options.only, plan.effort, plan.bytes, state, state.analyses);
    const std::string name = identity(generator, options, plan, run.tests());

    // Counts may be large, so only one file is in memory at a time.
    std::vector<PartFile> parts;
    state.beginning = run.beginning();
    for (const std::string& file : files) {
        const State part = load_state(file, name, StateFile::counts, RangesOf::none);
        if (part.beginning != state.beginning)
            refuse_state(file, "is of other bytes: " + generator.source->name() + " began differently then",
                         StateFile::counts);
        parts.push_back({file, part.part});
    }
    require_whole("merge_counts", "segments", parts, run.parts());
    for (const Stage stage : {Stage::structural, Stage::stream}) {
        // A run ends with the first failure, and a failure of the structural stage is the first.
        if (stage == Stage::stream && run.has_failed()) break;
        const RangesOf wanted = stage == Stage::stream ? RangesOf::stream : RangesOf::structural;
        for (const PartFile& part : parts)
            run.add(stage, load_state(part.file, name, StateFile::counts, wanted), part.file);
    }
    run.hand_over();
    return run_from(generator, given, std::move(state));
}

}  // namespace rng::stats
