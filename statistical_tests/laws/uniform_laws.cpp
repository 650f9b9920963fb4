// Uniform real numbers as a type stores them: the points of a grid, rounded; or all real numbers, rounded down.
#include <rng/core/error.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "../p_values/require.hpp"
#include "laws.hpp"

namespace rng::stats {
namespace {

using namespace detail;

/// Points number 0 ... count - 1, in order: fma(k, step, lo), kept inside the interval, rounded to the type. Several
/// points may become one number. The cell of a number is that of all its points.
class GridLaw final : public ValueLaw {
  public:
    explicit GridLaw(const UniformLawOptions& options) : o_(options) {
        require(std::isfinite(o_.lo) && std::isfinite(o_.hi) && o_.lo < o_.hi, "uniform_law",
                "lo must be finite and below hi, which is finite",
                std::to_string(o_.lo) + ", " + std::to_string(o_.hi));
        require(o_.bits >= 1 && o_.bits <= 53, "uniform_law", "bits must be in [1, 53]", o_.bits);
        const double points = std::ldexp(1.0, o_.bits);
        is_f32_ = o_.storage != Storage::f64 && o_.bits <= 24;
        step_ = (o_.hi - o_.lo) / points;
        if (is_f32_) step_ = (static_cast<float>(o_.hi) - static_cast<float>(o_.lo)) / static_cast<float>(points);
        count_ = o_.ends == Ends::open ? points / 2 : points;
        is_plain_ = o_.lo == 0 && o_.hi == 1 && o_.bits <= precision_of(o_.storage);
        least_ = o_.ends == Ends::closed_open ? o_.lo : neighbour(o_.lo, true, o_.storage);
        most_ = o_.ends == Ends::open_closed ? o_.hi : neighbour(o_.hi, false, o_.storage);
    }

    void probabilities(std::span<const double> values, std::span<const uint64_t> random,
                       std::span<double> to) const override {
        each(values, random, to, [this](double v, double u) { return probability(v, u); });
    }
    [[nodiscard]] Outlaw reason(double v) const override {
        return reason_of(v, v < least_ ? Outlaw::below : v > most_ ? Outlaw::above : Outlaw::off_grid);
    }
    [[nodiscard]] double quantile(double t) const override {
        return t > 0 ? o_.lo + t * (o_.hi - o_.lo) : o_.hi + t * (o_.hi - o_.lo);
    }
    [[nodiscard]] int tail_bits() const override { return all_tails; }
    [[nodiscard]] double fineness(double v) const override { return std::max(step_, spacing(v, o_.storage)); }

  private:
    double probability(double v, double u) const {
        if (!(v >= least_ && v <= most_)) return no_probability;
        auto [first, end] = cell(v);
        if (first == end && !o_.strict) std::tie(first, end) = cell(nearest(v));
        if (first == end) return no_probability;
        const double width = end - first;
        return signed_probability((first + u * width) / count_, (count_ - end + (1 - u) * width) / count_);
    }

    /// Returns the numbers of the points that are v: none if both ends are the same.
    [[nodiscard]] std::pair<double, double> cell(double v) const {
        if (!is_plain_) return {lowest(v, false), lowest(v, true)};
        const double number = index(v / step_);
        return {number, number == std::floor(number) ? number + 1 : number};
    }
    /// Returns the point nearest to v. Returns v itself if the point is farther off than another way to compute it
    /// could explain.
    [[nodiscard]] double nearest(double v) const {
        const double x = point(std::clamp(std::round(index((v - o_.lo) / step_)), 0.0, count_ - 1));
        return std::fabs(x - v) <= std::max(step_ / 4, 2 * spacing(v, o_.storage)) ? x : v;
    }
    /// Returns the number of point k; not whole if there is no such point.
    double index(double k) const {
        return o_.ends == Ends::closed_open ? k : o_.ends == Ends::open ? (k - 1) / 2 : k - 1;
    }
    double point(double number) const {
        const double k = o_.ends == Ends::closed_open ? number : o_.ends == Ends::open ? 2 * number + 1 : number + 1;
        double x = is_f32_ ? static_cast<double>(
                                 std::fma(static_cast<float>(k), static_cast<float>(step_), static_cast<float>(o_.lo)))
                           : std::fma(k, step_, o_.lo);
        if (o_.storage == Storage::f32) x = static_cast<float>(x);
        x = std::clamp(x, least_, most_);
        return stored(x, o_.storage);
    }
    /// Returns the first number whose point is at least v (above v if `above`); count_ if there is none.
    double lowest(double v, bool above) const {
        const auto is_reached = [&](double number) { return above ? point(number) > v : point(number) >= v; };
        const double guess = std::clamp(std::floor(index((v - o_.lo) / step_)), 0.0, count_ - 1);
        // At most this many points are one number.
        const double same =
            std::ceil(std::max(neighbour(v, true, o_.storage) - v, v - neighbour(v, false, o_.storage)) / step_) + 2;
        double from = std::max(guess - same, 0.0), to = std::min(guess + same, count_);
        if (from > 0 && is_reached(from - 1)) from = 0;
        if (to < count_ && !is_reached(to)) to = count_;
        while (from < to) {
            const double middle = from + std::floor((to - from) / 2);  // from + to may exceed 2^53
            if (is_reached(middle))
                to = middle;
            else
                from = middle + 1;
        }
        return from;
    }

    UniformLawOptions o_;
    double step_ = 0, count_ = 0, least_ = 0, most_ = 0;
    bool is_f32_ = false;    // true if points are made in float arithmetic
    bool is_plain_ = false;  // true if point k is k 2^-bits
};

class DenseUniformLaw final : public ValueLaw {
  public:
    explicit DenseUniformLaw(Storage storage) : storage_(storage), is_f32_(storage == Storage::f32) {
        require(storage == Storage::f32 || storage == Storage::f64, "dense_uniform_law", "the type must be f32 or f64",
                storage == Storage::f16 ? "f16" : "bf16");
    }
    void probabilities(std::span<const double> values, std::span<const uint64_t> random,
                       std::span<double> to) const override {
        each(values, random, to, [this](double v, double u) {
            if (!(v >= 0 && v < 1)) return no_probability;
            const double least = is_f32_ ? 0x1p-126 : 0x1p-1022;  // smaller numbers are 0
            const double next = v == 0    ? least
                                : is_f32_ ? std::nextafter(static_cast<float>(v), 2.0f)
                                          : std::nextafter(v, 2.0);
            const double gap = next - v, rest = 1 - v;
            return signed_probability(v + u * gap, rest - u * gap);
        });
    }
    [[nodiscard]] Outlaw reason(double v) const override { return reason_of(v, v < 0 ? Outlaw::below : Outlaw::above); }
    [[nodiscard]] double quantile(double t) const override { return t > 0 ? t : 1 + t; }
    [[nodiscard]] int tail_bits() const override { return all_tails; }
    [[nodiscard]] double fineness(double v) const override { return spacing(v, storage_); }

  private:
    Storage storage_;
    bool is_f32_;
};

}  // namespace

Law uniform_law(const UniformLawOptions& options) { return std::make_shared<GridLaw>(options); }
Law dense_uniform_law(Storage storage) { return std::make_shared<DenseUniformLaw>(storage); }

}  // namespace rng::stats
