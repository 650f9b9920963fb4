// NumPy's file format: numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "formats.hpp"
#include "matrix_file.hpp"

namespace cli {
namespace {

struct Header {
    std::string descr;
    bool fortran_order = false;
    std::vector<uint64_t> shape;
};

/// The header is a Python dict with three keys, in any order; of Python's literals only what they need is read.
class HeaderParser {
  public:
    HeaderParser(const InputFile& file, std::string_view text) : file_(file), text_(text) {}

    Header parse() {
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
        const size_t n = text_.find_first_not_of(" \t\r\n");
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
        const size_t end = quote == '\'' || quote == '"' ? text_.find(quote, 1) : std::string_view::npos;
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
            text_.remove_prefix(static_cast<size_t>(parsed.ptr - text_.data()));
            if (text_.starts_with('L')) text_.remove_prefix(1);  // a long of Python 2
            sizes.push_back(size);
            if (accept(')')) break;
            expect(',');
        }
        return sizes;
    }

    const InputFile& file_;
    std::string_view text_;
};

Header read_header(InputFile& file) {
    unsigned char start[8];
    if (file.left() < sizeof start) file.refuse("ends inside its header");
    file.read(start, sizeof start);
    const int version = start[6], minor = start[7];
    if (version < 1 || version > 3 || minor != 0)
        file.refuse("must have NumPy format 1.0, 2.0 or 3.0, got " + std::to_string(version) + "." +
                    std::to_string(minor));
    unsigned char length[4] = {};
    const size_t length_bytes = version == 1 ? 2 : 4;
    if (file.left() < length_bytes) file.refuse("ends inside its header");
    file.read(length, length_bytes);
    const size_t size = length[0] | size_t{length[1]} << 8 | size_t{length[2]} << 16 | size_t{length[3]} << 24;
    if (file.left() < size) file.refuse("ends inside its header");
    std::string text(size, '\0');
    file.read(text.data(), size);
    return HeaderParser(file, text).parse();
}

template <class T> AnyMatrix read_values(InputFile& file, const Header& header, bool swapped) {
    const uint64_t rows = header.shape[0], cols = header.shape[1], there = file.left();
    if (cols != 0 && rows > UINT64_MAX / sizeof(T) / cols) file.refuse("has a shape beyond 2^64 bytes");
    const uint64_t claimed = rows * cols * sizeof(T);
    if (claimed != there) {
        const std::string claim = std::to_string(rows) + " x " + std::to_string(cols) + " of " + header.descr +
                                  " are " + std::to_string(claimed) + " bytes";
        file.refuse(claimed > there
                        ? "is cut short: " + claim + ", after its header it has " + std::to_string(there)
                        : "goes on after its data: " + claim + ", after its header it has " + std::to_string(there));
    }
    file.require_memory(static_cast<double>(claimed));
    DenseMatrix<T> matrix{rows, cols, header.fortran_order, std::vector<T>(static_cast<size_t>(rows * cols))};
    auto* const bytes = reinterpret_cast<unsigned char*>(matrix.values.data());
    file.read(bytes, static_cast<size_t>(claimed));
    if (swapped) {  // each part of a complex number by itself
        constexpr size_t size = is_complex<T> ? sizeof(T) / 2 : sizeof(T);
        for (size_t i = 0; i < claimed; i += size) std::reverse(bytes + i, bytes + i + size);
    }
    return matrix;
}

}  // namespace

AnyMatrix read_npy(InputFile& file) {
    const Header header = read_header(file);
    if (header.shape.size() != 2) file.refuse("must have two dimensions, got " + std::to_string(header.shape.size()));
    const std::string_view descr = header.descr;
    const std::string_view type = descr.substr(std::min<size_t>(1, descr.size()));
    const bool known_order = !descr.empty() && std::string_view("<>=|").find(descr[0]) != std::string_view::npos;
    const bool swapped = descr.starts_with('>');  // the rest is little-endian, or this machine's
    if (known_order && type == "f2") return read_values<rng::float16>(file, header, swapped);
    if (known_order && type == "f4") return read_values<float>(file, header, swapped);
    if (known_order && type == "f8") return read_values<double>(file, header, swapped);
    if (known_order && type == "c8") return read_values<std::complex<float>>(file, header, swapped);
    if (known_order && type == "c16") return read_values<std::complex<double>>(file, header, swapped);
    file.refuse("must be of type f2, f4, f8, c8 or c16, got " + (descr.empty() ? "nothing" : header.descr));
}

}  // namespace cli
