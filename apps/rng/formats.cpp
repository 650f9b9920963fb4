#include "formats.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "names.hpp"
#include "table.hpp"
#include "usage_error.hpp"

namespace cli {

namespace {

constexpr struct {
    const char* name;
    Format format;
    const char* ending;
} known_formats[] = {{"text", Format::text, ".txt"},
                     {"csv", Format::csv, ".csv"},
                     {"raw", Format::raw, ".raw"},
                     {"npy", Format::npy, ".npy"},
                     {"json", Format::json, ".json"}};

}  // namespace

std::vector<std::string> format_names() {
    std::vector<std::string> names;
    for (const auto& known : known_formats) names.emplace_back(known.name);
    return names;
}

Format choose_format(const std::optional<std::string>& name, const std::string& file) {
    const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == b; };
    const auto has_ending = [&](std::string_view ending) {
        return file.size() >= ending.size() &&
               std::equal(file.end() - static_cast<ptrdiff_t>(ending.size()), file.end(), ending.begin(), same);
    };
    for (const auto& known : known_formats)
        if (name ? *name == known.name : has_ending(known.ending)) return known.format;
    if (!name) return Format::text;
    throw UsageError("--format must be one of " + join(format_names()) + ", got " + *name +
                     did_you_mean(*name, format_names()));
}

std::string npy_header(const std::string& type, std::initializer_list<uint64_t> shape) {
    std::vector<std::string> sizes;
    for (const uint64_t size : shape) sizes.push_back(std::to_string(size));
    // Python writes a tuple of one as (n,).
    std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + join(sizes) +
                         (sizes.size() == 1 ? "," : "") + "), }";
    // The magic string, the version and the length take 10 bytes; the data begin at a multiple of 64.
    const size_t padded = (10 + header.size() + 1 + 63) / 64 * 64 - 10;
    header.resize(padded - 1, ' ');
    header += '\n';
    std::string file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(padded & 0xff);
    file += static_cast<char>(padded >> 8);
    return file + header;
}

}  // namespace cli
