// Box and Muller's map inverted: from pairs of normal values back to the uniform words of radius and angle.
//
//     const auto words = std::make_shared<rng::stats::InvertedPairs>(values);    // values: a ValueSource
//     const rng::stats::Report report = run_battery(rng::stats::GeneratorUnderTest{words});
//
// Let z0 and z1 be independent and standard normal. Then exp(-(z0^2 + z1^2) / 2) is uniform.
// The angle, as a share of a turn, is uniform too and independent of the first number.
// If the values came from Box and Muller's method, these two numbers are the output of the generator behind the method.
// Its flaws, which no marginal distribution shows, are visible again.
// Examples are those of a linear congruential generator (Neave, Appl. Stat. 22, 1973), or uniform numbers of 24 bits.
// For values of other methods, this is one more exact test of pairs.
#pragma once

#include "value_law.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// Words in pairs: radius, angle. Word i belongs to value i.
class InvertedPairs final : public Source {
  public:
    /// Throws Error (invalid_argument) unless the law of the values is normal.
    explicit InvertedPairs(std::shared_ptr<ValueSource> values);

    [[nodiscard]] std::string name() const override { return values_->name() + ", inverted"; }
    [[nodiscard]] int word_bits() const override { return 32; }
    [[nodiscard]] std::optional<uint64_t> size() const override { return values_->size(); }
    [[nodiscard]] bool is_random_access() const override { return values_->is_random_access(); }
    std::size_t read(uint64_t position, std::span<std::byte> to) override;

  private:
    std::shared_ptr<ValueSource> values_;
};

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
