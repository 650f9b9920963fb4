// Values as a source of bits: numbers with the law that they should follow. Any callable works:
//
//     std::mt19937_64 engine(1);
//     std::normal_distribution<double> z;
//     const auto report = rng::stats::test_values([&] { return z(engine); }, rng::normal{0.0, 1.0}, "std's normal");
//
// Each value v is replaced by its probability F(v) if the law is continuous.
// If single values have a probability of their own, v is replaced by a random point between P(X < v) and P(X <= v).
// Integers and floating-point numbers are such values.
// The result is uniform on (0, 1) exactly if the values follow the law.
// This is the randomised probability-integral transform (Brockwell, Stat. Probab. Lett. 77, 2007).
// The first 32 bits of the result are the words for all tests of bits; the tests of values read the whole result.
// The random points come from a separate engine, addressed by the value's position, so they repeat.
#pragma once

#include <rng/distributions/catalogue.hpp>

#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "battery.hpp"
#include "value_law.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// Returns the law of a distribution's values, by the definition of its map in docs/contract.md.
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
/// Returns the law of complex values: real and imaginary parts in turn.
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
/// Returns the law of another program's values if they have this distribution in this type.
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
        const bool is_shifted = origin < 0 || origin > 0;
        for (double& value : to) {
            const auto generated = generate_();
            value = is_shifted ? static_cast<double>(static_cast<long double>(generated) - origin)
                               : static_cast<double>(generated);
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

/// Runs the battery on a user's own values, against a law.
template <class F>
[[nodiscard]] Report test_values(F generate, Law law, std::string name = "values", const Options& options = {}) {
    return run_battery(
        Subject{std::make_shared<CallableValues<F>>(std::move(generate), std::move(law), std::move(name))}, options);
}
/// Runs the battery on a user's own values, against a distribution in its type: normal<float> is for a callable that
/// returns floats. Uniform real numbers may have come to their type in any way: real_uniform_law().
template <class F, class D>
requires(catalogue_index<D> >= 0) [[nodiscard]] Report
    test_values(F generate, const D& dist, std::string name = "values", const Options& options = {}) {
    return test_values(std::move(generate), detail::foreign_law_of(dist), std::move(name), options);
}

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
