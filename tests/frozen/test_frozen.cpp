// Frozen values stay: each case of families.hpp, on every path, against the digests of 0.1.0.txt.
//
//     test_frozen                          checks all cases; names the first of each family that differs
//     test_frozen append TABLE             adds digests of the families that the table does not have yet
//     test_frozen compare OLD NEW CASES    fresh cases of two shared libraries with rng.h; the first difference ends it
//
// The table is what `append` wrote into an empty file when this program was built with commit 61a4f32, and lines for
// what was added or frozen later. A line is the
// name of a family, a tab, and 24 bits of each case in base64: the attempt that was accepted (4) and the folded digest
// (20).
#include "families.hpp"

#include <dlfcn.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>

namespace {

using namespace frozen;

constexpr std::string_view base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr unsigned attempts = 16;

/// Runs an attempt of a case. `series` is 0 for the table; others make fresh cases.
std::optional<uint64_t> digest_of(const Family& family, uint64_t series, uint64_t number, unsigned attempt,
                                  std::string* text = nullptr) {
    Digest name;
    name.add_bytes(family.name.data(), family.name.size());
    for (const uint64_t part : {series, number, uint64_t{attempt}}) name.add(part);
    Case c{Random(name.value()), attempt == attempts - 1, text};
    try {
        if (family.run(c)) return c.digest.value();
    } catch (const rng::Error& error) {
        c.note(error.what());
    }
    return std::nullopt;
}
std::string text_of(const Family& family, uint64_t series, uint64_t number, unsigned attempt) {
    std::string text = family.name + ", case " + std::to_string(number) + ":";
    if (!digest_of(family, series, number, attempt, &text)) text += " (refused)";
    return text;
}
uint32_t folded(uint64_t digest, unsigned attempt) {
    return attempt << 20 | static_cast<uint32_t>((digest ^ digest >> 20 ^ digest >> 40 ^ digest >> 60) & 0xfffff);
}

/// The table: 24 bits of each case of a family.
std::map<std::string, std::vector<uint32_t>> read_table(const std::string& path) {
    std::map<std::string, std::vector<uint32_t>> table;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const size_t tab = line.find('\t');
        if (tab == std::string::npos) continue;
        std::vector<uint32_t>& cases = table[line.substr(0, tab)];
        for (size_t i = tab + 1; i + 4 <= line.size(); i += 4) {
            uint32_t bits = 0;
            for (size_t k = i; k < i + 4; ++k) bits = bits << 6 | static_cast<uint32_t>(base64.find(line[k]));
            cases.push_back(bits);
        }
    }
    return table;
}

int append(const std::string& path) {
    const auto table = read_table(path);
    std::ofstream file(path, std::ios::app);
    const Library linked;
    for (const Family& family : families(linked)) {
        if (table.contains(family.name)) continue;
        file << family.name << '\t';
        for (int i = 0; i < family.cases; ++i) {
            unsigned attempt = 0;
            std::optional<uint64_t> digest;
            while (!(digest = digest_of(family, 0, static_cast<uint64_t>(i), attempt)))
                if (++attempt == attempts) {
                    std::fprintf(stderr, "no attempt is accepted: %s\n",
                                 text_of(family, 0, static_cast<uint64_t>(i), attempts - 1).c_str());
                    return 1;
                }
            const uint32_t bits = folded(*digest, attempt);
            for (int shift = 18; shift >= 0; shift -= 6) file << base64[bits >> shift & 63];
        }
        file << '\n';
    }
    return file.good() ? 0 : 1;
}

/// Returns how many families differ on this path.
int check_path(const std::vector<Family>& all, const std::map<std::string, std::vector<uint32_t>>& table,
               const std::string& path) {
    int wrong = 0;
    for (const Family& family : all) {
        const std::vector<uint32_t>& expected = table.at(family.name);
        size_t differ = 0;
        std::string first;
        for (size_t i = 0; i < expected.size(); ++i) {
            const unsigned attempt = expected[i] >> 20;
            const auto digest = digest_of(family, 0, i, attempt);
            if (digest && folded(*digest, attempt) == expected[i]) continue;
            if (differ++ == 0) first = text_of(family, 0, i, attempt);
        }
        if (differ == 0) continue;
        ++wrong;
        std::fprintf(stderr, "%s: %zu of %zu cases are not those of the table, first %s\n", path.c_str(), differ,
                     expected.size(), first.c_str());
    }
    return wrong;
}

int check(const std::string& path) {
    const Library linked;
    const std::vector<Family> all = families(linked);
    auto table = read_table(path);
    int wrong = 0;
    size_t cases = 0;
    for (const Family& family : all) {
        cases += table[family.name].size();
        if (table[family.name].size() == static_cast<size_t>(family.cases)) continue;
        std::fprintf(stderr, "%s: %s has %zu cases, expected %d\n", path.c_str(), family.name.c_str(),
                     table[family.name].size(), family.cases);
        ++wrong;
    }
    if (table.size() != all.size()) std::fprintf(stderr, "%s has a family that is gone\n", path.c_str()), ++wrong;
    int threads = 1;
    for (const rng::Isa isa : rng::available_isas()) {
        rng::set_isa(isa);
        rng::set_num_threads(threads);
        wrong += check_path(all, table, std::string(rng::to_string(isa)) + " x " + std::to_string(threads));
        threads = 3;
    }
    std::printf("%zu cases of %zu families, on %zu instruction sets: %s\n", cases, all.size(),
                rng::available_isas().size(), wrong == 0 ? "those of the table" : "WRONG");
    return wrong == 0 ? 0 : 1;
}

std::optional<Library> load(const char* path) {
    void* const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        std::fprintf(stderr, "%s\n", dlerror());
        return std::nullopt;
    }
    Library library;
#define RNG_FROZEN_LOAD(name) library.name = reinterpret_cast<decltype(library.name)>(dlsym(handle, "rng_" #name));
    RNG_FROZEN_CALLS(RNG_FROZEN_LOAD)
    return library;
}

int compare(const char* old_path, const char* new_path, uint64_t cases) {
    const auto old_library = load(old_path), new_library = load(new_path);
    if (!old_library || !new_library) return 2;
    const std::vector<Family> before = families_of(*old_library), after = families_of(*new_library);
    const auto series = static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    const auto begin = std::chrono::steady_clock::now();
    uint64_t accepted = 0;
    for (uint64_t i = 0; accepted < cases; ++i) {
        const Family& family = before[i % before.size()];
        const Family& now = after[i % after.size()];
        const auto expected = digest_of(family, series, i, 0);
        if (!expected) continue;
        ++accepted;
        if (digest_of(now, series, i, 0) == expected) continue;
        std::fprintf(stderr, "series %llu: %s gives %s, %s gives something else: %s\n",
                     static_cast<unsigned long long>(series), old_path, old_library->version(), new_path,
                     text_of(now, series, i, 0).c_str());
        return 1;
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::printf("series %llu: %llu cases agree, %.0f a second\n", static_cast<unsigned long long>(series),
                static_cast<unsigned long long>(accepted), static_cast<double>(accepted) / seconds.count());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view command = argc > 1 ? argv[1] : "";
    if (command == "append" && argc == 3) return append(argv[2]);
    if (command == "compare" && argc == 5) return compare(argv[2], argv[3], std::strtoull(argv[4], nullptr, 10));
#if defined(RNG_REFERENCE_DIR)
    if (argc == 1) return check(RNG_REFERENCE_DIR "/../frozen/0.1.0.txt");
#endif
    if (command == "check" && argc == 3) return check(argv[2]);
    std::fprintf(stderr, "usage: %s [check TABLE | append TABLE | compare OLD NEW CASES]\n", argv[0]);
    return 2;
}
