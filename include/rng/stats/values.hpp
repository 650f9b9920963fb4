// Values as a source of bits: numbers with the law that they should follow. Any callable will do:
//
//     std::mt19937_64 engine(1);
//     std::normal_distribution<double> z;
//     const auto report = rng::stats::test_values([&] { return z(engine); }, rng::normal{0.0, 1.0}, "std's normal");
//
// Each value is replaced by its probability: F(v) of a continuous law; a random point between P(X < v) and P(X <= v)
// where single values have a probability of their own, as integers and floating-point numbers do. That is uniform on
// (0, 1) exactly if the values follow the law (the randomised probability-integral transform: Brockwell, Stat. Probab.
// Lett. 77, 2007). Its first 32 bits are the words for all tests of bits; the tests of values read it whole. The random
// points come from an engine of their own by the value's position, so they repeat.
#pragma once

#include <rng/dist/catalogue.hpp>

#include <concepts>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "battery.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// How a type stores a real number: rounded to the nearest of its numbers, except by what rounds down.
enum class Storage { f16, bf16, f32, f64 };

/// What is wrong with a value that its law does not have.
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
    /// What values are given less of: 0, but the lower bound of 64-bit integers, which a double would not hold.
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
/// what is just below; it does not to (lo, hi). The first 23 bits of f32 are judged. Of an interval other than [0, 2^k)
/// and the like, whose f32 values are rounded once more or in another way by each program, the first 16 bits are
/// judged. `decimals` says that values were rounded to so many decimal digits after the point; negative, that they were
/// not.
[[nodiscard]] Law real_uniform_law(double lo, double hi, Ends ends, Storage storage, int decimals = -1);
/// Real numbers of [0, 1) rounded down.
[[nodiscard]] Law dense_uniform_law(Storage storage);
[[nodiscard]] Law normal_law(double mean, double stddev, Storage storage, int tail_bits);
[[nodiscard]] Law exponential_law(double rate, Storage storage, int tail_bits);
/// Integers of [lo, hi]; the values are given less `origin`.
[[nodiscard]] Law integer_law(long double lo, long double hi, long double origin = 0);
[[nodiscard]] Law bernoulli_law(double p);

namespace detail {
template <class T>
inline constexpr Storage storage_of = std::is_same_v<T, float16>    ? Storage::f16
                                      : std::is_same_v<T, bfloat16> ? Storage::bf16
                                      : std::is_same_v<T, float>    ? Storage::f32
                                                                    : Storage::f64;
template <class D> [[nodiscard]] Law grid_law(const D& d, Ends ends) {
    using T = result_t<D>;
    return uniform_law(
        {static_cast<double>(d.lo), static_cast<double>(d.hi), ends, storage_of<T>, rng::detail::Real<T>::precision});
}
template <class D> [[nodiscard]] Law real_law(const D& d, Ends ends) {
    return real_uniform_law(static_cast<double>(d.lo), static_cast<double>(d.hi), ends, storage_of<result_t<D>>);
}
inline constexpr int all_tails = 64;
template <class T> inline constexpr int tail_bits_of = sizeof(T) == 8 ? all_tails : 32;
/// 64-bit integers are given less their lower bound, or a double would not hold them.
template <class T> [[nodiscard]] Law whole_law(T lo, T hi) {
    return integer_law(static_cast<long double>(lo), static_cast<long double>(hi),
                       sizeof(T) == 8 ? static_cast<long double>(lo) : 0);
}
}  // namespace detail

/// The law that a distribution's values follow, by the definition of its map in docs/contract.md.
template <class T> [[nodiscard]] Law law_of(const bits<T>&) {
    return detail::whole_law<T>(0, rng::detail::greatest<T>);
}
template <class T> [[nodiscard]] Law law_of(const uniform<T>& d) { return detail::grid_law(d, Ends::closed_open); }
template <class T> [[nodiscard]] Law law_of(const uniform_open<T>& d) { return detail::grid_law(d, Ends::open); }
template <class T> [[nodiscard]] Law law_of(const uniform_open_closed<T>& d) {
    return detail::grid_law(d, Ends::open_closed);
}
template <class T> [[nodiscard]] Law law_of(const uniform_dense<T>&) {
    return dense_uniform_law(detail::storage_of<T>);
}
template <class T> [[nodiscard]] Law law_of(const normal<T>& d) {
    return normal_law(d.mean, d.stddev, detail::storage_of<T>, detail::tail_bits_of<T>);
}
template <class T> [[nodiscard]] Law law_of(const normal_icdf<T>& d) {
    return normal_law(d.mean, d.stddev, detail::storage_of<T>, detail::tail_bits_of<T>);
}
/// Of real and imaginary parts in turn.
template <class T> [[nodiscard]] Law law_of(const complex_normal<T>& d) {
    return normal_law(0, static_cast<double>(d.stddev) * 0x1.6a09e667f3bcdp-1, detail::storage_of<T>,
                      detail::tail_bits_of<T>);
}
template <class T> [[nodiscard]] Law law_of(const exponential<T>& d) {
    return exponential_law(d.rate, detail::storage_of<T>, detail::tail_bits_of<T>);
}
template <class T> [[nodiscard]] Law law_of(const uniform_int<T>& d) { return detail::whole_law<T>(d.lo, d.hi); }
[[nodiscard]] inline Law law_of(const bernoulli& d) { return bernoulli_law(d.p); }

namespace detail {
/// The law that values of anyone's follow if they have this distribution in this type.
template <class D> [[nodiscard]] Law foreign_law_of(const D& d) { return law_of(d); }
template <class T> [[nodiscard]] Law foreign_law_of(const uniform<T>& d) { return real_law(d, Ends::closed_open); }
template <class T> [[nodiscard]] Law foreign_law_of(const uniform_open<T>& d) { return real_law(d, Ends::open); }
template <class T> [[nodiscard]] Law foreign_law_of(const uniform_open_closed<T>& d) {
    return real_law(d, Ends::open_closed);
}
}  // namespace detail

/// Values that a callable returns one after another, as numbers.
template <class F>
requires std::convertible_to < std::invoke_result_t<F&>,
double > class CallableValues final : public ValueSource {
  public:
    CallableValues(F generate, Law law, std::string name)
        : generate_(std::move(generate)), law_(std::move(law)), name_(std::move(name)) {}
    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] const Law& law() const override { return law_; }
    std::size_t read_values(uint64_t first, std::span<double> to) override {
        for (; position_ < first; ++position_) static_cast<void>(generate_());
        const long double origin = law_->origin();
        for (double& value : to) {
            const auto generated = generate_();
            value = origin == 0 ? static_cast<double>(generated)
                                : static_cast<double>(static_cast<long double>(generated) - origin);
        }
        position_ += to.size();
        return to.size();
    }

  private:
    F generate_;
    Law law_;
    std::string name_;
    uint64_t position_ = 0;
};

/// The battery on values of a user's own, against a law.
template <class F>
[[nodiscard]] Report test_values(F generate, Law law, std::string name = "values", const Options& options = {}) {
    return run_battery(
        Subject{std::make_shared<CallableValues<F>>(std::move(generate), std::move(law), std::move(name))}, options);
}
/// Against a distribution of the catalogue, in its type: normal<float> is for a callable that returns floats. Uniform
/// real numbers may have come to their type in any way: real_uniform_law().
template <class F, class D>
requires(catalogue_index<D> >= 0) [[nodiscard]] Report
    test_values(F generate, const D& dist, std::string name = "values", const Options& options = {}) {
    return test_values(std::move(generate), detail::foreign_law_of(dist), std::move(name), options);
}

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
