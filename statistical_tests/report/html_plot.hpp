// A plot of two axes as SVG, in the colours of the page.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rng::stats::html {

struct Tick {
    double at;
    std::string label;  ///< plain text, not HTML
};

struct Axis {
    std::string label;  ///< plain text, not HTML
    double low, high;   ///< requires low < high
    std::vector<Tick> ticks;
};

/// Returns ticks at multiples of 1, 2 or 5 times a power of ten. Requires `at_most`, the greatest number of ticks, to
/// be 2 or more.
[[nodiscard]] std::vector<Tick> ticks(double low, double high, int at_most);

using Point = std::pair<double, double>;

/// Draws shapes in the order of the calls. Classes are those of the page. Points beyond the axes are moved to their
/// ends; points that are not numbers are left out.
class Plot {
  public:
    Plot(std::string_view title, Axis x, Axis y);

    void bar(double x_low, double x_high, double height, std::string_view tip);
    void band(std::span<const Point> low, std::span<const Point> high);
    void line(std::span<const Point> points, std::string_view classes);
    void dots(std::span<const Point> points, std::string_view classes);
    /// Draws a triangle at the lower edge: a point far below.
    void beyond(double x, std::string_view classes);
    /// Draws text above a height, at the left or right end of the plot.
    void note(double y, bool at_right, std::string_view text, std::string_view classes);

    [[nodiscard]] std::string svg() const;

  private:
    [[nodiscard]] double x_of(double x) const;
    [[nodiscard]] double y_of(double y) const;
    [[nodiscard]] std::string place(Point p) const;

    Axis x_, y_;
    std::string title_, inside_;
};

}  // namespace rng::stats::html
