// rng sample: values of one distribution as text, CSV, JSON, raw bytes or a NumPy file, or their histogram.
#include <rng/rng.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "address.hpp"
#include "command.hpp"
#include "devices.hpp"
#include "distributions.hpp"
#include "engines.hpp"
#include "formats.hpp"
#include "histogram.hpp"
#include "meta.hpp"
#include "progress.hpp"

namespace cli {
namespace {

// Large enough for the threads of a fill and small enough for the cache; for a device, large enough to be worth a copy.
constexpr uint64_t chunk_values = 64 * 1024, device_chunk_values = 4 * 1024 * 1024;

struct Options {
    std::string distribution, count, file;
    std::optional<std::string> dtype, format;
    std::string device = "cpu";
    EngineOption engine;
    StreamAddress address;
    MetaOption meta;
    std::vector<std::pair<Option, std::string>> parameters;  // every field of the catalogue, by name
    bool histogram = false;
};

constexpr const char* footer =
    "Value i is a pure function of seed, stream, position, distribution and type, the same on every machine. So A "
    "values from position P and B values from position P + A * slot are the A + B values from P. rng list shows the "
    "slots; P is rounded up to a multiple of the slot.\n\n"
    "Formats:\n"
    "  text  one value per line, in the fewest digits that read back as the same value; a vector is x y z\n"
    "  csv   the same under the header line \"value\"; a vector is x,y,z\n"
    "  raw   the values' bytes, little-endian\n"
    "  npy   a NumPy file, for numpy.load; n vectors are an array of n x 3\n"
    "  json  an array of numbers; of complex ones and vectors, of lists [re, im], [x, y, z]\n\n"
    "Examples:\n"
    "  rng sample normal -n 5 --seed 42\n"
    "  rng sample normal --mean 10 --stddev 2 -n 1M --dtype float64 -o x.npy\n"
    "  rng sample normal --seed 42 --fork wind --fork 7 -n 5\n"
    "  rng sample normal -n 1M -o x.npy --meta x.json\n"
    "  rng sample uniform --lo -1 --hi 1 -n 1000 --format csv -o x.csv\n"
    "  rng sample exponential --rate 0.5 -n 1e6 --histogram\n";

/// The options in the form that the work needs.
struct Request {
    std::string distribution;
    uint64_t n;
    std::string meta;  ///< the text of a --meta file
};

/// Checks address and count.
Request make_request(const Options& options, const std::string& distribution, const std::string& parameters,
                     const std::string& dtype, uint64_t slot_words) {
    const EngineOption::Choice engine = options.engine.choice();
    const StreamAddress::Values where = options.address.values(engine.size_words);
    // A stream's length is a multiple of every slot.
    const uint64_t most = (engine.size_words - where.position) / slot_words;
    const uint64_t n = parse_count("-n", options.count);
    if (n > most)
        throw UsageError("-n must be in [0, " + std::to_string(most) +
                         "] from this --position to the end of the stream, got " + options.count);
    return {distribution, n,
            meta_text("sample", engine.name, options.address, where,
                      {{"distribution", quoted(distribution)},
                       {"parameters", parameters},
                       {"dtype", quoted(dtype)},
                       {"n", std::to_string(n)}})};
}

/// Values by index, for any engine, distribution and device: the rest of this file knows only their type.
template <class T> struct Source {
    Request request;
    uint64_t chunk;                                              ///< the number of values to ask for at once
    std::function<void(std::span<T> out, uint64_t first)> fill;  ///< values first, first + 1, ...
};

/// {"mean": 0, "stddev": 1}
std::string parameters_json(const rng::AnyDistribution& dist) {
    JsonMembers members;
    for (const rng::ParameterInfo& parameter : dist.info().parameters)
        members.emplace_back(parameter.name, number_text(dist.parameter(parameter.name), parameter.dtype));
    return json_object(members);
}

rng::AnyStream stream_of(const Options& options) {
    std::optional<rng::AnyStream> stream;
    options.engine.visit([&](auto tag) { stream = options.address.stream<typename decltype(tag)::type>(); });
    return *stream;
}

/// Calls use(span) for chunk after chunk of the values.
template <class T, class Use>
void for_each_chunk(const Source<T>& source, Progress& progress, uint64_t done_before, Use use) {
    std::vector<T> values(static_cast<size_t>(std::min(source.request.n, source.chunk)));
    for (uint64_t i = 0; i < source.request.n;) {
        const std::span<T> chunk(values.data(), static_cast<size_t>(std::min(source.request.n - i, source.chunk)));
        source.fill(chunk, i);
        use(std::span<const T>(chunk));
        i += chunk.size();
        progress.update(done_before + i);
    }
}

template <class T> void sample(const Source<T>& source, const Options& options, Format format) {
    const uint64_t n = source.request.n;
    const bool to_file = !options.file.empty() && options.file != "-";
    const bool values_wanted = to_file || !options.histogram;
    if (values_wanted && format == Format::npy && npy_type<T>().empty())
        throw UsageError("--format must be text, csv, raw or json for " + std::string(rng::dtype_name<T>()) +
                         ", which NumPy does not have, got npy");
    if (has_parts<T> && options.histogram)
        throw UsageError("--histogram is of real values, got " + source.request.distribution);
    std::unique_ptr<Output> meta = options.meta.begin(to_file ? options.file : "", source.request.meta);
    if (values_wanted) {
        Output output = to_file ? Output::file(options.file) : Output::standard_output();
        if (is_binary(format) && output.is_terminal())
            throw UsageError("--format must be text, csv or json on a terminal, got " + *options.format);
        if (meta && !to_file) std::exchange(meta, nullptr)->finish();  // before the reader may go away
        output.require_space(least_bytes<T>(format, n));
        Progress progress("rng sample", n, "values", !output.is_terminal());
        ValueWriter<T> writer(output, format, n);
        for_each_chunk(source, progress, 0, [&](std::span<const T> chunk) { writer.write(chunk); });
        writer.end();
        std::vector<Output*> outputs = {&output};
        if (meta) outputs.push_back(meta.get());
        Output::finish_all(outputs);
    } else if (meta) {
        meta->finish();
    }
    if constexpr (!has_parts<T>) {
        if (!options.histogram) return;
        Histogram<T> histogram;
        {
            Progress progress("rng sample", 2 * n, "values");
            for_each_chunk(source, progress, 0, [&](std::span<const T> chunk) { histogram.first_pass(chunk); });
            histogram.between_passes();
            for_each_chunk(source, progress, n, [&](std::span<const T> chunk) { histogram.second_pass(chunk); });
        }
        print(draw(histogram.figures(), static_cast<int>(terminal_columns()), terminal_is_unicode()));
    }
}

int run(const Options& options) {
    const DistributionEntry& entry = find_distribution(options.distribution);
    ParameterTexts given;
    for (const auto& [option, name] : options.parameters)
        if (const std::optional<std::string> text = option.text()) given.emplace_back(name, *text);
    require_parameters(entry, given);
    const std::string dtype = find_dtype(entry, options.dtype.value_or(entry.dtypes[0]));
    const rng::Device device = find_device(options.device);
    const Format format = choose_format(options.format, options.file);
    if (options.histogram && options.file == "-")
        throw UsageError("-o must be a file beside --histogram, which takes standard output, got -");

    const rng::AnyStream stream = stream_of(options);
    const rng::AnyDistribution dist = make_distribution(entry, dtype, given);
    const Request request =
        make_request(options, entry.name, parameters_json(dist), dtype, static_cast<uint64_t>(dist.info().slot_words));
    const uint64_t chunk = device == rng::cpu() ? chunk_values : device_chunk_values;
    const auto sample_as = [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto fill = [&](std::span<T> out, uint64_t first) { dist.fill(out, stream, first, {.device = device}); };
        sample(Source<T>{request, chunk, fill}, options, format);
    };
    rng::visit_dtype(dtype, sample_as);
    return 0;
}

/// Returns the meanings of a parameter name: "uniform, uniform_open: lower bound (default 0)\nnormal: ...".
std::string parameter_help(const std::string& name) {
    std::vector<std::pair<std::string, std::vector<std::string>>> meanings;  // in the catalogue's order
    for (const DistributionEntry& entry : distribution_entries()) {
        for (const auto& parameter : entry.parameters) {
            if (parameter.name != name) continue;
            const std::string meaning = parameter.doc + " (default " + parameter.default_text + ")";
            auto known = std::ranges::find(meanings, meaning, [](const auto& pair) { return pair.first; });
            if (known == meanings.end()) known = meanings.insert(known, {meaning, {}});
            known->second.push_back(entry.name);
        }
    }
    std::vector<std::string> lines;
    for (const auto& [meaning, users] : meanings) lines.push_back(join(users) + ": " + meaning);
    return join(lines, "\n");
}

/// Adds one option for every parameter name of the catalogue.
void add_parameters(CommandLine& command, Options& options) {
    for (const DistributionEntry& entry : distribution_entries()) {
        for (const auto& parameter : entry.parameters) {
            const auto is_known = [&parameter](const auto& known) { return known.second == parameter.name; };
            if (std::ranges::any_of(options.parameters, is_known)) continue;
            Option option = command.add_option("--" + parameter.name, "X", parameter_help(parameter.name));
            option.group("Parameters of distributions");
            options.parameters.emplace_back(option, parameter.name);
        }
    }
}

}  // namespace

Command add_sample(CommandLine& program) {
    CommandLine command = program.add_command("sample", "Draw values of a distribution", footer);
    const auto options = std::make_shared<Options>();
    std::vector<std::string> names;
    for (const DistributionEntry& entry : distribution_entries()) names.push_back(entry.name);
    command.add_option("DIST", options->distribution, "", "Distribution: " + join(names)).required();
    command.add_option("-n", options->count, "N", "How many values: 1000000, 1M and 1e6 are the same, 1Mi is 2^20")
        .required();
    command.add_option("--dtype", options->dtype, "T",
                       "Type of the values, such as f64 or float64 (default: the first that rng list shows)");
    options->engine.add_to(command);
    options->address.add_options(command);
    options->address.add_forks(command);
    command.add_option("--device", options->device, "D", "Where to compute (default cpu); no value depends on it");
    command.add_option("--format", options->format, "F",
                       "text, csv, raw, npy or json (default: by the ending of FILE, else text)");
    command
        .add_option("-o,--output", options->file, "FILE",
                    "Write to FILE (default: standard output); it appears only once it is whole")
        .not_empty();
    command.add_flag("--histogram", options->histogram,
                     "Print a histogram and the moments instead of the values; with -o, beside the values in FILE");
    options->meta.add_to(command);
    add_parameters(command, *options);
    return {command, [options] { return run(*options); }};
}

}  // namespace cli
