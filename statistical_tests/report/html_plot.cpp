#include "html_plot.hpp"

#include <algorithm>
#include <cmath>

#include "html_page.hpp"

namespace rng::stats::html {

namespace {

constexpr double width = 420, height = 280;  // in units of the SVG, about a pixel each
constexpr double left = 52, right = 408, top = 10, bottom = 232;

std::string at(double x, double y) { return number(x, 1) + " " + number(y, 1); }
std::string attribute(const char* name, double value) {
    return std::string(" ") + name + "=\"" + number(value, 1) + "\"";
}
std::string segment(double x1, double y1, double x2, double y2, const char* classes) {
    return std::string("<line class=\"") + classes + "\"" + attribute("x1", x1) + attribute("y1", y1) +
           attribute("x2", x2) + attribute("y2", y2) + "/>\n";
}
std::string text(double x, double y, const std::string& anchor, std::string_view content,
                 const std::string& more = {}) {
    return "<text" + attribute("x", x) + attribute("y", y) + " text-anchor=\"" + anchor + "\"" + more + ">" +
           escape(content) + "</text>\n";
}

}  // namespace

std::vector<Tick> ticks(double low, double high, int at_most) {
    double step = std::pow(10, std::floor(std::log10((high - low) / at_most)));
    for (int i = 0; (high - low) / step > at_most - 1 + 1e-9; ++i) step *= i % 3 == 1 ? 2.5 : 2;  // 1, 2, 5, 10
    const int decimals = static_cast<int>(std::max(0.0, std::ceil(-std::log10(step) - 1e-9)));
    std::vector<Tick> all;
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
        all.push_back({k * step, number(k * step, decimals)});
    return all;
}

Plot::Plot(std::string_view title, Axis x, Axis y) : x_(std::move(x)), y_(std::move(y)), title_(title) {}

double Plot::x_of(double x) const {
    return left + (std::clamp(x, x_.low, x_.high) - x_.low) / (x_.high - x_.low) * (right - left);
}
double Plot::y_of(double y) const {
    return bottom - (std::clamp(y, y_.low, y_.high) - y_.low) / (y_.high - y_.low) * (bottom - top);
}
std::string Plot::place(Point p) const { return at(x_of(p.first), y_of(p.second)); }

void Plot::bar(double x_low, double x_high, double tall, std::string_view tip) {
    const double x = x_of(x_low) + 1, y = y_of(tall);
    inside_ += "<rect class=\"bar\"" + attribute("x", x) + attribute("y", y) +
               attribute("width", x_of(x_high) - x - 1) + attribute("height", bottom - y) + "><title>" + escape(tip) +
               "</title></rect>\n";
}

void Plot::band(std::span<const Point> low, std::span<const Point> high) {
    std::string path;
    for (const Point& p : low) path += (path.empty() ? "M" : "L") + place(p);
    for (std::size_t i = high.size(); i-- > 0;) path += "L" + place(high[i]);
    inside_ += "<path class=\"band\" d=\"" + path + "Z\"/>\n";
}

void Plot::line(std::span<const Point> points, std::string_view classes) {
    std::string path;
    for (const Point& p : points)
        if (!std::isnan(p.first) && !std::isnan(p.second)) path += (path.empty() ? "M" : "L") + place(p);
    if (!path.empty()) inside_ += "<path class=\"" + std::string(classes) + "\" d=\"" + path + "\"/>\n";
}

void Plot::dots(std::span<const Point> points, std::string_view classes) {
    std::string path;
    for (const Point& p : points)
        if (!std::isnan(p.first) && !std::isnan(p.second)) path += "M" + place(p) + "h0";
    if (!path.empty()) inside_ += "<path class=\"" + std::string(classes) + "\" d=\"" + path + "\"/>\n";
}

void Plot::beyond(double x, std::string_view classes) {
    const double middle = x_of(x);
    inside_ += "<path class=\"" + std::string(classes) + "\" d=\"M" + at(middle - 5, bottom - 8) + "L" +
               at(middle + 5, bottom - 8) + "L" + at(middle, bottom) + "Z\"/>\n";
}

void Plot::note(double y, bool at_right, std::string_view content, std::string_view classes) {
    inside_ += text(at_right ? right - 4 : left + 5, y_of(y) - 4, at_right ? "end" : "start", content,
                    " class=\"" + std::string(classes) + "\"");
}

std::string Plot::svg() const {
    std::string all = "<svg viewBox=\"0 0 " + number(width) + " " + number(height) + "\" role=\"img\" aria-label=\"" +
                      escape(title_) + "\" xmlns=\"http://www.w3.org/2000/svg\">\n";
    for (const Tick& tick : y_.ticks) {
        all += segment(left, y_of(tick.at), right, y_of(tick.at), "grid");
        all += text(left - 7, y_of(tick.at) + 4, "end", tick.label);
    }
    for (const Tick& tick : x_.ticks) {
        all += segment(x_of(tick.at), bottom, x_of(tick.at), bottom + 5, "axis");
        all += text(x_of(tick.at), bottom + 19, "middle", tick.label);
    }
    all += inside_ + segment(left, bottom, right, bottom, "axis") + segment(left, top, left, bottom, "axis");
    all += text((left + right) / 2, height - 6, "middle", x_.label, " class=\"name\"");
    all += text(0, 0, "middle", y_.label,
                " class=\"name\" transform=\"translate(13 " + number((top + bottom) / 2) + ") rotate(-90)\"");
    return all + "</svg>\n";
}

}  // namespace rng::stats::html
