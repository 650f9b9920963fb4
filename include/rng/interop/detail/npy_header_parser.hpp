// The parser of the headers of NumPy's files (../npy.hpp).
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../core/config.hpp"

#include "../../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// The header is a Python dict with three keys, in any order. The parser reads only the Python literals that such a
/// header needs.
/// Header: its members are descr, fortran_order and shape. F: refuse(what) throws.
template <class Header, class F> class NpyHeaderParser {
  public:
    NpyHeaderParser(const F& file, std::string_view text) : file_(file), text_(text) {}

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
    [[nodiscard]] std::string here() const { return text_.empty() ? "its end" : std::string("'") + text_[0] + "'"; }

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

RNG_END_NAMESPACE

#include "../../core/restore_macros.inc"
