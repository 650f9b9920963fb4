// Values as text, CSV, raw bytes, a NumPy file or JSON, in chunks: no buffer here grows with the number of values.
//
//   text   one value per line, the shortest decimal that reads back as the same value
//          (a vector: its parts with spaces between)
//   csv    the same lines under a header line "value"; a vector: "x,y,z", commas between
//   raw    the values' bytes, little-endian
//   npy    NumPy format 1.0: a header that is known in advance, then the bytes of raw; vectors are an array of two
//          dimensions
//   json   an array: each number on its own line, as in text; a complex number is a pair, a vector an array.
//          JSON has no infinity and no NaN, but all values are finite
#pragma once

#include <bit>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "numbers.hpp"
#include "output.hpp"

namespace cli {

static_assert(std::endian::native == std::endian::little, "raw and npy output write values as they lie in memory");

enum class Format { text, csv, raw, npy, json };

/// Returns the names that --format takes.
[[nodiscard]] std::vector<std::string> format_names();

/// Returns the format of this name. Without `name`, the ending of the file's name decides, in any letter case;
/// otherwise text.
[[nodiscard]] Format choose_format(const std::optional<std::string>& name, const std::string& file);

[[nodiscard]] inline bool is_binary(Format format) { return format == Format::raw || format == Format::npy; }

/// Returns the first bytes of a NumPy file of this shape, in C order, with a type such as "<f4".
[[nodiscard]] std::string npy_header(const std::string& type, std::initializer_list<uint64_t> shape);

/// Returns NumPy's name of a type; empty if there is none.
template <class T> [[nodiscard]] std::string npy_type() {
    if constexpr (std::is_same_v<T, rng::bfloat16>)
        return "";
    else
        return (std::is_integral_v<T> ? std::is_signed_v<T> ? "<i" : "<u"
                : is_complex<T>       ? "<c"
                                      : "<f") +
               std::to_string(sizeof(T) / (is_vector<T> ? parts_of<T> : 1));
}

/// Returns the bytes that n values take at least.
template <class T> [[nodiscard]] double least_bytes(Format format, uint64_t n) {
    constexpr size_t shortest = 2 * parts_of<T>;  // "0\n"
    return static_cast<double>(n) * static_cast<double>(is_binary(format) ? sizeof(T) : shortest);
}

template <class T> class ValueWriter {
  public:
    ValueWriter(Output& output, Format format, uint64_t n) : output_(output), format_(format) {
        put(format == Format::csv    ? csv_header()
            : format == Format::npy  ? npy_start(n)
            : format == Format::json ? "["
                                     : "");
    }

    void write(std::span<const T> values) {
        if (is_binary(format_)) return output_.write(values.data(), values.size_bytes());
        text_.resize(values.size() * (max_value_chars + 4));
        char* to = text_.data();
        for (const T& value : values) to = format_ == Format::json ? put_json(to, value) : put_line(to, value);
        output_.write(text_.data(), static_cast<size_t>(to - text_.data()));
    }

    /// Writes the end of the format, after the last value.
    void end() {
        if (format_ == Format::json) put("\n]\n");
    }

  private:
    void put(const std::string& text) { output_.write(text.data(), text.size()); }
    static std::string csv_header() {
        return is_vector<T> ? std::string("x,y,z,w").substr(0, 2 * parts_of<T> - 1) + "\n" : "value\n";
    }
    static std::string npy_start(uint64_t n) {
        return is_vector<T> ? npy_header(npy_type<T>(), {n, parts_of<T>}) : npy_header(npy_type<T>(), {n});
    }

    char* put_line(char* to, const T& value) const {
        if constexpr (is_vector<T>)
            to = put_parts(to, value, format_ == Format::csv ? ',' : ' ');
        else
            to = put_value(to, value);
        *to++ = '\n';
        return to;
    }
    char* put_json(char* to, const T& value) {
        if (std::exchange(has_begun_, true)) *to++ = ',';
        *to++ = '\n';
        if constexpr (has_parts<T>) {
            *to++ = '[';
            to = put_parts(to, value, ',');
            *to++ = ']';
            return to;
        } else {
            return put_value(to, value);
        }
    }

    Output& output_;
    Format format_;
    std::vector<char> text_;
    bool has_begun_ = false;  // true after the first value of JSON
};

}  // namespace cli
