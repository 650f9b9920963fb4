#include "command.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <utility>

#include "output.hpp"

namespace cli {

CLI::App* add_subcommand(CLI::App& program, const char* name, const char* summary, const std::string& footer,
                         Listed listed) {
    CLI::App* command = program.add_subcommand(name, summary);
    command->footer(footer);
    if (listed == Listed::no) command->group("");
    return command;
}

std::shared_ptr<std::string> add_word(CLI::App& command, const char* name, const char* help, bool is_required) {
    auto word = std::make_shared<std::string>();
    command.add_option(name, *word, help)->required(is_required)->type_name("");
    return word;
}

std::vector<std::string> command_names(const CLI::App& program) {
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands({}))
        if (!command->get_group().empty()) names.push_back(command->get_name());
    return names;
}

CommandText text_of(const CLI::App& command) {
    CommandText text{command.get_name(), command.get_description(), command.get_footer(), {}};
    for (const CLI::Option* option : command.get_options()) {
        OptionText one;
        for (const std::string& name : option->get_snames()) one.short_names.push_back("-" + name);
        for (const std::string& name : option->get_lnames()) one.long_names.push_back("--" + name);
        if (!option->nonpositional()) one.name = option->get_name(true);
        one.takes_value = option->get_items_expected_max() > 0;
        if (option->nonpositional() && one.takes_value) one.type = option->get_type_name();
        one.description = option->get_description();
        one.is_required = option->get_required();
        text.options.push_back(std::move(one));
    }
    return text;
}

std::vector<CommandText> texts_of_commands(const CLI::App& program) {
    std::vector<CommandText> texts;
    for (const std::string& name : command_names(program)) texts.push_back(text_of(*program.get_subcommand(name)));
    return texts;
}

void print_help(const CLI::App& program, const CLI::App* command) {
    // Uses the formatter: program.help() would print the help of the parsed command, which may be `help` itself.
    const std::string text =
        command ? command->help(program.get_name())
                : program.get_formatter()->make_help(&program, program.get_name(), CLI::AppFormatMode::Normal);
    print(wrapped(text, 80));  // the columns of a terminal
}

const CLI::App* find_command(const CLI::App& program, const std::string& name) {
    for (const CLI::App* command : program.get_subcommands({}))
        if (command->get_name() == name) return command;
    return nullptr;
}

void parse(CLI::App& command_line, std::vector<std::string> arguments) {
    try {
        std::ranges::reverse(arguments);  // as CLI11 takes them
        command_line.parse(arguments);
    } catch (const CLI::Error& error) {
        throw UsageError(error.what());
    }
}

void refuse_over_ranks(const std::string& command, const std::string& units,
                       std::initializer_list<std::pair<const char*, bool>> given) {
    for (const auto& [option, is_given] : given)
        if (is_given)
            throw UsageError(std::string(option) + " is for " + command + ": ranks share the " + units + " out");
}

}  // namespace cli
