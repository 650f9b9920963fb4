// rng man: the manual page, made of the same tree of commands and options as --help. The build installs what it prints.
#include <CLI/CLI.hpp>
#include <rng/core/config.hpp>

#include <sstream>

#include "command.hpp"
#include "output.hpp"

namespace cli {
namespace {

/// Text as roff prints it: no character of it is a request.
std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else
            result += c;
    }
    return result;
}

/// The words after a request, as one argument.
std::string argument(const std::string& text) {
    std::string quoted;
    for (const char c : escaped(text)) quoted += c == '"' ? std::string("\\(dq") : std::string(1, c);
    return "\"" + quoted + "\"";
}

/// Lines that begin with a blank stay as they are, but for their length; the others are filled.
std::string paragraphs(const std::string& text) {
    constexpr size_t width = 70;  // beside the margin of a page in 80 columns
    std::string result, line;
    bool is_kept = false;
    const auto keep = [&](bool wanted) {
        if (wanted != is_kept) result += wanted ? ".nf\n" : ".fi\n";
        is_kept = wanted;
    };
    for (std::istringstream lines(wrapped(text, width)); std::getline(lines, line);) {
        if (line.empty()) {
            keep(false);
            result += ".PP\n";
            continue;
        }
        keep(line.starts_with(' '));
        result += escaped(line) + "\n";
    }
    keep(false);
    return result;
}

std::string names_of(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
    return join(names);
}

std::string options_of(const CLI::App& app) {
    std::string text;
    for (const CLI::Option* option : app.get_options()) {
        const std::string name = option->nonpositional() ? names_of(*option) : option->get_name(true);
        const std::string type =
            option->nonpositional() && option->get_items_expected_max() > 0 ? option->get_type_name() : "";
        text += ".TP\n.BI " + argument(name) + (type.empty() ? "" : " " + argument(" " + type)) + "\n" +
                paragraphs(option->get_description());
    }
    return text;
}

std::string synopsis_of(const CLI::App& command) {
    std::string text = "rng " + command.get_name() + " [OPTIONS]";
    for (const CLI::Option* option : command.get_options())
        if (!option->nonpositional())
            text += option->get_required() ? " " + option->get_name(true) : " [" + option->get_name(true) + "]";
    return text;
}

std::string page(const CLI::App& program) {
    std::string text = ".TH RNG 1 \"\" \"rng " RNG_VERSION "\" \"User Commands\"\n.SH NAME\nrng \\- " +
                       escaped(program.get_description()) + "\n.SH SYNOPSIS\n.B rng\nCOMMAND [OPTIONS]\n.SH OPTIONS\n" +
                       options_of(program) + ".SH COMMANDS\n";
    const std::vector<std::string> names = command_names(program);
    for (const std::string& name : names) {
        const CLI::App& command = *program.get_subcommand(name);
        text += ".SS " + argument(synopsis_of(command)) + "\n" + escaped(command.get_description()) + ".\n" +
                options_of(command) + ".PP\n" + paragraphs(command.get_footer());
    }
    return text + ".SH NOTES\n" + paragraphs(program.get_footer());
}

}  // namespace

Command add_man(CLI::App& program) {
    CLI::App* command = program.add_subcommand("man", "Print the manual page, as roff");
    command->group("");  // for the build and for packagers
    command->footer(
        "Example:\n"
        "  rng man > rng.1 && man -l rng.1\n");
    return {command, [&program] {
                print(page(program));
                return 0;
            }};
}

}  // namespace cli
