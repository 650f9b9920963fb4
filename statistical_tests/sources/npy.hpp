// NumPy's files, read in place: numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace rng::stats {

/// The elements of a .npy file in the order of storage. Elements of c8 and c16 count as two. The file stays open until
/// this object is destroyed.
class NpyFile {
  public:
    /// Throws Error (invalid_argument) if one of these holds:
    /// - the file cannot be read;
    /// - it is no .npy file, or is cut short;
    /// - its type is not f2, f4, f8, c8, c16, b1, i1, i2, i4, i8, u1, u2, u4 or u8.
    explicit NpyFile(const std::string& file);
    ~NpyFile();
    NpyFile(const NpyFile&) = delete;
    NpyFile& operator=(const NpyFile&) = delete;

    [[nodiscard]] char kind() const { return kind_; }  ///< 'f', 'i', 'u' or 'b'
    [[nodiscard]] int item_bytes() const { return item_bytes_; }
    [[nodiscard]] uint64_t count() const { return count_; }

    /// Stores elements from number `first` on, less `origin`, and returns their number: fewer than asked for only at
    /// the end. May be called from any thread. Throws Error (invalid_argument) if the file can no longer be read.
    std::size_t read(uint64_t first, long double origin, std::span<double> to) const;

  private:
    void read_header();
    void read_bytes(uint64_t position, std::span<std::byte> to) const;
    [[noreturn]] void refuse(const std::string& what) const;

    std::string file_;
    int descriptor_ = -1;
    uint64_t size_ = 0, data_ = 0, count_ = 0;  ///< bytes of the file, position of the first element, elements
    char kind_ = 'f';
    int item_bytes_ = 0;
    bool is_swapped_ = false;
};

}  // namespace rng::stats
