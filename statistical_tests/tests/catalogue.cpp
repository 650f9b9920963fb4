#include "catalogue.hpp"

#include <algorithm>

namespace rng::stats {

namespace tests {
std::vector<NamedTest> frequency16(const Subject&, Effort);
std::vector<NamedTest> cells4096(const Subject&, Effort);
std::vector<NamedTest> anderson_darling(const Subject&, Effort);
std::vector<NamedTest> moments(const Subject&, Effort);
std::vector<NamedTest> tails(const Subject&, Effort);
std::vector<NamedTest> support(const Subject&, Effort);
std::vector<NamedTest> pairs(const Subject&, Effort);
}  // namespace tests

std::span<const CatalogueRow> catalogue() {
    static constexpr CatalogueRow rows[] = {
        {"freq16", Stage::stream, "16-bit values occur equally often", "a counter of 2^20 blocks", tests::frequency16},
        {"cells4096", Stage::stream, "values: equally likely cells", "uniform_int by a modulus", tests::cells4096},
        {"anderson_darling", Stage::stream, "values: the distribution function", "24 bits modulo 1000003",
         tests::anderson_darling},
        {"moments", Stage::stream, "values: orthonormal polynomials up to the 8th power", "sums of 12 uniforms",
         tests::moments},
        {"tails", Stage::stream, "values: beyond 2^-12 ... 2^-50 on both sides", "a normal cut at 6", tests::tails},
        {"support", Stage::stream, "values that the law does not have", "1.0f in [0, 1)", tests::support},
        {"pairs", Stage::stream, "normal pairs inverted: radius and angle", "Box-Muller on 24 bits", tests::pairs},
    };
    return rows;
}

std::vector<NamedTest> make_tests(Stage stage, const Subject& subject, Effort effort,
                                  std::span<const std::string> only) {
    std::vector<NamedTest> chosen;
    for (const CatalogueRow& row : catalogue()) {
        if (row.stage != stage) continue;
        for (NamedTest& made : row.make(subject, effort)) {
            const auto is_meant = [&](const std::string& name) { return name == row.name || name == made.name; };
            if (only.empty() || std::ranges::any_of(only, is_meant)) chosen.push_back(std::move(made));
        }
    }
    return chosen;
}

}  // namespace rng::stats
