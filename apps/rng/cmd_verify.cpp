// rng verify: the golden digests, recomputed on every path of this machine.
#include <rng/rng.hpp>

#include <algorithm>
#include <memory>

#include "command.hpp"
#include "devices.hpp"
#include "distributions.hpp"
#include "json.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace cli {
namespace {

/// Returns the distributions and types of the catalogue without a row: somebody added one and made no golden for it.
std::vector<std::string> without_golden(const std::vector<rng::VerifyRow>& rows) {
    std::vector<std::string> missing;
    for (const DistributionEntry& entry : distribution_entries())
        for (const std::string& dtype : entry.dtypes) {
            const auto is_of_it = [&](const rng::VerifyRow& row) {
                return row.distribution == entry.name && row.dtype == dtype;
            };
            if (std::ranges::none_of(rows, is_of_it)) missing.push_back(entry.name + " " + dtype);
        }
    return missing;
}

std::string json_list(const std::vector<std::string>& values, const std::string& between) {
    return "[" + join(values, "," + between) + "]";
}

std::string json(const std::vector<rng::VerifyRow>& rows, size_t differing) {
    std::vector<std::string> names, lines;
    for (const std::string& name : without_golden(rows)) names.push_back(quoted(name));
    for (const rng::VerifyRow& row : rows)
        lines.push_back("\n    " + json_object({{"engine", quoted(row.engine)},
                                                {"distribution", quoted(row.distribution)},
                                                {"dtype", quoted(row.dtype)},
                                                {"parameters", quoted(row.parameters)},
                                                {"path", quoted(row.path)},
                                                {"seed", quoted(hexadecimal(row.seed))},
                                                {"id", quoted(hexadecimal(row.id))},
                                                {"position", quoted(hexadecimal(row.position))},
                                                {"n", std::to_string(row.n)},
                                                {"expected", quoted(hexadecimal(row.expected))},
                                                {"got", quoted(hexadecimal(row.got))},
                                                {"ok", row.ok() ? "true" : "false"}}));
    return json_object({{"version", quoted(RNG_VERSION)},
                        {"contract_version", std::to_string(rng::contract_version)},
                        {"digests", std::to_string(rows.size())},
                        {"differing", std::to_string(differing)},
                        {"without_golden", json_list(names, " ")},
                        {"rows", json_list(lines, "")}},
                       true) +
           "\n";
}

std::string engine_of(const rng::VerifyRow& row) { return row.engine; }
std::string kind_of(const rng::VerifyRow& row) { return row.distribution + " " + row.dtype; }
std::string path_of(const rng::VerifyRow& row) { return row.path; }

/// Returns the different texts of the rows, in the order of their first appearance.
template <class Text> std::vector<std::string> distinct(const std::vector<rng::VerifyRow>& rows, Text text) {
    std::vector<std::string> result;
    for (const rng::VerifyRow& row : rows)
        if (std::ranges::find(result, text(row)) == result.end()) result.push_back(text(row));
    return result;
}

/// Returns the column's heading: "avx2 x 3 threads" becomes "x3" in the table, where it stands beside "avx2".
std::string heading(const std::string& path) {
    const size_t times = path.find(" x ");
    if (times == std::string::npos) return path;
    const size_t number = times + 3;
    return "x" + path.substr(number, path.find(' ', number) - number);
}

/// Returns a table of group(row) by paths.
template <class Group> std::vector<Row> by_path(const std::vector<rng::VerifyRow>& rows, Group group) {
    const std::vector<std::string> paths = distinct(rows, path_of);
    std::vector<Row> cells;
    for (const std::string& name : distinct(rows, group)) {
        Row line = {name};
        for (const std::string& path : paths) {
            size_t checked = 0, wrong = 0;
            for (const rng::VerifyRow& row : rows) {
                if (row.path != path || group(row) != name) continue;
                ++checked;
                if (!row.ok()) ++wrong;
            }
            line.push_back(wrong > 0 ? "DIFFERS" : checked > 0 ? "ok" : "-");
        }
        cells.push_back(line);
    }
    return cells;
}

/// Returns tables of engines by paths and distributions by paths. Below them is each digest that differs, in full.
std::string readable(const std::vector<rng::VerifyRow>& rows, size_t differing) {
    const std::vector<std::string> paths = distinct(rows, path_of);
    std::vector<Row> cells = {{""}};
    for (const std::string& path : paths) cells[0].push_back(heading(path));
    for (Row& line : by_path(rows, engine_of)) cells.push_back(std::move(line));
    for (Row& line : by_path(rows, kind_of)) cells.push_back(std::move(line));
    std::string text = table(cells);
    // Three instruction sets have ten columns: two spaces between them would take 81.
    if (text.find('\n') > 80) text = table(cells, 1);
    text += '\n';
    for (const rng::VerifyRow& row : rows)
        if (!row.ok())
            text += "DIFFERS  " + row.engine + ": " + kind_of(row) + " {" + row.parameters + "}, " + row.path +
                    ": seed " + hexadecimal(row.seed) + ", id " + hexadecimal(row.id) + ", position " +
                    std::to_string(row.position) + ", n " + std::to_string(row.n) + ": expected " +
                    hexadecimal(row.expected) + ", got " + hexadecimal(row.got) + "\n";
    if (const std::vector<std::string> names = without_golden(rows); !names.empty())
        text += wrapped("no golden  " + join(names), 80) + "\n";
    return text + std::to_string(rows.size()) + " digests on " + std::to_string(paths.size()) + " paths: " +
           (differing == 0 ? "all equal" : std::to_string(differing) + (differing == 1 ? " DIFFERS" : " DIFFER")) +
           "\n";
}

int run(const std::string& device, bool quick, bool as_json) {
    const std::vector<rng::Device> devices =
        device == "all" ? rng::devices() : std::vector<rng::Device>{find_device(device, {"all"})};
    std::vector<rng::VerifyRow> rows;
    {
        std::unique_ptr<Progress> progress;
        rows = rng::verify(
            devices,
            [&progress](size_t done, size_t total) {
                if (!progress) progress = std::make_unique<Progress>("rng verify", total, "digests");
                progress->update(done);
            },
            quick ? rng::VerifyScope::quick : rng::VerifyScope::all);
    }
    if (rows.empty()) throw std::runtime_error("no digest was computed");
    const auto differing =
        static_cast<size_t>(std::ranges::count_if(rows, [](const rng::VerifyRow& row) { return !row.ok(); }));
    print(as_json ? json(rows, differing) : readable(rows, differing));
    return differing == 0 ? 0 : exit_failed;
}

}  // namespace

Command add_verify(CommandLine& program) {
    CommandLine command = program.add_command(
        "verify", "Recompute the golden digests on every path of this machine",
        "A path is a way to compute: the headers alone, each instruction set of this machine, each GPU's kernels. An "
        "instruction set computes with one thread and, if the table says xN, with N. The digests are of values that a "
        "model computed. The model was written from the contract, apart from the library. A distribution that is "
        "compared with none is named. Exit code 1 if one differs.\n\n"
        "Examples:\n"
        "  rng verify\n"
        "  rng verify --quick --device cpu\n"
        "  rng verify --json | jq '.rows[] | select(.ok | not)'\n");
    const auto as_json = std::make_shared<bool>(false);
    const auto quick = std::make_shared<bool>(false);
    const auto device = std::make_shared<std::string>("all");
    command.add_option("--device", *device, "D", "all (the default), cpu, cuda:0, ...");
    command.add_flag("--quick", *quick, "Leave out most of the long digests, those of over 2^20 values");
    command.add_flag("--json", *as_json, "Print every digest as JSON");
    return {command, [device, quick, as_json] { return run(*device, *quick, *as_json); }};
}

}  // namespace cli
