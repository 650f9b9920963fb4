// rng man: the manual page, made from the same tree of commands and options as --help. The build installs the output.
#include <rng/core/config.hpp>

#include <sstream>

#include "command.hpp"
#include "output.hpp"

namespace cli {
namespace {

/// Returns text as roff prints it: no character of it is a request.
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

/// Returns the words after a request as one argument.
std::string argument(const std::string& text) {
    std::string quoted;
    for (const char c : escaped(text)) quoted += c == '"' ? std::string("\\(dq") : std::string(1, c);
    return "\"" + quoted + "\"";
}

/// Returns text in paragraphs. Lines that begin with a blank keep their breaks, but are wrapped if too long; other
/// lines are filled.
std::string paragraphs(const std::string& text) {
    constexpr size_t width = 70;  // beside the margin, on a page of 80 columns
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

std::string options_of(const CommandText& command) {
    std::string text;
    for (const OptionText& option : command.options) {
        std::vector<std::string> names = option.short_names;
        names.insert(names.end(), option.long_names.begin(), option.long_names.end());
        text += ".TP\n.BI " + argument(option.name.empty() ? join(names) : option.name) +
                (option.type.empty() ? "" : std::string(" ") + argument(" " + option.type)) + "\n" +
                paragraphs(option.description);
    }
    return text;
}

std::string synopsis_of(const CommandText& command) {
    std::string text = "rng " + command.name + " [OPTIONS]";
    for (const OptionText& option : command.options)
        if (!option.name.empty()) text += option.is_required ? " " + option.name : " [" + option.name + "]";
    return text;
}

std::string page(const CommandLine& line) {
    const CommandText program = line.text();
    std::string text = ".TH RNG 1 \"\" \"rng " RNG_VERSION "\" \"User Commands\"\n.SH NAME\nrng \\- " +
                       escaped(program.description) + "\n.SH SYNOPSIS\n.B rng\nCOMMAND [OPTIONS]\n.SH OPTIONS\n" +
                       options_of(program) + ".SH COMMANDS\n";
    for (const CommandLine& each : line.commands()) {
        const CommandText command = each.text();
        text += ".SS " + argument(synopsis_of(command)) + "\n" + escaped(command.description) + ".\n" +
                options_of(command) + ".PP\n" + paragraphs(command.footer);
    }
    return text + ".SH NOTES\n" + paragraphs(program.footer);
}

}  // namespace

Command add_man(CommandLine& program) {
    const CommandLine command = program.add_command("man", "Print the manual page, as roff",
                                                    "Example:\n"
                                                    "  rng man > rng.1 && man -l rng.1\n",
                                                    Listed::no);
    return {command, [program] {
                print(page(program));
                return 0;
            }};
}

}  // namespace cli
