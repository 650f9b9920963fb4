// A law with a table: the logarithms of both tails as polynomials, for laws whose functions take microseconds.
#pragma once

#include <array>
#include <vector>

#include "continuous.hpp"

namespace rng::stats::detail {

/// The same law, whose tails have a relative error of 1e-11 more at most.
///
/// The coordinate of x is log(x - lo) above a lower bound, and -log(hi - x) below an upper bound. Between two bounds
/// their sum is taken, without bounds x itself. In it the logarithm of a tail is smooth, because densities are powers
/// at bounds and in heavy tails. Pieces of the coordinate are halved until a polynomial of degree 11 fits.
class PreparedLaw final : public ContinuousLaw {
  public:
    /// The bounds serve the coordinate alone: a bound too far away to matter is given as infinite.
    PreparedLaw(Continuous exact, double lo, double hi);
    explicit PreparedLaw(const Continuous& exact) : PreparedLaw(exact, exact->lo(), exact->hi()) {}

    /// Returns the number of pieces, which the time of preparation is proportional to.
    [[nodiscard]] std::size_t size() const { return pieces_.size(); }

  private:
    static constexpr int terms = 12;
    struct Piece {
        double begin, end;        // of the coordinate
        double at_begin, at_end;  // the logarithm there
        std::array<double, terms> power;
        [[nodiscard]] double operator()(double y) const;
    };
    [[nodiscard]] double position(double x) const;
    [[nodiscard]] double value(double y) const;
    void add(double begin, double end, bool is_upper, int depth);

    [[nodiscard]] double tail(double x) const override;
    [[nodiscard]] double log_tail(double x) const override { return exact_->log_probability(x); }
    [[nodiscard]] double slope(double x) const override { return exact_->density(x); }
    [[nodiscard]] double inverse(double t) const override;
    [[nodiscard]] double middle() const override { return exact_->moment_about(0, 1, *this); }
    [[nodiscard]] double spread(int k) const override { return exact_->moment_about(mean(), k, *this); }

    Continuous exact_;
    double from_, to_, unit_;  // the coordinate's bounds and scale
    double origin_ = 0;        // of a coordinate without bounds
    std::vector<Piece> pieces_;
    std::vector<double> ends_;
    std::size_t lower_ = 0;  // so many pieces hold the lower tail
};

}  // namespace rng::stats::detail
