// Laws of values, and sources of values that should follow a law. law_of.hpp has the laws of the catalogue's
// distributions.
//
//     const rng::stats::Law law = rng::stats::normal_law(0, 1, rng::stats::Storage::f32, 32);
//     const rng::stats::Report report = rng::stats::test_values([&] { return z(engine); }, law, "mine");
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <rng/detail/real.hpp>

#include "source.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// How a type stores a real number: rounded to its nearest number, except for distributions that round down.
enum class Storage { f16, bf16, f32, f64 };

/// The reason why a value is outside its law.
enum class Outlaw { nan, infinite, below, above, off_grid };
inline constexpr int outlaw_kinds = 5;

/// A law of values, as a type stores them.
///
/// A double t in [-1/2, 1/2] stands for a probability: t itself if t is positive, 1 + t if t is negative.
/// So both tails have full precision. NaN stands for a value that is outside the law.
class ValueLaw {
  public:
    virtual ~ValueLaw() = default;

    /// Computes the probability of each value, randomised by the 64 bits given. May be called from several threads.
    virtual void probabilities(std::span<const double> values, std::span<const uint64_t> random,
                               std::span<double> to) const = 0;
    /// Returns why a value has the probability NaN.
    [[nodiscard]] virtual Outlaw reason(double value) const = 0;

    /// Returns the law's quantile of t, not rounded to a number of the type.
    [[nodiscard]] virtual double quantile(double t) const = 0;
    /// Returns k of the least 2^-k at which tails still follow the law: 32 if the values are made from 32 bits.
    [[nodiscard]] virtual int tail_bits() const = 0;
    /// Returns the distance between neighbouring values of the law at `value`: that of the type, or a greater one.
    /// Returns infinity if the question has no meaning, as for integers.
    [[nodiscard]] virtual double fineness(double /*value*/) const { return std::numeric_limits<double>::infinity(); }
    /// Returns true if the law is normal: then pairs can be inverted (inverted.hpp).
    [[nodiscard]] virtual bool is_normal() const { return false; }
    /// Computes (value - mean) / (standard deviation) for a normal law; does nothing for other laws.
    /// Each value is replaced by a random point of the interval that rounds to it; NaN for a value outside the law.
    virtual void standardise(std::span<const double>, std::span<const uint64_t>, std::span<double>) const {}
    /// Returns the number that is subtracted from each value before the law gets it: 0, or the lower bound of 64-bit
    /// integers. A double cannot hold all of those.
    [[nodiscard]] virtual long double origin() const { return 0; }
    /// Returns the parameter of `--dist` with which values of a file are tested as multiples of base^-digits; empty if
    /// there is none.
    [[nodiscard]] virtual std::string grid_parameter(int /*base*/, int /*digits*/) const { return {}; }
};
using Law = std::shared_ptr<const ValueLaw>;

/// Values with their law. As bytes, the source has one 32-bit word for each value.
class ValueSource : public Source {
  public:
    /// Returns the law that the values should follow.
    [[nodiscard]] virtual const Law& law() const = 0;
    /// Reads values from number `first` on, minus the law's origin(), and returns how many. The count is smaller than
    /// asked only at the end.
    /// Positions and threads are as for Source::read().
    virtual std::size_t read_values(uint64_t first, std::span<double> to) = 0;

    [[nodiscard]] int word_bits() const final { return 32; }
    std::size_t read(uint64_t position, std::span<std::byte> to) final;
    /// Reads words together with the values and probabilities that they were made from: one for every 4 bytes asked
    /// for.
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
    int bits = 53;  ///< values are lo + (hi - lo) k 2^-bits, rounded: k whole, of the open interval odd; 1 to 53
    /// True if all other values are outlaws; false if a value a rounding error away means the nearest point
    bool strict = true;
};
/// Returns the law of the points of a grid. Values that this library makes from 24 bits, for example, have exactly
/// these cells.
[[nodiscard]] Law uniform_law(const UniformLawOptions& options);
/// Returns the law of uniform real numbers for which it is not known how they came to their type.
/// As f32, all of these are sound: multiples of 2^-24 of [0, 1), real numbers rounded to nearest, words of 32 bits
/// times 2^-32.
/// So hi belongs to [lo, hi), because rounding turns numbers just below hi into hi; hi does not belong to (lo, hi).
/// The first 23 bits of f32 are judged in [0, 2^k) and similar intervals.
/// In other intervals, programs round f32 values once more or in their own ways, so there the first 16 bits are judged.
/// `decimals` is the number of decimal digits after the point to which values were rounded; negative: not rounded.
[[nodiscard]] Law real_uniform_law(double lo, double hi, Ends ends, Storage storage, int decimals = -1);
/// Returns the law of real numbers of [0, 1) that are rounded down.
[[nodiscard]] Law dense_uniform_law(Storage storage);
/// Returns the law of normal values that follow it down to tails of 2^-tail_bits.
[[nodiscard]] Law normal_law(double mean, double stddev, Storage storage, int tail_bits);
/// Returns the law of exponential values that follow it down to tails of 2^-tail_bits.
[[nodiscard]] Law exponential_law(double rate, Storage storage, int tail_bits);
/// A parameter of a distribution: as its fields() name it, and the value.
struct Parameter {
    std::string name;
    double value;
};
/// Says what stands for the numbers next to a bound of the support: the bound, or the type's number next to it. An
/// excluded bound is no value of the law.
enum class SupportBounds { included, excluded };
/// Returns the law of real values with a catalogue distribution's name, such as "gamma", that follow it down to tails
/// of 2^-tail_bits. The caller has checked the parameters' ranges.
[[nodiscard]] Law named_real_law(const std::string& name, std::span<const Parameter> parameters, Storage storage,
                                 int tail_bits, SupportBounds bounds = SupportBounds::included);
/// Returns the law of integers of [lo, hi]; `origin` is subtracted from the values before the law gets them.
[[nodiscard]] Law integer_law(long double lo, long double hi, long double origin = 0);
/// Returns the law of values that are `hi` with probability p, else `lo`. Requires p in [0, 1] and lo < hi.
[[nodiscard]] Law two_value_law(double p, double lo = 0, double hi = 1);
/// Returns the law of counts with a catalogue distribution's name, such as "poisson". The caller has checked the
/// parameters' ranges. Throws Error (invalid_argument) if the variance is above 2^40.
[[nodiscard]] Law named_count_law(const std::string& name, std::span<const Parameter> parameters);

namespace detail {
inline constexpr int all_tails = 64;
template <class T> inline constexpr int tail_bits_of = sizeof(T) == 8 ? all_tails : 32;
/// 64-bit integers are given minus their lower bound, because a double would not hold them.
template <class T> [[nodiscard]] Law whole_law(T lo, T hi) {
    return integer_law(static_cast<long double>(lo), static_cast<long double>(hi),
                       sizeof(T) == 8 ? static_cast<long double>(lo) : 0);
}

/// A distribution of real numbers with named parameters: its law has a formula by its name.
template <class D>
concept NamedReal = requires {
    D::name;
    D::fields();
}
&&(rng::detail::is_real<result_t<D>> || rng::detail::is_half<result_t<D>>);
/// A distribution of counts with named parameters: the same.
template <class D>
concept NamedCount = requires {
    D::name;
    D::fields();
    requires D::has_real_arithmetic;
}
&&rng::detail::is_count<result_t<D>>;
/// Returns the parameters of a distribution by name.
template <class D> [[nodiscard]] std::vector<Parameter> parameters_of(const D& d) {
    std::vector<Parameter> parameters;
    D full = d;
    if constexpr (requires { d.in_full(); }) full = d.in_full();  // a parameter may stand for its type's limit
    D::fields().each([&](const auto& field) {
        parameters.push_back({field.name, static_cast<double>(full.*field.member)});
    });
    return parameters;
}

template <class T>
inline constexpr Storage storage_of = std::is_same_v<T, float16>    ? Storage::f16
                                      : std::is_same_v<T, bfloat16> ? Storage::bf16
                                      : std::is_same_v<T, float>    ? Storage::f32
                                                                    : Storage::f64;
/// Return the law of a uniform distribution `d`: of the values that this library makes, or of any program's.
template <class D> [[nodiscard]] Law grid_law(const D& d, Ends ends) {
    using T = result_t<D>;
    return uniform_law(
        {static_cast<double>(d.lo), static_cast<double>(d.hi), ends, storage_of<T>, rng::detail::Real<T>::precision});
}
template <class D> [[nodiscard]] Law real_law(const D& d, Ends ends) {
    return real_uniform_law(static_cast<double>(d.lo), static_cast<double>(d.hi), ends, storage_of<result_t<D>>);
}
}  // namespace detail

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
