// rng list: the catalogue of distributions.
#include "command.hpp"
#include "distributions.hpp"
#include "output.hpp"

namespace cli {
namespace {

int run() {
    std::vector<Row> rows;
    for (const DistributionEntry& entry : distribution_entries()) {
        std::vector<std::string> types, parameters, ranges;
        for (size_t i = 0; i < entry.dtypes.size(); ++i) types.push_back(entry.dtypes[i] + " " + entry.slots[i]);
        for (const auto& parameter : entry.parameters) {
            parameters.push_back("--" + parameter.name + " " + parameter.default_text);
            std::vector<std::string> of_types;
            for (const auto& [range, dtypes] : parameter.ranges)
                of_types.push_back(parameter.ranges.size() == 1 ? range : range + " (" + dtypes + ")");
            if (!of_types.empty()) ranges.push_back(parameter.name + " " + join(of_types));
        }
        rows.push_back({entry.name, entry.summary});
        rows.push_back({"  types, slots", join(types)});
        rows.push_back({"  support", join(entry.supports)});
        rows.push_back({"  parameters", parameters.empty() ? "none" : join(parameters, " ")});
        if (!ranges.empty()) rows.push_back({"  ranges", join(ranges, "; ")});
    }
    print(wrapped(table(rows), terminal_columns()));
    return 0;
}

}  // namespace

Command add_list(CommandLine& program) {
    return {
        program.add_command(
            "list", "List the distributions",
            "Prints of each distribution what it is; the types of its values (the first is the default), each with its "
            "slot, which is the number of 32-bit words that a value takes; the support; the parameters with their "
            "defaults; and the range of each parameter (docs/contract.md has the rules that join several).\n\n"
            "Example:\n"
            "  rng list\n"),
        run};
}

}  // namespace cli
