#include "formats.hpp"

#include "command.hpp"
#include "names.hpp"

namespace cli {

Format choose_format(const std::optional<std::string>& name, const std::string& file) {
    struct Known {
        const char* name;
        Format format;
        const char* ending;
    };
    constexpr Known known[] = {{"text", Format::text, ".txt"},
                               {"csv", Format::csv, ".csv"},
                               {"raw", Format::raw, ".raw"},
                               {"npy", Format::npy, ".npy"},
                               {"json", Format::json, ".json"}};
    for (const Known& row : known)
        if (name ? *name == row.name : file.ends_with(row.ending)) return row.format;
    if (!name) return Format::text;
    std::vector<std::string> names;
    for (const Known& row : known) names.emplace_back(row.name);
    throw UsageError("--format must be one of " + join(names) + ", got " + *name + did_you_mean(*name, names));
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
