#include "names.hpp"

#include <rng/core/engine.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace cli {
namespace {

/// The distance of Damerau and Levenshtein in which no part is edited twice ("optimal string alignment").
size_t edits(const std::string& a, const std::string& b) {
    std::vector<std::vector<size_t>> least(a.size() + 1, std::vector<size_t>(b.size() + 1));
    for (size_t i = 0; i <= a.size(); ++i) {
        for (size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                least[i][j] = i + j;
                continue;
            }
            const size_t change = least[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            least[i][j] = std::min({least[i - 1][j] + 1, least[i][j - 1] + 1, change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                least[i][j] = std::min(least[i][j], least[i - 2][j - 2] + 1);
        }
    }
    return least[a.size()][b.size()];
}

}  // namespace

std::string nearest(const std::string& typed, const std::vector<std::string>& known) {
    constexpr size_t longest = 64;  // no name is longer, and the work grows with the length
    if (typed.size() > longest) return {};
    // The beginning of a name: the shortest one that is meant.
    constexpr size_t least_beginning = 5;  // "--std"
    std::string found;
    for (const std::string& name : known)
        if (typed.size() >= least_beginning && name.starts_with(typed) && (found.empty() || name.size() < found.size()))
            found = name;
    if (!found.empty()) return found;
    size_t fewest = std::min<size_t>((typed.size() + 2) / 3, 3) + 1;
    for (const std::string& name : known) {
        const size_t distance = edits(typed, name);
        if (distance >= fewest || distance >= name.size()) continue;
        fewest = distance;
        found = name;
    }
    return found;
}

std::string did_you_mean(const std::string& typed, const std::vector<std::string>& known) {
    const std::string found = nearest(typed, known);
    return found.empty() ? "" : ": did you mean " + found + "?";
}

std::string dtype_of(const std::string& typed) {
    if (typed == "float") return "f32";
    if (typed == "double") return "f64";
    for (const auto& [longer, shorter] :
         {std::pair{"float", "f"}, {"bfloat", "bf"}, {"complex", "c"}, {"int", "i"}, {"uint", "u"}}) {
        if (!typed.starts_with(longer)) continue;
        const std::string bits = typed.substr(std::string_view(longer).size());
        for (const char* known : {"8", "16", "32", "64", "128"})
            if (bits == known) return shorter + bits;
    }
    return typed;
}

std::string engine_of(const std::string& typed) {
    constexpr std::pair<std::string_view, const char*> types[] = {{"philox4x32", rng::Philox4x32_10::name},
                                                                  {"philox4x32_7", rng::Philox4x32_7::name},
                                                                  {"philox4x64", rng::Philox4x64_10::name},
                                                                  {"threefry4x32", rng::Threefry4x32_20::name},
                                                                  {"threefry4x64", rng::Threefry4x64_20::name}};
    for (const auto& [type, name] : types)
        if (typed == type) return name;
    return typed;
}

}  // namespace cli
