#include "meta.hpp"

#include <rng/core/config.hpp>

#include "table.hpp"
#include "usage_error.hpp"

namespace cli {

void MetaOption::add_to(CommandLine& command) {
    command
        .add_option(
            "--meta", file, "FILE",
            "Write to FILE, as JSON, what it takes to make the output again: seed, id, forks, position, engine, "
            "versions, ...")
        .not_empty();
}

std::unique_ptr<Output> MetaOption::begin(const std::string& output, const std::string& text) const {
    if (!file) return nullptr;
    if (*file == "-") throw UsageError("--meta must be a file, got -");
    if (!output.empty() && canonical_path(*file) == canonical_path(output))
        throw UsageError("--meta must not be the file of -o, got " + *file + " twice");
    std::unique_ptr<Output> meta(new Output(Output::file(*file)));
    meta->write(text.data(), text.size());
    return meta;
}

std::string meta_text(const std::string& command, const std::string& engine, const StreamAddress& address,
                      const StreamAddress::Values& where, const JsonMembers& more) {
    std::vector<std::string> forks;
    for (const std::string& fork : address.forks) forks.push_back(quoted(fork));
    JsonMembers members = {{"version", quoted(RNG_VERSION)},
                           {"contract_version", std::to_string(rng::contract_version)},
                           {"command", quoted(command)},
                           {"engine", quoted(engine)},
                           {"seed", quoted(hexadecimal(where.seed))},
                           {"id", quoted(hexadecimal(where.id))},
                           {"forks", std::string("[").append(join(forks)) + "]"},
                           {"position", quoted(hexadecimal(where.position))}};
    members.insert(members.end(), more.begin(), more.end());
    return json_object(members, true) + "\n";
}

}  // namespace cli
