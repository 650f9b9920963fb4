// A generator's state as bytes: round trips, the bytes themselves, and every kind of damage.
#include <gtest/gtest.h>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../support/generators.hpp"
#include "../support/paths.hpp"

namespace {

using rng::ErrorCode;
using rng::Generator;
using rng::Stream;
using namespace support;

TEST(GeneratorState, RoundTrip) {
    Generator a = Generator(0xdeadbeefcafef00d).fork(5);
    a.skip_words(0x123456789abcdef);
    (void)a.split(3);
    Generator b(1);
    b.set_state(a.get_state());
    EXPECT_EQ(a.get_state(), b.get_state());
    EXPECT_EQ(a.initial_seed(), b.initial_seed());
    EXPECT_EQ(a.id(), b.id());
    EXPECT_TRUE(support::same_bits(rng::sample(unit, 100, a), rng::sample(unit, 100, b)));
    EXPECT_EQ(a.fork().stream(), b.fork().stream());

    Generator end = at_word(stream_words);
    b.set_state(end.get_state());
    EXPECT_EQ(b.position(), stream_words);
}

// Other machines, and later versions of this library, read these bytes.
TEST(GeneratorState, HasTheseBytes) {
    Generator generator(0x0807060504030201);
    generator.skip_words(0x0b0a);
    (void)generator.split(2);
    std::string text;
    for (const std::byte b : generator.get_state()) {
        constexpr char digits[] = "0123456789abcdef";
        text += digits[static_cast<unsigned>(b) >> 4];
        text += digits[static_cast<unsigned>(b) & 15];
    }
    EXPECT_EQ(text.substr(0, text.size() - 16),
              "524e475354415445"  // RNGSTATE
              "0100000000000000"  // version, engine
              "0102030400000000"  // key: 4 x 64 bits, of which this engine uses 32 each of two
              "0506070800000000"
              "0000000000000000"
              "0000000000000000"
              "0000000000000000"    // id
              "0a0b000000000000"    // position
              "0200000000000000"    // children
              "0102030405060708");  // initial seed
    EXPECT_EQ(text.size(), 2 * 88u);
}

class DamagedState : public testing::Test {
  protected:
    // The text of the error; the generator stays as it was.
    std::string refused(const Bytes& bytes) {
        Generator generator = at_word(17, 9);
        const Bytes before = generator.get_state();
        const std::string text = error_of(ErrorCode::bad_state, [&] { generator.set_state(bytes); });
        EXPECT_EQ(generator.get_state(), before);
        EXPECT_TRUE(text.starts_with("Generator::set_state: ")) << text;
        return text;
    }
    // As somebody would forge them: a changed byte under a checksum that fits.
    static Bytes forged(Bytes bytes, std::size_t place, unsigned value) {
        bytes[place] = static_cast<std::byte>(value);
        const uint64_t sum = fnv1a(std::span(bytes).first(bytes.size() - 8));
        for (std::size_t i = 0; i < 8; ++i) bytes[bytes.size() - 8 + i] = static_cast<std::byte>(sum >> (8 * i));
        return bytes;
    }
    static uint64_t fnv1a(std::span<const std::byte> bytes) {
        uint64_t h = 0xcbf29ce484222325u;
        for (const std::byte b : bytes) h = (h ^ static_cast<uint64_t>(b)) * 0x100000001b3u;
        return h;
    }
    const Bytes good = [] {
        Generator generator = at_word(1234);
        return generator.fork(3).get_state();
    }();
};

TEST_F(DamagedState, EveryBitCounts) {
    for (std::size_t i = 0; i < good.size(); ++i)
        for (int bit = 0; bit < 8; ++bit) {
            Bytes bytes = good;
            bytes[i] ^= std::byte{1} << bit;
            const std::string text = refused(bytes);
            EXPECT_TRUE(contains(text, i < 8 ? "are not a state of rng" : i < 12 ? "version" : "damaged")) << i << text;
        }
}

TEST_F(DamagedState, EveryLengthCounts) {
    for (std::size_t n = 0; n < good.size(); ++n) {
        const std::string text = refused(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n)));
        EXPECT_TRUE(contains(text, n < 12 ? "are not a state of rng" : "a state has 88 bytes, got")) << text;
    }
    Bytes longer = good;
    longer.push_back(std::byte{0});
    EXPECT_TRUE(contains(refused(longer), "a state has 88 bytes, got 89"));
}

TEST_F(DamagedState, ForeignBytes) {
    EXPECT_TRUE(contains(refused({}), "0 bytes"));
    EXPECT_TRUE(contains(refused(Bytes(16)), "are not a state of rng"));
    EXPECT_TRUE(contains(refused(Bytes(88, std::byte{0xff})), "are not a state of rng"));
    EXPECT_TRUE(contains(refused(Bytes(5056)), "are not a state of rng")) << "torch's CPU generators have 5056 bytes";
}

// A state with a true checksum whose fields cannot be.
TEST_F(DamagedState, ImpossibleFields) {
    EXPECT_TRUE(contains(refused(forged(good, 8, 2)), "version 2; this library reads version 1"));
    EXPECT_TRUE(contains(refused(forged(good, 12, 77)), "engine number 77"));
    EXPECT_TRUE(contains(refused(forged(good, 20, 1)), "out of range")) << "a key word above 32 bits";
    EXPECT_TRUE(contains(refused(forged(good, 28, 1)), "out of range"));
    EXPECT_TRUE(contains(refused(forged(good, 32, 1)), "out of range")) << "a key word that the engine does not have";
    EXPECT_TRUE(contains(refused(forged(good, 40, 1)), "out of range"));
    EXPECT_TRUE(contains(refused(forged(good, 63, 5)), "out of range")) << "a position past the end";
    EXPECT_TRUE(contains(refused(forged(good, 71, 2)), "out of range")) << "more children than blocks";
    Generator generator(1);
    EXPECT_NO_THROW(generator.set_state(forged(good, 48, 9))) << "every id is possible";
}

}  // namespace
