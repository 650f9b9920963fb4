#include "catalogue.hpp"

#include <algorithm>

namespace rng::stats {

namespace tests {
std::vector<NamedTest> frequency16(const Subject&, Effort);
std::vector<NamedTest> avalanche1(const Subject&, Effort);
std::vector<NamedTest> avalanche2(const Subject&, Effort);
std::vector<NamedTest> stream_pairs(const Subject&, Effort);
std::vector<NamedTest> fingerprints(const Subject&, Effort);
}  // namespace tests

std::span<const CatalogueRow> catalogue() {
    static constexpr CatalogueRow rows[] = {
        {"freq16", Stage::stream, "16-bit values occur equally often", "a counter of 2^20 blocks", tests::frequency16},
        {"avalanche1", Stage::functional, "a flipped input bit flips half of the output", "philox4x32-6",
         tests::avalanche1},
        {"avalanche2", Stage::functional, "so do two flipped input bits", "threefry4x32-9", tests::avalanche2},
        {"pairs", Stage::functional, "streams do not resemble each other", "successive seeds of philox4x32-4",
         tests::stream_pairs},
        {"fingerprints", Stage::functional, "streams have no blocks in common", "forks that overlap",
         tests::fingerprints},
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
