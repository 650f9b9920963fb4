// Uniform real numbers that came to their type in whatever way.
//
// A value stands for the real numbers that round to it, and a random one of them, x, takes its place. Then x is judged
// by the cell of the interval that it lies in, 2^-bits long and centred on a multiple of that; hi counts as lo, so that
// the half cells at both ends are one. As f32 in [0, 1), bits = 23:
//   - multiples of 2^-24 are centres, or on borders, which half of them cross: exact;
//   - of real numbers rounded to nearest, x is as uniform as they were: exact;
//   - words of 32 bits times 2^-32 are such numbers, but for ties, which round to even: odd multiples of 2^-24 get 255
//     words above 1/2, even ones 257. Each cell has an even centre and two odd halves. So it is with 25 to 31 bits.
// No case has to be told from another, so nothing depends on what came before. 16-bit types, which no one makes of
// words that short, have centres only. Of (lo, hi), whose grid is odd multiples, borders and centres change places.
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
        // Whether k 2^-precision of the interval is one of the type's numbers for each k: then there is but one way to
        // make it of k.
        const bool is_exact = std::exp2(std::round(std::log2(grid))) == grid && std::fmod(lo, grid) == 0 &&
                              spacing(stored(most, storage), storage) <= grid;
        // Otherwise each program's roundings move points across the borders of cells; eight bits more than are judged
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
    /// Which half of the last cell has what rounds to hi, programs differ in.
    [[nodiscard]] int tail_bits() const override { return bits_ - 2; }
    [[nodiscard]] double fineness(double v) const override {
        return std::max({std::ldexp(hi_ - lo_, -precision_of(storage_)), step_, spacing(v, storage_)});
    }
    [[nodiscard]] std::string grid_parameter(int base, int digits) const override {
        if (base == 10) return "decimals=" + std::to_string(digits);
        // Counted from lo, in parts of the interval that are a power of two.
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
    /// A random one of the real numbers of the interval that are stored as v.
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
