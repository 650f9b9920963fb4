#include "test_generator.hpp"

#include <rng/stats/battery.hpp>
#include <rng/stats/engines_under_test.hpp>
#include <rng/stats/sources.hpp>
#include <rng/stats/values_under_test.hpp>
#include <rng/stats/views.hpp>

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "names.hpp"
#include "stop_signals.hpp"

namespace cli {

using namespace rng::stats;

GeneratorUnderTest make_generator(const TestOptions& options) {
    const StreamOptions stream{options.bits(), options.patience(), StopSignals::flag()};
    if (options.from_stdin) {
        if (::isatty(STDIN_FILENO) == 1) throw UsageError("standard input must be a pipe or a file, got a terminal");
        return {std::make_shared<StreamSource>(STDIN_FILENO, "standard input", stream)};
    }
    if (options.file) return {open_source(*options.file, stream)};
    if (options.command) return {std::make_shared<CommandSource>(*options.command, stream)};
    if (options.npy) return npy_under_test(*options.npy, *options.dist);
    const StreamAddress::Values where = options.values();
    if (options.dist)
        return distribution_under_test(*options.dist, dtype_of(options.dtype.value_or("")),
                                       {options.engine_name(), where.seed});
    return engine_under_test(options.engine_name(), where.seed, where.id, where.position);
}

namespace {

/// Returns a generator with the views of make_generator()'s that starts no command and opens no pipe or device.
GeneratorUnderTest unread_generator(const TestOptions& options) {
    if (options.command || (options.file && !std::filesystem::is_regular_file(*options.file)))
        return {std::make_shared<StreamSource>(
            -1, options.command ? "command " + *options.command : "file " + *options.file,
            StreamOptions{.word_bits = options.bits()})};
    return make_generator(options);
}

}  // namespace

std::vector<std::string> chosen_views(const TestOptions& options) {
    if (options.views.empty() && !options.dist) return {""};
    const bool is_all = options.views == std::vector<std::string>{"all"};
    if (!is_all && options.views.size() == 1) return options.views;
    const GeneratorUnderTest generator = unread_generator(options);
    std::vector<std::string> chosen, others;
    for (const std::string& view : options.views.empty() ? default_views(generator)
                                   : is_all              ? view_names(generator)
                                                         : options.views)
        (tests_of(make_view(generator, view), options.battery()).empty() ? others : chosen).push_back(view);
    if (chosen.empty())
        return others.empty() ? std::vector<std::string>{""} : others;  // an error, whose message says why
    if (!others.empty() && !options.views.empty())
        std::fprintf(stderr, "rng test: none of the tests applies to the views %s: left out\n", join(others).c_str());
    return chosen;
}

std::string ended_early(const Source& source, uint64_t asked, uint64_t there) {
    return source.name() + " ended after " + std::to_string(there) + " of the " + std::to_string(asked) +
           " bytes of --bytes; without it the verdict is on what there is";
}

GeneratorUnderTest viewed(const GeneratorUnderTest& whole, const std::string& view) {
    return view.empty() ? whole : make_view(whole, view);
}

void require_bytes(const Source& source, const std::optional<uint64_t>& asked) {
    if (const auto size = source.size(); size && asked && *size < *asked / 8 * 8)
        throw UsageError(ended_early(source, *asked, *size));
}

}  // namespace cli
