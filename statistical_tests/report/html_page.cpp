#include "html_page.hpp"

#include <charconv>
#include <cmath>
#include <iterator>

namespace rng::stats::html {

namespace {

// Lines of tests have the colours of Okabe and Ito ("Color Universal Design", 2008), lighter ones on dark ground.
constexpr std::string_view style = R"css(
:root { color-scheme: light dark;
  --ground: #f6f7f9; --card: #ffffff; --text: #1b1f24; --muted: #57606a; --line: #d8dee4; --grid: #e8ecf0;
  --accent: #2f6fb5; --pass: #1a7f4b; --pass-soft: #e3f5ea; --suspicious: #8a5a00; --suspicious-soft: #fdf1d3;
  --fail: #b3261e; --fail-soft: #fdeae8;
  --s0: #0072b2; --s1: #c65200; --s2: #00805a; --s3: #a8468b; --s4: #7a6200; --s5: #3f4a56;
  --heat1: #fdf1d3; --heat2: #f8cdc6; --heat3: #ee9a8f; --heat4: #b3261e; --heat4-text: #ffffff; }
@media (prefers-color-scheme: dark) { :root {
  --ground: #0f1318; --card: #181d24; --text: #e6eaef; --muted: #9aa5b1; --line: #303945; --grid: #252d37;
  --accent: #6aa9e8; --pass: #5fcf93; --pass-soft: #12301f; --suspicious: #e8b64c; --suspicious-soft: #352a10;
  --fail: #ff8a80; --fail-soft: #3b1715;
  --s0: #56b4e9; --s1: #ff9a4d; --s2: #3ecf9f; --s3: #e590c8; --s4: #e0cf4a; --s5: #b4c0cc;
  --heat1: #352a10; --heat2: #5a211c; --heat3: #8f2f27; --heat4: #ff8a80; --heat4-text: #2b0806; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
main { max-width: 1000px; margin: 0 auto; padding: 20px 16px 48px; } main.broad { max-width: 1360px; }
a { color: var(--accent); }
h1, h2, h3 { line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin: 32px 0 12px; } h3 { font-size: 1rem; margin-bottom: 8px; }
p { margin: 6px 0; overflow-wrap: anywhere; } sup { line-height: 0; font-size: 0.75em; } small, .muted { color: var(--muted); }
.kicker { color: var(--muted); font-size: 0.85rem; margin: 0 0 4px; }
.verdict { margin: 16px 0; padding: 14px 18px; border-radius: 10px; border-left: 6px solid var(--is); background: var(--soft); }
.verdict strong { display: block; font-size: 1.3rem; color: var(--is); } .verdict p { margin: 4px 0 0; }
.pass { --is: var(--pass); --soft: var(--pass-soft); } .fail { --is: var(--fail); --soft: var(--fail-soft); }
.suspicious { --is: var(--suspicious); --soft: var(--suspicious-soft); }
.badge { display: inline-block; padding: 0 9px; border-radius: 10px; font-size: 0.8rem; font-weight: 600; line-height: 1.5;
  white-space: nowrap; color: var(--is); background: var(--soft); border: 1px solid var(--is); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px; min-width: 0; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); gap: 14px; margin: 14px 0; }
.charts > .rest:nth-child(odd) { grid-column: 1 / -1; }
.card p { font-size: 0.85rem; color: var(--muted); }
svg { display: block; width: 100%; height: auto; margin-top: 6px; }
svg text { fill: var(--muted); font-size: 12px; } svg .name { fill: var(--text); }
.grid { stroke: var(--grid); } .axis { stroke: var(--muted); } .bar { fill: var(--accent); }
.expected { stroke: var(--text); stroke-dasharray: 5 4; fill: none; } .band { fill: var(--muted); opacity: 0.22; }
.dots { stroke: var(--accent); stroke-width: 4.5; stroke-linecap: round; fill: none; }
.fails { stroke: var(--fail); stroke-dasharray: 6 4; fill: none; } svg text.fails { fill: var(--fail); stroke: none; }
.suspects { stroke: var(--suspicious); stroke-dasharray: 2 4; fill: none; } svg text.suspects { fill: var(--suspicious); stroke: none; }
.series { fill: none; stroke: var(--c); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.points { fill: none; stroke: var(--c); stroke-width: 6; stroke-linecap: round; } .beyond { fill: var(--c); }
.s0 { --c: var(--s0); } .s1 { --c: var(--s1); } .s2 { --c: var(--s2); } .s3 { --c: var(--s3); } .s4 { --c: var(--s4); } .s5 { --c: var(--s5); }
.legend { list-style: none; margin: 8px 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 2px 16px; font-size: 0.85rem; }
.legend li { overflow-wrap: anywhere; } .legend i { display: inline-block; width: 16px; height: 4px; border-radius: 2px;
  background: var(--c); vertical-align: middle; margin-right: 6px; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; color: var(--muted); font-size: 0.8rem; }
th, td { padding: 5px 8px; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
tbody tr:last-child th, tbody tr:last-child td { border-bottom: 0; }
.n { text-align: right; white-space: nowrap; } tr.fail, tr.suspicious { background: var(--soft); }
tr.fail .a, tr.suspicious .a { color: var(--is); font-weight: 600; }
.scroll { overflow-x: auto; }
details { margin: 12px 0; } details > summary { cursor: pointer; } .run > summary { font-size: 1.1rem; font-weight: 600; padding: 8px 0; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; margin: 0; font-size: 0.9rem; }
dt { color: var(--muted); } dd { margin: 0; overflow-wrap: anywhere; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 0.85rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.matrix { border-collapse: separate; border-spacing: 1px; width: auto; font-size: 0.72rem; line-height: 1.7; }
.matrix th, .matrix td { border: 0; padding: 1px 3px; border-radius: 3px; vertical-align: middle; white-space: nowrap; }
.matrix td { text-align: center; min-width: 32px; } .matrix .badge { font-size: 0.7rem; padding: 0 6px; }
.matrix thead th { writing-mode: vertical-rl; transform: rotate(180deg); padding: 4px 1px; font-weight: 500; }
.matrix thead th:first-child { writing-mode: horizontal-tb; transform: none; vertical-align: bottom; }
.matrix th:first-child { position: sticky; left: 0; background: var(--card); color: var(--text); z-index: 1;
  max-width: min(220px, 38vw); overflow: hidden; text-overflow: ellipsis; padding-right: 8px; }
.h0 { background: var(--grid); color: var(--muted); } .h1 { background: var(--heat1); } .h2 { background: var(--heat2); }
.h3 { background: var(--heat3); } .h4 { background: var(--heat4); color: var(--heat4-text); } .first { outline: 2px solid var(--text); font-weight: 700; }
.scale { display: flex; flex-wrap: wrap; gap: 6px; font-size: 0.8rem; margin: 10px 0 0; } .scale span { padding: 1px 8px; border-radius: 3px; }
.scale :not(.h4, .h0, sup) { color: var(--text); }
@media (max-width: 480px) { main { padding: 14px 12px 40px; } .card { padding: 11px; } h1 { font-size: 1.3rem; }
  th, td { padding: 5px; } table { font-size: 0.82rem; } .wide { display: none; } svg text { font-size: 15px; } }
@media (max-width: 600px) { .stack thead { display: none; } .stack tr { display: flex; flex-wrap: wrap; gap: 2px 14px;
  padding: 8px 4px; border-bottom: 1px solid var(--line); } .stack tr:last-child { border: 0; }
  .stack td { border: 0; padding: 0; text-align: left; min-width: 0; } .stack td:first-child { flex-basis: 100%; }
  .stack td[data-is]::before { content: attr(data-is) " "; color: var(--muted); } .stack td br { display: none; } .stack .wide { display: block; }
  .stack td:first-child br { display: inline; } }
@media print { body { background: none; } .card { break-inside: avoid; } }
)css";

}  // namespace

std::string escape(std::string_view text) {
    std::string safe;
    for (const char c : text) switch (c) {
            case '&': safe += "&amp;"; break;
            case '<': safe += "&lt;"; break;
            case '>': safe += "&gt;"; break;
            case '"': safe += "&quot;"; break;
            case '\'': safe += "&#39;"; break;
            default:
                if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
                    safe += "\xef\xbf\xbd";
                else
                    safe += c;
        }
    return safe;
}

std::string page(std::string_view title, std::string_view body, bool is_broad) {
    std::string all =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>";
    all += escape(title);
    all += "</title>\n<style>";
    all += style;
    all += std::string("</style>\n</head>\n<body>\n<main") + (is_broad ? " class=\"broad\"" : "") + ">\n";
    all += body;
    return all + "</main>\n</body>\n</html>\n";
}

std::string number(double value, int decimals) {
    if (std::isnan(value)) return "undefined";
    if (std::isinf(value)) return value < 0 ? "-infinity" : "infinity";
    char buffer[400];
    const auto end = std::to_chars(buffer, std::end(buffer), value, std::chars_format::fixed, decimals).ptr;
    std::string text(buffer, end);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') text.pop_back();
    }
    return text == "-0" ? "0" : text;
}

namespace {

std::string probability(double log10_p, const char* before, const char* after) {
    if (log10_p == -INFINITY) return "0";
    if (std::isnan(log10_p)) return "undefined";
    if (log10_p >= -4)
        return number(std::pow(10, log10_p), log10_p > -1 ? 3 : 1 - static_cast<int>(std::floor(log10_p)));
    return before + number(log10_p, log10_p > -100 ? 1 : 0) + after;
}

}  // namespace

std::string probability(double log10_p) { return probability(log10_p, "10<sup>", "</sup>"); }
std::string plain_probability(double log10_p) { return probability(log10_p, "10^", ""); }

std::string count(uint64_t value) {
    std::string text = std::to_string(value);
    for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
    return text;
}

std::string bytes(uint64_t value, bool is_short) {
    static constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    int unit = 0;
    double in_units = static_cast<double>(value);
    for (; in_units >= 1024 && unit < 6; ++unit) in_units /= 1024;
    const std::string text = number(in_units, in_units < 10 ? 2 : in_units < 100 ? 1 : 0);
    if (!is_short) return text + " " + units[unit];
    return unit == 0 ? text : text + units[unit][0];
}

std::string plural(uint64_t n, const std::string& noun) { return count(n) + " " + noun + (n == 1 ? "" : "s"); }

std::string size_of(std::string_view stage, uint64_t size) {
    return stage == "stream" ? bytes(size) : plural(size, "case");
}

std::string badge(Verdict verdict) {
    const std::string name = to_string(verdict);
    const char* const sign = verdict == Verdict::pass ? "\u2713 " : verdict == Verdict::fail ? "\u2717 " : "? ";
    return "<span class=\"badge " + name + "\">" + sign + name + "</span>";
}

}  // namespace rng::stats::html
