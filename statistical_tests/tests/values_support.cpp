// support: values that the law does not have: NaN, infinities, 1.0 in [0, 1), 0 in an open interval, 0.5 among
// integers.
//
// Null: there is none. Nothing is said while that is so; one is a failure with p = 0. Cost: one comparison a value.
// Must fail: a single 1.0f in [0, 1). Sound twin: uniform.
#include <limits>

#include "cells.hpp"

namespace rng::stats::tests {
namespace {

constexpr const char* names[outlaw_kinds] = {"nan", "infinite", "below", "above", "off_grid"};

class Support final : public Test {
  public:
    explicit Support(const Law& law) : law_(law) { counts.resize(outlaw_kinds); }

    void add(const Segment& segment) override {
        for (std::size_t i = 0; i < segment.probabilities.size(); ++i)
            if (std::isnan(segment.probabilities[i]))
                ++counts[static_cast<std::size_t>(law_->reason(segment.values[i]))];
    }

    void results(Results& results) const override {
        for (std::size_t kind = 0; kind < counts.size(); ++kind)
            if (counts[kind] > 0) results.add(names[kind], {0, -std::numeric_limits<double>::infinity()});
    }

  private:
    Law law_;
};

}  // namespace

std::vector<NamedTest> support(const Subject& subject, Effort) { return of_values<Support>("support", subject); }

}  // namespace rng::stats::tests
