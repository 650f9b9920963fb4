#include "catalogue.hpp"

#include <algorithm>

namespace rng::stats {

namespace tests {
std::vector<NamedTest> frequency16(const Subject&, Effort);
std::vector<NamedTest> birthday(const Subject&, Effort);
std::vector<NamedTest> birthday_decimated(const Subject&, Effort);
std::vector<NamedTest> collisions(const Subject&, Effort);
std::vector<NamedTest> complexity(const Subject&, Effort);
std::vector<NamedTest> rank(const Subject&, Effort);
std::vector<NamedTest> xor_lags(const Subject&, Effort);
std::vector<NamedTest> order(const Subject&, Effort);
}  // namespace tests

std::span<const CatalogueRow> catalogue() {
    static constexpr CatalogueRow rows[] = {
        {"freq16", Stage::stream, "16-bit values occur equally often", "a counter of 2^20 blocks", tests::frequency16},
        {"birthday", Stage::stream, "spacings of points of 1 to 16 words coincide", "RANDU", tests::birthday},
        {"birthday-decimated", Stage::stream, "the same of every 2^6th to 2^16th word", "LCG64, high half",
         tests::birthday_decimated},
        {"collisions", Stage::stream, "overlapping tuples of words' bits recur", "an LCG of 32 bits",
         tests::collisions},
        {"complexity", Stage::stream, "linear complexity of single bits of words", "mt19937", tests::complexity},
        {"rank", Stage::stream, "ranks of matrices of bits", "xorshift128", tests::rank},
        {"xor-lags", Stage::stream, "weights of words XOR earlier words", "LCG64", tests::xor_lags},
        {"order", Stage::stream, "permutations, runs and maxima of words", "RANDU", tests::order},
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
