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
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/config.hpp"

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
    [[nodiscard]] bool is_big_endian() const { return descr.starts_with('>'); }
};

/// A file that is read from its beginning. refuse(what) throws; its message begins with the file's name.
template <class F>
concept NpyInput = requires(F& file, void* to, std::size_t n, const std::string& what) {
    { file.left() } -> std::convertible_to<uint64_t>;
    file.read(to, n);
    file.refuse(what);
};

namespace detail {

/// The header is a Python dict with three keys, in any order. The parser reads only the necessary literals of
/// Python.
template <class F> class NpyHeaderParser {
  public:
    NpyHeaderParser(const F& file, std::string_view text) : file_(file), text_(text) {}

    NpyHeader parse() {
        std::optional<std::string> descr;
        std::optional<bool> fortran_order;
        std::optional<std::vector<uint64_t>> shape;
        expect('{');
        while (!accept('}')) {
            const std::string key = string("a key in quotes");
            expect(':');
            if (key == "descr" && !descr)
                descr = descr_text();
            else if (key == "fortran_order" && !fortran_order)
                fortran_order = boolean();
            else if (key == "shape" && !shape)
                shape = tuple();
            else
                damaged("descr, fortran_order and shape once each, found '" + key + "'");
            if (accept('}')) break;
            expect(',');
        }
        skip_space();
        if (!text_.empty()) damaged("nothing after the '}'");
        if (!descr || !fortran_order || !shape) damaged("descr, fortran_order and shape");
        return {*descr, *fortran_order, *shape};
    }

  private:
    [[noreturn]] void damaged(const std::string& wanted) const {
        file_.refuse("has a damaged header: it must have " + wanted);
    }
    void skip_space() {
        const std::size_t n = text_.find_first_not_of(" \t\r\n");
        text_.remove_prefix(std::min(n, text_.size()));
    }
    bool accept(char c) {
        skip_space();
        if (!text_.starts_with(c)) return false;
        text_.remove_prefix(1);
        return true;
    }
    void expect(char c) {
        if (!accept(c)) damaged(std::string("a '") + c + "' where it has " + here());
    }
    [[nodiscard]] std::string here() const { return text_.empty() ? "its end" : "'" + std::string(1, text_[0]) + "'"; }

    std::string string(const std::string& wanted) {
        skip_space();
        const char quote = text_.empty() ? '\0' : text_[0];
        const std::size_t end = quote == '\'' || quote == '"' ? text_.find(quote, 1) : std::string_view::npos;
        if (end == std::string_view::npos) damaged(wanted + " where it has " + here());
        std::string value(text_.substr(1, end - 1));
        text_.remove_prefix(end + 1);
        return value;
    }
    std::string descr_text() {
        skip_space();
        if (text_.starts_with('[')) file_.refuse("must be of one type, got records");
        return string("a type in quotes");
    }
    bool boolean() {
        skip_space();
        for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}})
            if (text_.starts_with(word)) {
                text_.remove_prefix(word.size());
                return value;
            }
        damaged("True or False where it has " + here());
    }
    std::vector<uint64_t> tuple() {
        std::vector<uint64_t> sizes;
        expect('(');
        while (!accept(')')) {
            skip_space();
            uint64_t size = 0;
            const auto parsed = std::from_chars(text_.data(), text_.data() + text_.size(), size);
            if (parsed.ec != std::errc()) damaged("sizes below 2^64 where it has " + here());
            text_.remove_prefix(static_cast<std::size_t>(parsed.ptr - text_.data()));
            if (text_.starts_with('L')) text_.remove_prefix(1);  // a Python 2 long
            sizes.push_back(size);
            if (accept(')')) break;
            expect(',');
        }
        return sizes;
    }

    const F& file_;
    std::string_view text_;
};

}  // namespace detail

/// Reads the header; the data follow. Calls file.refuse() if the file is not a NumPy file, or is damaged.
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
    return detail::NpyHeaderParser<F>(file, text).parse();
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
