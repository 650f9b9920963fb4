#include "catalogue.hpp"

#include <algorithm>

namespace rng::stats {

namespace tests {
std::vector<NamedTest> hamming8(const Subject&, Effort);
std::vector<NamedTest> hamming_words(const Subject&, Effort);
std::vector<NamedTest> hamming_sums(const Subject&, Effort);
std::vector<NamedTest> lanes(const Subject&, Effort);
std::vector<NamedTest> mod3(const Subject&, Effort);
std::vector<NamedTest> gap16(const Subject&, Effort);
std::vector<NamedTest> exponent(const Subject&, Effort);
std::vector<NamedTest> frequency16(const Subject&, Effort);
}  // namespace tests

std::span<const CatalogueRow> catalogue() {
    static constexpr CatalogueRow rows[] = {
        {"hamming8", Stage::stream, "tuples of Hamming weights of bytes", "Philox4x32 with 3 rounds", tests::hamming8},
        {"words", Stage::stream, "tuples of Hamming weights of words", "Philox4x64 with 4 rounds",
         tests::hamming_words},
        {"hamming-sums", Stage::stream, "the same of runs of 2 to 2^19 words", "a counter", tests::hamming_sums},
        {"lanes", Stage::stream, "tuples of parts of words", "Philox4x32 with 5 rounds", tests::lanes},
        {"mod3", Stage::stream, "tuples of bytes modulo 3", "streams that overlap", tests::mod3},
        {"gap16", Stage::stream, "distances between equal 16-bit values", "minstd's upper half", tests::gap16},
        {"freq16", Stage::stream, "16-bit values occur equally often", "a counter of 2^20 blocks", tests::frequency16},
        {"exponent", Stage::stream, "zeros that words begin and end with", "Threefry2x64 with 10 rounds",
         tests::exponent},
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
