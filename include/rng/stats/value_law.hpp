// Laws of values, and sources of values that should follow one. values.hpp has the laws of the catalogue's
// distributions.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>

#include "source.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// How a type stores a real number: rounded to the nearest of its numbers, except by what rounds down.
enum class Storage { f16, bf16, f32, f64 };

/// The reason why a value is not one that its law has.
enum class Outlaw { nan, infinite, below, above, off_grid };
inline constexpr int outlaw_kinds = 5;

/// A law of values as a type stores them.
///
/// A probability is held as a double t in [-1/2, 1/2]: t itself if it is positive, 1 + t if t is negative. So both
/// tails have full precision. NaN stands for a value that the law does not have.
class ValueLaw {
  public:
    virtual ~ValueLaw() = default;

    /// For each value its probability, randomised by the 64 bits given. May be called from several threads.
    virtual void probabilities(std::span<const double> values, std::span<const uint64_t> random,
                               std::span<double> to) const = 0;
    /// Why a value has the probability NaN.
    [[nodiscard]] virtual Outlaw reason(double value) const = 0;

    /// The law's quantile of t, not rounded to what the type stores.
    [[nodiscard]] virtual double quantile(double t) const = 0;
    /// Least 2^-k at which tails still follow the law: 32 if the values are made of 32 bits.
    [[nodiscard]] virtual int tail_bits() const = 0;
    /// How far apart values of the law are at `value`, which is what the type stores or coarser; infinite where that is
    /// no question, as of integers.
    [[nodiscard]] virtual double fineness(double /*value*/) const { return std::numeric_limits<double>::infinity(); }
    /// Whether the law is normal: then pairs can be inverted (inverted.hpp).
    [[nodiscard]] virtual bool is_normal() const { return false; }
    /// Values of a normal law less their mean, divided by their standard deviation, with a random point of what each
    /// was rounded from; NaN for what the law does not have. Does nothing for other laws.
    virtual void standardise(std::span<const double>, std::span<const uint64_t>, std::span<double>) const {}
    /// Subtracted from each value before it is given: 0, or the lower bound of 64-bit integers, which a double cannot
    /// hold.
    [[nodiscard]] virtual long double origin() const { return 0; }
    /// The parameter of `--dist` by which values of a file are tested as multiples of base^-digits; empty if none does.
    [[nodiscard]] virtual std::string grid_parameter(int /*base*/, int /*digits*/) const { return {}; }
};
using Law = std::shared_ptr<const ValueLaw>;

/// Values with their law; as bytes, a 32-bit word for each.
class ValueSource : public Source {
  public:
    [[nodiscard]] virtual const Law& law() const = 0;
    /// Values from number `first` on, less the law's origin(); returns how many: fewer than asked for only where they
    /// end. Positions and threads as of Source::read().
    virtual std::size_t read_values(uint64_t first, std::span<double> to) = 0;

    [[nodiscard]] int word_bits() const final { return 32; }
    std::size_t read(uint64_t position, std::span<std::byte> to) final;
    /// The same, and the values and probabilities that the words were made of: one for every 4 bytes asked for.
    std::size_t read(uint64_t position, std::span<std::byte> to, std::span<double> values,
                     std::span<double> probabilities);
};

// The laws. All throw Error (invalid_argument) on parameters out of range.

/// Which bounds of an interval belong to it: [lo, hi), (lo, hi), (lo, hi].
enum class Ends { closed_open, open, open_closed };

struct UniformLawOptions {
    double lo = 0, hi = 1;
    Ends ends = Ends::closed_open;
    Storage storage = Storage::f64;
    int bits = 53;       ///< values are lo + (hi - lo) k 2^-bits, rounded: k whole, of the open interval odd; 1 to 53
    bool strict = true;  ///< other values are outlaws; else the nearest point is meant, if it is a rounding error away
};
/// The points of a grid. What this library makes of 24 bits, say, has exactly these cells.
[[nodiscard]] Law uniform_law(const UniformLawOptions& options);
/// Uniform real numbers that came to their type in whatever way: multiples of 2^-24 of [0, 1), real numbers rounded to
/// nearest and words of 32 bits times 2^-32 are all sound as f32. So hi belongs to [lo, hi), for rounding makes it of
/// what is just below; it does not to (lo, hi). The first 23 bits of f32 are judged. In an interval other than [0, 2^k)
/// and the like, programs round f32 values once more or in their own ways, so there the first 16 bits are judged.
/// `decimals` says that values were rounded to so many decimal digits after the point; negative, that they were not.
[[nodiscard]] Law real_uniform_law(double lo, double hi, Ends ends, Storage storage, int decimals = -1);
/// Real numbers of [0, 1) rounded down.
[[nodiscard]] Law dense_uniform_law(Storage storage);
[[nodiscard]] Law normal_law(double mean, double stddev, Storage storage, int tail_bits);
[[nodiscard]] Law exponential_law(double rate, Storage storage, int tail_bits);
/// Integers of [lo, hi]; the values are given less `origin`.
[[nodiscard]] Law integer_law(long double lo, long double hi, long double origin = 0);
[[nodiscard]] Law bernoulli_law(double p);

namespace detail {
inline constexpr int all_tails = 64;
template <class T> inline constexpr int tail_bits_of = sizeof(T) == 8 ? all_tails : 32;
/// 64-bit integers are given less their lower bound, or a double would not hold them.
template <class T> [[nodiscard]] Law whole_law(T lo, T hi) {
    return integer_law(static_cast<long double>(lo), static_cast<long double>(hi),
                       sizeof(T) == 8 ? static_cast<long double>(lo) : 0);
}
}  // namespace detail

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
