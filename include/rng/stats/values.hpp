// Values as a source of bits: numbers with the law that they should follow. Any callable works:
//
//     std::mt19937_64 engine(1);
//     std::normal_distribution<double> z;
//     const auto report = rng::stats::test_values([&] { return z(engine); }, rng::normal{0.0, 1.0}, "std's normal");
//
// Each value v is replaced by its probability F(v) if the law is continuous.
// If single values have a positive probability, v is replaced by a random point between P(X < v) and P(X <= v).
// Integers and floating-point numbers are such values.
// The result is uniform on (0, 1) exactly if the values follow the law.
// This is the randomised probability-integral transform (Brockwell, Stat. Probab. Lett. 77, 2007).
// The first 32 bits of the result are the words for all tests of bits; the tests of values read the whole result.
// The random points come from a separate engine, addressed by the value's position, so they repeat.
#pragma once

#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "battery.hpp"
#include "law_of.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// Values that a callable returns one after another, as numbers.
template <class F>
requires std::convertible_to < std::invoke_result_t<F&>,
double > class CallableValues final : public ValueSource {
  public:
    /// Takes the values of this callable.
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
        GeneratorUnderTest{std::make_shared<CallableValues<F>>(std::move(generate), std::move(law), std::move(name))},
        options);
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
