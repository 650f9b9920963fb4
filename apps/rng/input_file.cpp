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

InputFile::InputFile(std::string path) : path_(std::move(path)) {
    if (path_ == "-") {
        path_ = "standard input";
        is_file_ = false;
        descriptor_ = STDIN_FILENO;
        if (::isatty(descriptor_) == 1) refuse("must be a pipe or a file, got a terminal");
        return;
    }
    // Non-blocking: otherwise open() would wait for a writer of a named pipe before the pipe could be refused.
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor_ < 0) refuse(std::string("cannot be opened: ") + std::strerror(errno));
    struct stat status = {};
    if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(descriptor_);
        refuse("must be a regular file, or - for standard input");
    }
    size_ = static_cast<uint64_t>(status.st_size);
}

InputFile::~InputFile() {
    if (is_file_) ::close(descriptor_);
}

/// Reads at least one byte from position_ on; returns 0 at the end.
size_t InputFile::read_some(char* to, size_t size) {
    size = std::min(size, size_t{1} << 30);  // some systems refuse to read more than 2^31 - 1 bytes at once
    for (;;) {
        const ssize_t got =
            is_file_ ? ::pread(descriptor_, to, size, static_cast<off_t>(position_)) : ::read(descriptor_, to, size);
        if (got >= 0) return static_cast<size_t>(got);
        if (errno != EINTR) refuse(std::string("cannot be read: ") + std::strerror(errno));
    }
}

std::string InputFile::beginning(size_t most) {
    if (is_file_) {
        std::string start(static_cast<size_t>(std::min<uint64_t>(size_, most)), '\0');
        read(start.data(), start.size());
        position_ = 0;
        return start;
    }
    text_.resize(most);
    while (size_ < most) {
        const size_t got = read_some(text_.data() + size_, most - static_cast<size_t>(size_));
        if (got == 0) break;
        size_ += got;
    }
    text_.resize(static_cast<size_t>(size_));
    return text_;
}

void InputFile::read_to_the_end() {
    if (is_file_) return;
    constexpr size_t least = size_t{1} << 20;
    for (size_t got = 1; got > 0; size_ += got) {
        if (size_ == text_.size()) {
            require_memory(static_cast<double>(text_.size() + least) * 2);
            text_.resize(std::max(least, 2 * text_.size()));
        }
        got = read_some(text_.data() + size_, text_.size() - static_cast<size_t>(size_));
    }
    text_.resize(static_cast<size_t>(size_));
}

void InputFile::read(void* to, size_t size) {
    char* at = static_cast<char*>(to);
    while (size > 0) {
        size_t got = 0;
        if (is_file_) {
            got = read_some(at, size);
        } else {
            got = static_cast<size_t>(std::min<uint64_t>(size, left()));
            std::memcpy(at, text_.data() + position_, got);
        }
        if (got == 0) refuse("ends at byte " + std::to_string(position_) + ", too early");
        at += got;
        size -= got;
        position_ += got;
    }
}

void InputFile::refuse(const std::string& what) const { throw UsageError(path_ + ": " + what); }

void InputFile::require_memory(double bytes) const {
    bytes += static_cast<double>(text_.size());
    const double there = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
    if (bytes > there)
        refuse("needs at least " + scaled(bytes, "B") + " of memory, this machine has " + scaled(there, "B"));
}

}  // namespace cli
