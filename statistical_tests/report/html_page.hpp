// What pages of reports have in common: their style, and numbers and words as HTML.
#pragma once

#include <rng/stats/battery.hpp>

#include <string>
#include <string_view>

namespace rng::stats::html {

/// Text for HTML, also in attributes between double quotes; control characters, which XML has not, as U+FFFD.
[[nodiscard]] std::string escape(std::string_view text);

/// A whole page; `body` is HTML. A broad one uses more of a wide screen than text should.
[[nodiscard]] std::string page(std::string_view title, std::string_view body, bool is_broad = false);

/// "0.031", "10<sup>-13.1</sup>", and "0" of -infinity.
[[nodiscard]] std::string probability(double log10_p);
/// The same without markup: "10^-13.1".
[[nodiscard]] std::string plain_probability(double log10_p);

/// With `decimals` digits after the point, without zeros at the end.
[[nodiscard]] std::string number(double value, int decimals = 2);
/// "65,536".
[[nodiscard]] std::string count(uint64_t value);
/// "64 KiB"; "64K" if short.
[[nodiscard]] std::string bytes(uint64_t value, bool is_short = false);
/// "1 test", "2 tests".
[[nodiscard]] std::string plural(uint64_t n, const std::string& noun);
/// What a look's size means: "64 KiB", or "100,000 units".
[[nodiscard]] std::string size_of(std::string_view stage, uint64_t size);

/// The verdict as a coloured label.
[[nodiscard]] std::string badge(Verdict verdict);

}  // namespace rng::stats::html
