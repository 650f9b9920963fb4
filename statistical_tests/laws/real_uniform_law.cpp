// Uniform real numbers that came to their type in any way.
//
// A value stands for the real numbers that round to it; a random one of them, x, takes its place. Then x is judged by
// the cell that holds x. Cells have length 2^-bits and are centred on multiples of it; the half cells at both ends are
// one cell. Multiples of 2^-24, rounded real numbers and words times 2^-32 all fill these cells evenly, so no case has
// to be told from another.
// Derivation: docs/statistics/laws.md.
#include <rng/core/error.hpp>

#include <algorithm>
#include <string>

#include "../p_values/require.hpp"
#include "laws.hpp"

namespace rng::stats {
namespace {

using namespace detail;

class RealUniformLaw final : public ValueLaw {
  public:
    RealUniformLaw(double lo, double hi, Ends ends, Storage storage, int decimals)
        : lo_(lo), hi_(hi), ends_(ends), storage_(storage), step_(decimals < 0 ? 0 : std::pow(10.0, -decimals)) {
        require(std::isfinite(lo) && std::isfinite(hi) && lo < hi, "real_uniform_law",
                "lo must be finite and below hi, which is finite", std::to_string(lo) + ", " + std::to_string(hi));
        const int precision = precision_of(storage);
        const double grid = std::ldexp(hi - lo, -precision), most = std::max(std::fabs(lo), std::fabs(hi));
        // True if k 2^-precision of the interval is one of the type's numbers for each k. Then there is only one way to
        // make a value of k.
        const bool is_exact = std::exp2(std::round(std::log2(grid))) == grid && std::fmod(lo, grid) == 0 &&
                              spacing(stored(most, storage), storage) <= grid;
        // Otherwise each program's roundings move points across the borders of cells. Eight bits more than are judged
        // make that a few thousandths of a cell. Types too short for that must be rounded to nearest.
        bits_ = precision < 16 ? precision - (ends == Ends::open ? 1 : 0) : precision - (is_exact ? 1 : 8);
        cells_ = std::ldexp(1.0, bits_);
    }

    void probabilities(std::span<const double> values, std::span<const uint64_t> random,
                       std::span<double> to) const override {
        each(values, random, to, [this](double v, double u) { return probability(v, u); });
    }
    [[nodiscard]] Outlaw reason(double v) const override {
        return reason_of(v, v > lo_ ? Outlaw::above : Outlaw::below);
    }
    [[nodiscard]] double quantile(double t) const override {
        return t > 0 ? lo_ + t * (hi_ - lo_) : hi_ + t * (hi_ - lo_);
    }
    /// Programs differ in which half of the last cell holds the numbers that round to hi.
    [[nodiscard]] int tail_bits() const override { return bits_ - 2; }
    [[nodiscard]] double fineness(double v) const override {
        return std::max({std::ldexp(hi_ - lo_, -precision_of(storage_)), step_, spacing(v, storage_)});
    }
    [[nodiscard]] std::string grid_parameter(int base, int digits) const override {
        if (base == 10) return "decimals=" + std::to_string(digits);
        // The grid is counted from lo, in parts of the interval that are a power of two.
        const double step = std::ldexp(1.0, -digits), bits = std::log2((hi_ - lo_) / step);
        const bool fits = bits >= 1 && bits <= 53 && bits == std::floor(bits) && std::fmod(lo_, step) == 0;
        return fits ? "bits=" + std::to_string(static_cast<int>(bits)) : "";
    }

  private:
    [[nodiscard]] bool contains(double v) const {
        if (step_ > 0) return v >= lo_ - step_ / 2 && v <= hi_ + step_ / 2;
        if ((v == lo_ && ends_ != Ends::closed_open) || (v == hi_ && ends_ == Ends::open)) return false;
        return v >= stored(lo_, storage_) && v <= stored(hi_, storage_);
    }
    /// Returns a random one of the real numbers of the interval that are stored as v.
    [[nodiscard]] double unrounded(double v, double u) const {
        double from = v - step_ / 2, to = v + step_ / 2;
        if (stored(v, storage_) == v) {
            from = std::min(from, (v + neighbour(v, false, storage_)) / 2);
            to = std::max(to, (v + neighbour(v, true, storage_)) / 2);
        }
        from = std::clamp(from, lo_, hi_);
        return from + u * (std::clamp(to, lo_, hi_) - from);
    }
    [[nodiscard]] double probability(double v, double u) const {
        if (!contains(v)) return no_probability;
        const double in_cells = (unrounded(v, u) - lo_) / (hi_ - lo_) * cells_;
        double cell = std::floor(ends_ == Ends::open ? in_cells : in_cells + 0.5);
        if (cell >= cells_) cell -= cells_;
        const double w = (std::floor(other_unit(u) * 0x1p24) + 0.5) * 0x1p-24;  // never 0
        return signed_probability((cell + w) / cells_, (cells_ - 1 - cell + (1 - w)) / cells_);
    }

    double lo_, hi_;
    Ends ends_;
    Storage storage_;
    double step_;
    int bits_ = 0;
    double cells_ = 0;
};

}  // namespace

Law real_uniform_law(double lo, double hi, Ends ends, Storage storage, int decimals) {
    return std::make_shared<RealUniformLaw>(lo, hi, ends, storage, decimals);
}

}  // namespace rng::stats
