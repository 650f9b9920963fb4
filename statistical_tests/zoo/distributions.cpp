#include <rng/stats/inverted.hpp>
#include <rng/stats/values.hpp>

#include "entries.hpp"
#include "linear.hpp"
#include "samplers.hpp"

namespace rng::stats::zoo_entries {

using namespace zoo;

namespace {

Law standard_normal() { return normal_law(0, 1, Storage::f64, 53); }
Law standard_exponential() { return exponential_law(1, Storage::f64, 53); }
Law unit_f32() { return uniform_law({.storage = Storage::f32, .bits = 24}); }
Law unit_f16() { return uniform_law({.storage = Storage::f16, .bits = 11}); }
Law coin() { return two_value_law(0.3); }
Law below_1000003() { return integer_law(0, 1000002); }

template <class Sampler, Law law()> GeneratorUnderTest values_of(uint64_t seed) {
    GeneratorUnderTest generator{
        std::make_shared<CallableValues<Sampler>>(Sampler(seed), law(), "values, seed " + std::to_string(seed))};
    generator.seed = seed;
    return generator;
}
/// Returns a sampler's pairs, turned back to the words that they were made of.
template <class Sampler> GeneratorUnderTest inverted(uint64_t seed) {
    auto values = std::make_shared<CallableValues<Sampler>>(Sampler(seed), standard_normal(),
                                                            "values, seed " + std::to_string(seed));
    GeneratorUnderTest generator{std::make_shared<InvertedPairs>(std::move(values))};
    generator.seed = seed;
    return generator;
}

using SoundNormal = BoxMuller<Doubled<SoundWords>, 53>;

}  // namespace

std::vector<ZooEntry> distributions() {
    const Tier bytes = Tier::quick;
    return {
        {"normal-12-uniforms", "sums of 12 uniform numbers as normal values", "Hamming, 1962", fails_at(16 * MiB),
         "moments, tails", bytes, 1 * MiB, values_of<SumOfUniforms<12>, standard_normal>, "Box-Muller, 53 bits",
         values_of<SoundNormal, standard_normal>},
        {"normal-24-bits", "Box-Muller on 24-bit uniform numbers: 2^24 radii", "Neave, 1973", not_measured(),
         "normal-pairs", bytes, 1 * MiB, inverted<BoxMuller<Doubled<SoundWords>, 24>>, "the same on 53 bits",
         inverted<SoundNormal>},
        {"normal-of-minstd", "Box-Muller on minstd: angle by radius", "Neave, 1973", not_measured(),
         "inverted: birthday", bytes, 1 * MiB, inverted<BoxMuller<MinstdFraction, 53>>, "the same on mrg32k3a",
         inverted<BoxMuller<Doubled<Mrg32k3a>, 53>>},
        {"normal-of-lcg64", "Box-Muller on an LCG of 64 bits", "Neave, 1973", not_measured(),
         "inverted: birthday-decimated", bytes, 64 * MiB, inverted<BoxMuller<Lcg64, 53>>,
         "the same on an LCG of 128 bits", inverted<BoxMuller<Lcg128High, 53>>},
        {"normal-cut-at-4", "values beyond 4 standard deviations are drawn again", "", not_measured(), "tails", bytes,
         16 * MiB, values_of<CutNormal<4>, standard_normal>, "no cut", values_of<SoundNormal, standard_normal>},
        {"exponential-16-bits", "-log of 16 bits", "", not_measured(), "tails", bytes, 16 * MiB,
         values_of<ExponentialOf<16>, standard_exponential>, "-log of 53 bits",
         values_of<ExponentialOf<53>, standard_exponential>},
        {"float-23-bits", "a float's mantissa filled, less 1: every other value of [0, 1) is missing", "",
         not_measured(), "hamming-sums, lanes", bytes, 64 * KiB, values_of<FloatOf<23>, unit_f32>, "24 bits",
         values_of<FloatOf<24>, unit_f32>},
        {"half-rounds-to-1", "uniform numbers of [0, 1) rounded to the nearest of half precision: 1 occurs",
         "the flaw of OpenRAND's u01 and others, in the smallest type", not_measured(), "support", bytes, 64 * KiB,
         values_of<HalfOf<true>, unit_f16>, "rounded down", values_of<HalfOf<false>, unit_f16>},
        {"coin-6-bits", "probability 0.3 in 6 bits is 0.297", "", not_measured(), "cells4096", bytes, 32 * MiB,
         values_of<BiasedCoin<6>, coin>, "in 32 bits", values_of<BiasedCoin<32>, coin>},
        {"modulo", "24 bits modulo 1,000,003: low values are 1/16 likelier", "Knuth, TAOCP 2, 3.4.1", fails_at(2 * MiB),
         "anderson-darling, cells4096", bytes, 8 * MiB, values_of<Below1000003<false>, below_1000003>,
         "the high product of 64 bits", values_of<Below1000003<true>, below_1000003>},
    };
}

}  // namespace rng::stats::zoo_entries
