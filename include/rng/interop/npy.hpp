// read_npy_header(file) reads the header of NumPy's files, versions 1.0 to 3.0; the data follow in the file.
//
//     struct File {                                    // the input, with these members
//         std::ifstream in;
//         uint64_t left();                             // bytes to the end
//         void read(void* to, std::size_t n);
//         [[noreturn]] void refuse(const std::string& what) const;   // throws: "x.npy " + what
//     };
//     const rng::NpyHeader header = rng::read_npy_header(file);      // descr "<f4", shape {60, 40}
//
// Source: numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "../core/config.hpp"
#include "detail/npy_header_parser.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The array's type, order and shape, as the header gives them.
struct NpyHeader {
    std::string descr;  ///< the type, such as "<f4"
    bool fortran_order = false;
    std::vector<uint64_t> shape;

    /// Returns the type without its byte order; empty if it is not a type of NumPy.
    [[nodiscard]] std::string type() const {
        return !descr.empty() && std::string_view("<>=|").find(descr[0]) != std::string_view::npos ? descr.substr(1)
                                                                                                   : "";
    }
    /// Returns true if the type is big-endian.
    [[nodiscard]] bool is_big_endian() const { return descr.starts_with('>'); }
};

/// A file that is read from its beginning. refuse(what) throws; its message begins with the file's name.
template <class F>
concept NpyInput = requires(F& file, void* to, std::size_t n, const std::string& what) {
    { file.left() } -> std::convertible_to<uint64_t>;
    file.read(to, n);
    file.refuse(what);
};

/// Reads the header; the data follow. Calls file.refuse() if the file is not a NumPy file or is damaged.
template <NpyInput F> NpyHeader read_npy_header(F& file) {
    unsigned char start[8] = {};
    const auto there = static_cast<std::size_t>(std::min<uint64_t>(file.left(), sizeof start));
    file.read(start, there);
    if (std::memcmp(start, "\x93NUMPY", 6) != 0) file.refuse("must be a NumPy file: it has not its first six bytes");
    if (there < sizeof start) file.refuse("ends inside its header");
    const int version = start[6], minor = start[7];
    if (version < 1 || version > 3 || minor != 0)
        file.refuse("must have NumPy format 1.0, 2.0 or 3.0, got " + std::to_string(version) + "." +
                    std::to_string(minor));
    unsigned char length[4] = {};
    const std::size_t length_bytes = version == 1 ? 2 : 4;
    if (file.left() < length_bytes) file.refuse("ends inside its header");
    file.read(length, length_bytes);
    const std::size_t size =
        length[0] | std::size_t{length[1]} << 8 | std::size_t{length[2]} << 16 | std::size_t{length[3]} << 24;
    if (file.left() < size) file.refuse("ends inside its header");
    std::string text(size, '\0');
    file.read(text.data(), size);
    return detail::NpyHeaderParser<NpyHeader, F>(file, text).parse();
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
