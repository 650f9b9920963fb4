// Shared by pages of reports: their style, and numbers and words as HTML.
#pragma once

#include <rng/stats/battery.hpp>

#include <string>
#include <string_view>

namespace rng::stats::html {

/// Returns text for HTML, also for attributes between double quotes. Control characters, which XML does not allow,
/// become U+FFFD.
[[nodiscard]] std::string escape(std::string_view text);

/// Returns a whole page. `body` is HTML. If `is_broad`, the page uses more of a wide screen than text should.
[[nodiscard]] std::string page(std::string_view title, std::string_view body, bool is_broad = false);

/// Returns "0.031" or "10<sup>-13.1</sup>"; "0" for -infinity.
[[nodiscard]] std::string probability(double log10_p);
/// Returns the same without markup: "10^-13.1".
[[nodiscard]] std::string plain_probability(double log10_p);

/// Returns a number with `decimals` digits after the point, without zeros at the end.
[[nodiscard]] std::string number(double value, int decimals = 2);
/// Returns a count such as "65,536".
[[nodiscard]] std::string count(uint64_t value);
/// Returns a size such as "64 KiB"; "64K" if `is_short`.
[[nodiscard]] std::string bytes(uint64_t value, bool is_short = false);
/// Returns "1 test" or "2 tests".
[[nodiscard]] std::string plural(uint64_t n, const std::string& noun);
/// Returns the size of an interim analysis: "64 KiB", or "100,000 cases".
[[nodiscard]] std::string size_of(std::string_view stage, uint64_t size);

/// Returns the verdict as a coloured label.
[[nodiscard]] std::string badge(Verdict verdict);

}  // namespace rng::stats::html
