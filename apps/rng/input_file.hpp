// A file that a command reads. Its size is known before anything is allocated, and every error message names it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cli {

class InputFile {
  public:
    /// Throws UsageError if `path` cannot be opened or is not a regular file.
    explicit InputFile(std::string path);
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();

    [[nodiscard]] uint64_t size() const { return size_; }  ///< in bytes
    [[nodiscard]] uint64_t left() const { return size_ - position_; }
    /// Reads the next `size` bytes, of left(). Throws UsageError if the file ends before them or cannot be read.
    void read(void* to, size_t size);
    void rewind() { position_ = 0; }

    /// Throws UsageError with the text "NAME: what".
    [[noreturn]] void refuse(const std::string& what) const;
    /// Throws UsageError if the machine does not have this much memory: the claims of a header may be false.
    void require_memory(double bytes) const;

  private:
    std::string path_;
    int descriptor_;
    uint64_t size_ = 0, position_ = 0;
};

}  // namespace cli
