// Functions for a file that replaces another one: it is written under a temporary name in the same folder, and renamed
// once it is complete. The program's outputs and the battery's states use these functions. They need POSIX.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <string>
#include <system_error>

namespace rng_files {

/// Returns a random name beside `path`, which hardly any file can have.
inline std::string temporary_name(const std::string& path) {
    constexpr std::size_t longest = 240;  // of the name itself: file systems allow 255 bytes
    std::random_device entropy;
    std::string name = path.substr(0, path.find_last_of('/') + 1 + longest) + ".tmp-";
    for (int i = 0; i < 10; ++i) name += "0123456789abcdefghijklmnopqrstuvwxyz"[entropy() % 36];
    return name;
}

/// Returns the name that the symbolic links of `path` lead to, whether or not there is such a file.
inline std::string without_links(std::filesystem::path path) {
    constexpr int most_links = 40;  // as on Linux
    std::error_code error;
    for (int i = 0; i < most_links && std::filesystem::is_symlink(path, error); ++i)
        path = path.parent_path() / std::filesystem::read_symlink(path, error);
    return path.string();
}

/// Gives a new file the owner and the permissions of the file that it will replace, as far as the system allows.
inline void adopt_owner(int descriptor, const struct stat& old) {
    mode_t mode = old.st_mode & 0777u;  // no set-user-ID: the owner may be different
    if (::fchown(descriptor, old.st_uid, old.st_gid) != 0 &&
        ::fchown(descriptor, static_cast<uid_t>(-1), old.st_gid) != 0)
        mode = (mode & 0707u) | (mode & 07u) << 3;  // another group may do what all others may
    (void)::fchmod(descriptor, mode);
}

}  // namespace rng_files
