#include "command_line.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <utility>

#include "table.hpp"

namespace cli {
namespace {

constexpr const char* help_flag = "-h,--help";
constexpr const char* help_of_help = "Print this help and exit";

}  // namespace

Option& Option::required() {
    option_->required();
    return *this;
}
Option& Option::delimiter(char between) {
    option_->delimiter(between);
    return *this;
}
Option& Option::one_value_each() {
    option_->allow_extra_args(false);
    return *this;
}
Option& Option::not_empty() {
    option_->check(
        CLI::Validator([](const std::string& value) { return value.empty() ? "must not be empty" : ""; }, ""));
    return *this;
}
Option& Option::group(const std::string& heading) {
    option_->group(heading);
    return *this;
}
std::optional<std::string> Option::text() const {
    if (option_->count() == 0) return {};
    return option_->as<std::string>();
}

CommandLine::CommandLine() : app_(std::make_shared<CLI::App>()) {}

CommandLine::CommandLine(const std::string& name, const std::string& purpose, const std::string& version,
                         const std::string& footer)
    : app_(std::make_shared<CLI::App>(purpose, name)) {
    app_->set_version_flag("--version", version, "Print the version and exit");
    app_->set_help_flag(help_flag, help_of_help);
    app_->get_formatter()->column_width(26);
    app_->footer(footer);
    app_->allow_extras();            // program.cpp refuses them, in its own words; commands inherit this
    app_->require_subcommand(0, 1);  // the words after a command belong to the command, even the name of another one
}

CommandLine CommandLine::add_command(const std::string& name, const std::string& summary, const std::string& footer,
                                     Listed listed) {
    CLI::App* command = app_->add_subcommand(name, summary);
    command->footer(footer);
    if (listed == Listed::no) command->group("");
    return CommandLine(app_->get_subcommand_ptr(command));
}

void CommandLine::set_footer(const std::string& footer) { app_->footer(footer); }

Option CommandLine::add_option(const std::string& names, std::string& value, const std::string& type,
                               const std::string& help) {
    return Option(app_->add_option(names, value, help)->type_name(type));
}
Option CommandLine::add_option(const std::string& names, std::optional<std::string>& value, const std::string& type,
                               const std::string& help) {
    return Option(app_->add_option(names, value, help)->type_name(type));
}
Option CommandLine::add_option(const std::string& names, std::vector<std::string>& values, const std::string& type,
                               const std::string& help) {
    return Option(app_->add_option(names, values, help)->type_name(type));
}
Option CommandLine::add_option(const std::string& names, const std::string& type, const std::string& help) {
    return Option(app_->add_option(names, CLI::callback_t(), help)->expected(1)->type_name(type));
}
void CommandLine::add_flag(const std::string& names, bool& is_given, const std::string& help) {
    app_->add_flag(names, is_given, help);
}

void CommandLine::parse(std::vector<std::string> arguments) {
    for (CLI::App* command : app_->get_subcommands({}))
        command->set_help_flag(help_flag, help_of_help);  // the last one
    std::ranges::reverse(arguments);                      // as CLI11 takes them
    try {
        app_->parse(std::move(arguments));
    } catch (const CLI::CallForHelp& help) {
        throw HelpRequested(help.what());
    } catch (const CLI::CallForVersion& version) {
        throw VersionRequested(version.what());
    } catch (const CLI::ValidationError& error) {  // "--output: must not be empty"
        std::string text = error.what();
        throw UsageError(text.erase(text.find(':'), 1));
    } catch (const CLI::Error& error) {
        throw UsageError(error.what());
    }
}

bool CommandLine::is_chosen() const { return app_->parsed(); }
std::vector<std::string> CommandLine::remaining() const { return app_->remaining(); }
std::vector<std::string> CommandLine::given_options() const {
    std::vector<std::string> names;
    for (const CLI::Option* option : std::as_const(*app_).get_options())
        if (option->count() > 0) names.push_back(option->get_name());
    return names;
}

std::string CommandLine::name() const { return app_->get_name(); }

std::string CommandLine::help() const {
    // Uses the formatter: App::help() would print the help of the parsed command, which may be `help` itself.
    const CLI::App* parent = app_->get_parent();
    const std::string full_name = (parent ? parent->get_name() + " " : "") + name();
    return wrapped(app_->get_formatter()->make_help(app_.get(), full_name, CLI::AppFormatMode::Normal), 80);
}

CommandText CommandLine::text() const {
    CommandText text{name(), app_->get_description(), app_->get_footer(), {}};
    for (const CLI::Option* option : std::as_const(*app_).get_options()) {
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

std::vector<CommandLine> CommandLine::commands() const {
    std::vector<CommandLine> commands;
    for (CLI::App* command : app_->get_subcommands({}))
        if (!command->get_group().empty()) commands.push_back(CommandLine(app_->get_subcommand_ptr(command)));
    return commands;
}

std::vector<std::string> CommandLine::command_names() const {
    std::vector<std::string> names;
    for (const CommandLine& command : commands()) names.push_back(command.name());
    return names;
}

std::optional<CommandLine> CommandLine::find_command(const std::string& name) const {
    for (CLI::App* command : app_->get_subcommands({}))
        if (command->get_name() == name) return CommandLine(app_->get_subcommand_ptr(command));
    return {};
}

}  // namespace cli
