#include "input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "numbers.hpp"
#include "usage_error.hpp"

namespace cli {

InputFile::InputFile(std::string path)
    // Non-blocking: otherwise open() would wait for a writer of a named pipe before the pipe could be refused.
    : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (descriptor_ < 0) refuse(std::string("cannot be opened: ") + std::strerror(errno));
    struct stat status = {};
    if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(descriptor_);
        refuse("must be a regular file");
    }
    size_ = static_cast<uint64_t>(status.st_size);
}

InputFile::~InputFile() { ::close(descriptor_); }

void InputFile::read(void* to, size_t size) {
    char* at = static_cast<char*>(to);
    while (size > 0) {
        // Some systems refuse to read more than 2^31 - 1 bytes at once.
        const ssize_t got = ::pread(descriptor_, at, std::min(size, size_t{1} << 30), static_cast<off_t>(position_));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) refuse(std::string("cannot be read: ") + std::strerror(errno));
        if (got == 0) refuse("ends at byte " + std::to_string(position_) + ", too early");
        at += got;
        size -= static_cast<size_t>(got);
        position_ += static_cast<uint64_t>(got);
    }
}

void InputFile::refuse(const std::string& what) const { throw UsageError(path_ + ": " + what); }

void InputFile::require_memory(double bytes) const {
    const double there = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
    if (bytes > there)
        refuse("needs at least " + scaled(bytes, "B") + " of memory, this machine has " + scaled(there, "B"));
}

}  // namespace cli
