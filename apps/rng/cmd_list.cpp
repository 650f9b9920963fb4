// rng list: the catalogue of distributions, one line each.
#include "command.hpp"
#include "distributions.hpp"
#include "output.hpp"

namespace cli {
namespace {

int run() {
    std::vector<Row> rows = {{"name", "types", "slot", "support", "parameters", "what it is"}};
    for (const DistributionEntry& entry : distribution_entries()) {
        std::vector<std::string> parameters;
        for (const auto& parameter : entry.parameters)
            parameters.push_back("--" + parameter.name + " " + parameter.default_text);
        rows.push_back({entry.name, join(entry.dtypes, ","), join(entry.slots, ","), join(entry.supports, ", "),
                        parameters.empty() ? "none" : join(parameters, " "), entry.summary});
    }
    print(table(rows));
    return 0;
}

}  // namespace

Command add_list(CLI::App& program) {
    CLI::App* command = program.add_subcommand("list", "List the distributions");
    command->footer(
        "One line for each distribution: its name, the types of its values (the first is the default), the slot, which "
        "is "
        "the number of 32-bit words that a value of each type takes, the support, and the parameters with their "
        "defaults.\n\n"
        "Example:\n"
        "  rng list\n");
    return {command, run};
}

}  // namespace cli
