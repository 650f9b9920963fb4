// rng zoo: does the battery catch generators known to be flawed, and pass their controls?
#include <nlohmann/json.hpp>
#include <rng/stats/report.hpp>
#include <rng/stats/zoo.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <memory>
#include <optional>

#include "command.hpp"
#include "names.hpp"
#include "numbers.hpp"
#include "output.hpp"

namespace cli {
namespace {

using rng::stats::bytes_text, rng::stats::size_text, rng::stats::Verdict, rng::stats::ZooCell, rng::stats::ZooEntry,
    rng::stats::ZooRow;

struct Options {
    std::vector<std::string> only;
    std::optional<std::string> threads, json, html;
    bool list = false;
};

std::string practrand_of(const ZooEntry& entry) {
    if (entry.practrand.bytes == 0) return "-";
    return (entry.practrand.is_clean ? "> " : "") + bytes_text(entry.practrand.bytes);
}
std::string ratio_of(const ZooEntry& entry, const ZooRow& row) {
    if (entry.practrand.bytes == 0 || row.stage != "stream") return "-";
    char text[32];
    const double ratio = static_cast<double>(row.bytes) / static_cast<double>(entry.practrand.bytes);
    std::snprintf(text, sizeof text, "%s%.2g", entry.practrand.is_clean ? "< " : "", ratio);
    return text;
}

std::vector<const ZooEntry*> choose(const std::vector<std::string>& names) {
    const std::vector<ZooEntry>& all = rng::stats::zoo_catalogue();
    std::vector<const ZooEntry*> chosen;
    std::vector<std::string> known;
    for (const ZooEntry& entry : all) known.push_back(entry.name);
    for (const std::string& name : names)
        if (std::ranges::find(known, name) == known.end())
            throw UsageError("--only must be of the names that rng zoo --list prints, got " + name +
                             did_you_mean(name, known));
    for (const ZooEntry& entry : all)
        if (names.empty() || std::ranges::find(names, entry.name) != names.end()) chosen.push_back(&entry);
    return chosen;
}

std::string list(const std::vector<const ZooEntry*>& entries) {
    std::vector<Row> rows;
    for (const ZooEntry* e : entries) {
        rows.push_back({e->name, e->description});
        rows.push_back({"  source", e->origin});
        rows.push_back({"  expected", e->expected});
        rows.push_back({"  PractRand", practrand_of(*e)});
        rows.push_back({"  control", e->control});
    }
    return wrapped(table(rows), terminal_columns());
}

/// Returns a flaw in two lines of at most 80 columns; the second is its control. A third line says what is wrong, if
/// anything.
std::string lines_of(const ZooEntry& entry, const ZooRow& row) {
    const bool caught = row.verdict == Verdict::fail;
    char lines[512];
    std::snprintf(lines, sizeof lines,
                  "%-19s %-30s %-9s %6.2f s\n"
                  "  PractRand %-10s ratio %-7s control %-13s %6.2f s\n%s",
                  row.name.c_str(), caught ? row.caught_by.c_str() : "MISSED", size_text(row.stage, row.bytes).c_str(),
                  row.cpu_seconds, practrand_of(entry).c_str(), ratio_of(entry, row).c_str(),
                  to_string(row.control_verdict), row.control_cpu_seconds,
                  is_as_expected(row) ? "" : ("  <- WRONG " + row.control_failed_by + "\n").c_str());
    return lines;
}

/// Returns the JSON text. It has no times, so the same program gives the same text.
std::string json(const std::vector<const ZooEntry*>& entries, const std::vector<ZooRow>& rows) {
    nlohmann::ordered_json all = {{"version", RNG_VERSION}, {"rows", nlohmann::ordered_json::array()}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ZooRow& row = rows[i];
        nlohmann::ordered_json cells = nlohmann::ordered_json::array();
        for (const ZooCell& cell : row.cells)
            cells.push_back({{"test", cell.test},
                             // JSON has no infinity
                             {"log10_adjusted", std::max(cell.log10_adjusted, -1e300)},
                             {"stage", cell.stage},
                             {"size", cell.size},
                             {"rejects", cell.is_rejection}});
        all["rows"].push_back({{"name", row.name},
                               {"description", row.description},
                               {"origin", entries[i]->origin},
                               {"practrand_bytes", entries[i]->practrand.bytes},
                               {"practrand_clean", entries[i]->practrand.is_clean},
                               {"verdict", to_string(row.verdict)},
                               {"caught_by", row.caught_by},
                               {"stage", row.stage},
                               {"size", row.bytes},
                               {"twin", row.control},
                               {"twin_verdict", to_string(row.control_verdict)},
                               {"twin_size", row.control_bytes},
                               {"as_expected", is_as_expected(row)},
                               {"tests", std::move(cells)}});
    }
    return all.dump(2) + "\n";
}

/// Opens the output before the work, so that a bad name is reported at once.
std::unique_ptr<Output> begin(const std::optional<std::string>& path) {
    return path ? std::unique_ptr<Output>(new Output(Output::file(*path))) : nullptr;
}
void finish(const std::unique_ptr<Output>& output, const std::string& text) {
    output->write(text.data(), text.size());
    output->finish();
}

int run(const Options& options) {
    const std::vector<const ZooEntry*> entries = choose(options.only);
    if (options.list) {
        print(list(entries));
        return 0;
    }
    rng::stats::ZooOptions zoo;
    if (options.threads) zoo.threads = static_cast<int>(parse_u64("--threads", *options.threads, 1024, "1024"));
    if (options.json && options.html) require_distinct("--json and --html", {*options.json, *options.html});
    const std::unique_ptr<Output> json_file = begin(options.json), html_file = begin(options.html);
    const std::clock_t start = std::clock();
    std::vector<ZooRow> rows;
    std::size_t wrong = 0;
    char line[128];
    std::snprintf(line, sizeof line, "%-19s %-30s %-9s %8s\n", "flaw", "caught by", "after", "CPU");
    print(line);
    for (const ZooEntry* entry : entries) {
        rows.push_back(rng::stats::run_zoo_entry(*entry, zoo));
        print(lines_of(*entry, rows.back()));
        wrong += !is_as_expected(rows.back());
    }
    std::snprintf(line, sizeof line, "%zu flaws with their controls, %zu not as expected, %.1f CPU-seconds\n",
                  rows.size(), wrong, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    if (json_file) finish(json_file, json(entries, rows));
    if (html_file) finish(html_file, rng::stats::html_zoo(rows, {}, "rng zoo"));
    print(line);
    return wrong == 0 ? 0 : exit_failed;
}

}  // namespace

Command add_zoo(CommandLine& program) {
    CommandLine command = program.add_command(
        "zoo", "Test the tests: flawed generators must fail, sound ones pass",
        "Each flawed generator is tested until it fails; its control, the same construction without the flaw, must "
        "then pass with four "
        "times the data. PractRand is what that program needs to fail the generator, or how much of it it passes; "
        "ratio "
        "is what was read here to what PractRand needs; the second time is the control's.\n\n"
        "Exit code 1 if a flaw gets through or a control does not pass.\n\n"
        "Examples:\n"
        "  rng zoo\n"
        "  rng zoo --only randu,mt19937 --json zoo.json\n");
    const auto options = std::make_shared<Options>();
    command.add_option("--only", options->only, "NAME,...", "Names, as --list prints them").delimiter(',');
    command.add_option("--threads", options->threads, "T", "Threads, 1 to 1024 (default: one a processor)");
    command.add_option("--json", options->json, "FILE", "Write every test's word on every flaw").not_empty();
    command.add_option("--html", options->html, "FILE", "Write the same as a web page: flaws by tests").not_empty();
    command.add_flag("--list", options->list, "Print the flaws and their controls, and do nothing");
    return {command, [options] { return run(*options); }};
}

}  // namespace cli
