#include "catalogue.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <utility>

namespace rng::stats {

/// Makes the tests of a generator: one or more, or none if the row does not apply.
using Make = std::vector<NamedTest>(const GeneratorUnderTest&, Effort);

namespace tests {
Make hamming8, hamming_words, hamming_sums, subwords, mod3, gap16, exponent, frequency16, birthday, birthday_decimated,
    collisions, equal_words, complexity, rank, xor_lags, order, cells4096, anderson_darling, moments, tails, support,
    pairs, avalanche1, avalanche2, stream_pairs, fingerprints;
}  // namespace tests

namespace {

struct Row {
    TestDescription description;
    Make* make;
};

constexpr Row rows[] = {
    {{"hamming8", Stage::stream, "tuples of Hamming weights of bytes", "Philox4x32 with 3 rounds"}, tests::hamming8},
    {{"hamming-words", Stage::stream, "tuples of Hamming weights of words", "Philox4x64 with 4 rounds"},
     tests::hamming_words},
    {{"hamming-sums", Stage::stream, "tuples of Hamming weights of 2 to 2^19 words", "a counter"}, tests::hamming_sums},
    {{"subwords", Stage::stream, "tuples of parts of words", "Philox4x32 with 5 rounds"}, tests::subwords},
    {{"mod3", Stage::stream, "tuples of bytes modulo 3", "streams that overlap"}, tests::mod3},
    {{"gap16", Stage::stream, "distances between equal 16-bit values", "minstd's upper half"}, tests::gap16},
    {{"freq16", Stage::stream, "16-bit values occur equally often", "a counter of 2^20 blocks"}, tests::frequency16},
    {{"exponent", Stage::stream, "zeros that words begin and end with", "Threefry2x64 with 10 rounds"},
     tests::exponent},
    {{"birthday", Stage::stream, "spacings of points of 1 to 16 words coincide", "RANDU"}, tests::birthday},
    {{"birthday-decimated", Stage::stream, "spacings of every 2^6th to 2^16th word coincide", "LCG64, high half"},
     tests::birthday_decimated},
    {{"collisions", Stage::stream, "overlapping tuples of words' bits recur", "Philox4x32-4"}, tests::collisions},
    {{"equal-words", Stage::stream, "words of 32 bits recur in 4 MiB", "a hash of a 32-bit counter"},
     tests::equal_words},
    {{"complexity", Stage::stream, "linear complexity of single bits of words", "mt19937"}, tests::complexity},
    {{"rank", Stage::stream, "ranks of matrices of bits", "xorshift128"}, tests::rank},
    {{"xor-lags", Stage::stream, "weights of words XOR earlier words", "LCG64"}, tests::xor_lags},
    {{"order", Stage::stream, "permutations, runs and maxima of words", "Fibonacci's generator"}, tests::order},
    {{"cells4096", Stage::stream, "values: equally likely cells", "uniform_int by a modulus"}, tests::cells4096},
    {{"anderson-darling", Stage::stream, "values: the distribution function", "24 bits modulo 1000003"},
     tests::anderson_darling},
    {{"moments", Stage::stream, "values: orthonormal polynomials up to the 8th power", "sums of 12 uniforms"},
     tests::moments},
    {{"tails", Stage::stream, "values: beyond 2^-12 ... 2^-50 on both sides", "a normal cut at 4"}, tests::tails},
    {{"support", Stage::stream, "values that the law does not have", "1.0f in [0, 1)"}, tests::support},
    {{"normal-pairs", Stage::stream, "normal pairs inverted: radius and angle", "Box-Muller on 24 bits"}, tests::pairs},
    {{"avalanche1", Stage::structural, "a flipped input bit flips half of the output", "philox4x32-6"},
     tests::avalanche1},
    {{"avalanche2", Stage::structural, "two flipped input bits flip half of the output", "threefry4x32-9"},
     tests::avalanche2},
    {{"stream-pairs", Stage::structural, "streams do not resemble each other", "successive seeds of philox4x32-4"},
     tests::stream_pairs},
    {{"fingerprints", Stage::structural, "streams have no blocks in common", "forks that overlap"},
     tests::fingerprints},
};

}  // namespace

std::span<const TestDescription> test_catalogue() {
    static constexpr auto all = [] {
        std::array<TestDescription, std::size(rows)> descriptions{};
        for (std::size_t i = 0; i < descriptions.size(); ++i) descriptions[i] = rows[i].description;
        return descriptions;
    }();
    return all;
}

const TestDescription* description_of(std::string_view test) {
    // A row's tests are named after the row, with a suffix such as "/seeds" if there are several. These have other
    // names.
    static constexpr std::pair<std::string_view, std::string_view> named_otherwise[] = {{"hamming32", "hamming-words"},
                                                                                        {"hamming64", "hamming-words"},
                                                                                        {"low8", "subwords"},
                                                                                        {"low1", "subwords"},
                                                                                        {"high1", "subwords"}};
    std::string_view name = test.substr(0, test.find('/'));
    for (const auto& [made, row] : named_otherwise)
        if (name == made) name = row;
    const auto found = std::ranges::find(test_catalogue(), name, &TestDescription::name);
    return found == test_catalogue().end() ? nullptr : &*found;
}

std::vector<NamedTest> make_tests(Stage stage, const GeneratorUnderTest& generator, Effort effort,
                                  std::span<const std::string> only) {
    std::vector<NamedTest> chosen;
    for (const Row& row : rows) {
        if (row.description.stage != stage) continue;
        for (NamedTest& made : row.make(generator, effort)) {
            const auto is_meant = [&](const std::string& name) {
                return name == row.description.name || name == made.name;
            };
            if (only.empty() || std::ranges::any_of(only, is_meant)) chosen.push_back(std::move(made));
        }
    }
    return chosen;
}

}  // namespace rng::stats
