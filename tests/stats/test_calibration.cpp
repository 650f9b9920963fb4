// The null reference is what the standards say it is, and calibration finds p-values that are not uniform.
#include <gtest/gtest.h>
#include <rng/stats/calibration.hpp>

#include <rng/core/error.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "../support/sampled.hpp"

namespace {

using namespace rng::stats;

std::vector<int> bytes(NullCipher cipher, const CipherKey& key, const CipherIv& iv, uint64_t position, std::size_t n) {
    std::vector<std::byte> out(n);
    keystream(cipher, key, iv, position, out);
    std::vector<int> result;
    for (const std::byte b : out) result.push_back(std::to_integer<int>(b));
    return result;
}

// RFC 8439, section 2.3.2: block 1.
TEST(NullReference, ChaCha20OfTheRfc) {
    CipherKey key;
    for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<unsigned char>(i);
    const CipherIv iv = {0, 0, 0, 0, 0, 0, 0, 0x09, 0, 0, 0, 0x4a, 0, 0, 0, 0};
    const std::vector<int> expected = {0x10, 0xf1, 0xe7, 0xe4, 0xd1, 0x3b, 0x59, 0x15,
                                       0x50, 0x0f, 0xdd, 0x1f, 0xa3, 0x20, 0x71, 0xc4};
    EXPECT_EQ(bytes(NullCipher::chacha20, key, iv, 64, 16), expected);
    EXPECT_EQ(bytes(NullCipher::chacha20, key, iv, 64 + 5, 3), std::vector<int>({0x3b, 0x59, 0x15}));
}

// NIST SP 800-38A, F.5.1: the output blocks of CTR-AES128. The second counter carries out of its last byte.
TEST(NullReference, AesInCounterMode) {
    const CipherKey key = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                           0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
    CipherIv iv;
    for (std::size_t i = 0; i < iv.size(); ++i) iv[i] = static_cast<unsigned char>(0xf0 + i);
    const std::vector<int> first = {0xec, 0x8c, 0xdf, 0x73, 0x98, 0x60, 0x7c, 0xb0,
                                    0xf2, 0xd2, 0x16, 0x75, 0xea, 0x9e, 0xa1, 0xe4};
    const std::vector<int> second = {0x36, 0x2b, 0x7c, 0x3c, 0x67, 0x73, 0x51, 0x63,
                                     0x18, 0xa0, 0x77, 0xd7, 0xfc, 0x50, 0x73, 0xae};
    EXPECT_EQ(bytes(NullCipher::aes128_ctr, key, iv, 0, 16), first);
    EXPECT_EQ(bytes(NullCipher::aes128_ctr, key, iv, 16, 16), second);
}

TEST(NullReference, StreamsAndFunctionsDiffer) {
    const GeneratorUnderTest generator = null_generator(NullCipher::aes128_ctr, 5, 32);
    std::vector<std::vector<std::byte>> seen;
    for (uint64_t i = 0; i < 4; ++i) {
        seen.emplace_back(64);
        generator.streams.at(0)->read(i, 0, seen.back());
    }
    seen.emplace_back(64);
    generator.source->read(0, seen.back());
    // A stream from its middle on is its middle.
    std::vector<std::byte> middle(32);
    generator.streams.at(0)->read(2, 32, middle);
    EXPECT_TRUE(std::ranges::equal(middle, std::span(seen[2]).last(32)));
    std::ranges::sort(seen);
    EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());

    // Lane 0 and lane 1 differ in one bit of one input word; every lane equals its own evaluation elsewhere.
    const BlockFunction& block = *generator.functions.at(0);
    std::vector<uint32_t> inputs(16 * 6, 7), outputs(16 * 4), again(16 * 4);
    inputs[5 * 16 + 1] ^= 1;
    block.evaluate(16, inputs.data(), outputs.data());
    for (std::size_t w = 0; w < 4; ++w) {
        EXPECT_NE(outputs[w * 16], outputs[w * 16 + 1]);
        EXPECT_EQ(outputs[w * 16], outputs[w * 16 + 2]);
    }
    std::swap(inputs[5 * 16], inputs[5 * 16 + 1]);
    block.evaluate(16, inputs.data(), again.data());
    EXPECT_EQ(again[1], outputs[0]);
    EXPECT_EQ(again[0], outputs[1]);
}

TEST(Calibration, ASoundNullIsInBounds) {
    CalibrationOptions options;
    const uint64_t n = options.batteries = support::sampled(300);
    options.bytes = uint64_t{1} << 21;
    options.threads = 2;
    options.only = {"freq16"};
    const Calibration result = calibrate(options);
    EXPECT_EQ(result.batteries, n);
    EXPECT_EQ(result.p_values, n * (8 + 1));  // of bytes from 16 KiB to 2 MiB, of 16-bit values at 2 MiB
    EXPECT_GT(result.worst_chi_square_p, 1e-6);
    EXPECT_GT(result.worst_tail_p, 1e-6);
    EXPECT_EQ(result.rates.back().fired, 0u);
}

// Bytes whose top bit is never set in one word of 4096: p-values move towards 0.
class Biased final : public Source {
  public:
    explicit Biased(std::shared_ptr<Source> sound) : sound_(std::move(sound)) {}
    [[nodiscard]] std::string name() const override { return "biased"; }
    [[nodiscard]] int word_bits() const override { return 32; }
    [[nodiscard]] bool is_random_access() const override { return true; }
    std::size_t read(uint64_t position, std::span<std::byte> to) override {
        const std::size_t n = sound_->read(position, to);
        for (std::size_t i = 0; i < n; i += 16) to[i] &= std::byte{0xfe};
        return n;
    }

  private:
    std::shared_ptr<Source> sound_;
};

TEST(Calibration, AWrongNullIsOutOfBounds) {
    CalibrationOptions options;
    options.batteries = 100;
    options.bytes = uint64_t{1} << 21;
    options.only = {"freq16"};
    options.generator = [](uint64_t key) {
        return GeneratorUnderTest{std::make_shared<Biased>(null_generator(NullCipher::chacha20, key, 32).source)};
    };
    const Calibration result = calibrate(options);
    EXPECT_LT(result.worst_chi_square_p, 1e-6);
}

TEST(Calibration, KeysDoNotDependOnThreads) {
    CalibrationOptions options;
    options.batteries = 20;
    options.bytes = uint64_t{1} << 21;
    options.only = {"freq16"};
    const Calibration one = calibrate(options);
    options.threads = 3;
    const Calibration three = calibrate(options);
    ASSERT_EQ(one.rows.size(), three.rows.size());
    for (std::size_t i = 0; i < one.rows.size(); ++i) EXPECT_EQ(one.rows[i].chi_square_p, three.rows[i].chi_square_p);
}

// Parts of a calibration, on machines of their own: every number of the result.
class CalibrationParts : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() / ("rng-calibration-" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_);
        options_.batteries = 20;
        options_.bytes = uint64_t{1} << 20;
        options_.only = {"freq16", "hamming8"};
        options_.first_key = 7;
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string counted(SegmentRange range, const std::vector<std::string>& arguments = {}) {
        const std::string file = folder_ / (std::to_string(range.first) + "-" + std::to_string(range.last));
        EXPECT_TRUE(count_batteries(options_, range, file, arguments));
        return file;
    }
    std::string refusal(const std::vector<std::string>& files) {
        try {
            (void)merge_batteries(options_, files);
        } catch (const rng::Error& error) {
            return error.what();
        }
        return "no error";
    }
    static std::string printed(const Calibration& c) {
        std::ostringstream text;
        text.precision(17);
        text << c.batteries << ' ' << c.p_values << ' ' << c.worst_chi_square_p << ' ' << c.worst_tail_p << '\n';
        for (const auto& rate : c.rates) text << rate.rate << ' ' << rate.fired << ' ' << rate.fired_p << '\n';
        for (const CalibrationRow& row : c.rows) {
            text << row.test << ' ' << row.stage << ' ' << row.size << ' ' << row.values << ' ' << row.chi_square_p
                 << ' ' << row.least_log10;
            for (int i = 0; i < 3; ++i) text << ' ' << row.below[i] << ' ' << row.below_p[i];
            text << '\n';
        }
        return text.str();
    }
    CalibrationOptions options_;
    std::filesystem::path folder_;
};

TEST_F(CalibrationParts, GiveTheResultOfTheWhole) {
    const std::string whole = printed(calibrate(options_));
    for (const std::vector<uint64_t>& ends :
         std::vector<std::vector<uint64_t>>{{0, 20}, {0, 1, 20}, {0, 7, 13, 20}, {0, 3, 4, 11, 18, 20}}) {
        std::vector<std::string> files;
        for (std::size_t i = ends.size() - 1; i > 0; --i) files.push_back(counted({ends[i - 1], ends[i]}));
        EXPECT_EQ(printed(merge_batteries(options_, files)), whole) << files.size();
    }
}

TEST_F(CalibrationParts, ThatDoNotBelongTogether) {
    const std::string a = counted({0, 5}), b = counted({5, 20}, {"--cipher", "chacha20"}), c = counted({4, 6});
    EXPECT_EQ(counts_arguments(b), (std::vector<std::string>{"--cipher", "chacha20"}));
    EXPECT_EQ(refusal({b, a}), "no error");
    EXPECT_EQ(refusal({b}), "merge_batteries: batteries 0:5 are missing: no file has them");
    EXPECT_EQ(refusal({a, b, c}), "merge_batteries: batteries 4:5 are in two files: " + a + " and " + c);
    options_.first_key = 8;
    EXPECT_EQ(refusal({a, b}).substr(0, a.size() + 30), "counts " + a + " is of another run: cal");
    options_.first_key = 7;
    std::filesystem::resize_file(b, std::filesystem::file_size(b) - 1);
    EXPECT_EQ(refusal({a, b}), "counts " + b + " is damaged");
    EXPECT_THROW((void)count_batteries(options_, {5, 21}, a), rng::Error);
    EXPECT_THROW((void)count_batteries(options_, {0, 1}, folder_ / "no" / "x"), rng::Error);
    const std::atomic<bool> stop = true;
    options_.stop = &stop;
    EXPECT_FALSE(count_batteries(options_, {0, 1}, folder_ / "stopped"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "stopped"));
}

}  // namespace
