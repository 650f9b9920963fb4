// The golden digests: verify() on every path, the reference model's list through at(), and the digest itself.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rng/rng.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "../../src/cpu/dispatch.hpp"
#include "../../src/verify/goldens.hpp"
#include "../../src/verify/svd_cases.hpp"
#include "../support/known_answers.hpp"
#include "../support/paths.hpp"

namespace {

using support::integer;
using support::Json;

std::string text_of(const rng::VerifyRow& row) {
    return row.engine + ": " + row.distribution + " " + row.dtype + " (" + row.parameters + ") seed " +
           std::to_string(row.seed) + " position " + std::to_string(row.position) + " on " + row.path;
}

/// verify() of a scope; the number of rows of the path "headers".
std::size_t every_path_gives(rng::VerifyScope scope) {
    const rng::Isa isa = rng::current_isa();
    const bool isa_is_chosen = rng_cpu::is_isa_chosen();
    const int threads = rng::num_threads();
    std::size_t calls = 0, last_done = 0, last_total = 0;
    const auto rows = rng::verify(
        [&](std::size_t done, std::size_t total) {
            EXPECT_GT(done, last_done);
            ++calls, last_done = done, last_total = total;
        },
        scope);
    std::map<std::string, std::size_t> rows_of_path;
    std::map<std::string, std::size_t> rows_of_distribution;
    for (const auto& row : rows) {
        EXPECT_TRUE(row.ok()) << text_of(row);
        ++rows_of_path[row.path];
        if (row.path == "headers") ++rows_of_distribution[row.engine + " " + row.distribution + " " + row.dtype];
    }
    const std::size_t gpus = rng::devices().size() - 1;
    EXPECT_EQ(rows_of_path.size(), 1 + 3 * rng::available_isas().size() + gpus);
    const std::size_t svd = rng::detail::svd_cases().size();
    for (const auto& [path, count] : rows_of_path)
        EXPECT_EQ(count, rows_of_path["headers"] + (path == "headers" ? 0 : svd)) << path;
    EXPECT_EQ(rows_of_distribution.size(), static_cast<std::size_t>(rng::engines::size * rng::catalogue_size))
        << "a distribution of the catalogue has no golden on some engine";
    EXPECT_EQ(calls, rows.size());
    EXPECT_EQ(last_done, rows.size());
    EXPECT_EQ(last_total, rows.size());
    EXPECT_EQ(rng::current_isa(), isa) << "verify() leaves the settings as they were";
    EXPECT_EQ(rng_cpu::is_isa_chosen(), isa_is_chosen);
    EXPECT_EQ(rng::num_threads(), threads);
    return rows_of_path["headers"];
}

TEST(Goldens, EveryPathGivesTheQuickOnes) {
    const std::size_t n = every_path_gives(rng::VerifyScope::quick);
    EXPECT_GT(n, std::size(rng_goldens::short_goldens)) << "long ones too, which several threads share";
    EXPECT_LT(n, std::size(rng_goldens::short_goldens) + std::size(rng_goldens::long_goldens));
}

TEST(Goldens, EveryPathGivesThem) {
    EXPECT_EQ(every_path_gives(rng::VerifyScope::all),
              std::size(rng_goldens::short_goldens) + std::size(rng_goldens::long_goldens));
}

/// A row of the model's list by at(): the values' bytes, and the first of them as text.
struct ThroughAt {
    bool is_taken = false;
    uint64_t digest = 0;
    std::vector<std::string> first;
};
template <class D> ThroughAt through_at(const Json& row) {
    D dist{};
    std::size_t i = 0;
    D::fields().each([&](const auto& field) {
        rng_goldens::read_parameter(row.at("parameters").at(i++).template get<std::string>().c_str(),
                                    dist.*field.member);
    });
    EXPECT_EQ(row.at("parameters").size(), i) << row;
    ThroughAt result;
    rng::for_each_engine([&](auto tag) {
        using E = typename decltype(tag)::type;
        if constexpr (support::is_taken<E, D>) {
            if (!support::is_about<E>(row)) return;
            const auto values =
                support::by_at(support::stream_of<E>(row), dist, row.at("n").template get<std::size_t>());
            result.is_taken = true;
            result.digest = rng::digest(std::as_bytes(std::span(values)));
            for (std::size_t k = 0; k < row.at("first").size(); ++k)
                result.first.push_back(support::bits_text(values[k]));
        }
    });
    return result;
}

TEST(Goldens, ReferenceModelThroughAt) {
    std::map<std::pair<std::string, std::string>, ThroughAt (*)(const Json&)> through;  // by name and type
    rng::for_each_distribution([&](auto tag) {
        using D = typename decltype(tag)::type;
        through[{D::name, rng::dtype_name<rng::result_t<D>>()}] = through_at<D>;
    });
    const Json file = support::read_reference("goldens.json");
    EXPECT_EQ(file.at("contract"), rng::contract_version);
    for (const Json& row : file.at("goldens")) {
        const auto found = through.find({row.at("name").get<std::string>(), row.at("dtype").get<std::string>()});
        ASSERT_NE(found, through.end()) << "a golden has no distribution in the catalogue: " << row;
        const ThroughAt got = found->second(row);
        // verify() has the rows of the other engines, on the path "headers".
        ASSERT_TRUE(got.is_taken || !support::is_about<rng::Philox4x32_10>(row)) << row;
        if (!got.is_taken) continue;
        EXPECT_EQ(got.digest, integer(row.at("digest"))) << row;
        EXPECT_FALSE(got.first.empty()) << row;
        EXPECT_EQ(got.first, row.at("first").get<std::vector<std::string>>()) << row;
    }
}

// The known answers of the FNV test suite (Fowler, Noll, Vo; draft-eastlake-fnv).
TEST(Digest, IsFnv1a) {
    const auto digest = [](std::string_view text) { return rng::digest(std::as_bytes(std::span(text))); };
    EXPECT_EQ(digest(""), 0xcbf29ce484222325u);
    EXPECT_EQ(digest("a"), 0xaf63dc4c8601ec8cu);
    EXPECT_EQ(digest("foobar"), 0x85944171f73967e8u);
}

TEST(Digest, SeesEveryBit) {
    std::vector<float> values(64);
    rng::fill(std::span(values), rng::normal{0.0f, 1.0f}, rng::Stream<>{42});
    const uint64_t before = rng::digest(std::as_bytes(std::span(values)));
    const auto bytes = std::as_writable_bytes(std::span(values));
    for (std::size_t i = 0; i < bytes.size(); ++i)
        for (int bit = 0; bit < 8; ++bit) {
            bytes[i] ^= std::byte{1} << bit;
            EXPECT_NE(rng::digest(bytes), before) << "byte " << i << ", bit " << bit;
            bytes[i] ^= std::byte{1} << bit;
        }
    std::swap(values[3], values[40]);
    EXPECT_NE(rng::digest(bytes), before) << "order counts";
    std::swap(values[3], values[40]);
    EXPECT_EQ(rng::digest(bytes), before);
}

TEST(Goldens, AWrongDigestIsNotOk) {
    rng::VerifyRow row{"philox4x32-10",    "normal",          "f32", "", "scalar", 42, 0, 0, 4096,
                       0x019e887c11fb2b0d, 0x019e887c11fb2b0d};
    EXPECT_TRUE(row.ok());
    for (int bit = 0; bit < 64; ++bit) {
        row.got = row.expected ^ uint64_t { 1 } << bit;
        EXPECT_FALSE(row.ok());
    }
}

}  // namespace
