// A file that a command reads, or standard input. Every error message names it. The size of a file is known before
// anything is allocated; of standard input only the beginning is read until all of it is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cli {

class InputFile {
  public:
    /// Opens the file, or standard input as "-". Throws UsageError if `path` cannot be opened or is not a regular file,
    /// or if standard input is a terminal.
    explicit InputFile(std::string path);
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();

    /// Returns the first bytes, at most so many of them. The next read() begins with them again.
    [[nodiscard]] std::string beginning(size_t most);
    /// Reads standard input to its end, into memory. Throws UsageError if the machine has not enough.
    void read_to_the_end();

    [[nodiscard]] uint64_t size() const { return size_; }  ///< in bytes; of standard input those that were read
    [[nodiscard]] uint64_t left() const { return size_ - position_; }
    /// Reads the next `size` bytes, of left(). Throws UsageError if the file ends before them or cannot be read.
    void read(void* to, size_t size);

    /// Throws UsageError with the text "NAME: what".
    [[noreturn]] void refuse(const std::string& what) const;
    /// Throws UsageError if the machine does not have this much memory beside what is read: the claims of a header may
    /// be false.
    void require_memory(double bytes) const;

  private:
    size_t read_some(char* to, size_t size);

    std::string path_;
    int descriptor_;
    bool is_file_ = true;  // false: standard input
    std::string text_;     // what was read of standard input
    uint64_t size_ = 0, position_ = 0;
};

}  // namespace cli
