// rng completion bash: the completions of a shell, made from the same tree of commands and options as --help. The build
// installs the output.
#include <algorithm>
#include <memory>

#include "command.hpp"
#include "distributions.hpp"
#include "engines.hpp"
#include "formats.hpp"
#include "names.hpp"
#include "output.hpp"

namespace cli {
namespace {

/// Returns the words that an option or a positional argument takes; none if any text may be right.
std::vector<std::string> values_of(const std::string& name, const CommandLine& program) {
    std::vector<std::string> words;
    if (name == "--engine") return engine_names();
    if (name == "--format") return format_names();
    if (name == "COMMAND") return program.command_names();
    if (name == "--dtype" || name == "DIST")
        for (const DistributionEntry& entry : distribution_entries())
            for (const std::string& word : name == "DIST" ? std::vector<std::string>{entry.name} : entry.dtypes)
                if (std::ranges::find(words, word) == words.end()) words.push_back(word);
    return words;
}

struct Words {
    std::vector<std::string> first;  ///< words that may come when no option waits for its value
    bool has_file = false;           ///< true if a file may come there too
    std::string values;              ///< branches of a case over "command:option"
};

Words words_of(const CommandText& command, const CommandLine& program) {
    Words words;
    for (const OptionText& option : command.options) {
        if (!option.name.empty()) {
            const std::vector<std::string> values = values_of(option.name, program);
            words.first.insert(words.first.end(), values.begin(), values.end());
            words.has_file = values.empty();
            continue;
        }
        std::vector<std::string> names = option.long_names, patterns;
        names.insert(names.end(), option.short_names.begin(), option.short_names.end());
        words.first.insert(words.first.end(), names.begin(), names.end());
        if (!option.takes_value) continue;
        for (const std::string& name : names) patterns.push_back(command.name + ":" + name);
        words.values +=
            "        " + join(patterns, " | ") + ") words='" + join(values_of(names[0], program), " ") + "' ;;\n";
    }
    return words;
}

std::string bash(const CommandLine& program) {
    std::string first, values;
    for (const CommandLine& line : program.commands()) {
        const CommandText command = line.text();
        const Words words = words_of(command, program);
        values += words.values;
        first += "        " + command.name + ":*) " + (words.has_file ? "[[ $word == -* ]] && " : "") + "words='" +
                 join(words.first, " ") + "' ;;\n";
    }
    std::vector<std::string> begin = program.command_names();
    for (const std::string& word : words_of(program.text(), program).first) begin.push_back(word);
    return "# bash completion of the program rng, printed by: rng completion bash\n"
           "_rng() {\n"
           "    local words='' word=${COMP_WORDS[COMP_CWORD]}\n"
           "    case $COMP_CWORD:${COMP_WORDS[1]}:${COMP_WORDS[COMP_CWORD - 1]} in\n"
           "    1:*) words='" +
           join(begin, " ") +
           "' ;;\n"
           "    *)\n"
           "        case ${COMP_WORDS[1]}:${COMP_WORDS[COMP_CWORD - 1]} in\n" +
           values + first +
           "        esac\n"
           "        ;;\n"
           "    esac\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
           "}\n"
           "complete -o default -F _rng rng\n";  // if no word fits, files
}

}  // namespace

Command add_completion(CommandLine& program) {
    CommandLine command = program.add_command("completion", "Print what a shell needs to complete commands and options",
                                              "Example:\n"
                                              "  source <(rng completion bash)\n",
                                              Listed::no);
    const auto shell = std::make_shared<std::string>();
    command.add_option("SHELL", *shell, "", "bash").required();
    return {command, [program, shell] {
                if (*shell != "bash") throw UsageError("SHELL must be bash, got " + *shell);
                print(bash(program));
                return 0;
            }};
}

}  // namespace cli
