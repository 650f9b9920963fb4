// rng info: describes this build and this machine.
#include <rng/rng.hpp>

#include <algorithm>

#include "command.hpp"
#include "engines.hpp"
#include "output.hpp"

namespace cli {
namespace {

std::string instruction_sets() {
    std::vector<std::string> available;
    for (const rng::Isa isa : rng::available_isas()) available.push_back(rng::to_string(isa));
    return std::string(rng::to_string(rng::current_isa())) + " (this machine has " + join(available) +
           "; RNG_ISA chooses one)";
}

std::string cuda_state(const std::vector<rng::Device>& devices) {
    if (!rng::has_cuda_backend()) return "not built in: this program computes on the CPU alone";
    const bool found = std::ranges::any_of(devices, [](rng::Device d) { return d.type == rng::DeviceType::cuda; });
    return found ? "built in" : "built in, but no GPU was found";
}

int run() {
    const std::vector<rng::Device> devices = rng::devices();
    std::vector<std::string> names;
    for (const rng::Device device : devices) names.push_back(rng::to_string(device));
    print(wrapped(table({{"rng", RNG_VERSION},
                         {"contract version", std::to_string(rng::contract_version)},
                         {"instruction set", instruction_sets()},
                         {"threads", std::to_string(rng::num_threads()) + " (RNG_NUM_THREADS sets them)"},
                         {"devices", join(names)},
                         {"CUDA backend", cuda_state(devices)},
                         {"engines", join(engine_names())}}),
                  terminal_columns()));
    return 0;
}

}  // namespace

Command add_info(CommandLine& program) {
    return {
        program.add_command(
            "info", "Show the version, instruction sets, threads and devices",
            "The contract version names the rules that make values out of seeds: where it is equal, every value is.\n\n"
            "Example:\n"
            "  rng info\n"),
        run};
}

}  // namespace cli
